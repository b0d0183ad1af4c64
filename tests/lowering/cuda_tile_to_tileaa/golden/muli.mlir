cuda_tile.module @kernels {
  entry @k0() {
    %cst_14328_i16 = constant <i16: 14328> : tile<8x2x1xi16>
    %0 = muli %cst_14328_i16, %cst_14328_i16 overflow<no_signed_wrap> : tile<8x2x1xi16>
    return
  }
}
// becomes
module {
  "nv_tileaa.func"() <{function_type = () -> (), kernel_spec = #nv_tileaa.kernel_spec<clusterDim=[1,1,1]>, sym_name = "k0"}> ({
    %0 = "nv_tileaa.splat"() <{value = 14328 : i16}> : () -> tensor<8x2x1xi16>
    %1 = arith.muli %0, %0 overflow<nsw> : tensor<8x2x1xi16>
    "nv_tileaa.return"() : () -> ()
  }) : () -> ()
}

// -----

cuda_tile.module @kernels {
  entry @k0(%arg0: tile<i16>) {
    %reshape = reshape %arg0 : tile<i16> -> tile<1xi16>
    %bcast = broadcast %reshape : tile<1xi16> -> tile<4xi16>
    %0 = muli %bcast, %bcast overflow<no_unsigned_wrap> : tile<4xi16>
    return
  }
}
// becomes
module {
  "nv_tileaa.func"() <{function_type = (i16) -> (), kernel_spec = #nv_tileaa.kernel_spec<clusterDim=[1,1,1]>, sym_name = "k0"}> ({
  ^bb0(%arg0: i16):
    %0 = "nv_tileaa.splat"(%arg0) : (i16) -> tensor<1xi16>
    %1 = "nv_tileaa.splat"(%arg0) : (i16) -> tensor<4xi16>
    %2 = arith.muli %1, %1 overflow<nuw> : tensor<4xi16>
    "nv_tileaa.return"() : () -> ()
  }) : () -> ()
}
