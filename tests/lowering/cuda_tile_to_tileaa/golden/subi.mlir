cuda_tile.module @kernels {
  entry @k0(%arg0: tile<ptr<i1>>) {
    %tview = make_tensor_view %arg0, shape = [1, 1, 8], strides = [8, 8, 1] : tensor_view<1x1x8xi1, strides=[8,8,1]>
    %pview = make_partition_view %tview : partition_view<tile=(2x1x8), padding_value = zero, tensor_view<1x1x8xi1, strides=[8,8,1]>>
    %cst_0_i32 = constant <i32: 0> : tile<i32>
    %cst_0_i32_0 = constant <i32: 0> : tile<i32>
    %cst_0_i32_1 = constant <i32: 0> : tile<i32>
    %tile, %result_token = load_view_tko weak %pview[%cst_0_i32, %cst_0_i32_0, %cst_0_i32_1] inbounds = [false, false, false] : partition_view<tile=(2x1x8), padding_value = zero, tensor_view<1x1x8xi1, strides=[8,8,1]>>, tile<i32> -> tile<2x1x8xi1>, token
    %0 = subi %tile, %tile overflow<no_signed_wrap> : tile<2x1x8xi1>
    return
  }
}
// becomes
module {
  "nv_tileaa.func"() <{function_type = (!nv_tileaa.ptr<i1, 1>) -> (), kernel_spec = #nv_tileaa.kernel_spec<clusterDim=[1,1,1]>, sym_name = "k0"}> ({
  ^bb0(%arg0: !nv_tileaa.ptr<i1, 1>):
    %0 = "nv_tileaa.make_memref"(%arg0) <{operandSegmentSizes = array<i32: 1, 0, 0, 0>}> : (!nv_tileaa.ptr<i1, 1>) -> !nv_tileaa.memref<1x1x8xi1, strides = [8, 8, 1]>
    %1 = "nv_tileaa.block_tile"(%0) <{dimGroups = [array<i64: 0>, array<i64: 1>, array<i64: 2>], tileSizes = array<i64: 2, 1, 8>}> : (!nv_tileaa.memref<1x1x8xi1, strides = [8, 8, 1]>) -> !nv_tileaa.tiled_view<!nv_tileaa.memref<1x1x8xi1, strides = [8, 8, 1]>, [2, 1, 8]>
    %c0_i32 = arith.constant 0 : i32
    %c0_i32_0 = arith.constant 0 : i32
    %c0_i32_1 = arith.constant 0 : i32
    %value, %token = "nv_tileaa.tiled_load"(%1, %c0_i32, %c0_i32_0, %c0_i32_1) <{cache_modifier = #nv_tileaa.cache_modifier<none>, eviction_policy = #nv_tileaa.eviction_policy<none>, in_bounds = array<i1: false, true, true>, mem_semantic = #nv_tileaa.mem_semantic<weak>, operandSegmentSizes = array<i32: 1, 3, 0>, padding_value = #nv_tileaa.padding_value<zero>}> : (!nv_tileaa.tiled_view<!nv_tileaa.memref<1x1x8xi1, strides = [8, 8, 1]>, [2, 1, 8]>, i32, i32, i32) -> (tensor<2x1x8xi1>, !nv_tileaa.mem_token)
    %2 = arith.subi %value, %value overflow<nsw> : tensor<2x1x8xi1>
    "nv_tileaa.return"() : () -> ()
  }) : () -> ()
}

// -----

cuda_tile.module @kernels {
  entry @k0() {
    %cst_3046686970630281671_i64 = constant <i64: 3046686970630281671> : tile<1xi64>
    %cst_5408780954596033849_i64 = constant <i64: 5408780954596033849> : tile<1xi64>
    %0 = subi %cst_3046686970630281671_i64, %cst_5408780954596033849_i64 overflow<no_unsigned_wrap> : tile<1xi64>
    return
  }
}
// becomes
module {
  "nv_tileaa.func"() <{function_type = () -> (), kernel_spec = #nv_tileaa.kernel_spec<clusterDim=[1,1,1]>, sym_name = "k0"}> ({
    %0 = "nv_tileaa.splat"() <{value = 3046686970630281671 : i64}> : () -> tensor<1xi64>
    %1 = "nv_tileaa.splat"() <{value = 5408780954596033849 : i64}> : () -> tensor<1xi64>
    %2 = arith.subi %0, %1 overflow<nuw> : tensor<1xi64>
    "nv_tileaa.return"() : () -> ()
  }) : () -> ()
}
