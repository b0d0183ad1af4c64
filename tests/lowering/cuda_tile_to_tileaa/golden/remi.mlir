cuda_tile.module @kernels {
  entry @k0(%arg0: tile<i64>) {
    %cst_i64 = constant <i64: __elided__> : tile<1x16xi64>
    %reshape = reshape %arg0 : tile<i64> -> tile<1x1xi64>
    %bcast = broadcast %reshape : tile<1x1xi64> -> tile<1x16xi64>
    %0 = remi %bcast, %cst_i64 unsigned : tile<1x16xi64>
    return
  }
}
// becomes
module {
  "nv_tileaa.func"() <{function_type = (i64) -> (), kernel_spec = #nv_tileaa.kernel_spec<clusterDim=[1,1,1]>, sym_name = "k0"}> ({
  ^bb0(%arg0: i64):
    %cst = "nv_tileaa.constant_tensor"() <{value = dense_resource<__elided__> : tensor<1x16xi64>}> : () -> tensor<1x16xi64>
    %0 = "nv_tileaa.splat"(%arg0) : (i64) -> tensor<1x1xi64>
    %1 = "nv_tileaa.splat"(%arg0) : (i64) -> tensor<1x16xi64>
    %2 = arith.remui %1, %cst : tensor<1x16xi64>
    "nv_tileaa.return"() : () -> ()
  }) : () -> ()
}

// -----

cuda_tile.module @kernels {
  entry @k0() {
    %true = constant <i1: true> : tile<8x4xi1>
    %0 = remi %true, %true unsigned : tile<8x4xi1>
    return
  }
}
// becomes
module {
  "nv_tileaa.func"() <{function_type = () -> (), kernel_spec = #nv_tileaa.kernel_spec<clusterDim=[1,1,1]>, sym_name = "k0"}> ({
    %0 = "nv_tileaa.splat"() <{value = true}> : () -> tensor<8x4xi1>
    %1 = arith.remui %0, %0 : tensor<8x4xi1>
    "nv_tileaa.return"() : () -> ()
  }) : () -> ()
}
