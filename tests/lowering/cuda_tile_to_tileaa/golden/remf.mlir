cuda_tile.module @kernels {
  entry @k0() {
    %cst_f16 = constant <f16: __elided__> : tile<64xf16>
    %0 = remf %cst_f16, %cst_f16 : tile<64xf16>
    return
  }
}
// becomes
module {
  "nv_tileaa.func"() <{function_type = () -> (), kernel_spec = #nv_tileaa.kernel_spec<numWarps=4, clusterDim=[1,1,1]>, sym_name = "k0"}> ({
    %cst = "nv_tileaa.constant_tensor"() <{value = dense_resource<__elided__> : tensor<64xf16>}> : () -> tensor<64xf16>
    %0 = arith.remf %cst, %cst : tensor<64xf16>
    "nv_tileaa.return"() : () -> ()
  }) : () -> ()
}

// -----

cuda_tile.module @kernels {
  entry @k0() {
    %cst_f32 = constant <f32: -2.24238916E+26> : tile<4x2xf32>
    %0 = remf %cst_f32, %cst_f32 : tile<4x2xf32>
    return
  }
}
// becomes
module {
  "nv_tileaa.func"() <{function_type = () -> (), kernel_spec = #nv_tileaa.kernel_spec<numWarps=4, clusterDim=[1,1,1]>, sym_name = "k0"}> ({
    %0 = "nv_tileaa.splat"() <{value = -2.24238916E+26 : f32}> : () -> tensor<4x2xf32>
    %1 = arith.remf %0, %0 : tensor<4x2xf32>
    "nv_tileaa.return"() : () -> ()
  }) : () -> ()
}
