cuda_tile.module @kernels {
  entry @k0() {
    %cst_f64 = constant <f64: __elided__> : tile<16x1x1x1xf64>
    %cst_f64_0 = constant <f64: -9.303822032420296E+142> : tile<16x1x1x1xf64>
    %0 = cat %cst_f64, %cst_f64_0 dim = 0 : tile<16x1x1x1xf64>, tile<16x1x1x1xf64> -> tile<32x1x1x1xf64>
    %1 = cat %0, %0 dim = 1 : tile<32x1x1x1xf64>, tile<32x1x1x1xf64> -> tile<32x2x1x1xf64>
    %2 = tanh %1  : tile<32x2x1x1xf64>
    return
  }
}
// becomes
module {
  "nv_tileaa.func"() <{function_type = () -> (), kernel_spec = #nv_tileaa.kernel_spec<clusterDim=[1,1,1]>, sym_name = "k0"}> ({
    %cst = "nv_tileaa.constant_tensor"() <{value = dense_resource<__elided__> : tensor<16x1x1x1xf64>}> : () -> tensor<16x1x1x1xf64>
    %0 = "nv_tileaa.splat"() <{value = -9.303822032420296E+142 : f64}> : () -> tensor<16x1x1x1xf64>
    %1 = "nv_tileaa.cat"(%cst, %0) <{axis = 0 : i32}> : (tensor<16x1x1x1xf64>, tensor<16x1x1x1xf64>) -> tensor<32x1x1x1xf64>
    %2 = "nv_tileaa.cat"(%1, %1) <{axis = 1 : i32}> : (tensor<32x1x1x1xf64>, tensor<32x1x1x1xf64>) -> tensor<32x2x1x1xf64>
    %3 = math.tanh %2 : tensor<32x2x1x1xf64>
    "nv_tileaa.return"() : () -> ()
  }) : () -> ()
}

// -----

cuda_tile.module @kernels {
  entry @k0() {
    %cst_NaN_bf16 = constant <bf16: 0xFFFF> : tile<1x1xbf16>
    %bcast = broadcast %cst_NaN_bf16 : tile<1x1xbf16> -> tile<16x2xbf16>
    %reshape = reshape %bcast : tile<16x2xbf16> -> tile<16x2xbf16>
    %0 = tanh %reshape  : tile<16x2xbf16>
    return
  }
}
// becomes
module {
  "nv_tileaa.func"() <{function_type = () -> (), kernel_spec = #nv_tileaa.kernel_spec<clusterDim=[1,1,1]>, sym_name = "k0"}> ({
    %0 = "nv_tileaa.splat"() <{value = 0xFFFF : bf16}> : () -> tensor<1x1xbf16>
    %1 = "nv_tileaa.splat"() <{value = 0xFFFF : bf16}> : () -> tensor<16x2xbf16>
    %2 = math.tanh %1 : tensor<16x2xbf16>
    "nv_tileaa.return"() : () -> ()
  }) : () -> ()
}
