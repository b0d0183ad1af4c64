cuda_tile.module @kernels {
  entry @k0(%arg0: tile<ptr<tf32, <unicast>>>, %arg1: tile<ptr<i64>>, %arg2: tile<ptr<i64>>) {
    %cst_1_i16 = constant <i16: 1> : tile<i16>
    %cst_1_i16_0 = constant <i16: 1> : tile<i16>
    %cst_2_i16 = constant <i16: 2> : tile<i16>
    %0 = make_token : token
    %cst_1_i32 = constant <i32: 1> : tile<i32>
    %cst_1_i32_1 = constant <i32: 1> : tile<i32>
    %cst_0_i32 = constant <i32: 0> : tile<i32>
    %cst_0_i32_2 = constant <i32: 0> : tile<i32>
    %reshape = reshape %arg0 : tile<ptr<tf32, <unicast>>> -> tile<1x1x1x1xptr<tf32, <unicast>>>
    %bcast = broadcast %reshape : tile<1x1x1x1xptr<tf32, <unicast>>> -> tile<4x2x1x4xptr<tf32, <unicast>>>
    %cst_33_i64 = constant <i64: 33> : tile<4x2x1x4xi64>
    %1 = offset %bcast, %cst_33_i64 : tile<4x2x1x4xptr<tf32, <unicast>>>, tile<4x2x1x4xi64> -> tile<4x2x1x4xptr<tf32, <unicast>>>
    %2 = extract %1[%cst_1_i32, %cst_1_i32_1, %cst_0_i32, %cst_0_i32_2] : tile<4x2x1x4xptr<tf32, <unicast>>> -> tile<2x1x1x4xptr<tf32, <unicast>>>
    %for:2 = for %loopIdx in (%cst_1_i16 to %cst_1_i16_0, step %cst_2_i16) : tile<i16> iter_values(%iterArg0 = %0, %iterArg1 = %2) -> (token, tile<2x1x1x4xptr<tf32, <unicast>>>) {
      %tview = make_tensor_view %arg1, shape = [16], strides = [1] : tensor_view<16xi64, strides=[1]>
      %pview = make_partition_view %tview : partition_view<tile=(16), padding_value = zero, tensor_view<16xi64, strides=[1]>>
      %cst_0_i32_3 = constant <i32: 0> : tile<i32>
      %tile, %result_token = load_view_tko weak %pview[%cst_0_i32_3] inbounds = [false] : partition_view<tile=(16), padding_value = zero, tensor_view<16xi64, strides=[1]>>, tile<i32> -> tile<16xi64>, token
      %tview_4 = make_tensor_view %arg2, shape = [16], strides = [1] : tensor_view<16xi64, strides=[1]>
      %pview_5 = make_partition_view %tview_4 : partition_view<tile=(16), padding_value = zero, tensor_view<16xi64, strides=[1]>>
      %cst_0_i32_6 = constant <i32: 0> : tile<i32>
      %tile_7, %result_token_8 = load_view_tko weak %pview_5[%cst_0_i32_6] inbounds = [false] : partition_view<tile=(16), padding_value = zero, tensor_view<16xi64, strides=[1]>>, tile<i32> -> tile<16xi64>, token
      %3 = addi %tile, %tile_7 : tile<16xi64>
      %4 = trunci %tile : tile<16xi64> -> tile<16xi32>
      %5 = make_token : token
      %cst_i64 = constant <i64: [[[[1, 0, 2, 1]]], [[[0, 0, 2, 0]]]]> : tile<2x1x1x4xi64>
      %6 = offset %iterArg1, %cst_i64 : tile<2x1x1x4xptr<tf32, <unicast>>>, tile<2x1x1x4xi64> -> tile<2x1x1x4xptr<tf32, <unicast>>>
      continue %5, %6 : token, tile<2x1x1x4xptr<tf32, <unicast>>>
    }
    return
  }
}
// becomes
module {
  "nv_tileaa.func"() <{function_type = (!nv_tileaa.ptr<tf32, 1>, !nv_tileaa.ptr<i64, 1>, !nv_tileaa.ptr<i64, 1>) -> (), kernel_spec = #nv_tileaa.kernel_spec<clusterDim=[1,1,1]>, sym_name = "k0"}> ({
  ^bb0(%arg0: !nv_tileaa.ptr<tf32, 1>, %arg1: !nv_tileaa.ptr<i64, 1>, %arg2: !nv_tileaa.ptr<i64, 1>):
    %c1_i16 = arith.constant 1 : i16
    %c1_i16_0 = arith.constant 1 : i16
    %c2_i16 = arith.constant 2 : i16
    %0 = "nv_tileaa.create_mem_token"() : () -> !nv_tileaa.mem_token
    %c1_i32 = arith.constant 1 : i32
    %c1_i32_1 = arith.constant 1 : i32
    %c0_i32 = arith.constant 0 : i32
    %c0_i32_2 = arith.constant 0 : i32
    %1 = "nv_tileaa.splat"(%arg0) : (!nv_tileaa.ptr<tf32, 1>) -> tensor<1x1x1x1x!nv_tileaa.ptr<tf32, 1>>
    %2 = "nv_tileaa.splat"(%arg0) : (!nv_tileaa.ptr<tf32, 1>) -> tensor<4x2x1x4x!nv_tileaa.ptr<tf32, 1>>
    %3 = "nv_tileaa.splat"() <{value = 33 : i64}> : () -> tensor<4x2x1x4xi64>
    %4 = "nv_tileaa.addptr"(%2, %3) : (tensor<4x2x1x4x!nv_tileaa.ptr<tf32, 1>>, tensor<4x2x1x4xi64>) -> tensor<4x2x1x4x!nv_tileaa.ptr<tf32, 1>>
    %c2_i32 = arith.constant 2 : i32
    %5 = arith.muli %c1_i32, %c2_i32 : i32
    %c4_i32 = arith.constant 4 : i32
    %6 = arith.muli %c0_i32_2, %c4_i32 : i32
    %7 = "nv_tileaa.extract_slice"(%4, %5, %c1_i32_1, %c0_i32, %6) <{sizes = array<i64: 2, 1, 1, 4>}> : (tensor<4x2x1x4x!nv_tileaa.ptr<tf32, 1>>, i32, i32, i32, i32) -> tensor<2x1x1x4x!nv_tileaa.ptr<tf32, 1>>
    %8 = arith.extsi %c1_i16 : i16 to i32
    %9 = arith.extsi %c1_i16_0 : i16 to i32
    %10 = arith.extsi %c2_i16 : i16 to i32
    %11:2 = scf.for %arg3 = %8 to %9 step %10 iter_args(%arg4 = %0, %arg5 = %7) -> (!nv_tileaa.mem_token, tensor<2x1x1x4x!nv_tileaa.ptr<tf32, 1>>)  : i32 {
      %12 = arith.trunci %arg3 : i32 to i16
      %13 = "nv_tileaa.make_memref"(%arg1) <{operandSegmentSizes = array<i32: 1, 0, 0, 0>}> : (!nv_tileaa.ptr<i64, 1>) -> !nv_tileaa.memref<16xi64, strides = [1]>
      %14 = "nv_tileaa.block_tile"(%13) <{dimGroups = [array<i64: 0>], tileSizes = array<i64: 16>}> : (!nv_tileaa.memref<16xi64, strides = [1]>) -> !nv_tileaa.tiled_view<!nv_tileaa.memref<16xi64, strides = [1]>, [16]>
      %c0_i32_3 = arith.constant 0 : i32
      %value, %token = "nv_tileaa.tiled_load"(%14, %c0_i32_3) <{cache_modifier = #nv_tileaa.cache_modifier<none>, eviction_policy = #nv_tileaa.eviction_policy<none>, mem_semantic = #nv_tileaa.mem_semantic<weak>, operandSegmentSizes = array<i32: 1, 1, 0>}> : (!nv_tileaa.tiled_view<!nv_tileaa.memref<16xi64, strides = [1]>, [16]>, i32) -> (tensor<16xi64>, !nv_tileaa.mem_token)
      %15 = "nv_tileaa.make_memref"(%arg2) <{operandSegmentSizes = array<i32: 1, 0, 0, 0>}> : (!nv_tileaa.ptr<i64, 1>) -> !nv_tileaa.memref<16xi64, strides = [1]>
      %16 = "nv_tileaa.block_tile"(%15) <{dimGroups = [array<i64: 0>], tileSizes = array<i64: 16>}> : (!nv_tileaa.memref<16xi64, strides = [1]>) -> !nv_tileaa.tiled_view<!nv_tileaa.memref<16xi64, strides = [1]>, [16]>
      %c0_i32_4 = arith.constant 0 : i32
      %value_5, %token_6 = "nv_tileaa.tiled_load"(%16, %c0_i32_4) <{cache_modifier = #nv_tileaa.cache_modifier<none>, eviction_policy = #nv_tileaa.eviction_policy<none>, mem_semantic = #nv_tileaa.mem_semantic<weak>, operandSegmentSizes = array<i32: 1, 1, 0>}> : (!nv_tileaa.tiled_view<!nv_tileaa.memref<16xi64, strides = [1]>, [16]>, i32) -> (tensor<16xi64>, !nv_tileaa.mem_token)
      %17 = arith.addi %value, %value_5 : tensor<16xi64>
      %18 = arith.trunci %value : tensor<16xi64> to tensor<16xi32>
      %19 = "nv_tileaa.create_mem_token"() : () -> !nv_tileaa.mem_token
      %cst = "nv_tileaa.constant_tensor"() <{value = dense<[[[[1, 0, 2, 1]]], [[[0, 0, 2, 0]]]]> : tensor<2x1x1x4xi64>}> : () -> tensor<2x1x1x4xi64>
      %20 = "nv_tileaa.addptr"(%arg5, %cst) : (tensor<2x1x1x4x!nv_tileaa.ptr<tf32, 1>>, tensor<2x1x1x4xi64>) -> tensor<2x1x1x4x!nv_tileaa.ptr<tf32, 1>>
      scf.yield %19, %20 : !nv_tileaa.mem_token, tensor<2x1x1x4x!nv_tileaa.ptr<tf32, 1>>
    }
    "nv_tileaa.return"() : () -> ()
  }) : () -> ()
}

// -----

cuda_tile.module @kernels {
  entry @k0(%arg0: tile<ptr<f8E8M0FNU>>, %arg1: tile<ptr<f16>>, %arg2: tile<f64>) {
    %cst_1_i8 = constant <i8: 1> : tile<i8>
    %cst_5_i8 = constant <i8: 5> : tile<i8>
    %cst_2_i8 = constant <i8: 2> : tile<i8>
    %reshape = reshape %arg0 : tile<ptr<f8E8M0FNU>> -> tile<1x1xptr<f8E8M0FNU>>
    %bcast = broadcast %reshape : tile<1x1xptr<f8E8M0FNU>> -> tile<8x1xptr<f8E8M0FNU>>
    %cst_60_i64 = constant <i64: 60> : tile<8x1xi64>
    %0 = offset %bcast, %cst_60_i64 : tile<8x1xptr<f8E8M0FNU>>, tile<8x1xi64> -> tile<8x1xptr<f8E8M0FNU>>
    %for = for %loopIdx in (%cst_1_i8 to %cst_5_i8, step %cst_2_i8) : tile<i8> iter_values(%iterArg0 = %0) -> (tile<8x1xptr<f8E8M0FNU>>) {
      %cst_1_i64 = constant <i64: 1> : tile<i64>
      %cst_5_i64 = constant <i64: 5> : tile<i64>
      %cst_2_i64 = constant <i64: 2> : tile<i64>
      for %loopIdx_2 in (%cst_1_i64 to %cst_5_i64, step %cst_2_i64) : tile<i64> {
        %tview = make_tensor_view %arg1, shape = [2, 15], strides = [16, 1] : tensor_view<2x15xf16, strides=[16,1]>
        %pview = make_partition_view %tview : partition_view<tile=(2x16), padding_value = zero, tensor_view<2x15xf16, strides=[16,1]>>
        %cst_0_i32 = constant <i32: 0> : tile<i32>
        %cst_0_i32_3 = constant <i32: 0> : tile<i32>
        %tile, %result_token = load_view_tko weak %pview[%cst_0_i32, %cst_0_i32_3] inbounds = [false, false] : partition_view<tile=(2x16), padding_value = zero, tensor_view<2x15xf16, strides=[16,1]>>, tile<i32> -> tile<2x16xf16>, token
        %reshape_4 = reshape %tile : tile<2x16xf16> -> tile<32xf16>
        %cst_f16 = constant <f16: __elided__> : tile<32xf16>
        %2 = addf %reshape_4, %cst_f16 rounding<positive_inf> : tile<32xf16>
      }
      %reshape_0 = reshape %arg2 : tile<f64> -> tile<1x1xf64>
      %bcast_1 = broadcast %reshape_0 : tile<1x1xf64> -> tile<16x4xf64>
      %1 = sqrt %bcast_1 rounding<positive_inf> : tile<16x4xf64>
      continue %iterArg0 : tile<8x1xptr<f8E8M0FNU>>
    }
    return
  }
}
// becomes
module {
  "nv_tileaa.func"() <{function_type = (!nv_tileaa.ptr<f8E8M0FNU, 1>, !nv_tileaa.ptr<f16, 1>, f64) -> (), kernel_spec = #nv_tileaa.kernel_spec<clusterDim=[1,1,1]>, sym_name = "k0"}> ({
  ^bb0(%arg0: !nv_tileaa.ptr<f8E8M0FNU, 1>, %arg1: !nv_tileaa.ptr<f16, 1>, %arg2: f64):
    %c1_i8 = arith.constant 1 : i8
    %c5_i8 = arith.constant 5 : i8
    %c2_i8 = arith.constant 2 : i8
    %0 = "nv_tileaa.splat"(%arg0) : (!nv_tileaa.ptr<f8E8M0FNU, 1>) -> tensor<1x1x!nv_tileaa.ptr<f8E8M0FNU, 1>>
    %1 = "nv_tileaa.splat"(%arg0) : (!nv_tileaa.ptr<f8E8M0FNU, 1>) -> tensor<8x1x!nv_tileaa.ptr<f8E8M0FNU, 1>>
    %2 = "nv_tileaa.splat"() <{value = 60 : i64}> : () -> tensor<8x1xi64>
    %3 = "nv_tileaa.addptr"(%1, %2) : (tensor<8x1x!nv_tileaa.ptr<f8E8M0FNU, 1>>, tensor<8x1xi64>) -> tensor<8x1x!nv_tileaa.ptr<f8E8M0FNU, 1>>
    %4 = arith.extsi %c1_i8 : i8 to i32
    %5 = arith.extsi %c5_i8 : i8 to i32
    %6 = arith.extsi %c2_i8 : i8 to i32
    %7 = scf.for %arg3 = %4 to %5 step %6 iter_args(%arg4 = %3) -> (tensor<8x1x!nv_tileaa.ptr<f8E8M0FNU, 1>>)  : i32 {
      %8 = arith.trunci %arg3 : i32 to i8
      %c1_i64 = arith.constant 1 : i64
      %c5_i64 = arith.constant 5 : i64
      %c2_i64 = arith.constant 2 : i64
      scf.for %arg5 = %c1_i64 to %c5_i64 step %c2_i64  : i64 {
        %12 = "nv_tileaa.make_memref"(%arg1) <{operandSegmentSizes = array<i32: 1, 0, 0, 0>}> : (!nv_tileaa.ptr<f16, 1>) -> !nv_tileaa.memref<2x15xf16, strides = [16, 1]>
        %13 = "nv_tileaa.block_tile"(%12) <{dimGroups = [array<i64: 0>, array<i64: 1>], tileSizes = array<i64: 2, 16>}> : (!nv_tileaa.memref<2x15xf16, strides = [16, 1]>) -> !nv_tileaa.tiled_view<!nv_tileaa.memref<2x15xf16, strides = [16, 1]>, [2, 16]>
        %c0_i32 = arith.constant 0 : i32
        %c0_i32_0 = arith.constant 0 : i32
        %value, %token = "nv_tileaa.tiled_load"(%13, %c0_i32, %c0_i32_0) <{cache_modifier = #nv_tileaa.cache_modifier<none>, eviction_policy = #nv_tileaa.eviction_policy<none>, in_bounds = array<i1: true, false>, mem_semantic = #nv_tileaa.mem_semantic<weak>, operandSegmentSizes = array<i32: 1, 2, 0>, padding_value = #nv_tileaa.padding_value<zero>}> : (!nv_tileaa.tiled_view<!nv_tileaa.memref<2x15xf16, strides = [16, 1]>, [2, 16]>, i32, i32) -> (tensor<2x16xf16>, !nv_tileaa.mem_token)
        %14 = "nv_tileaa.view"(%value) : (tensor<2x16xf16>) -> tensor<32xf16>
        %cst = "nv_tileaa.constant_tensor"() <{value = dense_resource<__elided__> : tensor<32xf16>}> : () -> tensor<32xf16>
        %15 = "nv_tileaa.addf"(%14, %cst) <{rounding_mode = #nv_tileaa.rounding_mode<positive_inf>}> : (tensor<32xf16>, tensor<32xf16>) -> tensor<32xf16>
      }
      %9 = "nv_tileaa.splat"(%arg2) : (f64) -> tensor<1x1xf64>
      %10 = "nv_tileaa.splat"(%arg2) : (f64) -> tensor<16x4xf64>
      %11 = "nv_tileaa.sqrt"(%10) <{rounding_mode = #nv_tileaa.rounding_mode<positive_inf>}> : (tensor<16x4xf64>) -> tensor<16x4xf64>
      scf.yield %arg4 : tensor<8x1x!nv_tileaa.ptr<f8E8M0FNU, 1>>
    }
    "nv_tileaa.return"() : () -> ()
  }) : () -> ()
}
