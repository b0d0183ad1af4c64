cuda_tile.module @kernels {
  entry @k0(%arg0: tile<ptr<i32, <multicast>>>) {
    %cst_7_i16 = constant <i16: 7> : tile<i16>
    %tview = make_tensor_view %arg0, shape = [6, 10], strides = [%cst_7_i16, 21] : tile<ptr<i32, <multicast>>>, tile<i16> -> tensor_view<6x10xi32, strides=[?,21], #cuda_tile.ptr_attr<multicast>>
    %pview = make_partition_view %tview : partition_view<tile=(1x4), tensor_view<6x10xi32, strides=[?,21], #cuda_tile.ptr_attr<multicast>>>
    %cst_0_i64 = constant <i64: 0> : tile<i64>
    %cst_0_i64_0 = constant <i64: 0> : tile<i64>
    %reduced_values, %result_token = multimem_load_reduce_view_tko acquire device %pview[%cst_0_i64, %cst_0_i64_0]  attributes {reduction = #cuda_tile.multimem_reduction_kind<xor>} : partition_view<tile=(1x4), tensor_view<6x10xi32, strides=[?,21], #cuda_tile.ptr_attr<multicast>>>, tile<i64> -> tile<1x4xi32>, token
    return
  }
}
// becomes
module {
  "nv_tileaa.func"() <{function_type = (!nv_tileaa.ptr<i32, 1>) -> (), kernel_spec = #nv_tileaa.kernel_spec<clusterDim=[1,1,1]>, sym_name = "k0"}> ({
  ^bb0(%arg0: !nv_tileaa.ptr<i32, 1>):
    %c7_i16 = arith.constant 7 : i16
    %0 = arith.extui %c7_i16 : i16 to i32
    %1 = "nv_tileaa.make_memref"(%arg0, %0) <{operandSegmentSizes = array<i32: 1, 0, 0, 1>}> : (!nv_tileaa.ptr<i32, 1>, i32) -> !nv_tileaa.memref<6x10xi32, strides = [?, 21]>
    %2 = "nv_tileaa.block_tile"(%1) <{dimGroups = [array<i64: 0>, array<i64: 1>], tileSizes = array<i64: 1, 4>}> : (!nv_tileaa.memref<6x10xi32, strides = [?, 21]>) -> !nv_tileaa.tiled_view<!nv_tileaa.memref<6x10xi32, strides = [?, 21]>, [1, 4]>
    %c0_i64 = arith.constant 0 : i64
    %c0_i64_0 = arith.constant 0 : i64
    %value, %token = "nv_tileaa.tiled_load"(%2, %c0_i64, %c0_i64_0) <{cache_modifier = #nv_tileaa.cache_modifier<none>, eviction_policy = #nv_tileaa.eviction_policy<none>, mem_scope = #nv_tileaa.mem_scope<gpu>, mem_semantic = #nv_tileaa.mem_semantic<acquire>, multicast, operandSegmentSizes = array<i32: 1, 2, 0>, reduction = #nv_tileaa.rmw_mode<xor>}> : (!nv_tileaa.tiled_view<!nv_tileaa.memref<6x10xi32, strides = [?, 21]>, [1, 4]>, i64, i64) -> (tensor<1x4xi32>, !nv_tileaa.mem_token)
    "nv_tileaa.return"() : () -> ()
  }) : () -> ()
}

// -----

cuda_tile.module @kernels {
  entry @k0(%arg0: tile<ptr<i32, <multicast>>>) {
    %true = constant <i1: true> : tile<i1>
    %tview = make_tensor_view %arg0, shape = [14], strides = [%true] : tile<ptr<i32, <multicast>>>, tile<i1> -> tensor_view<14xi32, strides=[?], #cuda_tile.ptr_attr<multicast>>
    %pview = make_partition_view %tview : partition_view<tile=(8), tensor_view<14xi32, strides=[?], #cuda_tile.ptr_attr<multicast>>>
    %cst_0_i16 = constant <i16: 0> : tile<i16>
    %reduced_values, %result_token = multimem_load_reduce_view_tko acquire device %pview[%cst_0_i16] inbounds = [true] attributes {reduction = #cuda_tile.multimem_reduction_kind<and>} : partition_view<tile=(8), tensor_view<14xi32, strides=[?], #cuda_tile.ptr_attr<multicast>>>, tile<i16> -> tile<8xi32>, token
    return
  }
}
// becomes
module {
  "nv_tileaa.func"() <{function_type = (!nv_tileaa.ptr<i32, 1>) -> (), kernel_spec = #nv_tileaa.kernel_spec<clusterDim=[1,1,1]>, sym_name = "k0"}> ({
  ^bb0(%arg0: !nv_tileaa.ptr<i32, 1>):
    %true = arith.constant true
    %0 = arith.extui %true : i1 to i32
    %1 = "nv_tileaa.make_memref"(%arg0, %0) <{operandSegmentSizes = array<i32: 1, 0, 0, 1>}> : (!nv_tileaa.ptr<i32, 1>, i32) -> !nv_tileaa.memref<14xi32, strides = [?]>
    %2 = "nv_tileaa.block_tile"(%1) <{dimGroups = [array<i64: 0>], tileSizes = array<i64: 8>}> : (!nv_tileaa.memref<14xi32, strides = [?]>) -> !nv_tileaa.tiled_view<!nv_tileaa.memref<14xi32, strides = [?]>, [8]>
    %c0_i16 = arith.constant 0 : i16
    %3 = arith.extui %c0_i16 : i16 to i32
    %value, %token = "nv_tileaa.tiled_load"(%2, %3) <{cache_modifier = #nv_tileaa.cache_modifier<none>, eviction_policy = #nv_tileaa.eviction_policy<none>, mem_scope = #nv_tileaa.mem_scope<gpu>, mem_semantic = #nv_tileaa.mem_semantic<acquire>, multicast, operandSegmentSizes = array<i32: 1, 1, 0>, reduction = #nv_tileaa.rmw_mode<and>}> : (!nv_tileaa.tiled_view<!nv_tileaa.memref<14xi32, strides = [?]>, [8]>, i32) -> (tensor<8xi32>, !nv_tileaa.mem_token)
    "nv_tileaa.return"() : () -> ()
  }) : () -> ()
}
