cuda_tile.module @kernels {
  entry @k0(%arg0: tile<ptr<i16>>) {
    %cst_9_i32 = constant <i32: 9> : tile<i32>
    %cst_4_i32 = constant <i32: 4> : tile<i32>
    %cst_33_i32 = constant <i32: 33> : tile<i32>
    %cst_13_i32 = constant <i32: 13> : tile<i32>
    %tview = make_tensor_view %arg0, shape = [%cst_9_i32, %cst_4_i32, 12], strides = [%cst_33_i32, 27, %cst_13_i32] : tile<i32> -> tensor_view<?x?x12xi16, strides=[?,27,?]>
    %gsview = make_gather_scatter_view %tview : gather_scatter_view<tile=(2x1x8), tensor_view<?x?x12xi16, strides=[?,27,?]>, sparse_dim=0>
    return
  }
}
// becomes
module {
  "nv_tileaa.func"() <{function_type = (!nv_tileaa.ptr<i16, 1>) -> (), kernel_spec = #nv_tileaa.kernel_spec<clusterDim=[1,1,1]>, sym_name = "k0"}> ({
  ^bb0(%arg0: !nv_tileaa.ptr<i16, 1>):
    %c9_i32 = arith.constant 9 : i32
    %c4_i32 = arith.constant 4 : i32
    %c33_i32 = arith.constant 33 : i32
    %c13_i32 = arith.constant 13 : i32
    %0 = "nv_tileaa.make_memref"(%arg0, %c9_i32, %c4_i32, %c33_i32, %c13_i32) <{operandSegmentSizes = array<i32: 1, 0, 2, 2>}> : (!nv_tileaa.ptr<i16, 1>, i32, i32, i32, i32) -> !nv_tileaa.memref<?x?x12xi16, strides = [?, 27, ?]>
    "nv_tileaa.return"() : () -> ()
  }) : () -> ()
}

// -----

cuda_tile.module @kernels {
  entry @k0(%arg0: tile<ptr<f8E8M0FNU>>) {
    %true = constant <i1: true> : tile<i1>
    %true_0 = constant <i1: true> : tile<i1>
    %true_1 = constant <i1: true> : tile<i1>
    %tview = make_tensor_view %arg0, shape = [%true, %true_0, 4], strides = [%true_1, 10, 56] : tile<i1> -> tensor_view<?x?x4xf8E8M0FNU, strides=[?,10,56]>
    %gsview = make_gather_scatter_view %tview : gather_scatter_view<tile=(4x2x8), tensor_view<?x?x4xf8E8M0FNU, strides=[?,10,56]>, sparse_dim=0>
    return
  }
}
// becomes
module {
  "nv_tileaa.func"() <{function_type = (!nv_tileaa.ptr<f8E8M0FNU, 1>) -> (), kernel_spec = #nv_tileaa.kernel_spec<clusterDim=[1,1,1]>, sym_name = "k0"}> ({
  ^bb0(%arg0: !nv_tileaa.ptr<f8E8M0FNU, 1>):
    %true = arith.constant true
    %true_0 = arith.constant true
    %true_1 = arith.constant true
    %0 = arith.extui %true : i1 to i32
    %1 = arith.extui %true_0 : i1 to i32
    %2 = arith.extui %true_1 : i1 to i32
    %3 = "nv_tileaa.make_memref"(%arg0, %0, %1, %2) <{operandSegmentSizes = array<i32: 1, 0, 2, 1>}> : (!nv_tileaa.ptr<f8E8M0FNU, 1>, i32, i32, i32) -> !nv_tileaa.memref<?x?x4xf8E8M0FNU, strides = [?, 10, 56]>
    "nv_tileaa.return"() : () -> ()
  }) : () -> ()
}
