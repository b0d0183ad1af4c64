cuda_tile.module @kernels {
  entry @k0(%arg0: tile<i8>, %arg1: tile<ptr<i32>>) {
    %reshape = reshape %arg0 : tile<i8> -> tile<1x1x1xi8>
    %bcast = broadcast %reshape : tile<1x1x1xi8> -> tile<2x4x1xi8>
    %cst_i8 = constant <i8: [[[49]], [[33]]]> : tile<2x1x1xi8>
    %tview = make_tensor_view %arg1, shape = [2, 4, 1], strides = [4, 1, 1] : tensor_view<2x4x1xi32, strides=[4,1,1]>
    %pview = make_partition_view %tview : partition_view<tile=(2x4x1), padding_value = zero, tensor_view<2x4x1xi32, strides=[4,1,1]>>
    %cst_0_i32 = constant <i32: 0> : tile<i32>
    %cst_0_i32_0 = constant <i32: 0> : tile<i32>
    %cst_0_i32_1 = constant <i32: 0> : tile<i32>
    %tile, %result_token = load_view_tko weak %pview[%cst_0_i32, %cst_0_i32_0, %cst_0_i32_1] inbounds = [false, false, false] : partition_view<tile=(2x4x1), padding_value = zero, tensor_view<2x4x1xi32, strides=[4,1,1]>>, tile<i32> -> tile<2x4x1xi32>, token
    %0 = permute %tile [0, 1, 2] : tile<2x4x1xi32> -> tile<2x4x1xi32>
    %1 = mmai %bcast, %cst_i8, %0 unsigned signed : tile<2x4x1xi8>, tile<2x1x1xi8>, tile<2x4x1xi32>
    return
  }
}
// becomes
module {
  "nv_tileaa.func"() <{function_type = (i8, !nv_tileaa.ptr<i32, 1>) -> (), kernel_spec = #nv_tileaa.kernel_spec<numWarps=4, clusterDim=[1,1,1]>, sym_name = "k0"}> ({
  ^bb0(%arg0: i8, %arg1: !nv_tileaa.ptr<i32, 1>):
    %0 = "nv_tileaa.splat"(%arg0) : (i8) -> tensor<1x1x1xi8>
    %1 = "nv_tileaa.splat"(%arg0) : (i8) -> tensor<2x4x1xi8>
    %cst = "nv_tileaa.constant_tensor"() <{value = dense<[[[49]], [[33]]]> : tensor<2x1x1xi8>}> : () -> tensor<2x1x1xi8>
    %2 = "nv_tileaa.make_memref"(%arg1) <{operandSegmentSizes = array<i32: 1, 0, 0, 0>}> : (!nv_tileaa.ptr<i32, 1>) -> !nv_tileaa.memref<2x4x1xi32, strides = [4, 1, 1]>
    %3 = "nv_tileaa.block_tile"(%2) <{dimGroups = [array<i64: 0>, array<i64: 1>, array<i64: 2>], tileSizes = array<i64: 2, 4, 1>}> : (!nv_tileaa.memref<2x4x1xi32, strides = [4, 1, 1]>) -> !nv_tileaa.tiled_view<!nv_tileaa.memref<2x4x1xi32, strides = [4, 1, 1]>, [2, 4, 1]>
    %c0_i32 = arith.constant 0 : i32
    %c0_i32_0 = arith.constant 0 : i32
    %c0_i32_1 = arith.constant 0 : i32
    %value, %token = "nv_tileaa.tiled_load"(%3, %c0_i32, %c0_i32_0, %c0_i32_1) <{cache_modifier = #nv_tileaa.cache_modifier<none>, eviction_policy = #nv_tileaa.eviction_policy<none>, mem_semantic = #nv_tileaa.mem_semantic<weak>, operandSegmentSizes = array<i32: 1, 3, 0>}> : (!nv_tileaa.tiled_view<!nv_tileaa.memref<2x4x1xi32, strides = [4, 1, 1]>, [2, 4, 1]>, i32, i32, i32) -> (tensor<2x4x1xi32>, !nv_tileaa.mem_token)
    %4 = "nv_tileaa.permute"(%value) <{permutation = array<i64: 0, 1, 2>}> : (tensor<2x4x1xi32>) -> tensor<2x4x1xi32>
    %5 = "nv_tileaa.dot"(%1, %cst, %4) <{operandSegmentSizes = array<i32: 1, 1, 1, 0, 0>, signedness_a = #nv_tileaa.signedness<unsigned>, signedness_b = #nv_tileaa.signedness<signed>}> : (tensor<2x4x1xi8>, tensor<2x1x1xi8>, tensor<2x4x1xi32>) -> tensor<2x4x1xi32>
    "nv_tileaa.return"() : () -> ()
  }) : () -> ()
}

// -----

cuda_tile.module @kernels {
  entry @k0(%arg0: tile<i32>) {
    %cst_i8 = constant <i8: [[[-22, -2, 124, 106]], [[-44, -57, -15, -90]]]> : tile<2x1x4xi8>
    %0 = permute %cst_i8 [0, 2, 1] : tile<2x1x4xi8> -> tile<2x4x1xi8>
    %1 = permute %0 [2, 1, 0] : tile<2x4x1xi8> -> tile<1x4x2xi8>
    %cst_i8_0 = constant <i8: [[[-122, 46], [-29, 78], [46, 13], [-87, -89]]]> : tile<1x4x2xi8>
    %2 = cat %1, %cst_i8_0 dim = 0 : tile<1x4x2xi8>, tile<1x4x2xi8> -> tile<2x4x2xi8>
    %3 = permute %2 [0, 1, 2] : tile<2x4x2xi8> -> tile<2x4x2xi8>
    %cst_i8_1 = constant <i8: __elided__> : tile<2x2x4xi8>
    %reshape = reshape %arg0 : tile<i32> -> tile<1x1x1xi32>
    %bcast = broadcast %reshape : tile<1x1x1xi32> -> tile<2x4x4xi32>
    %4 = mmai %3, %cst_i8_1, %bcast signed signed : tile<2x4x2xi8>, tile<2x2x4xi8>, tile<2x4x4xi32>
    return
  }
}
// becomes
module {
  "nv_tileaa.func"() <{function_type = (i32) -> (), kernel_spec = #nv_tileaa.kernel_spec<numWarps=4, clusterDim=[1,1,1]>, sym_name = "k0"}> ({
  ^bb0(%arg0: i32):
    %cst = "nv_tileaa.constant_tensor"() <{value = dense<[[[-22, -2, 124, 106]], [[-44, -57, -15, -90]]]> : tensor<2x1x4xi8>}> : () -> tensor<2x1x4xi8>
    %0 = "nv_tileaa.permute"(%cst) <{permutation = array<i64: 0, 2, 1>}> : (tensor<2x1x4xi8>) -> tensor<2x4x1xi8>
    %1 = "nv_tileaa.permute"(%0) <{permutation = array<i64: 2, 1, 0>}> : (tensor<2x4x1xi8>) -> tensor<1x4x2xi8>
    %cst_0 = "nv_tileaa.constant_tensor"() <{value = dense<[[[-122, 46], [-29, 78], [46, 13], [-87, -89]]]> : tensor<1x4x2xi8>}> : () -> tensor<1x4x2xi8>
    %2 = "nv_tileaa.cat"(%1, %cst_0) <{axis = 0 : i32}> : (tensor<1x4x2xi8>, tensor<1x4x2xi8>) -> tensor<2x4x2xi8>
    %3 = "nv_tileaa.permute"(%2) <{permutation = array<i64: 0, 1, 2>}> : (tensor<2x4x2xi8>) -> tensor<2x4x2xi8>
    %cst_1 = "nv_tileaa.constant_tensor"() <{value = dense_resource<__elided__> : tensor<2x2x4xi8>}> : () -> tensor<2x2x4xi8>
    %4 = "nv_tileaa.splat"(%arg0) : (i32) -> tensor<1x1x1xi32>
    %5 = "nv_tileaa.splat"(%arg0) : (i32) -> tensor<2x4x4xi32>
    %6 = "nv_tileaa.dot"(%3, %cst_1, %5) <{operandSegmentSizes = array<i32: 1, 1, 1, 0, 0>, signedness_a = #nv_tileaa.signedness<signed>, signedness_b = #nv_tileaa.signedness<signed>}> : (tensor<2x4x2xi8>, tensor<2x2x4xi8>, tensor<2x4x4xi32>) -> tensor<2x4x4xi32>
    "nv_tileaa.return"() : () -> ()
  }) : () -> ()
}
