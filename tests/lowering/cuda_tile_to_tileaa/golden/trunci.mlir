cuda_tile.module @kernels {
  entry @k0() {
    %cst_i16 = constant <i16: __elided__> : tile<64xi16>
    %0 = trunci %cst_i16 overflow<no_signed_wrap> : tile<64xi16> -> tile<64xi1>
    return
  }
}
// becomes
module {
  "nv_tileaa.func"() <{function_type = () -> (), kernel_spec = #nv_tileaa.kernel_spec<numWarps=4, clusterDim=[1,1,1]>, sym_name = "k0"}> ({
    %cst = "nv_tileaa.constant_tensor"() <{value = dense_resource<__elided__> : tensor<64xi16>}> : () -> tensor<64xi16>
    %0 = arith.trunci %cst overflow<nsw> : tensor<64xi16> to tensor<64xi1>
    "nv_tileaa.return"() : () -> ()
  }) : () -> ()
}

// -----

cuda_tile.module @kernels {
  entry @k0() {
    %cst_-29954_i16 = constant <i16: -29954> : tile<4x1xi16>
    %0 = trunci %cst_-29954_i16 : tile<4x1xi16> -> tile<4x1xi1>
    return
  }
}
// becomes
module {
  "nv_tileaa.func"() <{function_type = () -> (), kernel_spec = #nv_tileaa.kernel_spec<numWarps=4, clusterDim=[1,1,1]>, sym_name = "k0"}> ({
    %0 = "nv_tileaa.splat"() <{value = -29954 : i16}> : () -> tensor<4x1xi16>
    %1 = arith.trunci %0 : tensor<4x1xi16> to tensor<4x1xi1>
    "nv_tileaa.return"() : () -> ()
  }) : () -> ()
}
