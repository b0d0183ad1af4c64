cuda_tile.module @kernels {
  entry @k0(%arg0: tile<f64>) {
    %reshape = reshape %arg0 : tile<f64> -> tile<1xf64>
    %bcast = broadcast %reshape : tile<1xf64> -> tile<4xf64>
    %0 = pack %bcast : tile<4xf64> -> tile<32xi8>
    return
  }
}
// becomes
module {
  "nv_tileaa.func"() <{function_type = (f64) -> (), kernel_spec = #nv_tileaa.kernel_spec<clusterDim=[1,1,1]>, sym_name = "k0"}> ({
  ^bb0(%arg0: f64):
    %0 = "nv_tileaa.splat"(%arg0) : (f64) -> tensor<1xf64>
    %1 = "nv_tileaa.splat"(%arg0) : (f64) -> tensor<4xf64>
    %2 = "nv_tileaa.bitcast"(%1) : (tensor<4xf64>) -> tensor<4xi64>
    %3 = "nv_tileaa.expand_dims"(%2) <{axis = 1 : i32}> : (tensor<4xi64>) -> tensor<4x1xi64>
    %4 = "nv_tileaa.broadcast"(%3) : (tensor<4x1xi64>) -> tensor<4x8xi64>
    %c0_i64 = arith.constant 0 : i64
    %c8_i64 = arith.constant 8 : i64
    %5 = "nv_tileaa.make_range"(%c0_i64, %c8_i64) : (i64, i64) -> tensor<8xi64>
    %6 = "nv_tileaa.splat"() <{value = 8 : i64}> : () -> tensor<8xi64>
    %7 = arith.muli %5, %6 : tensor<8xi64>
    %8 = "nv_tileaa.expand_dims"(%7) <{axis = 0 : i32}> : (tensor<8xi64>) -> tensor<1x8xi64>
    %9 = "nv_tileaa.broadcast"(%8) : (tensor<1x8xi64>) -> tensor<4x8xi64>
    %10 = arith.shrui %4, %9 : tensor<4x8xi64>
    %11 = arith.trunci %10 : tensor<4x8xi64> to tensor<4x8xi8>
    %12 = "nv_tileaa.view"(%11) : (tensor<4x8xi8>) -> tensor<32xi8>
    "nv_tileaa.return"() : () -> ()
  }) : () -> ()
}

// -----

cuda_tile.module @kernels {
  entry @k0(%arg0: tile<f64>) {
    %reshape = reshape %arg0 : tile<f64> -> tile<1xf64>
    %0 = pack %reshape : tile<1xf64> -> tile<8xi8>
    return
  }
}
// becomes
module {
  "nv_tileaa.func"() <{function_type = (f64) -> (), kernel_spec = #nv_tileaa.kernel_spec<clusterDim=[1,1,1]>, sym_name = "k0"}> ({
  ^bb0(%arg0: f64):
    %0 = "nv_tileaa.splat"(%arg0) : (f64) -> tensor<1xf64>
    %1 = "nv_tileaa.bitcast"(%0) : (tensor<1xf64>) -> tensor<1xi64>
    %2 = "nv_tileaa.expand_dims"(%1) <{axis = 0 : i32}> : (tensor<1xi64>) -> tensor<1x1xi64>
    %3 = "nv_tileaa.broadcast"(%2) : (tensor<1x1xi64>) -> tensor<1x8xi64>
    %c0_i64 = arith.constant 0 : i64
    %c8_i64 = arith.constant 8 : i64
    %4 = "nv_tileaa.make_range"(%c0_i64, %c8_i64) : (i64, i64) -> tensor<8xi64>
    %5 = "nv_tileaa.splat"() <{value = 8 : i64}> : () -> tensor<8xi64>
    %6 = arith.muli %4, %5 : tensor<8xi64>
    %7 = "nv_tileaa.expand_dims"(%6) <{axis = 0 : i32}> : (tensor<8xi64>) -> tensor<1x8xi64>
    %8 = arith.shrui %3, %7 : tensor<1x8xi64>
    %9 = arith.trunci %8 : tensor<1x8xi64> to tensor<1x8xi8>
    %10 = "nv_tileaa.view"(%9) : (tensor<1x8xi8>) -> tensor<8xi8>
    "nv_tileaa.return"() : () -> ()
  }) : () -> ()
}
