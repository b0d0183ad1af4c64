cuda_tile.module @kernels {
  entry @k0() {
    %cst_i64 = constant <i64: __elided__> : tile<2x8xi64>
    %0 = shri %cst_i64, %cst_i64 signed : tile<2x8xi64>
    return
  }
}
// becomes
module {
  "nv_tileaa.func"() <{function_type = () -> (), kernel_spec = #nv_tileaa.kernel_spec<numWarps=4, clusterDim=[1,1,1]>, sym_name = "k0"}> ({
    %cst = "nv_tileaa.constant_tensor"() <{value = dense_resource<__elided__> : tensor<2x8xi64>}> : () -> tensor<2x8xi64>
    %0 = arith.shrsi %cst, %cst : tensor<2x8xi64>
    "nv_tileaa.return"() : () -> ()
  }) : () -> ()
}

// -----

cuda_tile.module @kernels {
  entry @k0(%arg0: tile<i16>) {
    %cst_i16 = constant <i16: __elided__> : tile<1x4x1x8xi16>
    %reshape = reshape %arg0 : tile<i16> -> tile<1x1x1x1xi16>
    %bcast = broadcast %reshape : tile<1x1x1x1xi16> -> tile<1x4x1x8xi16>
    %0 = shri %bcast, %cst_i16 signed : tile<1x4x1x8xi16>
    return
  }
}
// becomes
module {
  "nv_tileaa.func"() <{function_type = (i16) -> (), kernel_spec = #nv_tileaa.kernel_spec<numWarps=4, clusterDim=[1,1,1]>, sym_name = "k0"}> ({
  ^bb0(%arg0: i16):
    %cst = "nv_tileaa.constant_tensor"() <{value = dense_resource<__elided__> : tensor<1x4x1x8xi16>}> : () -> tensor<1x4x1x8xi16>
    %0 = "nv_tileaa.splat"(%arg0) : (i16) -> tensor<1x1x1x1xi16>
    %1 = "nv_tileaa.splat"(%arg0) : (i16) -> tensor<1x4x1x8xi16>
    %2 = arith.shrsi %1, %cst : tensor<1x4x1x8xi16>
    "nv_tileaa.return"() : () -> ()
  }) : () -> ()
}
