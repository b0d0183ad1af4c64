cuda_tile.module @kernels {
  entry @k0(%arg0: tile<i32>) {
    %reshape = reshape %arg0 : tile<i32> -> tile<1x1xi32>
    %bcast = broadcast %reshape : tile<1x1xi32> -> tile<4x16xi32>
    %0 = negi %bcast overflow<no_wrap> : tile<4x16xi32>
    return
  }
}
// becomes
module {
  "nv_tileaa.func"() <{function_type = (i32) -> (), kernel_spec = #nv_tileaa.kernel_spec<clusterDim=[1,1,1]>, sym_name = "k0"}> ({
  ^bb0(%arg0: i32):
    %0 = "nv_tileaa.splat"(%arg0) : (i32) -> tensor<1x1xi32>
    %1 = "nv_tileaa.splat"(%arg0) : (i32) -> tensor<4x16xi32>
    %2 = "nv_tileaa.splat"() <{value = 0 : i32}> : () -> tensor<4x16xi32>
    %3 = arith.subi %2, %1 overflow<nsw, nuw> : tensor<4x16xi32>
    "nv_tileaa.return"() : () -> ()
  }) : () -> ()
}

// -----

cuda_tile.module @kernels {
  entry @k0() {
    %cst_-32768_i16 = constant <i16: -32768> : tile<4x2xi16>
    %0 = negi %cst_-32768_i16 overflow<no_signed_wrap> : tile<4x2xi16>
    return
  }
}
// becomes
module {
  "nv_tileaa.func"() <{function_type = () -> (), kernel_spec = #nv_tileaa.kernel_spec<clusterDim=[1,1,1]>, sym_name = "k0"}> ({
    %0 = "nv_tileaa.splat"() <{value = -32768 : i16}> : () -> tensor<4x2xi16>
    %1 = "nv_tileaa.splat"() <{value = 0 : i16}> : () -> tensor<4x2xi16>
    %2 = arith.subi %1, %0 overflow<nsw> : tensor<4x2xi16>
    "nv_tileaa.return"() : () -> ()
  }) : () -> ()
}
