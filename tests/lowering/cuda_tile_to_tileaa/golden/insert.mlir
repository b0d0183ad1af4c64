cuda_tile.module @kernels {
  entry @k0() {
    %cst_1_i32 = constant <i32: 1> : tile<i32>
    %cst_1_i32_0 = constant <i32: 1> : tile<i32>
    %cst_0_i32 = constant <i32: 0> : tile<i32>
    %cst_0_i8 = constant <i8: 0> : tile<8x1x1xi8>
    %0 = trunci %cst_0_i8 : tile<8x1x1xi8> -> tile<8x1x1xi4>
    %cst_-92_i8 = constant <i8: -92> : tile<16x2x2xi8>
    %1 = trunci %cst_-92_i8 : tile<16x2x2xi8> -> tile<16x2x2xi4>
    %2 = insert %0, %1[%cst_1_i32, %cst_1_i32_0, %cst_0_i32] : tile<8x1x1xi4>, tile<16x2x2xi4>
    return
  }
}
// becomes
module {
  "nv_tileaa.func"() <{function_type = () -> (), kernel_spec = #nv_tileaa.kernel_spec<clusterDim=[1,1,1]>, sym_name = "k0"}> ({
    %c1_i32 = arith.constant 1 : i32
    %c1_i32_0 = arith.constant 1 : i32
    %c0_i32 = arith.constant 0 : i32
    %0 = "nv_tileaa.splat"() <{value = 0 : i8}> : () -> tensor<8x1x1xi8>
    %1 = arith.trunci %0 : tensor<8x1x1xi8> to tensor<8x1x1xi4>
    %2 = "nv_tileaa.splat"() <{value = -92 : i8}> : () -> tensor<16x2x2xi8>
    %3 = arith.trunci %2 : tensor<16x2x2xi8> to tensor<16x2x2xi4>
    %4 = "nv_tileaa.view"(%1) : (tensor<8x1x1xi4>) -> tensor<1x8x1x1x1x1xi4>
    %c0_i32_1 = arith.constant 0 : i32
    %c2_i32 = arith.constant 2 : i32
    %5 = "nv_tileaa.make_range"(%c0_i32_1, %c2_i32) : (i32, i32) -> tensor<2xi32>
    %6 = "nv_tileaa.splat"(%c1_i32) : (i32) -> tensor<2xi32>
    %7 = arith.cmpi eq, %5, %6 : tensor<2xi32>
    %8 = "nv_tileaa.view"(%7) : (tensor<2xi1>) -> tensor<2x1x1x1x1x1xi1>
    %9 = "nv_tileaa.broadcast"(%8) : (tensor<2x1x1x1x1x1xi1>) -> tensor<2x8x2x1x2x1xi1>
    %c0_i32_2 = arith.constant 0 : i32
    %c2_i32_3 = arith.constant 2 : i32
    %10 = "nv_tileaa.make_range"(%c0_i32_2, %c2_i32_3) : (i32, i32) -> tensor<2xi32>
    %11 = "nv_tileaa.splat"(%c1_i32_0) : (i32) -> tensor<2xi32>
    %12 = arith.cmpi eq, %10, %11 : tensor<2xi32>
    %13 = "nv_tileaa.view"(%12) : (tensor<2xi1>) -> tensor<1x1x2x1x1x1xi1>
    %14 = "nv_tileaa.broadcast"(%13) : (tensor<1x1x2x1x1x1xi1>) -> tensor<2x8x2x1x2x1xi1>
    %15 = arith.andi %9, %14 : tensor<2x8x2x1x2x1xi1>
    %c0_i32_4 = arith.constant 0 : i32
    %c2_i32_5 = arith.constant 2 : i32
    %16 = "nv_tileaa.make_range"(%c0_i32_4, %c2_i32_5) : (i32, i32) -> tensor<2xi32>
    %17 = "nv_tileaa.splat"(%c0_i32) : (i32) -> tensor<2xi32>
    %18 = arith.cmpi eq, %16, %17 : tensor<2xi32>
    %19 = "nv_tileaa.view"(%18) : (tensor<2xi1>) -> tensor<1x1x1x1x2x1xi1>
    %20 = "nv_tileaa.broadcast"(%19) : (tensor<1x1x1x1x2x1xi1>) -> tensor<2x8x2x1x2x1xi1>
    %21 = arith.andi %15, %20 : tensor<2x8x2x1x2x1xi1>
    %22 = "nv_tileaa.broadcast"(%4) : (tensor<1x8x1x1x1x1xi4>) -> tensor<2x8x2x1x2x1xi4>
    %23 = "nv_tileaa.view"(%3) : (tensor<16x2x2xi4>) -> tensor<2x8x2x1x2x1xi4>
    %24 = arith.select %21, %22, %23 : tensor<2x8x2x1x2x1xi1>, tensor<2x8x2x1x2x1xi4>
    %25 = "nv_tileaa.view"(%24) : (tensor<2x8x2x1x2x1xi4>) -> tensor<16x2x2xi4>
    "nv_tileaa.return"() : () -> ()
  }) : () -> ()
}

// -----

