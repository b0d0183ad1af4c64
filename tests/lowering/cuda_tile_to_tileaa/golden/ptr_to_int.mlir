cuda_tile.module @kernels {
  entry @k0(%arg0: tile<ptr<bf16>>) {
    %reshape = reshape %arg0 : tile<ptr<bf16>> -> tile<1x1xptr<bf16>>
    %bcast = broadcast %reshape : tile<1x1xptr<bf16>> -> tile<2x32xptr<bf16>>
    %cst_0_i64 = constant <i64: 0> : tile<2x32xi64>
    %0 = offset %bcast, %cst_0_i64 : tile<2x32xptr<bf16>>, tile<2x32xi64> -> tile<2x32xptr<bf16>>
    %1 = ptr_to_int %0 : tile<2x32xptr<bf16>> -> tile<2x32xi64>
    return
  }
}
// becomes
module {
  "nv_tileaa.func"() <{function_type = (!nv_tileaa.ptr<bf16, 1>) -> (), kernel_spec = #nv_tileaa.kernel_spec<clusterDim=[1,1,1]>, sym_name = "k0"}> ({
  ^bb0(%arg0: !nv_tileaa.ptr<bf16, 1>):
    %0 = "nv_tileaa.splat"(%arg0) : (!nv_tileaa.ptr<bf16, 1>) -> tensor<1x1x!nv_tileaa.ptr<bf16, 1>>
    %1 = "nv_tileaa.splat"(%arg0) : (!nv_tileaa.ptr<bf16, 1>) -> tensor<2x32x!nv_tileaa.ptr<bf16, 1>>
    %2 = "nv_tileaa.splat"() <{value = 0 : i64}> : () -> tensor<2x32xi64>
    %3 = "nv_tileaa.addptr"(%1, %2) : (tensor<2x32x!nv_tileaa.ptr<bf16, 1>>, tensor<2x32xi64>) -> tensor<2x32x!nv_tileaa.ptr<bf16, 1>>
    %4 = "nv_tileaa.ptr_to_int"(%3) : (tensor<2x32x!nv_tileaa.ptr<bf16, 1>>) -> tensor<2x32xi64>
    "nv_tileaa.return"() : () -> ()
  }) : () -> ()
}

// -----

cuda_tile.module @kernels {
  entry @k0(%arg0: tile<ptr<i16>>) {
    %reshape = reshape %arg0 : tile<ptr<i16>> -> tile<1x1x1xptr<i16>>
    %bcast = broadcast %reshape : tile<1x1x1xptr<i16>> -> tile<16x4x1xptr<i16>>
    %cst_48_i64 = constant <i64: 48> : tile<16x4x1xi64>
    %0 = offset %bcast, %cst_48_i64 : tile<16x4x1xptr<i16>>, tile<16x4x1xi64> -> tile<16x4x1xptr<i16>>
    %1 = ptr_to_int %0 : tile<16x4x1xptr<i16>> -> tile<16x4x1xi64>
    return
  }
}
// becomes
module {
  "nv_tileaa.func"() <{function_type = (!nv_tileaa.ptr<i16, 1>) -> (), kernel_spec = #nv_tileaa.kernel_spec<clusterDim=[1,1,1]>, sym_name = "k0"}> ({
  ^bb0(%arg0: !nv_tileaa.ptr<i16, 1>):
    %0 = "nv_tileaa.splat"(%arg0) : (!nv_tileaa.ptr<i16, 1>) -> tensor<1x1x1x!nv_tileaa.ptr<i16, 1>>
    %1 = "nv_tileaa.splat"(%arg0) : (!nv_tileaa.ptr<i16, 1>) -> tensor<16x4x1x!nv_tileaa.ptr<i16, 1>>
    %2 = "nv_tileaa.splat"() <{value = 48 : i64}> : () -> tensor<16x4x1xi64>
    %3 = "nv_tileaa.addptr"(%1, %2) : (tensor<16x4x1x!nv_tileaa.ptr<i16, 1>>, tensor<16x4x1xi64>) -> tensor<16x4x1x!nv_tileaa.ptr<i16, 1>>
    %4 = "nv_tileaa.ptr_to_int"(%3) : (tensor<16x4x1x!nv_tileaa.ptr<i16, 1>>) -> tensor<16x4x1xi64>
    "nv_tileaa.return"() : () -> ()
  }) : () -> ()
}
