cuda_tile.module @kernels {
  entry @k0(%arg0: tile<f64>) {
    %cst_f64 = constant <f64: -3.5664870001017022E-289> : tile<1x4x8xf64>
    %cst_f64_0 = constant <f64: [[[2.139757200369784E+273], [-3.3791155595750469E+159], [-1.9597147760275352E+153], [1.4590852483109517E+156], [2.704586871714678E+57], [1.3447082021996931E+281], [-4.0701713527504847E-94], [-5.3624005602393972E+231]]]> : tile<1x8x1xf64>
    %reshape = reshape %arg0 : tile<f64> -> tile<1x1x1xf64>
    %bcast = broadcast %reshape : tile<1x1x1xf64> -> tile<1x4x1xf64>
    %0 = mmaf %cst_f64, %cst_f64_0, %bcast : tile<1x4x8xf64>, tile<1x8x1xf64>, tile<1x4x1xf64>
    return
  }
}
// becomes
module {
  "nv_tileaa.func"() <{function_type = (f64) -> (), kernel_spec = #nv_tileaa.kernel_spec<numWarps=4, clusterDim=[1,1,1]>, sym_name = "k0"}> ({
  ^bb0(%arg0: f64):
    %0 = "nv_tileaa.splat"() <{value = -3.5664870001017022E-289 : f64}> : () -> tensor<1x4x8xf64>
    %cst = "nv_tileaa.constant_tensor"() <{value = dense<[[[2.139757200369784E+273], [-3.3791155595750469E+159], [-1.9597147760275352E+153], [1.4590852483109517E+156], [2.704586871714678E+57], [1.3447082021996931E+281], [-4.0701713527504847E-94], [-5.3624005602393972E+231]]]> : tensor<1x8x1xf64>}> : () -> tensor<1x8x1xf64>
    %1 = "nv_tileaa.splat"(%arg0) : (f64) -> tensor<1x1x1xf64>
    %2 = "nv_tileaa.splat"(%arg0) : (f64) -> tensor<1x4x1xf64>
    %3 = "nv_tileaa.dot"(%0, %cst, %2) <{operandSegmentSizes = array<i32: 1, 1, 1, 0, 0>}> : (tensor<1x4x8xf64>, tensor<1x8x1xf64>, tensor<1x4x1xf64>) -> tensor<1x4x1xf64>
    "nv_tileaa.return"() : () -> ()
  }) : () -> ()
}

// -----

cuda_tile.module @kernels {
  entry @k0(%arg0: tile<tf32>, %arg1: tile<f32>) {
    %reshape = reshape %arg0 : tile<tf32> -> tile<1x1xtf32>
    %bcast = broadcast %reshape : tile<1x1xtf32> -> tile<1x2xtf32>
    %cst_tf32 = constant <tf32: 1.479690e-05> : tile<2x8xtf32>
    %reshape_0 = reshape %arg1 : tile<f32> -> tile<1x1xf32>
    %bcast_1 = broadcast %reshape_0 : tile<1x1xf32> -> tile<1x8xf32>
    %0 = mmaf %bcast, %cst_tf32, %bcast_1 : tile<1x2xtf32>, tile<2x8xtf32>, tile<1x8xf32>
    return
  }
}
// becomes
module {
  "nv_tileaa.func"() <{function_type = (tf32, f32) -> (), kernel_spec = #nv_tileaa.kernel_spec<numWarps=4, clusterDim=[1,1,1]>, sym_name = "k0"}> ({
  ^bb0(%arg0: tf32, %arg1: f32):
    %0 = "nv_tileaa.splat"(%arg0) : (tf32) -> tensor<1x1xtf32>
    %1 = "nv_tileaa.splat"(%arg0) : (tf32) -> tensor<1x2xtf32>
    %2 = "nv_tileaa.splat"() <{value = 1.479690e-05 : tf32}> : () -> tensor<2x8xtf32>
    %3 = "nv_tileaa.splat"(%arg1) : (f32) -> tensor<1x1xf32>
    %4 = "nv_tileaa.splat"(%arg1) : (f32) -> tensor<1x8xf32>
    %5 = "nv_tileaa.dot"(%1, %2, %4) <{input_precision = "tf32", operandSegmentSizes = array<i32: 1, 1, 1, 0, 0>}> : (tensor<1x2xtf32>, tensor<2x8xtf32>, tensor<1x8xf32>) -> tensor<1x8xf32>
    "nv_tileaa.return"() : () -> ()
  }) : () -> ()
}
