cuda_tile.module @kernels {
  entry @k0() {
    %cst_bf16 = constant <bf16: [[-4.487480e+32, 1.092530e-02, -1.994730e+26, 6.444750e-07, 1.547300e+36, -5.332630e+13, -3.674940e+18, 1.719160e-37]]> : tile<1x8xbf16>
    %cst_bf16_0 = constant <bf16: [[1.521970e+38, 3.960000e+02, -8.978430e+06, -4.222120e+14]]> : tile<1x4xbf16>
    %0 = cat %cst_bf16_0, %cst_bf16_0 dim = 1 : tile<1x4xbf16>, tile<1x4xbf16> -> tile<1x8xbf16>
    %1 = fma %cst_bf16, %cst_bf16, %0 rounding<negative_inf> : tile<1x8xbf16>
    return
  }
}
// becomes
module {
  "nv_tileaa.func"() <{function_type = () -> (), kernel_spec = #nv_tileaa.kernel_spec<numWarps=4, clusterDim=[1,1,1]>, sym_name = "k0"}> ({
    %cst = "nv_tileaa.constant_tensor"() <{value = dense<[[-4.487480e+32, 1.092530e-02, -1.994730e+26, 6.444750e-07, 1.547300e+36, -5.332630e+13, -3.674940e+18, 1.719160e-37]]> : tensor<1x8xbf16>}> : () -> tensor<1x8xbf16>
    %cst_0 = "nv_tileaa.constant_tensor"() <{value = dense<[[1.521970e+38, 3.960000e+02, -8.978430e+06, -4.222120e+14]]> : tensor<1x4xbf16>}> : () -> tensor<1x4xbf16>
    %0 = "nv_tileaa.cat"(%cst_0, %cst_0) <{axis = 1 : i32}> : (tensor<1x4xbf16>, tensor<1x4xbf16>) -> tensor<1x8xbf16>
    %1 = "nv_tileaa.fma"(%cst, %cst, %0) <{rounding_mode = #nv_tileaa.rounding_mode<negative_inf>}> : (tensor<1x8xbf16>, tensor<1x8xbf16>, tensor<1x8xbf16>) -> tensor<1x8xbf16>
    "nv_tileaa.return"() : () -> ()
  }) : () -> ()
}

// -----

cuda_tile.module @kernels {
  entry @k0() {
    %cst_f16 = constant <f16: 1.267240e-02> : tile<2x2xf16>
    %cst_f16_0 = constant <f16: [[1.168000e+04, 2.404000e+03], [-3.074650e-03, 6.130000e+02]]> : tile<2x2xf16>
    %0 = fma %cst_f16, %cst_f16_0, %cst_f16_0 rounding<positive_inf> : tile<2x2xf16>
    return
  }
}
// becomes
module {
  "nv_tileaa.func"() <{function_type = () -> (), kernel_spec = #nv_tileaa.kernel_spec<numWarps=4, clusterDim=[1,1,1]>, sym_name = "k0"}> ({
    %0 = "nv_tileaa.splat"() <{value = 1.267240e-02 : f16}> : () -> tensor<2x2xf16>
    %cst = "nv_tileaa.constant_tensor"() <{value = dense<[[1.168000e+04, 2.404000e+03], [-3.074650e-03, 6.130000e+02]]> : tensor<2x2xf16>}> : () -> tensor<2x2xf16>
    %1 = "nv_tileaa.fma"(%0, %cst, %cst) <{rounding_mode = #nv_tileaa.rounding_mode<positive_inf>}> : (tensor<2x2xf16>, tensor<2x2xf16>, tensor<2x2xf16>) -> tensor<2x2xf16>
    "nv_tileaa.return"() : () -> ()
  }) : () -> ()
}
