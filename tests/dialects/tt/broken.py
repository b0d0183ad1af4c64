"""Modules that break one rule of ``tt`` each, with what the verifier of Triton 3.9 says of them."""

from __future__ import annotations

ARGUMENTS = {
    "x": "tensor<4x2xf32>",
    "v": "tensor<16xi32>",
    "f": "tensor<16xf32>",
    "p": "!tt.ptr<f32>",
    "pp": "tensor<16x!tt.ptr<f32>>",
    "q": "!tt.ptr<i32>",
    "c": '!tt.ptr<f32, "constant">',
    "i": "i32",
    "l": "i64",
    "s": "f32",
    "b": "i1",
    "a": "tensor<16x32xf16>",
    "w": "tensor<32x16xf16>",
    "z": "tensor<16x16xf32>",
    "d": "!tt.tensordesc<16x32xf16>",
    "g": "!tt.tensordesc<1x32xf16>",
    "three": "tensor<3xi32>",
    "m": "tensor<16xi1>",
    "sc": "tensor<16x1xi8>",
    "e8": "tensor<16x32xi8>",
    "h": "tensor<16x16xi8>",
}
"""The types of the arguments of the function around each body."""

BROKEN: tuple[tuple[str, str], ...] = (
    (
        '%r = "tt.bitcast"(%i) : (i32) -> i64',
        "Cannot bitcast data-type of size 32 to data-type of size 64",
    ),
    (
        '%r = "tt.bitcast"(%p) : (!tt.ptr<f32>) -> i64',
        "Cannot bitcast pointer to non-pointer type",
    ),
    (
        '%r = "tt.bitcast"(%p) : (!tt.ptr<f32>) -> !tt.ptr<f32, "constant">',
        "Cannot bitcast pointer between different address spaces",
    ),
    (
        '%r = "tt.bitcast"(%v) : (tensor<16xi32>) -> tensor<8xi32>',
        "'tt.bitcast' op all non-scalar operands/results must have the same shape and base type",
    ),
    (
        '%r = "tt.fp_to_fp"(%s) : (f32) -> f16',
        "Rounding mode is required for FP downcast",
    ),
    (
        '%r = "tt.fp_to_fp"(%i) : (i32) -> f16',
        "'tt.fp_to_fp' op operand #0 must be floating-point or ranked tensor of floating-point values, but got 'i32'",
    ),
    (
        '%r = "tt.int_to_ptr"(%i) : (i32) -> !tt.ptr<f32>',
        "'tt.int_to_ptr' op operand #0 must be 64-bit signless integer or tensor of 64-bit signless integer values, but got 'i32'",
    ),
    (
        '%r = "tt.clampf"(%s, %s, %s) : (f32, f32, f32) -> f32',
        "'tt.clampf' op requires attribute 'propagateNan'",
    ),
    (
        '%r = "tt.mulhiui"(%i, %l) : (i32, i64) -> i32',
        "'tt.mulhiui' op requires the same type for all operands and results",
    ),
    (
        '%r = "tt.precise_divf"(%s, %i) : (f32, i32) -> f32',
        "'tt.precise_divf' op operand #1 must be floating-point or ranked tensor of floating-point values, but got 'i32'",
    ),
    (
        '%r = "tt.approx_divf"(%a, %a) : (tensor<16x32xf16>, tensor<16x32xf16>) -> tensor<16x32xf16>',
        "'tt.approx_divf' op operand #0 must be 32-bit float or ranked tensor of 32-bit float values, but got 'tensor<16x32xf16>'",
    ),
    (
        '%r = "tt.addptr"(%p, %i) : (!tt.ptr<f32>, i32) -> !tt.ptr<i32>',
        "'tt.addptr' op failed to verify that result type matches ptr type",
    ),
    (
        '%r = "tt.addptr"(%pp, %i) : (tensor<16x!tt.ptr<f32>>, i32) -> tensor<16x!tt.ptr<f32>>',
        "'tt.addptr' op requires the same shape for all operands and results",
    ),
    (
        '%r = "tt.load"(%p) <{operandSegmentSizes = array<i32: 1, 0, 0>}> : (!tt.ptr<f32>) -> i32',
        "'tt.load' op failed to verify that result matches ptr type",
    ),
    (
        '%r = "tt.load"(%pp, %b) <{operandSegmentSizes = array<i32: 1, 1, 0>}> : (tensor<16x!tt.ptr<f32>>, i1) -> tensor<16xf32>',
        "'tt.load' op failed to verify that mask type matches ptr type",
    ),
    (
        '%r = "tt.load"(%pp, %m, %s) <{operandSegmentSizes = array<i32: 1, 1, 1>}> : (tensor<16x!tt.ptr<f32>>, tensor<16xi1>, f32) -> tensor<16xf32>',
        "'tt.load' op failed to verify that other matches ptr type",
    ),
    (
        '%r = "tt.load"(%pp, %m, %v) <{operandSegmentSizes = array<i32: 1, 1, 1>}> : (tensor<16x!tt.ptr<f32>>, tensor<16xi1>, tensor<16xi32>) -> tensor<16xf32>',
        "'tt.load' op failed to verify that other matches ptr type",
    ),
    (
        '%r = "tt.load"(%p, %s) <{operandSegmentSizes = array<i32: 1, 1, 0>}> : (!tt.ptr<f32>, f32) -> f32',
        "'tt.load' op operand #1 must be 1-bit signless integer or ranked tensor of 1-bit signless integer values, but got 'f32'",
    ),
    (
        "%r = tt.load %p {cachePolicy = #tt.cache_policy<cache_modifier = wt, eviction_policy = evict_normal>} : !tt.ptr<f32>",
        "'tt.load' op invalid cache policy: cache modifier 'wt' is not supported for loads",
    ),
    (
        "%r = tt.load %p {cachePolicy = 3 : i32} : !tt.ptr<f32>",
        "'tt.load' op unsupported cache policy attribute 3 : i32",
    ),
    (
        '"tt.store"(%p, %i) : (!tt.ptr<f32>, i32) -> ()',
        "'tt.store' op failed to verify that value type matches ptr type",
    ),
    (
        '"tt.store"(%pp, %s) : (tensor<16x!tt.ptr<f32>>, f32) -> ()',
        "'tt.store' op failed to verify that value type matches ptr type",
    ),
    (
        '"tt.store"(%pp, %f, %b) : (tensor<16x!tt.ptr<f32>>, tensor<16xf32>, i1) -> ()',
        "'tt.store' op failed to verify that mask type matches ptr type",
    ),
    (
        "tt.store %p, %s {cachePolicy = #tt.cache_policy<cache_modifier = ca, eviction_policy = evict_normal>} : !tt.ptr<f32>",
        "'tt.store' op invalid cache policy: cache modifier 'ca' is not supported for stores",
    ),
    (
        '%r = "tt.atomic_load"(%p) <{sem = 3 : i32, scope = 1 : i32}> : (!tt.ptr<f32>) -> f32',
        "'tt.atomic_load' op only supports acquire and relaxed semantics",
    ),
    (
        '"tt.atomic_store"(%p, %s) <{sem = 2 : i32, scope = 1 : i32}> : (!tt.ptr<f32>, f32) -> ()',
        "'tt.atomic_store' op only supports release and relaxed semantics",
    ),
    (
        '%r = "tt.atomic_poll"(%q, %i) <{sem = 3 : i32, scope = 1 : i32}> : (!tt.ptr<i32>, i32) -> i1',
        "'tt.atomic_poll' op only supports acquire and relaxed semantics",
    ),
    (
        '%r = "tt.atomic_poll"(%q, %l) <{sem = 2 : i32, scope = 1 : i32}> : (!tt.ptr<i32>, i64) -> i1',
        "'tt.atomic_poll' op failed to verify that ptr type matches expected type",
    ),
    (
        '%r = "tt.atomic_rmw"(%p, %i) <{atomic_rmw_op = 4 : i32, sem = 1 : i32, scope = 1 : i32}> : (!tt.ptr<f32>, i32) -> i32',
        "'tt.atomic_rmw' op failed to verify that ptr type matches value type",
    ),
    (
        '%r = "tt.atomic_rmw"(%pp, %f, %b) <{atomic_rmw_op = 5 : i32, sem = 1 : i32, scope = 1 : i32}> : (tensor<16x!tt.ptr<f32>>, tensor<16xf32>, i1) -> tensor<16xf32>',
        "'tt.atomic_rmw' op failed to verify that mask type matches value type",
    ),
    (
        '%r = "tt.atomic_cas"(%q, %i, %l) <{sem = 1 : i32, scope = 1 : i32}> : (!tt.ptr<i32>, i32, i64) -> i32',
        "'tt.atomic_cas' op failed to verify that ptr type matches value type",
    ),
    (
        '%r = "tt.splat"(%i) : (i32) -> tensor<4xi64>',
        "'tt.splat' op requires the same element type for all operands and results",
    ),
    (
        '%r = "tt.unsplat"(%v) : (tensor<16xi32>) -> i32',
        "source tensor must have exactly one element",
    ),
    (
        '%o = tt.splat %i : i32 -> tensor<1xi32>\n%r = "tt.unsplat"(%o) : (tensor<1xi32>) -> i64',
        "'tt.unsplat' op inferred type(s) 'i32' are incompatible with return type(s) of operation 'i64'",
    ),
    (
        '%r = "tt.expand_dims"(%v) <{axis = 0 : i32}> : (tensor<16xi32>) -> tensor<16x1xi32>',
        "'tt.expand_dims' op inferred type(s) 'tensor<1x16xi32>' are incompatible with return type(s) of operation 'tensor<16x1xi32>'",
    ),
    (
        '%r = "tt.expand_dims"(%v) : (tensor<16xi32>) -> tensor<16x1xi32>',
        "'tt.expand_dims' op requires attribute 'axis'",
    ),
    (
        '%r = "tt.reshape"(%v) : (tensor<16xi32>) -> tensor<8xi32>',
        "number of src and dst elements of reshape must be the same",
    ),
    (
        '%r = "tt.reshape"(%v) : (tensor<16xi32>) -> tensor<16xf32>',
        "'tt.reshape' op requires the same element type for all operands and results",
    ),
    (
        '%r = "tt.reshape"(%three) : (tensor<3xi32>) -> tensor<3xi32>',
        'Number of elements must be power-of-two, but %0 = "tt.reshape"(%arg16) : (tensor<3xi32>) -> tensor<3xi32> doesn\'t follow the rule (3) elements',
    ),
    (
        '%r = "tt.splat"(%i) : (i32) -> tensor<2097152xi32>',
        'Maximum allowed number of elements is 1048576, but %0 = "tt.splat"(%arg7) : (i32) -> tensor<2097152xi32> has more than that',
    ),
    (
        '%r = "tt.broadcast"(%v) : (tensor<16xi32>) -> tensor<32xi32>',
        "Different dimensions at index 0 between source and result.  Broadcast requires the source dimension to be 1.",
    ),
    (
        '%r = "tt.broadcast"(%v) : (tensor<16xi32>) -> tensor<16x2xi32>',
        "rank of source must be same as rank of result",
    ),
    (
        '%r = "tt.cat"(%v, %v) : (tensor<16xi32>, tensor<16xi32>) -> tensor<16xi32>',
        "'tt.cat' op result element count must equal the sum of the operand element counts, expected 32 but got 16",
    ),
    (
        '%r = "tt.cat"(%v, %f) : (tensor<16xi32>, tensor<16xf32>) -> tensor<32xi32>',
        "'tt.cat' op requires all operands to have the same type",
    ),
    (
        '%r = "tt.join"(%v, %v) : (tensor<16xi32>, tensor<16xi32>) -> tensor<2x16xi32>',
        "'tt.join' op result shape must be (16, 2), but got 2, 16",
    ),
    (
        '%r = "tt.join"(%v, %v) : (tensor<16xi32>, tensor<16xi32>) -> tensor<16x2xf32>',
        "'tt.join' op result element type must match the input element type",
    ),
    (
        '%r:2 = "tt.split"(%v) : (tensor<16xi32>) -> (tensor<8xi32>, tensor<8xi32>)',
        "last dimension of input tensor must be 2",
    ),
    (
        '%r:2 = "tt.split"(%x) : (tensor<4x2xf32>) -> (tensor<4xf32>, tensor<8xf32>)',
        "'tt.split' op failed to verify that outLHS and outRHS types match",
    ),
    (
        '%r:2 = "tt.split"(%x) : (tensor<4x2xf32>) -> (tensor<8xf32>, tensor<8xf32>)',
        "'tt.split' op inferred type(s) 'tensor<4xf32>', 'tensor<4xf32>' are incompatible with return type(s) of operation 'tensor<8xf32>', 'tensor<8xf32>'",
    ),
    (
        '%r = "tt.trans"(%x) <{order = array<i32: 0>}> : (tensor<4x2xf32>) -> tensor<2x4xf32>',
        "order must have the same size as the rank of the operand and result",
    ),
    (
        '%r = "tt.trans"(%x) <{order = array<i32: 1, 0>}> : (tensor<4x2xf32>) -> tensor<4x2xf32>',
        "result shape must match the permutation of the source shape",
    ),
    (
        "%r = tt.make_range {end = 4 : i32, start = 4 : i32} : tensor<4xi32>",
        "'tt.make_range' op start must be less than end",
    ),
    (
        "%r = tt.make_range {end = 4 : i32, start = 0 : i32} : tensor<2x2xi32>",
        "'tt.make_range' op return type must be a 1D tensor",
    ),
    (
        "%r = tt.make_range {end = 4 : i32, start = 0 : i32} : tensor<8xi32>",
        "'tt.make_range' op number of elements in returned tensor, 8, must match size of range [0, 4), which has 4 elements",
    ),
    (
        "%r = tt.make_range {end = 4 : i32, start = 0 : i32} : tensor<4xi64>",
        "'tt.make_range' op returned tensor must have i32 elements",
    ),
    (
        '%r = "tt.make_range"() <{end = 4 : i64, start = 0 : i32}> : () -> tensor<4xi64>',
        "'tt.make_range' op attribute 'end' failed to satisfy constraint: 32-bit signless integer attribute",
    ),
    (
        '%r = "tt.histogram"(%v, %b) : (tensor<16xi32>, i1) -> tensor<8xi32>',
        "'tt.histogram' op failed to verify that mask type matches src type",
    ),
    (
        '%r = "tt.histogram"(%f) : (tensor<16xf32>) -> tensor<8xi32>',
        "'tt.histogram' op operand #0 must be ranked tensor of integer values, but got 'tensor<16xf32>'",
    ),
    (
        '%r = "tt.gather"(%v, %v) <{axis = 1 : i32}> : (tensor<16xi32>, tensor<16xi32>) -> tensor<16xi32>',
        "'tt.gather' op gather dimension must be less than the input rank",
    ),
    (
        '%r = "tt.gather"(%v, %v) <{axis = 0 : i32}> : (tensor<16xi32>, tensor<16xi32>) -> tensor<8xi32>',
        "'tt.gather' op indices and output shapes must match",
    ),
    (
        '%r = "tt.gather"(%z, %v) <{axis = 0 : i32}> : (tensor<16x16xf32>, tensor<16xi32>) -> tensor<16xf32>',
        "'tt.gather' op input and indices ranks must match",
    ),
    (
        '%r = "tt.gather"(%f, %v) <{axis = 0 : i32}> : (tensor<16xf32>, tensor<16xi32>) -> tensor<16xi32>',
        "'tt.gather' op input and output element types must match",
    ),
    (
        '%r = "tt.dot"(%a, %a, %z) : (tensor<16x32xf16>, tensor<16x32xf16>, tensor<16x16xf32>) -> tensor<16x16xf32>',
        "'tt.dot' op expected the last dimension of the first operand to be equal to the second-to-last dimension of the second operand",
    ),
    (
        '%r = "tt.dot"(%a, %w, %x) : (tensor<16x32xf16>, tensor<32x16xf16>, tensor<4x2xf32>) -> tensor<4x2xf32>',
        "'tt.dot' op expected the output shape to be the concatenation of the last dimension of the first operand and the last dimension of the second ",
    ),
    (
        '%r = "tt.dot"(%a, %w, %z) : (tensor<16x32xf16>, tensor<32x16xf16>, tensor<16x16xf32>) -> tensor<16x16xf16>',
        "'tt.dot' op failed to verify that result's type matches accumulator's type",
    ),
    (
        '%r = "tt.dot"(%v, %v, %v) : (tensor<16xi32>, tensor<16xi32>, tensor<16xi32>) -> tensor<16xi32>',
        "'tt.dot' op expected operands to be 2d or 3d",
    ),
    (
        '%r = "tt.dot"(%a, %v, %z) : (tensor<16x32xf16>, tensor<16xi32>, tensor<16x16xf32>) -> tensor<16x16xf32>',
        "'tt.dot' op expected all operands to have the same rank",
    ),
    (
        '%r = "tt.dot"(%h, %z, %z) : (tensor<16x16xi8>, tensor<16x16xf32>, tensor<16x16xf32>) -> tensor<16x16xf32>',
        "element types of operands A and B must have same bit width",
    ),
    (
        "%r = tt.dot_scaled %e8 scale %m, %w, %z lhs = e4m3 rhs = fp16 {fastMath = false} : tensor<16x32xi8>, tensor<16xi1> * tensor<32x16xf16> -> tensor<16x16xf32>",
        "'tt.dot_scaled' op operand #3 must be ranked tensor of floating-point or 8-bit signless integer values, but got 'tensor<16xi1>'",
    ),
    (
        "%r = tt.dot_scaled %e8 scale %h, %w, %z lhs = e4m3 rhs = fp16 {fastMath = false} : tensor<16x32xi8>, tensor<16x16xi8> * tensor<32x16xf16> -> tensor<16x16xf32>",
        "scale factor must be 16 or 32. Got 2",
    ),
    (
        "%r = tt.dot_scaled %e8, %w, %z lhs = e2m1 rhs = fp16 {fastMath = false} : tensor<16x32xi8> * tensor<32x16xf16> -> tensor<16x16xf32>",
        "'tt.dot_scaled' op expected the last dimension of the first operand to be equal to the second-to-last dimension of the second operand",
    ),
    (
        '%r = "tt.reduce"(%f) <{axis = 1 : i32}> ({\n'
        "^bb0(%k: f32, %n: f32):\n"
        "  tt.reduce.return %k : f32\n"
        "}) : (tensor<16xf32>) -> f32",
        "'tt.reduce' op axis out of bounds for operand rank 1",
    ),
    (
        '%r = "tt.reduce"(%f) <{axis = 0 : i32}> ({\n'
        "^bb0(%k: f32):\n"
        "  tt.reduce.return %k : f32\n"
        "}) : (tensor<16xf32>) -> f32",
        "'tt.reduce' op nested block must take 2 arguments, but given block with 1 arguments",
    ),
    (
        '%r = "tt.reduce"(%f) <{axis = 0 : i32}> ({\n'
        "^bb0(%k: f32, %n: i32):\n"
        "  tt.reduce.return %k : f32\n"
        "}) : (tensor<16xf32>) -> f32",
        "'tt.reduce' op type mismatch on combine operation. Expected argument 1 to have type 'f32' but got 'i32'",
    ),
    (
        '%r = "tt.reduce"(%f) <{axis = 0 : i32}> ({\n'
        "^bb0(%k: f32, %n: f32):\n"
        "  tt.reduce.return %k, %n : f32, f32\n"
        "}) : (tensor<16xf32>) -> f32",
        "'tt.reduce' op expected combine operation to return 1 values but got 2",
    ),
    (
        '%r = "tt.reduce"(%f) <{axis = 0 : i32}> ({\n'
        "^bb0(%k: f32, %n: f32):\n"
        "  tt.reduce.return %i : i32\n"
        "}) : (tensor<16xf32>) -> f32",
        "'tt.reduce' op type mismatch on combine operation. Expected argument 0 to have type 'f32' but got 'i32'",
    ),
    (
        '%r = "tt.reduce"(%f) <{axis = 0 : i32}> ({\n'
        "^bb0(%k: f32, %n: f32):\n"
        "  tt.reduce.return %k : f32\n"
        "}) : (tensor<16xf32>) -> i32",
        "'tt.reduce' op operand types and result types must agree",
    ),
    (
        '%r:2 = "tt.reduce"(%f, %x) <{axis = 0 : i32}> ({\n'
        "^bb0(%k: f32, %n: f32, %o: f32, %t: f32):\n"
        "  tt.reduce.return %k, %n : f32, f32\n"
        "}) : (tensor<16xf32>, tensor<4x2xf32>) -> (f32, tensor<2xf32>)",
        "'tt.reduce' op requires the same shape for all operands",
    ),
    (
        '%r = "tt.scan"(%f) <{axis = 0 : i32, reverse = false}> ({\n'
        "^bb0(%k: f32, %n: f32):\n"
        "  tt.scan.return %k, %n : f32, f32\n"
        "}) : (tensor<16xf32>) -> tensor<16xf32>",
        "'tt.scan' op expected combine operation to return 1 values but got 2",
    ),
    (
        '%r = "tt.scan"(%f) <{axis = 0 : i32, reverse = false}> ({\n'
        "^bb0(%k: f32, %n: f32):\n"
        "  tt.scan.return %k : f32\n"
        "}) : (tensor<16xf32>) -> tensor<8xf32>",
        "'tt.scan' op requires the same shape for all operands and results",
    ),
    (
        '"tt.scan.return"(%f) : (tensor<16xf32>) -> ()',
        "'tt.scan.return' op expects parent op 'tt.scan'",
    ),
    (
        '%r = "tt.map_elementwise"(%f) <{pack = 3 : i32}> ({\n'
        "^bb0(%k: f32):\n"
        "  tt.map_elementwise.return %k : f32\n"
        "}) : (tensor<16xf32>) -> tensor<16xf32>",
        "'tt.map_elementwise' op Pack must be a power of 2",
    ),
    (
        '%r = "tt.map_elementwise"(%f) <{pack = 2 : i32}> ({\n'
        "^bb0(%k: f32):\n"
        "  tt.map_elementwise.return %k : f32\n"
        "}) : (tensor<16xf32>) -> tensor<16xf32>",
        "'tt.map_elementwise' op region has wrong number of arguments",
    ),
    (
        '%r = "tt.map_elementwise"(%f) <{pack = 1 : i32}> ({\n'
        "^bb0(%k: i32):\n"
        "  tt.map_elementwise.return %s : f32\n"
        "}) : (tensor<16xf32>) -> tensor<16xf32>",
        "argument types did not match",
    ),
    (
        '%r = "tt.map_elementwise"(%f) <{pack = 1 : i32}> ({\n'
        "^bb0(%k: f32):\n"
        "  tt.map_elementwise.return %i : i32\n"
        "}) : (tensor<16xf32>) -> tensor<16xf32>",
        "region return does not match map_elementwise result",
    ),
    (
        '%r = "tt.map_elementwise"(%f) <{pack = 1 : i32}> ({\n'
        "^bb0(%k: f32):\n"
        "  tt.store %p, %k : !tt.ptr<f32>\n"
        "  tt.map_elementwise.return %k : f32\n"
        "}) : (tensor<16xf32>) -> tensor<16xf32>",
        "'tt.store' op Stores are not supported inside map_elementwise",
    ),
    (
        '%r = tt.elementwise_inline_asm "a" {constraints = "=r", packed_element = 32 : i32, pure = true} %f : tensor<16xf32> -> tensor<16xf32>',
        "number of input elements 16 must be a multiple of the op's packed_element attribute, 32",
    ),
    (
        '%r = tt.elementwise_inline_asm "a" {constraints = "=r", packed_element = 1 : i32, pure = true} %f : tensor<16xf32> -> f32',
        "'tt.elementwise_inline_asm' op if an operand is non-scalar, then there must be at least one non-scalar result",
    ),
    (
        '%r = "tt.extern_elementwise"(%f) <{libname = "", libpath = "", symbol = "s"}> : (tensor<16xf32>) -> tensor<16xf32>',
        "'tt.extern_elementwise' op requires attribute 'pure'",
    ),
    (
        "%r = tt.descriptor_load %d[%i, %i] : !tt.tensordesc<16x32xf16> -> tensor<16x16xf32>",
        "'tt.descriptor_load' op descriptor block and tensor element types must match, but got descriptor element type 'f16' and tensor element type 'f32'",
    ),
    (
        "%r = tt.descriptor_load %d[%i, %i] : !tt.tensordesc<16x32xf16> -> tensor<16x16xf16>",
        "'tt.descriptor_load' op descriptor block and tensor must have the same number of elements, but got descriptor block with 512 elements tensor with 256 elements",
    ),
    (
        "tt.descriptor_store %d[%i, %i], %z : !tt.tensordesc<16x32xf16>, tensor<16x16xf32>",
        "'tt.descriptor_store' op descriptor block and tensor element types must match, but got descriptor element type 'f16' and tensor element type 'f32'",
    ),
    (
        "%r = tt.descriptor_gather %d[%v, %i] : (!tt.tensordesc<16x32xf16>, tensor<16xi32>, i32) -> tensor<16x32xf16>",
        "'tt.descriptor_gather' op descriptor block must have exactly 1 row, but got 'tensor<16x32xf16>'",
    ),
    (
        "%r = tt.descriptor_gather %g[%v, %i] : (!tt.tensordesc<1x32xf16>, tensor<16xi32>, i32) -> tensor<4x32xf16>",
        "'tt.descriptor_gather' op must have at least 8 rows, but got 4",
    ),
    (
        "%r = tt.descriptor_gather %g[%v, %i] : (!tt.tensordesc<1x32xf16>, tensor<16xi32>, i32) -> tensor<32x32xf16>",
        "'tt.descriptor_gather' op result tensor must have as many rows as indices (16), but got 'tensor<32x32xf16>'",
    ),
    (
        "%r = tt.descriptor_gather %g[%v, %i] : (!tt.tensordesc<1x32xf16>, tensor<16xi32>, i32) -> tensor<16x8xf16>",
        "'tt.descriptor_gather' op must have at least 16 columns for 'f16', but got 8",
    ),
    (
        "%r = tt.descriptor_gather %g[%v, %i] : (!tt.tensordesc<1x32xf16>, tensor<16xi32>, i32) -> tensor<16x64xf16>",
        "'tt.descriptor_gather' op result tensor number of columns must match block (32), but got 'tensor<16x64xf16>'",
    ),
    (
        "%r = tt.descriptor_gather %g[%v, %i] : (!tt.tensordesc<1x32xf16>, tensor<16xi32>, i32) -> tensor<16x32xf32>",
        "'tt.descriptor_gather' op result tensor element type must match block ('f16'), but got 'tensor<16x32xf32>'",
    ),
    (
        'tt.assert %i, "m" : i32',
        "'tt.assert' op operand #0 must be 1-bit signless integer or tensor of 1-bit signless integer values, but got 'i32'",
    ),
    (
        '%r = "tt.get_program_id"() <{axis = 0 : i32}> : () -> i64',
        "'tt.get_program_id' op result #0 must be 32-bit signless integer, but got 'i64'",
    ),
    (
        "%r = tt.call @missing(%i) : (i32) -> i32",
        "'tt.call' op 'missing' does not reference a valid function",
    ),
    (
        "tt.call @f() : () -> ()",
        "'tt.call' op incorrect number of operands for callee",
    ),
    (
        "tt.return %i : i32",
        "'tt.return' op has 1 operands, but enclosing function (@f) returns 0",
    ),
)
"""Bodies, and the message that each of them gets."""


def module_text(body: str) -> str:
    """A module with one function that runs a body; it returns nothing unless the body says so."""
    arguments = ", ".join(f"%{name}: {type}" for name, type in ARGUMENTS.items())
    tail = "" if body.startswith("tt.return") else "\ntt.return"
    return f"module {{\ntt.func @f({arguments}) {{\n{body}{tail}\n}}\n}}\n"
