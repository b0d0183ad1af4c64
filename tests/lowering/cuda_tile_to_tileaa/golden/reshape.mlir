cuda_tile.module @kernels {
  entry @k0(%arg0: tile<bf16>) {
    %reshape = reshape %arg0 : tile<bf16> -> tile<1x1xbf16>
    %bcast = broadcast %reshape : tile<1x1xbf16> -> tile<1x16xbf16>
    %reshape_0 = reshape %bcast : tile<1x16xbf16> -> tile<8x1x2xbf16>
    return
  }
}
// becomes
module {
  "nv_tileaa.func"() <{function_type = (bf16) -> (), kernel_spec = #nv_tileaa.kernel_spec<clusterDim=[1,1,1]>, sym_name = "k0"}> ({
  ^bb0(%arg0: bf16):
    %0 = "nv_tileaa.splat"(%arg0) : (bf16) -> tensor<1x1xbf16>
    %1 = "nv_tileaa.splat"(%arg0) : (bf16) -> tensor<1x16xbf16>
    %2 = "nv_tileaa.view"(%1) : (tensor<1x16xbf16>) -> tensor<8x1x2xbf16>
    "nv_tileaa.return"() : () -> ()
  }) : () -> ()
}

// -----

cuda_tile.module @kernels {
  entry @k0() {
    %cst_137438953472_f8E8M0FNU = constant <f8E8M0FNU: 1.374390e+11> : tile<2x8xf8E8M0FNU>
    %reshape = reshape %cst_137438953472_f8E8M0FNU : tile<2x8xf8E8M0FNU> -> tile<2x4x1x2xf8E8M0FNU>
    return
  }
}
// becomes
module {
  "nv_tileaa.func"() <{function_type = () -> (), kernel_spec = #nv_tileaa.kernel_spec<clusterDim=[1,1,1]>, sym_name = "k0"}> ({
    %0 = "nv_tileaa.splat"() <{value = 1.374390e+11 : f8E8M0FNU}> : () -> tensor<2x8xf8E8M0FNU>
    %1 = "nv_tileaa.view"(%0) : (tensor<2x8xf8E8M0FNU>) -> tensor<2x4x1x2xf8E8M0FNU>
    "nv_tileaa.return"() : () -> ()
  }) : () -> ()
}
