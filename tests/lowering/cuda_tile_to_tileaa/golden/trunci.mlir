cuda_tile.module @kernels {
  entry @k0(%arg0: tile<i16>) {
    %reshape = reshape %arg0 : tile<i16> -> tile<1xi16>
    %bcast = broadcast %reshape : tile<1xi16> -> tile<64xi16>
    %0 = trunci %bcast overflow<no_signed_wrap> : tile<64xi16> -> tile<64xi1>
    return
  }
}
// becomes
module {
  "nv_tileaa.func"() <{function_type = (i16) -> (), kernel_spec = #nv_tileaa.kernel_spec<clusterDim=[1,1,1]>, sym_name = "k0"}> ({
  ^bb0(%arg0: i16):
    %0 = "nv_tileaa.splat"(%arg0) : (i16) -> tensor<1xi16>
    %1 = "nv_tileaa.splat"(%arg0) : (i16) -> tensor<64xi16>
    %2 = arith.trunci %1 overflow<nsw> : tensor<64xi16> to tensor<64xi1>
    "nv_tileaa.return"() : () -> ()
  }) : () -> ()
}

// -----

cuda_tile.module @kernels {
  entry @k0(%arg0: tile<i16>) {
    %cst_0_i32 = constant <i32: 0> : tile<i32>
    %cst_0_i32_0 = constant <i32: 0> : tile<i32>
    %cst_i16 = constant <i16: [[-18189], [11630], [12822], [22247]]> : tile<4x1xi16>
    %0 = extract %cst_i16[%cst_0_i32, %cst_0_i32_0] : tile<4x1xi16> -> tile<2x1xi16>
    %reshape = reshape %arg0 : tile<i16> -> tile<1x1xi16>
    %bcast = broadcast %reshape : tile<1x1xi16> -> tile<2x1xi16>
    %1 = cat %0, %bcast dim = 0 : tile<2x1xi16>, tile<2x1xi16> -> tile<4x1xi16>
    %2 = permute %1 [0, 1] : tile<4x1xi16> -> tile<4x1xi16>
    %3 = trunci %2 : tile<4x1xi16> -> tile<4x1xi1>
    return
  }
}
// becomes
module {
  "nv_tileaa.func"() <{function_type = (i16) -> (), kernel_spec = #nv_tileaa.kernel_spec<clusterDim=[1,1,1]>, sym_name = "k0"}> ({
  ^bb0(%arg0: i16):
    %c0_i32 = arith.constant 0 : i32
    %c0_i32_0 = arith.constant 0 : i32
    %cst = "nv_tileaa.constant_tensor"() <{value = dense<[[-18189], [11630], [12822], [22247]]> : tensor<4x1xi16>}> : () -> tensor<4x1xi16>
    %c2_i32 = arith.constant 2 : i32
    %0 = arith.muli %c0_i32, %c2_i32 : i32
    %1 = "nv_tileaa.extract_slice"(%cst, %0, %c0_i32_0) <{sizes = array<i64: 2, 1>}> : (tensor<4x1xi16>, i32, i32) -> tensor<2x1xi16>
    %2 = "nv_tileaa.splat"(%arg0) : (i16) -> tensor<1x1xi16>
    %3 = "nv_tileaa.splat"(%arg0) : (i16) -> tensor<2x1xi16>
    %4 = "nv_tileaa.cat"(%1, %3) <{axis = 0 : i32}> : (tensor<2x1xi16>, tensor<2x1xi16>) -> tensor<4x1xi16>
    %5 = "nv_tileaa.permute"(%4) <{permutation = array<i64: 0, 1>}> : (tensor<4x1xi16>) -> tensor<4x1xi16>
    %6 = arith.trunci %5 : tensor<4x1xi16> to tensor<4x1xi1>
    "nv_tileaa.return"() : () -> ()
  }) : () -> ()
}
