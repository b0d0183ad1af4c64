cuda_tile.module @kernels {
  entry @k0(%arg0: tile<bf16>) {
    %reshape = reshape %arg0 : tile<bf16> -> tile<1x1xbf16>
    %bcast = broadcast %reshape : tile<1x1xbf16> -> tile<2x16xbf16>
    %reshape_0 = reshape %bcast : tile<2x16xbf16> -> tile<2x16xbf16>
    %0 = floor %reshape_0 : tile<2x16xbf16>
    return
  }
}
// becomes
module {
  "nv_tileaa.func"() <{function_type = (bf16) -> (), kernel_spec = #nv_tileaa.kernel_spec<clusterDim=[1,1,1]>, sym_name = "k0"}> ({
  ^bb0(%arg0: bf16):
    %0 = "nv_tileaa.splat"(%arg0) : (bf16) -> tensor<1x1xbf16>
    %1 = "nv_tileaa.splat"(%arg0) : (bf16) -> tensor<2x16xbf16>
    %2 = math.floor %1 : tensor<2x16xbf16>
    "nv_tileaa.return"() : () -> ()
  }) : () -> ()
}

// -----

cuda_tile.module @kernels {
  entry @k0() {
    %cst_f16 = constant <f16: 0xFC00> : tile<f16>
    %0 = floor %cst_f16 : tile<f16>
    return
  }
}
// becomes
module {
  "nv_tileaa.func"() <{function_type = () -> (), kernel_spec = #nv_tileaa.kernel_spec<clusterDim=[1,1,1]>, sym_name = "k0"}> ({
    %cst = arith.constant 0xFC00 : f16
    %0 = math.floor %cst : f16
    "nv_tileaa.return"() : () -> ()
  }) : () -> ()
}
