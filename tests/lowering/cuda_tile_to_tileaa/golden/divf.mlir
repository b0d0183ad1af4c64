cuda_tile.module @kernels {
  entry @k0() {
    %cst_f64 = constant <f64: 1.9379135542788971E+264> : tile<4xf64>
    %0 = divf %cst_f64, %cst_f64 rounding<positive_inf> : tile<4xf64>
    return
  }
}
// becomes
module {
  "nv_tileaa.func"() <{function_type = () -> (), kernel_spec = #nv_tileaa.kernel_spec<numWarps=4, clusterDim=[1,1,1]>, sym_name = "k0"}> ({
    %0 = "nv_tileaa.splat"() <{value = 1.9379135542788971E+264 : f64}> : () -> tensor<4xf64>
    %1 = "nv_tileaa.divf"(%0, %0) <{rounding_mode = #nv_tileaa.rounding_mode<positive_inf>}> : (tensor<4xf64>, tensor<4xf64>) -> tensor<4xf64>
    "nv_tileaa.return"() : () -> ()
  }) : () -> ()
}

// -----

cuda_tile.module @kernels {
  entry @k0() {
    %cst_bf16 = constant <bf16: -2.108070e+36> : tile<32xbf16>
    %0 = divf %cst_bf16, %cst_bf16 rounding<negative_inf> : tile<32xbf16>
    return
  }
}
// becomes
module {
  "nv_tileaa.func"() <{function_type = () -> (), kernel_spec = #nv_tileaa.kernel_spec<numWarps=4, clusterDim=[1,1,1]>, sym_name = "k0"}> ({
    %0 = "nv_tileaa.splat"() <{value = -2.108070e+36 : bf16}> : () -> tensor<32xbf16>
    %1 = "nv_tileaa.divf"(%0, %0) <{rounding_mode = #nv_tileaa.rounding_mode<negative_inf>}> : (tensor<32xbf16>, tensor<32xbf16>) -> tensor<32xbf16>
    "nv_tileaa.return"() : () -> ()
  }) : () -> ()
}
