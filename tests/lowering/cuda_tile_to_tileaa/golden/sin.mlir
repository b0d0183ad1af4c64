cuda_tile.module @kernels {
  entry @k0() {
    %cst_f16 = constant <f16: -1.249310e-04> : tile<f16>
    %0 = sin %cst_f16 : tile<f16>
    return
  }
}
// becomes
module {
  "nv_tileaa.func"() <{function_type = () -> (), kernel_spec = #nv_tileaa.kernel_spec<numWarps=4, clusterDim=[1,1,1]>, sym_name = "k0"}> ({
    %cst = arith.constant -1.249310e-04 : f16
    %0 = math.sin %cst : f16
    "nv_tileaa.return"() : () -> ()
  }) : () -> ()
}

// -----

cuda_tile.module @kernels {
  entry @k0() {
    %cst_bf16 = constant <bf16: [[[[9.453120e-01]], [[-1.002440e+09]]], [[[4.060440e+29]], [[-8.164710e-29]]]]> : tile<2x2x1x1xbf16>
    %0 = sin %cst_bf16 : tile<2x2x1x1xbf16>
    return
  }
}
// becomes
module {
  "nv_tileaa.func"() <{function_type = () -> (), kernel_spec = #nv_tileaa.kernel_spec<numWarps=4, clusterDim=[1,1,1]>, sym_name = "k0"}> ({
    %cst = "nv_tileaa.constant_tensor"() <{value = dense<[[[[9.453120e-01]], [[-1.002440e+09]]], [[[4.060440e+29]], [[-8.164710e-29]]]]> : tensor<2x2x1x1xbf16>}> : () -> tensor<2x2x1x1xbf16>
    %0 = math.sin %cst : tensor<2x2x1x1xbf16>
    "nv_tileaa.return"() : () -> ()
  }) : () -> ()
}
