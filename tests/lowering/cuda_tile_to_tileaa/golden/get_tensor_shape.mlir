cuda_tile.module @kernels {
  entry @k0(%arg0: tile<ptr<i64, <unicast>>>) {
    %cst_13_i32 = constant <i32: 13> : tile<i32>
    %cst_12_i32 = constant <i32: 12> : tile<i32>
    %cst_26_i32 = constant <i32: 26> : tile<i32>
    %tview = make_tensor_view %arg0, shape = [%cst_13_i32, 6], strides = [%cst_12_i32, %cst_26_i32] : tile<ptr<i64, <unicast>>>, tile<i32> -> tensor_view<?x6xi64, strides=[?,?], #cuda_tile.ptr_attr<unicast>>
    %0:2 = get_tensor_shape %tview : tensor_view<?x6xi64, strides=[?,?], #cuda_tile.ptr_attr<unicast>> -> tile<i32>
    return
  }
}
// becomes
module {
  "nv_tileaa.func"() <{function_type = (!nv_tileaa.ptr<i64, 1>) -> (), kernel_spec = #nv_tileaa.kernel_spec<numWarps=4, clusterDim=[1,1,1]>, sym_name = "k0"}> ({
  ^bb0(%arg0: !nv_tileaa.ptr<i64, 1>):
    %c13_i32 = arith.constant 13 : i32
    %c12_i32 = arith.constant 12 : i32
    %c26_i32 = arith.constant 26 : i32
    %0 = "nv_tileaa.make_memref"(%arg0, %c13_i32, %c12_i32, %c26_i32) <{operandSegmentSizes = array<i32: 1, 0, 1, 2>}> : (!nv_tileaa.ptr<i64, 1>, i32, i32, i32) -> !nv_tileaa.memref<?x6xi64, strides = [?, ?]>
    %c6_i32 = arith.constant 6 : i32
    "nv_tileaa.return"() : () -> ()
  }) : () -> ()
}

// -----

cuda_tile.module @kernels {
  entry @k0(%arg0: tile<ptr<f32, <none>>>) {
    %cst_53_i16 = constant <i16: 53> : tile<i16>
    %tview = make_tensor_view %arg0, shape = [8, 12], strides = [%cst_53_i16, 39] : tile<ptr<f32, <none>>>, tile<i16> -> tensor_view<8x12xf32, strides=[?,39], #cuda_tile.ptr_attr<none>>
    %0:2 = get_tensor_shape %tview : tensor_view<8x12xf32, strides=[?,39], #cuda_tile.ptr_attr<none>> -> tile<i32>
    return
  }
}
// becomes
module {
  "nv_tileaa.func"() <{function_type = (!nv_tileaa.ptr<f32, 1>) -> (), kernel_spec = #nv_tileaa.kernel_spec<numWarps=4, clusterDim=[1,1,1]>, sym_name = "k0"}> ({
  ^bb0(%arg0: !nv_tileaa.ptr<f32, 1>):
    %c53_i16 = arith.constant 53 : i16
    %0 = arith.extui %c53_i16 : i16 to i32
    %1 = "nv_tileaa.make_memref"(%arg0, %0) <{operandSegmentSizes = array<i32: 1, 0, 0, 1>}> : (!nv_tileaa.ptr<f32, 1>, i32) -> !nv_tileaa.memref<8x12xf32, strides = [?, 39]>
    %c8_i32 = arith.constant 8 : i32
    %c12_i32 = arith.constant 12 : i32
    "nv_tileaa.return"() : () -> ()
  }) : () -> ()
}
