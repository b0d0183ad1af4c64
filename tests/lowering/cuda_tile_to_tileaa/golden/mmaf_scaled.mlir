cuda_tile.module @kernels {
  entry @k0(%arg0: tile<f32>, %arg1: tile<f8E4M3FN>, %arg2: tile<f8E4M3FN>) {
    %cst_0_f4E2M1FN = constant <f4E2M1FN: -0.000000e+00> : tile<1x4x16xf4E2M1FN>
    %cst_f4E2M1FN = constant <f4E2M1FN: __elided__> : tile<1x16x2xf4E2M1FN>
    %reshape = reshape %arg0 : tile<f32> -> tile<1x1x1xf32>
    %bcast = broadcast %reshape : tile<1x1x1xf32> -> tile<1x4x2xf32>
    %reshape_0 = reshape %arg1 : tile<f8E4M3FN> -> tile<1x1x1xf8E4M3FN>
    %bcast_1 = broadcast %reshape_0 : tile<1x1x1xf8E4M3FN> -> tile<1x4x1xf8E4M3FN>
    %reshape_2 = reshape %arg2 : tile<f8E4M3FN> -> tile<1x1x1xf8E4M3FN>
    %bcast_3 = broadcast %reshape_2 : tile<1x1x1xf8E4M3FN> -> tile<1x1x2xf8E4M3FN>
    %0 = mmaf_scaled %cst_0_f4E2M1FN, %cst_f4E2M1FN, %bcast, %bcast_1, %bcast_3 : tile<1x4x16xf4E2M1FN>, tile<1x16x2xf4E2M1FN>, tile<1x4x2xf32>, tile<1x4x1xf8E4M3FN>, tile<1x1x2xf8E4M3FN>
    return
  }
}
// becomes
module {
  "nv_tileaa.func"() <{function_type = (f32, f8E4M3FN, f8E4M3FN) -> (), kernel_spec = #nv_tileaa.kernel_spec<numWarps=4, clusterDim=[1,1,1]>, sym_name = "k0"}> ({
  ^bb0(%arg0: f32, %arg1: f8E4M3FN, %arg2: f8E4M3FN):
    %0 = "nv_tileaa.splat"() <{value = -0.000000e+00 : f4E2M1FN}> : () -> tensor<1x4x16xf4E2M1FN>
    %cst = "nv_tileaa.constant_tensor"() <{value = dense_resource<__elided__> : tensor<1x16x2xf4E2M1FN>}> : () -> tensor<1x16x2xf4E2M1FN>
    %1 = "nv_tileaa.splat"(%arg0) : (f32) -> tensor<1x1x1xf32>
    %2 = "nv_tileaa.splat"(%arg0) : (f32) -> tensor<1x4x2xf32>
    %3 = "nv_tileaa.splat"(%arg1) : (f8E4M3FN) -> tensor<1x1x1xf8E4M3FN>
    %4 = "nv_tileaa.splat"(%arg1) : (f8E4M3FN) -> tensor<1x4x1xf8E4M3FN>
    %5 = "nv_tileaa.splat"(%arg2) : (f8E4M3FN) -> tensor<1x1x1xf8E4M3FN>
    %6 = "nv_tileaa.splat"(%arg2) : (f8E4M3FN) -> tensor<1x1x2xf8E4M3FN>
    %7 = "nv_tileaa.dot"(%0, %cst, %2, %4, %6) <{operandSegmentSizes = array<i32: 1, 1, 1, 1, 1>}> : (tensor<1x4x16xf4E2M1FN>, tensor<1x16x2xf4E2M1FN>, tensor<1x4x2xf32>, tensor<1x4x1xf8E4M3FN>, tensor<1x1x2xf8E4M3FN>) -> tensor<1x4x2xf32>
    "nv_tileaa.return"() : () -> ()
  }) : () -> ()
}

// -----

cuda_tile.module @kernels {
  entry @k0(%arg0: tile<f8E4M3FN>) {
    %cst_f4E2M1FN = constant <f4E2M1FN: __elided__> : tile<2x1x32xf4E2M1FN>
    %cst_f4E2M1FN_0 = constant <f4E2M1FN: -6.000000e+00> : tile<2x32x1xf4E2M1FN>
    %cst_f32 = constant <f32: -1.22125517E+11> : tile<2x1x1xf32>
    %cst_f8E4M3FN = constant <f8E4M3FN: [[[0x7F, -1.562500e-01]], [[-9.765620e-03, -1.200000e+01]]]> : tile<2x1x2xf8E4M3FN>
    %reshape = reshape %arg0 : tile<f8E4M3FN> -> tile<1x1x1xf8E4M3FN>
    %bcast = broadcast %reshape : tile<1x1x1xf8E4M3FN> -> tile<2x2x1xf8E4M3FN>
    %0 = mmaf_scaled %cst_f4E2M1FN, %cst_f4E2M1FN_0, %cst_f32, %cst_f8E4M3FN, %bcast : tile<2x1x32xf4E2M1FN>, tile<2x32x1xf4E2M1FN>, tile<2x1x1xf32>, tile<2x1x2xf8E4M3FN>, tile<2x2x1xf8E4M3FN>
    return
  }
}
// becomes
module {
  "nv_tileaa.func"() <{function_type = (f8E4M3FN) -> (), kernel_spec = #nv_tileaa.kernel_spec<numWarps=4, clusterDim=[1,1,1]>, sym_name = "k0"}> ({
  ^bb0(%arg0: f8E4M3FN):
    %cst = "nv_tileaa.constant_tensor"() <{value = dense_resource<__elided__> : tensor<2x1x32xf4E2M1FN>}> : () -> tensor<2x1x32xf4E2M1FN>
    %0 = "nv_tileaa.splat"() <{value = -6.000000e+00 : f4E2M1FN}> : () -> tensor<2x32x1xf4E2M1FN>
    %1 = "nv_tileaa.splat"() <{value = -1.22125517E+11 : f32}> : () -> tensor<2x1x1xf32>
    %cst_0 = "nv_tileaa.constant_tensor"() <{value = dense<[[[0x7F, -1.562500e-01]], [[-9.765620e-03, -1.200000e+01]]]> : tensor<2x1x2xf8E4M3FN>}> : () -> tensor<2x1x2xf8E4M3FN>
    %2 = "nv_tileaa.splat"(%arg0) : (f8E4M3FN) -> tensor<1x1x1xf8E4M3FN>
    %3 = "nv_tileaa.splat"(%arg0) : (f8E4M3FN) -> tensor<2x2x1xf8E4M3FN>
    %4 = "nv_tileaa.dot"(%cst, %0, %1, %cst_0, %3) <{operandSegmentSizes = array<i32: 1, 1, 1, 1, 1>}> : (tensor<2x1x32xf4E2M1FN>, tensor<2x32x1xf4E2M1FN>, tensor<2x1x1xf32>, tensor<2x1x2xf8E4M3FN>, tensor<2x2x1xf8E4M3FN>) -> tensor<2x1x1xf32>
    "nv_tileaa.return"() : () -> ()
  }) : () -> ()
}
