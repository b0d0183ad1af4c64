cuda_tile.module @kernels {
  entry @k0(%arg0: tile<ptr<i1, <none>>>) {
    %cst_8_i32 = constant <i32: 8> : tile<i32>
    %cst_13_i32 = constant <i32: 13> : tile<i32>
    %tview = make_tensor_view %arg0, shape = [14, %cst_8_i32], strides = [45, %cst_13_i32] : tile<ptr<i1, <none>>>, tile<i32> -> tensor_view<14x?xi1, strides=[45,?], #cuda_tile.ptr_attr<none>>
    %pview = make_partition_view %tview : partition_view<tile=(8x4), padding_value = zero, tensor_view<14x?xi1, strides=[45,?], #cuda_tile.ptr_attr<none>>>
    %cst_1_i64 = constant <i64: 1> : tile<i64>
    %cst_0_i64 = constant <i64: 0> : tile<i64>
    %cst_i1 = constant <i1: __elided__> : tile<8x4xi1>
    %0 = store_view_tko weak %cst_i1, %pview[%cst_1_i64, %cst_0_i64] optimization_hints = <default = {allow_tma = true}, sm_120 = {latency = 8 : i64}> inbounds = [false, true] : tile<8x4xi1>, partition_view<tile=(8x4), padding_value = zero, tensor_view<14x?xi1, strides=[45,?], #cuda_tile.ptr_attr<none>>>, tile<i64> -> token
    return
  }
}
// becomes
module {
  "nv_tileaa.func"() <{function_type = (!nv_tileaa.ptr<i1, 1>) -> (), kernel_spec = #nv_tileaa.kernel_spec<clusterDim=[1,1,1]>, sym_name = "k0"}> ({
  ^bb0(%arg0: !nv_tileaa.ptr<i1, 1>):
    %c8_i32 = arith.constant 8 : i32
    %c13_i32 = arith.constant 13 : i32
    %0 = "nv_tileaa.make_memref"(%arg0, %c8_i32, %c13_i32) <{operandSegmentSizes = array<i32: 1, 0, 1, 1>}> : (!nv_tileaa.ptr<i1, 1>, i32, i32) -> !nv_tileaa.memref<14x?xi1, strides = [45, ?]>
    %1 = "nv_tileaa.block_tile"(%0) <{dimGroups = [array<i64: 0>, array<i64: 1>], tileSizes = array<i64: 8, 4>}> : (!nv_tileaa.memref<14x?xi1, strides = [45, ?]>) -> !nv_tileaa.tiled_view<!nv_tileaa.memref<14x?xi1, strides = [45, ?]>, [8, 4]>
    %c1_i64 = arith.constant 1 : i64
    %c0_i64 = arith.constant 0 : i64
    %cst = "nv_tileaa.constant_tensor"() <{value = dense_resource<__elided__> : tensor<8x4xi1>}> : () -> tensor<8x4xi1>
    %2 = "nv_tileaa.tiled_store"(%1, %cst, %c1_i64, %c0_i64) <{allow_tma = true, cache_modifier = #nv_tileaa.cache_modifier<none>, eviction_policy = #nv_tileaa.eviction_policy<none>, in_bounds = array<i1: false, true>, mem_semantic = #nv_tileaa.mem_semantic<weak>, operandSegmentSizes = array<i32: 1, 1, 2, 0>}> : (!nv_tileaa.tiled_view<!nv_tileaa.memref<14x?xi1, strides = [45, ?]>, [8, 4]>, tensor<8x4xi1>, i64, i64) -> !nv_tileaa.mem_token
    "nv_tileaa.return"() : () -> ()
  }) : () -> ()
}

// -----

