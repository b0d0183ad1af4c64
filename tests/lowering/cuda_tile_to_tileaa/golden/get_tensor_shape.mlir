cuda_tile.module @kernels {
  entry @k0(%arg0: tile<ptr<i64, <unicast>>>) {
    %cst_11_i8 = constant <i8: 11> : tile<i8>
    %cst_35_i8 = constant <i8: 35> : tile<i8>
    %cst_35_i8_0 = constant <i8: 35> : tile<i8>
    %tview = make_tensor_view %arg0, shape = [%cst_11_i8, 6], strides = [%cst_35_i8, %cst_35_i8_0] : tile<ptr<i64, <unicast>>>, tile<i8> -> tensor_view<?x6xi64, strides=[?,?], #cuda_tile.ptr_attr<unicast>>
    %0:2 = get_tensor_shape %tview : tensor_view<?x6xi64, strides=[?,?], #cuda_tile.ptr_attr<unicast>> -> tile<i32>
    return
  }
}
// becomes
module {
  "nv_tileaa.func"() <{function_type = (!nv_tileaa.ptr<i64, 1>) -> (), kernel_spec = #nv_tileaa.kernel_spec<clusterDim=[1,1,1]>, sym_name = "k0"}> ({
  ^bb0(%arg0: !nv_tileaa.ptr<i64, 1>):
    %c11_i8 = arith.constant 11 : i8
    %c35_i8 = arith.constant 35 : i8
    %c35_i8_0 = arith.constant 35 : i8
    %0 = arith.extui %c11_i8 : i8 to i32
    %1 = arith.extui %c35_i8 : i8 to i32
    %2 = arith.extui %c35_i8_0 : i8 to i32
    %3 = "nv_tileaa.make_memref"(%arg0, %0, %1, %2) <{operandSegmentSizes = array<i32: 1, 0, 1, 2>}> : (!nv_tileaa.ptr<i64, 1>, i32, i32, i32) -> !nv_tileaa.memref<?x6xi64, strides = [?, ?]>
    %c6_i32 = arith.constant 6 : i32
    "nv_tileaa.return"() : () -> ()
  }) : () -> ()
}

// -----

cuda_tile.module @kernels {
  entry @k0(%arg0: tile<ptr<f32, <none>>>) {
    %cst_53_i64 = constant <i64: 53> : tile<i64>
    %tview = make_tensor_view %arg0, shape = [8, 12], strides = [%cst_53_i64, 39] : tile<ptr<f32, <none>>>, tile<i64> -> tensor_view<8x12xf32, strides=[?,39], #cuda_tile.ptr_attr<none>>
    %0:2 = get_tensor_shape %tview : tensor_view<8x12xf32, strides=[?,39], #cuda_tile.ptr_attr<none>> -> tile<i32>
    return
  }
}
// becomes
module {
  "nv_tileaa.func"() <{function_type = (!nv_tileaa.ptr<f32, 1>) -> (), kernel_spec = #nv_tileaa.kernel_spec<clusterDim=[1,1,1]>, sym_name = "k0"}> ({
  ^bb0(%arg0: !nv_tileaa.ptr<f32, 1>):
    %c53_i64 = arith.constant 53 : i64
    %0 = "nv_tileaa.make_memref"(%arg0, %c53_i64) <{operandSegmentSizes = array<i32: 1, 0, 0, 1>}> : (!nv_tileaa.ptr<f32, 1>, i64) -> !nv_tileaa.memref<8x12xf32, strides = [?, 39]>
    %c8_i32 = arith.constant 8 : i32
    %c12_i32 = arith.constant 12 : i32
    "nv_tileaa.return"() : () -> ()
  }) : () -> ()
}
