cuda_tile.module @kernels {
  entry @k0(%arg0: tile<ptr<i32, <unicast>>>, %arg1: tile<ptr<i32>>) {
    %cst_1_i32 = constant <i32: 1> : tile<i32>
    %cst_59_i32 = constant <i32: 59> : tile<i32>
    %tview = make_tensor_view %arg0, shape = [%cst_1_i32], strides = [%cst_59_i32] : tile<ptr<i32, <unicast>>>, tile<i32> -> tensor_view<?xi32, strides=[?], #cuda_tile.ptr_attr<unicast>>
    %sview = make_strided_view %tview : strided_view<tile=(4), traversal_strides=[6], tensor_view<?xi32, strides=[?], #cuda_tile.ptr_attr<unicast>>>
    %cst_0_i32 = constant <i32: 0> : tile<i32>
    %tview_0 = make_tensor_view %arg1, shape = [2], strides = [1] : tensor_view<2xi32, strides=[1]>
    %pview = make_partition_view %tview_0 : partition_view<tile=(2), padding_value = zero, tensor_view<2xi32, strides=[1]>>
    %cst_0_i32_1 = constant <i32: 0> : tile<i32>
    %tile, %result_token = load_view_tko weak %pview[%cst_0_i32_1] inbounds = [false] : partition_view<tile=(2), padding_value = zero, tensor_view<2xi32, strides=[1]>>, tile<i32> -> tile<2xi32>, token
    %0 = cat %tile, %tile dim = 0 : tile<2xi32>, tile<2xi32> -> tile<4xi32>
    %1 = atomic_red_view_tko relaxed device %sview[%cst_0_i32], umin, %0 token = %result_token : tile<4xi32>, strided_view<tile=(4), traversal_strides=[6], tensor_view<?xi32, strides=[?], #cuda_tile.ptr_attr<unicast>>>, tile<i32> -> token
    return
  }
}
// becomes
module {
  "nv_tileaa.func"() <{function_type = (!nv_tileaa.ptr<i32, 1>, !nv_tileaa.ptr<i32, 1>) -> (), kernel_spec = #nv_tileaa.kernel_spec<clusterDim=[1,1,1]>, sym_name = "k0"}> ({
  ^bb0(%arg0: !nv_tileaa.ptr<i32, 1>, %arg1: !nv_tileaa.ptr<i32, 1>):
    %c1_i32 = arith.constant 1 : i32
    %c59_i32 = arith.constant 59 : i32
    %0 = "nv_tileaa.make_memref"(%arg0, %c1_i32, %c59_i32) <{operandSegmentSizes = array<i32: 1, 0, 1, 1>}> : (!nv_tileaa.ptr<i32, 1>, i32, i32) -> !nv_tileaa.memref<?xi32, strides = [?]>
    %c0_i32 = arith.constant 0 : i32
    %1 = "nv_tileaa.make_memref"(%arg1) <{operandSegmentSizes = array<i32: 1, 0, 0, 0>}> : (!nv_tileaa.ptr<i32, 1>) -> !nv_tileaa.memref<2xi32, strides = [1]>
    %2 = "nv_tileaa.block_tile"(%1) <{dimGroups = [array<i64: 0>], tileSizes = array<i64: 2>}> : (!nv_tileaa.memref<2xi32, strides = [1]>) -> !nv_tileaa.tiled_view<!nv_tileaa.memref<2xi32, strides = [1]>, [2]>
    %c0_i32_0 = arith.constant 0 : i32
    %value, %token = "nv_tileaa.tiled_load"(%2, %c0_i32_0) <{cache_modifier = #nv_tileaa.cache_modifier<none>, eviction_policy = #nv_tileaa.eviction_policy<none>, mem_semantic = #nv_tileaa.mem_semantic<weak>, operandSegmentSizes = array<i32: 1, 1, 0>}> : (!nv_tileaa.tiled_view<!nv_tileaa.memref<2xi32, strides = [1]>, [2]>, i32) -> (tensor<2xi32>, !nv_tileaa.mem_token)
    %3 = "nv_tileaa.cat"(%value, %value) <{axis = 0 : i32}> : (tensor<2xi32>, tensor<2xi32>) -> tensor<4xi32>
    %4 = arith.extsi %c0_i32 : i32 to i64
    %c6_i64 = arith.constant 6 : i64
    %5 = arith.muli %4, %c6_i64 : i64
    %6 = arith.extsi %c59_i32 : i32 to i64
    %7 = arith.muli %5, %6 : i64
    %8 = "nv_tileaa.addptr"(%arg0, %7) : (!nv_tileaa.ptr<i32, 1>, i64) -> !nv_tileaa.ptr<i32, 1>
    %9 = arith.extsi %c1_i32 : i32 to i64
    %10 = arith.minui %5, %9 : i64
    %11 = arith.subi %9, %10 : i64
    %12 = "nv_tileaa.make_memref"(%8, %11, %c59_i32) <{operandSegmentSizes = array<i32: 1, 0, 1, 1>}> : (!nv_tileaa.ptr<i32, 1>, i64, i32) -> !nv_tileaa.memref<?xi32, strides = [?]>
    %c0_i64 = arith.constant 0 : i64
    %13 = "nv_tileaa.block_tile"(%12) <{dimGroups = [array<i64: 0>], tileSizes = array<i64: 4>}> : (!nv_tileaa.memref<?xi32, strides = [?]>) -> !nv_tileaa.tiled_view<!nv_tileaa.memref<?xi32, strides = [?]>, [4]>
    %old, %token_1 = "nv_tileaa.tiled_atomic_rmw"(%13, %3, %c0_i64, %token) <{in_bounds = array<i1: false>, mem_scope = #nv_tileaa.mem_scope<gpu>, mem_semantic = #nv_tileaa.mem_semantic<relaxed>, operandSegmentSizes = array<i32: 1, 1, 1, 1>, rmw_mode = #nv_tileaa.rmw_mode<umin>}> : (!nv_tileaa.tiled_view<!nv_tileaa.memref<?xi32, strides = [?]>, [4]>, tensor<4xi32>, i64, !nv_tileaa.mem_token) -> (tensor<4xi32>, !nv_tileaa.mem_token)
    "nv_tileaa.return"() : () -> ()
  }) : () -> ()
}

// -----

cuda_tile.module @kernels {
  entry @k0(%arg0: tile<ptr<i64>>) {
    %true = constant <i1: true> : tile<i1>
    %true_0 = constant <i1: true> : tile<i1>
    %tview = make_tensor_view %arg0, shape = [%true], strides = [%true_0] : tile<i1> -> tensor_view<?xi64, strides=[?]>
    %sview = make_strided_view %tview : strided_view<tile=(2), traversal_strides=[1], tensor_view<?xi64, strides=[?]>>
    %false = constant <i1: false> : tile<i1>
    %cst_i64 = constant <i64: [[-8259814402896398860], [6758318058633826174]]> : tile<2x1xi64>
    %reshape = reshape %cst_i64 : tile<2x1xi64> -> tile<2xi64>
    %0 = make_token : token
    %1 = atomic_red_view_tko relaxed device %sview[%false], umin, %reshape token = %0 inbounds = [false] : tile<2xi64>, strided_view<tile=(2), traversal_strides=[1], tensor_view<?xi64, strides=[?]>>, tile<i1> -> token
    return
  }
}
// becomes
module {
  "nv_tileaa.func"() <{function_type = (!nv_tileaa.ptr<i64, 1>) -> (), kernel_spec = #nv_tileaa.kernel_spec<clusterDim=[1,1,1]>, sym_name = "k0"}> ({
  ^bb0(%arg0: !nv_tileaa.ptr<i64, 1>):
    %true = arith.constant true
    %true_0 = arith.constant true
    %0 = arith.extui %true : i1 to i32
    %1 = arith.extui %true_0 : i1 to i32
    %2 = "nv_tileaa.make_memref"(%arg0, %0, %1) <{operandSegmentSizes = array<i32: 1, 0, 1, 1>}> : (!nv_tileaa.ptr<i64, 1>, i32, i32) -> !nv_tileaa.memref<?xi64, strides = [?]>
    %false = arith.constant false
    %cst = "nv_tileaa.constant_tensor"() <{value = dense<[[-8259814402896398860], [6758318058633826174]]> : tensor<2x1xi64>}> : () -> tensor<2x1xi64>
    %3 = "nv_tileaa.view"(%cst) : (tensor<2x1xi64>) -> tensor<2xi64>
    %4 = "nv_tileaa.create_mem_token"() : () -> !nv_tileaa.mem_token
    %5 = arith.extui %false : i1 to i32
    %6 = arith.extsi %5 : i32 to i64
    %7 = arith.extsi %1 : i32 to i64
    %8 = arith.muli %6, %7 : i64
    %9 = "nv_tileaa.addptr"(%arg0, %8) : (!nv_tileaa.ptr<i64, 1>, i64) -> !nv_tileaa.ptr<i64, 1>
    %10 = arith.extsi %0 : i32 to i64
    %11 = arith.minui %6, %10 : i64
    %12 = arith.subi %10, %11 : i64
    %13 = "nv_tileaa.make_memref"(%9, %12, %1) <{operandSegmentSizes = array<i32: 1, 0, 1, 1>}> : (!nv_tileaa.ptr<i64, 1>, i64, i32) -> !nv_tileaa.memref<?xi64, strides = [?]>
    %c0_i64 = arith.constant 0 : i64
    %14 = "nv_tileaa.block_tile"(%13) <{dimGroups = [array<i64: 0>], tileSizes = array<i64: 2>}> : (!nv_tileaa.memref<?xi64, strides = [?]>) -> !nv_tileaa.tiled_view<!nv_tileaa.memref<?xi64, strides = [?]>, [2]>
    %old, %token = "nv_tileaa.tiled_atomic_rmw"(%14, %3, %c0_i64, %4) <{in_bounds = array<i1: false>, mem_scope = #nv_tileaa.mem_scope<gpu>, mem_semantic = #nv_tileaa.mem_semantic<relaxed>, operandSegmentSizes = array<i32: 1, 1, 1, 1>, rmw_mode = #nv_tileaa.rmw_mode<umin>}> : (!nv_tileaa.tiled_view<!nv_tileaa.memref<?xi64, strides = [?]>, [2]>, tensor<2xi64>, i64, !nv_tileaa.mem_token) -> (tensor<2xi64>, !nv_tileaa.mem_token)
    "nv_tileaa.return"() : () -> ()
  }) : () -> ()
}
