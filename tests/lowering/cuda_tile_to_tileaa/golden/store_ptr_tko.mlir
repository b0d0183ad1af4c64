cuda_tile.module @kernels {
  entry @k0(%arg0: tile<ptr<i1, <unicast>>>, %arg1: tile<i1>) {
    %reshape = reshape %arg0 : tile<ptr<i1, <unicast>>> -> tile<1x1xptr<i1, <unicast>>>
    %bcast = broadcast %reshape : tile<1x1xptr<i1, <unicast>>> -> tile<4x16xptr<i1, <unicast>>>
    %cst_i8 = constant <i8: __elided__> : tile<4x16xi8>
    %0 = offset %bcast, %cst_i8 : tile<4x16xptr<i1, <unicast>>>, tile<4x16xi8> -> tile<4x16xptr<i1, <unicast>>>
    %reshape_0 = reshape %arg1 : tile<i1> -> tile<1x1xi1>
    %bcast_1 = broadcast %reshape_0 : tile<1x1xi1> -> tile<4x16xi1>
    %1 = store_ptr_tko weak %0, %bcast_1 optimization_hints = <default = {latency = 3 : i64}> : tile<4x16xptr<i1, <unicast>>>, tile<4x16xi1> -> token
    return
  }
}
// becomes
module {
  "nv_tileaa.func"() <{function_type = (!nv_tileaa.ptr<i1, 1>, i1) -> (), kernel_spec = #nv_tileaa.kernel_spec<clusterDim=[1,1,1]>, sym_name = "k0"}> ({
  ^bb0(%arg0: !nv_tileaa.ptr<i1, 1>, %arg1: i1):
    %0 = "nv_tileaa.splat"(%arg0) : (!nv_tileaa.ptr<i1, 1>) -> tensor<1x1x!nv_tileaa.ptr<i1, 1>>
    %1 = "nv_tileaa.splat"(%arg0) : (!nv_tileaa.ptr<i1, 1>) -> tensor<4x16x!nv_tileaa.ptr<i1, 1>>
    %cst = "nv_tileaa.constant_tensor"() <{value = dense_resource<__elided__> : tensor<4x16xi8>}> : () -> tensor<4x16xi8>
    %2 = "nv_tileaa.addptr"(%1, %cst) : (tensor<4x16x!nv_tileaa.ptr<i1, 1>>, tensor<4x16xi8>) -> tensor<4x16x!nv_tileaa.ptr<i1, 1>>
    %3 = "nv_tileaa.splat"(%arg1) : (i1) -> tensor<1x1xi1>
    %4 = "nv_tileaa.splat"(%arg1) : (i1) -> tensor<4x16xi1>
    %5 = "nv_tileaa.store"(%2, %4) <{cache_modifier = #nv_tileaa.cache_modifier<none>, eviction_policy = #nv_tileaa.eviction_policy<none>, latency = 3 : i32, mem_semantic = #nv_tileaa.mem_semantic<weak>, operandSegmentSizes = array<i32: 1, 1, 0, 0, 0>}> : (tensor<4x16x!nv_tileaa.ptr<i1, 1>>, tensor<4x16xi1>) -> !nv_tileaa.mem_token
    "nv_tileaa.return"() : () -> ()
  }) : () -> ()
}

// -----

cuda_tile.module @kernels {
  entry @k0(%arg0: tile<ptr<fnv8E5M3FNU>>, %arg1: tile<fnv8E5M3FNU>) {
    %reshape = reshape %arg0 : tile<ptr<fnv8E5M3FNU>> -> tile<1x1xptr<fnv8E5M3FNU>>
    %bcast = broadcast %reshape : tile<1x1xptr<fnv8E5M3FNU>> -> tile<32x2xptr<fnv8E5M3FNU>>
    %cst_26_i8 = constant <i8: 26> : tile<32x2xi8>
    %0 = offset %bcast, %cst_26_i8 : tile<32x2xptr<fnv8E5M3FNU>>, tile<32x2xi8> -> tile<32x2xptr<fnv8E5M3FNU>>
    %reshape_0 = reshape %arg1 : tile<fnv8E5M3FNU> -> tile<1x1xfnv8E5M3FNU>
    %bcast_1 = broadcast %reshape_0 : tile<1x1xfnv8E5M3FNU> -> tile<32x2xfnv8E5M3FNU>
    %1 = store_ptr_tko relaxed device %0, %bcast_1 optimization_hints = <sm_100 = {latency = 9 : i64}, sm_120 = {}, sm_80 = {latency = 9 : i64}, sm_90 = {latency = 9 : i64}> : tile<32x2xptr<fnv8E5M3FNU>>, tile<32x2xfnv8E5M3FNU> -> token
    return
  }
}
// becomes
module {
  "nv_tileaa.func"() <{function_type = (!nv_tileaa.ptr<fnv8E5M3FNU, 1>, fnv8E5M3FNU) -> (), kernel_spec = #nv_tileaa.kernel_spec<clusterDim=[1,1,1]>, sym_name = "k0"}> ({
  ^bb0(%arg0: !nv_tileaa.ptr<fnv8E5M3FNU, 1>, %arg1: fnv8E5M3FNU):
    %0 = "nv_tileaa.splat"(%arg0) : (!nv_tileaa.ptr<fnv8E5M3FNU, 1>) -> tensor<1x1x!nv_tileaa.ptr<fnv8E5M3FNU, 1>>
    %1 = "nv_tileaa.splat"(%arg0) : (!nv_tileaa.ptr<fnv8E5M3FNU, 1>) -> tensor<32x2x!nv_tileaa.ptr<fnv8E5M3FNU, 1>>
    %2 = "nv_tileaa.splat"() <{value = 26 : i8}> : () -> tensor<32x2xi8>
    %3 = "nv_tileaa.addptr"(%1, %2) : (tensor<32x2x!nv_tileaa.ptr<fnv8E5M3FNU, 1>>, tensor<32x2xi8>) -> tensor<32x2x!nv_tileaa.ptr<fnv8E5M3FNU, 1>>
    %4 = "nv_tileaa.splat"(%arg1) : (fnv8E5M3FNU) -> tensor<1x1xfnv8E5M3FNU>
    %5 = "nv_tileaa.splat"(%arg1) : (fnv8E5M3FNU) -> tensor<32x2xfnv8E5M3FNU>
    %6 = "nv_tileaa.store"(%3, %5) <{cache_modifier = #nv_tileaa.cache_modifier<none>, eviction_policy = #nv_tileaa.eviction_policy<none>, mem_scope = #nv_tileaa.mem_scope<gpu>, mem_semantic = #nv_tileaa.mem_semantic<relaxed>, operandSegmentSizes = array<i32: 1, 1, 0, 0, 0>}> : (tensor<32x2x!nv_tileaa.ptr<fnv8E5M3FNU, 1>>, tensor<32x2xfnv8E5M3FNU>) -> !nv_tileaa.mem_token
    "nv_tileaa.return"() : () -> ()
  }) : () -> ()
}
