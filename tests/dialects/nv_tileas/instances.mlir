"nv_tileas.alloc_tensor"() <{nv_tileas.layout = #nv_tileas.layout<(1,(8,64)),(0,(64,1))>}> : () -> tensor<8x64xf32>
// -----
"nv_tileas.alloc_tensor"() : () -> !nv_tileas.tiled_view<f32, [8, 64], shared>
// -----
"nv_tileas.create_none"() : () -> !nv_tileas.async_token
// -----
"nv_tileas.convert_layout"(%0) <{nv_tileas.layout = #nv_tileas.layout<(1,(8,64)),(0,(64,1))>, source_layout = #nv_tileas.layout<(32,16),(16,1),swizzle<2,4,3>,elem=f32>}> : (tensor<8x64xf32>) -> tensor<8x64xf32>
// -----
"nv_tileas.copy"(%0, %1) <{atom = #nv_tileas<atom cp_async>}> : (!nv_tileas.tiled_view<f32, [8, 64], global>, !nv_tileas.tiled_view<f32, [8, 64], shared>) -> ()
// -----
"nv_tileas.shuffle"(%0) <{atom = #nv_tileas<atom warp_shfl_xor_f32>}> : (tensor<8x64xf32>) -> tensor<8x64xf32>
// -----
"nv_tileas.reinterpret"(%0) : (tensor<8x64xf32>) -> tensor<8x64xi32>
// -----
"nv_tileas.view"(%0) : (!nv_tileaa.memref<?x64xf32, strides = [?, 1]>) -> !nv_tileas.tiled_view<f32, [8, 64], global>
// -----
"nv_tileas.view"(%0) : (tensor<8x64xf32>) -> tensor<512xf32>
// -----
"nv_tileas.expand_dims"(%0) <{axis = 0 : i32}> : (tensor<8xf32>) -> tensor<1x8xf32>
// -----
"nv_tileas.extract_slice"(%0, %1, %2) <{sizes = array<i64: 4, 32>}> : (tensor<8x64xf32>, index, index) -> tensor<4x32xf32>
// -----
"nv_tileas.insert_slice"(%0, %1, %2, %3) <{sizes = array<i64: 4, 32>}> : (tensor<4x32xf32>, tensor<8x64xf32>, index, index) -> tensor<8x64xf32>
// -----
"nv_tileas.dot"(%0, %1, %2, %3) <{atom = #nv_tileas<atom mma_f16_f16_f32>, operandSegmentSizes = array<i32: 1, 1, 1, 1, 0, 0>}> : (tensor<16x8xf16>, tensor<8x32xf16>, tensor<16x32xf32>, i1) -> tensor<16x32xf32>
// -----
"nv_tileas.dot"(%0, %1, %2, %3, %4) <{operandSegmentSizes = array<i32: 1, 1, 1, 0, 1, 1>}> : (tensor<16x64xf4E2M1FN>, tensor<64x32xf4E2M1FN>, tensor<16x32xf32>, tensor<16x2xf8E8M0FNU>, tensor<2x32xf8E8M0FNU>) -> tensor<16x32xf32>
// -----
"nv_tileas.reduce"(%0) <{atom = #nv_tileas<atom warp_shfl_xor_f32>, axis = 1 : i32}> ({
  ^bb0(%a: f32, %b: f32):
    "nv_tileas.yield"(%a) : (f32) -> ()
  }) : (tensor<8x64xf32>) -> tensor<8xf32>
// -----
"nv_tileas.scan"(%0) <{axis = 0 : i32, inclusive = true}> ({
  ^bb0(%a: f32, %b: f32):
    "nv_tileas.yield"(%b) : (f32) -> ()
  }) : (tensor<8x64xf32>) -> tensor<8x64xf32>
// -----
"nv_tileas.generate"() ({
  ^bb0(%i: index):
    "nv_tileas.yield"(%i) : (index) -> ()
  }) : () -> tensor<8xindex>
// -----
"nv_tileas.cancel_next_program_id"() : () -> !nv_tileaa.program_id
// -----
"nv_tileas.pragma"(%0) <{ocgEnterDirectives = ["a"], ocgLeaveDirectives = ["b"]}> : (tensor<8xf32>) -> tensor<8xf32>
// -----
"nv_tileas.load"(%0, %1, %2) <{operandSegmentSizes = array<i32: 1, 0, 1, 1, 0>}> : (tensor<8x!nv_tileaa.ptr<f32, 1>>, tensor<8xi1>, tensor<8xf32>) -> (tensor<8xf32>, !nv_tileaa.mem_token)
// -----
"nv_tileas.store"(%0, %1, %2) <{operandSegmentSizes = array<i32: 1, 1, 0, 0, 1>}> : (tensor<8x!nv_tileaa.ptr<f32, 1>>, tensor<8xf32>, !nv_tileaa.mem_token) -> !nv_tileaa.mem_token
// -----
"nv_tileas.gather_load"(%0, %1, %2) <{operandSegmentSizes = array<i32: 1, 1, 1, 0, 0>}> : (!nv_tileas.tiled_view<f32, [8, 64], global>, tensor<8xi32>, index) -> tensor<8x64xf32>
// -----
"nv_tileas.scatter_store"(%0, %1, %2, %3) <{operandSegmentSizes = array<i32: 1, 1, 1, 1, 0, 0>}> : (!nv_tileas.tiled_view<f32, [8, 64], global>, tensor<8x64xf32>, tensor<8xi32>, index) -> ()
// -----
"nv_tileas.tiled_load"(%0, %1, %2, %3) <{nv_tileas.layout = #nv_tileas.layout<(1,(8,64)),(0,(64,1))>, operandSegmentSizes = array<i32: 1, 2, 0, 1>}> : (!nv_tileas.tiled_view<f32, [8, 64], global>, i32, i32, !nv_tileaa.mem_token) -> (tensor<8x64xf32>, !nv_tileaa.mem_token)
// -----
"nv_tileas.tiled_store"(%0, %1, %2, %3) <{mem_scope = #nv_tileaa.mem_scope<gpu>, mem_semantic = #nv_tileaa.mem_semantic<relaxed>, operandSegmentSizes = array<i32: 1, 1, 2, 0, 0>}> : (!nv_tileas.tiled_view<f32, [8, 64], global>, tensor<8x64xf32>, i32, i32) -> !nv_tileaa.mem_token
// -----
"nv_tileas.tiled_atomic_rmw"(%0, %1, %2, %3) <{operandSegmentSizes = array<i32: 1, 1, 2, 0>, rmw_mode = #nv_tileaa.rmw_mode<max>}> : (!nv_tileas.tiled_view<f32, [8, 64], global>, tensor<8x64xf32>, i32, i32) -> tensor<8x64xf32>
// -----
"nv_tileas.make_tiled_tma_desc"(%0, %1, %2) <{oob_mode = #nv_tileas.oob_mode<nan>, swizzle_mode = #nv_tileas.swizzle_mode<"128B">, tmaIdx = 0 : i32}> : (!nv_tileaa.tiled_view<!nv_tileaa.memref<?x64xf32, strides = [?, 1]>, [8, 64]>, i32, i32) -> !nv_tileas.tma_desc<f32, [8, 64]>
// -----
"nv_tileas.async.cancel_next_program_id"(%0) : (!nv_tileas.tiled_view<f32, [8, 64], shared>) -> !nv_tileas.async_token
// -----
"nv_tileas.async.copy"(%0, %1) <{atom = #nv_tileas<atom cp_async>}> : (!nv_tileas.tiled_view<f32, [8, 64], global>, !nv_tileas.tiled_view<f32, [8, 64], shared>) -> !nv_tileas.async_token
// -----
"nv_tileas.async.dot"(%0, %1, %2) <{signedness_a = #nv_tileaa.signedness<signed>, signedness_b = #nv_tileaa.signedness<signed>}> : (tensor<16x8xi8>, tensor<8x32xi8>, tensor<16x32xi32>) -> (tensor<16x32xi32>, !nv_tileas.async_token)
// -----
"nv_tileas.async.dot"(%0, %1, %2, %3) : (!nv_tileas.tiled_view<f32, [8, 64], shared>, !nv_tileas.tiled_view<f32, [8, 64], shared>, tensor<8x8xf32>, i1) -> (tensor<8x8xf32>, !nv_tileas.async_token)
// -----
"nv_tileas.async.extract_slice"(%0, %1, %2, %3) <{sizes = array<i64: 4, 32>}> : (tensor<8x64xf32>, !nv_tileas.async_token, index, index) -> (tensor<4x32xf32>, !nv_tileas.async_token)
// -----
"nv_tileas.async.insert_slice"(%0, %1, %2, %3, %4) <{sizes = array<i64: 4, 32>}> : (tensor<4x32xf32>, tensor<8x64xf32>, !nv_tileas.async_token, index, index) -> (tensor<8x64xf32>, !nv_tileas.async_token)
// -----
"nv_tileas.async.future_wait"(%0, %1) : (!nv_tileas.async_token, tensor<8x64xf32>) -> tensor<8x64xf32>
// -----
"nv_tileas.async.wait"(%0, %1) : (!nv_tileas.async_token, !nv_tileas.async_token) -> ()
// -----
"nv_tileas.async.to_async"(%0, %1) : (tensor<8x64xf32>, !nv_tileas.async_token) -> (tensor<8x64xf32>, !nv_tileas.async_token)
// -----
"nv_tileas.async.token_to_async"(%0) : (!nv_tileaa.mem_token) -> !nv_tileas.async_token
// -----
"nv_tileas.async.load"(%0, %1, %2) <{operandSegmentSizes = array<i32: 1, 1, 1, 0>}> : (tensor<8x!nv_tileaa.ptr<f32, 1>>, !nv_tileas.tiled_view<f32, [8], shared>, tensor<8xi1>) -> !nv_tileas.async_token
// -----
"nv_tileas.async.store"(%0, %1) : (tensor<8x!nv_tileaa.ptr<f32, 1>>, !nv_tileas.tiled_view<f32, [8], shared>) -> !nv_tileas.async_token
// -----
"nv_tileas.async.tiled_load"(%0, %1, %2, %3) : (!nv_tileas.tiled_view<f32, [8, 64], global>, !nv_tileas.tiled_view<f32, [8, 64], shared>, i32, i32) -> !nv_tileas.async_token
// -----
"nv_tileas.async.tiled_atomic_rmw"(%0, %1, %2, %3) <{atom = #nv_tileas<atom tma_reduce>, rmw_mode = #nv_tileaa.rmw_mode<add>}> : (!nv_tileas.tma_desc<f32, [8, 64]>, !nv_tileas.tiled_view<f32, [8, 64], shared>, i32, i32) -> !nv_tileas.async_token
// -----
"nv_tileas.async.tiled_tma_load"(%0, %1, %2, %3, %4) <{atom = #nv_tileas<atom sm90_tma_load_2d>, operandSegmentSizes = array<i32: 1, 1, 2, 1>, padding_value = #nv_tileaa.padding_value<zero>}> : (!nv_tileas.tma_desc<f32, [8, 64]>, !nv_tileas.tiled_view<f32, [8, 64], shared>, i32, i32, i64) -> !nv_tileas.async_token
// -----
"nv_tileas.async.tiled_tma_store"(%0, %1, %2, %3) <{atom = #nv_tileas<atom tma_store>}> : (!nv_tileas.tma_desc<f32, [8, 64]>, !nv_tileas.tiled_view<f32, [8, 64], shared>, i32, i32) -> !nv_tileas.async_token
// -----
"nv_tileas.async.gather_tma_load"(%0, %1, %2, %3) <{atom = #nv_tileas<atom tma_load>, operandSegmentSizes = array<i32: 1, 1, 1, 1, 0>}> : (!nv_tileas.tma_desc<f32, [8, 64]>, !nv_tileas.tiled_view<f32, [8, 64], shared>, tensor<8xi32>, i32) -> !nv_tileas.async_token
// -----
"nv_tileas.async.scatter_tma_store"(%0, %1, %2, %3) <{atom = #nv_tileas<atom tma_store>}> : (!nv_tileas.tma_desc<f32, [8, 64]>, !nv_tileas.tiled_view<f32, [8, 64], shared>, tensor<8xi32>, i32) -> !nv_tileas.async_token
// -----
"nv_tileas.async.pipeline.create_pipeline"() <{consumerGroupId = 1 : i32, numStages = 3 : i32, producerGroupId = 0 : i32, sharedMem}> : () -> !nv_tileas.pipeline<(tensor<8xf32>), 3>
// -----
"nv_tileas.async.pipeline.create_iterator"(%0) : (!nv_tileas.pipeline<(tensor<8xf32>), 3>) -> !nv_tileas.pipeline_iterator<tensor<8xf32>, 3>
// -----
"nv_tileas.async.pipeline.inc_iter"(%0) : (!nv_tileas.pipeline_iterator<tensor<8xf32>, 3>) -> !nv_tileas.pipeline_iterator<tensor<8xf32>, 3>
// -----
"nv_tileas.async.pipeline.create_null_token"() : () -> !nv_tileas.async_token
// -----
"nv_tileas.async.pipeline.producer_acquire"(%0, %1) : (!nv_tileas.pipeline<(tensor<8xf32>), 3>, !nv_tileas.pipeline_iterator<tensor<8xf32>, 3>) -> !nv_tileas.producer_token
// -----
"nv_tileas.async.pipeline.producer_write"(%0, %1) <{producer_types = [tensor<8xf32>]}> ({
  ^bb0(%a: tensor<8xf32>):
    "nv_tileas.async.pipeline.yield"(%a) : (tensor<8xf32>) -> ()
  }) : (!nv_tileas.producer_token, !nv_tileas.pipeline<(tensor<8xf32>), 3>) -> (!nv_tileas.producer_token, tensor<8xf32>)
// -----
"nv_tileas.async.pipeline.producer_commit"(%0, %1) : (!nv_tileas.pipeline<(tensor<8xf32>), 3>, !nv_tileas.producer_token) -> ()
// -----
"nv_tileas.async.pipeline.consumer_wait"(%0, %1) <{consumer_idx = 0 : i32}> : (!nv_tileas.pipeline<(tensor<8xf32>), 3>, !nv_tileas.pipeline_iterator<tensor<8xf32>, 3>) -> !nv_tileas.consumer_token
// -----
"nv_tileas.async.pipeline.consumer_read"(%0, %1) <{consumer_idx = 0 : i32, consumer_types = [tensor<8xf32>]}> ({
  ^bb0(%a: tensor<8xf32>):
    "nv_tileas.async.pipeline.yield"(%a) : (tensor<8xf32>) -> ()
  }) : (!nv_tileas.consumer_token, !nv_tileas.pipeline<(tensor<8xf32>), 3>) -> (!nv_tileas.consumer_token, tensor<8xf32>)
// -----
"nv_tileas.async.pipeline.consumer_release"(%0, %1) <{consumer_idx = 0 : i32}> : (!nv_tileas.pipeline<(tensor<8xf32>), 3>, !nv_tileas.consumer_token) -> ()
// -----
"nv_tileas.async.pipeline.produce_one"(%0, %1) <{producer_types = [tensor<8xf32>]}> ({
  ^bb0(%a: !nv_tileas.pipeline_iterator<tensor<8xf32>, 3>):
    %v = "nv_tileas.alloc_tensor"() : () -> tensor<8xf32>
    "nv_tileas.async.pipeline.yield"(%v) : (tensor<8xf32>) -> ()
  }) : (!nv_tileas.pipeline<(tensor<8xf32>), 3>, !nv_tileas.pipeline_iterator<tensor<8xf32>, 3>) -> tensor<8xf32>
// -----
"nv_tileas.async.pipeline.produce_one_async"(%0, %1) <{producer_types = [tensor<8xf32>]}> ({
  ^bb0(%a: !nv_tileas.pipeline_iterator<tensor<8xf32>, 3>):
    %v = "nv_tileas.alloc_tensor"() : () -> tensor<8xf32>
    "nv_tileas.async.pipeline.yield"(%v) : (tensor<8xf32>) -> ()
  }) : (!nv_tileas.pipeline<(tensor<8xf32>), 3>, !nv_tileas.pipeline_iterator<tensor<8xf32>, 3>) -> (!nv_tileas.async_token, tensor<8xf32>)
// -----
"nv_tileas.async.pipeline.consume_one"(%0, %1) <{consumer_types = [tensor<8xf32>]}> ({
  ^bb0(%a: !nv_tileas.pipeline_iterator<tensor<8xf32>, 3>):
    %v = "nv_tileas.alloc_tensor"() : () -> tensor<8xf32>
    "nv_tileas.async.pipeline.yield"(%v) : (tensor<8xf32>) -> ()
  }) : (!nv_tileas.pipeline<(tensor<8xf32>), 3>, !nv_tileas.pipeline_iterator<tensor<8xf32>, 3>) -> tensor<8xf32>
// -----
"nv_tileas.async.pipeline.consume_one_async"(%0, %1) <{consumer_types = [tensor<8xf32>]}> ({
  ^bb0(%a: !nv_tileas.pipeline_iterator<tensor<8xf32>, 3>):
    %v = "nv_tileas.alloc_tensor"() : () -> tensor<8xf32>
    "nv_tileas.async.pipeline.yield"(%v) : (tensor<8xf32>) -> ()
  }) : (!nv_tileas.pipeline<(tensor<8xf32>), 3>, !nv_tileas.pipeline_iterator<tensor<8xf32>, 3>) -> (!nv_tileas.async_token, tensor<8xf32>)
// -----
"nv_tileas.async.pipeline.agent_switch"(%0) <{isolated, max_regs = array<i64: 40, 232>, num_agents_per_group = array<i64: 1, 1>, num_warps = array<i64: 4, -1>}> ({
  ^bb0(%p: !nv_tileas.pipeline<(tensor<8xf32>), 3>):
    "nv_tileas.async.pipeline.yield"() : () -> ()
  }, {
  ^bb0(%p: !nv_tileas.pipeline<(tensor<8xf32>), 3>):
    "nv_tileas.async.pipeline.yield"() : () -> ()
  }) : (!nv_tileas.pipeline<(tensor<8xf32>), 3>) -> ()
// -----
"nv_tileas.cmpf"(%0, %1) <{fastmath = #arith.fastmath<nnan>, nv_tileas.layout = #nv_tileas.layout<(1,(8,64)),(0,(64,1))>, predicate = 4 : i64}> : (tensor<8x64xf32>, tensor<8x64xf32>) -> tensor<8x64xi1>
// -----
"nv_tileas.cmpi"(%0, %1) <{nv_tileas.layout = #nv_tileas.layout<(1,(8,64)),(0,(64,1))>, predicate = 4 : i64}> : (tensor<8x64xi32>, tensor<8x64xi32>) -> tensor<8x64xi1>
// -----
"nv_tileas.addf"(%0, %1) <{fastmath = #arith.fastmath<nnan>, nv_tileas.layout = #nv_tileas.layout<(1,(8,64)),(0,(64,1))>}> : (tensor<8x64xf32>, tensor<8x64xf32>) -> tensor<8x64xf32>
// -----
"nv_tileas.addi"(%0, %1) <{nv_tileas.layout = #nv_tileas.layout<(1,(8,64)),(0,(64,1))>, overflowFlags = #arith.overflow<nsw>}> : (tensor<8x64xi32>, tensor<8x64xi32>) -> tensor<8x64xi32>
// -----
"nv_tileas.andi"(%0, %1) <{nv_tileas.layout = #nv_tileas.layout<(1,(8,64)),(0,(64,1))>}> : (tensor<8x64xi32>, tensor<8x64xi32>) -> tensor<8x64xi32>
// -----
"nv_tileas.bitcast"(%0) <{nv_tileas.layout = #nv_tileas.layout<(1,(8,64)),(0,(64,1))>}> : (tensor<8x64xf32>) -> tensor<8x64xi32>
// -----
"nv_tileas.ceildivsi"(%0, %1) <{nv_tileas.layout = #nv_tileas.layout<(1,(8,64)),(0,(64,1))>}> : (tensor<8x64xi32>, tensor<8x64xi32>) -> tensor<8x64xi32>
// -----
"nv_tileas.ceildivui"(%0, %1) <{nv_tileas.layout = #nv_tileas.layout<(1,(8,64)),(0,(64,1))>}> : (tensor<8x64xi32>, tensor<8x64xi32>) -> tensor<8x64xi32>
// -----
"nv_tileas.divf"(%0, %1) <{fastmath = #arith.fastmath<nnan>, nv_tileas.layout = #nv_tileas.layout<(1,(8,64)),(0,(64,1))>}> : (tensor<8x64xf32>, tensor<8x64xf32>) -> tensor<8x64xf32>
// -----
"nv_tileas.divsi"(%0, %1) <{isExact, nv_tileas.layout = #nv_tileas.layout<(1,(8,64)),(0,(64,1))>}> : (tensor<8x64xi32>, tensor<8x64xi32>) -> tensor<8x64xi32>
// -----
"nv_tileas.divui"(%0, %1) <{isExact, nv_tileas.layout = #nv_tileas.layout<(1,(8,64)),(0,(64,1))>}> : (tensor<8x64xi32>, tensor<8x64xi32>) -> tensor<8x64xi32>
// -----
"nv_tileas.extf"(%0) <{fastmath = #arith.fastmath<nnan>, nv_tileas.layout = #nv_tileas.layout<(1,(8,64)),(0,(64,1))>}> : (tensor<8x64xf16>) -> tensor<8x64xf32>
// -----
"nv_tileas.extsi"(%0) <{nv_tileas.layout = #nv_tileas.layout<(1,(8,64)),(0,(64,1))>}> : (tensor<8x64xi8>) -> tensor<8x64xi32>
// -----
"nv_tileas.extui"(%0) <{nv_tileas.layout = #nv_tileas.layout<(1,(8,64)),(0,(64,1))>}> : (tensor<8x64xi8>) -> tensor<8x64xi32>
// -----
"nv_tileas.floordivsi"(%0, %1) <{nv_tileas.layout = #nv_tileas.layout<(1,(8,64)),(0,(64,1))>}> : (tensor<8x64xi32>, tensor<8x64xi32>) -> tensor<8x64xi32>
// -----
"nv_tileas.fptosi"(%0) <{nv_tileas.layout = #nv_tileas.layout<(1,(8,64)),(0,(64,1))>}> : (tensor<8x64xf32>) -> tensor<8x64xi32>
// -----
"nv_tileas.fptoui"(%0) <{nv_tileas.layout = #nv_tileas.layout<(1,(8,64)),(0,(64,1))>}> : (tensor<8x64xf32>) -> tensor<8x64xi32>
// -----
"nv_tileas.maximumf"(%0, %1) <{fastmath = #arith.fastmath<nnan>, nv_tileas.layout = #nv_tileas.layout<(1,(8,64)),(0,(64,1))>}> : (tensor<8x64xf32>, tensor<8x64xf32>) -> tensor<8x64xf32>
// -----
"nv_tileas.maxnumf"(%0, %1) <{fastmath = #arith.fastmath<nnan>, nv_tileas.layout = #nv_tileas.layout<(1,(8,64)),(0,(64,1))>}> : (tensor<8x64xf32>, tensor<8x64xf32>) -> tensor<8x64xf32>
// -----
"nv_tileas.maxsi"(%0, %1) <{nv_tileas.layout = #nv_tileas.layout<(1,(8,64)),(0,(64,1))>}> : (tensor<8x64xi32>, tensor<8x64xi32>) -> tensor<8x64xi32>
// -----
"nv_tileas.maxui"(%0, %1) <{nv_tileas.layout = #nv_tileas.layout<(1,(8,64)),(0,(64,1))>}> : (tensor<8x64xi32>, tensor<8x64xi32>) -> tensor<8x64xi32>
// -----
"nv_tileas.minimumf"(%0, %1) <{fastmath = #arith.fastmath<nnan>, nv_tileas.layout = #nv_tileas.layout<(1,(8,64)),(0,(64,1))>}> : (tensor<8x64xf32>, tensor<8x64xf32>) -> tensor<8x64xf32>
// -----
"nv_tileas.minnumf"(%0, %1) <{fastmath = #arith.fastmath<nnan>, nv_tileas.layout = #nv_tileas.layout<(1,(8,64)),(0,(64,1))>}> : (tensor<8x64xf32>, tensor<8x64xf32>) -> tensor<8x64xf32>
// -----
"nv_tileas.minsi"(%0, %1) <{nv_tileas.layout = #nv_tileas.layout<(1,(8,64)),(0,(64,1))>}> : (tensor<8x64xi32>, tensor<8x64xi32>) -> tensor<8x64xi32>
// -----
"nv_tileas.minui"(%0, %1) <{nv_tileas.layout = #nv_tileas.layout<(1,(8,64)),(0,(64,1))>}> : (tensor<8x64xi32>, tensor<8x64xi32>) -> tensor<8x64xi32>
// -----
"nv_tileas.mulf"(%0, %1) <{fastmath = #arith.fastmath<nnan>, nv_tileas.layout = #nv_tileas.layout<(1,(8,64)),(0,(64,1))>}> : (tensor<8x64xf32>, tensor<8x64xf32>) -> tensor<8x64xf32>
// -----
"nv_tileas.muli"(%0, %1) <{nv_tileas.layout = #nv_tileas.layout<(1,(8,64)),(0,(64,1))>, overflowFlags = #arith.overflow<nsw>}> : (tensor<8x64xi32>, tensor<8x64xi32>) -> tensor<8x64xi32>
// -----
"nv_tileas.negf"(%0) <{fastmath = #arith.fastmath<nnan>, nv_tileas.layout = #nv_tileas.layout<(1,(8,64)),(0,(64,1))>}> : (tensor<8x64xf32>) -> tensor<8x64xf32>
// -----
"nv_tileas.ori"(%0, %1) <{nv_tileas.layout = #nv_tileas.layout<(1,(8,64)),(0,(64,1))>}> : (tensor<8x64xi32>, tensor<8x64xi32>) -> tensor<8x64xi32>
// -----
"nv_tileas.remf"(%0, %1) <{fastmath = #arith.fastmath<nnan>, nv_tileas.layout = #nv_tileas.layout<(1,(8,64)),(0,(64,1))>}> : (tensor<8x64xf32>, tensor<8x64xf32>) -> tensor<8x64xf32>
// -----
"nv_tileas.remsi"(%0, %1) <{nv_tileas.layout = #nv_tileas.layout<(1,(8,64)),(0,(64,1))>}> : (tensor<8x64xi32>, tensor<8x64xi32>) -> tensor<8x64xi32>
// -----
"nv_tileas.remui"(%0, %1) <{nv_tileas.layout = #nv_tileas.layout<(1,(8,64)),(0,(64,1))>}> : (tensor<8x64xi32>, tensor<8x64xi32>) -> tensor<8x64xi32>
// -----
"nv_tileas.select"(%0, %1, %2) <{nv_tileas.layout = #nv_tileas.layout<(1,(8,64)),(0,(64,1))>}> : (tensor<8x64xi1>, tensor<8x64xf32>, tensor<8x64xf32>) -> tensor<8x64xf32>
// -----
"nv_tileas.shli"(%0, %1) <{nv_tileas.layout = #nv_tileas.layout<(1,(8,64)),(0,(64,1))>, overflowFlags = #arith.overflow<nsw>}> : (tensor<8x64xi32>, tensor<8x64xi32>) -> tensor<8x64xi32>
// -----
"nv_tileas.shrsi"(%0, %1) <{isExact, nv_tileas.layout = #nv_tileas.layout<(1,(8,64)),(0,(64,1))>}> : (tensor<8x64xi32>, tensor<8x64xi32>) -> tensor<8x64xi32>
// -----
"nv_tileas.shrui"(%0, %1) <{isExact, nv_tileas.layout = #nv_tileas.layout<(1,(8,64)),(0,(64,1))>}> : (tensor<8x64xi32>, tensor<8x64xi32>) -> tensor<8x64xi32>
// -----
"nv_tileas.sitofp"(%0) <{nv_tileas.layout = #nv_tileas.layout<(1,(8,64)),(0,(64,1))>}> : (tensor<8x64xi32>) -> tensor<8x64xf32>
// -----
"nv_tileas.subf"(%0, %1) <{fastmath = #arith.fastmath<nnan>, nv_tileas.layout = #nv_tileas.layout<(1,(8,64)),(0,(64,1))>}> : (tensor<8x64xf32>, tensor<8x64xf32>) -> tensor<8x64xf32>
// -----
"nv_tileas.subi"(%0, %1) <{nv_tileas.layout = #nv_tileas.layout<(1,(8,64)),(0,(64,1))>, overflowFlags = #arith.overflow<nsw>}> : (tensor<8x64xi32>, tensor<8x64xi32>) -> tensor<8x64xi32>
// -----
"nv_tileas.truncf"(%0) <{fastmath = #arith.fastmath<nnan>, nv_tileas.layout = #nv_tileas.layout<(1,(8,64)),(0,(64,1))>, roundingmode = 3 : i32}> : (tensor<8x64xf32>) -> tensor<8x64xf16>
// -----
"nv_tileas.trunci"(%0) <{nv_tileas.layout = #nv_tileas.layout<(1,(8,64)),(0,(64,1))>, overflowFlags = #arith.overflow<nsw>}> : (tensor<8x64xi32>) -> tensor<8x64xi8>
// -----
"nv_tileas.uitofp"(%0) <{nv_tileas.layout = #nv_tileas.layout<(1,(8,64)),(0,(64,1))>}> : (tensor<8x64xi32>) -> tensor<8x64xf32>
// -----
"nv_tileas.xori"(%0, %1) <{nv_tileas.layout = #nv_tileas.layout<(1,(8,64)),(0,(64,1))>}> : (tensor<8x64xi32>, tensor<8x64xi32>) -> tensor<8x64xi32>
// -----
"nv_tileas.sqrt"(%0) <{fastmath = #arith.fastmath<nnan>, flush_to_zero, nv_tileas.layout = #nv_tileas.layout<(1,(8,64)),(0,(64,1))>, rounding_mode = #nv_tileaa.rounding_mode<approx>}> : (tensor<8x64xf32>) -> tensor<8x64xf32>
// -----
"nv_tileas.rsqrt"(%0) <{fastmath = #arith.fastmath<nnan>, flush_to_zero, nv_tileas.layout = #nv_tileas.layout<(1,(8,64)),(0,(64,1))>, rounding_mode = #nv_tileaa.rounding_mode<approx>}> : (tensor<8x64xf32>) -> tensor<8x64xf32>
// -----
"nv_tileas.exp2"(%0) <{fastmath = #arith.fastmath<nnan>, flush_to_zero, nv_tileas.layout = #nv_tileas.layout<(1,(8,64)),(0,(64,1))>, rounding_mode = #nv_tileaa.rounding_mode<approx>}> : (tensor<8x64xf32>) -> tensor<8x64xf32>
// -----
"nv_tileas.exp"(%0) <{fastmath = #arith.fastmath<nnan>, flush_to_zero, nv_tileas.layout = #nv_tileas.layout<(1,(8,64)),(0,(64,1))>, rounding_mode = #nv_tileaa.rounding_mode<approx>}> : (tensor<8x64xf32>) -> tensor<8x64xf32>
// -----
"nv_tileas.tanh"(%0) <{fastmath = #arith.fastmath<nnan>, flush_to_zero, nv_tileas.layout = #nv_tileas.layout<(1,(8,64)),(0,(64,1))>, rounding_mode = #nv_tileaa.rounding_mode<approx>}> : (tensor<8x64xf32>) -> tensor<8x64xf32>
// -----
"nv_tileas.fma"(%0, %1, %2) <{fastmath = #arith.fastmath<nnan>, nv_tileas.layout = #nv_tileas.layout<(1,(8,64)),(0,(64,1))>, rounding_mode = #nv_tileaa.rounding_mode<zero>}> : (tensor<8x64xf32>, tensor<8x64xf32>, tensor<8x64xf32>) -> tensor<8x64xf32>
