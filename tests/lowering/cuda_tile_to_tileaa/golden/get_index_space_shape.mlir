cuda_tile.module @kernels {
  entry @k0(%arg0: tile<ptr<fnv8E5M3FNU, <none>>>) {
    %true = constant <i1: true> : tile<i1>
    %true_0 = constant <i1: true> : tile<i1>
    %true_1 = constant <i1: true> : tile<i1>
    %tview = make_tensor_view %arg0, shape = [%true, %true_0, 10], strides = [20, 2, %true_1] : tile<ptr<fnv8E5M3FNU, <none>>>, tile<i1> -> tensor_view<?x?x10xfnv8E5M3FNU, strides=[20,2,?], #cuda_tile.ptr_attr<none>>
    %sview = make_strided_view %tview : strided_view<tile=(2x4x4), traversal_strides=[4,2,8], padding_value = neg_zero, tensor_view<?x?x10xfnv8E5M3FNU, strides=[20,2,?], #cuda_tile.ptr_attr<none>>, dim_map=[1, 0, 2]>
    %0:3 = get_index_space_shape %sview : strided_view<tile=(2x4x4), traversal_strides=[4,2,8], padding_value = neg_zero, tensor_view<?x?x10xfnv8E5M3FNU, strides=[20,2,?], #cuda_tile.ptr_attr<none>>, dim_map=[1, 0, 2]> -> tile<i32>
    return
  }
}
// becomes
module {
  "nv_tileaa.func"() <{function_type = (!nv_tileaa.ptr<fnv8E5M3FNU, 1>) -> (), kernel_spec = #nv_tileaa.kernel_spec<numWarps=4, clusterDim=[1,1,1]>, sym_name = "k0"}> ({
  ^bb0(%arg0: !nv_tileaa.ptr<fnv8E5M3FNU, 1>):
    %true = arith.constant true
    %true_0 = arith.constant true
    %true_1 = arith.constant true
    %0 = arith.extui %true : i1 to i32
    %1 = arith.extui %true_0 : i1 to i32
    %2 = arith.extui %true_1 : i1 to i32
    %3 = "nv_tileaa.make_memref"(%arg0, %0, %1, %2) <{operandSegmentSizes = array<i32: 1, 0, 2, 1>}> : (!nv_tileaa.ptr<fnv8E5M3FNU, 1>, i32, i32, i32) -> !nv_tileaa.memref<?x?x10xfnv8E5M3FNU, strides = [20, 2, ?]>
    %c4_i32 = arith.constant 4 : i32
    %4 = arith.ceildivui %1, %c4_i32 : i32
    %c2_i32 = arith.constant 2 : i32
    %5 = arith.ceildivui %0, %c2_i32 : i32
    %c2_i32_2 = arith.constant 2 : i32
    "nv_tileaa.return"() : () -> ()
  }) : () -> ()
}

// -----

cuda_tile.module @kernels {
  entry @k0(%arg0: tile<ptr<f64>>) {
    %cst_5_i16 = constant <i16: 5> : tile<i16>
    %cst_11_i16 = constant <i16: 11> : tile<i16>
    %cst_16_i16 = constant <i16: 16> : tile<i16>
    %cst_15_i16 = constant <i16: 15> : tile<i16>
    %cst_40_i16 = constant <i16: 40> : tile<i16>
    %tview = make_tensor_view %arg0, shape = [%cst_5_i16, 8, %cst_11_i16], strides = [%cst_16_i16, %cst_15_i16, %cst_40_i16] : tile<i16> -> tensor_view<?x8x?xf64, strides=[?,?,?]>
    %gsview = make_gather_scatter_view %tview : gather_scatter_view<tile=(8x2x2), padding_value = neg_inf, tensor_view<?x8x?xf64, strides=[?,?,?]>, sparse_dim=2>
    %0:3 = get_index_space_shape %gsview : gather_scatter_view<tile=(8x2x2), padding_value = neg_inf, tensor_view<?x8x?xf64, strides=[?,?,?]>, sparse_dim=2> -> tile<i1>
    return
  }
}
// becomes
module {
  "nv_tileaa.func"() <{function_type = (!nv_tileaa.ptr<f64, 1>) -> (), kernel_spec = #nv_tileaa.kernel_spec<numWarps=4, clusterDim=[1,1,1]>, sym_name = "k0"}> ({
  ^bb0(%arg0: !nv_tileaa.ptr<f64, 1>):
    %c5_i16 = arith.constant 5 : i16
    %c11_i16 = arith.constant 11 : i16
    %c16_i16 = arith.constant 16 : i16
    %c15_i16 = arith.constant 15 : i16
    %c40_i16 = arith.constant 40 : i16
    %0 = arith.extui %c5_i16 : i16 to i32
    %1 = arith.extui %c11_i16 : i16 to i32
    %2 = arith.extui %c16_i16 : i16 to i32
    %3 = arith.extui %c15_i16 : i16 to i32
    %4 = arith.extui %c40_i16 : i16 to i32
    %5 = "nv_tileaa.make_memref"(%arg0, %0, %1, %2, %3, %4) <{operandSegmentSizes = array<i32: 1, 0, 2, 3>}> : (!nv_tileaa.ptr<f64, 1>, i32, i32, i32, i32, i32) -> !nv_tileaa.memref<?x8x?xf64, strides = [?, ?, ?]>
    %6 = arith.trunci %0 : i32 to i1
    %false = arith.constant false
    %7 = arith.trunci %1 : i32 to i1
    "nv_tileaa.return"() : () -> ()
  }) : () -> ()
}
