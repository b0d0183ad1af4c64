cuda_tile.module @kernels {
  entry @k0() {
    %cst_i64 = constant <i64: __elided__> : tile<1x1x16xi64>
    %bcast = broadcast %cst_i64 : tile<1x1x16xi64> -> tile<1x2x16xi64>
    return
  }
}
// becomes
module {
  "nv_tileaa.func"() <{function_type = () -> (), kernel_spec = #nv_tileaa.kernel_spec<clusterDim=[1,1,1]>, sym_name = "k0"}> ({
    %cst = "nv_tileaa.constant_tensor"() <{value = dense_resource<__elided__> : tensor<1x1x16xi64>}> : () -> tensor<1x1x16xi64>
    %0 = "nv_tileaa.broadcast"(%cst) : (tensor<1x1x16xi64>) -> tensor<1x2x16xi64>
    "nv_tileaa.return"() : () -> ()
  }) : () -> ()
}

// -----

cuda_tile.module @kernels {
  entry @k0() {
    %cst_f8E5M2 = constant <f8E5M2: __elided__> : tile<32xf8E5M2>
    %bcast = broadcast %cst_f8E5M2 : tile<32xf8E5M2> -> tile<32xf8E5M2>
    return
  }
}
// becomes
module {
  "nv_tileaa.func"() <{function_type = () -> (), kernel_spec = #nv_tileaa.kernel_spec<clusterDim=[1,1,1]>, sym_name = "k0"}> ({
    %cst = "nv_tileaa.constant_tensor"() <{value = dense_resource<__elided__> : tensor<32xf8E5M2>}> : () -> tensor<32xf8E5M2>
    "nv_tileaa.return"() : () -> ()
  }) : () -> ()
}
