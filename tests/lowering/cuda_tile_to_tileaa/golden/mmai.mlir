cuda_tile.module @kernels {
  entry @k0() {
    %cst_i8 = constant <i8: [[[95], [-58], [-99], [88]], [[-49], [-3], [35], [-110]]]> : tile<2x4x1xi8>
    %cst_i8_0 = constant <i8: [[[49]], [[33]]]> : tile<2x1x1xi8>
    %cst_847766991_i32 = constant <i32: 847766991> : tile<2x4x1xi32>
    %0 = mmai %cst_i8, %cst_i8_0, %cst_847766991_i32 unsigned signed : tile<2x4x1xi8>, tile<2x1x1xi8>, tile<2x4x1xi32>
    return
  }
}
// becomes
module {
  "nv_tileaa.func"() <{function_type = () -> (), kernel_spec = #nv_tileaa.kernel_spec<numWarps=4, clusterDim=[1,1,1]>, sym_name = "k0"}> ({
    %cst = "nv_tileaa.constant_tensor"() <{value = dense<[[[95], [-58], [-99], [88]], [[-49], [-3], [35], [-110]]]> : tensor<2x4x1xi8>}> : () -> tensor<2x4x1xi8>
    %cst_0 = "nv_tileaa.constant_tensor"() <{value = dense<[[[49]], [[33]]]> : tensor<2x1x1xi8>}> : () -> tensor<2x1x1xi8>
    %0 = "nv_tileaa.splat"() <{value = 847766991 : i32}> : () -> tensor<2x4x1xi32>
    %1 = "nv_tileaa.dot"(%cst, %cst_0, %0) <{operandSegmentSizes = array<i32: 1, 1, 1, 0, 0>, signedness_a = #nv_tileaa.signedness<unsigned>, signedness_b = #nv_tileaa.signedness<signed>}> : (tensor<2x4x1xi8>, tensor<2x1x1xi8>, tensor<2x4x1xi32>) -> tensor<2x4x1xi32>
    "nv_tileaa.return"() : () -> ()
  }) : () -> ()
}

// -----

cuda_tile.module @kernels {
  entry @k0() {
    %cst_-68_i8 = constant <i8: -68> : tile<2x4x2xi8>
    %cst_-56_i8 = constant <i8: -56> : tile<2x2x4xi8>
    %cst_i32 = constant <i32: __elided__> : tile<2x4x4xi32>
    %0 = mmai %cst_-68_i8, %cst_-56_i8, %cst_i32 signed signed : tile<2x4x2xi8>, tile<2x2x4xi8>, tile<2x4x4xi32>
    return
  }
}
// becomes
module {
  "nv_tileaa.func"() <{function_type = () -> (), kernel_spec = #nv_tileaa.kernel_spec<numWarps=4, clusterDim=[1,1,1]>, sym_name = "k0"}> ({
    %0 = "nv_tileaa.splat"() <{value = -68 : i8}> : () -> tensor<2x4x2xi8>
    %1 = "nv_tileaa.splat"() <{value = -56 : i8}> : () -> tensor<2x2x4xi8>
    %cst = "nv_tileaa.constant_tensor"() <{value = dense_resource<__elided__> : tensor<2x4x4xi32>}> : () -> tensor<2x4x4xi32>
    %2 = "nv_tileaa.dot"(%0, %1, %cst) <{operandSegmentSizes = array<i32: 1, 1, 1, 0, 0>, signedness_a = #nv_tileaa.signedness<signed>, signedness_b = #nv_tileaa.signedness<signed>}> : (tensor<2x4x2xi8>, tensor<2x2x4xi8>, tensor<2x4x4xi32>) -> tensor<2x4x4xi32>
    "nv_tileaa.return"() : () -> ()
  }) : () -> ()
}
