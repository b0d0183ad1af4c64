cuda_tile.module @kernels {
  entry @k0(%arg0: tile<ptr<i64, <multicast>>>) {
    %tview = make_tensor_view %arg0, shape = [8, 11], strides = [7, 18] : tile<ptr<i64, <multicast>>> -> tensor_view<8x11xi64, strides=[7,18], #cuda_tile.ptr_attr<multicast>>
    %pview = make_partition_view %tview : partition_view<tile=(1x4), tensor_view<8x11xi64, strides=[7,18], #cuda_tile.ptr_attr<multicast>>>
    %cst_3_i32 = constant <i32: 3> : tile<i32>
    %cst_1_i32 = constant <i32: 1> : tile<i32>
    %cst_i64 = constant <i64: [[3988522765102717508], [-7597130356243871244], [-4351438679952602870], [-8384752060924066697]]> : tile<4x1xi64>
    %reshape = reshape %cst_i64 : tile<4x1xi64> -> tile<1x4xi64>
    %0 = make_token : token
    %1 = multimem_reduce_view_tko relaxed device %pview, %reshape[%cst_3_i32, %cst_1_i32] token = %0 inbounds = [false, false] attributes {reduction = #cuda_tile.multimem_reduction_kind<max>} : partition_view<tile=(1x4), tensor_view<8x11xi64, strides=[7,18], #cuda_tile.ptr_attr<multicast>>>, tile<1x4xi64>, tile<i32>, token -> token
    return
  }
}
// becomes
module {
  "nv_tileaa.func"() <{function_type = (!nv_tileaa.ptr<i64, 1>) -> (), kernel_spec = #nv_tileaa.kernel_spec<clusterDim=[1,1,1]>, sym_name = "k0"}> ({
  ^bb0(%arg0: !nv_tileaa.ptr<i64, 1>):
    %0 = "nv_tileaa.make_memref"(%arg0) <{operandSegmentSizes = array<i32: 1, 0, 0, 0>}> : (!nv_tileaa.ptr<i64, 1>) -> !nv_tileaa.memref<8x11xi64, strides = [7, 18]>
    %1 = "nv_tileaa.block_tile"(%0) <{dimGroups = [array<i64: 0>, array<i64: 1>], tileSizes = array<i64: 1, 4>}> : (!nv_tileaa.memref<8x11xi64, strides = [7, 18]>) -> !nv_tileaa.tiled_view<!nv_tileaa.memref<8x11xi64, strides = [7, 18]>, [1, 4]>
    %c3_i32 = arith.constant 3 : i32
    %c1_i32 = arith.constant 1 : i32
    %cst = "nv_tileaa.constant_tensor"() <{value = dense<[[3988522765102717508], [-7597130356243871244], [-4351438679952602870], [-8384752060924066697]]> : tensor<4x1xi64>}> : () -> tensor<4x1xi64>
    %2 = "nv_tileaa.view"(%cst) : (tensor<4x1xi64>) -> tensor<1x4xi64>
    %3 = "nv_tileaa.create_mem_token"() : () -> !nv_tileaa.mem_token
    %old, %token = "nv_tileaa.tiled_atomic_rmw"(%1, %2, %c3_i32, %c1_i32, %3) <{mem_scope = #nv_tileaa.mem_scope<gpu>, mem_semantic = #nv_tileaa.mem_semantic<relaxed>, multicast, operandSegmentSizes = array<i32: 1, 1, 2, 1>, rmw_mode = #nv_tileaa.rmw_mode<max>}> : (!nv_tileaa.tiled_view<!nv_tileaa.memref<8x11xi64, strides = [7, 18]>, [1, 4]>, tensor<1x4xi64>, i32, i32, !nv_tileaa.mem_token) -> (tensor<1x4xi64>, !nv_tileaa.mem_token)
    "nv_tileaa.return"() : () -> ()
  }) : () -> ()
}

// -----

cuda_tile.module @kernels {
  entry @k0(%arg0: tile<ptr<i32, <multicast>>>) {
    %cst_14_i64 = constant <i64: 14> : tile<i64>
    %cst_11_i64 = constant <i64: 11> : tile<i64>
    %cst_3_i64 = constant <i64: 3> : tile<i64>
    %tview = make_tensor_view %arg0, shape = [%cst_14_i64, 3, %cst_11_i64], strides = [57, %cst_3_i64, 45] : tile<ptr<i32, <multicast>>>, tile<i64> -> tensor_view<?x3x?xi32, strides=[57,?,45], #cuda_tile.ptr_attr<multicast>>
    %pview = make_partition_view %tview : partition_view<tile=(1x8x1), tensor_view<?x3x?xi32, strides=[57,?,45], #cuda_tile.ptr_attr<multicast>>, dim_map=[2, 1, 0]>
    %false = constant <i1: false> : tile<i1>
    %false_0 = constant <i1: false> : tile<i1>
    %true = constant <i1: true> : tile<i1>
    %cst_i32 = constant <i32: [[[1812008565], [910400960], [-1311871205], [-1991051822], [-1194091893], [-332951093], [1414837729], [1703208047]]]> : tile<1x8x1xi32>
    %0 = make_token : token
    %1 = multimem_reduce_view_tko relaxed sys %pview, %cst_i32[%false, %false_0, %true] token = %0  attributes {reduction = #cuda_tile.multimem_reduction_kind<umin>} : partition_view<tile=(1x8x1), tensor_view<?x3x?xi32, strides=[57,?,45], #cuda_tile.ptr_attr<multicast>>, dim_map=[2, 1, 0]>, tile<1x8x1xi32>, tile<i1>, token -> token
    return
  }
}
// becomes
module {
  "nv_tileaa.func"() <{function_type = (!nv_tileaa.ptr<i32, 1>) -> (), kernel_spec = #nv_tileaa.kernel_spec<clusterDim=[1,1,1]>, sym_name = "k0"}> ({
  ^bb0(%arg0: !nv_tileaa.ptr<i32, 1>):
    %c14_i64 = arith.constant 14 : i64
    %c11_i64 = arith.constant 11 : i64
    %c3_i64 = arith.constant 3 : i64
    %0 = "nv_tileaa.make_memref"(%arg0, %c14_i64, %c11_i64, %c3_i64) <{operandSegmentSizes = array<i32: 1, 0, 2, 1>}> : (!nv_tileaa.ptr<i32, 1>, i64, i64, i64) -> !nv_tileaa.memref<?x3x?xi32, strides = [57, ?, 45]>
    %1 = "nv_tileaa.block_tile"(%0) <{dimGroups = [array<i64: 2>, array<i64: 1>, array<i64: 0>], tileSizes = array<i64: 1, 8, 1>}> : (!nv_tileaa.memref<?x3x?xi32, strides = [57, ?, 45]>) -> !nv_tileaa.tiled_view<!nv_tileaa.memref<?x3x?xi32, strides = [57, ?, 45]>, [1, 8, 1]>
    %false = arith.constant false
    %false_0 = arith.constant false
    %true = arith.constant true
    %cst = "nv_tileaa.constant_tensor"() <{value = dense<[[[1812008565], [910400960], [-1311871205], [-1991051822], [-1194091893], [-332951093], [1414837729], [1703208047]]]> : tensor<1x8x1xi32>}> : () -> tensor<1x8x1xi32>
    %2 = "nv_tileaa.create_mem_token"() : () -> !nv_tileaa.mem_token
    %3 = arith.extui %false : i1 to i32
    %4 = arith.extui %false_0 : i1 to i32
    %5 = arith.extui %true : i1 to i32
    %old, %token = "nv_tileaa.tiled_atomic_rmw"(%1, %cst, %3, %4, %5, %2) <{in_bounds = array<i1: true, false, false>, mem_scope = #nv_tileaa.mem_scope<sys>, mem_semantic = #nv_tileaa.mem_semantic<relaxed>, multicast, operandSegmentSizes = array<i32: 1, 1, 3, 1>, rmw_mode = #nv_tileaa.rmw_mode<umin>}> : (!nv_tileaa.tiled_view<!nv_tileaa.memref<?x3x?xi32, strides = [57, ?, 45]>, [1, 8, 1]>, tensor<1x8x1xi32>, i32, i32, i32, !nv_tileaa.mem_token) -> (tensor<1x8x1xi32>, !nv_tileaa.mem_token)
    "nv_tileaa.return"() : () -> ()
  }) : () -> ()
}
