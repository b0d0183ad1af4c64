// Examples of the group "Multi-device memory": one module per operation, in generic form.

// multimem_load_reduce_view_tko
"cuda_tile.module"() <{sym_name = "example"}> ({
  "cuda_tile.entry"() <{function_type = (!cuda_tile.tile<ptr<f32, <multicast>>>) -> (), sym_name = "kernel"}> ({
  ^bb0(%arg0: !cuda_tile.tile<ptr<f32, <multicast>>>):
    %0 = "cuda_tile.make_tensor_view"(%arg0) <{operandSegmentSizes = array<i32: 1, 0, 0>}> : (!cuda_tile.tile<ptr<f32, <multicast>>>) -> !cuda_tile.tensor_view<64x64xf32, strides=[64,1], #cuda_tile.ptr_attr<multicast>>
    %1 = "cuda_tile.make_partition_view"(%0) : (!cuda_tile.tensor_view<64x64xf32, strides=[64,1], #cuda_tile.ptr_attr<multicast>>) -> !cuda_tile.partition_view<tile=(8x8), tensor_view<64x64xf32, strides=[64,1], #cuda_tile.ptr_attr<multicast>>>
    %2 = "cuda_tile.constant"() <{value = dense<1> : !cuda_tile.tile<i32>}> : () -> !cuda_tile.tile<i32>
    %3:2 = "cuda_tile.multimem_load_reduce_view_tko"(%1, %2, %2) <{memory_ordering_semantics = #cuda_tile.memory_ordering_semantics<relaxed>, memory_scope = #cuda_tile.memory_scope<sys>, operandSegmentSizes = array<i32: 1, 2, 0>, reduction = #cuda_tile.multimem_reduction_kind<add>}> : (!cuda_tile.partition_view<tile=(8x8), tensor_view<64x64xf32, strides=[64,1], #cuda_tile.ptr_attr<multicast>>>, !cuda_tile.tile<i32>, !cuda_tile.tile<i32>) -> (!cuda_tile.tile<8x8xf32>, !cuda_tile.token)
    "cuda_tile.return"() : () -> ()
  }) : () -> ()
}) : () -> ()

// -----

// multimem_reduce_view_tko
"cuda_tile.module"() <{sym_name = "example"}> ({
  "cuda_tile.entry"() <{function_type = (!cuda_tile.tile<ptr<f32, <multicast>>>) -> (), sym_name = "kernel"}> ({
  ^bb0(%arg0: !cuda_tile.tile<ptr<f32, <multicast>>>):
    %0 = "cuda_tile.make_tensor_view"(%arg0) <{operandSegmentSizes = array<i32: 1, 0, 0>}> : (!cuda_tile.tile<ptr<f32, <multicast>>>) -> !cuda_tile.tensor_view<64x64xf32, strides=[64,1], #cuda_tile.ptr_attr<multicast>>
    %1 = "cuda_tile.make_partition_view"(%0) : (!cuda_tile.tensor_view<64x64xf32, strides=[64,1], #cuda_tile.ptr_attr<multicast>>) -> !cuda_tile.partition_view<tile=(8x8), tensor_view<64x64xf32, strides=[64,1], #cuda_tile.ptr_attr<multicast>>>
    %2 = "cuda_tile.constant"() <{value = dense<1> : !cuda_tile.tile<i32>}> : () -> !cuda_tile.tile<i32>
    %3 = "cuda_tile.constant"() <{value = dense<1.500000e+00> : !cuda_tile.tile<8x8xf32>}> : () -> !cuda_tile.tile<8x8xf32>
    %4 = "cuda_tile.multimem_reduce_view_tko"(%1, %3, %2, %2) <{memory_ordering_semantics = #cuda_tile.memory_ordering_semantics<relaxed>, memory_scope = #cuda_tile.memory_scope<sys>, operandSegmentSizes = array<i32: 1, 1, 2, 0>, reduction = #cuda_tile.multimem_reduction_kind<add>}> : (!cuda_tile.partition_view<tile=(8x8), tensor_view<64x64xf32, strides=[64,1], #cuda_tile.ptr_attr<multicast>>>, !cuda_tile.tile<8x8xf32>, !cuda_tile.tile<i32>, !cuda_tile.tile<i32>) -> !cuda_tile.token
    "cuda_tile.return"() : () -> ()
  }) : () -> ()
}) : () -> ()

// -----

// multimem_store_view_tko
"cuda_tile.module"() <{sym_name = "example"}> ({
  "cuda_tile.entry"() <{function_type = (!cuda_tile.tile<ptr<f32, <multicast>>>) -> (), sym_name = "kernel"}> ({
  ^bb0(%arg0: !cuda_tile.tile<ptr<f32, <multicast>>>):
    %0 = "cuda_tile.make_tensor_view"(%arg0) <{operandSegmentSizes = array<i32: 1, 0, 0>}> : (!cuda_tile.tile<ptr<f32, <multicast>>>) -> !cuda_tile.tensor_view<64x64xf32, strides=[64,1], #cuda_tile.ptr_attr<multicast>>
    %1 = "cuda_tile.make_partition_view"(%0) : (!cuda_tile.tensor_view<64x64xf32, strides=[64,1], #cuda_tile.ptr_attr<multicast>>) -> !cuda_tile.partition_view<tile=(8x8), tensor_view<64x64xf32, strides=[64,1], #cuda_tile.ptr_attr<multicast>>>
    %2 = "cuda_tile.constant"() <{value = dense<1> : !cuda_tile.tile<i32>}> : () -> !cuda_tile.tile<i32>
    %3 = "cuda_tile.constant"() <{value = dense<1.500000e+00> : !cuda_tile.tile<8x8xf32>}> : () -> !cuda_tile.tile<8x8xf32>
    %4 = "cuda_tile.multimem_store_view_tko"(%1, %3, %2, %2) <{memory_ordering_semantics = #cuda_tile.memory_ordering_semantics<relaxed>, memory_scope = #cuda_tile.memory_scope<sys>, operandSegmentSizes = array<i32: 1, 1, 2, 0>}> : (!cuda_tile.partition_view<tile=(8x8), tensor_view<64x64xf32, strides=[64,1], #cuda_tile.ptr_attr<multicast>>>, !cuda_tile.tile<8x8xf32>, !cuda_tile.tile<i32>, !cuda_tile.tile<i32>) -> !cuda_tile.token
    "cuda_tile.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
