cuda_tile.module @kernels {
  entry @k0() {
    %cst_f8E4M3FN = constant <f8E4M3FN: -4.480000e+02> : tile<f8E4M3FN>
    %0 = ftoi %cst_f8E4M3FN unsigned  saturating : tile<f8E4M3FN> -> tile<i16>
    return
  }
}
// becomes
module {
  "nv_tileaa.func"() <{function_type = () -> (), kernel_spec = #nv_tileaa.kernel_spec<clusterDim=[1,1,1]>, sym_name = "k0"}> ({
    %cst = arith.constant -4.480000e+02 : f8E4M3FN
    %0 = "nv_tileaa.fptoui"(%cst) <{saturating}> : (f8E4M3FN) -> i16
    "nv_tileaa.return"() : () -> ()
  }) : () -> ()
}

// -----

cuda_tile.module @kernels {
  entry @k0() {
    %cst_f64 = constant <f64: -1.2800909314436804E+196> : tile<f64>
    %0 = ftoi %cst_f64 signed  saturating : tile<f64> -> tile<i32>
    return
  }
}
// becomes
module {
  "nv_tileaa.func"() <{function_type = () -> (), kernel_spec = #nv_tileaa.kernel_spec<clusterDim=[1,1,1]>, sym_name = "k0"}> ({
    %cst = arith.constant -1.2800909314436804E+196 : f64
    %0 = "nv_tileaa.fptosi"(%cst) <{saturating}> : (f64) -> i32
    "nv_tileaa.return"() : () -> ()
  }) : () -> ()
}
