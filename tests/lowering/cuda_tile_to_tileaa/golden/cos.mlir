cuda_tile.module @kernels {
  entry @k0(%arg0: tile<bf16>) {
    %reshape = reshape %arg0 : tile<bf16> -> tile<1xbf16>
    %bcast = broadcast %reshape : tile<1xbf16> -> tile<2xbf16>
    %0 = cos %bcast : tile<2xbf16>
    return
  }
}
// becomes
module {
  "nv_tileaa.func"() <{function_type = (bf16) -> (), kernel_spec = #nv_tileaa.kernel_spec<clusterDim=[1,1,1]>, sym_name = "k0"}> ({
  ^bb0(%arg0: bf16):
    %0 = "nv_tileaa.splat"(%arg0) : (bf16) -> tensor<1xbf16>
    %1 = "nv_tileaa.splat"(%arg0) : (bf16) -> tensor<2xbf16>
    %2 = math.cos %1 : tensor<2xbf16>
    "nv_tileaa.return"() : () -> ()
  }) : () -> ()
}

// -----

cuda_tile.module @kernels {
  entry @k0() {
    %cst_bf16 = constant <bf16: 5.442420e-09> : tile<2x4x4x1xbf16>
    %0 = cos %cst_bf16 : tile<2x4x4x1xbf16>
    return
  }
}
// becomes
module {
  "nv_tileaa.func"() <{function_type = () -> (), kernel_spec = #nv_tileaa.kernel_spec<clusterDim=[1,1,1]>, sym_name = "k0"}> ({
    %0 = "nv_tileaa.splat"() <{value = 5.442420e-09 : bf16}> : () -> tensor<2x4x4x1xbf16>
    %1 = math.cos %0 : tensor<2x4x4x1xbf16>
    "nv_tileaa.return"() : () -> ()
  }) : () -> ()
}
