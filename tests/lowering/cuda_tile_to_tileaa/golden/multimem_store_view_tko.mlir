cuda_tile.module @kernels {
  entry @k0(%arg0: tile<ptr<bf16, <multicast>>>) {
    %true = constant <i1: true> : tile<i1>
    %tview = make_tensor_view %arg0, shape = [%true], strides = [1] : tile<ptr<bf16, <multicast>>>, tile<i1> -> tensor_view<?xbf16, strides=[1], #cuda_tile.ptr_attr<multicast>>
    %pview = make_partition_view %tview : partition_view<tile=(64), tensor_view<?xbf16, strides=[1], #cuda_tile.ptr_attr<multicast>>>
    %cst_0_i64 = constant <i64: 0> : tile<i64>
    %cst_bf16 = constant <bf16: __elided__> : tile<64xbf16>
    %0 = make_token : token
    %1 = multimem_store_view_tko relaxed tl_blk %pview, %cst_bf16[%cst_0_i64] token = %0 inbounds = [true] : partition_view<tile=(64), tensor_view<?xbf16, strides=[1], #cuda_tile.ptr_attr<multicast>>>, tile<64xbf16>, tile<i64>, token -> token
    return
  }
}
// becomes
module {
  "nv_tileaa.func"() <{function_type = (!nv_tileaa.ptr<bf16, 1>) -> (), kernel_spec = #nv_tileaa.kernel_spec<numWarps=4, clusterDim=[1,1,1]>, sym_name = "k0"}> ({
  ^bb0(%arg0: !nv_tileaa.ptr<bf16, 1>):
    %true = arith.constant true
    %0 = arith.extui %true : i1 to i32
    %1 = "nv_tileaa.make_memref"(%arg0, %0) <{operandSegmentSizes = array<i32: 1, 0, 1, 0>}> : (!nv_tileaa.ptr<bf16, 1>, i32) -> !nv_tileaa.memref<?xbf16, strides = [1]>
    %2 = "nv_tileaa.block_tile"(%1) <{dimGroups = [array<i64: 0>], tileSizes = array<i64: 64>}> : (!nv_tileaa.memref<?xbf16, strides = [1]>) -> !nv_tileaa.tiled_view<!nv_tileaa.memref<?xbf16, strides = [1]>, [64]>
    %c0_i64 = arith.constant 0 : i64
    %cst = "nv_tileaa.constant_tensor"() <{value = dense_resource<__elided__> : tensor<64xbf16>}> : () -> tensor<64xbf16>
    %3 = "nv_tileaa.create_mem_token"() : () -> !nv_tileaa.mem_token
    %4 = "nv_tileaa.tiled_store"(%2, %cst, %c0_i64, %3) <{cache_modifier = #nv_tileaa.cache_modifier<none>, eviction_policy = #nv_tileaa.eviction_policy<none>, mem_scope = #nv_tileaa.mem_scope<tl_blk>, mem_semantic = #nv_tileaa.mem_semantic<relaxed>, operandSegmentSizes = array<i32: 1, 1, 1, 1>}> {nv_tileaa.multicast} : (!nv_tileaa.tiled_view<!nv_tileaa.memref<?xbf16, strides = [1]>, [64]>, tensor<64xbf16>, i64, !nv_tileaa.mem_token) -> !nv_tileaa.mem_token
    "nv_tileaa.return"() : () -> ()
  }) : () -> ()
}

// -----

