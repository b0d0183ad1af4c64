// atomic_cas_tko
cuda_tile.module @example {
  entry @kernel(%arg0: tile<ptr<i32>>) {
    %reshape = reshape %arg0 : tile<ptr<i32>> -> tile<1xptr<i32>>
    %bcast = broadcast %reshape : tile<1xptr<i32>> -> tile<4xptr<i32>>
    %0 = iota : tile<4xi32>
    %1 = offset %bcast, %0 : tile<4xptr<i32>>, tile<4xi32> -> tile<4xptr<i32>>
    %cst_0_i32 = constant <i32: 0> : tile<4xi32>
    %cst_1_i32 = constant <i32: 1> : tile<4xi32>
    %result, %result_token = atomic_cas_tko acq_rel device %1, %cst_0_i32, %cst_1_i32 : tile<4xptr<i32>>, tile<4xi32> -> tile<4xi32>, token
    return
  }
}

// -----

// atomic_rmw_tko
cuda_tile.module @example {
  entry @kernel(%arg0: tile<ptr<f32>>) {
    %reshape = reshape %arg0 : tile<ptr<f32>> -> tile<1xptr<f32>>
    %bcast = broadcast %reshape : tile<1xptr<f32>> -> tile<4xptr<f32>>
    %0 = iota : tile<4xi32>
    %1 = offset %bcast, %0 : tile<4xptr<f32>>, tile<4xi32> -> tile<4xptr<f32>>
    %cst_f32 = constant <f32: [1.000000e+00, 2.500000e+00, -3.000000e+00, 0.000000e+00]> : tile<4xf32>
    %result, %result_token = atomic_rmw_tko relaxed device %1, addf, %cst_f32 : tile<4xptr<f32>>, tile<4xf32> -> tile<4xf32>, token
    return
  }
}

// -----

// atomic_red_view_tko
cuda_tile.module @example {
  entry @kernel(%arg0: tile<ptr<i32>>) {
    %tview = make_tensor_view %arg0, shape = [64, 64], strides = [64, 1] : tensor_view<64x64xi32, strides=[64,1]>
    %pview = make_partition_view %tview : partition_view<tile=(8x8), tensor_view<64x64xi32, strides=[64,1]>>
    %cst_1_i32 = constant <i32: 1> : tile<i32>
    %cst_1_i32_0 = constant <i32: 1> : tile<8x8xi32>
    %0 = atomic_red_view_tko relaxed device %pview[%cst_1_i32, %cst_1_i32], add, %cst_1_i32_0 : tile<8x8xi32>, partition_view<tile=(8x8), tensor_view<64x64xi32, strides=[64,1]>>, tile<i32> -> token
    return
  }
}
