cuda_tile.module @kernels {
  entry @k0(%arg0: tile<f16>) {
    %reshape = reshape %arg0 : tile<f16> -> tile<1x1x1x1xf16>
    %bcast = broadcast %reshape : tile<1x1x1x1xf16> -> tile<2x1x8x2xf16>
    %cst_f16 = constant <f16: 1.553540e-03> : tile<2x1x8x2xf16>
    %0 = mulf %bcast, %cst_f16 rounding<zero> : tile<2x1x8x2xf16>
    return
  }
}
// becomes
module {
  "nv_tileaa.func"() <{function_type = (f16) -> (), kernel_spec = #nv_tileaa.kernel_spec<numWarps=4, clusterDim=[1,1,1]>, sym_name = "k0"}> ({
  ^bb0(%arg0: f16):
    %0 = "nv_tileaa.splat"(%arg0) : (f16) -> tensor<1x1x1x1xf16>
    %1 = "nv_tileaa.splat"(%arg0) : (f16) -> tensor<2x1x8x2xf16>
    %2 = "nv_tileaa.splat"() <{value = 1.553540e-03 : f16}> : () -> tensor<2x1x8x2xf16>
    %3 = "nv_tileaa.mulf"(%1, %2) <{rounding_mode = #nv_tileaa.rounding_mode<zero>}> : (tensor<2x1x8x2xf16>, tensor<2x1x8x2xf16>) -> tensor<2x1x8x2xf16>
    "nv_tileaa.return"() : () -> ()
  }) : () -> ()
}

// -----

cuda_tile.module @kernels {
  entry @k0() {
    %cst_f32 = constant <f32: -4.18334841E-32> : tile<2x32xf32>
    %0 = mulf %cst_f32, %cst_f32 rounding<negative_inf> : tile<2x32xf32>
    return
  }
}
// becomes
module {
  "nv_tileaa.func"() <{function_type = () -> (), kernel_spec = #nv_tileaa.kernel_spec<numWarps=4, clusterDim=[1,1,1]>, sym_name = "k0"}> ({
    %0 = "nv_tileaa.splat"() <{value = -4.18334841E-32 : f32}> : () -> tensor<2x32xf32>
    %1 = "nv_tileaa.mulf"(%0, %0) <{rounding_mode = #nv_tileaa.rounding_mode<negative_inf>}> : (tensor<2x32xf32>, tensor<2x32xf32>) -> tensor<2x32xf32>
    "nv_tileaa.return"() : () -> ()
  }) : () -> ()
}
