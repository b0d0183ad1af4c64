cuda_tile.module @kernels {
  entry @k0(%arg0: tile<ptr<f32, <none>>>) {
    %cst_44_i64 = constant <i64: 44> : tile<16xi64>
    %reshape = reshape %arg0 : tile<ptr<f32, <none>>> -> tile<1xptr<f32, <none>>>
    %bcast = broadcast %reshape : tile<1xptr<f32, <none>>> -> tile<16xptr<f32, <none>>>
    %cst_i64 = constant <i64: __elided__> : tile<16xi64>
    %0 = offset %bcast, %cst_i64 : tile<16xptr<f32, <none>>>, tile<16xi64> -> tile<16xptr<f32, <none>>>
    %1 = offset %0, %cst_44_i64 : tile<16xptr<f32, <none>>>, tile<16xi64> -> tile<16xptr<f32, <none>>>
    return
  }
}
// becomes
module {
  "nv_tileaa.func"() <{function_type = (!nv_tileaa.ptr<f32, 1>) -> (), kernel_spec = #nv_tileaa.kernel_spec<clusterDim=[1,1,1]>, sym_name = "k0"}> ({
  ^bb0(%arg0: !nv_tileaa.ptr<f32, 1>):
    %0 = "nv_tileaa.splat"() <{value = 44 : i64}> : () -> tensor<16xi64>
    %1 = "nv_tileaa.splat"(%arg0) : (!nv_tileaa.ptr<f32, 1>) -> tensor<1x!nv_tileaa.ptr<f32, 1>>
    %2 = "nv_tileaa.splat"(%arg0) : (!nv_tileaa.ptr<f32, 1>) -> tensor<16x!nv_tileaa.ptr<f32, 1>>
    %cst = "nv_tileaa.constant_tensor"() <{value = dense_resource<__elided__> : tensor<16xi64>}> : () -> tensor<16xi64>
    %3 = "nv_tileaa.addptr"(%2, %cst) : (tensor<16x!nv_tileaa.ptr<f32, 1>>, tensor<16xi64>) -> tensor<16x!nv_tileaa.ptr<f32, 1>>
    %4 = "nv_tileaa.addptr"(%3, %0) : (tensor<16x!nv_tileaa.ptr<f32, 1>>, tensor<16xi64>) -> tensor<16x!nv_tileaa.ptr<f32, 1>>
    "nv_tileaa.return"() : () -> ()
  }) : () -> ()
}

// -----

cuda_tile.module @kernels {
  entry @k0(%arg0: tile<ptr<i32, <none>>>) {
    %false = constant <i1: false> : tile<64xi1>
    %reshape = reshape %arg0 : tile<ptr<i32, <none>>> -> tile<1xptr<i32, <none>>>
    %cst_8_i32 = constant <i32: 8> : tile<1xi32>
    %0 = offset %reshape, %cst_8_i32 : tile<1xptr<i32, <none>>>, tile<1xi32> -> tile<1xptr<i32, <none>>>
    %bcast = broadcast %0 : tile<1xptr<i32, <none>>> -> tile<64xptr<i32, <none>>>
    %1 = offset %bcast, %false : tile<64xptr<i32, <none>>>, tile<64xi1> -> tile<64xptr<i32, <none>>>
    return
  }
}
// becomes
module {
  "nv_tileaa.func"() <{function_type = (!nv_tileaa.ptr<i32, 1>) -> (), kernel_spec = #nv_tileaa.kernel_spec<clusterDim=[1,1,1]>, sym_name = "k0"}> ({
  ^bb0(%arg0: !nv_tileaa.ptr<i32, 1>):
    %0 = "nv_tileaa.splat"() <{value = false}> : () -> tensor<64xi1>
    %1 = "nv_tileaa.splat"(%arg0) : (!nv_tileaa.ptr<i32, 1>) -> tensor<1x!nv_tileaa.ptr<i32, 1>>
    %2 = "nv_tileaa.splat"() <{value = 8 : i32}> : () -> tensor<1xi32>
    %3 = "nv_tileaa.addptr"(%1, %2) : (tensor<1x!nv_tileaa.ptr<i32, 1>>, tensor<1xi32>) -> tensor<1x!nv_tileaa.ptr<i32, 1>>
    %4 = "nv_tileaa.broadcast"(%3) : (tensor<1x!nv_tileaa.ptr<i32, 1>>) -> tensor<64x!nv_tileaa.ptr<i32, 1>>
    %5 = "nv_tileaa.addptr"(%4, %0) : (tensor<64x!nv_tileaa.ptr<i32, 1>>, tensor<64xi1>) -> tensor<64x!nv_tileaa.ptr<i32, 1>>
    "nv_tileaa.return"() : () -> ()
  }) : () -> ()
}
