cuda_tile.module @kernels {
  entry @k0() {
    %cst_8454779475034502132_i64 = constant <i64: 8454779475034502132> : tile<4x1x8x1xi64>
    return
  }
}
// becomes
module {
  "nv_tileaa.func"() <{function_type = () -> (), kernel_spec = #nv_tileaa.kernel_spec<clusterDim=[1,1,1]>, sym_name = "k0"}> ({
    %0 = "nv_tileaa.splat"() <{value = 8454779475034502132 : i64}> : () -> tensor<4x1x8x1xi64>
    "nv_tileaa.return"() : () -> ()
  }) : () -> ()
}

// -----

cuda_tile.module @kernels {
  entry @k0() {
    %cst_f32 = constant <f32: __elided__> : tile<16xf32>
    return
  }
}
// becomes
module {
  "nv_tileaa.func"() <{function_type = () -> (), kernel_spec = #nv_tileaa.kernel_spec<clusterDim=[1,1,1]>, sym_name = "k0"}> ({
    %cst = "nv_tileaa.constant_tensor"() <{value = dense_resource<__elided__> : tensor<16xf32>}> : () -> tensor<16xf32>
    "nv_tileaa.return"() : () -> ()
  }) : () -> ()
}
