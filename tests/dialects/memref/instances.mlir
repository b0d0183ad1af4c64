"memref.alloc"() <{alignment = 64 : i64, operandSegmentSizes = array<i32: 0, 0>}> : () -> memref<4x8xf32>
// -----
"memref.alloc"(%0) <{operandSegmentSizes = array<i32: 1, 0>}> : (index) -> memref<4x?xf32, 3 : i32>
// -----
"memref.alloc"(%0, %1) <{operandSegmentSizes = array<i32: 1, 1>}> : (index, index) -> memref<?xf32, strided<[1], offset: ?>>
// -----
"memref.dealloc"(%0) : (memref<4x8xf32>) -> ()
// -----
"memref.dealloc"(%0) : (memref<*xf32>) -> ()
// -----
"memref.realloc"(%0) <{alignment = 8 : i64}> : (memref<4xf32>) -> memref<8xf32>
// -----
"memref.realloc"(%0, %1) : (memref<4xf32>, index) -> memref<?xf32>
// -----
"memref.copy"(%0, %1) : (memref<4xf32>, memref<4xf32, 1 : i32>) -> ()
// -----
"memref.copy"(%0, %1) : (memref<*xf32>, memref<*xf32>) -> ()
// -----
"memref.dim"(%0, %1) : (memref<4x?xf32>, index) -> index
// -----
"memref.dim"(%0, %1) : (memref<*xf32>, index) -> index
// -----
"memref.rank"(%0) : (memref<*xf32>) -> index
// -----
"memref.assume_alignment"(%0) <{alignment = 16 : i32}> : (memref<4xf32>) -> memref<4xf32>
// -----
"memref.distinct_objects"(%0, %1) : (memref<4xf32>, memref<?xi8>) -> (memref<4xf32>, memref<?xi8>)
// -----
"memref.extract_strided_metadata"(%0) : (memref<4x?xf32, strided<[?, 1], offset: ?>, 3 : i32>) -> (memref<f32, 3 : i32>, index, index, index, index, index)
// -----
"memref.extract_strided_metadata"(%0) : (memref<f32>) -> (memref<f32>, index)
// -----
"memref.extract_aligned_pointer_as_index"(%0) : (memref<4xf32>) -> index
// -----
"memref.load"(%0, %1, %2) <{nontemporal = false}> : (memref<4x8xf32>, index, index) -> f32
// -----
"memref.load"(%0) <{alignment = 8 : i64, nontemporal = true}> : (memref<vector<4xf32>>) -> vector<4xf32>
// -----
"memref.store"(%0, %1, %2, %3) <{nontemporal = false}> : (f32, memref<4x8xf32>, index, index) -> ()
// -----
"memref.store"(%0, %1) <{alignment = 4 : i64, nontemporal = true}> : (i32, memref<i32, "shared">) -> ()
// -----
"memref.prefetch"(%0, %1) <{isDataCache = true, isWrite = false, localityHint = 3 : i32}> : (memref<4xf32>, index) -> ()
// -----
"memref.atomic_rmw"(%0, %1, %2) <{kind = 0 : i64}> : (f32, memref<4xf32>, index) -> f32
// -----
"memref.atomic_rmw"(%0, %1) <{kind = 15 : i64}> : (i32, memref<i32>) -> i32
// -----
"memref.dma_start"(%0, %1, %2, %3, %4, %5, %6) : (memref<16xf32>, index, memref<16xf32, 1 : i32>, index, index, memref<1xi32>, index) -> ()
// -----
"memref.dma_wait"(%0, %1, %2) : (memref<1xi32>, index, index) -> ()
// -----
"memref.cast"(%0) : (memref<4x8xf32>) -> memref<?x8xf32, strided<[?, 1], offset: ?>>
// -----
"memref.cast"(%0) : (memref<*xf32>) -> memref<4xf32>
// -----
"memref.memory_space_cast"(%0) : (memref<4xf32>) -> memref<4xf32, 3 : i32>
// -----
"memref.memory_space_cast"(%0) : (memref<*xf32>) -> memref<*xf32, 3 : i32>
// -----
"memref.subview"(%0, %1) <{operandSegmentSizes = array<i32: 1, 1, 0, 0>, static_offsets = array<i64: -9223372036854775808, 2>, static_sizes = array<i64: 2, 4>, static_strides = array<i64: 1, 2>}> : (memref<4x16xf32>, index) -> memref<2x4xf32, strided<[16, 2], offset: ?>>
// -----
"memref.subview"(%0) <{operandSegmentSizes = array<i32: 1, 0, 0, 0>, static_offsets = array<i64: 1, 2>, static_sizes = array<i64: 1, 4>, static_strides = array<i64: 1, 2>}> : (memref<4x16xf32>) -> memref<4xf32, strided<[2], offset: 18>>
// -----
"memref.subview"(%0, %1, %2) <{operandSegmentSizes = array<i32: 1, 0, 1, 1>, static_offsets = array<i64: 0>, static_sizes = array<i64: -9223372036854775808>, static_strides = array<i64: -9223372036854775808>}> : (memref<?xf32>, index, index) -> memref<?xf32, strided<[?]>>
// -----
"memref.view"(%0, %1) : (memref<2048xi8>, index) -> memref<4x8xf32>
// -----
"memref.view"(%0, %1, %2) : (memref<2048xi8, 3 : i32>, index, index) -> memref<?x4xf32, 3 : i32>
// -----
"memref.reinterpret_cast"(%0) <{operandSegmentSizes = array<i32: 1, 0, 0, 0>, static_offsets = array<i64: 2>, static_sizes = array<i64: 2, 4>, static_strides = array<i64: 8, 1>}> : (memref<4x8xf32>) -> memref<2x4xf32, strided<[8, 1], offset: 2>>
// -----
"memref.reinterpret_cast"(%0, %1, %2, %3) <{operandSegmentSizes = array<i32: 1, 1, 1, 1>, static_offsets = array<i64: -9223372036854775808>, static_sizes = array<i64: -9223372036854775808>, static_strides = array<i64: -9223372036854775808>}> : (memref<*xf32>, index, index, index) -> memref<?xf32, strided<[?], offset: ?>>
// -----
"memref.reshape"(%0, %1) : (memref<4x8xf32>, memref<1xindex>) -> memref<32xf32>
// -----
"memref.reshape"(%0, %1) : (memref<*xf32>, memref<?xi32>) -> memref<*xf32>
// -----
"memref.transpose"(%0) <{permutation = affine_map<(d0, d1) -> (d1, d0)>}> : (memref<4x8xf32>) -> memref<8x4xf32, strided<[1, 8]>>
// -----
"memref.transpose"(%0) <{permutation = affine_map<(d0, d1) -> (d1, d0)>}> : (memref<4x8xf32>) -> memref<8x4xf32, affine_map<(d0, d1) -> (d0 + d1 * 8)>>
// -----
"memref.expand_shape"(%0) <{reassociation = [[0, 1]], static_output_shape = array<i64: 4, 8>}> : (memref<32xf32>) -> memref<4x8xf32>
// -----
"memref.expand_shape"(%0, %1) <{reassociation = [[0, 1], [2]], static_output_shape = array<i64: -9223372036854775808, 8, 4>}> : (memref<?x4xf32>, index) -> memref<?x8x4xf32>
// -----
"memref.collapse_shape"(%0) <{reassociation = [[0, 1], [2]]}> : (memref<4x8x2xf32>) -> memref<32x2xf32>
// -----
"memref.collapse_shape"(%0) <{reassociation = []}> : (memref<1x1xf32>) -> memref<f32>
// -----
"builtin.module"() ({
  "memref.global"() <{alignment = 64 : i64, constant, initial_value = dense<[1.000000e+00, 2.000000e+00]> : tensor<2xf32>, sym_name = "g", sym_visibility = "private", type = memref<2xf32>}> : () -> ()
  "memref.global"() <{initial_value, sym_name = "later", type = memref<i32>}> : () -> ()
  "memref.global"() <{sym_name = "elsewhere", sym_visibility = "private", type = memref<4xf32, 3 : i32>}> : () -> ()
}) : () -> ()
// -----
"builtin.module"() ({
  "memref.global"() <{sym_name = "g", type = memref<4xf32, 3 : i32>}> : () -> ()
  %0 = "memref.get_global"() <{name = @g}> : () -> memref<4xf32, 3 : i32>
}) : () -> ()
// -----
"builtin.module"() ({
  "memref.alloca_scope"() ({
    "memref.alloca_scope.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
"builtin.module"() ({
  %0 = "test.value"() : () -> i32
  %1 = "memref.alloca_scope"() ({
    "memref.alloca_scope.return"(%0) : (i32) -> ()
  }) : () -> i32
}) : () -> ()
// -----
"builtin.module"() ({
  %0:2 = "test.value"() : () -> (memref<4xi32>, index)
  %1 = "memref.generic_atomic_rmw"(%0#0, %0#1) ({
  ^bb0(%arg0: i32):
    "memref.atomic_yield"(%arg0) : (i32) -> ()
  }) : (memref<4xi32>, index) -> i32
}) : () -> ()
// -----
"builtin.module"() ({
  %0 = "test.value"() : () -> index
  "memref.alloca_scope"() ({
    %1 = "memref.alloca"(%0) <{alignment = 16 : i64, operandSegmentSizes = array<i32: 1, 0>}> : (index) -> memref<?xi8>
    %2 = "memref.alloca"(%0) <{operandSegmentSizes = array<i32: 0, 1>}> : (index) -> memref<4x4xf32, affine_map<(d0, d1)[s0] -> (d0 + s0, d1)>>
    "memref.alloca_scope.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
