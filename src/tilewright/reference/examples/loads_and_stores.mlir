// Examples of the group "Loads and stores": one module per operation, in generic form.

// load_ptr_tko
"cuda_tile.module"() <{sym_name = "example"}> ({
  "cuda_tile.entry"() <{function_type = (!cuda_tile.tile<ptr<f32>>) -> (), sym_name = "kernel"}> ({
  ^bb0(%arg0: !cuda_tile.tile<ptr<f32>>):
    %0 = "cuda_tile.reshape"(%arg0) : (!cuda_tile.tile<ptr<f32>>) -> !cuda_tile.tile<1xptr<f32>>
    %1 = "cuda_tile.broadcast"(%0) : (!cuda_tile.tile<1xptr<f32>>) -> !cuda_tile.tile<4xptr<f32>>
    %2 = "cuda_tile.iota"() : () -> !cuda_tile.tile<4xi32>
    %3 = "cuda_tile.offset"(%1, %2) : (!cuda_tile.tile<4xptr<f32>>, !cuda_tile.tile<4xi32>) -> !cuda_tile.tile<4xptr<f32>>
    %4 = "cuda_tile.constant"() <{value = dense<[true, true, false, true]> : !cuda_tile.tile<4xi1>}> : () -> !cuda_tile.tile<4xi1>
    %5 = "cuda_tile.constant"() <{value = dense<0.000000e+00> : !cuda_tile.tile<4xf32>}> : () -> !cuda_tile.tile<4xf32>
    %6:2 = "cuda_tile.load_ptr_tko"(%3, %4, %5) <{memory_ordering_semantics = #cuda_tile.memory_ordering_semantics<weak>, operandSegmentSizes = array<i32: 1, 1, 1, 0>}> : (!cuda_tile.tile<4xptr<f32>>, !cuda_tile.tile<4xi1>, !cuda_tile.tile<4xf32>) -> (!cuda_tile.tile<4xf32>, !cuda_tile.token)
    "cuda_tile.return"() : () -> ()
  }) : () -> ()
}) : () -> ()

// -----

// store_ptr_tko
"cuda_tile.module"() <{sym_name = "example"}> ({
  "cuda_tile.entry"() <{function_type = (!cuda_tile.tile<ptr<f32>>) -> (), sym_name = "kernel"}> ({
  ^bb0(%arg0: !cuda_tile.tile<ptr<f32>>):
    %0 = "cuda_tile.reshape"(%arg0) : (!cuda_tile.tile<ptr<f32>>) -> !cuda_tile.tile<1xptr<f32>>
    %1 = "cuda_tile.broadcast"(%0) : (!cuda_tile.tile<1xptr<f32>>) -> !cuda_tile.tile<4xptr<f32>>
    %2 = "cuda_tile.iota"() : () -> !cuda_tile.tile<4xi32>
    %3 = "cuda_tile.offset"(%1, %2) : (!cuda_tile.tile<4xptr<f32>>, !cuda_tile.tile<4xi32>) -> !cuda_tile.tile<4xptr<f32>>
    %4 = "cuda_tile.constant"() <{value = dense<[1.000000e+00, 2.500000e+00, -3.000000e+00, 0.000000e+00]> : !cuda_tile.tile<4xf32>}> : () -> !cuda_tile.tile<4xf32>
    %5 = "cuda_tile.store_ptr_tko"(%3, %4) <{memory_ordering_semantics = #cuda_tile.memory_ordering_semantics<weak>, operandSegmentSizes = array<i32: 1, 1, 0, 0>}> : (!cuda_tile.tile<4xptr<f32>>, !cuda_tile.tile<4xf32>) -> !cuda_tile.token
    "cuda_tile.return"() : () -> ()
  }) : () -> ()
}) : () -> ()

// -----

// load_view_tko
"cuda_tile.module"() <{sym_name = "example"}> ({
  "cuda_tile.entry"() <{function_type = (!cuda_tile.tile<ptr<f32>>) -> (), sym_name = "kernel"}> ({
  ^bb0(%arg0: !cuda_tile.tile<ptr<f32>>):
    %0 = "cuda_tile.make_tensor_view"(%arg0) <{operandSegmentSizes = array<i32: 1, 0, 0>}> : (!cuda_tile.tile<ptr<f32>>) -> !cuda_tile.tensor_view<64x64xf32, strides=[64,1]>
    %1 = "cuda_tile.make_partition_view"(%0) : (!cuda_tile.tensor_view<64x64xf32, strides=[64,1]>) -> !cuda_tile.partition_view<tile=(8x8), tensor_view<64x64xf32, strides=[64,1]>>
    %2 = "cuda_tile.constant"() <{value = dense<1> : !cuda_tile.tile<i32>}> : () -> !cuda_tile.tile<i32>
    %3:2 = "cuda_tile.load_view_tko"(%1, %2, %2) <{memory_ordering_semantics = #cuda_tile.memory_ordering_semantics<weak>, operandSegmentSizes = array<i32: 1, 2, 0>}> : (!cuda_tile.partition_view<tile=(8x8), tensor_view<64x64xf32, strides=[64,1]>>, !cuda_tile.tile<i32>, !cuda_tile.tile<i32>) -> (!cuda_tile.tile<8x8xf32>, !cuda_tile.token)
    "cuda_tile.return"() : () -> ()
  }) : () -> ()
}) : () -> ()

// -----

// store_view_tko
"cuda_tile.module"() <{sym_name = "example"}> ({
  "cuda_tile.entry"() <{function_type = (!cuda_tile.tile<ptr<f32>>) -> (), sym_name = "kernel"}> ({
  ^bb0(%arg0: !cuda_tile.tile<ptr<f32>>):
    %0 = "cuda_tile.make_tensor_view"(%arg0) <{operandSegmentSizes = array<i32: 1, 0, 0>}> : (!cuda_tile.tile<ptr<f32>>) -> !cuda_tile.tensor_view<64x64xf32, strides=[64,1]>
    %1 = "cuda_tile.make_partition_view"(%0) : (!cuda_tile.tensor_view<64x64xf32, strides=[64,1]>) -> !cuda_tile.partition_view<tile=(8x8), tensor_view<64x64xf32, strides=[64,1]>>
    %2 = "cuda_tile.constant"() <{value = dense<1> : !cuda_tile.tile<i32>}> : () -> !cuda_tile.tile<i32>
    %3 = "cuda_tile.constant"() <{value = dense<1.500000e+00> : !cuda_tile.tile<8x8xf32>}> : () -> !cuda_tile.tile<8x8xf32>
    %4 = "cuda_tile.make_token"() : () -> !cuda_tile.token
    %5 = "cuda_tile.store_view_tko"(%3, %1, %2, %2, %4) <{memory_ordering_semantics = #cuda_tile.memory_ordering_semantics<weak>, operandSegmentSizes = array<i32: 1, 1, 2, 1>}> : (!cuda_tile.tile<8x8xf32>, !cuda_tile.partition_view<tile=(8x8), tensor_view<64x64xf32, strides=[64,1]>>, !cuda_tile.tile<i32>, !cuda_tile.tile<i32>, !cuda_tile.token) -> !cuda_tile.token
    "cuda_tile.return"() : () -> ()
  }) : () -> ()
}) : () -> ()

// -----

// alloca
"cuda_tile.module"() <{sym_name = "example"}> ({
  "cuda_tile.entry"() <{function_type = () -> (), sym_name = "kernel"}> ({
    %0 = "cuda_tile.alloca"() <{alignment = 16 : i64, num_elem = 64 : i64}> : () -> !cuda_tile.tile<ptr<f32>>
    "cuda_tile.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
