cuda_tile.module @kernels {
  entry @k0() {
    %true = constant <i1: true> : tile<i1>
    %0 = mini %true, %true unsigned : tile<i1>
    return
  }
}
// becomes
module {
  "nv_tileaa.func"() <{function_type = () -> (), kernel_spec = #nv_tileaa.kernel_spec<clusterDim=[1,1,1]>, sym_name = "k0"}> ({
    %true = arith.constant true
    %0 = arith.minui %true, %true : i1
    "nv_tileaa.return"() : () -> ()
  }) : () -> ()
}

// -----

cuda_tile.module @kernels {
  entry @k0(%arg0: tile<ptr<i32>>) {
    %tview = make_tensor_view %arg0, shape = [2], strides = [1] : tensor_view<2xi32, strides=[1]>
    %pview = make_partition_view %tview : partition_view<tile=(2), padding_value = zero, tensor_view<2xi32, strides=[1]>>
    %cst_0_i32 = constant <i32: 0> : tile<i32>
    %tile, %result_token = load_view_tko weak %pview[%cst_0_i32] inbounds = [false] : partition_view<tile=(2), padding_value = zero, tensor_view<2xi32, strides=[1]>>, tile<i32> -> tile<2xi32>, token
    %0 = mini %tile, %tile unsigned : tile<2xi32>
    return
  }
}
// becomes
module {
  "nv_tileaa.func"() <{function_type = (!nv_tileaa.ptr<i32, 1>) -> (), kernel_spec = #nv_tileaa.kernel_spec<clusterDim=[1,1,1]>, sym_name = "k0"}> ({
  ^bb0(%arg0: !nv_tileaa.ptr<i32, 1>):
    %0 = "nv_tileaa.make_memref"(%arg0) <{operandSegmentSizes = array<i32: 1, 0, 0, 0>}> : (!nv_tileaa.ptr<i32, 1>) -> !nv_tileaa.memref<2xi32, strides = [1]>
    %1 = "nv_tileaa.block_tile"(%0) <{dimGroups = [array<i64: 0>], tileSizes = array<i64: 2>}> : (!nv_tileaa.memref<2xi32, strides = [1]>) -> !nv_tileaa.tiled_view<!nv_tileaa.memref<2xi32, strides = [1]>, [2]>
    %c0_i32 = arith.constant 0 : i32
    %value, %token = "nv_tileaa.tiled_load"(%1, %c0_i32) <{cache_modifier = #nv_tileaa.cache_modifier<none>, eviction_policy = #nv_tileaa.eviction_policy<none>, mem_semantic = #nv_tileaa.mem_semantic<weak>, operandSegmentSizes = array<i32: 1, 1, 0>}> : (!nv_tileaa.tiled_view<!nv_tileaa.memref<2xi32, strides = [1]>, [2]>, i32) -> (tensor<2xi32>, !nv_tileaa.mem_token)
    %2 = arith.minui %value, %value : tensor<2xi32>
    "nv_tileaa.return"() : () -> ()
  }) : () -> ()
}
