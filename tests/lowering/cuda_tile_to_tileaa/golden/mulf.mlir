cuda_tile.module @kernels {
  entry @k0(%arg0: tile<f16>) {
    %reshape = reshape %arg0 : tile<f16> -> tile<1x1x1x1xf16>
    %bcast = broadcast %reshape : tile<1x1x1x1xf16> -> tile<2x1x8x2xf16>
    %cst_f16 = constant <f16: 6.524660e-02> : tile<2x1x8x2xf16>
    %0 = mulf %bcast, %cst_f16 rounding<zero> : tile<2x1x8x2xf16>
    return
  }
}
// becomes
module {
  "nv_tileaa.func"() <{function_type = (f16) -> (), kernel_spec = #nv_tileaa.kernel_spec<clusterDim=[1,1,1]>, sym_name = "k0"}> ({
  ^bb0(%arg0: f16):
    %0 = "nv_tileaa.splat"(%arg0) : (f16) -> tensor<1x1x1x1xf16>
    %1 = "nv_tileaa.splat"(%arg0) : (f16) -> tensor<2x1x8x2xf16>
    %2 = "nv_tileaa.splat"() <{value = 6.524660e-02 : f16}> : () -> tensor<2x1x8x2xf16>
    %3 = "nv_tileaa.mulf"(%1, %2) <{rounding_mode = #nv_tileaa.rounding_mode<zero>}> : (tensor<2x1x8x2xf16>, tensor<2x1x8x2xf16>) -> tensor<2x1x8x2xf16>
    "nv_tileaa.return"() : () -> ()
  }) : () -> ()
}

// -----

cuda_tile.module @kernels {
  entry @k0(%arg0: tile<ptr<f32>>) {
    %cst_f32 = constant <f32: -1.17549449E-38> : tile<2x32xf32>
    %tview = make_tensor_view %arg0, shape = [1, 31], strides = [32, 1] : tensor_view<1x31xf32, strides=[32,1]>
    %pview = make_partition_view %tview : partition_view<tile=(2x32), padding_value = zero, tensor_view<1x31xf32, strides=[32,1]>>
    %cst_0_i32 = constant <i32: 0> : tile<i32>
    %cst_0_i32_0 = constant <i32: 0> : tile<i32>
    %tile, %result_token = load_view_tko weak %pview[%cst_0_i32, %cst_0_i32_0] inbounds = [false, false] : partition_view<tile=(2x32), padding_value = zero, tensor_view<1x31xf32, strides=[32,1]>>, tile<i32> -> tile<2x32xf32>, token
    %0 = permute %tile [0, 1] : tile<2x32xf32> -> tile<2x32xf32>
    %1 = mulf %cst_f32, %0 rounding<negative_inf> : tile<2x32xf32>
    return
  }
}
// becomes
module {
  "nv_tileaa.func"() <{function_type = (!nv_tileaa.ptr<f32, 1>) -> (), kernel_spec = #nv_tileaa.kernel_spec<clusterDim=[1,1,1]>, sym_name = "k0"}> ({
  ^bb0(%arg0: !nv_tileaa.ptr<f32, 1>):
    %0 = "nv_tileaa.splat"() <{value = -1.17549449E-38 : f32}> : () -> tensor<2x32xf32>
    %1 = "nv_tileaa.make_memref"(%arg0) <{operandSegmentSizes = array<i32: 1, 0, 0, 0>}> : (!nv_tileaa.ptr<f32, 1>) -> !nv_tileaa.memref<1x31xf32, strides = [32, 1]>
    %2 = "nv_tileaa.block_tile"(%1) <{dimGroups = [array<i64: 0>, array<i64: 1>], tileSizes = array<i64: 2, 32>}> : (!nv_tileaa.memref<1x31xf32, strides = [32, 1]>) -> !nv_tileaa.tiled_view<!nv_tileaa.memref<1x31xf32, strides = [32, 1]>, [2, 32]>
    %c0_i32 = arith.constant 0 : i32
    %c0_i32_0 = arith.constant 0 : i32
    %value, %token = "nv_tileaa.tiled_load"(%2, %c0_i32, %c0_i32_0) <{cache_modifier = #nv_tileaa.cache_modifier<none>, eviction_policy = #nv_tileaa.eviction_policy<none>, in_bounds = array<i1: false, false>, mem_semantic = #nv_tileaa.mem_semantic<weak>, operandSegmentSizes = array<i32: 1, 2, 0>, padding_value = #nv_tileaa.padding_value<zero>}> : (!nv_tileaa.tiled_view<!nv_tileaa.memref<1x31xf32, strides = [32, 1]>, [2, 32]>, i32, i32) -> (tensor<2x32xf32>, !nv_tileaa.mem_token)
    %3 = "nv_tileaa.permute"(%value) <{permutation = array<i64: 0, 1>}> : (tensor<2x32xf32>) -> tensor<2x32xf32>
    %4 = "nv_tileaa.mulf"(%0, %3) <{rounding_mode = #nv_tileaa.rounding_mode<negative_inf>}> : (tensor<2x32xf32>, tensor<2x32xf32>) -> tensor<2x32xf32>
    "nv_tileaa.return"() : () -> ()
  }) : () -> ()
}
