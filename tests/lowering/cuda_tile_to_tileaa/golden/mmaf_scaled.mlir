cuda_tile.module @kernels {
  entry @k0(%arg0: tile<f32>) {
    %cst_0_f4E2M1FN = constant <f4E2M1FN: -0.000000e+00> : tile<1x4x16xf4E2M1FN>
    %cst_f4E2M1FN = constant <f4E2M1FN: __elided__> : tile<1x16x2xf4E2M1FN>
    %reshape = reshape %arg0 : tile<f32> -> tile<1x1x1xf32>
    %bcast = broadcast %reshape : tile<1x1x1xf32> -> tile<1x4x2xf32>
    %cst_f8E4M3FN = constant <f8E4M3FN: 1.953130e-03> : tile<4x1x1xf8E4M3FN>
    %0 = permute %cst_f8E4M3FN [1, 0, 2] : tile<4x1x1xf8E4M3FN> -> tile<1x4x1xf8E4M3FN>
    %cst_f8E4M3FN_0 = constant <f8E4M3FN: [[[-8.000000e+00, -1.562500e-02]]]> : tile<1x1x2xf8E4M3FN>
    %1 = mmaf_scaled %cst_0_f4E2M1FN, %cst_f4E2M1FN, %bcast, %0, %cst_f8E4M3FN_0 : tile<1x4x16xf4E2M1FN>, tile<1x16x2xf4E2M1FN>, tile<1x4x2xf32>, tile<1x4x1xf8E4M3FN>, tile<1x1x2xf8E4M3FN>
    return
  }
}
// becomes
module {
  "nv_tileaa.func"() <{function_type = (f32) -> (), kernel_spec = #nv_tileaa.kernel_spec<numWarps=4, clusterDim=[1,1,1]>, sym_name = "k0"}> ({
  ^bb0(%arg0: f32):
    %0 = "nv_tileaa.splat"() <{value = -0.000000e+00 : f4E2M1FN}> : () -> tensor<1x4x16xf4E2M1FN>
    %cst = "nv_tileaa.constant_tensor"() <{value = dense_resource<__elided__> : tensor<1x16x2xf4E2M1FN>}> : () -> tensor<1x16x2xf4E2M1FN>
    %1 = "nv_tileaa.splat"(%arg0) : (f32) -> tensor<1x1x1xf32>
    %2 = "nv_tileaa.splat"(%arg0) : (f32) -> tensor<1x4x2xf32>
    %3 = "nv_tileaa.splat"() <{value = 1.953130e-03 : f8E4M3FN}> : () -> tensor<4x1x1xf8E4M3FN>
    %4 = "nv_tileaa.permute"(%3) <{permutation = array<i64: 1, 0, 2>}> : (tensor<4x1x1xf8E4M3FN>) -> tensor<1x4x1xf8E4M3FN>
    %cst_0 = "nv_tileaa.constant_tensor"() <{value = dense<[[[-8.000000e+00, -1.562500e-02]]]> : tensor<1x1x2xf8E4M3FN>}> : () -> tensor<1x1x2xf8E4M3FN>
    %5 = "nv_tileaa.dot"(%0, %cst, %2, %4, %cst_0) <{operandSegmentSizes = array<i32: 1, 1, 1, 1, 1>}> : (tensor<1x4x16xf4E2M1FN>, tensor<1x16x2xf4E2M1FN>, tensor<1x4x2xf32>, tensor<1x4x1xf8E4M3FN>, tensor<1x1x2xf8E4M3FN>) -> tensor<1x4x2xf32>
    "nv_tileaa.return"() : () -> ()
  }) : () -> ()
}

// -----

cuda_tile.module @kernels {
  entry @k0() {
    %cst_f4E2M1FN = constant <f4E2M1FN: __elided__> : tile<2x1x32xf4E2M1FN>
    %cst_f4E2M1FN_0 = constant <f4E2M1FN: -5.000000e-01> : tile<2x32x1xf4E2M1FN>
    %cst_f32 = constant <f32: [[[-4.59165506E+12]], [[4.77196078E+28]]]> : tile<2x1x1xf32>
    %cst_f8E4M3FN = constant <f8E4M3FN: 1.375000e+00> : tile<2x1x2xf8E4M3FN>
    %cst_f8E4M3FN_1 = constant <f8E4M3FN: 5.468750e-02> : tile<1x1x1xf8E4M3FN>
    %bcast = broadcast %cst_f8E4M3FN_1 : tile<1x1x1xf8E4M3FN> -> tile<2x2x1xf8E4M3FN>
    %0 = mmaf_scaled %cst_f4E2M1FN, %cst_f4E2M1FN_0, %cst_f32, %cst_f8E4M3FN, %bcast : tile<2x1x32xf4E2M1FN>, tile<2x32x1xf4E2M1FN>, tile<2x1x1xf32>, tile<2x1x2xf8E4M3FN>, tile<2x2x1xf8E4M3FN>
    return
  }
}
// becomes
module {
  "nv_tileaa.func"() <{function_type = () -> (), kernel_spec = #nv_tileaa.kernel_spec<numWarps=4, clusterDim=[1,1,1]>, sym_name = "k0"}> ({
    %cst = "nv_tileaa.constant_tensor"() <{value = dense_resource<__elided__> : tensor<2x1x32xf4E2M1FN>}> : () -> tensor<2x1x32xf4E2M1FN>
    %0 = "nv_tileaa.splat"() <{value = -5.000000e-01 : f4E2M1FN}> : () -> tensor<2x32x1xf4E2M1FN>
    %cst_0 = "nv_tileaa.constant_tensor"() <{value = dense<[[[-4.59165506E+12]], [[4.77196078E+28]]]> : tensor<2x1x1xf32>}> : () -> tensor<2x1x1xf32>
    %1 = "nv_tileaa.splat"() <{value = 1.375000e+00 : f8E4M3FN}> : () -> tensor<2x1x2xf8E4M3FN>
    %2 = "nv_tileaa.splat"() <{value = 5.468750e-02 : f8E4M3FN}> : () -> tensor<1x1x1xf8E4M3FN>
    %3 = "nv_tileaa.splat"() <{value = 5.468750e-02 : f8E4M3FN}> : () -> tensor<2x2x1xf8E4M3FN>
    %4 = "nv_tileaa.dot"(%cst, %0, %cst_0, %1, %3) <{operandSegmentSizes = array<i32: 1, 1, 1, 1, 1>}> : (tensor<2x1x32xf4E2M1FN>, tensor<2x32x1xf4E2M1FN>, tensor<2x1x1xf32>, tensor<2x1x2xf8E4M3FN>, tensor<2x2x1xf8E4M3FN>) -> tensor<2x1x1xf32>
    "nv_tileaa.return"() : () -> ()
  }) : () -> ()
}
