cuda_tile.module @kernels {
  entry @k0(%arg0: tile<ptr<f32>>) {
    %tview = make_tensor_view %arg0, shape = [1, 8, 4], strides = [32, 4, 1] : tensor_view<1x8x4xf32, strides=[32,4,1]>
    %pview = make_partition_view %tview : partition_view<tile=(2x8x4), padding_value = zero, tensor_view<1x8x4xf32, strides=[32,4,1]>>
    %cst_0_i32 = constant <i32: 0> : tile<i32>
    %cst_0_i32_0 = constant <i32: 0> : tile<i32>
    %cst_0_i32_1 = constant <i32: 0> : tile<i32>
    %tile, %result_token = load_view_tko weak %pview[%cst_0_i32, %cst_0_i32_0, %cst_0_i32_1] inbounds = [false, false, false] : partition_view<tile=(2x8x4), padding_value = zero, tensor_view<1x8x4xf32, strides=[32,4,1]>>, tile<i32> -> tile<2x8x4xf32>, token
    %0 = log2 %tile : tile<2x8x4xf32>
    return
  }
}
// becomes
module {
  "nv_tileaa.func"() <{function_type = (!nv_tileaa.ptr<f32, 1>) -> (), kernel_spec = #nv_tileaa.kernel_spec<clusterDim=[1,1,1]>, sym_name = "k0"}> ({
  ^bb0(%arg0: !nv_tileaa.ptr<f32, 1>):
    %0 = "nv_tileaa.make_memref"(%arg0) <{operandSegmentSizes = array<i32: 1, 0, 0, 0>}> : (!nv_tileaa.ptr<f32, 1>) -> !nv_tileaa.memref<1x8x4xf32, strides = [32, 4, 1]>
    %1 = "nv_tileaa.block_tile"(%0) <{dimGroups = [array<i64: 0>, array<i64: 1>, array<i64: 2>], tileSizes = array<i64: 2, 8, 4>}> : (!nv_tileaa.memref<1x8x4xf32, strides = [32, 4, 1]>) -> !nv_tileaa.tiled_view<!nv_tileaa.memref<1x8x4xf32, strides = [32, 4, 1]>, [2, 8, 4]>
    %c0_i32 = arith.constant 0 : i32
    %c0_i32_0 = arith.constant 0 : i32
    %c0_i32_1 = arith.constant 0 : i32
    %value, %token = "nv_tileaa.tiled_load"(%1, %c0_i32, %c0_i32_0, %c0_i32_1) <{cache_modifier = #nv_tileaa.cache_modifier<none>, eviction_policy = #nv_tileaa.eviction_policy<none>, in_bounds = array<i1: false, true, true>, mem_semantic = #nv_tileaa.mem_semantic<weak>, operandSegmentSizes = array<i32: 1, 3, 0>, padding_value = #nv_tileaa.padding_value<zero>}> : (!nv_tileaa.tiled_view<!nv_tileaa.memref<1x8x4xf32, strides = [32, 4, 1]>, [2, 8, 4]>, i32, i32, i32) -> (tensor<2x8x4xf32>, !nv_tileaa.mem_token)
    %2 = math.log2 %value : tensor<2x8x4xf32>
    "nv_tileaa.return"() : () -> ()
  }) : () -> ()
}

// -----

cuda_tile.module @kernels {
  entry @k0() {
    %cst_f32 = constant <f32: __elided__> : tile<1x16xf32>
    %reshape = reshape %cst_f32 : tile<1x16xf32> -> tile<2x2x1x4xf32>
    %0 = log2 %reshape : tile<2x2x1x4xf32>
    return
  }
}
// becomes
module {
  "nv_tileaa.func"() <{function_type = () -> (), kernel_spec = #nv_tileaa.kernel_spec<clusterDim=[1,1,1]>, sym_name = "k0"}> ({
    %cst = "nv_tileaa.constant_tensor"() <{value = dense_resource<__elided__> : tensor<1x16xf32>}> : () -> tensor<1x16xf32>
    %0 = "nv_tileaa.view"(%cst) : (tensor<1x16xf32>) -> tensor<2x2x1x4xf32>
    %1 = math.log2 %0 : tensor<2x2x1x4xf32>
    "nv_tileaa.return"() : () -> ()
  }) : () -> ()
}
