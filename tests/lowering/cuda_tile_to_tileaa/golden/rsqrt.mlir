cuda_tile.module @kernels {
  entry @k0() {
    %cst_bf16 = constant <bf16: 6.167450e-21> : tile<16xbf16>
    %0 = rsqrt %cst_bf16 : tile<16xbf16>
    return
  }
}
// becomes
module {
  "nv_tileaa.func"() <{function_type = () -> (), kernel_spec = #nv_tileaa.kernel_spec<clusterDim=[1,1,1]>, sym_name = "k0"}> ({
    %0 = "nv_tileaa.splat"() <{value = 6.167450e-21 : bf16}> : () -> tensor<16xbf16>
    %1 = "nv_tileaa.rsqrt"(%0) : (tensor<16xbf16>) -> tensor<16xbf16>
    "nv_tileaa.return"() : () -> ()
  }) : () -> ()
}

// -----

cuda_tile.module @kernels {
  entry @k0() {
    %cst_NaN_f16 = constant <f16: 0xFF9B> : tile<2xf16>
    %0 = rsqrt %cst_NaN_f16 : tile<2xf16>
    return
  }
}
// becomes
module {
  "nv_tileaa.func"() <{function_type = () -> (), kernel_spec = #nv_tileaa.kernel_spec<clusterDim=[1,1,1]>, sym_name = "k0"}> ({
    %0 = "nv_tileaa.splat"() <{value = 0xFF9B : f16}> : () -> tensor<2xf16>
    %1 = "nv_tileaa.rsqrt"(%0) : (tensor<2xf16>) -> tensor<2xf16>
    "nv_tileaa.return"() : () -> ()
  }) : () -> ()
}
