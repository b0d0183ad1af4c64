// error: 'memref.load' op incorrect number of indices for load, expected 2 but got 1
"builtin.module"() ({
  "func.func"() <{function_type = (memref<4x8xf32>, index) -> (), sym_name = "f"}> ({
  ^bb0(%arg0: memref<4x8xf32>, %arg1: index):
    %0 = "memref.load"(%arg0, %arg1) : (memref<4x8xf32>, index) -> f32
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
// error: 'memref.store' op store index operand count not equal to memref rank
"builtin.module"() ({
  "func.func"() <{function_type = (memref<4x8xf32>, index, f32) -> (), sym_name = "f"}> ({
  ^bb0(%arg0: memref<4x8xf32>, %arg1: index, %arg2: f32):
    "memref.store"(%arg2, %arg0, %arg1) : (f32, memref<4x8xf32>, index) -> ()
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
// error: 'memref.alloc' op incorrect number of dynamic sizes, has 1, expected 0
"builtin.module"() ({
  "func.func"() <{function_type = (index) -> (), sym_name = "f"}> ({
  ^bb0(%arg0: index):
    %0 = "memref.alloc"(%arg0) <{operandSegmentSizes = array<i32: 1, 0>}> : (index) -> memref<4xf32>
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
// error: 'memref.alloc' op symbol operand count does not equal memref symbol count: expected 0, got 1
"builtin.module"() ({
  "func.func"() <{function_type = (index) -> (), sym_name = "f"}> ({
  ^bb0(%arg0: index):
    %0 = "memref.alloc"(%arg0) <{operandSegmentSizes = array<i32: 0, 1>}> : (index) -> memref<4xf32>
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
// error: 'memref.cast' op operand type 'memref<4x8xf32>' and result type 'memref<4x9xf32>' are cast incompatible
"builtin.module"() ({
  "func.func"() <{function_type = (memref<4x8xf32>, index) -> (), sym_name = "f"}> ({
  ^bb0(%arg0: memref<4x8xf32>, %arg1: index):
    %0 = "memref.cast"(%arg0) : (memref<4x8xf32>) -> memref<4x9xf32>
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
// error: expected result type to be 'memref<2x4xf32, strided<[8, 1]>>' or a rank-reduced version. (mismatch of result layout), but got 'memref<2x4xf32>'
"builtin.module"() ({
  "func.func"() <{function_type = (memref<4x8xf32>, index) -> (), sym_name = "f"}> ({
  ^bb0(%arg0: memref<4x8xf32>, %arg1: index):
    %0 = "memref.subview"(%arg0) <{operandSegmentSizes = array<i32: 1, 0, 0, 0>, static_offsets = array<i64: 0, 0>, static_sizes = array<i64: 2, 4>, static_strides = array<i64: 1, 1>}> : (memref<4x8xf32>) -> memref<2x4xf32>
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
// error: expected result type to be 'memref<2x4xf32, strided<[8, 1]>>' or a rank-reduced version. (mismatch of result sizes), but got 'memref<2x5xf32>'
"builtin.module"() ({
  "func.func"() <{function_type = (memref<4x8xf32>, index) -> (), sym_name = "f"}> ({
  ^bb0(%arg0: memref<4x8xf32>, %arg1: index):
    %0 = "memref.subview"(%arg0) <{operandSegmentSizes = array<i32: 1, 0, 0, 0>, static_offsets = array<i64: 0, 0>, static_sizes = array<i64: 2, 4>, static_strides = array<i64: 1, 1>}> : (memref<4x8xf32>) -> memref<2x5xf32>
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
// error: expected result element type to be 'f32', but got 'memref<2x4xi32>'
"builtin.module"() ({
  "func.func"() <{function_type = (memref<4x8xf32>, index) -> (), sym_name = "f"}> ({
  ^bb0(%arg0: memref<4x8xf32>, %arg1: index):
    %0 = "memref.subview"(%arg0) <{operandSegmentSizes = array<i32: 1, 0, 0, 0>, static_offsets = array<i64: 0, 0>, static_sizes = array<i64: 2, 4>, static_strides = array<i64: 1, 1>}> : (memref<4x8xf32>) -> memref<2x4xi32>
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
// error: expected mixed offsets rank to match mixed sizes rank (2 vs 1) so the rank of the result type is well-formed.
"builtin.module"() ({
  "func.func"() <{function_type = (memref<4x8xf32>, index) -> (), sym_name = "f"}> ({
  ^bb0(%arg0: memref<4x8xf32>, %arg1: index):
    %0 = "memref.subview"(%arg0) <{operandSegmentSizes = array<i32: 1, 0, 0, 0>, static_offsets = array<i64: 0, 0>, static_sizes = array<i64: 2>, static_strides = array<i64: 1, 1>}> : (memref<4x8xf32>) -> memref<2x4xf32>
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
// error: expected the number of 'offsets' to match the number of dynamic entries in 'static_offsets' (0 vs 1)
"builtin.module"() ({
  "func.func"() <{function_type = (memref<4x8xf32>, index) -> (), sym_name = "f"}> ({
  ^bb0(%arg0: memref<4x8xf32>, %arg1: index):
    %0 = "memref.subview"(%arg0) <{operandSegmentSizes = array<i32: 1, 0, 0, 0>, static_offsets = array<i64: 0, -9223372036854775808>, static_sizes = array<i64: 2, 4>, static_strides = array<i64: 1, 1>}> : (memref<4x8xf32>) -> memref<2x4xf32>
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
// error: slice along dimension 0 runs out-of-bounds: 4 >= 4
"builtin.module"() ({
  "func.func"() <{function_type = (memref<4x8xf32>, index) -> (), sym_name = "f"}> ({
  ^bb0(%arg0: memref<4x8xf32>, %arg1: index):
    %0 = "memref.subview"(%arg0) <{operandSegmentSizes = array<i32: 1, 0, 0, 0>, static_offsets = array<i64: 3, 0>, static_sizes = array<i64: 2, 4>, static_strides = array<i64: 1, 1>}> : (memref<4x8xf32>) -> memref<2x4xf32, strided<[8, 1], offset: 24>>
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
// error: expected result rank to be smaller or equal to the source rank, but got 'memref<1x2x4xf32, strided<[8, 8, 1]>>'
"builtin.module"() ({
  "func.func"() <{function_type = (memref<4x8xf32>, index) -> (), sym_name = "f"}> ({
  ^bb0(%arg0: memref<4x8xf32>, %arg1: index):
    %0 = "memref.subview"(%arg0) <{operandSegmentSizes = array<i32: 1, 0, 0, 0>, static_offsets = array<i64: 0, 0>, static_sizes = array<i64: 2, 4>, static_strides = array<i64: 1, 1>}> : (memref<4x8xf32>) -> memref<1x2x4xf32, strided<[8, 8, 1]>>
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
// error: expected result type with stride = 1 instead of 8 in dim = 0
"builtin.module"() ({
  "func.func"() <{function_type = (memref<4x8xf32>, index) -> (), sym_name = "f"}> ({
  ^bb0(%arg0: memref<4x8xf32>, %arg1: index):
    %0 = "memref.reinterpret_cast"(%arg0) <{operandSegmentSizes = array<i32: 1, 0, 0, 0>, static_offsets = array<i64: 0>, static_sizes = array<i64: 2, 4>, static_strides = array<i64: 1, 1>}> : (memref<4x8xf32>) -> memref<2x4xf32, strided<[8, 1]>>
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
// error: expected result type with size = 3 instead of 4 in dim = 1
"builtin.module"() ({
  "func.func"() <{function_type = (memref<4x8xf32>, index) -> (), sym_name = "f"}> ({
  ^bb0(%arg0: memref<4x8xf32>, %arg1: index):
    %0 = "memref.reinterpret_cast"(%arg0) <{operandSegmentSizes = array<i32: 1, 0, 0, 0>, static_offsets = array<i64: 0>, static_sizes = array<i64: 2, 3>, static_strides = array<i64: 8, 1>}> : (memref<4x8xf32>) -> memref<2x4xf32, strided<[8, 1]>>
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
// error: expected result type with offset = 2 instead of 0
"builtin.module"() ({
  "func.func"() <{function_type = (memref<4x8xf32>, index) -> (), sym_name = "f"}> ({
  ^bb0(%arg0: memref<4x8xf32>, %arg1: index):
    %0 = "memref.reinterpret_cast"(%arg0) <{operandSegmentSizes = array<i32: 1, 0, 0, 0>, static_offsets = array<i64: 2>, static_sizes = array<i64: 2, 4>, static_strides = array<i64: 8, 1>}> : (memref<4x8xf32>) -> memref<2x4xf32, strided<[8, 1]>>
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
// error: different element types specified for source type 'memref<4x8xf32>' and result memref type 'memref<2x4xi32, strided<[8, 1]>>'
"builtin.module"() ({
  "func.func"() <{function_type = (memref<4x8xf32>, index) -> (), sym_name = "f"}> ({
  ^bb0(%arg0: memref<4x8xf32>, %arg1: index):
    %0 = "memref.reinterpret_cast"(%arg0) <{operandSegmentSizes = array<i32: 1, 0, 0, 0>, static_offsets = array<i64: 0>, static_sizes = array<i64: 2, 4>, static_strides = array<i64: 8, 1>}> : (memref<4x8xf32>) -> memref<2x4xi32, strided<[8, 1]>>
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
// error: 'memref.transpose' op result type 'memref<4x8xf32>' is not equivalent to the canonical transposed input type 'memref<8x4xf32, affine_map<(d0, d1) -> (d0 + d1 * 8)>>'
"builtin.module"() ({
  "func.func"() <{function_type = (memref<4x8xf32>, index) -> (), sym_name = "f"}> ({
  ^bb0(%arg0: memref<4x8xf32>, %arg1: index):
    %0 = "memref.transpose"(%arg0) <{permutation = affine_map<(d0, d1) -> (d1, d0)>}> : (memref<4x8xf32>) -> memref<4x8xf32>
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
// error: 'memref.view' op incorrect number of dynamic sizes, has 0, expected 1
"builtin.module"() ({
  "func.func"() <{function_type = (memref<64xi8>, index) -> (), sym_name = "f"}> ({
  ^bb0(%arg0: memref<64xi8>, %arg1: index):
    %0 = "memref.view"(%arg0, %arg1) : (memref<64xi8>, index) -> memref<4x?xf32>
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
// error: 'memref.collapse_shape' op collapsed dim size (32) must equal reassociation group size (4)
"builtin.module"() ({
  "func.func"() <{function_type = (memref<4x8xf32>) -> (), sym_name = "f"}> ({
  ^bb0(%arg0: memref<4x8xf32>):
    %0 = "memref.collapse_shape"(%arg0) <{reassociation = [[0]]}> : (memref<4x8xf32>) -> memref<32xf32>
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
// error: 'memref.collapse_shape' op collapsed dim size (31) must equal reassociation group size (32)
"builtin.module"() ({
  "func.func"() <{function_type = (memref<4x8xf32>) -> (), sym_name = "f"}> ({
  ^bb0(%arg0: memref<4x8xf32>):
    %0 = "memref.collapse_shape"(%arg0) <{reassociation = [[0, 1]]}> : (memref<4x8xf32>) -> memref<31xf32>
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
// error: 'memref.expand_shape' op collapsed dim size (32) must equal reassociation group size (36)
"builtin.module"() ({
  "func.func"() <{function_type = (memref<32xf32>) -> (), sym_name = "f"}> ({
  ^bb0(%arg0: memref<32xf32>):
    %0 = "memref.expand_shape"(%arg0) <{reassociation = [[0, 1]], static_output_shape = array<i64: 4, 8>}> : (memref<32xf32>) -> memref<4x9xf32>
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
// error: 'memref.global' op initial value element expected to be of type 'f32', but was of type 'i32'
"builtin.module"() ({
  "memref.global"() <{initial_value = dense<1> : tensor<4xi32>, sym_name = "g", type = memref<4xf32>}> : () -> ()
}) : () -> ()
// -----
// error: 'memref.global' op type should be static shaped memref, but got 'memref<?xf32>'
"builtin.module"() ({
  "memref.global"() <{sym_name = "g", type = memref<?xf32>}> : () -> ()
}) : () -> ()
// -----
// error: 'memref.global' op initial value should be a unit or elements attribute, but got 3 : i32
"builtin.module"() ({
  "memref.global"() <{initial_value = 3 : i32, sym_name = "g", type = memref<4xf32>}> : () -> ()
}) : () -> ()
// -----
// error: 'memref.get_global' op 'g' does not reference a valid global memref
"builtin.module"() ({
  "func.func"() <{function_type = () -> (), sym_name = "f"}> ({
    %0 = "memref.get_global"() <{name = @g}> : () -> memref<4xf32>
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
// error: 'memref.get_global' op result type 'memref<5xf32>' does not match type 'memref<4xf32>' of the global memref @g
"builtin.module"() ({
  "memref.global"() <{sym_name = "g", type = memref<4xf32>}> : () -> ()
  "func.func"() <{function_type = () -> (), sym_name = "f"}> ({
    %0 = "memref.get_global"() <{name = @g}> : () -> memref<5xf32>
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
// error: 'memref.atomic_rmw' op expects the number of subscripts to be equal to memref rank
"builtin.module"() ({
  "func.func"() <{function_type = (memref<4x8xf32>, index, f32) -> (), sym_name = "f"}> ({
  ^bb0(%arg0: memref<4x8xf32>, %arg1: index, %arg2: f32):
    %0 = "memref.atomic_rmw"(%arg2, %arg0, %arg1) <{kind = 0 : i64}> : (f32, memref<4x8xf32>, index) -> f32
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
// error: 'memref.atomic_rmw' op with kind 'addf' expects a floating-point type
"builtin.module"() ({
  "func.func"() <{function_type = (memref<4x8xi32>, index, i32) -> (), sym_name = "f"}> ({
  ^bb0(%arg0: memref<4x8xi32>, %arg1: index, %arg2: i32):
    %0 = "memref.atomic_rmw"(%arg2, %arg0, %arg1, %arg1) <{kind = 0 : i64}> : (i32, memref<4x8xi32>, index, index) -> i32
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
// error: 'memref.atomic_rmw' op with kind 'addi' expects an integer type
"builtin.module"() ({
  "func.func"() <{function_type = (memref<4x8xf32>, index, f32) -> (), sym_name = "f"}> ({
  ^bb0(%arg0: memref<4x8xf32>, %arg1: index, %arg2: f32):
    %0 = "memref.atomic_rmw"(%arg2, %arg0, %arg1, %arg1) <{kind = 1 : i64}> : (f32, memref<4x8xf32>, index, index) -> f32
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
// error: 'memref.prefetch' op too few indices
"builtin.module"() ({
  "func.func"() <{function_type = (memref<4x8xf32>, index, f32) -> (), sym_name = "f"}> ({
  ^bb0(%arg0: memref<4x8xf32>, %arg1: index, %arg2: f32):
    "memref.prefetch"(%arg0, %arg1) <{isDataCache = false, isWrite = true, localityHint = 3 : i32}> : (memref<4x8xf32>, index) -> ()
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
// error: 'memref.reshape' op cannot use shape operand with dynamic length to reshape to statically-ranked memref type
"builtin.module"() ({
  "func.func"() <{function_type = (memref<4x8xf32>, memref<?xindex>, f32) -> (), sym_name = "f"}> ({
  ^bb0(%arg0: memref<4x8xf32>, %arg1: memref<?xindex>, %arg2: f32):
    %0 = "memref.reshape"(%arg0, %arg1) : (memref<4x8xf32>, memref<?xindex>) -> memref<4x8xf32>
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
// error: 'memref.reshape' op length of shape operand differs from the result's memref rank
"builtin.module"() ({
  "func.func"() <{function_type = (memref<4x8xf32>, memref<3xindex>, f32) -> (), sym_name = "f"}> ({
  ^bb0(%arg0: memref<4x8xf32>, %arg1: memref<3xindex>, %arg2: f32):
    %0 = "memref.reshape"(%arg0, %arg1) : (memref<4x8xf32>, memref<3xindex>) -> memref<4x8xf32>
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
// error: missing dimension operand for result type 'memref<?xf32>'
"builtin.module"() ({
  "func.func"() <{function_type = (memref<4xf32>, index, f32) -> (), sym_name = "f"}> ({
  ^bb0(%arg0: memref<4xf32>, %arg1: index, %arg2: f32):
    %0 = "memref.realloc"(%arg0) : (memref<4xf32>) -> memref<?xf32>
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
// error: unnecessary dimension operand for result type 'memref<8xf32>'
"builtin.module"() ({
  "func.func"() <{function_type = (memref<4xf32>, index, f32) -> (), sym_name = "f"}> ({
  ^bb0(%arg0: memref<4xf32>, %arg1: index, %arg2: f32):
    %0 = "memref.realloc"(%arg0, %arg1) : (memref<4xf32>, index) -> memref<8xf32>
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
// error: 'memref.memory_space_cast' op operand type 'memref<4xf32>' and result type 'memref<5xf32, 3>' are cast incompatible
"builtin.module"() ({
  "func.func"() <{function_type = (memref<4xf32>, index, f32) -> (), sym_name = "f"}> ({
  ^bb0(%arg0: memref<4xf32>, %arg1: index, %arg2: f32):
    %0 = "memref.memory_space_cast"(%arg0) : (memref<4xf32>) -> memref<5xf32, 3>
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
// error: 'memref.distinct_objects' op expected at least one operand
"builtin.module"() ({
  "func.func"() <{function_type = (memref<4xf32>, index, f32) -> (), sym_name = "f"}> ({
  ^bb0(%arg0: memref<4xf32>, %arg1: index, %arg2: f32):
    "memref.distinct_objects"() : () -> ()
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
// error: 'memref.extract_strided_metadata' op inferred type(s) 'memref<f32>', 'index', 'index', 'index' are incompatible with return type(s) of operation 'memref<f32>', 'index', 'index'
"builtin.module"() ({
  "func.func"() <{function_type = (memref<4xf32>, index, f32) -> (), sym_name = "f"}> ({
  ^bb0(%arg0: memref<4xf32>, %arg1: index, %arg2: f32):
    "memref.copy"(%arg0, %arg0) : (memref<4xf32>, memref<4xf32>) -> ()
    %0:3 = "memref.extract_strided_metadata"(%arg0) : (memref<4xf32>) -> (memref<f32>, index, index)
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
// error: 'memref.dim' op operand #0 must be unranked.memref of any type values or non-0-ranked.memref of any type values, but got 'f32'
"builtin.module"() ({
  "func.func"() <{function_type = (memref<4xf32>, index, f32) -> (), sym_name = "f"}> ({
  ^bb0(%arg0: memref<4xf32>, %arg1: index, %arg2: f32):
    %0 = "memref.dim"(%arg2, %arg1) : (f32, index) -> index
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
// error: 'memref.assume_alignment' op alignment must be power of 2
"builtin.module"() ({
  "func.func"() <{function_type = (memref<4xf32>) -> (), sym_name = "f"}> ({
  ^bb0(%arg0: memref<4xf32>):
    %0 = "memref.assume_alignment"(%arg0) <{alignment = 24 : i32}> : (memref<4xf32>) -> memref<4xf32>
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
// error: 'memref.distinct_objects' op operand types and result types must match
"builtin.module"() ({
  "func.func"() <{function_type = (memref<4xf32>, memref<?xi8>) -> (), sym_name = "f"}> ({
  ^bb0(%arg0: memref<4xf32>, %arg1: memref<?xi8>):
    %0:2 = "memref.distinct_objects"(%arg0, %arg1) : (memref<4xf32>, memref<?xi8>) -> (memref<4xf32>, memref<4xi8>)
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
// error: 'memref.distinct_objects' op operand types and result types must match
"builtin.module"() ({
  "func.func"() <{function_type = (memref<4xf32>, memref<?xi8>) -> (), sym_name = "f"}> ({
  ^bb0(%arg0: memref<4xf32>, %arg1: memref<?xi8>):
    %0 = "memref.distinct_objects"(%arg0, %arg1) : (memref<4xf32>, memref<?xi8>) -> (memref<4xf32>)
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
// error: 'memref.distinct_objects' op expected at least one operand
"builtin.module"() ({
  "func.func"() <{function_type = () -> (), sym_name = "f"}> ({
    "memref.distinct_objects"() : () -> ()
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
// error: 'memref.dma_start' op expected at least 4 operands
"builtin.module"() ({
  "func.func"() <{function_type = (memref<16xf32>, index, index) -> (), sym_name = "f"}> ({
  ^bb0(%arg0: memref<16xf32>, %arg1: index, %arg2: index):
    "memref.dma_start"(%arg0, %arg1, %arg2) : (memref<16xf32>, index, index) -> ()
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
// error: 'memref.dma_start' op expected source to be of memref type
"builtin.module"() ({
  "func.func"() <{function_type = (index, index, memref<16xf32, 1 : i32>, index, index, memref<1xi32>, index) -> (), sym_name = "f"}> ({
  ^bb0(%arg0: index, %arg1: index, %arg2: memref<16xf32, 1 : i32>, %arg3: index, %arg4: index, %arg5: memref<1xi32>, %arg6: index):
    "memref.dma_start"(%arg0, %arg1, %arg2, %arg3, %arg4, %arg5, %arg6) : (index, index, memref<16xf32, 1 : i32>, index, index, memref<1xi32>, index) -> ()
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
// error: 'memref.dma_start' op expected at least 5 operands
"builtin.module"() ({
  "func.func"() <{function_type = (memref<16xf32>, index, memref<16xf32, 1 : i32>, index) -> (), sym_name = "f"}> ({
  ^bb0(%arg0: memref<16xf32>, %arg1: index, %arg2: memref<16xf32, 1 : i32>, %arg3: index):
    "memref.dma_start"(%arg0, %arg1, %arg2, %arg3) : (memref<16xf32>, index, memref<16xf32, 1 : i32>, index) -> ()
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
// error: 'memref.dma_start' op expected source indices to be of index type
"builtin.module"() ({
  "func.func"() <{function_type = (memref<16xf32>, i32, memref<16xf32, 1 : i32>, index, index, memref<1xi32>, index) -> (), sym_name = "f"}> ({
  ^bb0(%arg0: memref<16xf32>, %arg1: i32, %arg2: memref<16xf32, 1 : i32>, %arg3: index, %arg4: index, %arg5: memref<1xi32>, %arg6: index):
    "memref.dma_start"(%arg0, %arg1, %arg2, %arg3, %arg4, %arg5, %arg6) : (memref<16xf32>, i32, memref<16xf32, 1 : i32>, index, index, memref<1xi32>, index) -> ()
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
// error: 'memref.dma_start' op expected destination to be of memref type
"builtin.module"() ({
  "func.func"() <{function_type = (memref<16xf32>, index, index, index, index, memref<1xi32>, index) -> (), sym_name = "f"}> ({
  ^bb0(%arg0: memref<16xf32>, %arg1: index, %arg2: index, %arg3: index, %arg4: index, %arg5: memref<1xi32>, %arg6: index):
    "memref.dma_start"(%arg0, %arg1, %arg2, %arg3, %arg4, %arg5, %arg6) : (memref<16xf32>, index, index, index, index, memref<1xi32>, index) -> ()
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
// error: 'memref.dma_start' op expected at least 7 operands
"builtin.module"() ({
  "func.func"() <{function_type = (memref<16xf32>, index, memref<8x8xf32>, index, index, index) -> (), sym_name = "f"}> ({
  ^bb0(%arg0: memref<16xf32>, %arg1: index, %arg2: memref<8x8xf32>, %arg3: index, %arg4: index, %arg5: index):
    "memref.dma_start"(%arg0, %arg1, %arg2, %arg3, %arg4, %arg5) : (memref<16xf32>, index, memref<8x8xf32>, index, index, index) -> ()
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
// error: 'memref.dma_start' op expected destination indices to be of index type
"builtin.module"() ({
  "func.func"() <{function_type = (memref<16xf32>, index, memref<16xf32, 1 : i32>, i32, index, memref<1xi32>, index) -> (), sym_name = "f"}> ({
  ^bb0(%arg0: memref<16xf32>, %arg1: index, %arg2: memref<16xf32, 1 : i32>, %arg3: i32, %arg4: index, %arg5: memref<1xi32>, %arg6: index):
    "memref.dma_start"(%arg0, %arg1, %arg2, %arg3, %arg4, %arg5, %arg6) : (memref<16xf32>, index, memref<16xf32, 1 : i32>, i32, index, memref<1xi32>, index) -> ()
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
// error: 'memref.dma_start' op expected num elements to be of index type
"builtin.module"() ({
  "func.func"() <{function_type = (memref<16xf32>, index, memref<16xf32, 1 : i32>, index, i32, memref<1xi32>, index) -> (), sym_name = "f"}> ({
  ^bb0(%arg0: memref<16xf32>, %arg1: index, %arg2: memref<16xf32, 1 : i32>, %arg3: index, %arg4: i32, %arg5: memref<1xi32>, %arg6: index):
    "memref.dma_start"(%arg0, %arg1, %arg2, %arg3, %arg4, %arg5, %arg6) : (memref<16xf32>, index, memref<16xf32, 1 : i32>, index, i32, memref<1xi32>, index) -> ()
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
// error: 'memref.dma_start' op expected tag to be of memref type
"builtin.module"() ({
  "func.func"() <{function_type = (memref<16xf32>, index, memref<16xf32, 1 : i32>, index, index, index, index) -> (), sym_name = "f"}> ({
  ^bb0(%arg0: memref<16xf32>, %arg1: index, %arg2: memref<16xf32, 1 : i32>, %arg3: index, %arg4: index, %arg5: index, %arg6: index):
    "memref.dma_start"(%arg0, %arg1, %arg2, %arg3, %arg4, %arg5, %arg6) : (memref<16xf32>, index, memref<16xf32, 1 : i32>, index, index, index, index) -> ()
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
// error: 'memref.dma_start' op expected at least 7 operands
"builtin.module"() ({
  "func.func"() <{function_type = (memref<16xf32>, index, memref<16xf32, 1 : i32>, index, index, memref<1xi32>) -> (), sym_name = "f"}> ({
  ^bb0(%arg0: memref<16xf32>, %arg1: index, %arg2: memref<16xf32, 1 : i32>, %arg3: index, %arg4: index, %arg5: memref<1xi32>):
    "memref.dma_start"(%arg0, %arg1, %arg2, %arg3, %arg4, %arg5) : (memref<16xf32>, index, memref<16xf32, 1 : i32>, index, index, memref<1xi32>) -> ()
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
// error: 'memref.dma_start' op expected tag indices to be of index type
"builtin.module"() ({
  "func.func"() <{function_type = (memref<16xf32>, index, memref<16xf32, 1 : i32>, index, index, memref<1xi32>, i32) -> (), sym_name = "f"}> ({
  ^bb0(%arg0: memref<16xf32>, %arg1: index, %arg2: memref<16xf32, 1 : i32>, %arg3: index, %arg4: index, %arg5: memref<1xi32>, %arg6: i32):
    "memref.dma_start"(%arg0, %arg1, %arg2, %arg3, %arg4, %arg5, %arg6) : (memref<16xf32>, index, memref<16xf32, 1 : i32>, index, index, memref<1xi32>, i32) -> ()
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
// error: 'memref.dma_start' op incorrect number of operands
"builtin.module"() ({
  "func.func"() <{function_type = (memref<16xf32>, index, memref<16xf32, 1 : i32>, index, index, memref<1xi32>, index, index) -> (), sym_name = "f"}> ({
  ^bb0(%arg0: memref<16xf32>, %arg1: index, %arg2: memref<16xf32, 1 : i32>, %arg3: index, %arg4: index, %arg5: memref<1xi32>, %arg6: index, %arg7: index):
    "memref.dma_start"(%arg0, %arg1, %arg2, %arg3, %arg4, %arg5, %arg6, %arg7) : (memref<16xf32>, index, memref<16xf32, 1 : i32>, index, index, memref<1xi32>, index, index) -> ()
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
// error: 'memref.dma_start' op expected stride and num elements per stride to be of type index
"builtin.module"() ({
  "func.func"() <{function_type = (memref<16xf32>, index, memref<16xf32, 1 : i32>, index, index, memref<1xi32>, index, index, i32) -> (), sym_name = "f"}> ({
  ^bb0(%arg0: memref<16xf32>, %arg1: index, %arg2: memref<16xf32, 1 : i32>, %arg3: index, %arg4: index, %arg5: memref<1xi32>, %arg6: index, %arg7: index, %arg8: i32):
    "memref.dma_start"(%arg0, %arg1, %arg2, %arg3, %arg4, %arg5, %arg6, %arg7, %arg8) : (memref<16xf32>, index, memref<16xf32, 1 : i32>, index, index, memref<1xi32>, index, index, i32) -> ()
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
// error: 'memref.dma_wait' op expected tagIndices to have the same number of elements as the tagMemRef rank, expected 2, but got 1
"builtin.module"() ({
  "func.func"() <{function_type = (memref<1x1xi32>, index, index) -> (), sym_name = "f"}> ({
  ^bb0(%arg0: memref<1x1xi32>, %arg1: index, %arg2: index):
    "memref.dma_wait"(%arg0, %arg1, %arg2) : (memref<1x1xi32>, index, index) -> ()
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
// error: 'memref.extract_strided_metadata' op inferred type(s) 'memref<f32>', 'index', 'index', 'index', 'index', 'index' are incompatible with return type(s) of operation 'memref<f32>', 'index', 'index', 'index', 'index'
"builtin.module"() ({
  "func.func"() <{function_type = (memref<4x4xf32>) -> (), sym_name = "f"}> ({
  ^bb0(%arg0: memref<4x4xf32>):
    %0:5 = "memref.extract_strided_metadata"(%arg0) : (memref<4x4xf32>) -> (memref<f32>, index, index, index, index)
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
