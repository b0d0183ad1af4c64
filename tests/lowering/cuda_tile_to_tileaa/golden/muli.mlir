cuda_tile.module @kernels {
  entry @k0() {
    %cst_i16 = constant <i16: __elided__> : tile<8x2x1xi16>
    %cst_i16_0 = constant <i16: __elided__> : tile<8x2x1xi16>
    %0 = muli %cst_i16, %cst_i16_0 overflow<no_signed_wrap> : tile<8x2x1xi16>
    return
  }
}
// becomes
module {
  "nv_tileaa.func"() <{function_type = () -> (), kernel_spec = #nv_tileaa.kernel_spec<numWarps=4, clusterDim=[1,1,1]>, sym_name = "k0"}> ({
    %cst = "nv_tileaa.constant_tensor"() <{value = dense_resource<__elided__> : tensor<8x2x1xi16>}> : () -> tensor<8x2x1xi16>
    %cst_0 = "nv_tileaa.constant_tensor"() <{value = dense_resource<__elided__> : tensor<8x2x1xi16>}> : () -> tensor<8x2x1xi16>
    %0 = arith.muli %cst, %cst_0 overflow<nsw> : tensor<8x2x1xi16>
    "nv_tileaa.return"() : () -> ()
  }) : () -> ()
}

// -----

cuda_tile.module @kernels {
  entry @k0() {
    %cst_i16 = constant <i16: [12165, 26077, -30046, -29492]> : tile<4xi16>
    %cst_3318_i16 = constant <i16: 3318> : tile<4xi16>
    %0 = muli %cst_i16, %cst_3318_i16 overflow<no_unsigned_wrap> : tile<4xi16>
    return
  }
}
// becomes
module {
  "nv_tileaa.func"() <{function_type = () -> (), kernel_spec = #nv_tileaa.kernel_spec<numWarps=4, clusterDim=[1,1,1]>, sym_name = "k0"}> ({
    %cst = "nv_tileaa.constant_tensor"() <{value = dense<[12165, 26077, -30046, -29492]> : tensor<4xi16>}> : () -> tensor<4xi16>
    %0 = "nv_tileaa.splat"() <{value = 3318 : i16}> : () -> tensor<4xi16>
    %1 = arith.muli %cst, %0 overflow<nuw> : tensor<4xi16>
    "nv_tileaa.return"() : () -> ()
  }) : () -> ()
}
