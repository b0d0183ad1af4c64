// make_tensor_view
cuda_tile.module @example {
  entry @kernel(%arg0: tile<i32>, %arg1: tile<ptr<f32>>) {
    %tview = make_tensor_view %arg1, shape = [%arg0, 64], strides = [%arg0, 1] : tile<i32> -> tensor_view<?x64xf32, strides=[?,1]>
    return
  }
}

// -----

// make_partition_view
cuda_tile.module @example {
  entry @kernel(%arg0: tile<ptr<f32>>) {
    %tview = make_tensor_view %arg0, shape = [64, 64], strides = [64, 1] : tensor_view<64x64xf32, strides=[64,1]>
    %pview = make_partition_view %tview : partition_view<tile=(8x8), padding_value = zero, tensor_view<64x64xf32, strides=[64,1]>>
    return
  }
}

// -----

// make_strided_view
cuda_tile.module @example {
  entry @kernel(%arg0: tile<ptr<f32>>) {
    %tview = make_tensor_view %arg0, shape = [64, 64], strides = [64, 1] : tensor_view<64x64xf32, strides=[64,1]>
    %sview = make_strided_view %tview : strided_view<tile=(8x8), traversal_strides=[4,8], padding_value = zero, tensor_view<64x64xf32, strides=[64,1]>>
    return
  }
}

// -----

// make_gather_scatter_view
cuda_tile.module @example {
  entry @kernel(%arg0: tile<ptr<f32>>) {
    %tview = make_tensor_view %arg0, shape = [64, 64], strides = [64, 1] : tensor_view<64x64xf32, strides=[64,1]>
    %gsview = make_gather_scatter_view %tview : gather_scatter_view<tile=(4x8), padding_value = zero, tensor_view<64x64xf32, strides=[64,1]>, sparse_dim=0>
    return
  }
}

// -----

// get_tensor_shape
cuda_tile.module @example {
  entry @kernel(%arg0: tile<ptr<f32>>) {
    %tview = make_tensor_view %arg0, shape = [64, 64], strides = [64, 1] : tensor_view<64x64xf32, strides=[64,1]>
    %0:2 = get_tensor_shape %tview : tensor_view<64x64xf32, strides=[64,1]> -> tile<i32>
    return
  }
}

// -----

// get_index_space_shape
cuda_tile.module @example {
  entry @kernel(%arg0: tile<ptr<f32>>) {
    %tview = make_tensor_view %arg0, shape = [64, 64], strides = [64, 1] : tensor_view<64x64xf32, strides=[64,1]>
    %pview = make_partition_view %tview : partition_view<tile=(8x8), tensor_view<64x64xf32, strides=[64,1]>>
    %0:2 = get_index_space_shape %pview : partition_view<tile=(8x8), tensor_view<64x64xf32, strides=[64,1]>> -> tile<i32>
    return
  }
}
