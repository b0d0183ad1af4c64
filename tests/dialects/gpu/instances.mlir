"builtin.module"() ({
  "gpu.module"() <{sym_name = "m", targets = [#nvvm.target<chip = "sm_90">]}> ({
    "gpu.func"() <{function_type = (memref<4xf32>, index) -> (), known_block_size = array<i32: 128, 1, 1>}> ({
    ^bb0(%arg23: memref<4xf32>, %arg24: index, %arg25: memref<32xf32, #gpu.address_space<workgroup>>, %arg26: memref<1xf32, #gpu.address_space<private>>):
      %11 = "gpu.thread_id"() <{dimension = #gpu<dim x>, upper_bound = 128 : index}> : () -> index
      %12 = "gpu.lane_id"() : () -> index
      "gpu.barrier"() : () -> ()
      "gpu.return"() : () -> ()
    }) {gpu.kernel, sym_name = "k", workgroup_attributions = 1 : i64} : () -> ()
    "gpu.func"() <{function_type = (f32) -> f32}> ({
    ^bb0(%arg22: f32):
      "gpu.return"(%arg22) : (f32) -> ()
    }) {sym_name = "g", workgroup_attributions = 0 : i64} : () -> ()
  }) : () -> ()
  "builtin.module"() ({
    "gpu.module"() <{sym_name = "kernels"}> ({
      "gpu.func"() <{function_type = (i32) -> ()}> ({
      ^bb0(%arg21: i32):
        "gpu.return"() : () -> ()
      }) {gpu.kernel, sym_name = "k", workgroup_attributions = 0 : i64} : () -> ()
    }) : () -> ()
    "func.func"() <{function_type = (index, i32, i32) -> (), sym_name = "main"}> ({
    ^bb0(%arg6: index, %arg7: i32, %arg8: i32):
      %6 = "gpu.wait"() : () -> !gpu.async.token
      "gpu.launch_func"(%arg6, %arg6, %arg6, %arg6, %arg6, %arg6, %arg8, %arg7) <{kernel = @kernels::@k, operandSegmentSizes = array<i32: 0, 1, 1, 1, 1, 1, 1, 0, 0, 0, 1, 1, 0>}> : (index, index, index, index, index, index, i32, i32) -> ()
      %7 = "gpu.launch_func"(%6, %arg6, %arg6, %arg6, %arg6, %arg6, %arg6, %arg6, %arg6, %arg6, %arg7) <{kernel = @kernels::@k, operandSegmentSizes = array<i32: 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 0, 1, 0>}> : (!gpu.async.token, index, index, index, index, index, index, index, index, index, i32) -> !gpu.async.token
      "gpu.launch"(%arg6, %arg6, %arg6, %arg6, %arg6, %arg6) <{operandSegmentSizes = array<i32: 0, 1, 1, 1, 1, 1, 1, 0, 0, 0, 0>}> ({
      ^bb0(%arg9: index, %arg10: index, %arg11: index, %arg12: index, %arg13: index, %arg14: index, %arg15: index, %arg16: index, %arg17: index, %arg18: index, %arg19: index, %arg20: index):
        "gpu.terminator"() : () -> ()
      }) {workgroup_attributions = 0 : i64} : (index, index, index, index, index, index) -> ()
      %8:2 = "gpu.alloc"(%6, %arg6) <{operandSegmentSizes = array<i32: 1, 1, 0>}> : (!gpu.async.token, index) -> (memref<?xf32, 1>, !gpu.async.token)
      %9 = "gpu.alloc"() <{hostShared, operandSegmentSizes = array<i32: 0, 0, 0>}> : () -> memref<4xf32>
      %10 = "gpu.memcpy"(%8#1, %8#0, %8#0) : (!gpu.async.token, memref<?xf32, 1>, memref<?xf32, 1>) -> !gpu.async.token
      "gpu.dealloc"(%9) : (memref<4xf32>) -> ()
      "gpu.wait"(%10) : (!gpu.async.token) -> ()
      "func.return"() : () -> ()
    }) : () -> ()
    "func.func"() <{function_type = (f32, i32, i32) -> (), sym_name = "r"}> ({
    ^bb0(%arg1: f32, %arg2: i32, %arg3: i32):
      %0:2 = "gpu.shuffle"(%arg1, %arg2, %arg3) <{mode = #gpu<shuffle_mode xor>}> : (f32, i32, i32) -> (f32, i1)
      %1:2 = "gpu.rotate"(%arg1) <{offset = 1 : i32, width = 32 : i32}> : (f32) -> (f32, i1)
      %2 = "gpu.all_reduce"(%arg1) <{op = #gpu<all_reduce_op add>, uniform}> ({
      }) : (f32) -> f32
      %3 = "gpu.all_reduce"(%arg1) ({
      ^bb0(%arg4: f32, %arg5: f32):
        "gpu.yield"(%arg4) : (f32) -> ()
      }) : (f32) -> f32
      %4 = "gpu.subgroup_reduce"(%arg1) <{cluster_size = 4 : i32, cluster_stride = 2 : i32, op = #gpu<all_reduce_op maxnumf>}> : (f32) -> f32
      %5 = "gpu.subgroup_broadcast"(%arg1, %arg2) <{broadcast_type = #gpu<broadcast specific_lane>}> : (f32, i32) -> f32
      "gpu.printf"(%arg1) <{format = "x %f"}> : (f32) -> ()
      "func.return"() : () -> ()
    }) : () -> ()
    "func.func"() <{function_type = (index) -> (), sym_name = "w"}> ({
    ^bb0(%arg0: index):
      "gpu.warp_execute_on_lane_0"(%arg0) <{warp_size = 32 : i64}> ({
        "gpu.yield"() : () -> ()
      }) : (index) -> ()
      "func.return"() : () -> ()
    }) : () -> ()
  }) {gpu.container_module} : () -> ()
}) : () -> ()
// -----
"builtin.module"() ({
  "func.func"() <{function_type = () -> (), sym_name = "ids"}> ({
    %0 = "gpu.block_id"() <{dimension = #gpu<dim y>}> : () -> index
    %1 = "gpu.block_dim"() <{dimension = #gpu<dim z>, upper_bound = 64 : index}> : () -> index
    %2 = "gpu.grid_dim"() <{dimension = #gpu<dim x>}> : () -> index
    %3 = "gpu.global_id"() <{dimension = #gpu<dim x>}> : () -> index
    %4 = "gpu.cluster_id"() <{dimension = #gpu<dim x>}> : () -> index
    %5 = "gpu.cluster_dim"() <{dimension = #gpu<dim x>}> : () -> index
    %6 = "gpu.cluster_dim_blocks"() <{dimension = #gpu<dim x>}> : () -> index
    %7 = "gpu.cluster_block_id"() <{dimension = #gpu<dim x>}> : () -> index
    %8 = "gpu.subgroup_id"() : () -> index
    %9 = "gpu.num_subgroups"() <{upper_bound = 32 : index}> : () -> index
    %10 = "gpu.subgroup_size"() : () -> index
    %11 = "gpu.lane_id"() <{upper_bound = 32 : index}> : () -> index
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
"builtin.module"() ({
  "func.func"() <{function_type = (memref<4xf32>, f32, memref<*xf32>, i32) -> (), sym_name = "mem"}> ({
  ^bb0(%arg0: memref<4xf32>, %arg1: f32, %arg2: memref<*xf32>, %arg3: i32):
    "gpu.memset"(%arg0, %arg1) : (memref<4xf32>, f32) -> ()
    "gpu.host_register"(%arg2) : (memref<*xf32>) -> ()
    "gpu.host_unregister"(%arg2) : (memref<*xf32>) -> ()
    %0 = "gpu.dynamic_shared_memory"() : () -> memref<?xi8, #gpu.address_space<workgroup>>
    "gpu.set_default_device"(%arg3) : (i32) -> ()
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
"builtin.module"() ({
  "func.func"() <{function_type = (memref<32x32xf16>, index, f16) -> (), sym_name = "mma"}> ({
  ^bb0(%arg0: memref<32x32xf16>, %arg1: index, %arg2: f16):
    %0 = "gpu.subgroup_mma_load_matrix"(%arg0, %arg1, %arg1) <{leadDimension = 32 : index}> : (memref<32x32xf16>, index, index) -> !gpu.mma_matrix<16x16xf16, "AOp">
    %1 = "gpu.subgroup_mma_load_matrix"(%arg0, %arg1, %arg1) <{leadDimension = 32 : index, transpose}> : (memref<32x32xf16>, index, index) -> !gpu.mma_matrix<16x16xf16, "BOp">
    %2 = "gpu.subgroup_mma_constant_matrix"(%arg2) : (f16) -> !gpu.mma_matrix<16x16xf16, "COp">
    %3 = "gpu.subgroup_mma_compute"(%0, %1, %2) <{a_transpose}> : (!gpu.mma_matrix<16x16xf16, "AOp">, !gpu.mma_matrix<16x16xf16, "BOp">, !gpu.mma_matrix<16x16xf16, "COp">) -> !gpu.mma_matrix<16x16xf16, "COp">
    %4 = "gpu.subgroup_mma_elementwise"(%3, %2) <{opType = #gpu<mma_element_wise addf>}> : (!gpu.mma_matrix<16x16xf16, "COp">, !gpu.mma_matrix<16x16xf16, "COp">) -> !gpu.mma_matrix<16x16xf16, "COp">
    %5 = "gpu.subgroup_mma_extract_thread_local"(%4, %arg1) : (!gpu.mma_matrix<16x16xf16, "COp">, index) -> f16
    %6 = "gpu.subgroup_mma_insert_thread_local"(%5, %4, %arg1) : (f16, !gpu.mma_matrix<16x16xf16, "COp">, index) -> !gpu.mma_matrix<16x16xf16, "COp">
    "gpu.subgroup_mma_store_matrix"(%6, %arg0, %arg1, %arg1) <{leadDimension = 32 : index}> : (!gpu.mma_matrix<16x16xf16, "COp">, memref<32x32xf16>, index, index) -> ()
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
"builtin.module"() ({
  "test.op"() {mapping = [#gpu.thread<x>, #gpu.block<linear_dim_0>, #gpu.warp<y>, #gpu.lane<x>, #gpu.warpgroup<z>, #gpu.memory_space<workgroup>]} : () -> ()
}) : () -> ()
// -----
"builtin.module"() ({
  "gpu.module"() <{sym_name = "m", targets = [#nvvm.target<chip = "sm_90">]}> ({
    "gpu.func"() <{arg_attrs = [{llvm.noundef}, {}], function_type = (f32, memref<?xf32>) -> (), known_block_size = array<i32: 128, 1, 1>, workgroup_attrib_attrs = [{llvm.align = 16 : i64}, {}]}> ({
    ^bb0(%arg61: f32, %arg62: memref<?xf32>, %arg63: memref<32xf32, 3>, %arg64: memref<3xf32, 3>, %arg65: memref<1xf32, 5>):
      "gpu.return"() : () -> ()
    }) {gpu.kernel, sym_name = "k", workgroup_attributions = 2 : i64, x} : () -> ()
    "gpu.func"() <{function_type = (f32) -> (f32, i32), res_attrs = [{llvm.x}, {}]}> ({
    ^bb0(%arg60: f32):
      %28 = "arith.constant"() <{value = 1 : i32}> : () -> i32
      "gpu.return"(%arg60, %28) : (f32, i32) -> ()
    }) {sym_name = "d", workgroup_attributions = 0 : i64} : () -> ()
    "gpu.func"() <{function_type = (f32) -> f32}> ({
    ^bb0(%arg58: f32, %arg59: memref<1xf32, 5>):
      "gpu.return"(%arg58) : (f32) -> ()
    }) {sym_name = "d2", workgroup_attributions = 0 : i64} : () -> ()
    "gpu.func"() <{function_type = () -> ()}> ({
      "gpu.return"() : () -> ()
    }) {gpu.kernel, sym_name = "e", workgroup_attributions = 0 : i64} : () -> ()
  }) {a} : () -> ()
  "func.func"() <{function_type = (index, i32, f32, memref<?xf32>, i64, !gpu.async.token, memref<4x?x?xf32>, !llvm.ptr, vector<4xf32>) -> (), sym_name = "f"}> ({
  ^bb0(%arg0: index, %arg1: i32, %arg2: f32, %arg3: memref<?xf32>, %arg4: i64, %arg5: !gpu.async.token, %arg6: memref<4x?x?xf32>, %arg7: !llvm.ptr, %arg8: vector<4xf32>):
    "gpu.launch"(%arg0, %arg0, %arg0, %arg0, %arg0, %arg0) <{operandSegmentSizes = array<i32: 0, 1, 1, 1, 1, 1, 1, 0, 0, 0, 0>}> ({
    ^bb0(%arg46: index, %arg47: index, %arg48: index, %arg49: index, %arg50: index, %arg51: index, %arg52: index, %arg53: index, %arg54: index, %arg55: index, %arg56: index, %arg57: index):
      "gpu.terminator"() : () -> ()
    }) {workgroup_attributions = 0 : i64} : (index, index, index, index, index, index) -> ()
    %0 = "gpu.launch"(%arg5, %arg0, %arg0, %arg0, %arg0, %arg0, %arg0, %arg0, %arg0, %arg0, %arg1) <{function = @r, module = @q, operandSegmentSizes = array<i32: 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1>}> ({
    ^bb0(%arg26: index, %arg27: index, %arg28: index, %arg29: index, %arg30: index, %arg31: index, %arg32: index, %arg33: index, %arg34: index, %arg35: index, %arg36: index, %arg37: index, %arg38: index, %arg39: index, %arg40: index, %arg41: index, %arg42: index, %arg43: index, %arg44: memref<32xf32, 3>, %arg45: memref<1xf32, 5>):
      %27 = "arith.addi"(%arg26, %arg38) <{overflowFlags = #arith.overflow<none>}> : (index, index) -> index
      "gpu.terminator"() : () -> ()
    }) {foo, workgroup_attributions = 1 : i64} : (!gpu.async.token, index, index, index, index, index, index, index, index, index, i32) -> !gpu.async.token
    %1 = "gpu.launch"(%arg0, %arg0, %arg0, %arg0, %arg0, %arg0) <{operandSegmentSizes = array<i32: 0, 1, 1, 1, 1, 1, 1, 0, 0, 0, 0>}> ({
    ^bb0(%arg12: index, %arg13: index, %arg14: index, %arg15: index, %arg16: index, %arg17: index, %arg18: index, %arg19: index, %arg20: index, %arg21: index, %arg22: index, %arg23: index, %arg24: memref<1xf32, 5>, %arg25: memref<1xf32, 5>):
      "gpu.terminator"() : () -> ()
    }) {workgroup_attributions = 0 : i64} : (index, index, index, index, index, index) -> !gpu.async.token
    "gpu.launch_func"(%arg0, %arg0, %arg0, %arg0, %arg0, %arg0, %arg2, %arg3) <{kernel = @m::@k, operandSegmentSizes = array<i32: 0, 1, 1, 1, 1, 1, 1, 0, 0, 0, 0, 2, 0>}> : (index, index, index, index, index, index, f32, memref<?xf32>) -> ()
    "gpu.launch_func"(%arg0, %arg0, %arg0, %arg0, %arg0, %arg0, %arg1) <{kernel = @m::@e, operandSegmentSizes = array<i32: 0, 1, 1, 1, 1, 1, 1, 0, 0, 0, 1, 0, 0>}> {z} : (index, index, index, index, index, index, i32) -> ()
    %2 = "gpu.launch_func"(%arg5, %0, %arg4, %arg4, %arg4, %arg4, %arg4, %arg4, %arg4, %arg4, %arg4) <{kernel = @m::@e, operandSegmentSizes = array<i32: 2, 1, 1, 1, 1, 1, 1, 1, 1, 1, 0, 0, 0>}> : (!gpu.async.token, !gpu.async.token, i64, i64, i64, i64, i64, i64, i64, i64, i64) -> !gpu.async.token
    "gpu.launch_func"(%arg0, %arg0, %arg0, %arg0, %arg0, %arg0, %arg7) <{kernel = @m::@e, operandSegmentSizes = array<i32: 0, 1, 1, 1, 1, 1, 1, 0, 0, 0, 0, 0, 1>}> : (index, index, index, index, index, index, !llvm.ptr) -> ()
    "gpu.launch_func"(%arg5, %arg0, %arg0, %arg0, %arg0, %arg0, %arg0, %arg0, %arg0, %arg0) <{kernel = @m::@e, operandSegmentSizes = array<i32: 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 0, 0, 0>}> : (!gpu.async.token, index, index, index, index, index, index, index, index, index) -> ()
    %3 = "gpu.alloc"() <{operandSegmentSizes = array<i32: 0, 0, 0>}> : () -> memref<4xf32>
    %4:2 = "gpu.alloc"(%arg5, %arg0, %arg0) <{hostShared, operandSegmentSizes = array<i32: 1, 2, 0>}> : (!gpu.async.token, index, index) -> (memref<4x?x?xf32>, !gpu.async.token)
    %5 = "gpu.alloc"(%arg0, %arg0) <{operandSegmentSizes = array<i32: 0, 1, 1>}> : (index, index) -> memref<?xf32, affine_map<(d0)[s0] -> (d0 + s0)>>
    %6 = "gpu.alloc"(%arg5) <{operandSegmentSizes = array<i32: 1, 0, 0>}> : (!gpu.async.token) -> memref<4xf32>
    %7 = "gpu.dealloc"(%4#1, %4#0) : (!gpu.async.token, memref<4x?x?xf32>) -> !gpu.async.token
    "gpu.dealloc"(%3) : (memref<4xf32>) -> ()
    "gpu.memcpy"(%3, %3) : (memref<4xf32>, memref<4xf32>) -> ()
    %8 = "gpu.memcpy"(%7, %3, %3) {k} : (!gpu.async.token, memref<4xf32>, memref<4xf32>) -> !gpu.async.token
    %9 = "gpu.memset"(%3, %arg2) : (memref<4xf32>, f32) -> !gpu.async.token
    "gpu.memset"(%3, %arg2) : (memref<4xf32>, f32) -> ()
    "gpu.wait"() : () -> ()
    "gpu.wait"(%7) : (!gpu.async.token) -> ()
    %10 = "gpu.wait"() : () -> !gpu.async.token
    %11 = "gpu.wait"(%10, %9) : (!gpu.async.token, !gpu.async.token) -> !gpu.async.token
    %12 = "gpu.all_reduce"(%arg2) <{op = #gpu<all_reduce_op add>}> ({
    }) : (f32) -> f32
    %13 = "gpu.all_reduce"(%arg2) <{uniform}> ({
    ^bb0(%arg10: f32, %arg11: f32):
      "gpu.yield"(%arg10) : (f32) -> ()
    }) {foo} : (f32) -> f32
    %14 = "gpu.subgroup_reduce"(%arg2) <{cluster_stride = 1 : i32, op = #gpu<all_reduce_op maxnumf>, uniform}> : (f32) -> f32
    %15 = "gpu.subgroup_reduce"(%arg2) <{cluster_size = 4 : i32, cluster_stride = 1 : i32, op = #gpu<all_reduce_op maxnumf>}> : (f32) -> f32
    %16 = "gpu.subgroup_reduce"(%arg2) <{cluster_size = 4 : i32, cluster_stride = 2 : i32, op = #gpu<all_reduce_op maxnumf>}> : (f32) -> f32
    %17:2 = "gpu.shuffle"(%arg2, %arg1, %arg1) <{mode = #gpu<shuffle_mode xor>}> : (f32, i32, i32) -> (f32, i1)
    %18:2 = "gpu.rotate"(%arg2) <{offset = 1 : i32, width = 32 : i32}> : (f32) -> (f32, i1)
    %19 = "gpu.subgroup_broadcast"(%arg2) <{broadcast_type = #gpu<broadcast first_active_lane>}> : (f32) -> f32
    %20 = "gpu.subgroup_broadcast"(%arg2, %arg1) <{broadcast_type = #gpu<broadcast specific_lane>}> : (f32, i32) -> f32
    "gpu.printf"() <{format = "hello\0A"}> : () -> ()
    "gpu.printf"(%arg1, %arg2) <{format = "h %d %f"}> : (i32, f32) -> ()
    %21 = "gpu.warp_execute_on_lane_0"(%arg0) <{warp_size = 32 : i64}> ({
      %26 = "test.v"() : () -> vector<32xf32>
      "gpu.yield"(%26) : (vector<32xf32>) -> ()
    }) : (index) -> vector<1xf32>
    "gpu.warp_execute_on_lane_0"(%arg0, %arg8) <{warp_size = 32 : i64}> ({
    ^bb0(%arg9: vector<128xf32>):
      "gpu.yield"() : () -> ()
    }) {a} : (index, vector<4xf32>) -> ()
    "gpu.warp_execute_on_lane_0"(%arg0) <{warp_size = 32 : i64}> ({
      "gpu.yield"() : () -> ()
    }) : (index) -> ()
    %22 = "gpu.lane_id"() : () -> index
    %23 = "gpu.thread_id"() <{dimension = #gpu<dim x>}> : () -> index
    %24 = "gpu.block_dim"() <{dimension = #gpu<dim z>, upper_bound = 4 : index}> : () -> index
    "gpu.barrier"() : () -> ()
    %25 = "gpu.dynamic_shared_memory"() : () -> memref<?xi8, #gpu.address_space<workgroup>>
    "func.return"() : () -> ()
  }) : () -> ()
}) {gpu.container_module} : () -> ()
