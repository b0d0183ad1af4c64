cuda_tile.module @kernels {
  entry @k0() {
    %cst_f16 = constant <f16: -2.328870e-03> : tile<4x8x1x1xf16>
    %0 = sqrt %cst_f16 rounding<negative_inf> : tile<4x8x1x1xf16>
    return
  }
}
// becomes
module {
  "nv_tileaa.func"() <{function_type = () -> (), kernel_spec = #nv_tileaa.kernel_spec<numWarps=4, clusterDim=[1,1,1]>, sym_name = "k0"}> ({
    %0 = "nv_tileaa.splat"() <{value = -2.328870e-03 : f16}> : () -> tensor<4x8x1x1xf16>
    %1 = "nv_tileaa.sqrt"(%0) <{rounding_mode = #nv_tileaa.rounding_mode<negative_inf>}> : (tensor<4x8x1x1xf16>) -> tensor<4x8x1x1xf16>
    "nv_tileaa.return"() : () -> ()
  }) : () -> ()
}

// -----

cuda_tile.module @kernels {
  entry @k0() {
    %cst_bf16 = constant <bf16: 3.777890e+24> : tile<64xbf16>
    %0 = sqrt %cst_bf16 rounding<positive_inf> : tile<64xbf16>
    return
  }
}
// becomes
module {
  "nv_tileaa.func"() <{function_type = () -> (), kernel_spec = #nv_tileaa.kernel_spec<numWarps=4, clusterDim=[1,1,1]>, sym_name = "k0"}> ({
    %0 = "nv_tileaa.splat"() <{value = 3.777890e+24 : bf16}> : () -> tensor<64xbf16>
    %1 = "nv_tileaa.sqrt"(%0) <{rounding_mode = #nv_tileaa.rounding_mode<positive_inf>}> : (tensor<64xbf16>) -> tensor<64xbf16>
    "nv_tileaa.return"() : () -> ()
  }) : () -> ()
}
