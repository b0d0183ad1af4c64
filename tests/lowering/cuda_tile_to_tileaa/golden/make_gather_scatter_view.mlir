cuda_tile.module @kernels {
  entry @k0(%arg0: tile<ptr<i16>>) {
    %cst_2_i64 = constant <i64: 2> : tile<i64>
    %cst_13_i64 = constant <i64: 13> : tile<i64>
    %cst_17_i64 = constant <i64: 17> : tile<i64>
    %cst_21_i64 = constant <i64: 21> : tile<i64>
    %tview = make_tensor_view %arg0, shape = [%cst_2_i64, %cst_13_i64, 12], strides = [%cst_17_i64, 27, %cst_21_i64] : tile<i64> -> tensor_view<?x?x12xi16, strides=[?,27,?]>
    %gsview = make_gather_scatter_view %tview : gather_scatter_view<tile=(2x1x8), tensor_view<?x?x12xi16, strides=[?,27,?]>, sparse_dim=0>
    return
  }
}
// becomes
module {
  "nv_tileaa.func"() <{function_type = (!nv_tileaa.ptr<i16, 1>) -> (), kernel_spec = #nv_tileaa.kernel_spec<numWarps=4, clusterDim=[1,1,1]>, sym_name = "k0"}> ({
  ^bb0(%arg0: !nv_tileaa.ptr<i16, 1>):
    %c2_i64 = arith.constant 2 : i64
    %c13_i64 = arith.constant 13 : i64
    %c17_i64 = arith.constant 17 : i64
    %c21_i64 = arith.constant 21 : i64
    %0 = "nv_tileaa.make_memref"(%arg0, %c2_i64, %c13_i64, %c17_i64, %c21_i64) <{operandSegmentSizes = array<i32: 1, 0, 2, 2>}> : (!nv_tileaa.ptr<i16, 1>, i64, i64, i64, i64) -> !nv_tileaa.memref<?x?x12xi16, strides = [?, 27, ?]>
    "nv_tileaa.return"() : () -> ()
  }) : () -> ()
}

// -----

cuda_tile.module @kernels {
  entry @k0(%arg0: tile<ptr<f8E8M0FNU>>) {
    %cst_2_i8 = constant <i8: 2> : tile<i8>
    %cst_7_i8 = constant <i8: 7> : tile<i8>
    %cst_58_i8 = constant <i8: 58> : tile<i8>
    %tview = make_tensor_view %arg0, shape = [%cst_2_i8, %cst_7_i8, 4], strides = [%cst_58_i8, 10, 56] : tile<i8> -> tensor_view<?x?x4xf8E8M0FNU, strides=[?,10,56]>
    %gsview = make_gather_scatter_view %tview : gather_scatter_view<tile=(4x2x8), tensor_view<?x?x4xf8E8M0FNU, strides=[?,10,56]>, sparse_dim=0>
    return
  }
}
// becomes
module {
  "nv_tileaa.func"() <{function_type = (!nv_tileaa.ptr<f8E8M0FNU, 1>) -> (), kernel_spec = #nv_tileaa.kernel_spec<numWarps=4, clusterDim=[1,1,1]>, sym_name = "k0"}> ({
  ^bb0(%arg0: !nv_tileaa.ptr<f8E8M0FNU, 1>):
    %c2_i8 = arith.constant 2 : i8
    %c7_i8 = arith.constant 7 : i8
    %c58_i8 = arith.constant 58 : i8
    %0 = arith.extui %c2_i8 : i8 to i32
    %1 = arith.extui %c7_i8 : i8 to i32
    %2 = arith.extui %c58_i8 : i8 to i32
    %3 = "nv_tileaa.make_memref"(%arg0, %0, %1, %2) <{operandSegmentSizes = array<i32: 1, 0, 2, 1>}> : (!nv_tileaa.ptr<f8E8M0FNU, 1>, i32, i32, i32) -> !nv_tileaa.memref<?x?x4xf8E8M0FNU, strides = [?, 10, 56]>
    "nv_tileaa.return"() : () -> ()
  }) : () -> ()
}
