cuda_tile.module @kernels {
  entry @k0(%arg0: tile<i8>) {
    %reshape = reshape %arg0 : tile<i8> -> tile<1x1x1xi8>
    %bcast = broadcast %reshape : tile<1x1x1xi8> -> tile<2x4x1xi8>
    %cst_i8 = constant <i8: [[[-67]], [[-81]]]> : tile<2x1x1xi8>
    %cst_-1510915039_i32 = constant <i32: -1510915039> : tile<2x4x1xi32>
    %0 = mmai %bcast, %cst_i8, %cst_-1510915039_i32 unsigned signed : tile<2x4x1xi8>, tile<2x1x1xi8>, tile<2x4x1xi32>
    return
  }
}
// becomes
module {
  "nv_tileaa.func"() <{function_type = (i8) -> (), kernel_spec = #nv_tileaa.kernel_spec<clusterDim=[1,1,1]>, sym_name = "k0"}> ({
  ^bb0(%arg0: i8):
    %0 = "nv_tileaa.splat"(%arg0) : (i8) -> tensor<1x1x1xi8>
    %1 = "nv_tileaa.splat"(%arg0) : (i8) -> tensor<2x4x1xi8>
    %cst = "nv_tileaa.constant_tensor"() <{value = dense<[[[-67]], [[-81]]]> : tensor<2x1x1xi8>}> : () -> tensor<2x1x1xi8>
    %2 = "nv_tileaa.splat"() <{value = -1510915039 : i32}> : () -> tensor<2x4x1xi32>
    %3 = "nv_tileaa.dot"(%1, %cst, %2) <{operandSegmentSizes = array<i32: 1, 1, 1, 0, 0>, signedness_a = #nv_tileaa.signedness<unsigned>, signedness_b = #nv_tileaa.signedness<signed>}> : (tensor<2x4x1xi8>, tensor<2x1x1xi8>, tensor<2x4x1xi32>) -> tensor<2x4x1xi32>
    "nv_tileaa.return"() : () -> ()
  }) : () -> ()
}

// -----

cuda_tile.module @kernels {
  entry @k0(%arg0: tile<i32>) {
    %cst_i8 = constant <i8: [[[-44, -57, -15, -90]], [[-74, 56, 17, -110]]]> : tile<2x1x4xi8>
    %0 = permute %cst_i8 [0, 2, 1] : tile<2x1x4xi8> -> tile<2x4x1xi8>
    %1 = permute %0 [2, 1, 0] : tile<2x4x1xi8> -> tile<1x4x2xi8>
    %2 = cat %1, %1 dim = 0 : tile<1x4x2xi8>, tile<1x4x2xi8> -> tile<2x4x2xi8>
    %3 = permute %2 [0, 1, 2] : tile<2x4x2xi8> -> tile<2x4x2xi8>
    %cst_i8_0 = constant <i8: __elided__> : tile<2x2x4xi8>
    %reshape = reshape %arg0 : tile<i32> -> tile<1x1x1xi32>
    %bcast = broadcast %reshape : tile<1x1x1xi32> -> tile<2x4x4xi32>
    %4 = mmai %3, %cst_i8_0, %bcast signed signed : tile<2x4x2xi8>, tile<2x2x4xi8>, tile<2x4x4xi32>
    return
  }
}
// becomes
module {
  "nv_tileaa.func"() <{function_type = (i32) -> (), kernel_spec = #nv_tileaa.kernel_spec<clusterDim=[1,1,1]>, sym_name = "k0"}> ({
  ^bb0(%arg0: i32):
    %cst = "nv_tileaa.constant_tensor"() <{value = dense<[[[-44, -57, -15, -90]], [[-74, 56, 17, -110]]]> : tensor<2x1x4xi8>}> : () -> tensor<2x1x4xi8>
    %0 = "nv_tileaa.permute"(%cst) <{permutation = array<i64: 0, 2, 1>}> : (tensor<2x1x4xi8>) -> tensor<2x4x1xi8>
    %1 = "nv_tileaa.permute"(%0) <{permutation = array<i64: 2, 1, 0>}> : (tensor<2x4x1xi8>) -> tensor<1x4x2xi8>
    %2 = "nv_tileaa.cat"(%1, %1) <{axis = 0 : i32}> : (tensor<1x4x2xi8>, tensor<1x4x2xi8>) -> tensor<2x4x2xi8>
    %3 = "nv_tileaa.permute"(%2) <{permutation = array<i64: 0, 1, 2>}> : (tensor<2x4x2xi8>) -> tensor<2x4x2xi8>
    %cst_0 = "nv_tileaa.constant_tensor"() <{value = dense_resource<__elided__> : tensor<2x2x4xi8>}> : () -> tensor<2x2x4xi8>
    %4 = "nv_tileaa.splat"(%arg0) : (i32) -> tensor<1x1x1xi32>
    %5 = "nv_tileaa.splat"(%arg0) : (i32) -> tensor<2x4x4xi32>
    %6 = "nv_tileaa.dot"(%3, %cst_0, %5) <{operandSegmentSizes = array<i32: 1, 1, 1, 0, 0>, signedness_a = #nv_tileaa.signedness<signed>, signedness_b = #nv_tileaa.signedness<signed>}> : (tensor<2x4x2xi8>, tensor<2x2x4xi8>, tensor<2x4x4xi32>) -> tensor<2x4x4xi32>
    "nv_tileaa.return"() : () -> ()
  }) : () -> ()
}