cuda_tile.module @kernels {
  entry @k0(%arg0: tile<ptr<fnv8E5M3FNU>>) {
    %cst_16_i64 = constant <i64: 16> : tile<i64>
    %cst_64_i64 = constant <i64: 64> : tile<i64>
    %cst_1_i64 = constant <i64: 1> : tile<i64>
    %tview = make_tensor_view %arg0, shape = [9, 12, %cst_16_i64], strides = [53, %cst_64_i64, %cst_1_i64] : tile<i64> -> tensor_view<9x12x?xfnv8E5M3FNU, strides=[53,?,?]>
    %gsview = make_gather_scatter_view %tview : gather_scatter_view<tile=(1x1x1), tensor_view<9x12x?xfnv8E5M3FNU, strides=[53,?,?]>, sparse_dim=0>
    %cst_8_i8 = constant <i8: 8> : tile<1xi8>
    %cst_1_i8 = constant <i8: 1> : tile<i8>
    %cst_0_i8 = constant <i8: 0> : tile<i8>
    %cst_1_fnv8E5M3FNU = constant <fnv8E5M3FNU: 1.000000e+00> : tile<1x1x1xfnv8E5M3FNU>
    %0 = make_token : token
    %1 = store_view_tko release sys %cst_1_fnv8E5M3FNU, %gsview[%cst_8_i8, %cst_1_i8, %cst_0_i8] token = %0 optimization_hints = <default = {allow_tma = false, latency = 2 : i64}, sm_100 = {}, sm_120 = {allow_tma = false, latency = 2 : i64}, sm_80 = {latency = 2 : i64}> inbounds = [true, false, false] : tile<1x1x1xfnv8E5M3FNU>, gather_scatter_view<tile=(1x1x1), tensor_view<9x12x?xfnv8E5M3FNU, strides=[53,?,?]>, sparse_dim=0>, tile<1xi8>, tile<i8>, tile<i8> -> token
    return
  }
}
// becomes
module {
  "nv_tileaa.func"() <{function_type = (!nv_tileaa.ptr<fnv8E5M3FNU, 1>) -> (), kernel_spec = #nv_tileaa.kernel_spec<clusterDim=[1,1,1]>, sym_name = "k0"}> ({
  ^bb0(%arg0: !nv_tileaa.ptr<fnv8E5M3FNU, 1>):
    %c16_i64 = arith.constant 16 : i64
    %c64_i64 = arith.constant 64 : i64
    %c1_i64 = arith.constant 1 : i64
    %0 = "nv_tileaa.make_memref"(%arg0, %c16_i64, %c64_i64, %c1_i64) <{operandSegmentSizes = array<i32: 1, 0, 1, 2>}> : (!nv_tileaa.ptr<fnv8E5M3FNU, 1>, i64, i64, i64) -> !nv_tileaa.memref<9x12x?xfnv8E5M3FNU, strides = [53, ?, ?]>
    %1 = "nv_tileaa.splat"() <{value = 8 : i8}> : () -> tensor<1xi8>
    %c1_i8 = arith.constant 1 : i8
    %c0_i8 = arith.constant 0 : i8
    %2 = "nv_tileaa.splat"() <{value = 1.000000e+00 : fnv8E5M3FNU}> : () -> tensor<1x1x1xfnv8E5M3FNU>
    %3 = "nv_tileaa.create_mem_token"() : () -> !nv_tileaa.mem_token
    %4 = arith.extui %1 : tensor<1xi8> to tensor<1xi32>
    %5 = arith.extui %c1_i8 : i8 to i32
    %6 = arith.extui %c0_i8 : i8 to i32
    %7 = "nv_tileaa.scatter_store"(%0, %2, %4, %5, %6, %3) <{mem_scope = #nv_tileaa.mem_scope<sys>, mem_semantic = #nv_tileaa.mem_semantic<release>, operandSegmentSizes = array<i32: 1, 1, 1, 2, 0, 1>}> : (!nv_tileaa.memref<9x12x?xfnv8E5M3FNU, strides = [53, ?, ?]>, tensor<1x1x1xfnv8E5M3FNU>, tensor<1xi32>, i32, i32, !nv_tileaa.mem_token) -> !nv_tileaa.mem_token
    "nv_tileaa.return"() : () -> ()
  }) : () -> ()
}
