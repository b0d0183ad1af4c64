cuda_tile.module @kernels {
  entry @k0(%arg0: tile<bf16>) {
    %reshape = reshape %arg0 : tile<bf16> -> tile<1x1xbf16>
    %bcast = broadcast %reshape : tile<1x1xbf16> -> tile<1x8xbf16>
    %cst_bf16 = constant <bf16: [[-4.487480e+32, 1.092530e-02, -1.994730e+26, 6.444750e-07, 1.547300e+36, -5.332630e+13, -3.674940e+18, 1.719160e-37]]> : tile<1x8xbf16>
    %0 = fma %bcast, %cst_bf16, %bcast rounding<negative_inf> : tile<1x8xbf16>
    return
  }
}
// becomes
module {
  "nv_tileaa.func"() <{function_type = (bf16) -> (), kernel_spec = #nv_tileaa.kernel_spec<numWarps=4, clusterDim=[1,1,1]>, sym_name = "k0"}> ({
  ^bb0(%arg0: bf16):
    %0 = "nv_tileaa.splat"(%arg0) : (bf16) -> tensor<1x1xbf16>
    %1 = "nv_tileaa.splat"(%arg0) : (bf16) -> tensor<1x8xbf16>
    %cst = "nv_tileaa.constant_tensor"() <{value = dense<[[-4.487480e+32, 1.092530e-02, -1.994730e+26, 6.444750e-07, 1.547300e+36, -5.332630e+13, -3.674940e+18, 1.719160e-37]]> : tensor<1x8xbf16>}> : () -> tensor<1x8xbf16>
    %2 = "nv_tileaa.fma"(%1, %cst, %1) <{rounding_mode = #nv_tileaa.rounding_mode<negative_inf>}> : (tensor<1x8xbf16>, tensor<1x8xbf16>, tensor<1x8xbf16>) -> tensor<1x8xbf16>
    "nv_tileaa.return"() : () -> ()
  }) : () -> ()
}

// -----

cuda_tile.module @kernels {
  entry @k0(%arg0: tile<f16>) {
    %cst_f16 = constant <f16: -2.551270e-02> : tile<2x2xf16>
    %reshape = reshape %arg0 : tile<f16> -> tile<1x1xf16>
    %bcast = broadcast %reshape : tile<1x1xf16> -> tile<2x2xf16>
    %0 = fma %cst_f16, %cst_f16, %bcast rounding<positive_inf> : tile<2x2xf16>
    return
  }
}
// becomes
module {
  "nv_tileaa.func"() <{function_type = (f16) -> (), kernel_spec = #nv_tileaa.kernel_spec<numWarps=4, clusterDim=[1,1,1]>, sym_name = "k0"}> ({
  ^bb0(%arg0: f16):
    %0 = "nv_tileaa.splat"() <{value = -2.551270e-02 : f16}> : () -> tensor<2x2xf16>
    %1 = "nv_tileaa.splat"(%arg0) : (f16) -> tensor<1x1xf16>
    %2 = "nv_tileaa.splat"(%arg0) : (f16) -> tensor<2x2xf16>
    %3 = "nv_tileaa.fma"(%0, %0, %2) <{rounding_mode = #nv_tileaa.rounding_mode<positive_inf>}> : (tensor<2x2xf16>, tensor<2x2xf16>, tensor<2x2xf16>) -> tensor<2x2xf16>
    "nv_tileaa.return"() : () -> ()
  }) : () -> ()
}
