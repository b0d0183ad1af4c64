cuda_tile.module @kernels {
  entry @k0(%arg0: tile<f16>) {
    %0 = sin %arg0 : tile<f16>
    return
  }
}
// becomes
module {
  "nv_tileaa.func"() <{function_type = (f16) -> (), kernel_spec = #nv_tileaa.kernel_spec<numWarps=4, clusterDim=[1,1,1]>, sym_name = "k0"}> ({
  ^bb0(%arg0: f16):
    %0 = math.sin %arg0 : f16
    "nv_tileaa.return"() : () -> ()
  }) : () -> ()
}

// -----

cuda_tile.module @kernels {
  entry @k0() {
    %cst_4644337115725824_bf16 = constant <bf16: 4.644340e+15> : tile<2x2x1x1xbf16>
    %0 = sin %cst_4644337115725824_bf16 : tile<2x2x1x1xbf16>
    return
  }
}
// becomes
module {
  "nv_tileaa.func"() <{function_type = () -> (), kernel_spec = #nv_tileaa.kernel_spec<numWarps=4, clusterDim=[1,1,1]>, sym_name = "k0"}> ({
    %0 = "nv_tileaa.splat"() <{value = 4.644340e+15 : bf16}> : () -> tensor<2x2x1x1xbf16>
    %1 = math.sin %0 : tensor<2x2x1x1xbf16>
    "nv_tileaa.return"() : () -> ()
  }) : () -> ()
}
