// multimem_load_reduce_view_tko
cuda_tile.module @example {
  entry @kernel(%arg0: tile<ptr<f32, <multicast>>>) {
    %tview = make_tensor_view %arg0, shape = [64, 64], strides = [64, 1] : tile<ptr<f32, <multicast>>> -> tensor_view<64x64xf32, strides=[64,1], #cuda_tile.ptr_attr<multicast>>
    %pview = make_partition_view %tview : partition_view<tile=(8x8), tensor_view<64x64xf32, strides=[64,1], #cuda_tile.ptr_attr<multicast>>>
    %cst_1_i32 = constant <i32: 1> : tile<i32>
    %reduced_values, %result_token = multimem_load_reduce_view_tko relaxed sys %pview[%cst_1_i32, %cst_1_i32]  : partition_view<tile=(8x8), tensor_view<64x64xf32, strides=[64,1], #cuda_tile.ptr_attr<multicast>>>, tile<i32> -> tile<8x8xf32>, token
    return
  }
}

// -----

// multimem_reduce_view_tko
cuda_tile.module @example {
  entry @kernel(%arg0: tile<ptr<f32, <multicast>>>) {
    %tview = make_tensor_view %arg0, shape = [64, 64], strides = [64, 1] : tile<ptr<f32, <multicast>>> -> tensor_view<64x64xf32, strides=[64,1], #cuda_tile.ptr_attr<multicast>>
    %pview = make_partition_view %tview : partition_view<tile=(8x8), tensor_view<64x64xf32, strides=[64,1], #cuda_tile.ptr_attr<multicast>>>
    %cst_1_i32 = constant <i32: 1> : tile<i32>
    %cst_f32 = constant <f32: 1.500000e+00> : tile<8x8xf32>
    %0 = multimem_reduce_view_tko relaxed sys %pview, %cst_f32[%cst_1_i32, %cst_1_i32]  : partition_view<tile=(8x8), tensor_view<64x64xf32, strides=[64,1], #cuda_tile.ptr_attr<multicast>>>, tile<8x8xf32>, tile<i32> -> token
    return
  }
}

// -----

// multimem_store_view_tko
cuda_tile.module @example {
  entry @kernel(%arg0: tile<ptr<f32, <multicast>>>) {
    %tview = make_tensor_view %arg0, shape = [64, 64], strides = [64, 1] : tile<ptr<f32, <multicast>>> -> tensor_view<64x64xf32, strides=[64,1], #cuda_tile.ptr_attr<multicast>>
    %pview = make_partition_view %tview : partition_view<tile=(8x8), tensor_view<64x64xf32, strides=[64,1], #cuda_tile.ptr_attr<multicast>>>
    %cst_1_i32 = constant <i32: 1> : tile<i32>
    %cst_f32 = constant <f32: 1.500000e+00> : tile<8x8xf32>
    %0 = multimem_store_view_tko relaxed sys %pview, %cst_f32[%cst_1_i32, %cst_1_i32]  : partition_view<tile=(8x8), tensor_view<64x64xf32, strides=[64,1], #cuda_tile.ptr_attr<multicast>>>, tile<8x8xf32>, tile<i32> -> token
    return
  }
}
