cuda_tile.module @kernels {
  entry @k0() {
    %cst_f16 = constant <f16: __elided__> : tile<4x8x1x1xf16>
    %0 = sqrt %cst_f16 rounding<negative_inf> : tile<4x8x1x1xf16>
    return
  }
}
// becomes
module {
  "nv_tileaa.func"() <{function_type = () -> (), kernel_spec = #nv_tileaa.kernel_spec<clusterDim=[1,1,1]>, sym_name = "k0"}> ({
    %cst = "nv_tileaa.constant_tensor"() <{value = dense_resource<__elided__> : tensor<4x8x1x1xf16>}> : () -> tensor<4x8x1x1xf16>
    %0 = "nv_tileaa.sqrt"(%cst) <{rounding_mode = #nv_tileaa.rounding_mode<negative_inf>}> : (tensor<4x8x1x1xf16>) -> tensor<4x8x1x1xf16>
    "nv_tileaa.return"() : () -> ()
  }) : () -> ()
}

// -----

cuda_tile.module @kernels {
  entry @k0() {
    %cst_bf16 = constant <bf16: __elided__> : tile<64xbf16>
    %0 = sqrt %cst_bf16 rounding<positive_inf> : tile<64xbf16>
    return
  }
}
// becomes
module {
  "nv_tileaa.func"() <{function_type = () -> (), kernel_spec = #nv_tileaa.kernel_spec<clusterDim=[1,1,1]>, sym_name = "k0"}> ({
    %cst = "nv_tileaa.constant_tensor"() <{value = dense_resource<__elided__> : tensor<64xbf16>}> : () -> tensor<64xbf16>
    %0 = "nv_tileaa.sqrt"(%cst) <{rounding_mode = #nv_tileaa.rounding_mode<positive_inf>}> : (tensor<64xbf16>) -> tensor<64xbf16>
    "nv_tileaa.return"() : () -> ()
  }) : () -> ()
}
