cuda_tile.module @kernels {
  entry @k(%arg0: tile<ptr<f32>>) {
    %tview = make_tensor_view %arg0, shape = [10], strides = [1] : tensor_view<10xf32, strides=[1]>
    %pview = make_partition_view %tview : partition_view<tile=(4), tensor_view<10xf32, strides=[1]>>
    %cst_2_i32 = constant <i32: 2> : tile<i32>
    %tile, %result_token = load_view_tko weak %pview[%cst_2_i32] : partition_view<tile=(4), tensor_view<10xf32, strides=[1]>>, tile<i32> -> tile<4xf32>, token
    %cst_f32 = constant <f32: 0x7F800000> : tile<4xf32>
    %0 = cmpf less_than ordered %tile, %cst_f32 : tile<4xf32> -> tile<4xi1>
    %cst_f32_0 = constant <f32: 0xFF800000> : tile<4xf32>
    %1 = cmpf greater_than ordered %tile, %cst_f32_0 : tile<4xf32> -> tile<4xi1>
    %2 = andi %0, %1 : tile<4xi1>
    %3 = divf %tile, %tile  : tile<4xf32>
    %cst_f32_1 = constant <f32: 0x7F800000> : tile<4xf32>
    %4 = cmpf less_than ordered %3, %cst_f32_1 : tile<4xf32> -> tile<4xi1>
    %cst_f32_2 = constant <f32: 0xFF800000> : tile<4xf32>
    %5 = cmpf greater_than ordered %3, %cst_f32_2 : tile<4xf32> -> tile<4xi1>
    %6 = andi %4, %5 : tile<4xi1>
    %true = constant <i1: true> : tile<4xi1>
    %7 = xori %2, %true : tile<4xi1>
    %true_3 = constant <i1: true> : tile<4xi1>
    %8 = xori %2, %true_3 : tile<4xi1>
    %9 = ori %6, %7 : tile<4xi1>
    %10 = ori %9, %8 : tile<4xi1>
    %11 = "nv_tileaa.with_operands"(%10, %tile, %tile) <{signedness = #nv_tileaa.signedness<signed>}> : (!cuda_tile.tile<4xi1>, !cuda_tile.tile<4xf32>, !cuda_tile.tile<4xf32>) -> !cuda_tile.tile<4xi1>
    assert %11, "division: finite operands gave a NaN or an infinity" {nv_tileaa.check = "fpcheck"} : tile<4xi1>
    %12 = store_view_tko weak %3, %pview[%cst_2_i32] token = %result_token : tile<4xf32>, partition_view<tile=(4), tensor_view<10xf32, strides=[1]>>, tile<i32> -> token
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
    %2 = "nv_tileaa.splat"() <{value = 0x7F800000 : f32}> : () -> tensor<4xf32>
    %3 = arith.cmpf olt, %value, %2 : tensor<4xf32>
    %4 = "nv_tileaa.splat"() <{value = 0xFF800000 : f32}> : () -> tensor<4xf32>
    %5 = arith.cmpf ogt, %value, %4 : tensor<4xf32>
    %6 = arith.andi %3, %5 : tensor<4xi1>
    %7 = "nv_tileaa.divf"(%value, %value) <{rounding_mode = #nv_tileaa.rounding_mode<nearest_even>}> : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
    %8 = "nv_tileaa.splat"() <{value = 0x7F800000 : f32}> : () -> tensor<4xf32>
    %9 = arith.cmpf olt, %7, %8 : tensor<4xf32>
    %10 = "nv_tileaa.splat"() <{value = 0xFF800000 : f32}> : () -> tensor<4xf32>
    %11 = arith.cmpf ogt, %7, %10 : tensor<4xf32>
    %12 = arith.andi %9, %11 : tensor<4xi1>
    %13 = "nv_tileaa.splat"() <{value = true}> : () -> tensor<4xi1>
    %14 = arith.xori %6, %13 : tensor<4xi1>
    %15 = "nv_tileaa.splat"() <{value = true}> : () -> tensor<4xi1>
    %16 = arith.xori %6, %15 : tensor<4xi1>
    %17 = arith.ori %12, %14 : tensor<4xi1>
    %18 = arith.ori %17, %16 : tensor<4xi1>
    "nv_tileaa.check"(%18, %value, %value) <{check = "fpcheck", message = "division: finite operands gave a NaN or an infinity", signedness = #nv_tileaa.signedness<signed>}> : (tensor<4xi1>, tensor<4xf32>, tensor<4xf32>) -> ()
    %19 = "nv_tileaa.tiled_store"(%1, %7, %c2_i32, %token) <{cache_modifier = #nv_tileaa.cache_modifier<none>, eviction_policy = #nv_tileaa.eviction_policy<none>, in_bounds = array<i1: false>, mem_semantic = #nv_tileaa.mem_semantic<weak>, operandSegmentSizes = array<i32: 1, 1, 1, 1>}> : (!nv_tileaa.tiled_view<!nv_tileaa.memref<10xf32, strides = [1]>, [4]>, tensor<4xf32>, i32, !nv_tileaa.mem_token) -> !nv_tileaa.mem_token
    "nv_tileaa.return"() : () -> ()
  }) : () -> ()
}
