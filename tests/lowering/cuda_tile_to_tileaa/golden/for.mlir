cuda_tile.module @kernels {
  entry @k0(%arg0: tile<ptr<i32>>, %arg1: tile<ptr<f32>>, %arg2: tile<f32>) {
    %true = constant <i1: true> : tile<i1>
    %true_0 = constant <i1: true> : tile<i1>
    %true_1 = constant <i1: true> : tile<i1>
    %cst_i8 = constant <i8: __elided__> : tile<1x16x4x1xi8>
    %for = for unsigned %loopIdx in (%true to %true_0, step %true_1) : tile<i1> iter_values(%iterArg0 = %cst_i8) -> (tile<1x16x4x1xi8>) {
      %tview = make_tensor_view %arg0, shape = [32, 1], strides = [2, 1] : tensor_view<32x1xi32, strides=[2,1]>
      %pview = make_partition_view %tview : partition_view<tile=(32x2), padding_value = zero, tensor_view<32x1xi32, strides=[2,1]>>
      %cst_0_i32 = constant <i32: 0> : tile<i32>
      %cst_0_i32_2 = constant <i32: 0> : tile<i32>
      %tile, %result_token = load_view_tko weak %pview[%cst_0_i32, %cst_0_i32_2] inbounds = [false, false] : partition_view<tile=(32x2), padding_value = zero, tensor_view<32x1xi32, strides=[2,1]>>, tile<i32> -> tile<32x2xi32>, token
      %0 = muli %tile, %tile : tile<32x2xi32>
      %cst_i1 = constant <i1: [true, false, false, false, true, false, false, false]> : tile<8xi1>
      %reshape = reshape %arg1 : tile<ptr<f32>> -> tile<1xptr<f32>>
      %bcast = broadcast %reshape : tile<1xptr<f32>> -> tile<8xptr<f32>>
      %cst_20_i8 = constant <i8: 20> : tile<8xi8>
      %1 = offset %bcast, %cst_20_i8 : tile<8xptr<f32>>, tile<8xi8> -> tile<8xptr<f32>>
      %reshape_3 = reshape %arg2 : tile<f32> -> tile<1xf32>
      %bcast_4 = broadcast %reshape_3 : tile<1xf32> -> tile<8xf32>
      %cst_f32 = constant <f32: 1.00000012> : tile<8xf32>
      %result, %result_token_5 = atomic_cas_tko release sys %1, %bcast_4, %cst_f32, %cst_i1 : tile<8xptr<f32>>, tile<8xf32>, tile<8xi1> -> tile<8xf32>, token
      continue %cst_i8 : tile<1x16x4x1xi8>
    }
    return
  }
}
// becomes
module {
  "nv_tileaa.func"() <{function_type = (!nv_tileaa.ptr<i32, 1>, !nv_tileaa.ptr<f32, 1>, f32) -> (), kernel_spec = #nv_tileaa.kernel_spec<clusterDim=[1,1,1]>, sym_name = "k0"}> ({
  ^bb0(%arg0: !nv_tileaa.ptr<i32, 1>, %arg1: !nv_tileaa.ptr<f32, 1>, %arg2: f32):
    %true = arith.constant true
    %true_0 = arith.constant true
    %true_1 = arith.constant true
    %cst = "nv_tileaa.constant_tensor"() <{value = dense_resource<__elided__> : tensor<1x16x4x1xi8>}> : () -> tensor<1x16x4x1xi8>
    %0 = arith.extui %true : i1 to i32
    %1 = arith.extui %true_0 : i1 to i32
    %2 = arith.extui %true_1 : i1 to i32
    %3 = scf.for unsigned %arg3 = %0 to %1 step %2 iter_args(%arg4 = %cst) -> (tensor<1x16x4x1xi8>)  : i32 {
      %4 = arith.trunci %arg3 : i32 to i1
      %5 = "nv_tileaa.make_memref"(%arg0) <{operandSegmentSizes = array<i32: 1, 0, 0, 0>}> : (!nv_tileaa.ptr<i32, 1>) -> !nv_tileaa.memref<32x1xi32, strides = [2, 1]>
      %6 = "nv_tileaa.block_tile"(%5) <{dimGroups = [array<i64: 0>, array<i64: 1>], tileSizes = array<i64: 32, 2>}> : (!nv_tileaa.memref<32x1xi32, strides = [2, 1]>) -> !nv_tileaa.tiled_view<!nv_tileaa.memref<32x1xi32, strides = [2, 1]>, [32, 2]>
      %c0_i32 = arith.constant 0 : i32
      %c0_i32_2 = arith.constant 0 : i32
      %value, %token = "nv_tileaa.tiled_load"(%6, %c0_i32, %c0_i32_2) <{cache_modifier = #nv_tileaa.cache_modifier<none>, eviction_policy = #nv_tileaa.eviction_policy<none>, in_bounds = array<i1: true, false>, mem_semantic = #nv_tileaa.mem_semantic<weak>, operandSegmentSizes = array<i32: 1, 2, 0>, padding_value = #nv_tileaa.padding_value<zero>}> : (!nv_tileaa.tiled_view<!nv_tileaa.memref<32x1xi32, strides = [2, 1]>, [32, 2]>, i32, i32) -> (tensor<32x2xi32>, !nv_tileaa.mem_token)
      %7 = arith.muli %value, %value : tensor<32x2xi32>
      %cst_3 = "nv_tileaa.constant_tensor"() <{value = dense<[true, false, false, false, true, false, false, false]> : tensor<8xi1>}> : () -> tensor<8xi1>
      %8 = "nv_tileaa.splat"(%arg1) : (!nv_tileaa.ptr<f32, 1>) -> tensor<1x!nv_tileaa.ptr<f32, 1>>
      %9 = "nv_tileaa.splat"(%arg1) : (!nv_tileaa.ptr<f32, 1>) -> tensor<8x!nv_tileaa.ptr<f32, 1>>
      %10 = "nv_tileaa.splat"() <{value = 20 : i8}> : () -> tensor<8xi8>
      %11 = "nv_tileaa.addptr"(%9, %10) : (tensor<8x!nv_tileaa.ptr<f32, 1>>, tensor<8xi8>) -> tensor<8x!nv_tileaa.ptr<f32, 1>>
      %12 = "nv_tileaa.splat"(%arg2) : (f32) -> tensor<1xf32>
      %13 = "nv_tileaa.splat"(%arg2) : (f32) -> tensor<8xf32>
      %14 = "nv_tileaa.splat"() <{value = 1.00000012 : f32}> : () -> tensor<8xf32>
      %old, %token_4 = "nv_tileaa.atomic_cas"(%11, %13, %14, %cst_3) <{mem_scope = #nv_tileaa.mem_scope<sys>, mem_semantic = #nv_tileaa.mem_semantic<release>, operandSegmentSizes = array<i32: 1, 1, 1, 0, 1, 0>}> : (tensor<8x!nv_tileaa.ptr<f32, 1>>, tensor<8xf32>, tensor<8xf32>, tensor<8xi1>) -> (tensor<8xf32>, !nv_tileaa.mem_token)
      scf.yield %cst : tensor<1x16x4x1xi8>
    }
    "nv_tileaa.return"() : () -> ()
  }) : () -> ()
}

// -----

cuda_tile.module @kernels {
  entry @k0() {
    %cst_0_i64 = constant <i64: 0> : tile<i64>
    %cst_1_i64 = constant <i64: 1> : tile<i64>
    %cst_1_i64_0 = constant <i64: 1> : tile<i64>
    for %loopIdx in (%cst_0_i64 to %cst_1_i64, step %cst_1_i64_0) : tile<i64> {
      %cst_f16 = constant <f16: 1.192090e-07> : tile<2x1x32x1xf16>
      %0 = exp2 %cst_f16 : tile<2x1x32x1xf16>
      %1 = int_to_ptr %loopIdx : tile<i64> -> tile<ptr<f8E8M0FNU>>
    }
    return
  }
}
// becomes
module {
  "nv_tileaa.func"() <{function_type = () -> (), kernel_spec = #nv_tileaa.kernel_spec<clusterDim=[1,1,1]>, sym_name = "k0"}> ({
    %c0_i64 = arith.constant 0 : i64
    %c1_i64 = arith.constant 1 : i64
    %c1_i64_0 = arith.constant 1 : i64
    scf.for %arg0 = %c0_i64 to %c1_i64 step %c1_i64_0  : i64 {
      %0 = "nv_tileaa.splat"() <{value = 1.192090e-07 : f16}> : () -> tensor<2x1x32x1xf16>
      %1 = "nv_tileaa.exp2"(%0) : (tensor<2x1x32x1xf16>) -> tensor<2x1x32x1xf16>
      %2 = "nv_tileaa.int_to_ptr"(%arg0) : (i64) -> !nv_tileaa.ptr<f8E8M0FNU, 1>
    }
    "nv_tileaa.return"() : () -> ()
  }) : () -> ()
}
