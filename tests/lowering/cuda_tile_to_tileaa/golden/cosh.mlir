cuda_tile.module @kernels {
  entry @k0() {
    %cst_f64 = constant <f64: __elided__> : tile<1x64xf64>
    %0 = cosh %cst_f64 : tile<1x64xf64>
    return
  }
}
// becomes
module {
  "nv_tileaa.func"() <{function_type = () -> (), kernel_spec = #nv_tileaa.kernel_spec<clusterDim=[1,1,1]>, sym_name = "k0"}> ({
    %cst = "nv_tileaa.constant_tensor"() <{value = dense_resource<__elided__> : tensor<1x64xf64>}> : () -> tensor<1x64xf64>
    %0 = math.cosh %cst : tensor<1x64xf64>
    "nv_tileaa.return"() : () -> ()
  }) : () -> ()
}

// -----

cuda_tile.module @kernels {
  entry @k0() {
    %cst_0_bf16 = constant <bf16: 0.000000e+00> : tile<16x1x2xbf16>
    %0 = cosh %cst_0_bf16 : tile<16x1x2xbf16>
    return
  }
}
// becomes
module {
  "nv_tileaa.func"() <{function_type = () -> (), kernel_spec = #nv_tileaa.kernel_spec<clusterDim=[1,1,1]>, sym_name = "k0"}> ({
    %0 = "nv_tileaa.splat"() <{value = 0.000000e+00 : bf16}> : () -> tensor<16x1x2xbf16>
    %1 = math.cosh %0 : tensor<16x1x2xbf16>
    "nv_tileaa.return"() : () -> ()
  }) : () -> ()
}
