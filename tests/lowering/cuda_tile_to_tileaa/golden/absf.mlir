cuda_tile.module @kernels {
  entry @k0() {
    %cst_f32 = constant <f32: -1.67674969E-37> : tile<1x1xf32>
    %bcast = broadcast %cst_f32 : tile<1x1xf32> -> tile<4x16xf32>
    %0 = absf %bcast : tile<4x16xf32>
    return
  }
}
// becomes
module {
  "nv_tileaa.func"() <{function_type = () -> (), kernel_spec = #nv_tileaa.kernel_spec<clusterDim=[1,1,1]>, sym_name = "k0"}> ({
    %0 = "nv_tileaa.splat"() <{value = -1.67674969E-37 : f32}> : () -> tensor<1x1xf32>
    %1 = "nv_tileaa.splat"() <{value = -1.67674969E-37 : f32}> : () -> tensor<4x16xf32>
    %2 = math.absf %1 : tensor<4x16xf32>
    "nv_tileaa.return"() : () -> ()
  }) : () -> ()
}

// -----

cuda_tile.module @kernels {
  entry @k0(%arg0: tile<f64>) {
    %0 = absf %arg0 : tile<f64>
    return
  }
}
// becomes
module {
  "nv_tileaa.func"() <{function_type = (f64) -> (), kernel_spec = #nv_tileaa.kernel_spec<clusterDim=[1,1,1]>, sym_name = "k0"}> ({
  ^bb0(%arg0: f64):
    %0 = math.absf %arg0 : f64
    "nv_tileaa.return"() : () -> ()
  }) : () -> ()
}
