cuda_tile.module @kernels {
  entry @k0(%arg0: tile<bf16>) {
    %cst_bf16 = constant <bf16: 8.583060e-05> : tile<bf16>
    %0 = pow %arg0, %cst_bf16 : tile<bf16>
    return
  }
}
// becomes
module {
  "nv_tileaa.func"() <{function_type = (bf16) -> (), kernel_spec = #nv_tileaa.kernel_spec<numWarps=4, clusterDim=[1,1,1]>, sym_name = "k0"}> ({
  ^bb0(%arg0: bf16):
    %cst = arith.constant 8.583060e-05 : bf16
    %0 = math.powf %arg0, %cst : bf16
    "nv_tileaa.return"() : () -> ()
  }) : () -> ()
}

// -----

cuda_tile.module @kernels {
  entry @k0() {
    %cst_f32 = constant <f32: -1.85544298E-30> : tile<1x2x8x1xf32>
    %0 = pow %cst_f32, %cst_f32 : tile<1x2x8x1xf32>
    return
  }
}
// becomes
module {
  "nv_tileaa.func"() <{function_type = () -> (), kernel_spec = #nv_tileaa.kernel_spec<numWarps=4, clusterDim=[1,1,1]>, sym_name = "k0"}> ({
    %0 = "nv_tileaa.splat"() <{value = -1.85544298E-30 : f32}> : () -> tensor<1x2x8x1xf32>
    %1 = math.powf %0, %0 : tensor<1x2x8x1xf32>
    "nv_tileaa.return"() : () -> ()
  }) : () -> ()
}
