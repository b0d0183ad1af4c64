cuda_tile.module @kernels {
  entry @k0(%arg0: tile<ptr<i1, <unicast>>>) {
    %reshape = reshape %arg0 : tile<ptr<i1, <unicast>>> -> tile<1x1xptr<i1, <unicast>>>
    %bcast = broadcast %reshape : tile<1x1xptr<i1, <unicast>>> -> tile<4x16xptr<i1, <unicast>>>
    %cst_i64 = constant <i64: __elided__> : tile<4x16xi64>
    %0 = offset %bcast, %cst_i64 : tile<4x16xptr<i1, <unicast>>>, tile<4x16xi64> -> tile<4x16xptr<i1, <unicast>>>
    %cst_i1 = constant <i1: __elided__> : tile<4x16xi1>
    %1 = store_ptr_tko weak %0, %cst_i1 optimization_hints = <default = {latency = 3 : i64}> : tile<4x16xptr<i1, <unicast>>>, tile<4x16xi1> -> token
    return
  }
}
// becomes
module {
  "nv_tileaa.func"() <{function_type = (!nv_tileaa.ptr<i1, 1>) -> (), kernel_spec = #nv_tileaa.kernel_spec<numWarps=4, clusterDim=[1,1,1]>, sym_name = "k0"}> ({
  ^bb0(%arg0: !nv_tileaa.ptr<i1, 1>):
    %0 = "nv_tileaa.splat"(%arg0) : (!nv_tileaa.ptr<i1, 1>) -> tensor<1x1x!nv_tileaa.ptr<i1, 1>>
    %1 = "nv_tileaa.splat"(%arg0) : (!nv_tileaa.ptr<i1, 1>) -> tensor<4x16x!nv_tileaa.ptr<i1, 1>>
    %cst = "nv_tileaa.constant_tensor"() <{value = dense_resource<__elided__> : tensor<4x16xi64>}> : () -> tensor<4x16xi64>
    %2 = "nv_tileaa.addptr"(%1, %cst) : (tensor<4x16x!nv_tileaa.ptr<i1, 1>>, tensor<4x16xi64>) -> tensor<4x16x!nv_tileaa.ptr<i1, 1>>
    %cst_0 = "nv_tileaa.constant_tensor"() <{value = dense_resource<__elided__> : tensor<4x16xi1>}> : () -> tensor<4x16xi1>
    %3 = "nv_tileaa.store"(%2, %cst_0) <{cache_modifier = #nv_tileaa.cache_modifier<none>, eviction_policy = #nv_tileaa.eviction_policy<none>, mem_semantic = #nv_tileaa.mem_semantic<weak>, operandSegmentSizes = array<i32: 1, 1, 0, 0, 0>}> {nv_tileaa.latency = 3 : i64} : (tensor<4x16x!nv_tileaa.ptr<i1, 1>>, tensor<4x16xi1>) -> !nv_tileaa.mem_token
    "nv_tileaa.return"() : () -> ()
  }) : () -> ()
}

// -----

cuda_tile.module @kernels {
  entry @k0(%arg0: tile<ptr<fnv8E5M3FNU>>) {
    %reshape = reshape %arg0 : tile<ptr<fnv8E5M3FNU>> -> tile<1x1xptr<fnv8E5M3FNU>>
    %bcast = broadcast %reshape : tile<1x1xptr<fnv8E5M3FNU>> -> tile<32x2xptr<fnv8E5M3FNU>>
    %cst_15_i32 = constant <i32: 15> : tile<32x2xi32>
    %0 = offset %bcast, %cst_15_i32 : tile<32x2xptr<fnv8E5M3FNU>>, tile<32x2xi32> -> tile<32x2xptr<fnv8E5M3FNU>>
    %cst_fnv8E5M3FNU = constant <fnv8E5M3FNU: 3.750000e-01> : tile<32x2xfnv8E5M3FNU>
    %1 = store_ptr_tko relaxed device %0, %cst_fnv8E5M3FNU optimization_hints = <sm_100 = {latency = 9 : i64}, sm_120 = {}, sm_80 = {latency = 9 : i64}, sm_90 = {latency = 9 : i64}> : tile<32x2xptr<fnv8E5M3FNU>>, tile<32x2xfnv8E5M3FNU> -> token
    return
  }
}
// becomes
module {
  "nv_tileaa.func"() <{function_type = (!nv_tileaa.ptr<fnv8E5M3FNU, 1>) -> (), kernel_spec = #nv_tileaa.kernel_spec<numWarps=4, clusterDim=[1,1,1]>, sym_name = "k0"}> ({
  ^bb0(%arg0: !nv_tileaa.ptr<fnv8E5M3FNU, 1>):
    %0 = "nv_tileaa.splat"(%arg0) : (!nv_tileaa.ptr<fnv8E5M3FNU, 1>) -> tensor<1x1x!nv_tileaa.ptr<fnv8E5M3FNU, 1>>
    %1 = "nv_tileaa.splat"(%arg0) : (!nv_tileaa.ptr<fnv8E5M3FNU, 1>) -> tensor<32x2x!nv_tileaa.ptr<fnv8E5M3FNU, 1>>
    %2 = "nv_tileaa.splat"() <{value = 15 : i32}> : () -> tensor<32x2xi32>
    %3 = "nv_tileaa.addptr"(%1, %2) : (tensor<32x2x!nv_tileaa.ptr<fnv8E5M3FNU, 1>>, tensor<32x2xi32>) -> tensor<32x2x!nv_tileaa.ptr<fnv8E5M3FNU, 1>>
    %4 = "nv_tileaa.splat"() <{value = 3.750000e-01 : fnv8E5M3FNU}> : () -> tensor<32x2xfnv8E5M3FNU>
    %5 = "nv_tileaa.store"(%3, %4) <{cache_modifier = #nv_tileaa.cache_modifier<none>, eviction_policy = #nv_tileaa.eviction_policy<none>, mem_scope = #nv_tileaa.mem_scope<gpu>, mem_semantic = #nv_tileaa.mem_semantic<relaxed>, operandSegmentSizes = array<i32: 1, 1, 0, 0, 0>}> : (tensor<32x2x!nv_tileaa.ptr<fnv8E5M3FNU, 1>>, tensor<32x2xfnv8E5M3FNU>) -> !nv_tileaa.mem_token
    "nv_tileaa.return"() : () -> ()
  }) : () -> ()
}
