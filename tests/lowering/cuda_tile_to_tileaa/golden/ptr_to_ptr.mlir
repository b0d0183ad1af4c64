cuda_tile.module @kernels {
  entry @k0(%arg0: tile<ptr<i1>>) {
    %reshape = reshape %arg0 : tile<ptr<i1>> -> tile<1x1xptr<i1>>
    %cst_37_i8 = constant <i8: 37> : tile<1x1xi8>
    %0 = offset %reshape, %cst_37_i8 : tile<1x1xptr<i1>>, tile<1x1xi8> -> tile<1x1xptr<i1>>
    %bcast = broadcast %0 : tile<1x1xptr<i1>> -> tile<4x8xptr<i1>>
    %1 = ptr_to_ptr %bcast : tile<4x8xptr<i1>> -> tile<4x8xptr<f64>>
    return
  }
}
// becomes
module {
  "nv_tileaa.func"() <{function_type = (!nv_tileaa.ptr<i1, 1>) -> (), kernel_spec = #nv_tileaa.kernel_spec<clusterDim=[1,1,1]>, sym_name = "k0"}> ({
  ^bb0(%arg0: !nv_tileaa.ptr<i1, 1>):
    %0 = "nv_tileaa.splat"(%arg0) : (!nv_tileaa.ptr<i1, 1>) -> tensor<1x1x!nv_tileaa.ptr<i1, 1>>
    %1 = "nv_tileaa.splat"() <{value = 37 : i8}> : () -> tensor<1x1xi8>
    %2 = "nv_tileaa.addptr"(%0, %1) : (tensor<1x1x!nv_tileaa.ptr<i1, 1>>, tensor<1x1xi8>) -> tensor<1x1x!nv_tileaa.ptr<i1, 1>>
    %3 = "nv_tileaa.broadcast"(%2) : (tensor<1x1x!nv_tileaa.ptr<i1, 1>>) -> tensor<4x8x!nv_tileaa.ptr<i1, 1>>
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
  "nv_tileaa.func"() <{function_type = (!nv_tileaa.ptr<i32, 1>) -> (), kernel_spec = #nv_tileaa.kernel_spec<clusterDim=[1,1,1]>, sym_name = "k0"}> ({
  ^bb0(%arg0: !nv_tileaa.ptr<i32, 1>):
    %0 = "nv_tileaa.bitcast"(%arg0) : (!nv_tileaa.ptr<i32, 1>) -> !nv_tileaa.ptr<f8E5M2, 1>
    "nv_tileaa.return"() : () -> ()
  }) : () -> ()
}
