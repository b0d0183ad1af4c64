cuda_tile.module @kernels {
  entry @k0() {
    %cst_bf16 = constant <bf16: 2.117580e-20> : tile<32xbf16>
    %reshape = reshape %cst_bf16 : tile<32xbf16> -> tile<2x16x1x1xbf16>
    %0 = atan2 %reshape, %reshape : tile<2x16x1x1xbf16>
    return
  }
}
// becomes
module {
  "nv_tileaa.func"() <{function_type = () -> (), kernel_spec = #nv_tileaa.kernel_spec<clusterDim=[1,1,1]>, sym_name = "k0"}> ({
    %0 = "nv_tileaa.splat"() <{value = 2.117580e-20 : bf16}> : () -> tensor<32xbf16>
    %1 = "nv_tileaa.view"(%0) : (tensor<32xbf16>) -> tensor<2x16x1x1xbf16>
    %2 = math.atan2 %1, %1 : tensor<2x16x1x1xbf16>
    "nv_tileaa.return"() : () -> ()
  }) : () -> ()
}

// -----

cuda_tile.module @kernels {
  entry @k0() {
    %cst_bf16 = constant <bf16: -9.592300e+21> : tile<4x2x2x2xbf16>
    %cst_bf16_0 = constant <bf16: __elided__> : tile<4x2x2x2xbf16>
    %0 = atan2 %cst_bf16, %cst_bf16_0 : tile<4x2x2x2xbf16>
    return
  }
}
// becomes
module {
  "nv_tileaa.func"() <{function_type = () -> (), kernel_spec = #nv_tileaa.kernel_spec<clusterDim=[1,1,1]>, sym_name = "k0"}> ({
    %0 = "nv_tileaa.splat"() <{value = -9.592300e+21 : bf16}> : () -> tensor<4x2x2x2xbf16>
    %cst = "nv_tileaa.constant_tensor"() <{value = dense_resource<__elided__> : tensor<4x2x2x2xbf16>}> : () -> tensor<4x2x2x2xbf16>
    %1 = math.atan2 %0, %cst : tensor<4x2x2x2xbf16>
    "nv_tileaa.return"() : () -> ()
  }) : () -> ()
}
