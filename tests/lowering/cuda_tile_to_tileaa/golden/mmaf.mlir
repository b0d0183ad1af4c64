cuda_tile.module @kernels {
  entry @k0(%arg0: tile<f64>) {
    %cst_f64 = constant <f64: __elided__> : tile<1x4x8xf64>
    %reshape = reshape %arg0 : tile<f64> -> tile<1x1x1xf64>
    %bcast = broadcast %reshape : tile<1x1x1xf64> -> tile<1x8x1xf64>
    %cst_f64_0 = constant <f64: [[[-6.9848535970882858E+47], [-4.0881695112545202E+225], [-5.8012290506575245E-278], [1.3169317679627169E+294]]]> : tile<1x4x1xf64>
    %0 = mmaf %cst_f64, %bcast, %cst_f64_0 : tile<1x4x8xf64>, tile<1x8x1xf64>, tile<1x4x1xf64>
    return
  }
}
// becomes
module {
  "nv_tileaa.func"() <{function_type = (f64) -> (), kernel_spec = #nv_tileaa.kernel_spec<clusterDim=[1,1,1]>, sym_name = "k0"}> ({
  ^bb0(%arg0: f64):
    %cst = "nv_tileaa.constant_tensor"() <{value = dense_resource<__elided__> : tensor<1x4x8xf64>}> : () -> tensor<1x4x8xf64>
    %0 = "nv_tileaa.splat"(%arg0) : (f64) -> tensor<1x1x1xf64>
    %1 = "nv_tileaa.splat"(%arg0) : (f64) -> tensor<1x8x1xf64>
    %cst_0 = "nv_tileaa.constant_tensor"() <{value = dense<[[[-6.9848535970882858E+47], [-4.0881695112545202E+225], [-5.8012290506575245E-278], [1.3169317679627169E+294]]]> : tensor<1x4x1xf64>}> : () -> tensor<1x4x1xf64>
    %2 = "nv_tileaa.dot"(%cst, %1, %cst_0) <{operandSegmentSizes = array<i32: 1, 1, 1, 0, 0>}> : (tensor<1x4x8xf64>, tensor<1x8x1xf64>, tensor<1x4x1xf64>) -> tensor<1x4x1xf64>
    "nv_tileaa.return"() : () -> ()
  }) : () -> ()
}

// -----

