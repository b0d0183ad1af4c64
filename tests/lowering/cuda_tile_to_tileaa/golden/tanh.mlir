cuda_tile.module @kernels {
  entry @k0() {
    %cst_f64 = constant <f64: __elided__> : tile<32x2x1x1xf64>
    %0 = tanh %cst_f64  : tile<32x2x1x1xf64>
    return
  }
}
// becomes
module {
  "nv_tileaa.func"() <{function_type = () -> (), kernel_spec = #nv_tileaa.kernel_spec<numWarps=4, clusterDim=[1,1,1]>, sym_name = "k0"}> ({
    %cst = "nv_tileaa.constant_tensor"() <{value = dense_resource<__elided__> : tensor<32x2x1x1xf64>}> : () -> tensor<32x2x1x1xf64>
    %0 = math.tanh %cst : tensor<32x2x1x1xf64>
    "nv_tileaa.return"() : () -> ()
  }) : () -> ()
}

// -----

cuda_tile.module @kernels {
  entry @k0() {
    %cst_bf16 = constant <bf16: -6.328110e+34> : tile<16x2xbf16>
    %0 = tanh %cst_bf16  : tile<16x2xbf16>
    return
  }
}
// becomes
module {
  "nv_tileaa.func"() <{function_type = () -> (), kernel_spec = #nv_tileaa.kernel_spec<numWarps=4, clusterDim=[1,1,1]>, sym_name = "k0"}> ({
    %0 = "nv_tileaa.splat"() <{value = -6.328110e+34 : bf16}> : () -> tensor<16x2xbf16>
    %1 = math.tanh %0 : tensor<16x2xbf16>
    "nv_tileaa.return"() : () -> ()
  }) : () -> ()
}
