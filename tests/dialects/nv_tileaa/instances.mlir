"nv_tileaa.make_memref"(%0, %1, %2) <{operandSegmentSizes = array<i32: 1, 0, 1, 1>}> : (!nv_tileaa.ptr<f32, 1>, index, index) -> !nv_tileaa.memref<?x64xf32, strides = [?, 1]>
// -----
"nv_tileaa.make_memref"(%0, %1, %2, %3) <{alias_scope = 3 : i32, operandSegmentSizes = array<i32: 1, 1, 1, 1>}> : (!nv_tileaa.ptr<f32, 1>, i32, i32, i32) -> !nv_tileaa.memref<?x64xf32, strides = [?, 1], alias_scope = 3>
// -----
"nv_tileaa.get_dim_size"(%0) <{dim = 0 : i32}> : (!nv_tileaa.memref<?x64xf32, strides = [?, 1]>) -> index
// -----
"nv_tileaa.block_tile"(%0) <{dimGroups = [array<i64: 0>, array<i64: 1>], tileSizes = array<i64: 8, 64>}> : (!nv_tileaa.memref<?x64xf32, strides = [?, 1]>) -> !nv_tileaa.tiled_view<!nv_tileaa.memref<?x64xf32, strides = [?, 1]>, [8, 64]>
// -----
"nv_tileaa.conv_tile"(%0) <{activation_layout = #nv_tileaa.activation_layout<nhwc>, conv_params = #nv_tileaa.conv_params<[3, 3], [1, 1], [1, 1], [1, 1]>, dimGroups = [array<i64: 0, 1, 2>, array<i64: 3>], tileSizes = array<i64: 16, 32>}> : (!nv_tileaa.memref<4x8x8x32xf16, strides = [2048, 256, 32, 1]>) -> !nv_tileaa.tiled_view<!nv_tileaa.memref<4x8x8x32xf16, strides = [2048, 256, 32, 1]>, [16, 32]>
// -----
"nv_tileaa.global"() <{alignment = 16 : i32, constant, sym_name = "table", sym_visibility = "private", value = dense<[1, 2]> : tensor<2xi32>}> : () -> ()
// -----
"nv_tileaa.constant_tensor"() <{value = dense<[1, 2, 3, 4]> : tensor<4xi32>}> : () -> tensor<4xi32>
// -----
"nv_tileaa.splat"(%0) : (f32) -> tensor<8x64xf32>
// -----
"nv_tileaa.splat"() <{value = 1.000000e+00 : f32}> : () -> tensor<8x64xf32>
// -----
"nv_tileaa.splat"(%0) : (!llvm.ptr<1>) -> tensor<8x!nv_tileaa.ptr<f32, 1>>
// -----
"nv_tileaa.extract"(%0, %1, %2) : (tensor<8x64xf32>, i32, i32) -> f32
// -----
"nv_tileaa.make_range"(%0, %1) : (i32, i32) -> tensor<8xi32>
// -----
"nv_tileaa.addptr"(%0, %1) : (!nv_tileaa.ptr<f32, 1>, i64) -> !nv_tileaa.ptr<f32, 1>
// -----
"nv_tileaa.addptr"(%0, %1) : (tensor<8x!nv_tileaa.ptr<f32, 1>>, tensor<8xi32>) -> tensor<8x!nv_tileaa.ptr<f32, 1>>
// -----
"nv_tileaa.bitcast"(%0) : (tensor<8x64xf32>) -> tensor<8x64xi32>
// -----
"nv_tileaa.bitcast"(%0) : (!nv_tileaa.ptr<f32, 1>) -> !nv_tileaa.ptr<i32, 1>
// -----
"nv_tileaa.ptr_to_int"(%0) : (tensor<8x!nv_tileaa.ptr<f32, 1>>) -> tensor<8xi64>
// -----
"nv_tileaa.int_to_ptr"(%0) : (i64) -> !nv_tileaa.ptr<f32, 1>
// -----
"nv_tileaa.assume"(%0) <{predicates = [#nv_tileaa.div_by<4, every 2 along 0>, #nv_tileaa.bounded<0, ?>, #nv_tileaa.same_elements<[1]>]}> : (tensor<8xi32>) -> tensor<8xi32>
// -----
"nv_tileaa.broadcast"(%0) : (tensor<8x1xf32>) -> tensor<8x64xf32>
// -----
"nv_tileaa.expand_dims"(%0) <{axis = 1 : i32}> : (tensor<8xf32>) -> tensor<8x1xf32>
// -----
"nv_tileaa.permute"(%0) <{permutation = array<i64: 1, 0>}> : (tensor<8x64xf32>) -> tensor<64x8xf32>
// -----
"nv_tileaa.view"(%0) : (tensor<8x64xf32>) -> tensor<512xf32>
// -----
"nv_tileaa.cat"(%0, %1) <{axis = 0 : i32}> : (tensor<8x64xf32>, tensor<8x64xf32>) -> tensor<16x64xf32>
// -----
"nv_tileaa.extract_slice"(%0, %1, %2) <{sizes = array<i64: 4, 32>}> : (tensor<8x64xf32>, index, index) -> tensor<4x32xf32>
// -----
"nv_tileaa.reduce"(%0) <{axis = 1 : i32}> ({
  ^bb0(%a: f32, %b: f32):
    "nv_tileaa.yield"(%a) : (f32) -> ()
  }) : (tensor<8x64xf32>) -> tensor<8xf32>
// -----
"nv_tileaa.scan"(%0) <{axis = 0 : i32, inclusive = false}> ({
  ^bb0(%a: f32, %b: f32):
    "nv_tileaa.yield"(%b) : (f32) -> ()
  }) : (tensor<8x64xf32>) -> tensor<8x64xf32>
// -----
"nv_tileaa.generate"(%0) ({
  ^bb0(%i: index, %a: f32):
    "nv_tileaa.yield"(%i) : (index) -> ()
  }) : (tensor<8xf32>) -> tensor<8xindex>
// -----
"nv_tileaa.addf"(%0, %1) <{rounding_mode = #nv_tileaa.rounding_mode<zero>}> : (tensor<8x64xf32>, tensor<8x64xf32>) -> tensor<8x64xf32>
// -----
"nv_tileaa.subf"(%0, %1) <{rounding_mode = #nv_tileaa.rounding_mode<nearest_even>}> : (tensor<8x64xf32>, tensor<8x64xf32>) -> tensor<8x64xf32>
// -----
"nv_tileaa.mulf"(%0, %1) <{rounding_mode = #nv_tileaa.rounding_mode<positive_inf>}> : (tensor<8x64xf32>, tensor<8x64xf32>) -> tensor<8x64xf32>
// -----
"nv_tileaa.divf"(%0, %1) <{rounding_mode = #nv_tileaa.rounding_mode<approx>}> : (tensor<8x64xf32>, tensor<8x64xf32>) -> tensor<8x64xf32>
// -----
"nv_tileaa.addf"(%0, %1) <{flush_to_zero}> : (f32, f32) -> f32
// -----
"nv_tileaa.fma"(%0, %1, %2) : (tensor<8x64xf32>, tensor<8x64xf32>, tensor<8x64xf32>) -> tensor<8x64xf32>
// -----
"nv_tileaa.sqrt"(%0) <{flush_to_zero, rounding_mode = #nv_tileaa.rounding_mode<approx>}> : (tensor<8xf32>) -> tensor<8xf32>
// -----
"nv_tileaa.rsqrt"(%0) <{flush_to_zero, rounding_mode = #nv_tileaa.rounding_mode<approx>}> : (tensor<8xf32>) -> tensor<8xf32>
// -----
"nv_tileaa.exp2"(%0) <{flush_to_zero, rounding_mode = #nv_tileaa.rounding_mode<approx>}> : (tensor<8xf32>) -> tensor<8xf32>
// -----
"nv_tileaa.clampf"(%0, %1, %2) <{propagate_nan = #nv_tileaa.propagate_nan<all>}> : (tensor<8xf32>, tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
// -----
"nv_tileaa.mulhiui"(%0, %1) : (tensor<8x64xi32>, tensor<8x64xi32>) -> tensor<8x64xi32>
// -----
"nv_tileaa.fp_to_fp"(%0) <{rounding_mode = #nv_tileaa.rounding_mode<zero>}> : (tensor<8xf32>) -> tensor<8xf16>
// -----
"nv_tileaa.dot"(%0, %1, %2) <{input_precision = "tf32", operandSegmentSizes = array<i32: 1, 1, 1, 0, 0>}> : (tensor<16x8xf16>, tensor<8x32xf16>, tensor<16x32xf32>) -> tensor<16x32xf32>
// -----
"nv_tileaa.dot"(%0, %1, %2) <{operandSegmentSizes = array<i32: 1, 1, 1, 0, 0>, signedness_a = #nv_tileaa.signedness<signed>, signedness_b = #nv_tileaa.signedness<unsigned>}> : (tensor<2x16x8xi8>, tensor<2x8x32xi8>, tensor<2x16x32xi32>) -> tensor<2x16x32xi32>
// -----
"nv_tileaa.dot"(%0, %1, %2, %3, %4) <{operandSegmentSizes = array<i32: 1, 1, 1, 1, 1>}> : (tensor<16x64xf4E2M1FN>, tensor<64x32xf4E2M1FN>, tensor<16x32xf32>, tensor<16x2xf8E8M0FNU>, tensor<2x32xf8E8M0FNU>) -> tensor<16x32xf32>
// -----
"nv_tileaa.conv_dot"(%0, %1, %2) <{conv_params = #nv_tileaa.conv_params<[3], [1], [1], [1]>}> : (tensor<16x8xf16>, tensor<8x32xf16>, tensor<16x32xf32>) -> tensor<16x32xf32>
// -----
"nv_tileaa.histogram"(%0, %1) : (tensor<8xi32>, tensor<8xi1>) -> tensor<256xi32>
// -----
"nv_tileaa.elementwise_inline_asm"(%0) <{asm_string = "mov.b32 $0, $1;", constraints = "=r,r", packed_element = 1 : i32, pure}> : (tensor<8xi32>) -> tensor<8xi32>
// -----
"nv_tileaa.extern_elementwise"(%0) <{libname = "libdevice", libpath = "", pure, symbol = "__nv_sinf"}> : (tensor<8xf32>) -> tensor<8xf32>
// -----
"nv_tileaa.call_elementwise_intrinsic"(%0) <{intrinsic = "llvm.sin"}> : (tensor<8xf32>) -> tensor<8xf32>
// -----
"nv_tileaa.optimization_barrier"(%0) : (tensor<8xf32>) -> tensor<8xf32>
// -----
"nv_tileaa.load"(%0) <{operandSegmentSizes = array<i32: 1, 0, 0, 0, 0>}> : (tensor<8x!nv_tileaa.ptr<f32, 1>>) -> tensor<8xf32>
// -----
"nv_tileaa.load"(%0, %1, %2, %3) <{cache_modifier = #nv_tileaa.cache_modifier<cg>, eviction_policy = #nv_tileaa.eviction_policy<first>, mem_scope = #nv_tileaa.mem_scope<gpu>, mem_semantic = #nv_tileaa.mem_semantic<acquire>, operandSegmentSizes = array<i32: 1, 0, 1, 1, 1>}> : (tensor<8x!nv_tileaa.ptr<f32, 1>>, tensor<8xi1>, tensor<8xf32>, !nv_tileaa.mem_token) -> (tensor<8xf32>, !nv_tileaa.mem_token)
// -----
"nv_tileaa.load"(%0, %1, %2) <{operandSegmentSizes = array<i32: 1, 2, 0, 0, 0>}> : (!nv_tileaa.memref<?x64xf32, strides = [?, 1]>, index, index) -> f32
// -----
"nv_tileaa.store"(%0, %1, %2) <{operandSegmentSizes = array<i32: 1, 1, 0, 1, 0>}> : (tensor<8x!nv_tileaa.ptr<f32, 1>>, tensor<8xf32>, tensor<8xi1>) -> ()
// -----
"nv_tileaa.store"(%0, %1, %2) <{mem_scope = #nv_tileaa.mem_scope<tl_blk>, mem_semantic = #nv_tileaa.mem_semantic<release>, operandSegmentSizes = array<i32: 1, 1, 0, 0, 1>}> : (tensor<8x!nv_tileaa.ptr<f32, 1>>, tensor<8xf32>, !nv_tileaa.mem_token) -> !nv_tileaa.mem_token
// -----
"nv_tileaa.tiled_load"(%0, %1, %2) <{in_bounds = array<i1: true, true>, operandSegmentSizes = array<i32: 1, 2, 0>}> : (!nv_tileaa.tiled_view<!nv_tileaa.memref<?x64xf32, strides = [?, 1]>, [8, 64]>, i32, i32) -> (tensor<8x64xf32>, !nv_tileaa.mem_token)
// -----
"nv_tileaa.tiled_load"(%0, %1, %2, %3) <{in_bounds = array<i1: false, true>, operandSegmentSizes = array<i32: 1, 2, 1>, padding_value = #nv_tileaa.padding_value<neg_inf>}> : (!nv_tileaa.tiled_view<!nv_tileaa.memref<?x64xf32, strides = [?, 1]>, [8, 64]>, i32, i32, !nv_tileaa.mem_token) -> tensor<8x64xf32>
// -----
"nv_tileaa.tiled_store"(%0, %1, %2, %3) <{operandSegmentSizes = array<i32: 1, 1, 2, 0>}> : (!nv_tileaa.tiled_view<!nv_tileaa.memref<?x64xf32, strides = [?, 1]>, [8, 64]>, tensor<8x64xf32>, i32, i32) -> !nv_tileaa.mem_token
// -----
"nv_tileaa.tiled_atomic_rmw"(%0, %1, %2, %3, %4) <{mem_scope = #nv_tileaa.mem_scope<gpu>, mem_semantic = #nv_tileaa.mem_semantic<relaxed>, operandSegmentSizes = array<i32: 1, 1, 2, 1>, rmw_mode = #nv_tileaa.rmw_mode<add>}> : (!nv_tileaa.tiled_view<!nv_tileaa.memref<?x64xf32, strides = [?, 1]>, [8, 64]>, tensor<8x64xf32>, i32, i32, !nv_tileaa.mem_token) -> (tensor<8x64xf32>, !nv_tileaa.mem_token)
// -----
"nv_tileaa.atomic_rmw"(%0, %1) <{mem_scope = #nv_tileaa.mem_scope<gpu>, operandSegmentSizes = array<i32: 1, 1, 0, 0, 0>, rmw_mode = #nv_tileaa.rmw_mode<addf>}> : (tensor<8x!nv_tileaa.ptr<f32, 1>>, tensor<8xf32>) -> tensor<8xf32>
// -----
"nv_tileaa.atomic_cas"(%0, %1, %2) <{mem_scope = #nv_tileaa.mem_scope<sys>, operandSegmentSizes = array<i32: 1, 1, 1, 0, 0, 0>}> : (tensor<8x!nv_tileaa.ptr<f32, 1>>, tensor<8xf32>, tensor<8xf32>) -> (tensor<8xf32>, !nv_tileaa.mem_token)
// -----
"nv_tileaa.gather_load"(%0, %1, %2) <{operandSegmentSizes = array<i32: 1, 1, 1, 0, 0>}> : (!nv_tileaa.memref<?x64xf32, strides = [?, 1]>, tensor<8xi32>, index) -> tensor<8x64xf32>
// -----
"nv_tileaa.scatter_store"(%0, %1, %2, %3) <{operandSegmentSizes = array<i32: 1, 1, 1, 1, 0, 0>}> : (!nv_tileaa.memref<?x64xf32, strides = [?, 1]>, tensor<8x64xf32>, tensor<8xi32>, index) -> ()
// -----
"nv_tileaa.create_mem_token"() : () -> !nv_tileaa.mem_token
// -----
"nv_tileaa.join_mem_token"(%0, %1) : (!nv_tileaa.mem_token, !nv_tileaa.mem_token) -> !nv_tileaa.mem_token
// -----
"nv_tileaa.allocate"() <{alignment = 16 : i32, size = 1024 : i32}> : () -> !nv_tileaa.ptr<f32, 1>
// -----
"nv_tileaa.wait_for_grid"(%0) : (!nv_tileaa.mem_token) -> !nv_tileaa.mem_token
// -----
"nv_tileaa.launch_dependents"() : () -> !nv_tileaa.mem_token
// -----
"nv_tileaa.fence_alias"(%0) : (!nv_tileaa.mem_token) -> !nv_tileaa.mem_token
// -----
"nv_tileaa.get_program_id"() <{axis = 0 : i32}> : () -> i32
// -----
"nv_tileaa.get_num_programs"() <{axis = 2 : i32}> : () -> i32
// -----
"nv_tileaa.cancel_next_program_id"() : () -> !nv_tileaa.program_id
// -----
"nv_tileaa.is_valid_program_id"(%0) : (!nv_tileaa.program_id) -> i1
// -----
"nv_tileaa.assert"(%0) <{message = "out of range"}> : (tensor<8xi1>) -> ()
// -----
"nv_tileaa.check"(%0) <{check = "fpcheck", message = "a NaN was born"}> : (tensor<8xi1>) -> ()
// -----
"nv_tileaa.check"(%0, %1, %2) <{check = "promises", message = "it wraps", signedness = #nv_tileaa.signedness<unsigned>}> : (tensor<8xi1>, tensor<8xi32>, i64) -> ()
// -----
%3 = "nv_tileaa.with_operands"(%0, %1, %2) : (tensor<8xi1>, tensor<8xf32>, tensor<8xf32>) -> tensor<8xi1>
// -----
"nv_tileaa.print"(%0, %1) <{format = "x = %f", operandSegmentSizes = array<i32: 1, 1>}> : (tensor<8xf32>, !nv_tileaa.mem_token) -> !nv_tileaa.mem_token
// -----
"nv_tileaa.message"() <{text = "here"}> : () -> ()
// -----
"nv_tileaa.pragma"(%0) <{directives = ["unroll"]}> : (tensor<8xf32>) -> tensor<8xf32>
// -----
"nv_tileaa.inject_ir"(%0) <{text = "nvvm.barrier0"}> : (i32) -> i32
// -----
"nv_tileaa.plugin"(%0) <{resources = {registers = 64 : i32}, sym_name = "p"}> ({
  }) : (tensor<8xf32>) -> tensor<8xf32>
// -----
"nv_tileaa.create_queue"() <{depth = 2 : i32}> : () -> !nv_tileaa.queue<(tensor<8xf32>, i32)>
// -----
"nv_tileaa.mark_for_reuse"(%0, %1) : (!nv_tileaa.queue<(tensor<8xf32>, i32)>, !nv_tileaa.queue<(tensor<8xf32>, i32)>) -> ()
// -----
"nv_tileaa.execute"(%0) ({
  ^bb0(%q: !nv_tileaa.queue<(tensor<8xf32>, i32)>):
    %c0 = "arith.constant"() <{value = 0 : i32}> : () -> i32
    "nv_tileaa.queue.put"(%q, %c0) ({
      %t = "nv_tileaa.splat"() <{value = 1.000000e+00 : f32}> : () -> tensor<8xf32>
      "nv_tileaa.queue.yield"(%t, %c0) : (tensor<8xf32>, i32) -> ()
    }) : (!nv_tileaa.queue<(tensor<8xf32>, i32)>, i32) -> ()
    "nv_tileaa.yield"() : () -> ()
  }, {
  ^bb0(%q: !nv_tileaa.queue<(tensor<8xf32>, i32)>):
    %c0 = "arith.constant"() <{value = 0 : i32}> : () -> i32
    %t:2 = "nv_tileaa.queue.get"(%q, %c0) : (!nv_tileaa.queue<(tensor<8xf32>, i32)>, i32) -> (tensor<8xf32>, i32)
    "nv_tileaa.yield"(%t#0) : (tensor<8xf32>) -> ()
  }) : (!nv_tileaa.queue<(tensor<8xf32>, i32)>) -> tensor<8xf32>
// -----
"builtin.module"() ({
  "nv_tileaa.global"() <{sym_name = "table", value = dense<[1, 2]> : tensor<2xi32>}> : () -> ()
  "nv_tileaa.func"() <{function_type = (!nv_tileaa.ptr<f32, 1>, i32) -> (), kernel_spec = #nv_tileaa.kernel_spec<numWarps=4, clusterDim=[1,1,1]>, sym_name = "kernel"}> ({
  ^bb0(%p: !nv_tileaa.ptr<f32, 1>, %n: i32):
    %g = "nv_tileaa.get_global"() <{name = @table}> : () -> !nv_tileaa.ptr<i32, 1>
    %r = "nv_tileaa.call"(%n) <{callee = @helper}> : (i32) -> i32
    "nv_tileaa.return"() : () -> ()
  }) : () -> ()
  "nv_tileaa.func"() <{function_type = (i32) -> i32, sym_name = "helper", sym_visibility = "private"}> ({
  ^bb0(%n: i32):
    "nv_tileaa.return"(%n) : (i32) -> ()
  }) : () -> ()
  "nv_tileaa.func"() <{function_type = (!nv_tileaa.ptr<f32, 1>, i32) -> (), sym_name = "host"}> ({
  ^bb0(%p: !nv_tileaa.ptr<f32, 1>, %n: i32):
    "nv_tileaa.launch_func"(%n, %n, %n, %p, %n) <{kernel = @kernel}> : (i32, i32, i32, !nv_tileaa.ptr<f32, 1>, i32) -> ()
    "nv_tileaa.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
"nv_tileaa.exp"(%0) <{rounding_mode = #nv_tileaa.rounding_mode<approx>}> : (tensor<8xf32>) -> tensor<8xf32>
// -----
"nv_tileaa.tanh"(%0) <{rounding_mode = #nv_tileaa.rounding_mode<approx>}> : (tensor<8xf32>) -> tensor<8xf32>
// -----
"nv_tileaa.maximumf"(%0, %1) <{flush_to_zero}> : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
// -----
"nv_tileaa.minimumf"(%0, %1) <{flush_to_zero}> : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
// -----
"nv_tileaa.maxnumf"(%0, %1) <{flush_to_zero}> : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
// -----
"nv_tileaa.minnumf"(%0, %1) <{flush_to_zero}> : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
// -----
"nv_tileaa.fptosi"(%0) <{saturating}> : (tensor<8xf32>) -> tensor<8xi32>
// -----
"nv_tileaa.fptoui"(%0) <{saturating}> : (tensor<8xf32>) -> tensor<8xi32>
