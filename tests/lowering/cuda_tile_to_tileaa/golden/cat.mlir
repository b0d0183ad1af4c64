cuda_tile.module @kernels {
  entry @k0(%arg0: tile<ptr<tf32>>) {
    %reshape = reshape %arg0 : tile<ptr<tf32>> -> tile<1x1x1xptr<tf32>>
    %bcast = broadcast %reshape : tile<1x1x1xptr<tf32>> -> tile<1x4x1xptr<tf32>>
    %cst_4_i8 = constant <i8: 4> : tile<1x4x1xi8>
    %0 = offset %bcast, %cst_4_i8 : tile<1x4x1xptr<tf32>>, tile<1x4x1xi8> -> tile<1x4x1xptr<tf32>>
    %1 = cat %0, %0 dim = 1 : tile<1x4x1xptr<tf32>>, tile<1x4x1xptr<tf32>> -> tile<1x8x1xptr<tf32>>
    return
  }
}
// becomes
module {
  "nv_tileaa.func"() <{function_type = (!nv_tileaa.ptr<tf32, 1>) -> (), kernel_spec = #nv_tileaa.kernel_spec<clusterDim=[1,1,1]>, sym_name = "k0"}> ({
  ^bb0(%arg0: !nv_tileaa.ptr<tf32, 1>):
    %0 = "nv_tileaa.splat"(%arg0) : (!nv_tileaa.ptr<tf32, 1>) -> tensor<1x1x1x!nv_tileaa.ptr<tf32, 1>>
    %1 = "nv_tileaa.splat"(%arg0) : (!nv_tileaa.ptr<tf32, 1>) -> tensor<1x4x1x!nv_tileaa.ptr<tf32, 1>>
    %2 = "nv_tileaa.splat"() <{value = 4 : i8}> : () -> tensor<1x4x1xi8>
    %3 = "nv_tileaa.addptr"(%1, %2) : (tensor<1x4x1x!nv_tileaa.ptr<tf32, 1>>, tensor<1x4x1xi8>) -> tensor<1x4x1x!nv_tileaa.ptr<tf32, 1>>
    %4 = "nv_tileaa.cat"(%3, %3) <{axis = 1 : i32}> : (tensor<1x4x1x!nv_tileaa.ptr<tf32, 1>>, tensor<1x4x1x!nv_tileaa.ptr<tf32, 1>>) -> tensor<1x8x1x!nv_tileaa.ptr<tf32, 1>>
    "nv_tileaa.return"() : () -> ()
  }) : () -> ()
}

// -----

cuda_tile.module @kernels {
  entry @k0(%arg0: tile<ptr<i16, <unicast>>>) {
    %reshape = reshape %arg0 : tile<ptr<i16, <unicast>>> -> tile<1x1xptr<i16, <unicast>>>
    %bcast = broadcast %reshape : tile<1x1xptr<i16, <unicast>>> -> tile<4x4xptr<i16, <unicast>>>
    %cst_i8 = constant <i8: __elided__> : tile<4x4xi8>
    %0 = offset %bcast, %cst_i8 : tile<4x4xptr<i16, <unicast>>>, tile<4x4xi8> -> tile<4x4xptr<i16, <unicast>>>
    %reshape_0 = reshape %arg0 : tile<ptr<i16, <unicast>>> -> tile<1x1xptr<i16, <unicast>>>
    %bcast_1 = broadcast %reshape_0 : tile<1x1xptr<i16, <unicast>>> -> tile<4x4xptr<i16, <unicast>>>
    %cst_i8_2 = constant <i8: __elided__> : tile<4x4xi8>
    %1 = offset %bcast_1, %cst_i8_2 : tile<4x4xptr<i16, <unicast>>>, tile<4x4xi8> -> tile<4x4xptr<i16, <unicast>>>
    %2 = cat %0, %1 dim = 1 : tile<4x4xptr<i16, <unicast>>>, tile<4x4xptr<i16, <unicast>>> -> tile<4x8xptr<i16, <unicast>>>
    return
  }
}
// becomes
module {
  "nv_tileaa.func"() <{function_type = (!nv_tileaa.ptr<i16, 1>) -> (), kernel_spec = #nv_tileaa.kernel_spec<clusterDim=[1,1,1]>, sym_name = "k0"}> ({
  ^bb0(%arg0: !nv_tileaa.ptr<i16, 1>):
    %0 = "nv_tileaa.splat"(%arg0) : (!nv_tileaa.ptr<i16, 1>) -> tensor<1x1x!nv_tileaa.ptr<i16, 1>>
    %1 = "nv_tileaa.splat"(%arg0) : (!nv_tileaa.ptr<i16, 1>) -> tensor<4x4x!nv_tileaa.ptr<i16, 1>>
    %cst = "nv_tileaa.constant_tensor"() <{value = dense_resource<__elided__> : tensor<4x4xi8>}> : () -> tensor<4x4xi8>
    %2 = "nv_tileaa.addptr"(%1, %cst) : (tensor<4x4x!nv_tileaa.ptr<i16, 1>>, tensor<4x4xi8>) -> tensor<4x4x!nv_tileaa.ptr<i16, 1>>
    %3 = "nv_tileaa.splat"(%arg0) : (!nv_tileaa.ptr<i16, 1>) -> tensor<1x1x!nv_tileaa.ptr<i16, 1>>
    %4 = "nv_tileaa.splat"(%arg0) : (!nv_tileaa.ptr<i16, 1>) -> tensor<4x4x!nv_tileaa.ptr<i16, 1>>
    %cst_0 = "nv_tileaa.constant_tensor"() <{value = dense_resource<__elided__> : tensor<4x4xi8>}> : () -> tensor<4x4xi8>
    %5 = "nv_tileaa.addptr"(%4, %cst_0) : (tensor<4x4x!nv_tileaa.ptr<i16, 1>>, tensor<4x4xi8>) -> tensor<4x4x!nv_tileaa.ptr<i16, 1>>
    %6 = "nv_tileaa.cat"(%2, %5) <{axis = 1 : i32}> : (tensor<4x4x!nv_tileaa.ptr<i16, 1>>, tensor<4x4x!nv_tileaa.ptr<i16, 1>>) -> tensor<4x8x!nv_tileaa.ptr<i16, 1>>
    "nv_tileaa.return"() : () -> ()
  }) : () -> ()
}
