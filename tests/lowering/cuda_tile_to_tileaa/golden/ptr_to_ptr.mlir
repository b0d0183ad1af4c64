cuda_tile.module @kernels {
  entry @k0(%arg0: tile<ptr<i1>>) {
    %reshape = reshape %arg0 : tile<ptr<i1>> -> tile<1x1xptr<i1>>
    %bcast = broadcast %reshape : tile<1x1xptr<i1>> -> tile<4x8xptr<i1>>
    %cst_60_i8 = constant <i8: 60> : tile<4x8xi8>
    %0 = offset %bcast, %cst_60_i8 : tile<4x8xptr<i1>>, tile<4x8xi8> -> tile<4x8xptr<i1>>
    %1 = ptr_to_ptr %0 : tile<4x8xptr<i1>> -> tile<4x8xptr<f64>>
    return
  }
}
// becomes
module {
  "nv_tileaa.func"() <{function_type = (!nv_tileaa.ptr<i1, 1>) -> (), kernel_spec = #nv_tileaa.kernel_spec<numWarps=4, clusterDim=[1,1,1]>, sym_name = "k0"}> ({
  ^bb0(%arg0: !nv_tileaa.ptr<i1, 1>):
    %0 = "nv_tileaa.splat"(%arg0) : (!nv_tileaa.ptr<i1, 1>) -> tensor<1x1x!nv_tileaa.ptr<i1, 1>>
    %1 = "nv_tileaa.splat"(%arg0) : (!nv_tileaa.ptr<i1, 1>) -> tensor<4x8x!nv_tileaa.ptr<i1, 1>>
    %2 = "nv_tileaa.splat"() <{value = 60 : i8}> : () -> tensor<4x8xi8>
    %3 = "nv_tileaa.addptr"(%1, %2) : (tensor<4x8x!nv_tileaa.ptr<i1, 1>>, tensor<4x8xi8>) -> tensor<4x8x!nv_tileaa.ptr<i1, 1>>
    %4 = "nv_tileaa.bitcast"(%3) : (tensor<4x8x!nv_tileaa.ptr<i1, 1>>) -> tensor<4x8x!nv_tileaa.ptr<f64, 1>>
    "nv_tileaa.return"() : () -> ()
  }) : () -> ()
}

// -----

cuda_tile.module @kernels {
  entry @k0(%arg0: tile<ptr<i32>>) {
    %0 = ptr_to_ptr %arg0 : tile<ptr<i32>> -> tile<ptr<f8E5M2>>
    return
  }
}
// becomes
module {
  "nv_tileaa.func"() <{function_type = (!nv_tileaa.ptr<i32, 1>) -> (), kernel_spec = #nv_tileaa.kernel_spec<numWarps=4, clusterDim=[1,1,1]>, sym_name = "k0"}> ({
  ^bb0(%arg0: !nv_tileaa.ptr<i32, 1>):
    %0 = "nv_tileaa.bitcast"(%arg0) : (!nv_tileaa.ptr<i32, 1>) -> !nv_tileaa.ptr<f8E5M2, 1>
    "nv_tileaa.return"() : () -> ()
  }) : () -> ()
}
