cuda_tile.module @kernels {
  entry @k0(%arg0: tile<f32>) {
    %reshape = reshape %arg0 : tile<f32> -> tile<1x1xf32>
    %bcast = broadcast %reshape : tile<1x1xf32> -> tile<1x2xf32>
    %0 = negf %bcast : tile<1x2xf32>
    return
  }
}
// becomes
module {
  "nv_tileaa.func"() <{function_type = (f32) -> (), kernel_spec = #nv_tileaa.kernel_spec<clusterDim=[1,1,1]>, sym_name = "k0"}> ({
  ^bb0(%arg0: f32):
    %0 = "nv_tileaa.splat"(%arg0) : (f32) -> tensor<1x1xf32>
    %1 = "nv_tileaa.splat"(%arg0) : (f32) -> tensor<1x2xf32>
    %2 = arith.negf %1 : tensor<1x2xf32>
    "nv_tileaa.return"() : () -> ()
  }) : () -> ()
}

// -----

cuda_tile.module @kernels {
  entry @k0() {
    %cst_bf16 = constant <bf16: __elided__> : tile<64xbf16>
    %0 = negf %cst_bf16 : tile<64xbf16>
    return
  }
}
// becomes
module {
  "nv_tileaa.func"() <{function_type = () -> (), kernel_spec = #nv_tileaa.kernel_spec<clusterDim=[1,1,1]>, sym_name = "k0"}> ({
    %cst = "nv_tileaa.constant_tensor"() <{value = dense_resource<__elided__> : tensor<64xbf16>}> : () -> tensor<64xbf16>
    %0 = arith.negf %cst : tensor<64xbf16>
    "nv_tileaa.return"() : () -> ()
  }) : () -> ()
}
