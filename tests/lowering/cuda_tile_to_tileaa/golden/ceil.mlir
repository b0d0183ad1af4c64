cuda_tile.module @kernels {
  entry @k0() {
    %cst_f32 = constant <f32: [-3.38636434E-21, -1.16133799E-14]> : tile<2xf32>
    %0 = ceil %cst_f32 : tile<2xf32>
    return
  }
}
// becomes
module {
  "nv_tileaa.func"() <{function_type = () -> (), kernel_spec = #nv_tileaa.kernel_spec<numWarps=4, clusterDim=[1,1,1]>, sym_name = "k0"}> ({
    %cst = "nv_tileaa.constant_tensor"() <{value = dense<[-3.38636434E-21, -1.16133799E-14]> : tensor<2xf32>}> : () -> tensor<2xf32>
    %0 = math.ceil %cst : tensor<2xf32>
    "nv_tileaa.return"() : () -> ()
  }) : () -> ()
}

// -----

cuda_tile.module @kernels {
  entry @k0(%arg0: tile<bf16>) {
    %reshape = reshape %arg0 : tile<bf16> -> tile<1xbf16>
    %0 = ceil %reshape : tile<1xbf16>
    return
  }
}
// becomes
module {
  "nv_tileaa.func"() <{function_type = (bf16) -> (), kernel_spec = #nv_tileaa.kernel_spec<numWarps=4, clusterDim=[1,1,1]>, sym_name = "k0"}> ({
  ^bb0(%arg0: bf16):
    %0 = "nv_tileaa.splat"(%arg0) : (bf16) -> tensor<1xbf16>
    %1 = math.ceil %0 : tensor<1xbf16>
    "nv_tileaa.return"() : () -> ()
  }) : () -> ()
}
