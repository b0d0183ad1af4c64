cuda_tile.module @kernels {
  entry @k0() {
    %cst_i32 = constant <i32: __elided__> : tile<64xi32>
    %0 = itof %cst_i32 unsigned  : tile<64xi32> -> tile<64xf4E2M1FN>
    return
  }
}
// becomes
module {
  "nv_tileaa.func"() <{function_type = () -> (), kernel_spec = #nv_tileaa.kernel_spec<numWarps=4, clusterDim=[1,1,1]>, sym_name = "k0"}> ({
    %cst = "nv_tileaa.constant_tensor"() <{value = dense_resource<__elided__> : tensor<64xi32>}> : () -> tensor<64xi32>
    %0 = arith.uitofp %cst : tensor<64xi32> to tensor<64xf4E2M1FN>
    "nv_tileaa.return"() : () -> ()
  }) : () -> ()
}

// -----

cuda_tile.module @kernels {
  entry @k0() {
    %cst_i1 = constant <i1: __elided__> : tile<64xi1>
    %0 = itof %cst_i1 unsigned  : tile<64xi1> -> tile<64xfnv8E5M3FNU>
    return
  }
}
// becomes
module {
  "nv_tileaa.func"() <{function_type = () -> (), kernel_spec = #nv_tileaa.kernel_spec<numWarps=4, clusterDim=[1,1,1]>, sym_name = "k0"}> ({
    %cst = "nv_tileaa.constant_tensor"() <{value = dense_resource<__elided__> : tensor<64xi1>}> : () -> tensor<64xi1>
    %0 = arith.uitofp %cst : tensor<64xi1> to tensor<64xfnv8E5M3FNU>
    "nv_tileaa.return"() : () -> ()
  }) : () -> ()
}