cuda_tile.module @kernels {
  entry @k0(%arg0: tile<ptr<bf16>>) {
    %cst_0_i32 = constant <i32: 0> : tile<i32>
    %cst_0_i32_0 = constant <i32: 0> : tile<i32>
    %cst_3_i32 = constant <i32: 3> : tile<i32>
    %tview = make_tensor_view %arg0, shape = [1, 1, 4], strides = [4, 4, 1] : tensor_view<1x1x4xbf16, strides=[4,4,1]>
    %pview = make_partition_view %tview : partition_view<tile=(1x1x4), padding_value = zero, tensor_view<1x1x4xbf16, strides=[4,4,1]>>
    %cst_0_i32_1 = constant <i32: 0> : tile<i32>
    %cst_0_i32_2 = constant <i32: 0> : tile<i32>
    %cst_0_i32_3 = constant <i32: 0> : tile<i32>
    %tile, %result_token = load_view_tko weak %pview[%cst_0_i32_1, %cst_0_i32_2, %cst_0_i32_3] inbounds = [false, false, false] : partition_view<tile=(1x1x4), padding_value = zero, tensor_view<1x1x4xbf16, strides=[4,4,1]>>, tile<i32> -> tile<1x1x4xbf16>, token
    %cst_bf16 = constant <bf16: -1.095680e+05> : tile<1x1x1xbf16>
    %bcast = broadcast %cst_bf16 : tile<1x1x1xbf16> -> tile<1x1x32xbf16>
    %0 = insert %tile, %bcast[%cst_0_i32, %cst_0_i32_0, %cst_3_i32] : tile<1x1x4xbf16>, tile<1x1x32xbf16>
    return
  }
}
// becomes
module {
  "nv_tileaa.func"() <{function_type = (!nv_tileaa.ptr<bf16, 1>) -> (), kernel_spec = #nv_tileaa.kernel_spec<clusterDim=[1,1,1]>, sym_name = "k0"}> ({
  ^bb0(%arg0: !nv_tileaa.ptr<bf16, 1>):
    %c0_i32 = arith.constant 0 : i32
    %c0_i32_0 = arith.constant 0 : i32
    %c3_i32 = arith.constant 3 : i32
    %0 = "nv_tileaa.make_memref"(%arg0) <{operandSegmentSizes = array<i32: 1, 0, 0, 0>}> : (!nv_tileaa.ptr<bf16, 1>) -> !nv_tileaa.memref<1x1x4xbf16, strides = [4, 4, 1]>
    %1 = "nv_tileaa.block_tile"(%0) <{dimGroups = [array<i64: 0>, array<i64: 1>, array<i64: 2>], tileSizes = array<i64: 1, 1, 4>}> : (!nv_tileaa.memref<1x1x4xbf16, strides = [4, 4, 1]>) -> !nv_tileaa.tiled_view<!nv_tileaa.memref<1x1x4xbf16, strides = [4, 4, 1]>, [1, 1, 4]>
    %c0_i32_1 = arith.constant 0 : i32
    %c0_i32_2 = arith.constant 0 : i32
    %c0_i32_3 = arith.constant 0 : i32
    %value, %token = "nv_tileaa.tiled_load"(%1, %c0_i32_1, %c0_i32_2, %c0_i32_3) <{cache_modifier = #nv_tileaa.cache_modifier<none>, eviction_policy = #nv_tileaa.eviction_policy<none>, mem_semantic = #nv_tileaa.mem_semantic<weak>, operandSegmentSizes = array<i32: 1, 3, 0>}> : (!nv_tileaa.tiled_view<!nv_tileaa.memref<1x1x4xbf16, strides = [4, 4, 1]>, [1, 1, 4]>, i32, i32, i32) -> (tensor<1x1x4xbf16>, !nv_tileaa.mem_token)
    %2 = "nv_tileaa.splat"() <{value = -1.095680e+05 : bf16}> : () -> tensor<1x1x1xbf16>
    %3 = "nv_tileaa.splat"() <{value = -1.095680e+05 : bf16}> : () -> tensor<1x1x32xbf16>
    %4 = "nv_tileaa.view"(%value) : (tensor<1x1x4xbf16>) -> tensor<1x1x1x1x1x4xbf16>
    %c0_i32_4 = arith.constant 0 : i32
    %c8_i32 = arith.constant 8 : i32
    %5 = "nv_tileaa.make_range"(%c0_i32_4, %c8_i32) : (i32, i32) -> tensor<8xi32>
    %6 = "nv_tileaa.splat"(%c3_i32) : (i32) -> tensor<8xi32>
    %7 = arith.cmpi eq, %5, %6 : tensor<8xi32>
    %8 = "nv_tileaa.view"(%7) : (tensor<8xi1>) -> tensor<1x1x1x1x8x1xi1>
    %9 = "nv_tileaa.broadcast"(%8) : (tensor<1x1x1x1x8x1xi1>) -> tensor<1x1x1x1x8x4xi1>
    %10 = "nv_tileaa.broadcast"(%4) : (tensor<1x1x1x1x1x4xbf16>) -> tensor<1x1x1x1x8x4xbf16>
    %11 = "nv_tileaa.view"(%3) : (tensor<1x1x32xbf16>) -> tensor<1x1x1x1x8x4xbf16>
    %12 = arith.select %9, %10, %11 : tensor<1x1x1x1x8x4xi1>, tensor<1x1x1x1x8x4xbf16>
    %13 = "nv_tileaa.view"(%12) : (tensor<1x1x1x1x8x4xbf16>) -> tensor<1x1x32xbf16>
    "nv_tileaa.return"() : () -> ()
  }) : () -> ()
}
