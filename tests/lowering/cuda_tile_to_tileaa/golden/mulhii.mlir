cuda_tile.module @kernels {
  entry @k0() {
    %cst_i16 = constant <i16: __elided__> : tile<32x2xi16>
    %0 = mulhii %cst_i16, %cst_i16 : tile<32x2xi16>
    return
  }
}
// becomes
module {
  "nv_tileaa.func"() <{function_type = () -> (), kernel_spec = #nv_tileaa.kernel_spec<clusterDim=[1,1,1]>, sym_name = "k0"}> ({
    %cst = "nv_tileaa.constant_tensor"() <{value = dense_resource<__elided__> : tensor<32x2xi16>}> : () -> tensor<32x2xi16>
    %0 = "nv_tileaa.mulhiui"(%cst, %cst) : (tensor<32x2xi16>, tensor<32x2xi16>) -> tensor<32x2xi16>
    "nv_tileaa.return"() : () -> ()
  }) : () -> ()
}

// -----

cuda_tile.module @kernels {
  entry @k0(%arg0: tile<ptr<i16>>, %arg1: tile<i16>) {
    %tview = make_tensor_view %arg0, shape = [16], strides = [1] : tensor_view<16xi16, strides=[1]>
    %pview = make_partition_view %tview : partition_view<tile=(16), padding_value = zero, tensor_view<16xi16, strides=[1]>>
    %cst_0_i32 = constant <i32: 0> : tile<i32>
    %tile, %result_token = load_view_tko weak %pview[%cst_0_i32] inbounds = [false] : partition_view<tile=(16), padding_value = zero, tensor_view<16xi16, strides=[1]>>, tile<i32> -> tile<16xi16>, token
    %reshape = reshape %arg1 : tile<i16> -> tile<1xi16>
    %bcast = broadcast %reshape : tile<1xi16> -> tile<16xi16>
    %0 = mulhii %tile, %bcast : tile<16xi16>
    return
  }
}
// becomes
module {
  "nv_tileaa.func"() <{function_type = (!nv_tileaa.ptr<i16, 1>, i16) -> (), kernel_spec = #nv_tileaa.kernel_spec<clusterDim=[1,1,1]>, sym_name = "k0"}> ({
  ^bb0(%arg0: !nv_tileaa.ptr<i16, 1>, %arg1: i16):
    %0 = "nv_tileaa.make_memref"(%arg0) <{operandSegmentSizes = array<i32: 1, 0, 0, 0>}> : (!nv_tileaa.ptr<i16, 1>) -> !nv_tileaa.memref<16xi16, strides = [1]>
    %1 = "nv_tileaa.block_tile"(%0) <{dimGroups = [array<i64: 0>], tileSizes = array<i64: 16>}> : (!nv_tileaa.memref<16xi16, strides = [1]>) -> !nv_tileaa.tiled_view<!nv_tileaa.memref<16xi16, strides = [1]>, [16]>
    %c0_i32 = arith.constant 0 : i32
    %value, %token = "nv_tileaa.tiled_load"(%1, %c0_i32) <{cache_modifier = #nv_tileaa.cache_modifier<none>, eviction_policy = #nv_tileaa.eviction_policy<none>, mem_semantic = #nv_tileaa.mem_semantic<weak>, operandSegmentSizes = array<i32: 1, 1, 0>}> : (!nv_tileaa.tiled_view<!nv_tileaa.memref<16xi16, strides = [1]>, [16]>, i32) -> (tensor<16xi16>, !nv_tileaa.mem_token)
    %2 = "nv_tileaa.splat"(%arg1) : (i16) -> tensor<1xi16>
    %3 = "nv_tileaa.splat"(%arg1) : (i16) -> tensor<16xi16>
    %4 = "nv_tileaa.mulhiui"(%value, %3) : (tensor<16xi16>, tensor<16xi16>) -> tensor<16xi16>
    "nv_tileaa.return"() : () -> ()
  }) : () -> ()
}
