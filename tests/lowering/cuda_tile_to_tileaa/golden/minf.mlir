cuda_tile.module @kernels {
  entry @k0() {
    %cst_NaN_bf16 = constant <bf16: 0x7FC1> : tile<16x1xbf16>
    %0 = minf %cst_NaN_bf16, %cst_NaN_bf16 : tile<16x1xbf16>
    return
  }
}
// becomes
module {
  "nv_tileaa.func"() <{function_type = () -> (), kernel_spec = #nv_tileaa.kernel_spec<clusterDim=[1,1,1]>, sym_name = "k0"}> ({
    %0 = "nv_tileaa.splat"() <{value = 0x7FC1 : bf16}> : () -> tensor<16x1xbf16>
    %1 = arith.minnumf %0, %0 : tensor<16x1xbf16>
    "nv_tileaa.return"() : () -> ()
  }) : () -> ()
}

// -----

cuda_tile.module @kernels {
  entry @k0(%arg0: tile<f32>) {
    %cst_f32 = constant <f32: -1.14073215E-23> : tile<1x16xf32>
    %reshape = reshape %arg0 : tile<f32> -> tile<1x1xf32>
    %bcast = broadcast %reshape : tile<1x1xf32> -> tile<1x16xf32>
    %0 = minf %cst_f32, %bcast : tile<1x16xf32>
    return
  }
}
// becomes
module {
  "nv_tileaa.func"() <{function_type = (f32) -> (), kernel_spec = #nv_tileaa.kernel_spec<clusterDim=[1,1,1]>, sym_name = "k0"}> ({
  ^bb0(%arg0: f32):
    %0 = "nv_tileaa.splat"() <{value = -1.14073215E-23 : f32}> : () -> tensor<1x16xf32>
    %1 = "nv_tileaa.splat"(%arg0) : (f32) -> tensor<1x1xf32>
    %2 = "nv_tileaa.splat"(%arg0) : (f32) -> tensor<1x16xf32>
    %3 = arith.minnumf %0, %2 : tensor<1x16xf32>
    "nv_tileaa.return"() : () -> ()
  }) : () -> ()
}
