cuda_tile.module @kernels {
  entry @k0() {
    %cst_bf16 = constant <bf16: __elided__> : tile<16x1xbf16>
    %cst_bf16_0 = constant <bf16: 1.069580e+30> : tile<16x1xbf16>
    %0 = minf %cst_bf16, %cst_bf16_0 : tile<16x1xbf16>
    return
  }
}
// becomes
module {
  "nv_tileaa.func"() <{function_type = () -> (), kernel_spec = #nv_tileaa.kernel_spec<numWarps=4, clusterDim=[1,1,1]>, sym_name = "k0"}> ({
    %cst = "nv_tileaa.constant_tensor"() <{value = dense_resource<__elided__> : tensor<16x1xbf16>}> : () -> tensor<16x1xbf16>
    %0 = "nv_tileaa.splat"() <{value = 1.069580e+30 : bf16}> : () -> tensor<16x1xbf16>
    %1 = arith.minnumf %cst, %0 : tensor<16x1xbf16>
    "nv_tileaa.return"() : () -> ()
  }) : () -> ()
}

// -----

cuda_tile.module @kernels {
  entry @k0() {
    %cst_f32 = constant <f32: 0.028908344> : tile<1x16xf32>
    %0 = minf %cst_f32, %cst_f32 : tile<1x16xf32>
    return
  }
}
// becomes
module {
  "nv_tileaa.func"() <{function_type = () -> (), kernel_spec = #nv_tileaa.kernel_spec<numWarps=4, clusterDim=[1,1,1]>, sym_name = "k0"}> ({
    %0 = "nv_tileaa.splat"() <{value = 0.028908344 : f32}> : () -> tensor<1x16xf32>
    %1 = arith.minnumf %0, %0 : tensor<1x16xf32>
    "nv_tileaa.return"() : () -> ()
  }) : () -> ()
}
