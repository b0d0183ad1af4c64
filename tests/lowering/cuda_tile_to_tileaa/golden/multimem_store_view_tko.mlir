cuda_tile.module @kernels {
  entry @k0(%arg0: tile<ptr<bf16, <multicast>>>, %arg1: tile<bf16>) {
    %cst_10_i64 = constant <i64: 10> : tile<i64>
    %tview = make_tensor_view %arg0, shape = [%cst_10_i64], strides = [1] : tile<ptr<bf16, <multicast>>>, tile<i64> -> tensor_view<?xbf16, strides=[1], #cuda_tile.ptr_attr<multicast>>
    %pview = make_partition_view %tview : partition_view<tile=(64), tensor_view<?xbf16, strides=[1], #cuda_tile.ptr_attr<multicast>>>
    %cst_0_i64 = constant <i64: 0> : tile<i64>
    %reshape = reshape %arg1 : tile<bf16> -> tile<1xbf16>
    %bcast = broadcast %reshape : tile<1xbf16> -> tile<64xbf16>
    %0 = make_token : token
    %1 = multimem_store_view_tko relaxed tl_blk %pview, %bcast[%cst_0_i64] token = %0 inbounds = [true] : partition_view<tile=(64), tensor_view<?xbf16, strides=[1], #cuda_tile.ptr_attr<multicast>>>, tile<64xbf16>, tile<i64>, token -> token
    return
  }
}
// becomes
module {
  "nv_tileaa.func"() <{function_type = (!nv_tileaa.ptr<bf16, 1>, bf16) -> (), kernel_spec = #nv_tileaa.kernel_spec<clusterDim=[1,1,1]>, sym_name = "k0"}> ({
  ^bb0(%arg0: !nv_tileaa.ptr<bf16, 1>, %arg1: bf16):
    %c10_i64 = arith.constant 10 : i64
    %0 = "nv_tileaa.make_memref"(%arg0, %c10_i64) <{operandSegmentSizes = array<i32: 1, 0, 1, 0>}> : (!nv_tileaa.ptr<bf16, 1>, i64) -> !nv_tileaa.memref<?xbf16, strides = [1]>
    %1 = "nv_tileaa.block_tile"(%0) <{dimGroups = [array<i64: 0>], tileSizes = array<i64: 64>}> : (!nv_tileaa.memref<?xbf16, strides = [1]>) -> !nv_tileaa.tiled_view<!nv_tileaa.memref<?xbf16, strides = [1]>, [64]>
    %c0_i64 = arith.constant 0 : i64
    %2 = "nv_tileaa.splat"(%arg1) : (bf16) -> tensor<1xbf16>
    %3 = "nv_tileaa.splat"(%arg1) : (bf16) -> tensor<64xbf16>
    %4 = "nv_tileaa.create_mem_token"() : () -> !nv_tileaa.mem_token
    %5 = "nv_tileaa.tiled_store"(%1, %3, %c0_i64, %4) <{cache_modifier = #nv_tileaa.cache_modifier<none>, eviction_policy = #nv_tileaa.eviction_policy<none>, mem_scope = #nv_tileaa.mem_scope<tl_blk>, mem_semantic = #nv_tileaa.mem_semantic<relaxed>, multicast, operandSegmentSizes = array<i32: 1, 1, 1, 1>}> : (!nv_tileaa.tiled_view<!nv_tileaa.memref<?xbf16, strides = [1]>, [64]>, tensor<64xbf16>, i64, !nv_tileaa.mem_token) -> !nv_tileaa.mem_token
    "nv_tileaa.return"() : () -> ()
  }) : () -> ()
}

// -----

