cuda_tile.module @kernels {
  entry @k0() {
    %cst_bf16 = constant <bf16: -6.108010e+16> : tile<2x16x1x1xbf16>
    %0 = atan2 %cst_bf16, %cst_bf16 : tile<2x16x1x1xbf16>
    return
  }
}
// becomes
module {
  "nv_tileaa.func"() <{function_type = () -> (), kernel_spec = #nv_tileaa.kernel_spec<numWarps=4, clusterDim=[1,1,1]>, sym_name = "k0"}> ({
    %0 = "nv_tileaa.splat"() <{value = -6.108010e+16 : bf16}> : () -> tensor<2x16x1x1xbf16>
    %1 = math.atan2 %0, %0 : tensor<2x16x1x1xbf16>
    "nv_tileaa.return"() : () -> ()
  }) : () -> ()
}

// -----

cuda_tile.module @kernels {
  entry @k0(%arg0: tile<bf16>) {
    %reshape = reshape %arg0 : tile<bf16> -> tile<1x1x1x1xbf16>
    %bcast = broadcast %reshape : tile<1x1x1x1xbf16> -> tile<4x2x2x2xbf16>
    %0 = atan2 %bcast, %bcast : tile<4x2x2x2xbf16>
    return
  }
}
// becomes
module {
  "nv_tileaa.func"() <{function_type = (bf16) -> (), kernel_spec = #nv_tileaa.kernel_spec<numWarps=4, clusterDim=[1,1,1]>, sym_name = "k0"}> ({
  ^bb0(%arg0: bf16):
    %0 = "nv_tileaa.splat"(%arg0) : (bf16) -> tensor<1x1x1x1xbf16>
    %1 = "nv_tileaa.splat"(%arg0) : (bf16) -> tensor<4x2x2x2xbf16>
    %2 = math.atan2 %1, %1 : tensor<4x2x2x2xbf16>
    "nv_tileaa.return"() : () -> ()
  }) : () -> ()
}
