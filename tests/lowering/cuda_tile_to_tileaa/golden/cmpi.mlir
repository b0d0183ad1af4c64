cuda_tile.module @kernels {
  entry @k0() {
    %cst_-452204945_i32 = constant <i32: -452204945> : tile<1x1x8xi32>
    %cst_i32 = constant <i32: [[198799379, -1061667525, -1572939244, 1851800246, 1341549706, -1873274956, 1254438616, -1792145639]]> : tile<1x8xi32>
    %reshape = reshape %cst_i32 : tile<1x8xi32> -> tile<8x1xi32>
    %reshape_0 = reshape %reshape : tile<8x1xi32> -> tile<1x1x8xi32>
    %0 = cat %cst_-452204945_i32, %reshape_0 dim = 1 : tile<1x1x8xi32>, tile<1x1x8xi32> -> tile<1x2x8xi32>
    %1 = cmpi equal %0, %0, unsigned : tile<1x2x8xi32> -> tile<1x2x8xi1>
    return
  }
}
// becomes
module {
  "nv_tileaa.func"() <{function_type = () -> (), kernel_spec = #nv_tileaa.kernel_spec<numWarps=4, clusterDim=[1,1,1]>, sym_name = "k0"}> ({
    %0 = "nv_tileaa.splat"() <{value = -452204945 : i32}> : () -> tensor<1x1x8xi32>
    %cst = "nv_tileaa.constant_tensor"() <{value = dense<[[198799379, -1061667525, -1572939244, 1851800246, 1341549706, -1873274956, 1254438616, -1792145639]]> : tensor<1x8xi32>}> : () -> tensor<1x8xi32>
    %1 = "nv_tileaa.view"(%cst) : (tensor<1x8xi32>) -> tensor<8x1xi32>
    %2 = "nv_tileaa.view"(%1) : (tensor<8x1xi32>) -> tensor<1x1x8xi32>
    %3 = "nv_tileaa.cat"(%0, %2) <{axis = 1 : i32}> : (tensor<1x1x8xi32>, tensor<1x1x8xi32>) -> tensor<1x2x8xi32>
    %4 = arith.cmpi eq, %3, %3 : tensor<1x2x8xi32>
    "nv_tileaa.return"() : () -> ()
  }) : () -> ()
}

// -----

cuda_tile.module @kernels {
  entry @k0(%arg0: tile<i16>) {
    %reshape = reshape %arg0 : tile<i16> -> tile<1x1x1xi16>
    %bcast = broadcast %reshape : tile<1x1x1xi16> -> tile<2x2x4xi16>
    %cst_23193_i16 = constant <i16: 23193> : tile<2x2x4xi16>
    %0 = cmpi greater_than_or_equal %bcast, %cst_23193_i16, signed : tile<2x2x4xi16> -> tile<2x2x4xi1>
    return
  }
}
// becomes
module {
  "nv_tileaa.func"() <{function_type = (i16) -> (), kernel_spec = #nv_tileaa.kernel_spec<numWarps=4, clusterDim=[1,1,1]>, sym_name = "k0"}> ({
  ^bb0(%arg0: i16):
    %0 = "nv_tileaa.splat"(%arg0) : (i16) -> tensor<1x1x1xi16>
    %1 = "nv_tileaa.splat"(%arg0) : (i16) -> tensor<2x2x4xi16>
    %2 = "nv_tileaa.splat"() <{value = 23193 : i16}> : () -> tensor<2x2x4xi16>
    %3 = arith.cmpi sge, %1, %2 : tensor<2x2x4xi16>
    "nv_tileaa.return"() : () -> ()
  }) : () -> ()
}
