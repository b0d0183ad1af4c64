cuda_tile.module @kernels {
  entry @k0(%arg0: tile<ptr<bf16>>) {
    %reshape = reshape %arg0 : tile<ptr<bf16>> -> tile<1x1xptr<bf16>>
    %bcast = broadcast %reshape : tile<1x1xptr<bf16>> -> tile<2x32xptr<bf16>>
    %cst_50_i32 = constant <i32: 50> : tile<2x32xi32>
    %0 = offset %bcast, %cst_50_i32 : tile<2x32xptr<bf16>>, tile<2x32xi32> -> tile<2x32xptr<bf16>>
    %1 = ptr_to_int %0 : tile<2x32xptr<bf16>> -> tile<2x32xi64>
    return
  }
}
// becomes
module {
  "nv_tileaa.func"() <{function_type = (!nv_tileaa.ptr<bf16, 1>) -> (), kernel_spec = #nv_tileaa.kernel_spec<numWarps=4, clusterDim=[1,1,1]>, sym_name = "k0"}> ({
  ^bb0(%arg0: !nv_tileaa.ptr<bf16, 1>):
    %0 = "nv_tileaa.splat"(%arg0) : (!nv_tileaa.ptr<bf16, 1>) -> tensor<1x1x!nv_tileaa.ptr<bf16, 1>>
    %1 = "nv_tileaa.splat"(%arg0) : (!nv_tileaa.ptr<bf16, 1>) -> tensor<2x32x!nv_tileaa.ptr<bf16, 1>>
    %2 = "nv_tileaa.splat"() <{value = 50 : i32}> : () -> tensor<2x32xi32>
    %3 = "nv_tileaa.addptr"(%1, %2) : (tensor<2x32x!nv_tileaa.ptr<bf16, 1>>, tensor<2x32xi32>) -> tensor<2x32x!nv_tileaa.ptr<bf16, 1>>
    %4 = "nv_tileaa.ptr_to_int"(%3) : (tensor<2x32x!nv_tileaa.ptr<bf16, 1>>) -> tensor<2x32xi64>
    "nv_tileaa.return"() : () -> ()
  }) : () -> ()
}

// -----

cuda_tile.module @kernels {
  entry @k0(%arg0: tile<ptr<i16>>) {
    %reshape = reshape %arg0 : tile<ptr<i16>> -> tile<1x1x1xptr<i16>>
    %bcast = broadcast %reshape : tile<1x1x1xptr<i16>> -> tile<16x4x1xptr<i16>>
    %cst_i64 = constant <i64: __elided__> : tile<16x4x1xi64>
    %0 = offset %bcast, %cst_i64 : tile<16x4x1xptr<i16>>, tile<16x4x1xi64> -> tile<16x4x1xptr<i16>>
    %1 = ptr_to_int %0 : tile<16x4x1xptr<i16>> -> tile<16x4x1xi64>
    return
  }
}
// becomes
module {
  "nv_tileaa.func"() <{function_type = (!nv_tileaa.ptr<i16, 1>) -> (), kernel_spec = #nv_tileaa.kernel_spec<numWarps=4, clusterDim=[1,1,1]>, sym_name = "k0"}> ({
  ^bb0(%arg0: !nv_tileaa.ptr<i16, 1>):
    %0 = "nv_tileaa.splat"(%arg0) : (!nv_tileaa.ptr<i16, 1>) -> tensor<1x1x1x!nv_tileaa.ptr<i16, 1>>
    %1 = "nv_tileaa.splat"(%arg0) : (!nv_tileaa.ptr<i16, 1>) -> tensor<16x4x1x!nv_tileaa.ptr<i16, 1>>
    %cst = "nv_tileaa.constant_tensor"() <{value = dense_resource<__elided__> : tensor<16x4x1xi64>}> : () -> tensor<16x4x1xi64>
    %2 = "nv_tileaa.addptr"(%1, %cst) : (tensor<16x4x1x!nv_tileaa.ptr<i16, 1>>, tensor<16x4x1xi64>) -> tensor<16x4x1x!nv_tileaa.ptr<i16, 1>>
    %3 = "nv_tileaa.ptr_to_int"(%2) : (tensor<16x4x1x!nv_tileaa.ptr<i16, 1>>) -> tensor<16x4x1xi64>
    "nv_tileaa.return"() : () -> ()
  }) : () -> ()
}
