cuda_tile.module @kernels {
  entry @k0() {
    %cst_f16 = constant <f16: 3.391500e-05> : tile<8x1x4x2xf16>
    %0 = tan %cst_f16 : tile<8x1x4x2xf16>
    return
  }
}
// becomes
module {
  "nv_tileaa.func"() <{function_type = () -> (), kernel_spec = #nv_tileaa.kernel_spec<clusterDim=[1,1,1]>, sym_name = "k0"}> ({
    %0 = "nv_tileaa.splat"() <{value = 3.391500e-05 : f16}> : () -> tensor<8x1x4x2xf16>
    %1 = math.tan %0 : tensor<8x1x4x2xf16>
    "nv_tileaa.return"() : () -> ()
  }) : () -> ()
}

// -----

cuda_tile.module @kernels {
  entry @k0(%arg0: tile<f32>) {
    %0 = tan %arg0 : tile<f32>
    return
  }
}
// becomes
module {
  "nv_tileaa.func"() <{function_type = (f32) -> (), kernel_spec = #nv_tileaa.kernel_spec<clusterDim=[1,1,1]>, sym_name = "k0"}> ({
  ^bb0(%arg0: f32):
    %0 = math.tan %arg0 : f32
    "nv_tileaa.return"() : () -> ()
  }) : () -> ()
}
