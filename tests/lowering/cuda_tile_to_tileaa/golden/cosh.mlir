cuda_tile.module @kernels {
  entry @k0(%arg0: tile<f64>) {
    %reshape = reshape %arg0 : tile<f64> -> tile<1x1xf64>
    %bcast = broadcast %reshape : tile<1x1xf64> -> tile<1x64xf64>
    %0 = cosh %bcast : tile<1x64xf64>
    return
  }
}
// becomes
module {
  "nv_tileaa.func"() <{function_type = (f64) -> (), kernel_spec = #nv_tileaa.kernel_spec<numWarps=4, clusterDim=[1,1,1]>, sym_name = "k0"}> ({
  ^bb0(%arg0: f64):
    %0 = "nv_tileaa.splat"(%arg0) : (f64) -> tensor<1x1xf64>
    %1 = "nv_tileaa.splat"(%arg0) : (f64) -> tensor<1x64xf64>
    %2 = math.cosh %1 : tensor<1x64xf64>
    "nv_tileaa.return"() : () -> ()
  }) : () -> ()
}

// -----

cuda_tile.module @kernels {
  entry @k0() {
    %cst_bf16 = constant <bf16: 6.663710e-32> : tile<16x1x2xbf16>
    %0 = cosh %cst_bf16 : tile<16x1x2xbf16>
    return
  }
}
// becomes
module {
  "nv_tileaa.func"() <{function_type = () -> (), kernel_spec = #nv_tileaa.kernel_spec<numWarps=4, clusterDim=[1,1,1]>, sym_name = "k0"}> ({
    %0 = "nv_tileaa.splat"() <{value = 6.663710e-32 : bf16}> : () -> tensor<16x1x2xbf16>
    %1 = math.cosh %0 : tensor<16x1x2xbf16>
    "nv_tileaa.return"() : () -> ()
  }) : () -> ()
}
