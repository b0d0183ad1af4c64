cuda_tile.module @kernels {
  entry @k0() {
    %cst_0_f4E2M1FN = constant <f4E2M1FN: 0.000000e+00> : tile<1x4x16xf4E2M1FN>
    %cst_f4E2M1FN = constant <f4E2M1FN: __elided__> : tile<1x16x2xf4E2M1FN>
    %cst_f32 = constant <f32: 1.87384461E+33> : tile<4x1x2xf32>
    %0 = permute %cst_f32 [1, 0, 2] : tile<4x1x2xf32> -> tile<1x4x2xf32>
    %cst_f8E4M3FN = constant <f8E4M3FN: [[[-0.000000e+00], [-3.200000e+02], [-3.250000e+00], [2.148440e-02]]]> : tile<1x4x1xf8E4M3FN>
    %cst_f8E4M3FN_0 = constant <f8E4M3FN: -9.375000e-01> : tile<1x1x2xf8E4M3FN>
    %1 = mmaf_scaled %cst_0_f4E2M1FN, %cst_f4E2M1FN, %0, %cst_f8E4M3FN, %cst_f8E4M3FN_0 : tile<1x4x16xf4E2M1FN>, tile<1x16x2xf4E2M1FN>, tile<1x4x2xf32>, tile<1x4x1xf8E4M3FN>, tile<1x1x2xf8E4M3FN>
    return
  }
}
// becomes
module {
  "nv_tileaa.func"() <{function_type = () -> (), kernel_spec = #nv_tileaa.kernel_spec<clusterDim=[1,1,1]>, sym_name = "k0"}> ({
    %0 = "nv_tileaa.splat"() <{value = 0.000000e+00 : f4E2M1FN}> : () -> tensor<1x4x16xf4E2M1FN>
    %cst = "nv_tileaa.constant_tensor"() <{value = dense_resource<__elided__> : tensor<1x16x2xf4E2M1FN>}> : () -> tensor<1x16x2xf4E2M1FN>
    %1 = "nv_tileaa.splat"() <{value = 1.87384461E+33 : f32}> : () -> tensor<4x1x2xf32>
    %2 = "nv_tileaa.permute"(%1) <{permutation = array<i64: 1, 0, 2>}> : (tensor<4x1x2xf32>) -> tensor<1x4x2xf32>
    %cst_0 = "nv_tileaa.constant_tensor"() <{value = dense<[[[-0.000000e+00], [-3.200000e+02], [-3.250000e+00], [2.148440e-02]]]> : tensor<1x4x1xf8E4M3FN>}> : () -> tensor<1x4x1xf8E4M3FN>
    %3 = "nv_tileaa.splat"() <{value = -9.375000e-01 : f8E4M3FN}> : () -> tensor<1x1x2xf8E4M3FN>
    %4 = "nv_tileaa.dot"(%0, %cst, %2, %cst_0, %3) <{operandSegmentSizes = array<i32: 1, 1, 1, 1, 1>}> : (tensor<1x4x16xf4E2M1FN>, tensor<1x16x2xf4E2M1FN>, tensor<1x4x2xf32>, tensor<1x4x1xf8E4M3FN>, tensor<1x1x2xf8E4M3FN>) -> tensor<1x4x2xf32>
    "nv_tileaa.return"() : () -> ()
  }) : () -> ()
}

// -----

