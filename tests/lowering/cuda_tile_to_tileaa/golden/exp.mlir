cuda_tile.module @kernels {
  entry @k0() {
    %cst_f64 = constant <f64: -2.8969581480200443E+121> : tile<2x2xf64>
    %0 = exp %cst_f64  : tile<2x2xf64>
    return
  }
}
// becomes
module {
  "nv_tileaa.func"() <{function_type = () -> (), kernel_spec = #nv_tileaa.kernel_spec<clusterDim=[1,1,1]>, sym_name = "k0"}> ({
    %0 = "nv_tileaa.splat"() <{value = -2.8969581480200443E+121 : f64}> : () -> tensor<2x2xf64>
    %1 = math.exp %0 : tensor<2x2xf64>
    "nv_tileaa.return"() : () -> ()
  }) : () -> ()
}

// -----

cuda_tile.module @kernels {
  entry @k0() {
    %cst_f64 = constant <f64: -4.4306186707556794E+19> : tile<1xf64>
    %0 = cat %cst_f64, %cst_f64 dim = 0 : tile<1xf64>, tile<1xf64> -> tile<2xf64>
    %1 = exp %0  : tile<2xf64>
    return
  }
}
// becomes
module {
  "nv_tileaa.func"() <{function_type = () -> (), kernel_spec = #nv_tileaa.kernel_spec<clusterDim=[1,1,1]>, sym_name = "k0"}> ({
    %0 = "nv_tileaa.splat"() <{value = -4.4306186707556794E+19 : f64}> : () -> tensor<1xf64>
    %1 = "nv_tileaa.cat"(%0, %0) <{axis = 0 : i32}> : (tensor<1xf64>, tensor<1xf64>) -> tensor<2xf64>
    %2 = math.exp %1 : tensor<2xf64>
    "nv_tileaa.return"() : () -> ()
  }) : () -> ()
}
