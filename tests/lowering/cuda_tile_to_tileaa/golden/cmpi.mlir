cuda_tile.module @kernels {
  entry @k0() {
    %cst_-2147483648_i32 = constant <i32: -2147483648> : tile<1x1x8xi32>
    %0 = cat %cst_-2147483648_i32, %cst_-2147483648_i32 dim = 1 : tile<1x1x8xi32>, tile<1x1x8xi32> -> tile<1x2x8xi32>
    %cst_i32 = constant <i32: __elided__> : tile<1x2x8xi32>
    %1 = cmpi equal %0, %cst_i32, unsigned : tile<1x2x8xi32> -> tile<1x2x8xi1>
    return
  }
}
// becomes
module {
  "nv_tileaa.func"() <{function_type = () -> (), kernel_spec = #nv_tileaa.kernel_spec<clusterDim=[1,1,1]>, sym_name = "k0"}> ({
    %0 = "nv_tileaa.splat"() <{value = -2147483648 : i32}> : () -> tensor<1x1x8xi32>
    %1 = "nv_tileaa.cat"(%0, %0) <{axis = 1 : i32}> : (tensor<1x1x8xi32>, tensor<1x1x8xi32>) -> tensor<1x2x8xi32>
    %cst = "nv_tileaa.constant_tensor"() <{value = dense_resource<__elided__> : tensor<1x2x8xi32>}> : () -> tensor<1x2x8xi32>
    %2 = arith.cmpi eq, %1, %cst : tensor<1x2x8xi32>
    "nv_tileaa.return"() : () -> ()
  }) : () -> ()
}

// -----

cuda_tile.module @kernels {
  entry @k0(%arg0: tile<i16>) {
    %reshape = reshape %arg0 : tile<i16> -> tile<1x1x1xi16>
    %bcast = broadcast %reshape : tile<1x1x1xi16> -> tile<2x2x4xi16>
    %cst_-17467_i16 = constant <i16: -17467> : tile<2x2x4xi16>
    %0 = cmpi greater_than_or_equal %bcast, %cst_-17467_i16, signed : tile<2x2x4xi16> -> tile<2x2x4xi1>
    return
  }
}
// becomes
module {
  "nv_tileaa.func"() <{function_type = (i16) -> (), kernel_spec = #nv_tileaa.kernel_spec<clusterDim=[1,1,1]>, sym_name = "k0"}> ({
  ^bb0(%arg0: i16):
    %0 = "nv_tileaa.splat"(%arg0) : (i16) -> tensor<1x1x1xi16>
    %1 = "nv_tileaa.splat"(%arg0) : (i16) -> tensor<2x2x4xi16>
    %2 = "nv_tileaa.splat"() <{value = -17467 : i16}> : () -> tensor<2x2x4xi16>
    %3 = arith.cmpi sge, %1, %2 : tensor<2x2x4xi16>
    "nv_tileaa.return"() : () -> ()
  }) : () -> ()
}
