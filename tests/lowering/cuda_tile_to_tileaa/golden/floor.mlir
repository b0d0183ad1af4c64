cuda_tile.module @kernels {
  entry @k0() {
    %cst_bf16 = constant <bf16: __elided__> : tile<2x16xbf16>
    %0 = floor %cst_bf16 : tile<2x16xbf16>
    return
  }
}
// becomes
module {
  "nv_tileaa.func"() <{function_type = () -> (), kernel_spec = #nv_tileaa.kernel_spec<numWarps=4, clusterDim=[1,1,1]>, sym_name = "k0"}> ({
    %cst = "nv_tileaa.constant_tensor"() <{value = dense_resource<__elided__> : tensor<2x16xbf16>}> : () -> tensor<2x16xbf16>
    %0 = math.floor %cst : tensor<2x16xbf16>
    "nv_tileaa.return"() : () -> ()
  }) : () -> ()
}

// -----

cuda_tile.module @kernels {
  entry @k0() {
    %cst_f16 = constant <f16: -8.673660e-04> : tile<f16>
    %0 = floor %cst_f16 : tile<f16>
    return
  }
}
// becomes
module {
  "nv_tileaa.func"() <{function_type = () -> (), kernel_spec = #nv_tileaa.kernel_spec<numWarps=4, clusterDim=[1,1,1]>, sym_name = "k0"}> ({
    %cst = arith.constant -8.673660e-04 : f16
    %0 = math.floor %cst : f16
    "nv_tileaa.return"() : () -> ()
  }) : () -> ()
}
