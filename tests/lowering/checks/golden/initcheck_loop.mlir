cuda_tile.module @kernels {
  entry @k(%arg0: tile<ptr<f32>>, %arg1: tile<i32>, %arg2: tile<i32>, %arg3: tile<i32>) {
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
    %for:2 = for %loopIdx in (%arg1 to %arg2, step %arg3) : tile<i32> iter_values(%iterArg0 = %tile, %iterArg1 = %8) -> (tile<4xf32>, tile<4xi1>) {
      %20 = mulf %iterArg0, %tile  : tile<4xf32>
      %21 = ori %iterArg1, %8 : tile<4xi1>
      continue %20, %21 : tile<4xf32>, tile<4xi1>
    }
    %9 = exti %cst_2_i32 unsigned : tile<i32> -> tile<i64>
    %cst_4_i64_1 = constant <i64: 4> : tile<i64>
    %10 = muli %9, %cst_4_i64_1 : tile<i64>
    %cst_10_i64_2 = constant <i64: 10> : tile<i64>
    %11 = subi %cst_10_i64_2, %10 : tile<i64>
    %cst_0_i64_3 = constant <i64: 0> : tile<i64>
    %12 = maxi %11, %cst_0_i64_3 signed : tile<i64>
    %cst_4_i64_4 = constant <i64: 4> : tile<i64>
    %13 = mini %12, %cst_4_i64_4 signed : tile<i64>
    %14 = trunci %13 : tile<i64> -> tile<i32>
    %15 = iota : tile<4xi32>
    %reshape_5 = reshape %14 : tile<i32> -> tile<1xi32>
    %bcast_6 = broadcast %reshape_5 : tile<1xi32> -> tile<4xi32>
    %16 = cmpi less_than %15, %bcast_6, signed : tile<4xi32> -> tile<4xi1>
    %17 = andi %for#1, %16 : tile<4xi1>
    %true_7 = constant <i1: true> : tile<4xi1>
    %18 = xori %17, %true_7 : tile<4xi1>
    assert %18, "store: the stored tile uses an unspecified value" {nv_tileaa.check = "initcheck"} : tile<4xi1>
    %19 = store_view_tko weak %for#0, %pview[%cst_2_i32] token = %result_token : tile<4xf32>, partition_view<tile=(4), tensor_view<10xf32, strides=[1]>>, tile<i32> -> token
    return
  }
}
// becomes
module {
  "nv_tileaa.func"() <{function_type = (!nv_tileaa.ptr<f32, 1>, i32, i32, i32) -> (), kernel_spec = #nv_tileaa.kernel_spec<clusterDim=[1,1,1]>, sym_name = "k"}> ({
  ^bb0(%arg0: !nv_tileaa.ptr<f32, 1>, %arg1: i32, %arg2: i32, %arg3: i32):
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
    %14 = arith.extsi %arg1 : i32 to i64
    %15 = arith.extsi %arg2 : i32 to i64
    %16 = arith.extsi %arg3 : i32 to i64
    %17:2 = scf.for %arg4 = %14 to %15 step %16 iter_args(%arg5 = %value, %arg6 = %13) -> (tensor<4xf32>, tensor<4xi1>)  : i64 {
      %32 = arith.trunci %arg4 : i64 to i32
      %33 = "nv_tileaa.mulf"(%arg5, %value) <{rounding_mode = #nv_tileaa.rounding_mode<nearest_even>}> : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
      %34 = arith.ori %arg6, %13 : tensor<4xi1>
      scf.yield %33, %34 : tensor<4xf32>, tensor<4xi1>
    }
    %18 = arith.extui %c2_i32 : i32 to i64
    %c4_i64_1 = arith.constant 4 : i64
    %19 = arith.muli %18, %c4_i64_1 : i64
    %c10_i64_2 = arith.constant 10 : i64
    %20 = arith.subi %c10_i64_2, %19 : i64
    %c0_i64_3 = arith.constant 0 : i64
    %21 = arith.maxsi %20, %c0_i64_3 : i64
    %c4_i64_4 = arith.constant 4 : i64
    %22 = arith.minsi %21, %c4_i64_4 : i64
    %23 = arith.trunci %22 : i64 to i32
    %c0_i32_5 = arith.constant 0 : i32
    %c4_i32_6 = arith.constant 4 : i32
    %24 = "nv_tileaa.make_range"(%c0_i32_5, %c4_i32_6) : (i32, i32) -> tensor<4xi32>
    %25 = "nv_tileaa.splat"(%23) : (i32) -> tensor<1xi32>
    %26 = "nv_tileaa.splat"(%23) : (i32) -> tensor<4xi32>
    %27 = arith.cmpi slt, %24, %26 : tensor<4xi32>
    %28 = arith.andi %17#1, %27 : tensor<4xi1>
    %29 = "nv_tileaa.splat"() <{value = true}> : () -> tensor<4xi1>
    %30 = arith.xori %28, %29 : tensor<4xi1>
    "nv_tileaa.check"(%30) <{check = "initcheck", message = "store: the stored tile uses an unspecified value", signedness = #nv_tileaa.signedness<signed>}> : (tensor<4xi1>) -> ()
    %31 = "nv_tileaa.tiled_store"(%1, %17#0, %c2_i32, %token) <{cache_modifier = #nv_tileaa.cache_modifier<none>, eviction_policy = #nv_tileaa.eviction_policy<none>, in_bounds = array<i1: false>, mem_semantic = #nv_tileaa.mem_semantic<weak>, operandSegmentSizes = array<i32: 1, 1, 1, 1>}> : (!nv_tileaa.tiled_view<!nv_tileaa.memref<10xf32, strides = [1]>, [4]>, tensor<4xf32>, i32, !nv_tileaa.mem_token) -> !nv_tileaa.mem_token
    "nv_tileaa.return"() : () -> ()
  }) : () -> ()
}
