cuda_tile.module @kernels {
  entry @k0() {
    %cst_f64 = constant <f64: 1.7437155058166866E-276> : tile<16x2x2xf64>
    %0 = maxf %cst_f64, %cst_f64 : tile<16x2x2xf64>
    return
  }
}
// becomes
module {
  "nv_tileaa.func"() <{function_type = () -> (), kernel_spec = #nv_tileaa.kernel_spec<numWarps=4, clusterDim=[1,1,1]>, sym_name = "k0"}> ({
    %0 = "nv_tileaa.splat"() <{value = 1.7437155058166866E-276 : f64}> : () -> tensor<16x2x2xf64>
    %1 = arith.maxnumf %0, %0 : tensor<16x2x2xf64>
    "nv_tileaa.return"() : () -> ()
  }) : () -> ()
}

// -----

cuda_tile.module @kernels {
  entry @k0(%arg0: tile<f16>) {
    %reshape = reshape %arg0 : tile<f16> -> tile<1x1x1x1xf16>
    %bcast = broadcast %reshape : tile<1x1x1x1xf16> -> tile<4x4x4x1xf16>
    %0 = maxf %bcast, %bcast : tile<4x4x4x1xf16>
    return
  }
}
// becomes
module {
  "nv_tileaa.func"() <{function_type = (f16) -> (), kernel_spec = #nv_tileaa.kernel_spec<numWarps=4, clusterDim=[1,1,1]>, sym_name = "k0"}> ({
  ^bb0(%arg0: f16):
    %0 = "nv_tileaa.splat"(%arg0) : (f16) -> tensor<1x1x1x1xf16>
    %1 = "nv_tileaa.splat"(%arg0) : (f16) -> tensor<4x4x4x1xf16>
    %2 = arith.maxnumf %1, %1 : tensor<4x4x4x1xf16>
    "nv_tileaa.return"() : () -> ()
  }) : () -> ()
}