cuda_tile.module @kernels {
  entry @k0(%arg0: tile<ptr<f8E4M3FN>>) {
    %cst_f4E2M1FN = constant <f4E2M1FN: __elided__> : tile<2x1x32xf4E2M1FN>
    %cst_4_f4E2M1FN = constant <f4E2M1FN: 4.000000e+00> : tile<2x32x1xf4E2M1FN>
    %cst_f32 = constant <f32: 0.00686014164> : tile<2x1x1xf32>
    %cst_f8E4M3FN = constant <f8E4M3FN: 1.406250e-01> : tile<1x1x1xf8E4M3FN>
    %bcast = broadcast %cst_f8E4M3FN : tile<1x1x1xf8E4M3FN> -> tile<2x1x2xf8E4M3FN>
    %tview = make_tensor_view %arg0, shape = [2, 1, 1], strides = [2, 1, 1] : tensor_view<2x1x1xf8E4M3FN, strides=[2,1,1]>
    %pview = make_partition_view %tview : partition_view<tile=(2x2x1), padding_value = zero, tensor_view<2x1x1xf8E4M3FN, strides=[2,1,1]>>
    %cst_0_i32 = constant <i32: 0> : tile<i32>
    %cst_0_i32_0 = constant <i32: 0> : tile<i32>
    %cst_0_i32_1 = constant <i32: 0> : tile<i32>
    %tile, %result_token = load_view_tko weak %pview[%cst_0_i32, %cst_0_i32_0, %cst_0_i32_1] inbounds = [false, false, false] : partition_view<tile=(2x2x1), padding_value = zero, tensor_view<2x1x1xf8E4M3FN, strides=[2,1,1]>>, tile<i32> -> tile<2x2x1xf8E4M3FN>, token
    %0 = mmaf_scaled %cst_f4E2M1FN, %cst_4_f4E2M1FN, %cst_f32, %bcast, %tile : tile<2x1x32xf4E2M1FN>, tile<2x32x1xf4E2M1FN>, tile<2x1x1xf32>, tile<2x1x2xf8E4M3FN>, tile<2x2x1xf8E4M3FN>
    return
  }
}
// becomes
module {
  "nv_tileaa.func"() <{function_type = (!nv_tileaa.ptr<f8E4M3FN, 1>) -> (), kernel_spec = #nv_tileaa.kernel_spec<clusterDim=[1,1,1]>, sym_name = "k0"}> ({
  ^bb0(%arg0: !nv_tileaa.ptr<f8E4M3FN, 1>):
    %cst = "nv_tileaa.constant_tensor"() <{value = dense_resource<__elided__> : tensor<2x1x32xf4E2M1FN>}> : () -> tensor<2x1x32xf4E2M1FN>
    %0 = "nv_tileaa.splat"() <{value = 4.000000e+00 : f4E2M1FN}> : () -> tensor<2x32x1xf4E2M1FN>
    %1 = "nv_tileaa.splat"() <{value = 0.00686014164 : f32}> : () -> tensor<2x1x1xf32>
    %2 = "nv_tileaa.splat"() <{value = 1.406250e-01 : f8E4M3FN}> : () -> tensor<1x1x1xf8E4M3FN>
    %3 = "nv_tileaa.splat"() <{value = 1.406250e-01 : f8E4M3FN}> : () -> tensor<2x1x2xf8E4M3FN>
    %4 = "nv_tileaa.make_memref"(%arg0) <{operandSegmentSizes = array<i32: 1, 0, 0, 0>}> : (!nv_tileaa.ptr<f8E4M3FN, 1>) -> !nv_tileaa.memref<2x1x1xf8E4M3FN, strides = [2, 1, 1]>
    %5 = "nv_tileaa.block_tile"(%4) <{dimGroups = [array<i64: 0>, array<i64: 1>, array<i64: 2>], tileSizes = array<i64: 2, 2, 1>}> : (!nv_tileaa.memref<2x1x1xf8E4M3FN, strides = [2, 1, 1]>) -> !nv_tileaa.tiled_view<!nv_tileaa.memref<2x1x1xf8E4M3FN, strides = [2, 1, 1]>, [2, 2, 1]>
    %c0_i32 = arith.constant 0 : i32
    %c0_i32_0 = arith.constant 0 : i32
    %c0_i32_1 = arith.constant 0 : i32
    %value, %token = "nv_tileaa.tiled_load"(%5, %c0_i32, %c0_i32_0, %c0_i32_1) <{cache_modifier = #nv_tileaa.cache_modifier<none>, eviction_policy = #nv_tileaa.eviction_policy<none>, in_bounds = array<i1: true, false, true>, mem_semantic = #nv_tileaa.mem_semantic<weak>, operandSegmentSizes = array<i32: 1, 3, 0>, padding_value = #nv_tileaa.padding_value<zero>}> : (!nv_tileaa.tiled_view<!nv_tileaa.memref<2x1x1xf8E4M3FN, strides = [2, 1, 1]>, [2, 2, 1]>, i32, i32, i32) -> (tensor<2x2x1xf8E4M3FN>, !nv_tileaa.mem_token)
    %6 = "nv_tileaa.dot"(%cst, %0, %1, %3, %value) <{operandSegmentSizes = array<i32: 1, 1, 1, 1, 1>}> : (tensor<2x1x32xf4E2M1FN>, tensor<2x32x1xf4E2M1FN>, tensor<2x1x1xf32>, tensor<2x1x2xf8E4M3FN>, tensor<2x2x1xf8E4M3FN>) -> tensor<2x1x1xf32>
    "nv_tileaa.return"() : () -> ()
  }) : () -> ()
}
