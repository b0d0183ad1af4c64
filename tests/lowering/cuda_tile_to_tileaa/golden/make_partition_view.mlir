cuda_tile.module @kernels {
  entry @k0(%arg0: tile<ptr<f8E5M2>>) {
    %cst_9_i64 = constant <i64: 9> : tile<i64>
    %cst_6_i64 = constant <i64: 6> : tile<i64>
    %cst_36_i64 = constant <i64: 36> : tile<i64>
    %tview = make_tensor_view %arg0, shape = [%cst_9_i64, %cst_6_i64, 7], strides = [23, 37, %cst_36_i64] : tile<i64> -> tensor_view<?x?x7xf8E5M2, strides=[23,37,?]>
    %pview = make_partition_view %tview : partition_view<tile=(2x32x1), tensor_view<?x?x7xf8E5M2, strides=[23,37,?]>, dim_map=[1, 0, 2]>
    return
  }
}
// becomes
module {
  "nv_tileaa.func"() <{function_type = (!nv_tileaa.ptr<f8E5M2, 1>) -> (), kernel_spec = #nv_tileaa.kernel_spec<numWarps=4, clusterDim=[1,1,1]>, sym_name = "k0"}> ({
  ^bb0(%arg0: !nv_tileaa.ptr<f8E5M2, 1>):
    %c9_i64 = arith.constant 9 : i64
    %c6_i64 = arith.constant 6 : i64
    %c36_i64 = arith.constant 36 : i64
    %0 = "nv_tileaa.make_memref"(%arg0, %c9_i64, %c6_i64, %c36_i64) <{operandSegmentSizes = array<i32: 1, 0, 2, 1>}> : (!nv_tileaa.ptr<f8E5M2, 1>, i64, i64, i64) -> !nv_tileaa.memref<?x?x7xf8E5M2, strides = [23, 37, ?]>
    %1 = "nv_tileaa.block_tile"(%0) <{dimGroups = [array<i64: 1>, array<i64: 0>, array<i64: 2>], tileSizes = array<i64: 2, 32, 1>}> : (!nv_tileaa.memref<?x?x7xf8E5M2, strides = [23, 37, ?]>) -> !nv_tileaa.tiled_view<!nv_tileaa.memref<?x?x7xf8E5M2, strides = [23, 37, ?]>, [2, 32, 1]>
    "nv_tileaa.return"() : () -> ()
  }) : () -> ()
}

// -----

cuda_tile.module @kernels {
  entry @k0(%arg0: tile<ptr<f32, <unicast>>>) {
    %true = constant <i1: true> : tile<i1>
    %true_0 = constant <i1: true> : tile<i1>
    %true_1 = constant <i1: true> : tile<i1>
    %tview = make_tensor_view %arg0, shape = [%true, %true_0], strides = [26, %true_1] : tile<ptr<f32, <unicast>>>, tile<i1> -> tensor_view<?x?xf32, strides=[26,?], #cuda_tile.ptr_attr<unicast>>
    %pview = make_partition_view %tview : partition_view<tile=(4x16), tensor_view<?x?xf32, strides=[26,?], #cuda_tile.ptr_attr<unicast>>>
    return
  }
}
// becomes
module {
  "nv_tileaa.func"() <{function_type = (!nv_tileaa.ptr<f32, 1>) -> (), kernel_spec = #nv_tileaa.kernel_spec<numWarps=4, clusterDim=[1,1,1]>, sym_name = "k0"}> ({
  ^bb0(%arg0: !nv_tileaa.ptr<f32, 1>):
    %true = arith.constant true
    %true_0 = arith.constant true
    %true_1 = arith.constant true
    %0 = arith.extui %true : i1 to i32
    %1 = arith.extui %true_0 : i1 to i32
    %2 = arith.extui %true_1 : i1 to i32
    %3 = "nv_tileaa.make_memref"(%arg0, %0, %1, %2) <{operandSegmentSizes = array<i32: 1, 0, 2, 1>}> : (!nv_tileaa.ptr<f32, 1>, i32, i32, i32) -> !nv_tileaa.memref<?x?xf32, strides = [26, ?]>
    %4 = "nv_tileaa.block_tile"(%3) <{dimGroups = [array<i64: 0>, array<i64: 1>], tileSizes = array<i64: 4, 16>}> : (!nv_tileaa.memref<?x?xf32, strides = [26, ?]>) -> !nv_tileaa.tiled_view<!nv_tileaa.memref<?x?xf32, strides = [26, ?]>, [4, 16]>
    "nv_tileaa.return"() : () -> ()
  }) : () -> ()
}
