cuda_tile.module @kernels {
  entry @k0() {
    %cst_f32 = constant <f32: 1.17549435E-38> : tile<2xf32>
    %0 = ceil %cst_f32 : tile<2xf32>
    return
  }
}
// becomes
module {
  "nv_tileaa.func"() <{function_type = () -> (), kernel_spec = #nv_tileaa.kernel_spec<clusterDim=[1,1,1]>, sym_name = "k0"}> ({
    %0 = "nv_tileaa.splat"() <{value = 1.17549435E-38 : f32}> : () -> tensor<2xf32>
    %1 = math.ceil %0 : tensor<2xf32>
    "nv_tileaa.return"() : () -> ()
  }) : () -> ()
}

// -----

cuda_tile.module @kernels {
  entry @k0(%arg0: tile<ptr<bf16>>) {
    %cst_0_i32 = constant <i32: 0> : tile<i32>
    %tview = make_tensor_view %arg0, shape = [1], strides = [1] : tensor_view<1xbf16, strides=[1]>
    %pview = make_partition_view %tview : partition_view<tile=(1), padding_value = zero, tensor_view<1xbf16, strides=[1]>>
    %cst_0_i32_0 = constant <i32: 0> : tile<i32>
    %tile, %result_token = load_view_tko weak %pview[%cst_0_i32_0] inbounds = [false] : partition_view<tile=(1), padding_value = zero, tensor_view<1xbf16, strides=[1]>>, tile<i32> -> tile<1xbf16>, token
    %0 = extract %tile[%cst_0_i32] : tile<1xbf16> -> tile<1xbf16>
    %1 = ceil %0 : tile<1xbf16>
    return
  }
}
// becomes
module {
  "nv_tileaa.func"() <{function_type = (!nv_tileaa.ptr<bf16, 1>) -> (), kernel_spec = #nv_tileaa.kernel_spec<clusterDim=[1,1,1]>, sym_name = "k0"}> ({
  ^bb0(%arg0: !nv_tileaa.ptr<bf16, 1>):
    %c0_i32 = arith.constant 0 : i32
    %0 = "nv_tileaa.make_memref"(%arg0) <{operandSegmentSizes = array<i32: 1, 0, 0, 0>}> : (!nv_tileaa.ptr<bf16, 1>) -> !nv_tileaa.memref<1xbf16, strides = [1]>
    %1 = "nv_tileaa.block_tile"(%0) <{dimGroups = [array<i64: 0>], tileSizes = array<i64: 1>}> : (!nv_tileaa.memref<1xbf16, strides = [1]>) -> !nv_tileaa.tiled_view<!nv_tileaa.memref<1xbf16, strides = [1]>, [1]>
    %c0_i32_0 = arith.constant 0 : i32
    %value, %token = "nv_tileaa.tiled_load"(%1, %c0_i32_0) <{cache_modifier = #nv_tileaa.cache_modifier<none>, eviction_policy = #nv_tileaa.eviction_policy<none>, mem_semantic = #nv_tileaa.mem_semantic<weak>, operandSegmentSizes = array<i32: 1, 1, 0>}> : (!nv_tileaa.tiled_view<!nv_tileaa.memref<1xbf16, strides = [1]>, [1]>, i32) -> (tensor<1xbf16>, !nv_tileaa.mem_token)
    %2 = math.ceil %value : tensor<1xbf16>
    "nv_tileaa.return"() : () -> ()
  }) : () -> ()
}