cuda_tile.module @kernels {
  entry @k0(%arg0: tile<ptr<f16, <multicast>>>, %arg1: tile<f16>) {
    %cst_6_i32 = constant <i32: 6> : tile<i32>
    %cst_10_i32 = constant <i32: 10> : tile<i32>
    %cst_8_i32 = constant <i32: 8> : tile<i32>
    %cst_45_i32 = constant <i32: 45> : tile<i32>
    %tview = make_tensor_view %arg0, shape = [%cst_6_i32, %cst_10_i32, %cst_8_i32], strides = [1, 45, %cst_45_i32] : tile<ptr<f16, <multicast>>>, tile<i32> -> tensor_view<?x?x?xf16, strides=[1,45,?], #cuda_tile.ptr_attr<multicast>>
    %pview = make_partition_view %tview : partition_view<tile=(1x1x2), tensor_view<?x?x?xf16, strides=[1,45,?], #cuda_tile.ptr_attr<multicast>>, dim_map=[0, 2, 1]>
    %cst_4_i16 = constant <i16: 4> : tile<i16>
    %cst_1_i16 = constant <i16: 1> : tile<i16>
    %cst_0_i16 = constant <i16: 0> : tile<i16>
    %reshape = reshape %arg1 : tile<f16> -> tile<1x1xf16>
    %bcast = broadcast %reshape : tile<1x1xf16> -> tile<1x2xf16>
    %reshape_0 = reshape %bcast : tile<1x2xf16> -> tile<1x1x2xf16>
    %0 = multimem_store_view_tko weak %pview, %reshape_0[%cst_4_i16, %cst_1_i16, %cst_0_i16] inbounds = [true, false, false] : partition_view<tile=(1x1x2), tensor_view<?x?x?xf16, strides=[1,45,?], #cuda_tile.ptr_attr<multicast>>, dim_map=[0, 2, 1]>, tile<1x1x2xf16>, tile<i16> -> token
    return
  }
}
// becomes
module {
  "nv_tileaa.func"() <{function_type = (!nv_tileaa.ptr<f16, 1>, f16) -> (), kernel_spec = #nv_tileaa.kernel_spec<clusterDim=[1,1,1]>, sym_name = "k0"}> ({
  ^bb0(%arg0: !nv_tileaa.ptr<f16, 1>, %arg1: f16):
    %c6_i32 = arith.constant 6 : i32
    %c10_i32 = arith.constant 10 : i32
    %c8_i32 = arith.constant 8 : i32
    %c45_i32 = arith.constant 45 : i32
    %0 = "nv_tileaa.make_memref"(%arg0, %c6_i32, %c10_i32, %c8_i32, %c45_i32) <{operandSegmentSizes = array<i32: 1, 0, 3, 1>}> : (!nv_tileaa.ptr<f16, 1>, i32, i32, i32, i32) -> !nv_tileaa.memref<?x?x?xf16, strides = [1, 45, ?]>
    %1 = "nv_tileaa.block_tile"(%0) <{dimGroups = [array<i64: 0>, array<i64: 2>, array<i64: 1>], tileSizes = array<i64: 1, 1, 2>}> : (!nv_tileaa.memref<?x?x?xf16, strides = [1, 45, ?]>) -> !nv_tileaa.tiled_view<!nv_tileaa.memref<?x?x?xf16, strides = [1, 45, ?]>, [1, 1, 2]>
    %c4_i16 = arith.constant 4 : i16
    %c1_i16 = arith.constant 1 : i16
    %c0_i16 = arith.constant 0 : i16
    %2 = "nv_tileaa.splat"(%arg1) : (f16) -> tensor<1x1xf16>
    %3 = "nv_tileaa.splat"(%arg1) : (f16) -> tensor<1x2xf16>
    %4 = "nv_tileaa.expand_dims"(%3) <{axis = 0 : i32}> : (tensor<1x2xf16>) -> tensor<1x1x2xf16>
    %5 = arith.extui %c4_i16 : i16 to i32
    %6 = arith.extui %c1_i16 : i16 to i32
    %7 = arith.extui %c0_i16 : i16 to i32
    %8 = "nv_tileaa.tiled_store"(%1, %4, %5, %6, %7) <{cache_modifier = #nv_tileaa.cache_modifier<none>, eviction_policy = #nv_tileaa.eviction_policy<none>, mem_semantic = #nv_tileaa.mem_semantic<weak>, multicast, operandSegmentSizes = array<i32: 1, 1, 3, 0>}> : (!nv_tileaa.tiled_view<!nv_tileaa.memref<?x?x?xf16, strides = [1, 45, ?]>, [1, 1, 2]>, tensor<1x1x2xf16>, i32, i32, i32) -> !nv_tileaa.mem_token
    "nv_tileaa.return"() : () -> ()
  }) : () -> ()
}
