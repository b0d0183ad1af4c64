cuda_tile.module @kernels {
  entry @k0() {
    %cst_f64 = constant <f64: 1.2638383196726319E+182> : tile<16x2x2xf64>
    %0 = maxf %cst_f64, %cst_f64 : tile<16x2x2xf64>
    return
  }
}
// becomes
module {
  "nv_tileaa.func"() <{function_type = () -> (), kernel_spec = #nv_tileaa.kernel_spec<clusterDim=[1,1,1]>, sym_name = "k0"}> ({
    %0 = "nv_tileaa.splat"() <{value = 1.2638383196726319E+182 : f64}> : () -> tensor<16x2x2xf64>
    %1 = arith.maxnumf %0, %0 : tensor<16x2x2xf64>
    "nv_tileaa.return"() : () -> ()
  }) : () -> ()
}

// -----

cuda_tile.module @kernels {
  entry @k0() {
    %cst_1_f16 = constant <f16: 1.000000e+00> : tile<4x4x4x1xf16>
    %0 = maxf %cst_1_f16, %cst_1_f16 : tile<4x4x4x1xf16>
    return
  }
}
// becomes
module {
  "nv_tileaa.func"() <{function_type = () -> (), kernel_spec = #nv_tileaa.kernel_spec<clusterDim=[1,1,1]>, sym_name = "k0"}> ({
    %0 = "nv_tileaa.splat"() <{value = 1.000000e+00 : f16}> : () -> tensor<4x4x4x1xf16>
    %1 = arith.maxnumf %0, %0 : tensor<4x4x4x1xf16>
    "nv_tileaa.return"() : () -> ()
  }) : () -> ()
}
