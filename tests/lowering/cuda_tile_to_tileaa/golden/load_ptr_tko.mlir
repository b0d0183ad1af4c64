cuda_tile.module @kernels {
  entry @k0(%arg0: tile<ptr<i1>>, %arg1: tile<ptr<bf16, <none>>>) {
    %tview = make_tensor_view %arg0, shape = [31, 1], strides = [1, 1] : tensor_view<31x1xi1, strides=[1,1]>
    %pview = make_partition_view %tview : partition_view<tile=(32x1), padding_value = zero, tensor_view<31x1xi1, strides=[1,1]>>
    %cst_0_i32 = constant <i32: 0> : tile<i32>
    %cst_0_i32_0 = constant <i32: 0> : tile<i32>
    %tile, %result_token = load_view_tko weak %pview[%cst_0_i32, %cst_0_i32_0] inbounds = [false, false] : partition_view<tile=(32x1), padding_value = zero, tensor_view<31x1xi1, strides=[1,1]>>, tile<i32> -> tile<32x1xi1>, token
    %cst_bf16 = constant <bf16: -4.351140e-06> : tile<32x1xbf16>
    %reshape = reshape %arg1 : tile<ptr<bf16, <none>>> -> tile<1x1xptr<bf16, <none>>>
    %bcast = broadcast %reshape : tile<1x1xptr<bf16, <none>>> -> tile<16x1xptr<bf16, <none>>>
    %cst_63_i32 = constant <i32: 63> : tile<16x1xi32>
    %0 = offset %bcast, %cst_63_i32 : tile<16x1xptr<bf16, <none>>>, tile<16x1xi32> -> tile<16x1xptr<bf16, <none>>>
    %1 = cat %0, %0 dim = 0 : tile<16x1xptr<bf16, <none>>>, tile<16x1xptr<bf16, <none>>> -> tile<32x1xptr<bf16, <none>>>
    %result, %result_token_1 = load_ptr_tko acquire tl_blk %1, %tile, %cst_bf16 optimization_hints = <sm_100 = {latency = 3 : i64}, sm_80 = {latency = 3 : i64}, sm_90 = {latency = 3 : i64}> : tile<32x1xptr<bf16, <none>>>, tile<32x1xi1>, tile<32x1xbf16> -> tile<32x1xbf16>, token
    return
  }
}
// becomes
module {
  "nv_tileaa.func"() <{function_type = (!nv_tileaa.ptr<i1, 1>, !nv_tileaa.ptr<bf16, 1>) -> (), kernel_spec = #nv_tileaa.kernel_spec<clusterDim=[1,1,1]>, sym_name = "k0"}> ({
  ^bb0(%arg0: !nv_tileaa.ptr<i1, 1>, %arg1: !nv_tileaa.ptr<bf16, 1>):
    %0 = "nv_tileaa.make_memref"(%arg0) <{operandSegmentSizes = array<i32: 1, 0, 0, 0>}> : (!nv_tileaa.ptr<i1, 1>) -> !nv_tileaa.memref<31x1xi1, strides = [1, 1]>
    %1 = "nv_tileaa.block_tile"(%0) <{dimGroups = [array<i64: 0>, array<i64: 1>], tileSizes = array<i64: 32, 1>}> : (!nv_tileaa.memref<31x1xi1, strides = [1, 1]>) -> !nv_tileaa.tiled_view<!nv_tileaa.memref<31x1xi1, strides = [1, 1]>, [32, 1]>
    %c0_i32 = arith.constant 0 : i32
    %c0_i32_0 = arith.constant 0 : i32
    %value, %token = "nv_tileaa.tiled_load"(%1, %c0_i32, %c0_i32_0) <{cache_modifier = #nv_tileaa.cache_modifier<none>, eviction_policy = #nv_tileaa.eviction_policy<none>, in_bounds = array<i1: false, true>, mem_semantic = #nv_tileaa.mem_semantic<weak>, operandSegmentSizes = array<i32: 1, 2, 0>, padding_value = #nv_tileaa.padding_value<zero>}> : (!nv_tileaa.tiled_view<!nv_tileaa.memref<31x1xi1, strides = [1, 1]>, [32, 1]>, i32, i32) -> (tensor<32x1xi1>, !nv_tileaa.mem_token)
    %2 = "nv_tileaa.splat"() <{value = -4.351140e-06 : bf16}> : () -> tensor<32x1xbf16>
    %3 = "nv_tileaa.splat"(%arg1) : (!nv_tileaa.ptr<bf16, 1>) -> tensor<1x1x!nv_tileaa.ptr<bf16, 1>>
    %4 = "nv_tileaa.splat"(%arg1) : (!nv_tileaa.ptr<bf16, 1>) -> tensor<16x1x!nv_tileaa.ptr<bf16, 1>>
    %5 = "nv_tileaa.splat"() <{value = 63 : i32}> : () -> tensor<16x1xi32>
    %6 = "nv_tileaa.addptr"(%4, %5) : (tensor<16x1x!nv_tileaa.ptr<bf16, 1>>, tensor<16x1xi32>) -> tensor<16x1x!nv_tileaa.ptr<bf16, 1>>
    %7 = "nv_tileaa.cat"(%6, %6) <{axis = 0 : i32}> : (tensor<16x1x!nv_tileaa.ptr<bf16, 1>>, tensor<16x1x!nv_tileaa.ptr<bf16, 1>>) -> tensor<32x1x!nv_tileaa.ptr<bf16, 1>>
    %value_1, %token_2 = "nv_tileaa.load"(%7, %value, %2) <{cache_modifier = #nv_tileaa.cache_modifier<none>, eviction_policy = #nv_tileaa.eviction_policy<none>, mem_scope = #nv_tileaa.mem_scope<tl_blk>, mem_semantic = #nv_tileaa.mem_semantic<acquire>, operandSegmentSizes = array<i32: 1, 0, 1, 1, 0>}> : (tensor<32x1x!nv_tileaa.ptr<bf16, 1>>, tensor<32x1xi1>, tensor<32x1xbf16>) -> (tensor<32x1xbf16>, !nv_tileaa.mem_token)
    "nv_tileaa.return"() : () -> ()
  }) : () -> ()
}

// -----

cuda_tile.module @kernels {
  entry @k0(%arg0: tile<i1>, %arg1: tile<ptr<i32>>) {
    %reshape = reshape %arg0 : tile<i1> -> tile<1x1x1xi1>
    %bcast = broadcast %reshape : tile<1x1x1xi1> -> tile<16x1x4xi1>
    %reshape_0 = reshape %arg1 : tile<ptr<i32>> -> tile<1x1x1xptr<i32>>
    %bcast_1 = broadcast %reshape_0 : tile<1x1x1xptr<i32>> -> tile<16x1x4xptr<i32>>
    %cst_i64 = constant <i64: __elided__> : tile<16x1x4xi64>
    %0 = offset %bcast_1, %cst_i64 : tile<16x1x4xptr<i32>>, tile<16x1x4xi64> -> tile<16x1x4xptr<i32>>
    %result, %result_token = load_ptr_tko weak %0, %bcast : tile<16x1x4xptr<i32>>, tile<16x1x4xi1> -> tile<16x1x4xi32>, token
    return
  }
}
// becomes
module {
  "nv_tileaa.func"() <{function_type = (i1, !nv_tileaa.ptr<i32, 1>) -> (), kernel_spec = #nv_tileaa.kernel_spec<clusterDim=[1,1,1]>, sym_name = "k0"}> ({
  ^bb0(%arg0: i1, %arg1: !nv_tileaa.ptr<i32, 1>):
    %0 = "nv_tileaa.splat"(%arg0) : (i1) -> tensor<1x1x1xi1>
    %1 = "nv_tileaa.splat"(%arg0) : (i1) -> tensor<16x1x4xi1>
    %2 = "nv_tileaa.splat"(%arg1) : (!nv_tileaa.ptr<i32, 1>) -> tensor<1x1x1x!nv_tileaa.ptr<i32, 1>>
    %3 = "nv_tileaa.splat"(%arg1) : (!nv_tileaa.ptr<i32, 1>) -> tensor<16x1x4x!nv_tileaa.ptr<i32, 1>>
    %cst = "nv_tileaa.constant_tensor"() <{value = dense_resource<__elided__> : tensor<16x1x4xi64>}> : () -> tensor<16x1x4xi64>
    %4 = "nv_tileaa.addptr"(%3, %cst) : (tensor<16x1x4x!nv_tileaa.ptr<i32, 1>>, tensor<16x1x4xi64>) -> tensor<16x1x4x!nv_tileaa.ptr<i32, 1>>
    %value, %token = "nv_tileaa.load"(%4, %1) <{cache_modifier = #nv_tileaa.cache_modifier<none>, eviction_policy = #nv_tileaa.eviction_policy<none>, mem_semantic = #nv_tileaa.mem_semantic<weak>, operandSegmentSizes = array<i32: 1, 0, 1, 0, 0>}> : (tensor<16x1x4x!nv_tileaa.ptr<i32, 1>>, tensor<16x1x4xi1>) -> (tensor<16x1x4xi32>, !nv_tileaa.mem_token)
    "nv_tileaa.return"() : () -> ()
  }) : () -> ()
}
