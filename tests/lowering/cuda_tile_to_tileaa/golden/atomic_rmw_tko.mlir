cuda_tile.module @kernels {
  entry @k0(%arg0: tile<ptr<i64, <none>>>) {
    %true = constant <i1: true> : tile<1xi1>
    %reshape = reshape %arg0 : tile<ptr<i64, <none>>> -> tile<1xptr<i64, <none>>>
    %cst_4_i8 = constant <i8: 4> : tile<1xi8>
    %0 = offset %reshape, %cst_4_i8 : tile<1xptr<i64, <none>>>, tile<1xi8> -> tile<1xptr<i64, <none>>>
    %cst_-8069337883722761255_i64 = constant <i64: -8069337883722761255> : tile<1xi64>
    %result, %result_token = atomic_rmw_tko relaxed tl_blk %0, min, %cst_-8069337883722761255_i64, %true : tile<1xptr<i64, <none>>>, tile<1xi64>, tile<1xi1> -> tile<1xi64>, token
    return
  }
}
// becomes
module {
  "nv_tileaa.func"() <{function_type = (!nv_tileaa.ptr<i64, 1>) -> (), kernel_spec = #nv_tileaa.kernel_spec<numWarps=4, clusterDim=[1,1,1]>, sym_name = "k0"}> ({
  ^bb0(%arg0: !nv_tileaa.ptr<i64, 1>):
    %0 = "nv_tileaa.splat"() <{value = true}> : () -> tensor<1xi1>
    %1 = "nv_tileaa.splat"(%arg0) : (!nv_tileaa.ptr<i64, 1>) -> tensor<1x!nv_tileaa.ptr<i64, 1>>
    %2 = "nv_tileaa.splat"() <{value = 4 : i8}> : () -> tensor<1xi8>
    %3 = "nv_tileaa.addptr"(%1, %2) : (tensor<1x!nv_tileaa.ptr<i64, 1>>, tensor<1xi8>) -> tensor<1x!nv_tileaa.ptr<i64, 1>>
    %4 = "nv_tileaa.splat"() <{value = -8069337883722761255 : i64}> : () -> tensor<1xi64>
    %old, %token = "nv_tileaa.atomic_rmw"(%3, %4, %0) <{mem_scope = #nv_tileaa.mem_scope<tl_blk>, mem_semantic = #nv_tileaa.mem_semantic<relaxed>, operandSegmentSizes = array<i32: 1, 1, 0, 1, 0>, rmw_mode = #nv_tileaa.rmw_mode<min>}> : (tensor<1x!nv_tileaa.ptr<i64, 1>>, tensor<1xi64>, tensor<1xi1>) -> (tensor<1xi64>, !nv_tileaa.mem_token)
    "nv_tileaa.return"() : () -> ()
  }) : () -> ()
}

// -----

cuda_tile.module @kernels {
  entry @k0(%arg0: tile<ptr<i32>>) {
    %reshape = reshape %arg0 : tile<ptr<i32>> -> tile<1x1xptr<i32>>
    %bcast = broadcast %reshape : tile<1x1xptr<i32>> -> tile<2x8xptr<i32>>
    %cst_i8 = constant <i8: __elided__> : tile<2x8xi8>
    %0 = offset %bcast, %cst_i8 : tile<2x8xptr<i32>>, tile<2x8xi8> -> tile<2x8xptr<i32>>
    %cst_770298771_i32 = constant <i32: 770298771> : tile<2x8xi32>
    %1 = make_token : token
    %result, %result_token = atomic_rmw_tko acquire tl_blk %0, or, %cst_770298771_i32 token=%1 : tile<2x8xptr<i32>>, tile<2x8xi32> -> tile<2x8xi32>, token
    return
  }
}
// becomes
module {
  "nv_tileaa.func"() <{function_type = (!nv_tileaa.ptr<i32, 1>) -> (), kernel_spec = #nv_tileaa.kernel_spec<numWarps=4, clusterDim=[1,1,1]>, sym_name = "k0"}> ({
  ^bb0(%arg0: !nv_tileaa.ptr<i32, 1>):
    %0 = "nv_tileaa.splat"(%arg0) : (!nv_tileaa.ptr<i32, 1>) -> tensor<1x1x!nv_tileaa.ptr<i32, 1>>
    %1 = "nv_tileaa.splat"(%arg0) : (!nv_tileaa.ptr<i32, 1>) -> tensor<2x8x!nv_tileaa.ptr<i32, 1>>
    %cst = "nv_tileaa.constant_tensor"() <{value = dense_resource<__elided__> : tensor<2x8xi8>}> : () -> tensor<2x8xi8>
    %2 = "nv_tileaa.addptr"(%1, %cst) : (tensor<2x8x!nv_tileaa.ptr<i32, 1>>, tensor<2x8xi8>) -> tensor<2x8x!nv_tileaa.ptr<i32, 1>>
    %3 = "nv_tileaa.splat"() <{value = 770298771 : i32}> : () -> tensor<2x8xi32>
    %4 = "nv_tileaa.create_mem_token"() : () -> !nv_tileaa.mem_token
    %old, %token = "nv_tileaa.atomic_rmw"(%2, %3, %4) <{mem_scope = #nv_tileaa.mem_scope<tl_blk>, mem_semantic = #nv_tileaa.mem_semantic<acquire>, operandSegmentSizes = array<i32: 1, 1, 0, 0, 1>, rmw_mode = #nv_tileaa.rmw_mode<or>}> : (tensor<2x8x!nv_tileaa.ptr<i32, 1>>, tensor<2x8xi32>, !nv_tileaa.mem_token) -> (tensor<2x8xi32>, !nv_tileaa.mem_token)
    "nv_tileaa.return"() : () -> ()
  }) : () -> ()
}
