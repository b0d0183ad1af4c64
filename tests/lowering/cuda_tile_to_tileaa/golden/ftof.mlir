cuda_tile.module @kernels {
  entry @k0() {
    %cst_f32 = constant <f32: 6.67269354E+22> : tile<f32>
    %0 = ftof %cst_f32 rounding<zero> : tile<f32> -> tile<f8E8M0FNU>
    return
  }
}
// becomes
module {
  "nv_tileaa.func"() <{function_type = () -> (), kernel_spec = #nv_tileaa.kernel_spec<clusterDim=[1,1,1]>, sym_name = "k0"}> ({
    %cst = arith.constant 6.67269354E+22 : f32
    %0 = "nv_tileaa.fp_to_fp"(%cst) <{rounding_mode = #nv_tileaa.rounding_mode<zero>}> : (f32) -> f8E8M0FNU
    "nv_tileaa.return"() : () -> ()
  }) : () -> ()
}

// -----

cuda_tile.module @kernels {
  entry @k0() {
    %cst_fnv8E5M3FNU = constant <fnv8E5M3FNU: __elided__> : tile<4x4xfnv8E5M3FNU>
    %0 = ftof %cst_fnv8E5M3FNU  : tile<4x4xfnv8E5M3FNU> -> tile<4x4xf8E5M2>
    return
  }
}
// becomes
module {
  "nv_tileaa.func"() <{function_type = () -> (), kernel_spec = #nv_tileaa.kernel_spec<clusterDim=[1,1,1]>, sym_name = "k0"}> ({
    %cst = "nv_tileaa.constant_tensor"() <{value = dense_resource<__elided__> : tensor<4x4xfnv8E5M3FNU>}> : () -> tensor<4x4xfnv8E5M3FNU>
    %0 = "nv_tileaa.fp_to_fp"(%cst) <{rounding_mode = #nv_tileaa.rounding_mode<nearest_even>}> : (tensor<4x4xfnv8E5M3FNU>) -> tensor<4x4xf8E5M2>
    "nv_tileaa.return"() : () -> ()
  }) : () -> ()
}
