cuda_tile.module @kernels {
  entry @k0() {
    %cst_i16 = constant <i16: [[[[4], [6]], [[1], [7]]], [[[1], [6]], [[1], [7]]]]> : tile<2x2x2x1xi16>
    %cst_-10144_i16 = constant <i16: -10144> : tile<2x2x2x1xi16>
    %0 = divi %cst_-10144_i16, %cst_i16 unsigned : tile<2x2x2x1xi16>
    return
  }
}
// becomes
module {
  "nv_tileaa.func"() <{function_type = () -> (), kernel_spec = #nv_tileaa.kernel_spec<clusterDim=[1,1,1]>, sym_name = "k0"}> ({
    %cst = "nv_tileaa.constant_tensor"() <{value = dense<[[[[4], [6]], [[1], [7]]], [[[1], [6]], [[1], [7]]]]> : tensor<2x2x2x1xi16>}> : () -> tensor<2x2x2x1xi16>
    %0 = "nv_tileaa.splat"() <{value = -10144 : i16}> : () -> tensor<2x2x2x1xi16>
    %1 = arith.divui %0, %cst : tensor<2x2x2x1xi16>
    "nv_tileaa.return"() : () -> ()
  }) : () -> ()
}

// -----

cuda_tile.module @kernels {
  entry @k0() {
    %cst_5_i32 = constant <i32: 5> : tile<2x8x4x1xi32>
    %0 = divi %cst_5_i32, %cst_5_i32 signed rounding<positive_inf> : tile<2x8x4x1xi32>
    return
  }
}
// becomes
module {
  "nv_tileaa.func"() <{function_type = () -> (), kernel_spec = #nv_tileaa.kernel_spec<clusterDim=[1,1,1]>, sym_name = "k0"}> ({
    %0 = "nv_tileaa.splat"() <{value = 5 : i32}> : () -> tensor<2x8x4x1xi32>
    %1 = arith.ceildivsi %0, %0 : tensor<2x8x4x1xi32>
    "nv_tileaa.return"() : () -> ()
  }) : () -> ()
}
