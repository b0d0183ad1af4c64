cuda_tile.module @kernels {
  entry @k0(%arg0: tile<f16>) {
    %reshape = reshape %arg0 : tile<f16> -> tile<1xf16>
    %bcast = broadcast %reshape : tile<1xf16> -> tile<8xf16>
    %0 = subf %bcast, %bcast rounding<negative_inf> : tile<8xf16>
    return
  }
}
// becomes
module {
  "nv_tileaa.func"() <{function_type = (f16) -> (), kernel_spec = #nv_tileaa.kernel_spec<clusterDim=[1,1,1]>, sym_name = "k0"}> ({
  ^bb0(%arg0: f16):
    %0 = "nv_tileaa.splat"(%arg0) : (f16) -> tensor<1xf16>
    %1 = "nv_tileaa.splat"(%arg0) : (f16) -> tensor<8xf16>
    %2 = "nv_tileaa.subf"(%1, %1) <{rounding_mode = #nv_tileaa.rounding_mode<negative_inf>}> : (tensor<8xf16>, tensor<8xf16>) -> tensor<8xf16>
    "nv_tileaa.return"() : () -> ()
  }) : () -> ()
}

// -----

cuda_tile.module @kernels {
  entry @k0(%arg0: tile<bf16>) {
    %reshape = reshape %arg0 : tile<bf16> -> tile<1x1xbf16>
    %bcast = broadcast %reshape : tile<1x1xbf16> -> tile<2x16xbf16>
    %reshape_0 = reshape %bcast : tile<2x16xbf16> -> tile<32xbf16>
    %0 = subf %reshape_0, %reshape_0  : tile<32xbf16>
    return
  }
}
// becomes
module {
  "nv_tileaa.func"() <{function_type = (bf16) -> (), kernel_spec = #nv_tileaa.kernel_spec<clusterDim=[1,1,1]>, sym_name = "k0"}> ({
  ^bb0(%arg0: bf16):
    %0 = "nv_tileaa.splat"(%arg0) : (bf16) -> tensor<1x1xbf16>
    %1 = "nv_tileaa.splat"(%arg0) : (bf16) -> tensor<2x16xbf16>
    %2 = "nv_tileaa.view"(%1) : (tensor<2x16xbf16>) -> tensor<32xbf16>
    %3 = "nv_tileaa.subf"(%2, %2) <{rounding_mode = #nv_tileaa.rounding_mode<nearest_even>}> : (tensor<32xbf16>, tensor<32xbf16>) -> tensor<32xbf16>
    "nv_tileaa.return"() : () -> ()
  }) : () -> ()
}
