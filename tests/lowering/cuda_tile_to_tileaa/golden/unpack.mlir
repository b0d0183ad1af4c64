cuda_tile.module @kernels {
  entry @k0(%arg0: tile<ptr<i8>>) {
    %tview = make_tensor_view %arg0, shape = [7], strides = [1] : tensor_view<7xi8, strides=[1]>
    %pview = make_partition_view %tview : partition_view<tile=(8), padding_value = zero, tensor_view<7xi8, strides=[1]>>
    %cst_0_i32 = constant <i32: 0> : tile<i32>
    %tile, %result_token = load_view_tko weak %pview[%cst_0_i32] inbounds = [false] : partition_view<tile=(8), padding_value = zero, tensor_view<7xi8, strides=[1]>>, tile<i32> -> tile<8xi8>, token
    %0 = unpack %tile : tile<8xi8> -> tile<64xi1>
    return
  }
}
// becomes
module {
  "nv_tileaa.func"() <{function_type = (!nv_tileaa.ptr<i8, 1>) -> (), kernel_spec = #nv_tileaa.kernel_spec<clusterDim=[1,1,1]>, sym_name = "k0"}> ({
  ^bb0(%arg0: !nv_tileaa.ptr<i8, 1>):
    %0 = "nv_tileaa.make_memref"(%arg0) <{operandSegmentSizes = array<i32: 1, 0, 0, 0>}> : (!nv_tileaa.ptr<i8, 1>) -> !nv_tileaa.memref<7xi8, strides = [1]>
    %1 = "nv_tileaa.block_tile"(%0) <{dimGroups = [array<i64: 0>], tileSizes = array<i64: 8>}> : (!nv_tileaa.memref<7xi8, strides = [1]>) -> !nv_tileaa.tiled_view<!nv_tileaa.memref<7xi8, strides = [1]>, [8]>
    %c0_i32 = arith.constant 0 : i32
    %value, %token = "nv_tileaa.tiled_load"(%1, %c0_i32) <{cache_modifier = #nv_tileaa.cache_modifier<none>, eviction_policy = #nv_tileaa.eviction_policy<none>, in_bounds = array<i1: false>, mem_semantic = #nv_tileaa.mem_semantic<weak>, operandSegmentSizes = array<i32: 1, 1, 0>, padding_value = #nv_tileaa.padding_value<zero>}> : (!nv_tileaa.tiled_view<!nv_tileaa.memref<7xi8, strides = [1]>, [8]>, i32) -> (tensor<8xi8>, !nv_tileaa.mem_token)
    %2 = "nv_tileaa.expand_dims"(%value) <{axis = 1 : i32}> : (tensor<8xi8>) -> tensor<8x1xi8>
    %3 = "nv_tileaa.broadcast"(%2) : (tensor<8x1xi8>) -> tensor<8x8xi8>
    %c0_i8 = arith.constant 0 : i8
    %c8_i8 = arith.constant 8 : i8
    %4 = "nv_tileaa.make_range"(%c0_i8, %c8_i8) : (i8, i8) -> tensor<8xi8>
    %5 = "nv_tileaa.expand_dims"(%4) <{axis = 0 : i32}> : (tensor<8xi8>) -> tensor<1x8xi8>
    %6 = "nv_tileaa.broadcast"(%5) : (tensor<1x8xi8>) -> tensor<8x8xi8>
    %7 = arith.shrui %3, %6 : tensor<8x8xi8>
    %8 = arith.trunci %7 : tensor<8x8xi8> to tensor<8x8xi1>
    %9 = "nv_tileaa.view"(%8) : (tensor<8x8xi1>) -> tensor<64xi1>
    "nv_tileaa.return"() : () -> ()
  }) : () -> ()
}

// -----

cuda_tile.module @kernels {
  entry @k0() {
    %cst_0_i32 = constant <i32: 0> : tile<i32>
    %cst_i8 = constant <i8: __elided__> : tile<32xi8>
    %0 = extract %cst_i8[%cst_0_i32] : tile<32xi8> -> tile<32xi8>
    %1 = unpack %0 : tile<32xi8> -> tile<8xf32>
    return
  }
}
// becomes
module {
  "nv_tileaa.func"() <{function_type = () -> (), kernel_spec = #nv_tileaa.kernel_spec<clusterDim=[1,1,1]>, sym_name = "k0"}> ({
    %c0_i32 = arith.constant 0 : i32
    %cst = "nv_tileaa.constant_tensor"() <{value = dense_resource<__elided__> : tensor<32xi8>}> : () -> tensor<32xi8>
    %0 = "nv_tileaa.view"(%cst) : (tensor<32xi8>) -> tensor<8x4xi8>
    %1 = arith.extui %0 : tensor<8x4xi8> to tensor<8x4xi32>
    %c0_i32_0 = arith.constant 0 : i32
    %c4_i32 = arith.constant 4 : i32
    %2 = "nv_tileaa.make_range"(%c0_i32_0, %c4_i32) : (i32, i32) -> tensor<4xi32>
    %3 = "nv_tileaa.splat"() <{value = 8 : i32}> : () -> tensor<4xi32>
    %4 = arith.muli %2, %3 : tensor<4xi32>
    %5 = "nv_tileaa.expand_dims"(%4) <{axis = 0 : i32}> : (tensor<4xi32>) -> tensor<1x4xi32>
    %6 = "nv_tileaa.broadcast"(%5) : (tensor<1x4xi32>) -> tensor<8x4xi32>
    %7 = arith.shli %1, %6 : tensor<8x4xi32>
    %8 = "nv_tileaa.reduce"(%7) <{axis = 1 : i32}> ({
    ^bb0(%arg0: i32, %arg1: i32):
      %10 = arith.ori %arg0, %arg1 : i32
      "nv_tileaa.yield"(%10) : (i32) -> ()
    }) : (tensor<8x4xi32>) -> tensor<8xi32>
    %9 = "nv_tileaa.bitcast"(%8) : (tensor<8xi32>) -> tensor<8xf32>
    "nv_tileaa.return"() : () -> ()
  }) : () -> ()
}
