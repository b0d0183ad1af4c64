cuda_tile.module @kernels {
  entry @k0() {
    %cst_i64 = constant <i64: __elided__> : tile<2x8xi64>
    %0 = shri %cst_i64, %cst_i64 signed : tile<2x8xi64>
    return
  }
}
// becomes
module {
  "nv_tileaa.func"() <{function_type = () -> (), kernel_spec = #nv_tileaa.kernel_spec<clusterDim=[1,1,1]>, sym_name = "k0"}> ({
    %cst = "nv_tileaa.constant_tensor"() <{value = dense_resource<__elided__> : tensor<2x8xi64>}> : () -> tensor<2x8xi64>
    %0 = arith.shrsi %cst, %cst : tensor<2x8xi64>
    "nv_tileaa.return"() : () -> ()
  }) : () -> ()
}

// -----

cuda_tile.module @kernels {
  entry @k0() {
    %cst_i16 = constant <i16: __elided__> : tile<1x4x1x8xi16>
    %cst_i16_0 = constant <i16: __elided__> : tile<1x4x1x8xi16>
    %0 = shri %cst_i16_0, %cst_i16 signed : tile<1x4x1x8xi16>
    return
  }
}
// becomes
module {
  "nv_tileaa.func"() <{function_type = () -> (), kernel_spec = #nv_tileaa.kernel_spec<clusterDim=[1,1,1]>, sym_name = "k0"}> ({
    %cst = "nv_tileaa.constant_tensor"() <{value = dense_resource<__elided__> : tensor<1x4x1x8xi16>}> : () -> tensor<1x4x1x8xi16>
    %cst_0 = "nv_tileaa.constant_tensor"() <{value = dense_resource<__elided__> : tensor<1x4x1x8xi16>}> : () -> tensor<1x4x1x8xi16>
    %0 = arith.shrsi %cst_0, %cst : tensor<1x4x1x8xi16>
    "nv_tileaa.return"() : () -> ()
  }) : () -> ()
}
