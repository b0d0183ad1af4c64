cuda_tile.module @kernels {
  entry @k0() {
    %cst_f32 = constant <f32: [[-2.99528434E+12, -7.09320248E+16]]> : tile<1x2xf32>
    %0 = negf %cst_f32 : tile<1x2xf32>
    return
  }
}
// becomes
module {
  "nv_tileaa.func"() <{function_type = () -> (), kernel_spec = #nv_tileaa.kernel_spec<numWarps=4, clusterDim=[1,1,1]>, sym_name = "k0"}> ({
    %cst = "nv_tileaa.constant_tensor"() <{value = dense<[[-2.99528434E+12, -7.09320248E+16]]> : tensor<1x2xf32>}> : () -> tensor<1x2xf32>
    %0 = arith.negf %cst : tensor<1x2xf32>
    "nv_tileaa.return"() : () -> ()
  }) : () -> ()
}

// -----

cuda_tile.module @kernels {
  entry @k0() {
    %cst_bf16 = constant <bf16: -1.808000e+03> : tile<64xbf16>
    %0 = negf %cst_bf16 : tile<64xbf16>
    return
  }
}
// becomes
module {
  "nv_tileaa.func"() <{function_type = () -> (), kernel_spec = #nv_tileaa.kernel_spec<numWarps=4, clusterDim=[1,1,1]>, sym_name = "k0"}> ({
    %0 = "nv_tileaa.splat"() <{value = -1.808000e+03 : bf16}> : () -> tensor<64xbf16>
    %1 = arith.negf %0 : tensor<64xbf16>
    "nv_tileaa.return"() : () -> ()
  }) : () -> ()
}
