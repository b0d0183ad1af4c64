cuda_tile.module @kernels {
  entry @k0(%arg0: tile<ptr<i32, <multicast>>>) {
    %cst_25_i8 = constant <i8: 25> : tile<i8>
    %tview = make_tensor_view %arg0, shape = [6, 10], strides = [%cst_25_i8, 21] : tile<ptr<i32, <multicast>>>, tile<i8> -> tensor_view<6x10xi32, strides=[?,21], #cuda_tile.ptr_attr<multicast>>
    %pview = make_partition_view %tview : partition_view<tile=(1x4), tensor_view<6x10xi32, strides=[?,21], #cuda_tile.ptr_attr<multicast>>>
    %false = constant <i1: false> : tile<i1>
    %false_0 = constant <i1: false> : tile<i1>
    %reduced_values, %result_token = multimem_load_reduce_view_tko acquire device %pview[%false, %false_0] inbounds = [true, false] attributes {reduction = #cuda_tile.multimem_reduction_kind<xor>} : partition_view<tile=(1x4), tensor_view<6x10xi32, strides=[?,21], #cuda_tile.ptr_attr<multicast>>>, tile<i1> -> tile<1x4xi32>, token
    return
  }
}
// becomes
module {
  "nv_tileaa.func"() <{function_type = (!nv_tileaa.ptr<i32, 1>) -> (), kernel_spec = #nv_tileaa.kernel_spec<numWarps=4, clusterDim=[1,1,1]>, sym_name = "k0"}> ({
  ^bb0(%arg0: !nv_tileaa.ptr<i32, 1>):
    %c25_i8 = arith.constant 25 : i8
    %0 = arith.extui %c25_i8 : i8 to i32
    %1 = "nv_tileaa.make_memref"(%arg0, %0) <{operandSegmentSizes = array<i32: 1, 0, 0, 1>}> : (!nv_tileaa.ptr<i32, 1>, i32) -> !nv_tileaa.memref<6x10xi32, strides = [?, 21]>
    %2 = "nv_tileaa.block_tile"(%1) <{dimGroups = [array<i64: 0>, array<i64: 1>], tileSizes = array<i64: 1, 4>}> : (!nv_tileaa.memref<6x10xi32, strides = [?, 21]>) -> !nv_tileaa.tiled_view<!nv_tileaa.memref<6x10xi32, strides = [?, 21]>, [1, 4]>
    %false = arith.constant false
    %false_0 = arith.constant false
    %3 = arith.extui %false : i1 to i32
    %4 = arith.extui %false_0 : i1 to i32
    %value, %token = "nv_tileaa.tiled_load"(%2, %3, %4) <{cache_modifier = #nv_tileaa.cache_modifier<none>, eviction_policy = #nv_tileaa.eviction_policy<none>, mem_scope = #nv_tileaa.mem_scope<gpu>, mem_semantic = #nv_tileaa.mem_semantic<acquire>, operandSegmentSizes = array<i32: 1, 2, 0>}> {nv_tileaa.multicast} : (!nv_tileaa.tiled_view<!nv_tileaa.memref<6x10xi32, strides = [?, 21]>, [1, 4]>, i32, i32) -> (tensor<1x4xi32>, !nv_tileaa.mem_token)
    "nv_tileaa.return"() : () -> ()
  }) : () -> ()
}

// -----

cuda_tile.module @kernels {
  entry @k0(%arg0: tile<ptr<i32, <multicast>>>) {
    %true = constant <i1: true> : tile<i1>
    %tview = make_tensor_view %arg0, shape = [14], strides = [%true] : tile<ptr<i32, <multicast>>>, tile<i1> -> tensor_view<14xi32, strides=[?], #cuda_tile.ptr_attr<multicast>>
    %pview = make_partition_view %tview : partition_view<tile=(8), tensor_view<14xi32, strides=[?], #cuda_tile.ptr_attr<multicast>>>
    %cst_1_i64 = constant <i64: 1> : tile<i64>
    %0 = make_token : token
    %reduced_values, %result_token = multimem_load_reduce_view_tko acquire device %pview[%cst_1_i64] token = %0  attributes {reduction = #cuda_tile.multimem_reduction_kind<and>} : partition_view<tile=(8), tensor_view<14xi32, strides=[?], #cuda_tile.ptr_attr<multicast>>>, tile<i64>, token -> tile<8xi32>, token
    return
  }
}
// becomes
module {
  "nv_tileaa.func"() <{function_type = (!nv_tileaa.ptr<i32, 1>) -> (), kernel_spec = #nv_tileaa.kernel_spec<numWarps=4, clusterDim=[1,1,1]>, sym_name = "k0"}> ({
  ^bb0(%arg0: !nv_tileaa.ptr<i32, 1>):
    %true = arith.constant true
    %0 = arith.extui %true : i1 to i32
    %1 = "nv_tileaa.make_memref"(%arg0, %0) <{operandSegmentSizes = array<i32: 1, 0, 0, 1>}> : (!nv_tileaa.ptr<i32, 1>, i32) -> !nv_tileaa.memref<14xi32, strides = [?]>
    %2 = "nv_tileaa.block_tile"(%1) <{dimGroups = [array<i64: 0>], tileSizes = array<i64: 8>}> : (!nv_tileaa.memref<14xi32, strides = [?]>) -> !nv_tileaa.tiled_view<!nv_tileaa.memref<14xi32, strides = [?]>, [8]>
    %c1_i64 = arith.constant 1 : i64
    %3 = "nv_tileaa.create_mem_token"() : () -> !nv_tileaa.mem_token
    %value, %token = "nv_tileaa.tiled_load"(%2, %c1_i64, %3) <{cache_modifier = #nv_tileaa.cache_modifier<none>, eviction_policy = #nv_tileaa.eviction_policy<none>, in_bounds = array<i1: false>, mem_scope = #nv_tileaa.mem_scope<gpu>, mem_semantic = #nv_tileaa.mem_semantic<acquire>, operandSegmentSizes = array<i32: 1, 1, 1>, padding_value = #nv_tileaa.padding_value<zero>}> {nv_tileaa.multicast} : (!nv_tileaa.tiled_view<!nv_tileaa.memref<14xi32, strides = [?]>, [8]>, i64, !nv_tileaa.mem_token) -> (tensor<8xi32>, !nv_tileaa.mem_token)
    "nv_tileaa.return"() : () -> ()
  }) : () -> ()
}
