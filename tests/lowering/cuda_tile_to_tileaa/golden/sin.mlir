cuda_tile.module @kernels {
  entry @k0() {
    %cst_f16 = constant <f16: -1.000000e+00> : tile<f16>
    %0 = sin %cst_f16 : tile<f16>
    return
  }
}
// becomes
module {
  "nv_tileaa.func"() <{function_type = () -> (), kernel_spec = #nv_tileaa.kernel_spec<clusterDim=[1,1,1]>, sym_name = "k0"}> ({
    %cst = arith.constant -1.000000e+00 : f16
    %0 = math.sin %cst : f16
    "nv_tileaa.return"() : () -> ()
  }) : () -> ()
}

// -----

cuda_tile.module @kernels {
  entry @k0() {
    %cst_bf16 = constant <bf16: [[[[0x7F80]], [[0x7FC0]]], [[[-9.960930e-01]], [[-1.007810e+00]]]]> : tile<2x2x1x1xbf16>
    %0 = sin %cst_bf16 : tile<2x2x1x1xbf16>
    return
  }
}
// becomes
module {
  "nv_tileaa.func"() <{function_type = () -> (), kernel_spec = #nv_tileaa.kernel_spec<clusterDim=[1,1,1]>, sym_name = "k0"}> ({
    %cst = "nv_tileaa.constant_tensor"() <{value = dense<[[[[0x7F80]], [[0x7FC0]]], [[[-9.960930e-01]], [[-1.007810e+00]]]]> : tensor<2x2x1x1xbf16>}> : () -> tensor<2x2x1x1xbf16>
    %0 = math.sin %cst : tensor<2x2x1x1xbf16>
    "nv_tileaa.return"() : () -> ()
  }) : () -> ()
}
