cuda_tile.module @kernels {
  entry @k0() {
    %cst_f32 = constant <f32: 1.10201908E-11> : tile<2x8x4xf32>
    %0 = log2 %cst_f32 : tile<2x8x4xf32>
    return
  }
}
// becomes
module {
  "nv_tileaa.func"() <{function_type = () -> (), kernel_spec = #nv_tileaa.kernel_spec<numWarps=4, clusterDim=[1,1,1]>, sym_name = "k0"}> ({
    %0 = "nv_tileaa.splat"() <{value = 1.10201908E-11 : f32}> : () -> tensor<2x8x4xf32>
    %1 = math.log2 %0 : tensor<2x8x4xf32>
    "nv_tileaa.return"() : () -> ()
  }) : () -> ()
}

// -----

cuda_tile.module @kernels {
  entry @k0() {
    %cst_f32 = constant <f32: 6.4806935E+19> : tile<2x2x1x4xf32>
    %0 = log2 %cst_f32 : tile<2x2x1x4xf32>
    return
  }
}
// becomes
module {
  "nv_tileaa.func"() <{function_type = () -> (), kernel_spec = #nv_tileaa.kernel_spec<numWarps=4, clusterDim=[1,1,1]>, sym_name = "k0"}> ({
    %0 = "nv_tileaa.splat"() <{value = 6.4806935E+19 : f32}> : () -> tensor<2x2x1x4xf32>
    %1 = math.log2 %0 : tensor<2x2x1x4xf32>
    "nv_tileaa.return"() : () -> ()
  }) : () -> ()
}
