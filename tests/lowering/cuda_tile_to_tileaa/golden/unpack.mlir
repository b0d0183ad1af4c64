cuda_tile.module @kernels {
  entry @k0(%arg0: tile<i8>) {
    %reshape = reshape %arg0 : tile<i8> -> tile<1xi8>
    %bcast = broadcast %reshape : tile<1xi8> -> tile<8xi8>
    %0 = unpack %bcast : tile<8xi8> -> tile<64xi1>
    return
  }
}
// becomes
module {
  "nv_tileaa.func"() <{function_type = (i8) -> (), kernel_spec = #nv_tileaa.kernel_spec<numWarps=4, clusterDim=[1,1,1]>, sym_name = "k0"}> ({
  ^bb0(%arg0: i8):
    %0 = "nv_tileaa.splat"(%arg0) : (i8) -> tensor<1xi8>
    %1 = "nv_tileaa.splat"(%arg0) : (i8) -> tensor<8xi8>
    %2 = "nv_tileaa.expand_dims"(%1) <{axis = 1 : i32}> : (tensor<8xi8>) -> tensor<8x1xi8>
    %3 = "nv_tileaa.broadcast"(%2) : (tensor<8x1xi8>) -> tensor<8x8xi8>
    %c0_i8 = arith.constant 0 : i8
    %c8_i8 = arith.constant 8 : i8
    %4 = "nv_tileaa.make_range"(%c0_i8, %c8_i8) : (i8, i8) -> tensor<8xi8>
    %5 = "nv_tileaa.expand_dims"(%4) <{axis = 0 : i32}> : (tensor<8xi8>) -> tensor<1x8xi8>
    %6 = "nv_tileaa.broadcast"(%5) : (tensor<1x8xi8>) -> tensor<8x8xi8>
    %7 = arith.shrui %3, %6 : tensor<8x8xi8>
    %8 = arith.trunci %7 : tensor<8x8xi8> to tensor<8x8xi1>
    %9 = "nv_tileaa.view"(%8) : (tensor<8x8xi1>) -> tensor<64xi1>
    "nv_tileaa.return"() : () -> ()
  }) : () -> ()
}

// -----

cuda_tile.module @kernels {
  entry @k0(%arg0: tile<i8>) {
    %reshape = reshape %arg0 : tile<i8> -> tile<1xi8>
    %bcast = broadcast %reshape : tile<1xi8> -> tile<32xi8>
    %0 = unpack %bcast : tile<32xi8> -> tile<8xf32>
    return
  }
}
// becomes
module {
  "nv_tileaa.func"() <{function_type = (i8) -> (), kernel_spec = #nv_tileaa.kernel_spec<numWarps=4, clusterDim=[1,1,1]>, sym_name = "k0"}> ({
  ^bb0(%arg0: i8):
    %0 = "nv_tileaa.splat"(%arg0) : (i8) -> tensor<1xi8>
    %1 = "nv_tileaa.splat"(%arg0) : (i8) -> tensor<32xi8>
    %2 = "nv_tileaa.view"(%1) : (tensor<32xi8>) -> tensor<8x4xi8>
    %3 = arith.extui %2 : tensor<8x4xi8> to tensor<8x4xi32>
    %c0_i32 = arith.constant 0 : i32
    %c4_i32 = arith.constant 4 : i32
    %4 = "nv_tileaa.make_range"(%c0_i32, %c4_i32) : (i32, i32) -> tensor<4xi32>
    %5 = "nv_tileaa.splat"() <{value = 8 : i32}> : () -> tensor<4xi32>
    %6 = arith.muli %4, %5 : tensor<4xi32>
    %7 = "nv_tileaa.expand_dims"(%6) <{axis = 0 : i32}> : (tensor<4xi32>) -> tensor<1x4xi32>
    %8 = "nv_tileaa.broadcast"(%7) : (tensor<1x4xi32>) -> tensor<8x4xi32>
    %9 = arith.shli %3, %8 : tensor<8x4xi32>
    %10 = "nv_tileaa.reduce"(%9) <{axis = 1 : i32}> ({
    ^bb0(%arg1: i32, %arg2: i32):
      %12 = arith.ori %arg1, %arg2 : i32
      "nv_tileaa.yield"(%12) : (i32) -> ()
    }) : (tensor<8x4xi32>) -> tensor<8xi32>
    %11 = "nv_tileaa.bitcast"(%10) : (tensor<8xi32>) -> tensor<8xf32>
    "nv_tileaa.return"() : () -> ()
  }) : () -> ()
}
