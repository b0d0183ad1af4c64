cuda_tile.module @kernels {
  entry @k0(%arg0: tile<ptr<f32>>) {
    %true = constant <i1: true> : tile<2x8xi1>
    %reshape = reshape %arg0 : tile<ptr<f32>> -> tile<1x1xptr<f32>>
    %bcast = broadcast %reshape : tile<1x1xptr<f32>> -> tile<2x8xptr<f32>>
    %cst_3_i64 = constant <i64: 3> : tile<2x8xi64>
    %0 = offset %bcast, %cst_3_i64 : tile<2x8xptr<f32>>, tile<2x8xi64> -> tile<2x8xptr<f32>>
    %cst_f32 = constant <f32: __elided__> : tile<2x8xf32>
    %1 = make_token : token
    %result, %result_token = atomic_cas_tko relaxed device %0, %cst_f32, %cst_f32, %true token=%1 : tile<2x8xptr<f32>>, tile<2x8xf32>, tile<2x8xi1> -> tile<2x8xf32>, token
    return
  }
}
// becomes
module {
  "nv_tileaa.func"() <{function_type = (!nv_tileaa.ptr<f32, 1>) -> (), kernel_spec = #nv_tileaa.kernel_spec<clusterDim=[1,1,1]>, sym_name = "k0"}> ({
  ^bb0(%arg0: !nv_tileaa.ptr<f32, 1>):
    %0 = "nv_tileaa.splat"() <{value = true}> : () -> tensor<2x8xi1>
    %1 = "nv_tileaa.splat"(%arg0) : (!nv_tileaa.ptr<f32, 1>) -> tensor<1x1x!nv_tileaa.ptr<f32, 1>>
    %2 = "nv_tileaa.splat"(%arg0) : (!nv_tileaa.ptr<f32, 1>) -> tensor<2x8x!nv_tileaa.ptr<f32, 1>>
    %3 = "nv_tileaa.splat"() <{value = 3 : i64}> : () -> tensor<2x8xi64>
    %4 = "nv_tileaa.addptr"(%2, %3) : (tensor<2x8x!nv_tileaa.ptr<f32, 1>>, tensor<2x8xi64>) -> tensor<2x8x!nv_tileaa.ptr<f32, 1>>
    %cst = "nv_tileaa.constant_tensor"() <{value = dense_resource<__elided__> : tensor<2x8xf32>}> : () -> tensor<2x8xf32>
    %5 = "nv_tileaa.create_mem_token"() : () -> !nv_tileaa.mem_token
    %old, %token = "nv_tileaa.atomic_cas"(%4, %cst, %cst, %0, %5) <{mem_scope = #nv_tileaa.mem_scope<gpu>, mem_semantic = #nv_tileaa.mem_semantic<relaxed>, operandSegmentSizes = array<i32: 1, 1, 1, 0, 1, 1>}> : (tensor<2x8x!nv_tileaa.ptr<f32, 1>>, tensor<2x8xf32>, tensor<2x8xf32>, tensor<2x8xi1>, !nv_tileaa.mem_token) -> (tensor<2x8xf32>, !nv_tileaa.mem_token)
    "nv_tileaa.return"() : () -> ()
  }) : () -> ()
}

// -----

cuda_tile.module @kernels {
  entry @k0(%arg0: tile<ptr<i64>>) {
    %reshape = reshape %arg0 : tile<ptr<i64>> -> tile<1x1xptr<i64>>
    %bcast = broadcast %reshape : tile<1x1xptr<i64>> -> tile<16x1xptr<i64>>
    %cst_49_i32 = constant <i32: 49> : tile<16x1xi32>
    %0 = offset %bcast, %cst_49_i32 : tile<16x1xptr<i64>>, tile<16x1xi32> -> tile<16x1xptr<i64>>
    %reshape_0 = reshape %0 : tile<16x1xptr<i64>> -> tile<16x1xptr<i64>>
    %cst_-1_i64 = constant <i64: -1> : tile<16x1xi64>
    %1 = make_token : token
    %result, %result_token = atomic_cas_tko acquire sys %reshape_0, %cst_-1_i64, %cst_-1_i64 token=%1 : tile<16x1xptr<i64>>, tile<16x1xi64> -> tile<16x1xi64>, token
    return
  }
}
// becomes
module {
  "nv_tileaa.func"() <{function_type = (!nv_tileaa.ptr<i64, 1>) -> (), kernel_spec = #nv_tileaa.kernel_spec<clusterDim=[1,1,1]>, sym_name = "k0"}> ({
  ^bb0(%arg0: !nv_tileaa.ptr<i64, 1>):
    %0 = "nv_tileaa.splat"(%arg0) : (!nv_tileaa.ptr<i64, 1>) -> tensor<1x1x!nv_tileaa.ptr<i64, 1>>
    %1 = "nv_tileaa.splat"(%arg0) : (!nv_tileaa.ptr<i64, 1>) -> tensor<16x1x!nv_tileaa.ptr<i64, 1>>
    %2 = "nv_tileaa.splat"() <{value = 49 : i32}> : () -> tensor<16x1xi32>
    %3 = "nv_tileaa.addptr"(%1, %2) : (tensor<16x1x!nv_tileaa.ptr<i64, 1>>, tensor<16x1xi32>) -> tensor<16x1x!nv_tileaa.ptr<i64, 1>>
    %4 = "nv_tileaa.splat"() <{value = -1 : i64}> : () -> tensor<16x1xi64>
    %5 = "nv_tileaa.create_mem_token"() : () -> !nv_tileaa.mem_token
    %old, %token = "nv_tileaa.atomic_cas"(%3, %4, %4, %5) <{mem_scope = #nv_tileaa.mem_scope<sys>, mem_semantic = #nv_tileaa.mem_semantic<acquire>, operandSegmentSizes = array<i32: 1, 1, 1, 0, 0, 1>}> : (tensor<16x1x!nv_tileaa.ptr<i64, 1>>, tensor<16x1xi64>, tensor<16x1xi64>, !nv_tileaa.mem_token) -> (tensor<16x1xi64>, !nv_tileaa.mem_token)
    "nv_tileaa.return"() : () -> ()
  }) : () -> ()
}
