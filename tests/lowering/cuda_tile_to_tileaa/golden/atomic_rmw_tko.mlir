cuda_tile.module @kernels {
  entry @k0(%arg0: tile<i1>, %arg1: tile<ptr<i64, <none>>>) {
    %reshape = reshape %arg0 : tile<i1> -> tile<1xi1>
    %reshape_0 = reshape %arg1 : tile<ptr<i64, <none>>> -> tile<1xptr<i64, <none>>>
    %cst_24_i32 = constant <i32: 24> : tile<1xi32>
    %0 = offset %reshape_0, %cst_24_i32 : tile<1xptr<i64, <none>>>, tile<1xi32> -> tile<1xptr<i64, <none>>>
    %cst_-9223372036854775807_i64 = constant <i64: -9223372036854775807> : tile<1xi64>
    %1 = make_token : token
    %result, %result_token = atomic_rmw_tko relaxed tl_blk %0, min, %cst_-9223372036854775807_i64, %reshape token=%1 : tile<1xptr<i64, <none>>>, tile<1xi64>, tile<1xi1> -> tile<1xi64>, token
    return
  }
}
// becomes
module {
  "nv_tileaa.func"() <{function_type = (i1, !nv_tileaa.ptr<i64, 1>) -> (), kernel_spec = #nv_tileaa.kernel_spec<clusterDim=[1,1,1]>, sym_name = "k0"}> ({
  ^bb0(%arg0: i1, %arg1: !nv_tileaa.ptr<i64, 1>):
    %0 = "nv_tileaa.splat"(%arg0) : (i1) -> tensor<1xi1>
    %1 = "nv_tileaa.splat"(%arg1) : (!nv_tileaa.ptr<i64, 1>) -> tensor<1x!nv_tileaa.ptr<i64, 1>>
    %2 = "nv_tileaa.splat"() <{value = 24 : i32}> : () -> tensor<1xi32>
    %3 = "nv_tileaa.addptr"(%1, %2) : (tensor<1x!nv_tileaa.ptr<i64, 1>>, tensor<1xi32>) -> tensor<1x!nv_tileaa.ptr<i64, 1>>
    %4 = "nv_tileaa.splat"() <{value = -9223372036854775807 : i64}> : () -> tensor<1xi64>
    %5 = "nv_tileaa.create_mem_token"() : () -> !nv_tileaa.mem_token
    %old, %token = "nv_tileaa.atomic_rmw"(%3, %4, %0, %5) <{mem_scope = #nv_tileaa.mem_scope<tl_blk>, mem_semantic = #nv_tileaa.mem_semantic<relaxed>, operandSegmentSizes = array<i32: 1, 1, 0, 1, 1>, rmw_mode = #nv_tileaa.rmw_mode<min>}> : (tensor<1x!nv_tileaa.ptr<i64, 1>>, tensor<1xi64>, tensor<1xi1>, !nv_tileaa.mem_token) -> (tensor<1xi64>, !nv_tileaa.mem_token)
    "nv_tileaa.return"() : () -> ()
  }) : () -> ()
}

// -----

