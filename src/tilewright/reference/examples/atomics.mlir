// Examples of the group "Atomics": one module per operation, in generic form.

// atomic_cas_tko
"cuda_tile.module"() <{sym_name = "example"}> ({
  "cuda_tile.entry"() <{function_type = (!cuda_tile.tile<ptr<i32>>) -> (), sym_name = "kernel"}> ({
  ^bb0(%arg0: !cuda_tile.tile<ptr<i32>>):
    %0 = "cuda_tile.reshape"(%arg0) : (!cuda_tile.tile<ptr<i32>>) -> !cuda_tile.tile<1xptr<i32>>
    %1 = "cuda_tile.broadcast"(%0) : (!cuda_tile.tile<1xptr<i32>>) -> !cuda_tile.tile<4xptr<i32>>
    %2 = "cuda_tile.iota"() : () -> !cuda_tile.tile<4xi32>
    %3 = "cuda_tile.offset"(%1, %2) : (!cuda_tile.tile<4xptr<i32>>, !cuda_tile.tile<4xi32>) -> !cuda_tile.tile<4xptr<i32>>
    %4 = "cuda_tile.constant"() <{value = dense<0> : !cuda_tile.tile<4xi32>}> : () -> !cuda_tile.tile<4xi32>
    %5 = "cuda_tile.constant"() <{value = dense<1> : !cuda_tile.tile<4xi32>}> : () -> !cuda_tile.tile<4xi32>
    %6:2 = "cuda_tile.atomic_cas_tko"(%3, %4, %5) <{memory_ordering_semantics = #cuda_tile.memory_ordering_semantics<acq_rel>, memory_scope = #cuda_tile.memory_scope<device>, operandSegmentSizes = array<i32: 1, 1, 1, 0, 0>}> : (!cuda_tile.tile<4xptr<i32>>, !cuda_tile.tile<4xi32>, !cuda_tile.tile<4xi32>) -> (!cuda_tile.tile<4xi32>, !cuda_tile.token)
    "cuda_tile.return"() : () -> ()
  }) : () -> ()
}) : () -> ()

// -----

// atomic_rmw_tko
"cuda_tile.module"() <{sym_name = "example"}> ({
  "cuda_tile.entry"() <{function_type = (!cuda_tile.tile<ptr<f32>>) -> (), sym_name = "kernel"}> ({
  ^bb0(%arg0: !cuda_tile.tile<ptr<f32>>):
    %0 = "cuda_tile.reshape"(%arg0) : (!cuda_tile.tile<ptr<f32>>) -> !cuda_tile.tile<1xptr<f32>>
    %1 = "cuda_tile.broadcast"(%0) : (!cuda_tile.tile<1xptr<f32>>) -> !cuda_tile.tile<4xptr<f32>>
    %2 = "cuda_tile.iota"() : () -> !cuda_tile.tile<4xi32>
    %3 = "cuda_tile.offset"(%1, %2) : (!cuda_tile.tile<4xptr<f32>>, !cuda_tile.tile<4xi32>) -> !cuda_tile.tile<4xptr<f32>>
    %4 = "cuda_tile.constant"() <{value = dense<[1.000000e+00, 2.500000e+00, -3.000000e+00, 0.000000e+00]> : !cuda_tile.tile<4xf32>}> : () -> !cuda_tile.tile<4xf32>
    %5:2 = "cuda_tile.atomic_rmw_tko"(%3, %4) <{memory_ordering_semantics = #cuda_tile.memory_ordering_semantics<relaxed>, memory_scope = #cuda_tile.memory_scope<device>, mode = #cuda_tile.atomic_rmw_mode<addf>, operandSegmentSizes = array<i32: 1, 1, 0, 0>}> : (!cuda_tile.tile<4xptr<f32>>, !cuda_tile.tile<4xf32>) -> (!cuda_tile.tile<4xf32>, !cuda_tile.token)
    "cuda_tile.return"() : () -> ()
  }) : () -> ()
}) : () -> ()

// -----

// atomic_red_view_tko
"cuda_tile.module"() <{sym_name = "example"}> ({
  "cuda_tile.entry"() <{function_type = (!cuda_tile.tile<ptr<i32>>) -> (), sym_name = "kernel"}> ({
  ^bb0(%arg0: !cuda_tile.tile<ptr<i32>>):
    %0 = "cuda_tile.make_tensor_view"(%arg0) <{operandSegmentSizes = array<i32: 1, 0, 0>}> : (!cuda_tile.tile<ptr<i32>>) -> !cuda_tile.tensor_view<64x64xi32, strides=[64,1]>
    %1 = "cuda_tile.make_partition_view"(%0) : (!cuda_tile.tensor_view<64x64xi32, strides=[64,1]>) -> !cuda_tile.partition_view<tile=(8x8), tensor_view<64x64xi32, strides=[64,1]>>
    %2 = "cuda_tile.constant"() <{value = dense<1> : !cuda_tile.tile<i32>}> : () -> !cuda_tile.tile<i32>
    %3 = "cuda_tile.constant"() <{value = dense<1> : !cuda_tile.tile<8x8xi32>}> : () -> !cuda_tile.tile<8x8xi32>
    %4 = "cuda_tile.atomic_red_view_tko"(%1, %2, %2, %3) <{memory_ordering_semantics = #cuda_tile.memory_ordering_semantics<relaxed>, memory_scope = #cuda_tile.memory_scope<device>, mode = #cuda_tile.atomic_rmw_mode<add>, operandSegmentSizes = array<i32: 1, 2, 1, 0>}> : (!cuda_tile.partition_view<tile=(8x8), tensor_view<64x64xi32, strides=[64,1]>>, !cuda_tile.tile<i32>, !cuda_tile.tile<i32>, !cuda_tile.tile<8x8xi32>) -> !cuda_tile.token
    "cuda_tile.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
