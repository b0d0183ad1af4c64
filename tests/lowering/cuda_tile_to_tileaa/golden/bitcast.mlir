cuda_tile.module @kernels {
  entry @k0(%arg0: tile<i64>) {
    %reshape = reshape %arg0 : tile<i64> -> tile<1x1xi64>
    %bcast = broadcast %reshape : tile<1x1xi64> -> tile<16x1xi64>
    %reshape_0 = reshape %bcast : tile<16x1xi64> -> tile<1x1x16xi64>
    %0 = bitcast %reshape_0 : tile<1x1x16xi64> -> tile<1x1x16xi64>
    return
  }
}
// becomes
module {
  "nv_tileaa.func"() <{function_type = (i64) -> (), kernel_spec = #nv_tileaa.kernel_spec<clusterDim=[1,1,1]>, sym_name = "k0"}> ({
  ^bb0(%arg0: i64):
    %0 = "nv_tileaa.splat"(%arg0) : (i64) -> tensor<1x1xi64>
    %1 = "nv_tileaa.splat"(%arg0) : (i64) -> tensor<16x1xi64>
    %2 = "nv_tileaa.view"(%1) : (tensor<16x1xi64>) -> tensor<1x1x16xi64>
    %3 = "nv_tileaa.bitcast"(%2) : (tensor<1x1x16xi64>) -> tensor<1x1x16xi64>
    "nv_tileaa.return"() : () -> ()
  }) : () -> ()
}

// -----

cuda_tile.module @kernels {
  entry @k0() {
    %cst_tf32 = constant <tf32: 3.996580e-01> : tile<tf32>
    %0 = bitcast %cst_tf32 : tile<tf32> -> tile<tf32>
    return
  }
}
// becomes
module {
  "nv_tileaa.func"() <{function_type = () -> (), kernel_spec = #nv_tileaa.kernel_spec<clusterDim=[1,1,1]>, sym_name = "k0"}> ({
    %cst = arith.constant 3.996580e-01 : tf32
    %0 = "nv_tileaa.bitcast"(%cst) : (tf32) -> tf32
    "nv_tileaa.return"() : () -> ()
  }) : () -> ()
}
