cuda_tile.module @kernels {
  entry @k0(%arg0: tile<ptr<f8E5M2>>) {
    %cst_14_i32 = constant <i32: 14> : tile<i32>
    %cst_4_i32 = constant <i32: 4> : tile<i32>
    %cst_9_i32 = constant <i32: 9> : tile<i32>
    %tview = make_tensor_view %arg0, shape = [%cst_14_i32, %cst_4_i32, 7], strides = [23, 37, %cst_9_i32] : tile<i32> -> tensor_view<?x?x7xf8E5M2, strides=[23,37,?]>
    %pview = make_partition_view %tview : partition_view<tile=(2x32x1), tensor_view<?x?x7xf8E5M2, strides=[23,37,?]>, dim_map=[1, 0, 2]>
    return
  }
}
// becomes
module {
  "nv_tileaa.func"() <{function_type = (!nv_tileaa.ptr<f8E5M2, 1>) -> (), kernel_spec = #nv_tileaa.kernel_spec<clusterDim=[1,1,1]>, sym_name = "k0"}> ({
  ^bb0(%arg0: !nv_tileaa.ptr<f8E5M2, 1>):
    %c14_i32 = arith.constant 14 : i32
    %c4_i32 = arith.constant 4 : i32
    %c9_i32 = arith.constant 9 : i32
    %0 = "nv_tileaa.make_memref"(%arg0, %c14_i32, %c4_i32, %c9_i32) <{operandSegmentSizes = array<i32: 1, 0, 2, 1>}> : (!nv_tileaa.ptr<f8E5M2, 1>, i32, i32, i32) -> !nv_tileaa.memref<?x?x7xf8E5M2, strides = [23, 37, ?]>
    %1 = "nv_tileaa.block_tile"(%0) <{dimGroups = [array<i64: 1>, array<i64: 0>, array<i64: 2>], tileSizes = array<i64: 2, 32, 1>}> : (!nv_tileaa.memref<?x?x7xf8E5M2, strides = [23, 37, ?]>) -> !nv_tileaa.tiled_view<!nv_tileaa.memref<?x?x7xf8E5M2, strides = [23, 37, ?]>, [2, 32, 1]>
    "nv_tileaa.return"() : () -> ()
  }) : () -> ()
}

// -----

cuda_tile.module @kernels {
  entry @k0(%arg0: tile<ptr<f32, <unicast>>>) {
    %reshape = reshape %arg0 : tile<ptr<f32, <unicast>>> -> tile<1x1xptr<f32, <unicast>>>
    %cst_45_i8 = constant <i8: 45> : tile<1x1xi8>
    %0 = offset %reshape, %cst_45_i8 : tile<1x1xptr<f32, <unicast>>>, tile<1x1xi8> -> tile<1x1xptr<f32, <unicast>>>
    %reshape_0 = reshape %0 : tile<1x1xptr<f32, <unicast>>> -> tile<ptr<f32, <unicast>>>
    %cst_6_i8 = constant <i8: 6> : tile<i8>
    %cst_8_i8 = constant <i8: 8> : tile<i8>
    %cst_49_i8 = constant <i8: 49> : tile<i8>
    %tview = make_tensor_view %reshape_0, shape = [%cst_6_i8, %cst_8_i8], strides = [26, %cst_49_i8] : tile<ptr<f32, <unicast>>>, tile<i8> -> tensor_view<?x?xf32, strides=[26,?], #cuda_tile.ptr_attr<unicast>>
    %pview = make_partition_view %tview : partition_view<tile=(4x16), tensor_view<?x?xf32, strides=[26,?], #cuda_tile.ptr_attr<unicast>>>
    return
  }
}
// becomes
module {
  "nv_tileaa.func"() <{function_type = (!nv_tileaa.ptr<f32, 1>) -> (), kernel_spec = #nv_tileaa.kernel_spec<clusterDim=[1,1,1]>, sym_name = "k0"}> ({
  ^bb0(%arg0: !nv_tileaa.ptr<f32, 1>):
    %0 = "nv_tileaa.splat"(%arg0) : (!nv_tileaa.ptr<f32, 1>) -> tensor<1x1x!nv_tileaa.ptr<f32, 1>>
    %1 = "nv_tileaa.splat"() <{value = 45 : i8}> : () -> tensor<1x1xi8>
    %2 = "nv_tileaa.addptr"(%0, %1) : (tensor<1x1x!nv_tileaa.ptr<f32, 1>>, tensor<1x1xi8>) -> tensor<1x1x!nv_tileaa.ptr<f32, 1>>
    %c0_i32 = arith.constant 0 : i32
    %3 = "nv_tileaa.extract"(%2, %c0_i32, %c0_i32) : (tensor<1x1x!nv_tileaa.ptr<f32, 1>>, i32, i32) -> !nv_tileaa.ptr<f32, 1>
    %c6_i8 = arith.constant 6 : i8
    %c8_i8 = arith.constant 8 : i8
    %c49_i8 = arith.constant 49 : i8
    %4 = arith.extui %c6_i8 : i8 to i32
    %5 = arith.extui %c8_i8 : i8 to i32
    %6 = arith.extui %c49_i8 : i8 to i32
    %7 = "nv_tileaa.make_memref"(%3, %4, %5, %6) <{operandSegmentSizes = array<i32: 1, 0, 2, 1>}> : (!nv_tileaa.ptr<f32, 1>, i32, i32, i32) -> !nv_tileaa.memref<?x?xf32, strides = [26, ?]>
    %8 = "nv_tileaa.block_tile"(%7) <{dimGroups = [array<i64: 0>, array<i64: 1>], tileSizes = array<i64: 4, 16>}> : (!nv_tileaa.memref<?x?xf32, strides = [26, ?]>) -> !nv_tileaa.tiled_view<!nv_tileaa.memref<?x?xf32, strides = [26, ?]>, [4, 16]>
    "nv_tileaa.return"() : () -> ()
  }) : () -> ()
}
