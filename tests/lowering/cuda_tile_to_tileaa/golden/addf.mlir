cuda_tile.module @kernels {
  entry @k0() {
    %cst_f64 = constant <f64: 3.284699386238313E-196> : tile<4xf64>
    %0 = addf %cst_f64, %cst_f64 rounding<positive_inf> : tile<4xf64>
    return
  }
}
// becomes
module {
  "nv_tileaa.func"() <{function_type = () -> (), kernel_spec = #nv_tileaa.kernel_spec<clusterDim=[1,1,1]>, sym_name = "k0"}> ({
    %0 = "nv_tileaa.splat"() <{value = 3.284699386238313E-196 : f64}> : () -> tensor<4xf64>
    %1 = "nv_tileaa.addf"(%0, %0) <{rounding_mode = #nv_tileaa.rounding_mode<positive_inf>}> : (tensor<4xf64>, tensor<4xf64>) -> tensor<4xf64>
    "nv_tileaa.return"() : () -> ()
  }) : () -> ()
}

// -----

cuda_tile.module @kernels {
  entry @k0() {
    %cst_f32 = constant <f32: __elided__> : tile<2x32x1xf32>
    %0 = addf %cst_f32, %cst_f32  : tile<2x32x1xf32>
    return
  }
}
// becomes
module {
  "nv_tileaa.func"() <{function_type = () -> (), kernel_spec = #nv_tileaa.kernel_spec<clusterDim=[1,1,1]>, sym_name = "k0"}> ({
    %cst = "nv_tileaa.constant_tensor"() <{value = dense_resource<__elided__> : tensor<2x32x1xf32>}> : () -> tensor<2x32x1xf32>
    %0 = "nv_tileaa.addf"(%cst, %cst) <{rounding_mode = #nv_tileaa.rounding_mode<nearest_even>}> : (tensor<2x32x1xf32>, tensor<2x32x1xf32>) -> tensor<2x32x1xf32>
    "nv_tileaa.return"() : () -> ()
  }) : () -> ()
}
