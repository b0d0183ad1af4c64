cuda_tile.module @kernels {
  entry @k0(%arg0: tile<i16>) {
    %cst_f32 = constant <f32: __elided__> : tile<16xf32>
    %reshape = reshape %arg0 : tile<i16> -> tile<1xi16>
    %bcast = broadcast %reshape : tile<1xi16> -> tile<16xi16>
    %0 = fpowi %cst_f32, %bcast : tile<16xf32>, tile<16xi16>
    return
  }
}
// becomes
module {
  "nv_tileaa.func"() <{function_type = (i16) -> (), kernel_spec = #nv_tileaa.kernel_spec<clusterDim=[1,1,1]>, sym_name = "k0"}> ({
  ^bb0(%arg0: i16):
    %cst = "nv_tileaa.constant_tensor"() <{value = dense_resource<__elided__> : tensor<16xf32>}> : () -> tensor<16xf32>
    %0 = "nv_tileaa.splat"(%arg0) : (i16) -> tensor<1xi16>
    %1 = "nv_tileaa.splat"(%arg0) : (i16) -> tensor<16xi16>
    %2 = math.fpowi %cst, %1 : tensor<16xf32>, tensor<16xi16>
    "nv_tileaa.return"() : () -> ()
  }) : () -> ()
}

// -----

cuda_tile.module @kernels {
  entry @k0(%arg0: tile<ptr<f16>>) {
    %tview = make_tensor_view %arg0, shape = [1, 3], strides = [4, 1] : tensor_view<1x3xf16, strides=[4,1]>
    %pview = make_partition_view %tview : partition_view<tile=(2x4), padding_value = zero, tensor_view<1x3xf16, strides=[4,1]>>
    %cst_0_i32 = constant <i32: 0> : tile<i32>
    %cst_0_i32_0 = constant <i32: 0> : tile<i32>
    %tile, %result_token = load_view_tko weak %pview[%cst_0_i32, %cst_0_i32_0] inbounds = [false, false] : partition_view<tile=(2x4), padding_value = zero, tensor_view<1x3xf16, strides=[4,1]>>, tile<i32> -> tile<2x4xf16>, token
    %cst_-24950_i16 = constant <i16: -24950> : tile<4x2xi16>
    %0 = permute %cst_-24950_i16 [1, 0] : tile<4x2xi16> -> tile<2x4xi16>
    %1 = fpowi %tile, %0 : tile<2x4xf16>, tile<2x4xi16>
    return
  }
}
// becomes
module {
  "nv_tileaa.func"() <{function_type = (!nv_tileaa.ptr<f16, 1>) -> (), kernel_spec = #nv_tileaa.kernel_spec<clusterDim=[1,1,1]>, sym_name = "k0"}> ({
  ^bb0(%arg0: !nv_tileaa.ptr<f16, 1>):
    %0 = "nv_tileaa.make_memref"(%arg0) <{operandSegmentSizes = array<i32: 1, 0, 0, 0>}> : (!nv_tileaa.ptr<f16, 1>) -> !nv_tileaa.memref<1x3xf16, strides = [4, 1]>
    %1 = "nv_tileaa.block_tile"(%0) <{dimGroups = [array<i64: 0>, array<i64: 1>], tileSizes = array<i64: 2, 4>}> : (!nv_tileaa.memref<1x3xf16, strides = [4, 1]>) -> !nv_tileaa.tiled_view<!nv_tileaa.memref<1x3xf16, strides = [4, 1]>, [2, 4]>
    %c0_i32 = arith.constant 0 : i32
    %c0_i32_0 = arith.constant 0 : i32
    %value, %token = "nv_tileaa.tiled_load"(%1, %c0_i32, %c0_i32_0) <{cache_modifier = #nv_tileaa.cache_modifier<none>, eviction_policy = #nv_tileaa.eviction_policy<none>, in_bounds = array<i1: false, false>, mem_semantic = #nv_tileaa.mem_semantic<weak>, operandSegmentSizes = array<i32: 1, 2, 0>, padding_value = #nv_tileaa.padding_value<zero>}> : (!nv_tileaa.tiled_view<!nv_tileaa.memref<1x3xf16, strides = [4, 1]>, [2, 4]>, i32, i32) -> (tensor<2x4xf16>, !nv_tileaa.mem_token)
    %2 = "nv_tileaa.splat"() <{value = -24950 : i16}> : () -> tensor<4x2xi16>
    %3 = "nv_tileaa.permute"(%2) <{permutation = array<i64: 1, 0>}> : (tensor<4x2xi16>) -> tensor<2x4xi16>
    %4 = math.fpowi %value, %3 : tensor<2x4xf16>, tensor<2x4xi16>
    "nv_tileaa.return"() : () -> ()
  }) : () -> ()
}
