cuda_tile.module @kernels {
  entry @k0() {
    %cst_f16 = constant <f16: __elided__> : tile<64xf16>
    %cst_f16_0 = constant <f16: __elided__> : tile<64xf16>
    %0 = remf %cst_f16, %cst_f16_0 : tile<64xf16>
    return
  }
}
// becomes
module {
  "nv_tileaa.func"() <{function_type = () -> (), kernel_spec = #nv_tileaa.kernel_spec<clusterDim=[1,1,1]>, sym_name = "k0"}> ({
    %cst = "nv_tileaa.constant_tensor"() <{value = dense_resource<__elided__> : tensor<64xf16>}> : () -> tensor<64xf16>
    %cst_0 = "nv_tileaa.constant_tensor"() <{value = dense_resource<__elided__> : tensor<64xf16>}> : () -> tensor<64xf16>
    %0 = arith.remf %cst, %cst_0 : tensor<64xf16>
    "nv_tileaa.return"() : () -> ()
  }) : () -> ()
}

// -----

cuda_tile.module @kernels {
  entry @k0() {
    %cst_f32 = constant <f32: [[8.73445467E-13, -6.70874569E+37], [1.20138362E-39, -4.75899417E-32]]> : tile<2x2xf32>
    %0 = cat %cst_f32, %cst_f32 dim = 0 : tile<2x2xf32>, tile<2x2xf32> -> tile<4x2xf32>
    %1 = remf %0, %0 : tile<4x2xf32>
    return
  }
}
// becomes
module {
  "nv_tileaa.func"() <{function_type = () -> (), kernel_spec = #nv_tileaa.kernel_spec<clusterDim=[1,1,1]>, sym_name = "k0"}> ({
    %cst = "nv_tileaa.constant_tensor"() <{value = dense<[[8.73445467E-13, -6.70874569E+37], [1.20138362E-39, -4.75899417E-32]]> : tensor<2x2xf32>}> : () -> tensor<2x2xf32>
    %0 = "nv_tileaa.cat"(%cst, %cst) <{axis = 0 : i32}> : (tensor<2x2xf32>, tensor<2x2xf32>) -> tensor<4x2xf32>
    %1 = arith.remf %0, %0 : tensor<4x2xf32>
    "nv_tileaa.return"() : () -> ()
  }) : () -> ()
}
