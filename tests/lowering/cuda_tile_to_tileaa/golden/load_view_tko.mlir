cuda_tile.module @kernels {
  entry @k0(%arg0: tile<ptr<f8E4M3FN>>) {
    %cst_58_i32 = constant <i32: 58> : tile<i32>
    %tview = make_tensor_view %arg0, shape = [9], strides = [%cst_58_i32] : tile<i32> -> tensor_view<9xf8E4M3FN, strides=[?]>
    %pview = make_partition_view %tview : partition_view<tile=(1), tensor_view<9xf8E4M3FN, strides=[?]>>
    %cst_5_i16 = constant <i16: 5> : tile<i16>
    %0 = make_token : token
    %tile, %result_token = load_view_tko acquire tl_blk %pview[%cst_5_i16] token = %0 inbounds = [false] : partition_view<tile=(1), tensor_view<9xf8E4M3FN, strides=[?]>>, tile<i16> -> tile<1xf8E4M3FN>, token
    return
  }
}
// becomes
module {
  "nv_tileaa.func"() <{function_type = (!nv_tileaa.ptr<f8E4M3FN, 1>) -> (), kernel_spec = #nv_tileaa.kernel_spec<clusterDim=[1,1,1]>, sym_name = "k0"}> ({
  ^bb0(%arg0: !nv_tileaa.ptr<f8E4M3FN, 1>):
    %c58_i32 = arith.constant 58 : i32
    %0 = "nv_tileaa.make_memref"(%arg0, %c58_i32) <{operandSegmentSizes = array<i32: 1, 0, 0, 1>}> : (!nv_tileaa.ptr<f8E4M3FN, 1>, i32) -> !nv_tileaa.memref<9xf8E4M3FN, strides = [?]>
    %1 = "nv_tileaa.block_tile"(%0) <{dimGroups = [array<i64: 0>], tileSizes = array<i64: 1>}> : (!nv_tileaa.memref<9xf8E4M3FN, strides = [?]>) -> !nv_tileaa.tiled_view<!nv_tileaa.memref<9xf8E4M3FN, strides = [?]>, [1]>
    %c5_i16 = arith.constant 5 : i16
    %2 = "nv_tileaa.create_mem_token"() : () -> !nv_tileaa.mem_token
    %3 = arith.extui %c5_i16 : i16 to i32
    %value, %token = "nv_tileaa.tiled_load"(%1, %3, %2) <{cache_modifier = #nv_tileaa.cache_modifier<none>, eviction_policy = #nv_tileaa.eviction_policy<none>, mem_scope = #nv_tileaa.mem_scope<tl_blk>, mem_semantic = #nv_tileaa.mem_semantic<acquire>, operandSegmentSizes = array<i32: 1, 1, 1>}> : (!nv_tileaa.tiled_view<!nv_tileaa.memref<9xf8E4M3FN, strides = [?]>, [1]>, i32, !nv_tileaa.mem_token) -> (tensor<1xf8E4M3FN>, !nv_tileaa.mem_token)
    "nv_tileaa.return"() : () -> ()
  }) : () -> ()
}

// -----

cuda_tile.module @kernels {
  entry @k0(%arg0: tile<ptr<i32, <unicast>>>) {
    %cst_8_i16 = constant <i16: 8> : tile<i16>
    %cst_62_i16 = constant <i16: 62> : tile<i16>
    %cst_25_i16 = constant <i16: 25> : tile<i16>
    %tview = make_tensor_view %arg0, shape = [%cst_8_i16, 10], strides = [%cst_62_i16, %cst_25_i16] : tile<ptr<i32, <unicast>>>, tile<i16> -> tensor_view<?x10xi32, strides=[?,?], #cuda_tile.ptr_attr<unicast>>
    %gsview = make_gather_scatter_view %tview : gather_scatter_view<tile=(1x8), padding_value = zero, tensor_view<?x10xi32, strides=[?,?], #cuda_tile.ptr_attr<unicast>>, sparse_dim=1>
    %cst_1_i64 = constant <i64: 1> : tile<i64>
    %cst_i64 = constant <i64: [9, 6, 6, 5, 9, 1, 8, 5]> : tile<8xi64>
    %tile, %result_token = load_view_tko acquire device %gsview[%cst_1_i64, %cst_i64] inbounds = [false, false] : gather_scatter_view<tile=(1x8), padding_value = zero, tensor_view<?x10xi32, strides=[?,?], #cuda_tile.ptr_attr<unicast>>, sparse_dim=1>, tile<i64>, tile<8xi64> -> tile<1x8xi32>, token
    return
  }
}
// becomes
module {
  "nv_tileaa.func"() <{function_type = (!nv_tileaa.ptr<i32, 1>) -> (), kernel_spec = #nv_tileaa.kernel_spec<clusterDim=[1,1,1]>, sym_name = "k0"}> ({
  ^bb0(%arg0: !nv_tileaa.ptr<i32, 1>):
    %c8_i16 = arith.constant 8 : i16
    %c62_i16 = arith.constant 62 : i16
    %c25_i16 = arith.constant 25 : i16
    %0 = arith.extui %c8_i16 : i16 to i32
    %1 = arith.extui %c62_i16 : i16 to i32
    %2 = arith.extui %c25_i16 : i16 to i32
    %3 = "nv_tileaa.make_memref"(%arg0, %0, %1, %2) <{operandSegmentSizes = array<i32: 1, 0, 1, 2>}> : (!nv_tileaa.ptr<i32, 1>, i32, i32, i32) -> !nv_tileaa.memref<?x10xi32, strides = [?, ?]>
    %c1_i64 = arith.constant 1 : i64
    %cst = "nv_tileaa.constant_tensor"() <{value = dense<[9, 6, 6, 5, 9, 1, 8, 5]> : tensor<8xi64>}> : () -> tensor<8xi64>
    %4 = "nv_tileaa.make_memref"(%arg0, %0, %2, %1) <{operandSegmentSizes = array<i32: 1, 0, 1, 2>}> : (!nv_tileaa.ptr<i32, 1>, i32, i32, i32) -> !nv_tileaa.memref<10x?xi32, strides = [?, ?]>
    %5:2 = "nv_tileaa.gather_load"(%4, %cst, %c1_i64) <{mem_scope = #nv_tileaa.mem_scope<gpu>, mem_semantic = #nv_tileaa.mem_semantic<acquire>, operandSegmentSizes = array<i32: 1, 1, 1, 0, 0>, padding_value = #nv_tileaa.padding_value<zero>}> : (!nv_tileaa.memref<10x?xi32, strides = [?, ?]>, tensor<8xi64>, i64) -> (tensor<8x1xi32>, !nv_tileaa.mem_token)
    %6 = "nv_tileaa.permute"(%5#0) <{permutation = array<i64: 1, 0>}> : (tensor<8x1xi32>) -> tensor<1x8xi32>
    "nv_tileaa.return"() : () -> ()
  }) : () -> ()
}
