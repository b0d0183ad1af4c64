cuda_tile.module @kernels {
  entry @k0() {
    %cst_1_i32 = constant <i32: 1> : tile<i32>
    %cst_1_i32_0 = constant <i32: 1> : tile<i32>
    %cst_0_i32 = constant <i32: 0> : tile<i32>
    %cst_i8 = constant <i8: [[[95]], [[-82]], [[-32]], [[0]], [[23]], [[46]], [[27]], [[-14]]]> : tile<8x1x1xi8>
    %0 = trunci %cst_i8 : tile<8x1x1xi8> -> tile<8x1x1xi4>
    %cst_i8_1 = constant <i8: __elided__> : tile<16x2x2xi8>
    %1 = trunci %cst_i8_1 : tile<16x2x2xi8> -> tile<16x2x2xi4>
    %2 = insert %0, %1[%cst_1_i32, %cst_1_i32_0, %cst_0_i32] : tile<8x1x1xi4>, tile<16x2x2xi4>
    return
  }
}
// becomes
module {
  "nv_tileaa.func"() <{function_type = () -> (), kernel_spec = #nv_tileaa.kernel_spec<numWarps=4, clusterDim=[1,1,1]>, sym_name = "k0"}> ({
    %c1_i32 = arith.constant 1 : i32
    %c1_i32_0 = arith.constant 1 : i32
    %c0_i32 = arith.constant 0 : i32
    %cst = "nv_tileaa.constant_tensor"() <{value = dense<[[[95]], [[-82]], [[-32]], [[0]], [[23]], [[46]], [[27]], [[-14]]]> : tensor<8x1x1xi8>}> : () -> tensor<8x1x1xi8>
    %0 = arith.trunci %cst : tensor<8x1x1xi8> to tensor<8x1x1xi4>
    %cst_1 = "nv_tileaa.constant_tensor"() <{value = dense_resource<__elided__> : tensor<16x2x2xi8>}> : () -> tensor<16x2x2xi8>
    %1 = arith.trunci %cst_1 : tensor<16x2x2xi8> to tensor<16x2x2xi4>
    %2 = "nv_tileaa.view"(%0) : (tensor<8x1x1xi4>) -> tensor<1x8x1x1x1x1xi4>
    %c0_i32_2 = arith.constant 0 : i32
    %c2_i32 = arith.constant 2 : i32
    %3 = "nv_tileaa.make_range"(%c0_i32_2, %c2_i32) : (i32, i32) -> tensor<2xi32>
    %4 = "nv_tileaa.splat"(%c1_i32) : (i32) -> tensor<2xi32>
    %5 = arith.cmpi eq, %3, %4 : tensor<2xi32>
    %6 = "nv_tileaa.view"(%5) : (tensor<2xi1>) -> tensor<2x1x1x1x1x1xi1>
    %7 = "nv_tileaa.broadcast"(%6) : (tensor<2x1x1x1x1x1xi1>) -> tensor<2x8x2x1x2x1xi1>
    %c0_i32_3 = arith.constant 0 : i32
    %c2_i32_4 = arith.constant 2 : i32
    %8 = "nv_tileaa.make_range"(%c0_i32_3, %c2_i32_4) : (i32, i32) -> tensor<2xi32>
    %9 = "nv_tileaa.splat"(%c1_i32_0) : (i32) -> tensor<2xi32>
    %10 = arith.cmpi eq, %8, %9 : tensor<2xi32>
    %11 = "nv_tileaa.view"(%10) : (tensor<2xi1>) -> tensor<1x1x2x1x1x1xi1>
    %12 = "nv_tileaa.broadcast"(%11) : (tensor<1x1x2x1x1x1xi1>) -> tensor<2x8x2x1x2x1xi1>
    %13 = arith.andi %7, %12 : tensor<2x8x2x1x2x1xi1>
    %c0_i32_5 = arith.constant 0 : i32
    %c2_i32_6 = arith.constant 2 : i32
    %14 = "nv_tileaa.make_range"(%c0_i32_5, %c2_i32_6) : (i32, i32) -> tensor<2xi32>
    %15 = "nv_tileaa.splat"(%c0_i32) : (i32) -> tensor<2xi32>
    %16 = arith.cmpi eq, %14, %15 : tensor<2xi32>
    %17 = "nv_tileaa.view"(%16) : (tensor<2xi1>) -> tensor<1x1x1x1x2x1xi1>
    %18 = "nv_tileaa.broadcast"(%17) : (tensor<1x1x1x1x2x1xi1>) -> tensor<2x8x2x1x2x1xi1>
    %19 = arith.andi %13, %18 : tensor<2x8x2x1x2x1xi1>
    %20 = "nv_tileaa.broadcast"(%2) : (tensor<1x8x1x1x1x1xi4>) -> tensor<2x8x2x1x2x1xi4>
    %21 = "nv_tileaa.view"(%1) : (tensor<16x2x2xi4>) -> tensor<2x8x2x1x2x1xi4>
    %22 = arith.select %19, %20, %21 : tensor<2x8x2x1x2x1xi1>, tensor<2x8x2x1x2x1xi4>
    %23 = "nv_tileaa.view"(%22) : (tensor<2x8x2x1x2x1xi4>) -> tensor<16x2x2xi4>
    "nv_tileaa.return"() : () -> ()
  }) : () -> ()
}