cuda_tile.module @kernels {
  entry @k0(%arg0: tile<tf32>, %arg1: tile<ptr<tf32>>) {
    %cst_tf32 = constant <tf32: 2.361330e+00> : tile<1x1xtf32>
    %cst_1_i32 = constant <i32: 1> : tile<i32>
    %cst_0_i32 = constant <i32: 0> : tile<i32>
    %reshape = reshape %arg0 : tile<tf32> -> tile<1x1xtf32>
    %bcast = broadcast %reshape : tile<1x1xtf32> -> tile<2x2xtf32>
    %0 = extract %bcast[%cst_1_i32, %cst_0_i32] : tile<2x2xtf32> -> tile<1x1xtf32>
    %1 = cat %cst_tf32, %0 dim = 1 : tile<1x1xtf32>, tile<1x1xtf32> -> tile<1x2xtf32>
    %tview = make_tensor_view %arg1, shape = [1, 7], strides = [8, 1] : tensor_view<1x7xtf32, strides=[8,1]>
    %pview = make_partition_view %tview : partition_view<tile=(2x8), padding_value = zero, tensor_view<1x7xtf32, strides=[8,1]>>
    %cst_0_i32_0 = constant <i32: 0> : tile<i32>
    %cst_0_i32_1 = constant <i32: 0> : tile<i32>
    %tile, %result_token = load_view_tko weak %pview[%cst_0_i32_0, %cst_0_i32_1] inbounds = [false, false] : partition_view<tile=(2x8), padding_value = zero, tensor_view<1x7xtf32, strides=[8,1]>>, tile<i32> -> tile<2x8xtf32>, token
    %cst_f32 = constant <f32: [[0xFF800000, 1.00000012, 0xFFC00001, 1.17549435E-38, 0x7FFFFFFF, 0.99999994, 5.87747175E-39, 5.87747316E-39]]> : tile<1x8xf32>
    %2 = permute %cst_f32 [0, 1] : tile<1x8xf32> -> tile<1x8xf32>
    %3 = mmaf %1, %tile, %2 : tile<1x2xtf32>, tile<2x8xtf32>, tile<1x8xf32>
    return
  }
}
// becomes
module {
  "nv_tileaa.func"() <{function_type = (tf32, !nv_tileaa.ptr<tf32, 1>) -> (), kernel_spec = #nv_tileaa.kernel_spec<clusterDim=[1,1,1]>, sym_name = "k0"}> ({
  ^bb0(%arg0: tf32, %arg1: !nv_tileaa.ptr<tf32, 1>):
    %0 = "nv_tileaa.splat"() <{value = 2.361330e+00 : tf32}> : () -> tensor<1x1xtf32>
    %c1_i32 = arith.constant 1 : i32
    %c0_i32 = arith.constant 0 : i32
    %1 = "nv_tileaa.splat"(%arg0) : (tf32) -> tensor<1x1xtf32>
    %2 = "nv_tileaa.splat"(%arg0) : (tf32) -> tensor<2x2xtf32>
    %3 = "nv_tileaa.extract_slice"(%2, %c1_i32, %c0_i32) <{sizes = array<i64: 1, 1>}> : (tensor<2x2xtf32>, i32, i32) -> tensor<1x1xtf32>
    %4 = "nv_tileaa.cat"(%0, %3) <{axis = 1 : i32}> : (tensor<1x1xtf32>, tensor<1x1xtf32>) -> tensor<1x2xtf32>
    %5 = "nv_tileaa.make_memref"(%arg1) <{operandSegmentSizes = array<i32: 1, 0, 0, 0>}> : (!nv_tileaa.ptr<tf32, 1>) -> !nv_tileaa.memref<1x7xtf32, strides = [8, 1]>
    %6 = "nv_tileaa.block_tile"(%5) <{dimGroups = [array<i64: 0>, array<i64: 1>], tileSizes = array<i64: 2, 8>}> : (!nv_tileaa.memref<1x7xtf32, strides = [8, 1]>) -> !nv_tileaa.tiled_view<!nv_tileaa.memref<1x7xtf32, strides = [8, 1]>, [2, 8]>
    %c0_i32_0 = arith.constant 0 : i32
    %c0_i32_1 = arith.constant 0 : i32
    %value, %token = "nv_tileaa.tiled_load"(%6, %c0_i32_0, %c0_i32_1) <{cache_modifier = #nv_tileaa.cache_modifier<none>, eviction_policy = #nv_tileaa.eviction_policy<none>, in_bounds = array<i1: false, false>, mem_semantic = #nv_tileaa.mem_semantic<weak>, operandSegmentSizes = array<i32: 1, 2, 0>, padding_value = #nv_tileaa.padding_value<zero>}> : (!nv_tileaa.tiled_view<!nv_tileaa.memref<1x7xtf32, strides = [8, 1]>, [2, 8]>, i32, i32) -> (tensor<2x8xtf32>, !nv_tileaa.mem_token)
    %cst = "nv_tileaa.constant_tensor"() <{value = dense<[[0xFF800000, 1.00000012, 0xFFC00001, 1.17549435E-38, 0x7FFFFFFF, 0.99999994, 5.87747175E-39, 5.87747316E-39]]> : tensor<1x8xf32>}> : () -> tensor<1x8xf32>
    %7 = "nv_tileaa.permute"(%cst) <{permutation = array<i64: 0, 1>}> : (tensor<1x8xf32>) -> tensor<1x8xf32>
    %8 = "nv_tileaa.dot"(%4, %value, %7) <{input_precision = "tf32", operandSegmentSizes = array<i32: 1, 1, 1, 0, 0>}> : (tensor<1x2xtf32>, tensor<2x8xtf32>, tensor<1x8xf32>) -> tensor<1x8xf32>
    "nv_tileaa.return"() : () -> ()
  }) : () -> ()
}
