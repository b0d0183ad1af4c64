cuda_tile.module @kernels {
  entry @k(%arg0: tile<ptr<f32>>) {
    %tview = make_tensor_view %arg0, shape = [10], strides = [1] : tensor_view<10xf32, strides=[1]>
    %pview = make_partition_view %tview : partition_view<tile=(4), tensor_view<10xf32, strides=[1]>>
    %cst_2_i32 = constant <i32: 2> : tile<i32>
    %tile, %result_token = load_view_tko weak %pview[%cst_2_i32] : partition_view<tile=(4), tensor_view<10xf32, strides=[1]>>, tile<i32> -> tile<4xf32>, token
    %0 = exti %cst_2_i32 unsigned : tile<i32> -> tile<i64>
    %cst_4_i64 = constant <i64: 4> : tile<i64>
    %1 = muli %0, %cst_4_i64 : tile<i64>
    %cst_10_i64 = constant <i64: 10> : tile<i64>
    %2 = subi %cst_10_i64, %1 : tile<i64>
    %cst_0_i64 = constant <i64: 0> : tile<i64>
    %3 = maxi %2, %cst_0_i64 signed : tile<i64>
    %cst_4_i64_0 = constant <i64: 4> : tile<i64>
    %4 = mini %3, %cst_4_i64_0 signed : tile<i64>
    %5 = trunci %4 : tile<i64> -> tile<i32>
    %6 = iota : tile<4xi32>
    %reshape = reshape %5 : tile<i32> -> tile<1xi32>
    %bcast = broadcast %reshape : tile<1xi32> -> tile<4xi32>
    %7 = cmpi less_than %6, %bcast, signed : tile<4xi32> -> tile<4xi1>
    %true = constant <i1: true> : tile<4xi1>
    %8 = xori %7, %true : tile<4xi1>
    %9 = addf %tile, %tile  : tile<4xf32>
    %10 = exti %cst_2_i32 unsigned : tile<i32> -> tile<i64>
    %cst_4_i64_1 = constant <i64: 4> : tile<i64>
    %11 = muli %10, %cst_4_i64_1 : tile<i64>
    %cst_10_i64_2 = constant <i64: 10> : tile<i64>
    %12 = subi %cst_10_i64_2, %11 : tile<i64>
    %cst_0_i64_3 = constant <i64: 0> : tile<i64>
    %13 = maxi %12, %cst_0_i64_3 signed : tile<i64>
    %cst_4_i64_4 = constant <i64: 4> : tile<i64>
    %14 = mini %13, %cst_4_i64_4 signed : tile<i64>
    %15 = trunci %14 : tile<i64> -> tile<i32>
    %16 = iota : tile<4xi32>
    %reshape_5 = reshape %15 : tile<i32> -> tile<1xi32>
    %bcast_6 = broadcast %reshape_5 : tile<1xi32> -> tile<4xi32>
    %17 = cmpi less_than %16, %bcast_6, signed : tile<4xi32> -> tile<4xi1>
    %18 = andi %8, %17 : tile<4xi1>
    %true_7 = constant <i1: true> : tile<4xi1>
    %19 = xori %18, %true_7 : tile<4xi1>
    assert %19, "store: the stored tile uses an unspecified value" {nv_tileaa.check = "initcheck"} : tile<4xi1>
    %20 = store_view_tko weak %9, %pview[%cst_2_i32] token = %result_token : tile<4xf32>, partition_view<tile=(4), tensor_view<10xf32, strides=[1]>>, tile<i32> -> token
    return
  }
}
// becomes
module {
  "nv_tileaa.func"() <{function_type = (!nv_tileaa.ptr<f32, 1>) -> (), kernel_spec = #nv_tileaa.kernel_spec<clusterDim=[1,1,1]>, sym_name = "k"}> ({
  ^bb0(%arg0: !nv_tileaa.ptr<f32, 1>):
    %0 = "nv_tileaa.make_memref"(%arg0) <{operandSegmentSizes = array<i32: 1, 0, 0, 0>}> : (!nv_tileaa.ptr<f32, 1>) -> !nv_tileaa.memref<10xf32, strides = [1]>
    %1 = "nv_tileaa.block_tile"(%0) <{dimGroups = [array<i64: 0>], tileSizes = array<i64: 4>}> : (!nv_tileaa.memref<10xf32, strides = [1]>) -> !nv_tileaa.tiled_view<!nv_tileaa.memref<10xf32, strides = [1]>, [4]>
    %c2_i32 = arith.constant 2 : i32
    %value, %token = "nv_tileaa.tiled_load"(%1, %c2_i32) <{cache_modifier = #nv_tileaa.cache_modifier<none>, eviction_policy = #nv_tileaa.eviction_policy<none>, in_bounds = array<i1: false>, mem_semantic = #nv_tileaa.mem_semantic<weak>, operandSegmentSizes = array<i32: 1, 1, 0>, padding_value = #nv_tileaa.padding_value<zero>}> : (!nv_tileaa.tiled_view<!nv_tileaa.memref<10xf32, strides = [1]>, [4]>, i32) -> (tensor<4xf32>, !nv_tileaa.mem_token)
    %2 = arith.extui %c2_i32 : i32 to i64
    %c4_i64 = arith.constant 4 : i64
    %3 = arith.muli %2, %c4_i64 : i64
    %c10_i64 = arith.constant 10 : i64
    %4 = arith.subi %c10_i64, %3 : i64
    %c0_i64 = arith.constant 0 : i64
    %5 = arith.maxsi %4, %c0_i64 : i64
    %c4_i64_0 = arith.constant 4 : i64
    %6 = arith.minsi %5, %c4_i64_0 : i64
    %7 = arith.trunci %6 : i64 to i32
    %c0_i32 = arith.constant 0 : i32
    %c4_i32 = arith.constant 4 : i32
    %8 = "nv_tileaa.make_range"(%c0_i32, %c4_i32) : (i32, i32) -> tensor<4xi32>
    %9 = "nv_tileaa.splat"(%7) : (i32) -> tensor<1xi32>
    %10 = "nv_tileaa.splat"(%7) : (i32) -> tensor<4xi32>
    %11 = arith.cmpi slt, %8, %10 : tensor<4xi32>
    %12 = "nv_tileaa.splat"() <{value = true}> : () -> tensor<4xi1>
    %13 = arith.xori %11, %12 : tensor<4xi1>
    %14 = "nv_tileaa.addf"(%value, %value) <{rounding_mode = #nv_tileaa.rounding_mode<nearest_even>}> : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
    %15 = arith.extui %c2_i32 : i32 to i64
    %c4_i64_1 = arith.constant 4 : i64
    %16 = arith.muli %15, %c4_i64_1 : i64
    %c10_i64_2 = arith.constant 10 : i64
    %17 = arith.subi %c10_i64_2, %16 : i64
    %c0_i64_3 = arith.constant 0 : i64
    %18 = arith.maxsi %17, %c0_i64_3 : i64
    %c4_i64_4 = arith.constant 4 : i64
    %19 = arith.minsi %18, %c4_i64_4 : i64
    %20 = arith.trunci %19 : i64 to i32
    %c0_i32_5 = arith.constant 0 : i32
    %c4_i32_6 = arith.constant 4 : i32
    %21 = "nv_tileaa.make_range"(%c0_i32_5, %c4_i32_6) : (i32, i32) -> tensor<4xi32>
    %22 = "nv_tileaa.splat"(%20) : (i32) -> tensor<1xi32>
    %23 = "nv_tileaa.splat"(%20) : (i32) -> tensor<4xi32>
    %24 = arith.cmpi slt, %21, %23 : tensor<4xi32>
    %25 = arith.andi %13, %24 : tensor<4xi1>
    %26 = "nv_tileaa.splat"() <{value = true}> : () -> tensor<4xi1>
    %27 = arith.xori %25, %26 : tensor<4xi1>
    "nv_tileaa.check"(%27) <{check = "initcheck", message = "store: the stored tile uses an unspecified value", signedness = #nv_tileaa.signedness<signed>}> : (tensor<4xi1>) -> ()
    %28 = "nv_tileaa.tiled_store"(%1, %14, %c2_i32, %token) <{cache_modifier = #nv_tileaa.cache_modifier<none>, eviction_policy = #nv_tileaa.eviction_policy<none>, in_bounds = array<i1: false>, mem_semantic = #nv_tileaa.mem_semantic<weak>, operandSegmentSizes = array<i32: 1, 1, 1, 1>}> : (!nv_tileaa.tiled_view<!nv_tileaa.memref<10xf32, strides = [1]>, [4]>, tensor<4xf32>, i32, !nv_tileaa.mem_token) -> !nv_tileaa.mem_token
    "nv_tileaa.return"() : () -> ()
  }) : () -> ()
}
