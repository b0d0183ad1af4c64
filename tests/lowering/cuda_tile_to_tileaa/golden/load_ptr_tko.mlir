cuda_tile.module @kernels {
  entry @k0(%arg0: tile<ptr<bf16, <none>>>) {
    %cst_i1 = constant <i1: __elided__> : tile<32x1xi1>
    %cst_bf16 = constant <bf16: __elided__> : tile<32x1xbf16>
    %reshape = reshape %arg0 : tile<ptr<bf16, <none>>> -> tile<1x1xptr<bf16, <none>>>
    %bcast = broadcast %reshape : tile<1x1xptr<bf16, <none>>> -> tile<32x1xptr<bf16, <none>>>
    %cst_i32 = constant <i32: __elided__> : tile<32x1xi32>
    %0 = offset %bcast, %cst_i32 : tile<32x1xptr<bf16, <none>>>, tile<32x1xi32> -> tile<32x1xptr<bf16, <none>>>
    %1 = make_token : token
    %result, %result_token = load_ptr_tko relaxed device %0, %cst_i1, %cst_bf16 token=%1 : tile<32x1xptr<bf16, <none>>>, tile<32x1xi1>, tile<32x1xbf16> -> tile<32x1xbf16>, token
    return
  }
}
// becomes
module {
  "nv_tileaa.func"() <{function_type = (!nv_tileaa.ptr<bf16, 1>) -> (), kernel_spec = #nv_tileaa.kernel_spec<numWarps=4, clusterDim=[1,1,1]>, sym_name = "k0"}> ({
  ^bb0(%arg0: !nv_tileaa.ptr<bf16, 1>):
    %cst = "nv_tileaa.constant_tensor"() <{value = dense_resource<__elided__> : tensor<32x1xi1>}> : () -> tensor<32x1xi1>
    %cst_0 = "nv_tileaa.constant_tensor"() <{value = dense_resource<__elided__> : tensor<32x1xbf16>}> : () -> tensor<32x1xbf16>
    %0 = "nv_tileaa.splat"(%arg0) : (!nv_tileaa.ptr<bf16, 1>) -> tensor<1x1x!nv_tileaa.ptr<bf16, 1>>
    %1 = "nv_tileaa.splat"(%arg0) : (!nv_tileaa.ptr<bf16, 1>) -> tensor<32x1x!nv_tileaa.ptr<bf16, 1>>
    %cst_1 = "nv_tileaa.constant_tensor"() <{value = dense_resource<__elided__> : tensor<32x1xi32>}> : () -> tensor<32x1xi32>
    %2 = "nv_tileaa.addptr"(%1, %cst_1) : (tensor<32x1x!nv_tileaa.ptr<bf16, 1>>, tensor<32x1xi32>) -> tensor<32x1x!nv_tileaa.ptr<bf16, 1>>
    %3 = "nv_tileaa.create_mem_token"() : () -> !nv_tileaa.mem_token
    %value, %token = "nv_tileaa.load"(%2, %cst, %cst_0, %3) <{cache_modifier = #nv_tileaa.cache_modifier<none>, eviction_policy = #nv_tileaa.eviction_policy<none>, mem_scope = #nv_tileaa.mem_scope<gpu>, mem_semantic = #nv_tileaa.mem_semantic<relaxed>, operandSegmentSizes = array<i32: 1, 0, 1, 1, 1>}> : (tensor<32x1x!nv_tileaa.ptr<bf16, 1>>, tensor<32x1xi1>, tensor<32x1xbf16>, !nv_tileaa.mem_token) -> (tensor<32x1xbf16>, !nv_tileaa.mem_token)
    "nv_tileaa.return"() : () -> ()
  }) : () -> ()
}

// -----

cuda_tile.module @kernels {
  entry @k0(%arg0: tile<ptr<i32>>) {
    %cst_i1 = constant <i1: __elided__> : tile<16x1x4xi1>
    %reshape = reshape %arg0 : tile<ptr<i32>> -> tile<1x1x1xptr<i32>>
    %bcast = broadcast %reshape : tile<1x1x1xptr<i32>> -> tile<16x1x4xptr<i32>>
    %cst_11_i8 = constant <i8: 11> : tile<16x1x4xi8>
    %0 = offset %bcast, %cst_11_i8 : tile<16x1x4xptr<i32>>, tile<16x1x4xi8> -> tile<16x1x4xptr<i32>>
    %1 = make_token : token
    %result, %result_token = load_ptr_tko relaxed device %0, %cst_i1 token=%1 optimization_hints = <sm_120 = {}> : tile<16x1x4xptr<i32>>, tile<16x1x4xi1> -> tile<16x1x4xi32>, token
    return
  }
}
// becomes
module {
  "nv_tileaa.func"() <{function_type = (!nv_tileaa.ptr<i32, 1>) -> (), kernel_spec = #nv_tileaa.kernel_spec<numWarps=4, clusterDim=[1,1,1]>, sym_name = "k0"}> ({
  ^bb0(%arg0: !nv_tileaa.ptr<i32, 1>):
    %cst = "nv_tileaa.constant_tensor"() <{value = dense_resource<__elided__> : tensor<16x1x4xi1>}> : () -> tensor<16x1x4xi1>
    %0 = "nv_tileaa.splat"(%arg0) : (!nv_tileaa.ptr<i32, 1>) -> tensor<1x1x1x!nv_tileaa.ptr<i32, 1>>
    %1 = "nv_tileaa.splat"(%arg0) : (!nv_tileaa.ptr<i32, 1>) -> tensor<16x1x4x!nv_tileaa.ptr<i32, 1>>
    %2 = "nv_tileaa.splat"() <{value = 11 : i8}> : () -> tensor<16x1x4xi8>
    %3 = "nv_tileaa.addptr"(%1, %2) : (tensor<16x1x4x!nv_tileaa.ptr<i32, 1>>, tensor<16x1x4xi8>) -> tensor<16x1x4x!nv_tileaa.ptr<i32, 1>>
    %4 = "nv_tileaa.create_mem_token"() : () -> !nv_tileaa.mem_token
    %value, %token = "nv_tileaa.load"(%3, %cst, %4) <{cache_modifier = #nv_tileaa.cache_modifier<none>, eviction_policy = #nv_tileaa.eviction_policy<none>, mem_scope = #nv_tileaa.mem_scope<gpu>, mem_semantic = #nv_tileaa.mem_semantic<relaxed>, operandSegmentSizes = array<i32: 1, 0, 1, 0, 1>}> : (tensor<16x1x4x!nv_tileaa.ptr<i32, 1>>, tensor<16x1x4xi1>, !nv_tileaa.mem_token) -> (tensor<16x1x4xi32>, !nv_tileaa.mem_token)
    "nv_tileaa.return"() : () -> ()
  }) : () -> ()
}
