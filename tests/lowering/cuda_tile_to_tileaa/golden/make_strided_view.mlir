cuda_tile.module @kernels {
  entry @k0(%arg0: tile<ptr<i1>>) {
    %cst_12_i64 = constant <i64: 12> : tile<i64>
    %tview = make_tensor_view %arg0, shape = [3], strides = [%cst_12_i64] : tile<i64> -> tensor_view<3xi1, strides=[?]>
    %sview = make_strided_view %tview : strided_view<tile=(4), traversal_strides=[3], padding_value = zero, tensor_view<3xi1, strides=[?]>>
    return
  }
}
// becomes
module {
  "nv_tileaa.func"() <{function_type = (!nv_tileaa.ptr<i1, 1>) -> (), kernel_spec = #nv_tileaa.kernel_spec<numWarps=4, clusterDim=[1,1,1]>, sym_name = "k0"}> ({
  ^bb0(%arg0: !nv_tileaa.ptr<i1, 1>):
    %c12_i64 = arith.constant 12 : i64
    %0 = "nv_tileaa.make_memref"(%arg0, %c12_i64) <{operandSegmentSizes = array<i32: 1, 0, 0, 1>}> : (!nv_tileaa.ptr<i1, 1>, i64) -> !nv_tileaa.memref<3xi1, strides = [?]>
    "nv_tileaa.return"() : () -> ()
  }) : () -> ()
}

// -----

cuda_tile.module @kernels {
  entry @k0(%arg0: tile<ptr<f64>>) {
    %cst_10_i8 = constant <i8: 10> : tile<i8>
    %cst_5_i8 = constant <i8: 5> : tile<i8>
    %tview = make_tensor_view %arg0, shape = [10, 8, %cst_10_i8], strides = [%cst_5_i8, 28, 61] : tile<i8> -> tensor_view<10x8x?xf64, strides=[?,28,61]>
    %sview = make_strided_view %tview : strided_view<tile=(8x1x1), traversal_strides=[4,1,4], tensor_view<10x8x?xf64, strides=[?,28,61]>, dim_map=[0, 2, 1]>
    return
  }
}
// becomes
module {
  "nv_tileaa.func"() <{function_type = (!nv_tileaa.ptr<f64, 1>) -> (), kernel_spec = #nv_tileaa.kernel_spec<numWarps=4, clusterDim=[1,1,1]>, sym_name = "k0"}> ({
  ^bb0(%arg0: !nv_tileaa.ptr<f64, 1>):
    %c10_i8 = arith.constant 10 : i8
    %c5_i8 = arith.constant 5 : i8
    %0 = arith.extui %c10_i8 : i8 to i32
    %1 = arith.extui %c5_i8 : i8 to i32
    %2 = "nv_tileaa.make_memref"(%arg0, %0, %1) <{operandSegmentSizes = array<i32: 1, 0, 1, 1>}> : (!nv_tileaa.ptr<f64, 1>, i32, i32) -> !nv_tileaa.memref<10x8x?xf64, strides = [?, 28, 61]>
    "nv_tileaa.return"() : () -> ()
  }) : () -> ()
}
