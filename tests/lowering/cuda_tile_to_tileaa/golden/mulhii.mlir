cuda_tile.module @kernels {
  entry @k0() {
    %cst_-22565_i16 = constant <i16: -22565> : tile<32x2xi16>
    %0 = mulhii %cst_-22565_i16, %cst_-22565_i16 : tile<32x2xi16>
    return
  }
}
// becomes
module {
  "nv_tileaa.func"() <{function_type = () -> (), kernel_spec = #nv_tileaa.kernel_spec<numWarps=4, clusterDim=[1,1,1]>, sym_name = "k0"}> ({
    %0 = "nv_tileaa.splat"() <{value = -22565 : i16}> : () -> tensor<32x2xi16>
    %1 = "nv_tileaa.mulhiui"(%0, %0) : (tensor<32x2xi16>, tensor<32x2xi16>) -> tensor<32x2xi16>
    "nv_tileaa.return"() : () -> ()
  }) : () -> ()
}

// -----

cuda_tile.module @kernels {
  entry @k0(%arg0: tile<i16>) {
    %cst_i16 = constant <i16: __elided__> : tile<16xi16>
    %reshape = reshape %arg0 : tile<i16> -> tile<1xi16>
    %bcast = broadcast %reshape : tile<1xi16> -> tile<16xi16>
    %0 = mulhii %cst_i16, %bcast : tile<16xi16>
    return
  }
}
// becomes
module {
  "nv_tileaa.func"() <{function_type = (i16) -> (), kernel_spec = #nv_tileaa.kernel_spec<numWarps=4, clusterDim=[1,1,1]>, sym_name = "k0"}> ({
  ^bb0(%arg0: i16):
    %cst = "nv_tileaa.constant_tensor"() <{value = dense_resource<__elided__> : tensor<16xi16>}> : () -> tensor<16xi16>
    %0 = "nv_tileaa.splat"(%arg0) : (i16) -> tensor<1xi16>
    %1 = "nv_tileaa.splat"(%arg0) : (i16) -> tensor<16xi16>
    %2 = "nv_tileaa.mulhiui"(%cst, %1) : (tensor<16xi16>, tensor<16xi16>) -> tensor<16xi16>
    "nv_tileaa.return"() : () -> ()
  }) : () -> ()
}
