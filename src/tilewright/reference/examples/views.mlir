// Examples of the group "Views": one module per operation, in generic form.

// make_tensor_view
"cuda_tile.module"() <{sym_name = "example"}> ({
  "cuda_tile.entry"() <{function_type = (!cuda_tile.tile<i32>, !cuda_tile.tile<ptr<f32>>) -> (), sym_name = "kernel"}> ({
  ^bb0(%arg0: !cuda_tile.tile<i32>, %arg1: !cuda_tile.tile<ptr<f32>>):
    %0 = "cuda_tile.make_tensor_view"(%arg1, %arg0, %arg0) <{operandSegmentSizes = array<i32: 1, 1, 1>}> : (!cuda_tile.tile<ptr<f32>>, !cuda_tile.tile<i32>, !cuda_tile.tile<i32>) -> !cuda_tile.tensor_view<?x64xf32, strides=[?,1]>
    "cuda_tile.return"() : () -> ()
  }) : () -> ()
}) : () -> ()

// -----

// make_partition_view
"cuda_tile.module"() <{sym_name = "example"}> ({
  "cuda_tile.entry"() <{function_type = (!cuda_tile.tile<ptr<f32>>) -> (), sym_name = "kernel"}> ({
  ^bb0(%arg0: !cuda_tile.tile<ptr<f32>>):
    %0 = "cuda_tile.make_tensor_view"(%arg0) <{operandSegmentSizes = array<i32: 1, 0, 0>}> : (!cuda_tile.tile<ptr<f32>>) -> !cuda_tile.tensor_view<64x64xf32, strides=[64,1]>
    %1 = "cuda_tile.make_partition_view"(%0) : (!cuda_tile.tensor_view<64x64xf32, strides=[64,1]>) -> !cuda_tile.partition_view<tile=(8x8), padding_value = zero, tensor_view<64x64xf32, strides=[64,1]>>
    "cuda_tile.return"() : () -> ()
  }) : () -> ()
}) : () -> ()

// -----

// make_strided_view
"cuda_tile.module"() <{sym_name = "example"}> ({
  "cuda_tile.entry"() <{function_type = (!cuda_tile.tile<ptr<f32>>) -> (), sym_name = "kernel"}> ({
  ^bb0(%arg0: !cuda_tile.tile<ptr<f32>>):
    %0 = "cuda_tile.make_tensor_view"(%arg0) <{operandSegmentSizes = array<i32: 1, 0, 0>}> : (!cuda_tile.tile<ptr<f32>>) -> !cuda_tile.tensor_view<64x64xf32, strides=[64,1]>
    %1 = "cuda_tile.make_strided_view"(%0) : (!cuda_tile.tensor_view<64x64xf32, strides=[64,1]>) -> !cuda_tile.strided_view<tile=(8x8), traversal_strides=[4,8], padding_value = zero, tensor_view<64x64xf32, strides=[64,1]>>
    "cuda_tile.return"() : () -> ()
  }) : () -> ()
}) : () -> ()

// -----

// make_gather_scatter_view
"cuda_tile.module"() <{sym_name = "example"}> ({
  "cuda_tile.entry"() <{function_type = (!cuda_tile.tile<ptr<f32>>) -> (), sym_name = "kernel"}> ({
  ^bb0(%arg0: !cuda_tile.tile<ptr<f32>>):
    %0 = "cuda_tile.make_tensor_view"(%arg0) <{operandSegmentSizes = array<i32: 1, 0, 0>}> : (!cuda_tile.tile<ptr<f32>>) -> !cuda_tile.tensor_view<64x64xf32, strides=[64,1]>
    %1 = "cuda_tile.make_gather_scatter_view"(%0) : (!cuda_tile.tensor_view<64x64xf32, strides=[64,1]>) -> !cuda_tile.gather_scatter_view<tile=(4x8), padding_value = zero, tensor_view<64x64xf32, strides=[64,1]>, sparse_dim=0>
    "cuda_tile.return"() : () -> ()
  }) : () -> ()
}) : () -> ()

// -----

// get_tensor_shape
"cuda_tile.module"() <{sym_name = "example"}> ({
  "cuda_tile.entry"() <{function_type = (!cuda_tile.tile<ptr<f32>>) -> (), sym_name = "kernel"}> ({
  ^bb0(%arg0: !cuda_tile.tile<ptr<f32>>):
    %0 = "cuda_tile.make_tensor_view"(%arg0) <{operandSegmentSizes = array<i32: 1, 0, 0>}> : (!cuda_tile.tile<ptr<f32>>) -> !cuda_tile.tensor_view<64x64xf32, strides=[64,1]>
    %1:2 = "cuda_tile.get_tensor_shape"(%0) : (!cuda_tile.tensor_view<64x64xf32, strides=[64,1]>) -> (!cuda_tile.tile<i32>, !cuda_tile.tile<i32>)
    "cuda_tile.return"() : () -> ()
  }) : () -> ()
}) : () -> ()

// -----

// get_index_space_shape
"cuda_tile.module"() <{sym_name = "example"}> ({
  "cuda_tile.entry"() <{function_type = (!cuda_tile.tile<ptr<f32>>) -> (), sym_name = "kernel"}> ({
  ^bb0(%arg0: !cuda_tile.tile<ptr<f32>>):
    %0 = "cuda_tile.make_tensor_view"(%arg0) <{operandSegmentSizes = array<i32: 1, 0, 0>}> : (!cuda_tile.tile<ptr<f32>>) -> !cuda_tile.tensor_view<64x64xf32, strides=[64,1]>
    %1 = "cuda_tile.make_partition_view"(%0) : (!cuda_tile.tensor_view<64x64xf32, strides=[64,1]>) -> !cuda_tile.partition_view<tile=(8x8), tensor_view<64x64xf32, strides=[64,1]>>
    %2:2 = "cuda_tile.get_index_space_shape"(%1) : (!cuda_tile.partition_view<tile=(8x8), tensor_view<64x64xf32, strides=[64,1]>>) -> (!cuda_tile.tile<i32>, !cuda_tile.tile<i32>)
    "cuda_tile.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
