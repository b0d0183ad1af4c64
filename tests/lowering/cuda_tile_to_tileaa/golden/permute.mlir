cuda_tile.module @kernels {
  entry @k0() {
    %cst_12540_i16 = constant <i16: 12540> : tile<4x1x16xi16>
    %0 = permute %cst_12540_i16 [1, 2, 0] : tile<4x1x16xi16> -> tile<1x16x4xi16>
    return
  }
}
// becomes
module {
  "nv_tileaa.func"() <{function_type = () -> (), kernel_spec = #nv_tileaa.kernel_spec<numWarps=4, clusterDim=[1,1,1]>, sym_name = "k0"}> ({
    %0 = "nv_tileaa.splat"() <{value = 12540 : i16}> : () -> tensor<4x1x16xi16>
    %1 = "nv_tileaa.permute"(%0) <{permutation = array<i64: 1, 2, 0>}> : (tensor<4x1x16xi16>) -> tensor<1x16x4xi16>
    "nv_tileaa.return"() : () -> ()
  }) : () -> ()
}

// -----

cuda_tile.module @kernels {
  entry @k0() {
    %cst_416_f8E4M3FN = constant <f8E4M3FN: 4.160000e+02> : tile<2x4x1x8xf8E4M3FN>
    %0 = permute %cst_416_f8E4M3FN [0, 3, 2, 1] : tile<2x4x1x8xf8E4M3FN> -> tile<2x8x1x4xf8E4M3FN>
    return
  }
}
// becomes
module {
  "nv_tileaa.func"() <{function_type = () -> (), kernel_spec = #nv_tileaa.kernel_spec<numWarps=4, clusterDim=[1,1,1]>, sym_name = "k0"}> ({
    %0 = "nv_tileaa.splat"() <{value = 4.160000e+02 : f8E4M3FN}> : () -> tensor<2x4x1x8xf8E4M3FN>
    %1 = "nv_tileaa.permute"(%0) <{permutation = array<i64: 0, 3, 2, 1>}> : (tensor<2x4x1x8xf8E4M3FN>) -> tensor<2x8x1x4xf8E4M3FN>
    "nv_tileaa.return"() : () -> ()
  }) : () -> ()
}
