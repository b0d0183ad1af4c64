cuda_tile.module @kernels {
  entry @k0(%arg0: tile<ptr<i1>>) {
    %true = constant <i1: true> : tile<i1>
    %tview = make_tensor_view %arg0, shape = [3], strides = [%true] : tile<i1> -> tensor_view<3xi1, strides=[?]>
    %sview = make_strided_view %tview : strided_view<tile=(4), traversal_strides=[3], padding_value = zero, tensor_view<3xi1, strides=[?]>>
    return
  }
}
// becomes
module {
  "nv_tileaa.func"() <{function_type = (!nv_tileaa.ptr<i1, 1>) -> (), kernel_spec = #nv_tileaa.kernel_spec<clusterDim=[1,1,1]>, sym_name = "k0"}> ({
  ^bb0(%arg0: !nv_tileaa.ptr<i1, 1>):
    %true = arith.constant true
    %0 = arith.extui %true : i1 to i32
    %1 = "nv_tileaa.make_memref"(%arg0, %0) <{operandSegmentSizes = array<i32: 1, 0, 0, 1>}> : (!nv_tileaa.ptr<i1, 1>, i32) -> !nv_tileaa.memref<3xi1, strides = [?]>
    "nv_tileaa.return"() : () -> ()
  }) : () -> ()
}

// -----

cuda_tile.module @kernels {
  entry @k0(%arg0: tile<ptr<f64>>) {
    %cst_14_i8 = constant <i8: 14> : tile<i8>
    %cst_28_i8 = constant <i8: 28> : tile<i8>
    %tview = make_tensor_view %arg0, shape = [10, 8, %cst_14_i8], strides = [%cst_28_i8, 28, 61] : tile<i8> -> tensor_view<10x8x?xf64, strides=[?,28,61]>
    %sview = make_strided_view %tview : strided_view<tile=(8x1x1), traversal_strides=[4,1,4], tensor_view<10x8x?xf64, strides=[?,28,61]>, dim_map=[0, 2, 1]>
    return
  }
}
// becomes
module {
  "nv_tileaa.func"() <{function_type = (!nv_tileaa.ptr<f64, 1>) -> (), kernel_spec = #nv_tileaa.kernel_spec<clusterDim=[1,1,1]>, sym_name = "k0"}> ({
  ^bb0(%arg0: !nv_tileaa.ptr<f64, 1>):
    %c14_i8 = arith.constant 14 : i8
    %c28_i8 = arith.constant 28 : i8
    %0 = arith.extui %c14_i8 : i8 to i32
    %1 = arith.extui %c28_i8 : i8 to i32
    %2 = "nv_tileaa.make_memref"(%arg0, %0, %1) <{operandSegmentSizes = array<i32: 1, 0, 1, 1>}> : (!nv_tileaa.ptr<f64, 1>, i32, i32) -> !nv_tileaa.memref<10x8x?xf64, strides = [?, 28, 61]>
    "nv_tileaa.return"() : () -> ()
  }) : () -> ()
}