cuda_tile.module @kernels {
  entry @k0(%arg0: tile<ptr<f16, <multicast>>>) {
    %cst_9_i32 = constant <i32: 9> : tile<i32>
    %cst_14_i32 = constant <i32: 14> : tile<i32>
    %cst_5_i32 = constant <i32: 5> : tile<i32>
    %cst_31_i32 = constant <i32: 31> : tile<i32>
    %tview = make_tensor_view %arg0, shape = [%cst_9_i32, %cst_14_i32, %cst_5_i32], strides = [1, 45, %cst_31_i32] : tile<ptr<f16, <multicast>>>, tile<i32> -> tensor_view<?x?x?xf16, strides=[1,45,?], #cuda_tile.ptr_attr<multicast>>
    %pview = make_partition_view %tview : partition_view<tile=(1x1x2), tensor_view<?x?x?xf16, strides=[1,45,?], #cuda_tile.ptr_attr<multicast>>, dim_map=[0, 2, 1]>
    %cst_0_i8 = constant <i8: 0> : tile<i8>
    %cst_2_i8 = constant <i8: 2> : tile<i8>
    %cst_4_i8 = constant <i8: 4> : tile<i8>
    %cst_f16 = constant <f16: 9.208980e-01> : tile<1x1x2xf16>
    %0 = make_token : token
    %1 = multimem_store_view_tko weak %pview, %cst_f16[%cst_0_i8, %cst_2_i8, %cst_4_i8] token = %0  : partition_view<tile=(1x1x2), tensor_view<?x?x?xf16, strides=[1,45,?], #cuda_tile.ptr_attr<multicast>>, dim_map=[0, 2, 1]>, tile<1x1x2xf16>, tile<i8>, token -> token
    return
  }
}
// becomes
module {
  "nv_tileaa.func"() <{function_type = (!nv_tileaa.ptr<f16, 1>) -> (), kernel_spec = #nv_tileaa.kernel_spec<numWarps=4, clusterDim=[1,1,1]>, sym_name = "k0"}> ({
  ^bb0(%arg0: !nv_tileaa.ptr<f16, 1>):
    %c9_i32 = arith.constant 9 : i32
    %c14_i32 = arith.constant 14 : i32
    %c5_i32 = arith.constant 5 : i32
    %c31_i32 = arith.constant 31 : i32
    %0 = "nv_tileaa.make_memref"(%arg0, %c9_i32, %c14_i32, %c5_i32, %c31_i32) <{operandSegmentSizes = array<i32: 1, 0, 3, 1>}> : (!nv_tileaa.ptr<f16, 1>, i32, i32, i32, i32) -> !nv_tileaa.memref<?x?x?xf16, strides = [1, 45, ?]>
    %1 = "nv_tileaa.block_tile"(%0) <{dimGroups = [array<i64: 0>, array<i64: 2>, array<i64: 1>], tileSizes = array<i64: 1, 1, 2>}> : (!nv_tileaa.memref<?x?x?xf16, strides = [1, 45, ?]>) -> !nv_tileaa.tiled_view<!nv_tileaa.memref<?x?x?xf16, strides = [1, 45, ?]>, [1, 1, 2]>
    %c0_i8 = arith.constant 0 : i8
    %c2_i8 = arith.constant 2 : i8
    %c4_i8 = arith.constant 4 : i8
    %2 = "nv_tileaa.splat"() <{value = 9.208980e-01 : f16}> : () -> tensor<1x1x2xf16>
    %3 = "nv_tileaa.create_mem_token"() : () -> !nv_tileaa.mem_token
    %4 = arith.extui %c0_i8 : i8 to i32
    %5 = arith.extui %c2_i8 : i8 to i32
    %6 = arith.extui %c4_i8 : i8 to i32
    %7 = "nv_tileaa.tiled_store"(%1, %2, %4, %5, %6, %3) <{cache_modifier = #nv_tileaa.cache_modifier<none>, eviction_policy = #nv_tileaa.eviction_policy<none>, mem_semantic = #nv_tileaa.mem_semantic<weak>, operandSegmentSizes = array<i32: 1, 1, 3, 1>}> {nv_tileaa.multicast} : (!nv_tileaa.tiled_view<!nv_tileaa.memref<?x?x?xf16, strides = [1, 45, ?]>, [1, 1, 2]>, tensor<1x1x2xf16>, i32, i32, i32, !nv_tileaa.mem_token) -> !nv_tileaa.mem_token
    "nv_tileaa.return"() : () -> ()
  }) : () -> ()
}