// -----

cuda_tile.module @kernels {
  entry @k0(%arg0: tile<bf16>) {
    %cst_0_i32 = constant <i32: 0> : tile<i32>
    %cst_0_i32_0 = constant <i32: 0> : tile<i32>
    %cst_3_i32 = constant <i32: 3> : tile<i32>
    %cst_bf16 = constant <bf16: [[[2.355810e-21, -7.648000e+03, 2.619430e-16, 3.754390e-09]]]> : tile<1x1x4xbf16>
    %reshape = reshape %arg0 : tile<bf16> -> tile<1x1x1xbf16>
    %bcast = broadcast %reshape : tile<1x1x1xbf16> -> tile<1x1x32xbf16>
    %0 = insert %cst_bf16, %bcast[%cst_0_i32, %cst_0_i32_0, %cst_3_i32] : tile<1x1x4xbf16>, tile<1x1x32xbf16>
    return
  }
}
// becomes
module {
  "nv_tileaa.func"() <{function_type = (bf16) -> (), kernel_spec = #nv_tileaa.kernel_spec<numWarps=4, clusterDim=[1,1,1]>, sym_name = "k0"}> ({
  ^bb0(%arg0: bf16):
    %c0_i32 = arith.constant 0 : i32
    %c0_i32_0 = arith.constant 0 : i32
    %c3_i32 = arith.constant 3 : i32
    %cst = "nv_tileaa.constant_tensor"() <{value = dense<[[[2.355810e-21, -7.648000e+03, 2.619430e-16, 3.754390e-09]]]> : tensor<1x1x4xbf16>}> : () -> tensor<1x1x4xbf16>
    %0 = "nv_tileaa.splat"(%arg0) : (bf16) -> tensor<1x1x1xbf16>
    %1 = "nv_tileaa.splat"(%arg0) : (bf16) -> tensor<1x1x32xbf16>
    %2 = "nv_tileaa.view"(%cst) : (tensor<1x1x4xbf16>) -> tensor<1x1x1x1x1x4xbf16>
    %c0_i32_1 = arith.constant 0 : i32
    %c8_i32 = arith.constant 8 : i32
    %3 = "nv_tileaa.make_range"(%c0_i32_1, %c8_i32) : (i32, i32) -> tensor<8xi32>
    %4 = "nv_tileaa.splat"(%c3_i32) : (i32) -> tensor<8xi32>
    %5 = arith.cmpi eq, %3, %4 : tensor<8xi32>
    %6 = "nv_tileaa.view"(%5) : (tensor<8xi1>) -> tensor<1x1x1x1x8x1xi1>
    %7 = "nv_tileaa.broadcast"(%6) : (tensor<1x1x1x1x8x1xi1>) -> tensor<1x1x1x1x8x4xi1>
    %8 = "nv_tileaa.broadcast"(%2) : (tensor<1x1x1x1x1x4xbf16>) -> tensor<1x1x1x1x8x4xbf16>
    %9 = "nv_tileaa.view"(%1) : (tensor<1x1x32xbf16>) -> tensor<1x1x1x1x8x4xbf16>
    %10 = arith.select %7, %8, %9 : tensor<1x1x1x1x8x4xi1>, tensor<1x1x1x1x8x4xbf16>
    %11 = "nv_tileaa.view"(%10) : (tensor<1x1x1x1x8x4xbf16>) -> tensor<1x1x32xbf16>
    "nv_tileaa.return"() : () -> ()
  }) : () -> ()
}
