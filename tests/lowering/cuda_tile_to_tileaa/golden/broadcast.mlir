cuda_tile.module @kernels {
  entry @k0() {
    %cst_7311267035491433347_i64 = constant <i64: 7311267035491433347> : tile<1x1x16xi64>
    %bcast = broadcast %cst_7311267035491433347_i64 : tile<1x1x16xi64> -> tile<1x2x16xi64>
    return
  }
}
// becomes
module {
  "nv_tileaa.func"() <{function_type = () -> (), kernel_spec = #nv_tileaa.kernel_spec<numWarps=4, clusterDim=[1,1,1]>, sym_name = "k0"}> ({
    %0 = "nv_tileaa.splat"() <{value = 7311267035491433347 : i64}> : () -> tensor<1x1x16xi64>
    %1 = "nv_tileaa.splat"() <{value = 7311267035491433347 : i64}> : () -> tensor<1x2x16xi64>
    "nv_tileaa.return"() : () -> ()
  }) : () -> ()
}

// -----

cuda_tile.module @kernels {
  entry @k0() {
    %cst_56_f8E5M2 = constant <f8E5M2: 5.600000e+01> : tile<32xf8E5M2>
    %bcast = broadcast %cst_56_f8E5M2 : tile<32xf8E5M2> -> tile<32xf8E5M2>
    return
  }
}
// becomes
module {
  "nv_tileaa.func"() <{function_type = () -> (), kernel_spec = #nv_tileaa.kernel_spec<numWarps=4, clusterDim=[1,1,1]>, sym_name = "k0"}> ({
    %0 = "nv_tileaa.splat"() <{value = 5.600000e+01 : f8E5M2}> : () -> tensor<32xf8E5M2>
    "nv_tileaa.return"() : () -> ()
  }) : () -> ()
}
