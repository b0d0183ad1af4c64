cuda_tile.module @kernels {
  entry @k0() {
    %cst_f16 = constant <f16: 9.280440e-05> : tile<8x1x4x2xf16>
    %0 = tan %cst_f16 : tile<8x1x4x2xf16>
    return
  }
}
// becomes
module {
  "nv_tileaa.func"() <{function_type = () -> (), kernel_spec = #nv_tileaa.kernel_spec<numWarps=4, clusterDim=[1,1,1]>, sym_name = "k0"}> ({
    %0 = "nv_tileaa.splat"() <{value = 9.280440e-05 : f16}> : () -> tensor<8x1x4x2xf16>
    %1 = math.tan %0 : tensor<8x1x4x2xf16>
    "nv_tileaa.return"() : () -> ()
  }) : () -> ()
}

// -----

cuda_tile.module @kernels {
  entry @k0() {
    %cst_f32 = constant <f32: 8.00457603E-28> : tile<f32>
    %0 = tan %cst_f32 : tile<f32>
    return
  }
}
// becomes
module {
  "nv_tileaa.func"() <{function_type = () -> (), kernel_spec = #nv_tileaa.kernel_spec<numWarps=4, clusterDim=[1,1,1]>, sym_name = "k0"}> ({
    %cst = arith.constant 8.00457603E-28 : f32
    %0 = math.tan %cst : f32
    "nv_tileaa.return"() : () -> ()
  }) : () -> ()
}
