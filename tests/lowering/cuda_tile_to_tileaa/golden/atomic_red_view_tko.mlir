cuda_tile.module @kernels {
  entry @k0(%arg0: tile<ptr<i32, <unicast>>>) {
    %cst_1_i32 = constant <i32: 1> : tile<i32>
    %cst_59_i32 = constant <i32: 59> : tile<i32>
    %tview = make_tensor_view %arg0, shape = [%cst_1_i32], strides = [%cst_59_i32] : tile<ptr<i32, <unicast>>>, tile<i32> -> tensor_view<?xi32, strides=[?], #cuda_tile.ptr_attr<unicast>>
    %sview = make_strided_view %tview : strided_view<tile=(4), traversal_strides=[6], tensor_view<?xi32, strides=[?], #cuda_tile.ptr_attr<unicast>>>
    %cst_0_i32 = constant <i32: 0> : tile<i32>
    %cst_-750313948_i32 = constant <i32: -750313948> : tile<4xi32>
    %0 = make_token : token
    %1 = atomic_red_view_tko relaxed device %sview[%cst_0_i32], umin, %cst_-750313948_i32 token = %0 : tile<4xi32>, strided_view<tile=(4), traversal_strides=[6], tensor_view<?xi32, strides=[?], #cuda_tile.ptr_attr<unicast>>>, tile<i32> -> token
    return
  }
}
// becomes
module {
  "nv_tileaa.func"() <{function_type = (!nv_tileaa.ptr<i32, 1>) -> (), kernel_spec = #nv_tileaa.kernel_spec<numWarps=4, clusterDim=[1,1,1]>, sym_name = "k0"}> ({
  ^bb0(%arg0: !nv_tileaa.ptr<i32, 1>):
    %c1_i32 = arith.constant 1 : i32
    %c59_i32 = arith.constant 59 : i32
    %0 = "nv_tileaa.make_memref"(%arg0, %c1_i32, %c59_i32) <{operandSegmentSizes = array<i32: 1, 0, 1, 1>}> : (!nv_tileaa.ptr<i32, 1>, i32, i32) -> !nv_tileaa.memref<?xi32, strides = [?]>
    %c0_i32 = arith.constant 0 : i32
    %1 = "nv_tileaa.splat"() <{value = -750313948 : i32}> : () -> tensor<4xi32>
    %2 = "nv_tileaa.create_mem_token"() : () -> !nv_tileaa.mem_token
    %3 = arith.extsi %c0_i32 : i32 to i64
    %c6_i64 = arith.constant 6 : i64
    %4 = arith.muli %3, %c6_i64 : i64
    %5 = arith.extsi %c59_i32 : i32 to i64
    %6 = arith.muli %4, %5 : i64
    %7 = "nv_tileaa.addptr"(%arg0, %6) : (!nv_tileaa.ptr<i32, 1>, i64) -> !nv_tileaa.ptr<i32, 1>
    %8 = arith.extsi %c1_i32 : i32 to i64
    %9 = arith.minui %4, %8 : i64
    %10 = arith.subi %8, %9 : i64
    %11 = "nv_tileaa.make_memref"(%7, %10, %c59_i32) <{operandSegmentSizes = array<i32: 1, 0, 1, 1>}> : (!nv_tileaa.ptr<i32, 1>, i64, i32) -> !nv_tileaa.memref<?xi32, strides = [?]>
    %c0_i64 = arith.constant 0 : i64
    %12 = "nv_tileaa.block_tile"(%11) <{dimGroups = [array<i64: 0>], tileSizes = array<i64: 4>}> : (!nv_tileaa.memref<?xi32, strides = [?]>) -> !nv_tileaa.tiled_view<!nv_tileaa.memref<?xi32, strides = [?]>, [4]>
    %old, %token = "nv_tileaa.tiled_atomic_rmw"(%12, %1, %c0_i64, %2) <{mem_scope = #nv_tileaa.mem_scope<gpu>, mem_semantic = #nv_tileaa.mem_semantic<relaxed>, operandSegmentSizes = array<i32: 1, 1, 1, 1>, rmw_mode = #nv_tileaa.rmw_mode<umin>}> : (!nv_tileaa.tiled_view<!nv_tileaa.memref<?xi32, strides = [?]>, [4]>, tensor<4xi32>, i64, !nv_tileaa.mem_token) -> (tensor<4xi32>, !nv_tileaa.mem_token)
    "nv_tileaa.return"() : () -> ()
  }) : () -> ()
}

// -----

cuda_tile.module @kernels {
  entry @k0(%arg0: tile<ptr<i64>>, %arg1: tile<i64>) {
    %cst_11_i16 = constant <i16: 11> : tile<i16>
    %cst_63_i16 = constant <i16: 63> : tile<i16>
    %tview = make_tensor_view %arg0, shape = [%cst_11_i16], strides = [%cst_63_i16] : tile<i16> -> tensor_view<?xi64, strides=[?]>
    %sview = make_strided_view %tview : strided_view<tile=(2), traversal_strides=[1], tensor_view<?xi64, strides=[?]>>
    %false = constant <i1: false> : tile<i1>
    %reshape = reshape %arg1 : tile<i64> -> tile<1xi64>
    %bcast = broadcast %reshape : tile<1xi64> -> tile<2xi64>
    %0 = atomic_red_view_tko relaxed tl_blk %sview[%false], umin, %bcast : tile<2xi64>, strided_view<tile=(2), traversal_strides=[1], tensor_view<?xi64, strides=[?]>>, tile<i1> -> token
    return
  }
}
// becomes
module {
  "nv_tileaa.func"() <{function_type = (!nv_tileaa.ptr<i64, 1>, i64) -> (), kernel_spec = #nv_tileaa.kernel_spec<numWarps=4, clusterDim=[1,1,1]>, sym_name = "k0"}> ({
  ^bb0(%arg0: !nv_tileaa.ptr<i64, 1>, %arg1: i64):
    %c11_i16 = arith.constant 11 : i16
    %c63_i16 = arith.constant 63 : i16
    %0 = arith.extui %c11_i16 : i16 to i32
    %1 = arith.extui %c63_i16 : i16 to i32
    %2 = "nv_tileaa.make_memref"(%arg0, %0, %1) <{operandSegmentSizes = array<i32: 1, 0, 1, 1>}> : (!nv_tileaa.ptr<i64, 1>, i32, i32) -> !nv_tileaa.memref<?xi64, strides = [?]>
    %false = arith.constant false
    %3 = "nv_tileaa.splat"(%arg1) : (i64) -> tensor<1xi64>
    %4 = "nv_tileaa.splat"(%arg1) : (i64) -> tensor<2xi64>
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
    %old, %token = "nv_tileaa.tiled_atomic_rmw"(%14, %4, %c0_i64) <{mem_scope = #nv_tileaa.mem_scope<tl_blk>, mem_semantic = #nv_tileaa.mem_semantic<relaxed>, operandSegmentSizes = array<i32: 1, 1, 1, 0>, rmw_mode = #nv_tileaa.rmw_mode<umin>}> {nv_tileaa.in_bounds = array<i1: true>} : (!nv_tileaa.tiled_view<!nv_tileaa.memref<?xi64, strides = [?]>, [2]>, tensor<2xi64>, i64) -> (tensor<2xi64>, !nv_tileaa.mem_token)
    "nv_tileaa.return"() : () -> ()
  }) : () -> ()
}
