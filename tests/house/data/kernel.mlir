"cuda_tile.module"() <{sym_name = "sample"}> ({
  "cuda_tile.entry"() <{sym_name = "scale", function_type = (!cuda_tile.tile<ptr<f32>>, !cuda_tile.tile<f32>) -> ()}> ({
  ^bb0(%base: !cuda_tile.tile<ptr<f32>>, %factor: !cuda_tile.tile<f32>):
    %token = "cuda_tile.make_token"() : () -> !cuda_tile.token
    %offsets = "cuda_tile.iota"() : () -> !cuda_tile.tile<4xi32>
    %one = "cuda_tile.reshape"(%base) : (!cuda_tile.tile<ptr<f32>>) -> !cuda_tile.tile<1xptr<f32>>
    %all = "cuda_tile.broadcast"(%one) : (!cuda_tile.tile<1xptr<f32>>) -> !cuda_tile.tile<4xptr<f32>>
    %addresses = "cuda_tile.offset"(%all, %offsets) : (!cuda_tile.tile<4xptr<f32>>, !cuda_tile.tile<4xi32>) -> !cuda_tile.tile<4xptr<f32>>
    %f1 = "cuda_tile.reshape"(%factor) : (!cuda_tile.tile<f32>) -> !cuda_tile.tile<1xf32>
    %f4 = "cuda_tile.broadcast"(%f1) : (!cuda_tile.tile<1xf32>) -> !cuda_tile.tile<4xf32>
    %values, %loaded = "cuda_tile.load_ptr_tko"(%addresses) <{memory_ordering_semantics = #cuda_tile.memory_ordering_semantics<weak>, operandSegmentSizes = array<i32: 1, 0, 0, 0>}> : (!cuda_tile.tile<4xptr<f32>>) -> (!cuda_tile.tile<4xf32>, !cuda_tile.token)
    %doubled = "cuda_tile.addf"(%values, %values) <{rounding_mode = #cuda_tile.rounding<nearest_even>}> : (!cuda_tile.tile<4xf32>, !cuda_tile.tile<4xf32>) -> !cuda_tile.tile<4xf32>
    %scaled = "cuda_tile.mulf"(%doubled, %f4) <{rounding_mode = #cuda_tile.rounding<nearest_even>}> : (!cuda_tile.tile<4xf32>, !cuda_tile.tile<4xf32>) -> !cuda_tile.tile<4xf32>
    %stored = "cuda_tile.store_ptr_tko"(%addresses, %scaled, %loaded) <{memory_ordering_semantics = #cuda_tile.memory_ordering_semantics<weak>, operandSegmentSizes = array<i32: 1, 1, 0, 1>}> : (!cuda_tile.tile<4xptr<f32>>, !cuda_tile.tile<4xf32>, !cuda_tile.token) -> !cuda_tile.token
    "cuda_tile.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
