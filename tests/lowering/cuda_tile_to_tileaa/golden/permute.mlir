cuda_tile.module @kernels {
  entry @k0() {
    %cst_32426_i16 = constant <i16: 32426> : tile<2x1x16xi16>
    %0 = cat %cst_32426_i16, %cst_32426_i16 dim = 0 : tile<2x1x16xi16>, tile<2x1x16xi16> -> tile<4x1x16xi16>
    %1 = permute %0 [1, 2, 0] : tile<4x1x16xi16> -> tile<1x16x4xi16>
    return
  }
}
// becomes
module {
  "nv_tileaa.func"() <{function_type = () -> (), kernel_spec = #nv_tileaa.kernel_spec<clusterDim=[1,1,1]>, sym_name = "k0"}> ({
    %0 = "nv_tileaa.splat"() <{value = 32426 : i16}> : () -> tensor<2x1x16xi16>
    %1 = "nv_tileaa.cat"(%0, %0) <{axis = 0 : i32}> : (tensor<2x1x16xi16>, tensor<2x1x16xi16>) -> tensor<4x1x16xi16>
    %2 = "nv_tileaa.permute"(%1) <{permutation = array<i64: 1, 2, 0>}> : (tensor<4x1x16xi16>) -> tensor<1x16x4xi16>
    "nv_tileaa.return"() : () -> ()
  }) : () -> ()
}

// -----

cuda_tile.module @kernels {
  entry @k0() {
    %cst_f8E4M3FN = constant <f8E4M3FN: __elided__> : tile<2x4x1x8xf8E4M3FN>
    %0 = permute %cst_f8E4M3FN [0, 3, 2, 1] : tile<2x4x1x8xf8E4M3FN> -> tile<2x8x1x4xf8E4M3FN>
    return
  }
}
// becomes
module {
  "nv_tileaa.func"() <{function_type = () -> (), kernel_spec = #nv_tileaa.kernel_spec<clusterDim=[1,1,1]>, sym_name = "k0"}> ({
    %cst = "nv_tileaa.constant_tensor"() <{value = dense_resource<__elided__> : tensor<2x4x1x8xf8E4M3FN>}> : () -> tensor<2x4x1x8xf8E4M3FN>
    %0 = "nv_tileaa.permute"(%cst) <{permutation = array<i64: 0, 3, 2, 1>}> : (tensor<2x4x1x8xf8E4M3FN>) -> tensor<2x8x1x4xf8E4M3FN>
    "nv_tileaa.return"() : () -> ()
  }) : () -> ()
}
