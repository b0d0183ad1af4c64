cuda_tile.module @kernels {
  entry @k0() {
    %cst_bf16 = constant <bf16: 1.899930e-24> : tile<bf16>
    %cst_bf16_0 = constant <bf16: -6.810090e-31> : tile<bf16>
    %0 = pow %cst_bf16, %cst_bf16_0 : tile<bf16>
    return
  }
}
// becomes
module {
  "nv_tileaa.func"() <{function_type = () -> (), kernel_spec = #nv_tileaa.kernel_spec<clusterDim=[1,1,1]>, sym_name = "k0"}> ({
    %cst = arith.constant 1.899930e-24 : bf16
    %cst_0 = arith.constant -6.810090e-31 : bf16
    %0 = math.powf %cst, %cst_0 : bf16
    "nv_tileaa.return"() : () -> ()
  }) : () -> ()
}

// -----

cuda_tile.module @kernels {
  entry @k0() {
    %cst_f32 = constant <f32: __elided__> : tile<1x2x8x1xf32>
    %0 = pow %cst_f32, %cst_f32 : tile<1x2x8x1xf32>
    return
  }
}
// becomes
module {
  "nv_tileaa.func"() <{function_type = () -> (), kernel_spec = #nv_tileaa.kernel_spec<clusterDim=[1,1,1]>, sym_name = "k0"}> ({
    %cst = "nv_tileaa.constant_tensor"() <{value = dense_resource<__elided__> : tensor<1x2x8x1xf32>}> : () -> tensor<1x2x8x1xf32>
    %0 = math.powf %cst, %cst : tensor<1x2x8x1xf32>
    "nv_tileaa.return"() : () -> ()
  }) : () -> ()
}
