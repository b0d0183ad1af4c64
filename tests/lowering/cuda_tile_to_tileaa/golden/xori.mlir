cuda_tile.module @kernels {
  entry @k0() {
    %cst_-9231_i16 = constant <i16: -9231> : tile<1x16xi16>
    %reshape = reshape %cst_-9231_i16 : tile<1x16xi16> -> tile<1x2x8xi16>
    %0 = xori %reshape, %reshape : tile<1x2x8xi16>
    return
  }
}
// becomes
module {
  "nv_tileaa.func"() <{function_type = () -> (), kernel_spec = #nv_tileaa.kernel_spec<clusterDim=[1,1,1]>, sym_name = "k0"}> ({
    %0 = "nv_tileaa.splat"() <{value = -9231 : i16}> : () -> tensor<1x16xi16>
    %1 = "nv_tileaa.view"(%0) : (tensor<1x16xi16>) -> tensor<1x2x8xi16>
    %2 = arith.xori %1, %1 : tensor<1x2x8xi16>
    "nv_tileaa.return"() : () -> ()
  }) : () -> ()
}

// -----

cuda_tile.module @kernels {
  entry @k0() {
    %cst_i8 = constant <i8: __elided__> : tile<32x1xi8>
    %0 = xori %cst_i8, %cst_i8 : tile<32x1xi8>
    return
  }
}
// becomes
module {
  "nv_tileaa.func"() <{function_type = () -> (), kernel_spec = #nv_tileaa.kernel_spec<clusterDim=[1,1,1]>, sym_name = "k0"}> ({
    %cst = "nv_tileaa.constant_tensor"() <{value = dense_resource<__elided__> : tensor<32x1xi8>}> : () -> tensor<32x1xi8>
    %0 = arith.xori %cst, %cst : tensor<32x1xi8>
    "nv_tileaa.return"() : () -> ()
  }) : () -> ()
}
