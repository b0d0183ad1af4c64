// error: 'gpu.rotate' op offset must be in the range [0, 32)
"builtin.module"() ({
  "func.func"() <{function_type = (f32) -> (), sym_name = "f"}> ({
  ^bb0(%arg0: f32):
    %0:2 = "gpu.rotate"(%arg0) <{offset = 40 : i32, width = 32 : i32}> : (f32) -> (f32, i1)
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
// error: `and` reduction operation is not compatible with type 'f32'
"builtin.module"() ({
  "func.func"() <{function_type = (f32) -> (), sym_name = "f"}> ({
  ^bb0(%arg0: f32):
    %0 = "gpu.all_reduce"(%arg0) <{op = #gpu<all_reduce_op and>}> ({
    }) : (f32) -> f32
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
// error: `maxnumf` reduction operation is not compatible with type 'i32'
"builtin.module"() ({
  "func.func"() <{function_type = (i32) -> (), sym_name = "f"}> ({
  ^bb0(%arg0: i32):
    %0 = "gpu.all_reduce"(%arg0) <{op = #gpu<all_reduce_op maxnumf>}> ({
    }) : (i32) -> i32
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
// error: expected either an op attribute or a non-empty body
"builtin.module"() ({
  "func.func"() <{function_type = (f32) -> (), sym_name = "f"}> ({
  ^bb0(%arg0: f32):
    %0 = "gpu.all_reduce"(%arg0) ({
    }) : (f32) -> f32
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
// error: expected two region arguments
"builtin.module"() ({
  "func.func"() <{function_type = (f32) -> (), sym_name = "f"}> ({
  ^bb0(%arg0: f32):
    %0 = "gpu.all_reduce"(%arg0) ({
    ^bb0(%arg1: f32):
      "gpu.yield"(%arg1) : (f32) -> ()
    }) : (f32) -> f32
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
// error: incorrect region argument type
"builtin.module"() ({
  "func.func"() <{function_type = (f32) -> (), sym_name = "f"}> ({
  ^bb0(%arg0: f32):
    %0 = "gpu.all_reduce"(%arg0) ({
    ^bb0(%arg1: f32, %arg2: i32):
      "gpu.yield"(%arg1) : (f32) -> ()
    }) : (f32) -> f32
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
// error: expected either an op attribute or a non-empty body
"builtin.module"() ({
  "func.func"() <{function_type = (f32) -> (), sym_name = "f"}> ({
  ^bb0(%arg0: f32):
    %0 = "gpu.all_reduce"(%arg0) <{op = #gpu<all_reduce_op add>}> ({
    ^bb0(%arg1: f32, %arg2: f32):
      "gpu.yield"(%arg1) : (f32) -> ()
    }) : (f32) -> f32
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
// error: expected one gpu.yield operand
"builtin.module"() ({
  "func.func"() <{function_type = (f32) -> (), sym_name = "f"}> ({
  ^bb0(%arg0: f32):
    %0 = "gpu.all_reduce"(%arg0) ({
    ^bb0(%arg1: f32, %arg2: f32):
      "gpu.yield"() : () -> ()
    }) : (f32) -> f32
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
// error: incorrect gpu.yield type
"builtin.module"() ({
  "func.func"() <{function_type = (f32) -> (), sym_name = "f"}> ({
  ^bb0(%arg0: f32):
    %0 = "gpu.all_reduce"(%arg0) ({
    ^bb0(%arg1: f32, %arg2: f32):
      %1 = "gpu.thread_id"() <{dimension = #gpu<dim x>}> : () -> index
      "gpu.yield"(%1) : (index) -> ()
    }) : (f32) -> f32
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
// error: 'gpu.subgroup_reduce' op cluster stride 0 is not a power of two
"builtin.module"() ({
  "func.func"() <{function_type = (f32) -> (), sym_name = "f"}> ({
  ^bb0(%arg0: f32):
    %0 = "gpu.subgroup_reduce"(%arg0) <{cluster_size = 4 : i32, cluster_stride = 0 : i32, op = #gpu<all_reduce_op add>}> : (f32) -> f32
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
// error: 'gpu.subgroup_reduce' op cluster stride can only be specified if cluster size is specified
"builtin.module"() ({
  "func.func"() <{function_type = (f32) -> (), sym_name = "f"}> ({
  ^bb0(%arg0: f32):
    %0 = "gpu.subgroup_reduce"(%arg0) <{cluster_stride = 2 : i32, op = #gpu<all_reduce_op add>}> : (f32) -> f32
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
// error: 'gpu.subgroup_reduce' op cluster stride 3 is not a power of two
"builtin.module"() ({
  "func.func"() <{function_type = (f32) -> (), sym_name = "f"}> ({
  ^bb0(%arg0: f32):
    %0 = "gpu.subgroup_reduce"(%arg0) <{cluster_size = 4 : i32, cluster_stride = 3 : i32, op = #gpu<all_reduce_op add>}> : (f32) -> f32
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
// error: `and` reduction operation is not compatible with type 'f32'
"builtin.module"() ({
  "func.func"() <{function_type = (f32) -> (), sym_name = "f"}> ({
  ^bb0(%arg0: f32):
    %0 = "gpu.subgroup_reduce"(%arg0) <{cluster_stride = 1 : i32, op = #gpu<all_reduce_op and>}> : (f32) -> f32
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
// error: 'gpu.subgroup_broadcast' op lane must be specified for `specific_lane` broadcast
"builtin.module"() ({
  "func.func"() <{function_type = (f32, i32) -> (), sym_name = "f"}> ({
  ^bb0(%arg0: f32, %arg1: i32):
    %0 = "gpu.subgroup_broadcast"(%arg0) <{broadcast_type = #gpu<broadcast specific_lane>}> : (f32) -> f32
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
// error: 'gpu.subgroup_broadcast' op lane can only be specified for `specific_lane` broadcast
"builtin.module"() ({
  "func.func"() <{function_type = (f32, i32) -> (), sym_name = "f"}> ({
  ^bb0(%arg0: f32, %arg1: i32):
    %0 = "gpu.subgroup_broadcast"(%arg0, %arg1) <{broadcast_type = #gpu<broadcast first_active_lane>}> : (f32, i32) -> f32
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
// error: 'gpu.memcpy' op arguments have incompatible shape
"builtin.module"() ({
  "func.func"() <{function_type = (memref<4xf32>, memref<5xf32>) -> (), sym_name = "f"}> ({
  ^bb0(%arg0: memref<4xf32>, %arg1: memref<5xf32>):
    "gpu.memcpy"(%arg0, %arg1) : (memref<4xf32>, memref<5xf32>) -> ()
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
// error: 'gpu.memcpy' op arguments have incompatible element type
"builtin.module"() ({
  "func.func"() <{function_type = (memref<4xf32>, memref<4xi32>) -> (), sym_name = "f"}> ({
  ^bb0(%arg0: memref<4xf32>, %arg1: memref<4xi32>):
    "gpu.memcpy"(%arg0, %arg1) : (memref<4xf32>, memref<4xi32>) -> ()
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
// error: 'gpu.memset' op failed to verify that all of {dst, value} have same element type
"builtin.module"() ({
  "func.func"() <{function_type = (memref<4xf32>, i32) -> (), sym_name = "f"}> ({
  ^bb0(%arg0: memref<4xf32>, %arg1: i32):
    "gpu.memset"(%arg0, %arg1) : (memref<4xf32>, i32) -> ()
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
// error: 'gpu.alloc' op incorrect number of dynamic sizes, has 1, expected 0
"builtin.module"() ({
  "func.func"() <{function_type = (index) -> (), sym_name = "f"}> ({
  ^bb0(%arg0: index):
    %0 = "gpu.alloc"(%arg0) <{operandSegmentSizes = array<i32: 0, 1, 0>}> : (index) -> memref<4xf32>
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
// error: 'gpu.return' op expected 0 result operands
"builtin.module"() ({
  "gpu.module"() <{sym_name = "m"}> ({
    "gpu.func"() <{function_type = (i32) -> ()}> ({
    ^bb0(%arg0: i32):
      "gpu.return"(%arg0) : (i32) -> ()
    }) {gpu.kernel, sym_name = "k", workgroup_attributions = 0 : i64} : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
// error: 'gpu.return' op unexpected type `'i32'' for operand #0
"builtin.module"() ({
  "gpu.module"() <{sym_name = "m"}> ({
    "gpu.func"() <{function_type = (i32) -> f32}> ({
    ^bb0(%arg0: i32):
      "gpu.return"(%arg0) : (i32) -> ()
    }) {sym_name = "k", workgroup_attributions = 0 : i64} : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
// error: 'gpu.func' op expected void return type for kernel function
"builtin.module"() ({
  "gpu.module"() <{sym_name = "m"}> ({
    "gpu.func"() <{function_type = (i32) -> i32}> ({
    ^bb0(%arg0: i32):
      "gpu.return"(%arg0) : (i32) -> ()
    }) {gpu.kernel, sym_name = "k", workgroup_attributions = 0 : i64} : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
// error: 'gpu.func' op expected at least 1 arguments to body region
"builtin.module"() ({
  "gpu.module"() <{sym_name = "m"}> ({
    "gpu.func"() <{function_type = (i32) -> ()}> ({
      "gpu.return"() : () -> ()
    }) {sym_name = "k", workgroup_attributions = 0 : i64} : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
// error: 'gpu.func' op expected body region argument #0 to be of type 'i32', got 'f32'
"builtin.module"() ({
  "gpu.module"() <{sym_name = "m"}> ({
    "gpu.func"() <{function_type = (i32) -> ()}> ({
    ^bb0(%arg0: f32):
      "gpu.return"() : () -> ()
    }) {sym_name = "k", workgroup_attributions = 0 : i64} : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
// error: 'gpu.launch' op unexpected number of region arguments
"builtin.module"() ({
  "func.func"() <{function_type = (index) -> (), sym_name = "f"}> ({
  ^bb0(%arg0: index):
    "gpu.launch"(%arg0, %arg0, %arg0, %arg0, %arg0, %arg0) <{operandSegmentSizes = array<i32: 0, 1, 1, 1, 1, 1, 1, 0, 0, 0, 0>}> ({
      "gpu.terminator"() : () -> ()
    }) : (index, index, index, index, index, index) -> ()
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
// error: 'func.return' op expects parent op 'func.func'
"builtin.module"() ({
  "func.func"() <{function_type = (index) -> (), sym_name = "f"}> ({
  ^bb0(%arg0: index):
    "gpu.launch"(%arg0, %arg0, %arg0, %arg0, %arg0, %arg0) <{operandSegmentSizes = array<i32: 0, 1, 1, 1, 1, 1, 1, 0, 0, 0, 0>}> ({
    ^bb0(%arg1: index, %arg2: index, %arg3: index, %arg4: index, %arg5: index, %arg6: index, %arg7: index, %arg8: index, %arg9: index, %arg10: index, %arg11: index, %arg12: index):
      "func.return"() : () -> ()
    }) : (index, index, index, index, index, index) -> ()
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
// error: 'gpu.subgroup_mma_constant_matrix' op failed to verify that value type matches element type of mma_matrix
"builtin.module"() ({
  "func.func"() <{function_type = (f32) -> (), sym_name = "f"}> ({
  ^bb0(%arg0: f32):
    %0 = "gpu.subgroup_mma_constant_matrix"(%arg0) : (f32) -> !gpu.mma_matrix<16x16xf16, "COp">
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
// error: operands must be in the order AOp, BOp, COp
"builtin.module"() ({
  "func.func"() <{function_type = (!gpu.mma_matrix<16x16xf16, "AOp">, !gpu.mma_matrix<16x16xf16, "COp">) -> (), sym_name = "f"}> ({
  ^bb0(%arg0: !gpu.mma_matrix<16x16xf16, "AOp">, %arg1: !gpu.mma_matrix<16x16xf16, "COp">):
    %0 = "gpu.subgroup_mma_compute"(%arg0, %arg0, %arg1) : (!gpu.mma_matrix<16x16xf16, "AOp">, !gpu.mma_matrix<16x16xf16, "AOp">, !gpu.mma_matrix<16x16xf16, "COp">) -> !gpu.mma_matrix<16x16xf16, "COp">
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
// error: operand shapes do not satisfy matmul constraints
"builtin.module"() ({
  "func.func"() <{function_type = (!gpu.mma_matrix<16x16xf16, "AOp">, !gpu.mma_matrix<8x16xf16, "BOp">, !gpu.mma_matrix<16x16xf16, "COp">) -> (), sym_name = "f"}> ({
  ^bb0(%arg0: !gpu.mma_matrix<16x16xf16, "AOp">, %arg1: !gpu.mma_matrix<8x16xf16, "BOp">, %arg2: !gpu.mma_matrix<16x16xf16, "COp">):
    %0 = "gpu.subgroup_mma_compute"(%arg0, %arg1, %arg2) : (!gpu.mma_matrix<16x16xf16, "AOp">, !gpu.mma_matrix<8x16xf16, "BOp">, !gpu.mma_matrix<16x16xf16, "COp">) -> !gpu.mma_matrix<16x16xf16, "COp">
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
// error: 'gpu.launch_func' op expected the closest surrounding module to have the 'gpu.container_module' attribute
"builtin.module"() ({
  "func.func"() <{function_type = (index) -> (), sym_name = "f"}> ({
  ^bb0(%arg0: index):
    "gpu.launch_func"(%arg0, %arg0, %arg0, %arg0, %arg0, %arg0) <{kernel = @kernels::@k, operandSegmentSizes = array<i32: 0, 1, 1, 1, 1, 1, 1, 0, 0, 0, 0, 0, 0>}> : (index, index, index, index, index, index) -> ()
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
// error: 'gpu.launch_func' op kernel container 'kernels' is undefined
"builtin.module"() ({
  "func.func"() <{function_type = (index) -> (), sym_name = "f"}> ({
  ^bb0(%arg0: index):
    "gpu.launch_func"(%arg0, %arg0, %arg0, %arg0, %arg0, %arg0) <{kernel = @kernels::@k, operandSegmentSizes = array<i32: 0, 1, 1, 1, 1, 1, 1, 0, 0, 0, 0, 0, 0>}> : (index, index, index, index, index, index) -> ()
    "func.return"() : () -> ()
  }) : () -> ()
}) {gpu.container_module} : () -> ()
// -----
// error: 'gpu.warp_execute_on_lane_0' op expected same number of yield operands and return values.
"builtin.module"() ({
  "func.func"() <{function_type = (index) -> (), sym_name = "f"}> ({
  ^bb0(%arg0: index):
    "gpu.warp_execute_on_lane_0"(%arg0) <{warp_size = 32 : i64}> ({
      %0 = "gpu.thread_id"() <{dimension = #gpu<dim x>}> : () -> index
      "gpu.yield"(%0) : (index) -> ()
    }) : (index) -> ()
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
// error: 'gpu.alloc' op symbol operand count does not equal memref symbol count
func.func @f(%i: index) { %0 = gpu.alloc (%i)[%i] : memref<?xf32> return }
// -----
// error: 'gpu.subgroup_reduce' op cluster size 3 is not a power of two
func.func @f(%x: i32) { %0 = gpu.subgroup_reduce add %x cluster(size = 3) : (i32) -> i32 return }
// -----
// error: 'gpu.subgroup_reduce' op operand #0 must be Integer or Float or fixed-length vector of Integer or Float values of ranks 1, but got 'vector<[2]xi32>'
func.func @f(%x: vector<[2]xi32>) { %0 = gpu.subgroup_reduce add %x : (vector<[2]xi32>) -> vector<[2]xi32> return }
// -----
// error: 'gpu.launch_func' op kernel module 'm' is undefined
module attributes {gpu.container_module} {
module @m {}
func.func @f(%i: index) { gpu.launch_func @m::@k blocks in (%i, %i, %i) threads in (%i, %i, %i) return } }
// -----
// error: 'gpu.launch_func' op kernel function '@m::@k' is undefined
module attributes {gpu.container_module} {
gpu.module @m {}
func.func @f(%i: index) { gpu.launch_func @m::@k blocks in (%i, %i, %i) threads in (%i, %i, %i) return } }
// -----
// error: 'gpu.launch_func' op referenced kernel '@m::@k' is not a function
module attributes {gpu.container_module} {
gpu.module @m { builtin.module @k {} }
func.func @f(%i: index) { gpu.launch_func @m::@k blocks in (%i, %i, %i) threads in (%i, %i, %i) return } }
// -----
// error: 'gpu.launch_func' op kernel function is missing the 'gpu.kernel' attribute
module attributes {gpu.container_module} {
gpu.module @m { gpu.func @k() { gpu.return } }
func.func @f(%i: index) { gpu.launch_func @m::@k blocks in (%i, %i, %i) threads in (%i, %i, %i) return } }
// -----
// error: 'gpu.launch_func' op got 1 kernel operands but expected 0
module attributes {gpu.container_module} {
gpu.module @m { gpu.func @k() kernel { gpu.return } }
func.func @f(%i: index) { gpu.launch_func @m::@k blocks in (%i, %i, %i) threads in (%i, %i, %i) args(%i : index) return } }
// -----
// error: 'gpu.launch_func' op type of function argument 0 does not match
module attributes {gpu.container_module} {
gpu.module @m { gpu.func @k(%x: i32) kernel { gpu.return } }
func.func @f(%i: index) { gpu.launch_func @m::@k blocks in (%i, %i, %i) threads in (%i, %i, %i) args(%i : index) return } }
// -----
// error: 'gpu.warp_execute_on_lane_0' op expected vector type for distributed operands.
func.func @f(%i: index) { %0 = gpu.warp_execute_on_lane_0(%i)[32] -> (i32) { %c = llvm.mlir.undef : i64 gpu.yield %c : i64 } return }
// -----
// error: 'gpu.warp_execute_on_lane_0' op expected distributed vectors to have same rank and element type.
func.func @f(%i: index) { %0 = gpu.warp_execute_on_lane_0(%i)[32] -> (vector<1xi32>) { %c = llvm.mlir.undef : vector<32xi64> gpu.yield %c : vector<32xi64> } return }
// -----
// error: 'gpu.warp_execute_on_lane_0' op expected expanded vector dimension #0 (33) to be a multipler of the distributed vector dimension (2)
func.func @f(%i: index) { %0 = gpu.warp_execute_on_lane_0(%i)[32] -> (vector<2xi32>) { %c = llvm.mlir.undef : vector<33xi32> gpu.yield %c : vector<33xi32> } return }
// -----
// error: 'gpu.warp_execute_on_lane_0' op incompatible distribution dimensions from 'vector<64xi32>' to 'vector<1xi32>' with warp size = 32
func.func @f(%i: index) { %0 = gpu.warp_execute_on_lane_0(%i)[32] -> (vector<1xi32>) { %c = llvm.mlir.undef : vector<64xi32> gpu.yield %c : vector<64xi32> } return }
// -----
// error: expected gpu.yield op in region
func.func @f(%x: f32) { %0 = gpu.all_reduce %x { ^bb(%a: f32, %b: f32): llvm.unreachable } : (f32) -> f32 return }
// -----
// error: expected 'gpu.terminator' or a terminator with successors
func.func @f(%i: index) { gpu.launch blocks(%a, %b, %c) in (%d = %i, %e = %i, %g = %i) threads(%h, %j, %k) in (%l = %i, %m = %i, %n = %i) { gpu.yield } return }
// -----
// error: 'gpu.launch' op expected memref type in attribution
func.func @f(%i: index) { gpu.launch blocks(%a, %b, %c) in (%d = %i, %e = %i, %g = %i) threads(%h, %j, %k) in (%l = %i, %m = %i, %n = %i) workgroup(%s : i32) { gpu.terminator } return }
// -----
// error: 'gpu.func' op expected memory space private in attribution
gpu.module @m { gpu.func @k() private(%s : memref<1xf32, #gpu.address_space<workgroup>>) kernel { gpu.return } }
// -----
// error: expected the operand matrix being stored to have 'COp' operand type
func.func @f(%m: !gpu.mma_matrix<16x16xf16, "AOp">, %b: memref<32x32xf16>, %i: index) { gpu.subgroup_mma_store_matrix %m, %b[%i, %i] {leadDimension = 32 : index} : !gpu.mma_matrix<16x16xf16, "AOp">, memref<32x32xf16> return }
// -----
// error: expected source memref most minor dim must have unit stride
func.func @f(%b: memref<32x32xf16, strided<[64, 2]>>, %i: index) { %0 = gpu.subgroup_mma_load_matrix %b[%i, %i] {leadDimension = 32 : index} : memref<32x32xf16, strided<[64, 2]>> -> !gpu.mma_matrix<16x16xf16, "AOp"> return }
