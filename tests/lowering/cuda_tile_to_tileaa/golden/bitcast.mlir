cuda_tile.module @kernels {
  entry @k0() {
    %cst_i64 = constant <i64: __elided__> : tile<1x1x16xi64>
    %0 = bitcast %cst_i64 : tile<1x1x16xi64> -> tile<1x1x16xi64>
    return
  }
}
// becomes
module {
  "nv_tileaa.func"() <{function_type = () -> (), kernel_spec = #nv_tileaa.kernel_spec<numWarps=4, clusterDim=[1,1,1]>, sym_name = "k0"}> ({
    %cst = "nv_tileaa.constant_tensor"() <{value = dense_resource<__elided__> : tensor<1x1x16xi64>}> : () -> tensor<1x1x16xi64>
    %0 = "nv_tileaa.bitcast"(%cst) : (tensor<1x1x16xi64>) -> tensor<1x1x16xi64>
    "nv_tileaa.return"() : () -> ()
  }) : () -> ()
}

// -----

cuda_tile.module @kernels {
  entry @k0() {
    %cst_tf32 = constant <tf32: -1.515190e+09> : tile<tf32>
    %0 = bitcast %cst_tf32 : tile<tf32> -> tile<tf32>
    return
  }
}
// becomes
module {
  "nv_tileaa.func"() <{function_type = () -> (), kernel_spec = #nv_tileaa.kernel_spec<numWarps=4, clusterDim=[1,1,1]>, sym_name = "k0"}> ({
    %cst = arith.constant -1.515190e+09 : tf32
    %0 = "nv_tileaa.bitcast"(%cst) : (tf32) -> tf32
    "nv_tileaa.return"() : () -> ()
  }) : () -> ()
}
