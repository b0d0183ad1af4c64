cuda_tile.module @kernels {
  entry @k0(%arg0: tile<ptr<f64>>) {
    %cst_f64 = constant <f64: __elided__> : tile<1x4x8xf64>
    %cst_f64_0 = constant <f64: 1.1320288998437161E-219> : tile<1x8x1xf64>
    %tview = make_tensor_view %arg0, shape = [1, 4, 1], strides = [4, 1, 1] : tensor_view<1x4x1xf64, strides=[4,1,1]>
    %pview = make_partition_view %tview : partition_view<tile=(1x4x1), padding_value = zero, tensor_view<1x4x1xf64, strides=[4,1,1]>>
    %cst_0_i32 = constant <i32: 0> : tile<i32>
    %cst_0_i32_1 = constant <i32: 0> : tile<i32>
    %cst_0_i32_2 = constant <i32: 0> : tile<i32>
    %tile, %result_token = load_view_tko weak %pview[%cst_0_i32, %cst_0_i32_1, %cst_0_i32_2] inbounds = [false, false, false] : partition_view<tile=(1x4x1), padding_value = zero, tensor_view<1x4x1xf64, strides=[4,1,1]>>, tile<i32> -> tile<1x4x1xf64>, token
    %0 = mmaf %cst_f64, %cst_f64_0, %tile : tile<1x4x8xf64>, tile<1x8x1xf64>, tile<1x4x1xf64>
    return
  }
}
// becomes
module {
  "nv_tileaa.func"() <{function_type = (!nv_tileaa.ptr<f64, 1>) -> (), kernel_spec = #nv_tileaa.kernel_spec<numWarps=4, clusterDim=[1,1,1]>, sym_name = "k0"}> ({
  ^bb0(%arg0: !nv_tileaa.ptr<f64, 1>):
    %cst = "nv_tileaa.constant_tensor"() <{value = dense_resource<__elided__> : tensor<1x4x8xf64>}> : () -> tensor<1x4x8xf64>
    %0 = "nv_tileaa.splat"() <{value = 1.1320288998437161E-219 : f64}> : () -> tensor<1x8x1xf64>
    %1 = "nv_tileaa.make_memref"(%arg0) <{operandSegmentSizes = array<i32: 1, 0, 0, 0>}> : (!nv_tileaa.ptr<f64, 1>) -> !nv_tileaa.memref<1x4x1xf64, strides = [4, 1, 1]>
    %2 = "nv_tileaa.block_tile"(%1) <{dimGroups = [array<i64: 0>, array<i64: 1>, array<i64: 2>], tileSizes = array<i64: 1, 4, 1>}> : (!nv_tileaa.memref<1x4x1xf64, strides = [4, 1, 1]>) -> !nv_tileaa.tiled_view<!nv_tileaa.memref<1x4x1xf64, strides = [4, 1, 1]>, [1, 4, 1]>
    %c0_i32 = arith.constant 0 : i32
    %c0_i32_0 = arith.constant 0 : i32
    %c0_i32_1 = arith.constant 0 : i32
    %value, %token = "nv_tileaa.tiled_load"(%2, %c0_i32, %c0_i32_0, %c0_i32_1) <{cache_modifier = #nv_tileaa.cache_modifier<none>, eviction_policy = #nv_tileaa.eviction_policy<none>, mem_semantic = #nv_tileaa.mem_semantic<weak>, operandSegmentSizes = array<i32: 1, 3, 0>}> : (!nv_tileaa.tiled_view<!nv_tileaa.memref<1x4x1xf64, strides = [4, 1, 1]>, [1, 4, 1]>, i32, i32, i32) -> (tensor<1x4x1xf64>, !nv_tileaa.mem_token)
    %3 = "nv_tileaa.dot"(%cst, %0, %value) <{operandSegmentSizes = array<i32: 1, 1, 1, 0, 0>}> : (tensor<1x4x8xf64>, tensor<1x8x1xf64>, tensor<1x4x1xf64>) -> tensor<1x4x1xf64>
    "nv_tileaa.return"() : () -> ()
  }) : () -> ()
}

// -----

cuda_tile.module @kernels {
  entry @k0(%arg0: tile<tf32>, %arg1: tile<f32>) {
    %cst_tf32 = constant <tf32: 5.545040e-02> : tile<1x1xtf32>
    %reshape = reshape %arg0 : tile<tf32> -> tile<1x1xtf32>
    %0 = cat %cst_tf32, %reshape dim = 1 : tile<1x1xtf32>, tile<1x1xtf32> -> tile<1x2xtf32>
    %reshape_0 = reshape %arg0 : tile<tf32> -> tile<1x1xtf32>
    %bcast = broadcast %reshape_0 : tile<1x1xtf32> -> tile<2x8xtf32>
    %reshape_1 = reshape %arg1 : tile<f32> -> tile<1x1xf32>
    %bcast_2 = broadcast %reshape_1 : tile<1x1xf32> -> tile<1x8xf32>
    %1 = mmaf %0, %bcast, %bcast_2 : tile<1x2xtf32>, tile<2x8xtf32>, tile<1x8xf32>
    return
  }
}
// becomes
module {
  "nv_tileaa.func"() <{function_type = (tf32, f32) -> (), kernel_spec = #nv_tileaa.kernel_spec<numWarps=4, clusterDim=[1,1,1]>, sym_name = "k0"}> ({
  ^bb0(%arg0: tf32, %arg1: f32):
    %0 = "nv_tileaa.splat"() <{value = 5.545040e-02 : tf32}> : () -> tensor<1x1xtf32>
    %1 = "nv_tileaa.splat"(%arg0) : (tf32) -> tensor<1x1xtf32>
    %2 = "nv_tileaa.cat"(%0, %1) <{axis = 1 : i32}> : (tensor<1x1xtf32>, tensor<1x1xtf32>) -> tensor<1x2xtf32>
    %3 = "nv_tileaa.splat"(%arg0) : (tf32) -> tensor<1x1xtf32>
    %4 = "nv_tileaa.splat"(%arg0) : (tf32) -> tensor<2x8xtf32>
    %5 = "nv_tileaa.splat"(%arg1) : (f32) -> tensor<1x1xf32>
    %6 = "nv_tileaa.splat"(%arg1) : (f32) -> tensor<1x8xf32>
    %7 = "nv_tileaa.dot"(%2, %4, %6) <{input_precision = "tf32", operandSegmentSizes = array<i32: 1, 1, 1, 0, 0>}> : (tensor<1x2xtf32>, tensor<2x8xtf32>, tensor<1x8xf32>) -> tensor<1x8xf32>
    "nv_tileaa.return"() : () -> ()
  }) : () -> ()
}
