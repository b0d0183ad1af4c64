cuda_tile.module @kernels {
  entry @k0(%arg0: tile<bf16>) {
    %reshape = reshape %arg0 : tile<bf16> -> tile<1x1xbf16>
    %bcast = broadcast %reshape : tile<1x1xbf16> -> tile<8x4xbf16>
    %0 = cat %bcast, %bcast dim = 0 : tile<8x4xbf16>, tile<8x4xbf16> -> tile<16x4xbf16>
    %1 = exp2 %0 : tile<16x4xbf16>
    return
  }
}
// becomes
module {
  "nv_tileaa.func"() <{function_type = (bf16) -> (), kernel_spec = #nv_tileaa.kernel_spec<clusterDim=[1,1,1]>, sym_name = "k0"}> ({
  ^bb0(%arg0: bf16):
    %0 = "nv_tileaa.splat"(%arg0) : (bf16) -> tensor<1x1xbf16>
    %1 = "nv_tileaa.splat"(%arg0) : (bf16) -> tensor<8x4xbf16>
    %2 = "nv_tileaa.cat"(%1, %1) <{axis = 0 : i32}> : (tensor<8x4xbf16>, tensor<8x4xbf16>) -> tensor<16x4xbf16>
    %3 = "nv_tileaa.exp2"(%2) : (tensor<16x4xbf16>) -> tensor<16x4xbf16>
    "nv_tileaa.return"() : () -> ()
  }) : () -> ()
}

// -----

cuda_tile.module @kernels {
  entry @k0() {
    %cst_f16 = constant <f16: 1.907350e-05> : tile<1xf16>
    %0 = exp2 %cst_f16 : tile<1xf16>
    return
  }
}
// becomes
module {
  "nv_tileaa.func"() <{function_type = () -> (), kernel_spec = #nv_tileaa.kernel_spec<clusterDim=[1,1,1]>, sym_name = "k0"}> ({
    %0 = "nv_tileaa.splat"() <{value = 1.907350e-05 : f16}> : () -> tensor<1xf16>
    %1 = "nv_tileaa.exp2"(%0) : (tensor<1xf16>) -> tensor<1xf16>
    "nv_tileaa.return"() : () -> ()
  }) : () -> ()
}
