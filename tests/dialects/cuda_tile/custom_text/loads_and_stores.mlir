// load_ptr_tko
cuda_tile.module @example {
  entry @kernel(%arg0: tile<ptr<f32>>) {
    %reshape = reshape %arg0 : tile<ptr<f32>> -> tile<1xptr<f32>>
    %bcast = broadcast %reshape : tile<1xptr<f32>> -> tile<4xptr<f32>>
    %0 = iota : tile<4xi32>
    %1 = offset %bcast, %0 : tile<4xptr<f32>>, tile<4xi32> -> tile<4xptr<f32>>
    %cst_i1 = constant <i1: [true, true, false, true]> : tile<4xi1>
    %cst_0_f32 = constant <f32: 0.000000e+00> : tile<4xf32>
    %result, %result_token = load_ptr_tko weak %1, %cst_i1, %cst_0_f32 : tile<4xptr<f32>>, tile<4xi1>, tile<4xf32> -> tile<4xf32>, token
    return
  }
}

// -----

// store_ptr_tko
cuda_tile.module @example {
  entry @kernel(%arg0: tile<ptr<f32>>) {
    %reshape = reshape %arg0 : tile<ptr<f32>> -> tile<1xptr<f32>>
    %bcast = broadcast %reshape : tile<1xptr<f32>> -> tile<4xptr<f32>>
    %0 = iota : tile<4xi32>
    %1 = offset %bcast, %0 : tile<4xptr<f32>>, tile<4xi32> -> tile<4xptr<f32>>
    %cst_f32 = constant <f32: [1.000000e+00, 2.500000e+00, -3.000000e+00, 0.000000e+00]> : tile<4xf32>
    %2 = store_ptr_tko weak %1, %cst_f32 : tile<4xptr<f32>>, tile<4xf32> -> token
    return
  }
}

// -----

// load_view_tko
cuda_tile.module @example {
  entry @kernel(%arg0: tile<ptr<f32>>) {
    %tview = make_tensor_view %arg0, shape = [64, 64], strides = [64, 1] : tensor_view<64x64xf32, strides=[64,1]>
    %pview = make_partition_view %tview : partition_view<tile=(8x8), tensor_view<64x64xf32, strides=[64,1]>>
    %cst_1_i32 = constant <i32: 1> : tile<i32>
    %tile, %result_token = load_view_tko weak %pview[%cst_1_i32, %cst_1_i32] : partition_view<tile=(8x8), tensor_view<64x64xf32, strides=[64,1]>>, tile<i32> -> tile<8x8xf32>, token
    return
  }
}

// -----

// store_view_tko
cuda_tile.module @example {
  entry @kernel(%arg0: tile<ptr<f32>>) {
    %tview = make_tensor_view %arg0, shape = [64, 64], strides = [64, 1] : tensor_view<64x64xf32, strides=[64,1]>
    %pview = make_partition_view %tview : partition_view<tile=(8x8), tensor_view<64x64xf32, strides=[64,1]>>
    %cst_1_i32 = constant <i32: 1> : tile<i32>
    %cst_f32 = constant <f32: 1.500000e+00> : tile<8x8xf32>
    %0 = make_token : token
    %1 = store_view_tko weak %cst_f32, %pview[%cst_1_i32, %cst_1_i32] token = %0 : tile<8x8xf32>, partition_view<tile=(8x8), tensor_view<64x64xf32, strides=[64,1]>>, tile<i32> -> token
    return
  }
}

// -----

// alloca
cuda_tile.module @example {
  entry @kernel() {
    %0 = alloca num_elem = 64, alignment = 16 : tile<ptr<f32>>
    return
  }
}
