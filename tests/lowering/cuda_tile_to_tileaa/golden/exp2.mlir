cuda_tile.module @kernels {
  entry @k0() {
    %cst_bf16 = constant <bf16: -4.327680e+15> : tile<16x4xbf16>
    %0 = exp2 %cst_bf16 : tile<16x4xbf16>
    return
  }
}
// becomes
module {
  "nv_tileaa.func"() <{function_type = () -> (), kernel_spec = #nv_tileaa.kernel_spec<numWarps=4, clusterDim=[1,1,1]>, sym_name = "k0"}> ({
    %0 = "nv_tileaa.splat"() <{value = -4.327680e+15 : bf16}> : () -> tensor<16x4xbf16>
    %1 = "nv_tileaa.exp2"(%0) : (tensor<16x4xbf16>) -> tensor<16x4xbf16>
    "nv_tileaa.return"() : () -> ()
  }) : () -> ()
}

// -----

cuda_tile.module @kernels {
  entry @k0() {
    %cst_f16 = constant <f16: 2.426560e+01> : tile<1xf16>
    %0 = exp2 %cst_f16 : tile<1xf16>
    return
  }
}
// becomes
module {
  "nv_tileaa.func"() <{function_type = () -> (), kernel_spec = #nv_tileaa.kernel_spec<numWarps=4, clusterDim=[1,1,1]>, sym_name = "k0"}> ({
    %0 = "nv_tileaa.splat"() <{value = 2.426560e+01 : f16}> : () -> tensor<1xf16>
    %1 = "nv_tileaa.exp2"(%0) : (tensor<1xf16>) -> tensor<1xf16>
    "nv_tileaa.return"() : () -> ()
  }) : () -> ()
}
