cuda_tile.module @kernels {
  entry @k0(%arg0: tile<ptr<fnv8E5M3FNU, <none>>>) {
    %cst_1_i32 = constant <i32: 1> : tile<i32>
    %cst_5_i32 = constant <i32: 5> : tile<i32>
    %cst_17_i32 = constant <i32: 17> : tile<i32>
    %tview = make_tensor_view %arg0, shape = [%cst_1_i32, %cst_5_i32, 10], strides = [20, 2, %cst_17_i32] : tile<ptr<fnv8E5M3FNU, <none>>>, tile<i32> -> tensor_view<?x?x10xfnv8E5M3FNU, strides=[20,2,?], #cuda_tile.ptr_attr<none>>
    %sview = make_strided_view %tview : strided_view<tile=(2x4x4), traversal_strides=[4,2,8], padding_value = neg_zero, tensor_view<?x?x10xfnv8E5M3FNU, strides=[20,2,?], #cuda_tile.ptr_attr<none>>, dim_map=[1, 0, 2]>
    %0:3 = get_index_space_shape %sview : strided_view<tile=(2x4x4), traversal_strides=[4,2,8], padding_value = neg_zero, tensor_view<?x?x10xfnv8E5M3FNU, strides=[20,2,?], #cuda_tile.ptr_attr<none>>, dim_map=[1, 0, 2]> -> tile<i32>
    return
  }
}
// becomes
module {
  "nv_tileaa.func"() <{function_type = (!nv_tileaa.ptr<fnv8E5M3FNU, 1>) -> (), kernel_spec = #nv_tileaa.kernel_spec<clusterDim=[1,1,1]>, sym_name = "k0"}> ({
  ^bb0(%arg0: !nv_tileaa.ptr<fnv8E5M3FNU, 1>):
    %c1_i32 = arith.constant 1 : i32
    %c5_i32 = arith.constant 5 : i32
    %c17_i32 = arith.constant 17 : i32
    %0 = "nv_tileaa.make_memref"(%arg0, %c1_i32, %c5_i32, %c17_i32) <{operandSegmentSizes = array<i32: 1, 0, 2, 1>}> : (!nv_tileaa.ptr<fnv8E5M3FNU, 1>, i32, i32, i32) -> !nv_tileaa.memref<?x?x10xfnv8E5M3FNU, strides = [20, 2, ?]>
    %c4_i32 = arith.constant 4 : i32
    %1 = arith.ceildivui %c5_i32, %c4_i32 : i32
    %c2_i32 = arith.constant 2 : i32
    %2 = arith.ceildivui %c1_i32, %c2_i32 : i32
    %c2_i32_0 = arith.constant 2 : i32
    "nv_tileaa.return"() : () -> ()
  }) : () -> ()
}

// -----

cuda_tile.module @kernels {
  entry @k0(%arg0: tile<ptr<f64>>) {
    %true = constant <i1: true> : tile<i1>
    %true_0 = constant <i1: true> : tile<i1>
    %true_1 = constant <i1: true> : tile<i1>
    %true_2 = constant <i1: true> : tile<i1>
    %true_3 = constant <i1: true> : tile<i1>
    %tview = make_tensor_view %arg0, shape = [%true, 8, %true_0], strides = [%true_1, %true_2, %true_3] : tile<i1> -> tensor_view<?x8x?xf64, strides=[?,?,?]>
    %gsview = make_gather_scatter_view %tview : gather_scatter_view<tile=(8x2x2), padding_value = neg_inf, tensor_view<?x8x?xf64, strides=[?,?,?]>, sparse_dim=2>
    %0:3 = get_index_space_shape %gsview : gather_scatter_view<tile=(8x2x2), padding_value = neg_inf, tensor_view<?x8x?xf64, strides=[?,?,?]>, sparse_dim=2> -> tile<i1>
    return
  }
}
// becomes
module {
  "nv_tileaa.func"() <{function_type = (!nv_tileaa.ptr<f64, 1>) -> (), kernel_spec = #nv_tileaa.kernel_spec<clusterDim=[1,1,1]>, sym_name = "k0"}> ({
  ^bb0(%arg0: !nv_tileaa.ptr<f64, 1>):
    %true = arith.constant true
    %true_0 = arith.constant true
    %true_1 = arith.constant true
    %true_2 = arith.constant true
    %true_3 = arith.constant true
    %0 = arith.extui %true : i1 to i32
    %1 = arith.extui %true_0 : i1 to i32
    %2 = arith.extui %true_1 : i1 to i32
    %3 = arith.extui %true_2 : i1 to i32
    %4 = arith.extui %true_3 : i1 to i32
    %5 = "nv_tileaa.make_memref"(%arg0, %0, %1, %2, %3, %4) <{operandSegmentSizes = array<i32: 1, 0, 2, 3>}> : (!nv_tileaa.ptr<f64, 1>, i32, i32, i32, i32, i32) -> !nv_tileaa.memref<?x8x?xf64, strides = [?, ?, ?]>
    %6 = arith.trunci %0 : i32 to i1
    %false = arith.constant false
    %7 = arith.trunci %1 : i32 to i1
    "nv_tileaa.return"() : () -> ()
  }) : () -> ()
}