cuda_tile.module @kernels {
  entry @k0(%arg0: tile<ptr<i32>>, %arg1: tile<ptr<i32>>) {
    %reshape = reshape %arg0 : tile<ptr<i32>> -> tile<1x1xptr<i32>>
    %bcast = broadcast %reshape : tile<1x1xptr<i32>> -> tile<8x2xptr<i32>>
    %cst_61_i8 = constant <i8: 61> : tile<8x2xi8>
    %0 = offset %bcast, %cst_61_i8 : tile<8x2xptr<i32>>, tile<8x2xi8> -> tile<8x2xptr<i32>>
    %1 = permute %0 [1, 0] : tile<8x2xptr<i32>> -> tile<2x8xptr<i32>>
    %tview = make_tensor_view %arg1, shape = [2, 7], strides = [8, 1] : tensor_view<2x7xi32, strides=[8,1]>
    %pview = make_partition_view %tview : partition_view<tile=(2x8), padding_value = zero, tensor_view<2x7xi32, strides=[8,1]>>
    %cst_0_i32 = constant <i32: 0> : tile<i32>
    %cst_0_i32_0 = constant <i32: 0> : tile<i32>
    %tile, %result_token = load_view_tko weak %pview[%cst_0_i32, %cst_0_i32_0] inbounds = [false, false] : partition_view<tile=(2x8), padding_value = zero, tensor_view<2x7xi32, strides=[8,1]>>, tile<i32> -> tile<2x8xi32>, token
    %2 = make_token : token
    %result, %result_token_1 = atomic_rmw_tko acquire tl_blk %1, or, %tile token=%2 : tile<2x8xptr<i32>>, tile<2x8xi32> -> tile<2x8xi32>, token
    return
  }
}
// becomes
module {
  "nv_tileaa.func"() <{function_type = (!nv_tileaa.ptr<i32, 1>, !nv_tileaa.ptr<i32, 1>) -> (), kernel_spec = #nv_tileaa.kernel_spec<clusterDim=[1,1,1]>, sym_name = "k0"}> ({
  ^bb0(%arg0: !nv_tileaa.ptr<i32, 1>, %arg1: !nv_tileaa.ptr<i32, 1>):
    %0 = "nv_tileaa.splat"(%arg0) : (!nv_tileaa.ptr<i32, 1>) -> tensor<1x1x!nv_tileaa.ptr<i32, 1>>
    %1 = "nv_tileaa.splat"(%arg0) : (!nv_tileaa.ptr<i32, 1>) -> tensor<8x2x!nv_tileaa.ptr<i32, 1>>
    %2 = "nv_tileaa.splat"() <{value = 61 : i8}> : () -> tensor<8x2xi8>
    %3 = "nv_tileaa.addptr"(%1, %2) : (tensor<8x2x!nv_tileaa.ptr<i32, 1>>, tensor<8x2xi8>) -> tensor<8x2x!nv_tileaa.ptr<i32, 1>>
    %4 = "nv_tileaa.permute"(%3) <{permutation = array<i64: 1, 0>}> : (tensor<8x2x!nv_tileaa.ptr<i32, 1>>) -> tensor<2x8x!nv_tileaa.ptr<i32, 1>>
    %5 = "nv_tileaa.make_memref"(%arg1) <{operandSegmentSizes = array<i32: 1, 0, 0, 0>}> : (!nv_tileaa.ptr<i32, 1>) -> !nv_tileaa.memref<2x7xi32, strides = [8, 1]>
    %6 = "nv_tileaa.block_tile"(%5) <{dimGroups = [array<i64: 0>, array<i64: 1>], tileSizes = array<i64: 2, 8>}> : (!nv_tileaa.memref<2x7xi32, strides = [8, 1]>) -> !nv_tileaa.tiled_view<!nv_tileaa.memref<2x7xi32, strides = [8, 1]>, [2, 8]>
    %c0_i32 = arith.constant 0 : i32
    %c0_i32_0 = arith.constant 0 : i32
    %value, %token = "nv_tileaa.tiled_load"(%6, %c0_i32, %c0_i32_0) <{cache_modifier = #nv_tileaa.cache_modifier<none>, eviction_policy = #nv_tileaa.eviction_policy<none>, in_bounds = array<i1: true, false>, mem_semantic = #nv_tileaa.mem_semantic<weak>, operandSegmentSizes = array<i32: 1, 2, 0>, padding_value = #nv_tileaa.padding_value<zero>}> : (!nv_tileaa.tiled_view<!nv_tileaa.memref<2x7xi32, strides = [8, 1]>, [2, 8]>, i32, i32) -> (tensor<2x8xi32>, !nv_tileaa.mem_token)
    %7 = "nv_tileaa.create_mem_token"() : () -> !nv_tileaa.mem_token
    %old, %token_1 = "nv_tileaa.atomic_rmw"(%4, %value, %7) <{mem_scope = #nv_tileaa.mem_scope<tl_blk>, mem_semantic = #nv_tileaa.mem_semantic<acquire>, operandSegmentSizes = array<i32: 1, 1, 0, 0, 1>, rmw_mode = #nv_tileaa.rmw_mode<or>}> : (tensor<2x8x!nv_tileaa.ptr<i32, 1>>, tensor<2x8xi32>, !nv_tileaa.mem_token) -> (tensor<2x8xi32>, !nv_tileaa.mem_token)
    "nv_tileaa.return"() : () -> ()
  }) : () -> ()
}
