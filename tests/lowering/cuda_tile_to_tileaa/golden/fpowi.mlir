cuda_tile.module @kernels {
  entry @k0() {
    %cst_f32 = constant <f32: 0xCBA05E69> : tile<16xf32>
    %cst_i16 = constant <i16: __elided__> : tile<16xi16>
    %0 = fpowi %cst_f32, %cst_i16 : tile<16xf32>, tile<16xi16>
    return
  }
}
// becomes
module {
  "nv_tileaa.func"() <{function_type = () -> (), kernel_spec = #nv_tileaa.kernel_spec<numWarps=4, clusterDim=[1,1,1]>, sym_name = "k0"}> ({
    %0 = "nv_tileaa.splat"() <{value = 0xCBA05E69 : f32}> : () -> tensor<16xf32>
    %cst = "nv_tileaa.constant_tensor"() <{value = dense_resource<__elided__> : tensor<16xi16>}> : () -> tensor<16xi16>
    %1 = math.fpowi %0, %cst : tensor<16xf32>, tensor<16xi16>
    "nv_tileaa.return"() : () -> ()
  }) : () -> ()
}

// -----

cuda_tile.module @kernels {
  entry @k0() {
    %cst_f16 = constant <f16: [[-2.958980e-01, 1.829860e-05, 1.517500e+02, -4.613280e+00], [-8.291020e-01, 5.136110e-02, 6.042960e+00, -3.981930e-01]]> : tile<2x4xf16>
    %cst_i16 = constant <i16: [[17524, -18472, -32307, 18889], [-27563, 18303, 21106, -14448]]> : tile<2x4xi16>
    %0 = fpowi %cst_f16, %cst_i16 : tile<2x4xf16>, tile<2x4xi16>
    return
  }
}
// becomes
module {
  "nv_tileaa.func"() <{function_type = () -> (), kernel_spec = #nv_tileaa.kernel_spec<numWarps=4, clusterDim=[1,1,1]>, sym_name = "k0"}> ({
    %cst = "nv_tileaa.constant_tensor"() <{value = dense<[[-2.958980e-01, 1.829860e-05, 1.517500e+02, -4.613280e+00], [-8.291020e-01, 5.136110e-02, 6.042960e+00, -3.981930e-01]]> : tensor<2x4xf16>}> : () -> tensor<2x4xf16>
    %cst_0 = "nv_tileaa.constant_tensor"() <{value = dense<[[17524, -18472, -32307, 18889], [-27563, 18303, 21106, -14448]]> : tensor<2x4xi16>}> : () -> tensor<2x4xi16>
    %0 = math.fpowi %cst, %cst_0 : tensor<2x4xf16>, tensor<2x4xi16>
    "nv_tileaa.return"() : () -> ()
  }) : () -> ()
}
