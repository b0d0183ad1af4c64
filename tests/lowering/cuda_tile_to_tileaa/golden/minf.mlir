cuda_tile.module @kernels {
  entry @k0() {
    %cst_bf16 = constant <bf16: -6.437530e+25> : tile<16x1xbf16>
    %cst_bf16_0 = constant <bf16: __elided__> : tile<16x1xbf16>
    %0 = minf %cst_bf16, %cst_bf16_0 : tile<16x1xbf16>
    return
  }
}
// becomes
module {
  "nv_tileaa.func"() <{function_type = () -> (), kernel_spec = #nv_tileaa.kernel_spec<numWarps=4, clusterDim=[1,1,1]>, sym_name = "k0"}> ({
    %0 = "nv_tileaa.splat"() <{value = -6.437530e+25 : bf16}> : () -> tensor<16x1xbf16>
    %cst = "nv_tileaa.constant_tensor"() <{value = dense_resource<__elided__> : tensor<16x1xbf16>}> : () -> tensor<16x1xbf16>
    %1 = arith.minnumf %0, %cst : tensor<16x1xbf16>
    "nv_tileaa.return"() : () -> ()
  }) : () -> ()
}

// -----

cuda_tile.module @kernels {
  entry @k0() {
    %cst_f32 = constant <f32: 1.76394584E-29> : tile<1x16xf32>
    %cst_1_i32 = constant <i32: 1> : tile<i32>
    %cst_0_i32 = constant <i32: 0> : tile<i32>
    %cst_f32_0 = constant <f32: __elided__> : tile<2x16xf32>
    %0 = extract %cst_f32_0[%cst_1_i32, %cst_0_i32] : tile<2x16xf32> -> tile<1x16xf32>
    %1 = minf %cst_f32, %0 : tile<1x16xf32>
    return
  }
}
// becomes
module {
  "nv_tileaa.func"() <{function_type = () -> (), kernel_spec = #nv_tileaa.kernel_spec<numWarps=4, clusterDim=[1,1,1]>, sym_name = "k0"}> ({
    %0 = "nv_tileaa.splat"() <{value = 1.76394584E-29 : f32}> : () -> tensor<1x16xf32>
    %c1_i32 = arith.constant 1 : i32
    %c0_i32 = arith.constant 0 : i32
    %cst = "nv_tileaa.constant_tensor"() <{value = dense_resource<__elided__> : tensor<2x16xf32>}> : () -> tensor<2x16xf32>
    %c16_i32 = arith.constant 16 : i32
    %1 = arith.muli %c0_i32, %c16_i32 : i32
    %2 = "nv_tileaa.extract_slice"(%cst, %c1_i32, %1) <{sizes = array<i64: 1, 16>}> : (tensor<2x16xf32>, i32, i32) -> tensor<1x16xf32>
    %3 = arith.minnumf %0, %2 : tensor<1x16xf32>
    "nv_tileaa.return"() : () -> ()
  }) : () -> ()
}
