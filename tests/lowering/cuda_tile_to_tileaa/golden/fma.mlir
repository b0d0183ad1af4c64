cuda_tile.module @kernels {
  entry @k0(%arg0: tile<bf16>) {
    %cst_bf16 = constant <bf16: [[-1.994730e+26, 6.444750e-07, 1.547300e+36, -5.332630e+13, -3.674940e+18, 1.719160e-37, 7.645040e+11, 9.015200e-07]]> : tile<1x8xbf16>
    %reshape = reshape %arg0 : tile<bf16> -> tile<1x1xbf16>
    %bcast = broadcast %reshape : tile<1x1xbf16> -> tile<1x8xbf16>
    %0 = fma %cst_bf16, %bcast, %cst_bf16 rounding<negative_inf> : tile<1x8xbf16>
    return
  }
}
// becomes
module {
  "nv_tileaa.func"() <{function_type = (bf16) -> (), kernel_spec = #nv_tileaa.kernel_spec<clusterDim=[1,1,1]>, sym_name = "k0"}> ({
  ^bb0(%arg0: bf16):
    %cst = "nv_tileaa.constant_tensor"() <{value = dense<[[-1.994730e+26, 6.444750e-07, 1.547300e+36, -5.332630e+13, -3.674940e+18, 1.719160e-37, 7.645040e+11, 9.015200e-07]]> : tensor<1x8xbf16>}> : () -> tensor<1x8xbf16>
    %0 = "nv_tileaa.splat"(%arg0) : (bf16) -> tensor<1x1xbf16>
    %1 = "nv_tileaa.splat"(%arg0) : (bf16) -> tensor<1x8xbf16>
    %2 = "nv_tileaa.fma"(%cst, %1, %cst) <{rounding_mode = #nv_tileaa.rounding_mode<negative_inf>}> : (tensor<1x8xbf16>, tensor<1x8xbf16>, tensor<1x8xbf16>) -> tensor<1x8xbf16>
    "nv_tileaa.return"() : () -> ()
  }) : () -> ()
}

// -----

cuda_tile.module @kernels {
  entry @k0() {
    %cst_f16 = constant <f16: -1.829860e-04> : tile<2x2xf16>
    %0 = fma %cst_f16, %cst_f16, %cst_f16 rounding<positive_inf> : tile<2x2xf16>
    return
  }
}
// becomes
module {
  "nv_tileaa.func"() <{function_type = () -> (), kernel_spec = #nv_tileaa.kernel_spec<clusterDim=[1,1,1]>, sym_name = "k0"}> ({
    %0 = "nv_tileaa.splat"() <{value = -1.829860e-04 : f16}> : () -> tensor<2x2xf16>
    %1 = "nv_tileaa.fma"(%0, %0, %0) <{rounding_mode = #nv_tileaa.rounding_mode<positive_inf>}> : (tensor<2x2xf16>, tensor<2x2xf16>, tensor<2x2xf16>) -> tensor<2x2xf16>
    "nv_tileaa.return"() : () -> ()
  }) : () -> ()
}
