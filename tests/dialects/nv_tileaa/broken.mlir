// error: 'nv_tileaa.dot' op expected the element types of A, B, C, and D to be either all integers or all floats.
"builtin.module"() ({
  %0 = "test.value"() : () -> tensor<16x8xi8>
  %1 = "test.value"() : () -> tensor<8x32xf16>
  %2 = "test.value"() : () -> tensor<16x32xf32>
  "nv_tileaa.dot"(%0, %1, %2) <{operandSegmentSizes = array<i32: 1, 1, 1, 0, 0>}> : (tensor<16x8xi8>, tensor<8x32xf16>, tensor<16x32xf32>) -> tensor<16x32xf32>
}) : () -> ()
// -----
// error: 'nv_tileaa.dot' op expects #A and #B have same bit width but got 8 and 16
"builtin.module"() ({
  %0 = "test.value"() : () -> tensor<16x8xi8>
  %1 = "test.value"() : () -> tensor<8x32xi16>
  %2 = "test.value"() : () -> tensor<16x32xi32>
  "nv_tileaa.dot"(%0, %1, %2) <{operandSegmentSizes = array<i32: 1, 1, 1, 0, 0>, signedness_a = #nv_tileaa.signedness<signed>, signedness_b = #nv_tileaa.signedness<signed>}> : (tensor<16x8xi8>, tensor<8x32xi16>, tensor<16x32xi32>) -> tensor<16x32xi32>
}) : () -> ()
// -----
// error: 'nv_tileaa.dot' op expect signedness attribute for operand A
"builtin.module"() ({
  %0 = "test.value"() : () -> tensor<16x8xi8>
  %1 = "test.value"() : () -> tensor<8x32xi8>
  %2 = "test.value"() : () -> tensor<16x32xi32>
  "nv_tileaa.dot"(%0, %1, %2) <{operandSegmentSizes = array<i32: 1, 1, 1, 0, 0>}> : (tensor<16x8xi8>, tensor<8x32xi8>, tensor<16x32xi32>) -> tensor<16x32xi32>
}) : () -> ()
// -----
// error: 'nv_tileaa.dot' op expects #C element type to be f32, but got f16
"builtin.module"() ({
  %0 = "test.value"() : () -> tensor<16x8xf16>
  %1 = "test.value"() : () -> tensor<8x32xf16>
  %2 = "test.value"() : () -> tensor<16x32xf16>
  "nv_tileaa.dot"(%0, %1, %2) <{operandSegmentSizes = array<i32: 1, 1, 1, 0, 0>}> : (tensor<16x8xf16>, tensor<8x32xf16>, tensor<16x32xf16>) -> tensor<16x32xf16>
}) : () -> ()
// -----
// error: 'nv_tileaa.dot' op expects #C element type to be either f32 or f16, but got bf16
"builtin.module"() ({
  %0 = "test.value"() : () -> tensor<16x8xf4E2M1FN>
  %1 = "test.value"() : () -> tensor<8x32xf4E2M1FN>
  %2 = "test.value"() : () -> tensor<16x32xbf16>
  "nv_tileaa.dot"(%0, %1, %2) <{operandSegmentSizes = array<i32: 1, 1, 1, 0, 0>}> : (tensor<16x8xf4E2M1FN>, tensor<8x32xf4E2M1FN>, tensor<16x32xbf16>) -> tensor<16x32xbf16>
}) : () -> ()
// -----
// error: 'nv_tileaa.dot' op expects rank-2 or rank-3 tensor for result, but got (1)
"builtin.module"() ({
  %0 = "test.value"() : () -> tensor<8xf16>
  %1 = "test.value"() : () -> tensor<8xf16>
  %2 = "test.value"() : () -> tensor<8xf32>
  "nv_tileaa.dot"(%0, %1, %2) <{operandSegmentSizes = array<i32: 1, 1, 1, 0, 0>}> : (tensor<8xf16>, tensor<8xf16>, tensor<8xf32>) -> tensor<8xf32>
}) : () -> ()
// -----
// error: 'nv_tileaa.dot' op expects the shape of operand #A and #B to be compatible
"builtin.module"() ({
  %0 = "test.value"() : () -> tensor<16x8xf16>
  %1 = "test.value"() : () -> tensor<4x32xf16>
  %2 = "test.value"() : () -> tensor<16x32xf32>
  "nv_tileaa.dot"(%0, %1, %2) <{operandSegmentSizes = array<i32: 1, 1, 1, 0, 0>}> : (tensor<16x8xf16>, tensor<4x32xf16>, tensor<16x32xf32>) -> tensor<16x32xf32>
}) : () -> ()
// -----
// error: 'nv_tileaa.dot' op expects the shape of operand #C is compatible with operands #A and #B
"builtin.module"() ({
  %0 = "test.value"() : () -> tensor<16x8xf16>
  %1 = "test.value"() : () -> tensor<8x32xf16>
  %2 = "test.value"() : () -> tensor<16x16xf32>
  "nv_tileaa.dot"(%0, %1, %2) <{operandSegmentSizes = array<i32: 1, 1, 1, 0, 0>}> : (tensor<16x8xf16>, tensor<8x32xf16>, tensor<16x16xf32>) -> tensor<16x16xf32>
}) : () -> ()
// -----
// error: 'nv_tileaa.dot' op expects both SFA and SFB to be present
"builtin.module"() ({
  %0 = "test.value"() : () -> tensor<16x8xf16>
  %1 = "test.value"() : () -> tensor<8x32xf16>
  %2 = "test.value"() : () -> tensor<16x32xf32>
  %3 = "test.value"() : () -> tensor<16x1xf16>
  "nv_tileaa.dot"(%0, %1, %2, %3) <{operandSegmentSizes = array<i32: 1, 1, 1, 1, 0>}> : (tensor<16x8xf16>, tensor<8x32xf16>, tensor<16x32xf32>, tensor<16x1xf16>) -> tensor<16x32xf32>
}) : () -> ()
// -----
// error: 'nv_tileaa.block_tile' op expects non-empty tileSizes
"builtin.module"() ({
  %0 = "test.value"() : () -> !nv_tileaa.memref<8x64xf32, strides = [64, 1]>
  "nv_tileaa.block_tile"(%0) <{dimGroups = [array<i64: 0>], tileSizes = array<i64>}> : (!nv_tileaa.memref<8x64xf32, strides = [64, 1]>) -> !nv_tileaa.tiled_view<!nv_tileaa.memref<8x64xf32, strides = [64, 1]>, [8]>
}) : () -> ()
// -----
// error: 'nv_tileaa.block_tile' op expects non-empty dimGroups
"builtin.module"() ({
  %0 = "test.value"() : () -> !nv_tileaa.memref<8x64xf32, strides = [64, 1]>
  "nv_tileaa.block_tile"(%0) <{dimGroups = [], tileSizes = array<i64: 8>}> : (!nv_tileaa.memref<8x64xf32, strides = [64, 1]>) -> !nv_tileaa.tiled_view<!nv_tileaa.memref<8x64xf32, strides = [64, 1]>, [8]>
}) : () -> ()
// -----
// error: 'nv_tileaa.block_tile' op expects rank of tileSizes be equal to rank of dimGroups, but got 1 and 2
"builtin.module"() ({
  %0 = "test.value"() : () -> !nv_tileaa.memref<8x64xf32, strides = [64, 1]>
  "nv_tileaa.block_tile"(%0) <{dimGroups = [array<i64: 0>, array<i64: 1>], tileSizes = array<i64: 8>}> : (!nv_tileaa.memref<8x64xf32, strides = [64, 1]>) -> !nv_tileaa.tiled_view<!nv_tileaa.memref<8x64xf32, strides = [64, 1]>, [8]>
}) : () -> ()
// -----
// error: 'nv_tileaa.block_tile' op expects all tile size bigger than zero
"builtin.module"() ({
  %0 = "test.value"() : () -> !nv_tileaa.memref<8x64xf32, strides = [64, 1]>
  "nv_tileaa.block_tile"(%0) <{dimGroups = [array<i64: 0>, array<i64: 1>], tileSizes = array<i64: 8, 0>}> : (!nv_tileaa.memref<8x64xf32, strides = [64, 1]>) -> !nv_tileaa.tiled_view<!nv_tileaa.memref<8x64xf32, strides = [64, 1]>, [8]>
}) : () -> ()
// -----
// error: 'nv_tileaa.block_tile' op expects dim is being tiled only one time, but got 0 again
"builtin.module"() ({
  %0 = "test.value"() : () -> !nv_tileaa.memref<8x64xf32, strides = [64, 1]>
  "nv_tileaa.block_tile"(%0) <{dimGroups = [array<i64: 0>, array<i64: 0>], tileSizes = array<i64: 8, 8>}> : (!nv_tileaa.memref<8x64xf32, strides = [64, 1]>) -> !nv_tileaa.tiled_view<!nv_tileaa.memref<8x64xf32, strides = [64, 1]>, [8]>
}) : () -> ()
// -----
// error: 'nv_tileaa.block_tile' op expects dimensions from 0 to 1, but got 2
"builtin.module"() ({
  %0 = "test.value"() : () -> !nv_tileaa.memref<8x64xf32, strides = [64, 1]>
  "nv_tileaa.block_tile"(%0) <{dimGroups = [array<i64: 2>], tileSizes = array<i64: 8>}> : (!nv_tileaa.memref<8x64xf32, strides = [64, 1]>) -> !nv_tileaa.tiled_view<!nv_tileaa.memref<8x64xf32, strides = [64, 1]>, [8]>
}) : () -> ()
// -----
// error: 'nv_tileaa.block_tile' op expects a view of '!nv_tileaa.memref<8x64xf32, strides = [64, 1]>' in tiles of [4], got '!nv_tileaa.tiled_view<!nv_tileaa.memref<8x64xf32, strides = [64, 1]>, [8]>'
"builtin.module"() ({
  %0 = "test.value"() : () -> !nv_tileaa.memref<8x64xf32, strides = [64, 1]>
  "nv_tileaa.block_tile"(%0) <{dimGroups = [array<i64: 0>], tileSizes = array<i64: 4>}> : (!nv_tileaa.memref<8x64xf32, strides = [64, 1]>) -> !nv_tileaa.tiled_view<!nv_tileaa.memref<8x64xf32, strides = [64, 1]>, [8]>
}) : () -> ()
// -----
// error: 'nv_tileaa.conv_tile' op expects channel must be a dimGroup
"builtin.module"() ({
  %0 = "test.value"() : () -> !nv_tileaa.memref<4x8x8x32xf16, strides = [2048, 256, 32, 1]>
  "nv_tileaa.conv_tile"(%0) <{activation_layout = #nv_tileaa.activation_layout<nhwc>, conv_params = #nv_tileaa.conv_params<[3, 3], [1, 1], [1, 1], [1, 1]>, dimGroups = [array<i64: 0>, array<i64: 1>], tileSizes = array<i64: 16, 32>}> : (!nv_tileaa.memref<4x8x8x32xf16, strides = [2048, 256, 32, 1]>) -> !nv_tileaa.tiled_view<!nv_tileaa.memref<4x8x8x32xf16, strides = [2048, 256, 32, 1]>, [16, 32]>
}) : () -> ()
// -----
// error: 'nv_tileaa.conv_tile' op expects channel dimGroup should contain only channel
"builtin.module"() ({
  %0 = "test.value"() : () -> !nv_tileaa.memref<4x8x8x32xf16, strides = [2048, 256, 32, 1]>
  "nv_tileaa.conv_tile"(%0) <{activation_layout = #nv_tileaa.activation_layout<nhwc>, conv_params = #nv_tileaa.conv_params<[3, 3], [1, 1], [1, 1], [1, 1]>, dimGroups = [array<i64: 0>, array<i64: 1, 3>], tileSizes = array<i64: 16, 32>}> : (!nv_tileaa.memref<4x8x8x32xf16, strides = [2048, 256, 32, 1]>) -> !nv_tileaa.tiled_view<!nv_tileaa.memref<4x8x8x32xf16, strides = [2048, 256, 32, 1]>, [16, 32]>
}) : () -> ()
// -----
// error: 'nv_tileaa.fp_to_fp' op expects operand and result to have the same shape, got 'tensor<8xf32>' and 'tensor<4xf16>'
"builtin.module"() ({
  %0 = "test.value"() : () -> tensor<8xf32>
  "nv_tileaa.fp_to_fp"(%0) : (tensor<8xf32>) -> tensor<4xf16>
}) : () -> ()
// -----
// error: 'nv_tileaa.mark_for_reuse' op expect operands with queue types
"builtin.module"() ({
  %0 = "test.value"() : () -> i32
  "nv_tileaa.mark_for_reuse"(%0) : (i32) -> ()
}) : () -> ()
// -----
// error: 'nv_tileaa.reduce' op expects regions to end with 'nv_tileaa.yield', found 'test.end'
"builtin.module"() ({
  %0 = "test.value"() : () -> tensor<8x64xf32>
  "nv_tileaa.reduce"(%0) <{axis = 1 : i32}> ({
  ^bb0(%a: f32, %b: f32):
    "test.end"(%a) : (f32) -> ()
  }) : (tensor<8x64xf32>) -> tensor<8xf32>
}) : () -> ()
// -----
// error: 'nv_tileaa.reduce' op expects a region that yields (f32), got ()
"builtin.module"() ({
  %0 = "test.value"() : () -> tensor<8x64xf32>
  "nv_tileaa.reduce"(%0) <{axis = 1 : i32}> ({
  ^bb0(%a: f32, %b: f32):
    "nv_tileaa.yield"() : () -> ()
  }) : (tensor<8x64xf32>) -> tensor<8xf32>
}) : () -> ()
// -----
// error: 'nv_tileaa.reduce' op expects a region that takes (f32, f32), got (f32)
"builtin.module"() ({
  %0 = "test.value"() : () -> tensor<8x64xf32>
  "nv_tileaa.reduce"(%0) <{axis = 1 : i32}> ({
  ^bb0(%a: f32):
    "nv_tileaa.yield"(%a) : (f32) -> ()
  }) : (tensor<8x64xf32>) -> tensor<8xf32>
}) : () -> ()
// -----
// error: 'nv_tileaa.reduce' op expects a dimension from 0 to 1, but got 2
"builtin.module"() ({
  %0 = "test.value"() : () -> tensor<8x64xf32>
  "nv_tileaa.reduce"(%0) <{axis = 2 : i32}> ({
  ^bb0(%a: f32, %b: f32):
    "nv_tileaa.yield"(%a) : (f32) -> ()
  }) : (tensor<8x64xf32>) -> tensor<8xf32>
}) : () -> ()
// -----
// error: 'nv_tileaa.return' op expects parent op 'nv_tileaa.func'
"builtin.module"() ({
  "test.holder"() ({
    "nv_tileaa.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
// error: 'nv_tileaa.func' op expects a kernel to return nothing
"builtin.module"() ({
  "nv_tileaa.func"() <{function_type = (i32) -> i32, kernel_spec = #nv_tileaa.kernel_spec<numWarps=4, clusterDim=[1,1,1]>, sym_name = "k"}> ({
  ^bb0(%n: i32):
    "nv_tileaa.return"(%n) : (i32) -> ()
  }) : () -> ()
}) : () -> ()
// -----
// error: 'nv_tileaa.return' op expects to return (i32)
"builtin.module"() ({
  "nv_tileaa.func"() <{function_type = () -> i32, sym_name = "k"}> ({
    "nv_tileaa.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
// error: 'nv_tileaa.assume' op 'every'/'along' cannot be used if the constrained value is a 0D tile
"builtin.module"() ({
  %0 = "test.value"() : () -> i32
  "nv_tileaa.assume"(%0) <{predicates = [#nv_tileaa.div_by<4, every 2 along 0>]}> : (i32) -> i32
}) : () -> ()
// -----
// error: 'nv_tileaa.assume' op bounded expects limits from -128 to 127, but got 128
"builtin.module"() ({
  %0 = "test.value"() : () -> i8
  "nv_tileaa.assume"(%0) <{predicates = [#nv_tileaa.bounded<?, 128>, #nv_tileaa.same_elements<[9]>]}> : (i8) -> i8
}) : () -> ()
// -----
// error: 'nv_tileaa.assume' op same_elements expects 1 lengths, but got 2
"builtin.module"() ({
  %0 = "test.value"() : () -> tensor<8xi32>
  "nv_tileaa.assume"(%0) <{predicates = [#nv_tileaa.same_elements<[1, 2]>]}> : (tensor<8xi32>) -> tensor<8xi32>
}) : () -> ()
// -----
// error: 'nv_tileaa.assume' op same_elements expects lengths from 0 to 8, but got 9
"builtin.module"() ({
  %0 = "test.value"() : () -> tensor<8xi32>
  "nv_tileaa.assume"(%0) <{predicates = [#nv_tileaa.same_elements<[9]>]}> : (tensor<8xi32>) -> tensor<8xi32>
}) : () -> ()
// -----
// error: 'nv_tileaa.assume' op expects div_by, bounded or same_elements, but got 1 : i32
"builtin.module"() ({
  %0 = "test.value"() : () -> i32
  "nv_tileaa.assume"(%0) <{predicates = [1 : i32]}> : (i32) -> i32
}) : () -> ()
// -----
// error: 'nv_tileaa.load' op mem_scope not supported when mem_semantic is weak
"builtin.module"() ({
  %0 = "test.value"() : () -> tensor<8x!nv_tileaa.ptr<f32, 1>>
  "nv_tileaa.load"(%0) <{mem_scope = #nv_tileaa.mem_scope<gpu>, operandSegmentSizes = array<i32: 1, 0, 0, 0, 0>}> : (tensor<8x!nv_tileaa.ptr<f32, 1>>) -> tensor<8xf32>
}) : () -> ()
// -----
// error: 'nv_tileaa.load' op mem_scope required when mem_semantic is not weak
"builtin.module"() ({
  %0 = "test.value"() : () -> tensor<8x!nv_tileaa.ptr<f32, 1>>
  "nv_tileaa.load"(%0) <{mem_semantic = #nv_tileaa.mem_semantic<relaxed>, operandSegmentSizes = array<i32: 1, 0, 0, 0, 0>}> : (tensor<8x!nv_tileaa.ptr<f32, 1>>) -> tensor<8xf32>
}) : () -> ()
// -----
// error: 'nv_tileaa.load' op unsupported mem_semantic: release
"builtin.module"() ({
  %0 = "test.value"() : () -> tensor<8x!nv_tileaa.ptr<f32, 1>>
  "nv_tileaa.load"(%0) <{mem_scope = #nv_tileaa.mem_scope<gpu>, mem_semantic = #nv_tileaa.mem_semantic<release>, operandSegmentSizes = array<i32: 1, 0, 0, 0, 0>}> : (tensor<8x!nv_tileaa.ptr<f32, 1>>) -> tensor<8xf32>
}) : () -> ()
// -----
// error: 'nv_tileaa.store' op unsupported mem_semantic: acquire
"builtin.module"() ({
  %0 = "test.value"() : () -> tensor<8x!nv_tileaa.ptr<f32, 1>>
  %1 = "test.value"() : () -> tensor<8xf32>
  "nv_tileaa.store"(%0, %1) <{mem_scope = #nv_tileaa.mem_scope<gpu>, mem_semantic = #nv_tileaa.mem_semantic<acquire>, operandSegmentSizes = array<i32: 1, 1, 0, 0, 0>}> : (tensor<8x!nv_tileaa.ptr<f32, 1>>, tensor<8xf32>) -> ()
}) : () -> ()
// -----
// error: 'nv_tileaa.load' op expects 2 indices, but got 1
"builtin.module"() ({
  %0 = "test.value"() : () -> !nv_tileaa.memref<?x64xf32, strides = [?, 1]>
  %1 = "test.value"() : () -> index
  "nv_tileaa.load"(%0, %1) <{operandSegmentSizes = array<i32: 1, 1, 0, 0, 0>}> : (!nv_tileaa.memref<?x64xf32, strides = [?, 1]>, index) -> f32
}) : () -> ()
// -----
// error: 'nv_tileaa.load' op expects a mask of the shape of 'tensor<8xf32>', got 'tensor<4xi1>'
"builtin.module"() ({
  %0 = "test.value"() : () -> tensor<8x!nv_tileaa.ptr<f32, 1>>
  %1 = "test.value"() : () -> tensor<4xi1>
  "nv_tileaa.load"(%0, %1) <{operandSegmentSizes = array<i32: 1, 0, 1, 0, 0>}> : (tensor<8x!nv_tileaa.ptr<f32, 1>>, tensor<4xi1>) -> tensor<8xf32>
}) : () -> ()
// -----
// error: 'nv_tileaa.load' op expects values of f32, got 'tensor<8xf16>'
"builtin.module"() ({
  %0 = "test.value"() : () -> tensor<8x!nv_tileaa.ptr<f32, 1>>
  "nv_tileaa.load"(%0) <{operandSegmentSizes = array<i32: 1, 0, 0, 0, 0>}> : (tensor<8x!nv_tileaa.ptr<f32, 1>>) -> tensor<8xf16>
}) : () -> ()
// -----
// error: 'nv_tileaa.load' op expects one value per pointer, got 'tensor<8x!nv_tileaa.ptr<f32, 1>>' and 'f32'
"builtin.module"() ({
  %0 = "test.value"() : () -> tensor<8x!nv_tileaa.ptr<f32, 1>>
  "nv_tileaa.load"(%0) <{operandSegmentSizes = array<i32: 1, 0, 0, 0, 0>}> : (tensor<8x!nv_tileaa.ptr<f32, 1>>) -> f32
}) : () -> ()
// -----
// error: 'nv_tileaa.atomic_rmw' op memScope required when memSemantic is not weak
"builtin.module"() ({
  %0 = "test.value"() : () -> tensor<8x!nv_tileaa.ptr<f32, 1>>
  %1 = "test.value"() : () -> tensor<8xf32>
  "nv_tileaa.atomic_rmw"(%0, %1) <{operandSegmentSizes = array<i32: 1, 1, 0, 0, 0>, rmw_mode = #nv_tileaa.rmw_mode<addf>}> : (tensor<8x!nv_tileaa.ptr<f32, 1>>, tensor<8xf32>) -> tensor<8xf32>
}) : () -> ()
// -----
// error: 'nv_tileaa.atomic_rmw' op memScope not supported when memSemantic is weak
"builtin.module"() ({
  %0 = "test.value"() : () -> tensor<8x!nv_tileaa.ptr<f32, 1>>
  %1 = "test.value"() : () -> tensor<8xf32>
  "nv_tileaa.atomic_rmw"(%0, %1) <{mem_scope = #nv_tileaa.mem_scope<gpu>, mem_semantic = #nv_tileaa.mem_semantic<weak>, operandSegmentSizes = array<i32: 1, 1, 0, 0, 0>, rmw_mode = #nv_tileaa.rmw_mode<addf>}> : (tensor<8x!nv_tileaa.ptr<f32, 1>>, tensor<8xf32>) -> tensor<8xf32>
}) : () -> ()
// -----
// error: 'nv_tileaa.atomic_rmw' op rmw_mode add expects integers, but got f32
"builtin.module"() ({
  %0 = "test.value"() : () -> tensor<8x!nv_tileaa.ptr<f32, 1>>
  %1 = "test.value"() : () -> tensor<8xf32>
  "nv_tileaa.atomic_rmw"(%0, %1) <{mem_scope = #nv_tileaa.mem_scope<gpu>, operandSegmentSizes = array<i32: 1, 1, 0, 0, 0>, rmw_mode = #nv_tileaa.rmw_mode<add>}> : (tensor<8x!nv_tileaa.ptr<f32, 1>>, tensor<8xf32>) -> tensor<8xf32>
}) : () -> ()
// -----
// error: 'nv_tileaa.make_memref' op expects 1 dynamic sizes, but got 0
"builtin.module"() ({
  %0 = "test.value"() : () -> !nv_tileaa.ptr<f32, 1>
  %1 = "test.value"() : () -> index
  "nv_tileaa.make_memref"(%0, %1) <{operandSegmentSizes = array<i32: 1, 0, 0, 1>}> : (!nv_tileaa.ptr<f32, 1>, index) -> !nv_tileaa.memref<?x64xf32, strides = [?, 1]>
}) : () -> ()
// -----
// error: 'nv_tileaa.make_memref' op expects a result of alias scope 1, got '!nv_tileaa.memref<4xf32, strides = [1]>'
"builtin.module"() ({
  %0 = "test.value"() : () -> !nv_tileaa.ptr<f32, 1>
  "nv_tileaa.make_memref"(%0) <{alias_scope = 1 : i32, operandSegmentSizes = array<i32: 1, 0, 0, 0>}> : (!nv_tileaa.ptr<f32, 1>) -> !nv_tileaa.memref<4xf32, strides = [1]>
}) : () -> ()
// -----
// error: 'nv_tileaa.splat' op expects either an operand or the attribute 'value'
"builtin.module"() ({
  "nv_tileaa.splat"() : () -> tensor<8x64xf32>
}) : () -> ()
// -----
// error: 'nv_tileaa.splat' op expects a tile of f16, got 'tensor<8x64xf32>'
"builtin.module"() ({
  %0 = "test.value"() : () -> f16
  "nv_tileaa.splat"(%0) : (f16) -> tensor<8x64xf32>
}) : () -> ()
// -----
// error: 'nv_tileaa.bitcast' op expects types of the same width, got f32 and i8
"builtin.module"() ({
  %0 = "test.value"() : () -> f32
  "nv_tileaa.bitcast"(%0) : (f32) -> i8
}) : () -> ()
// -----
// error: 'nv_tileaa.bitcast' op expects pointers to one address space, got !nv_tileaa.ptr<f32, 1> and !nv_tileaa.ptr<f32, 3>
"builtin.module"() ({
  %0 = "test.value"() : () -> !nv_tileaa.ptr<f32, 1>
  "nv_tileaa.bitcast"(%0) : (!nv_tileaa.ptr<f32, 1>) -> !nv_tileaa.ptr<f32, 3>
}) : () -> ()
// -----
// error: 'nv_tileaa.addptr' op failed to verify that all of {base, result} have same type
"builtin.module"() ({
  %0 = "test.value"() : () -> !nv_tileaa.ptr<f32, 1>
  %1 = "test.value"() : () -> i32
  "nv_tileaa.addptr"(%0, %1) : (!nv_tileaa.ptr<f32, 1>, i32) -> !nv_tileaa.ptr<f16, 1>
}) : () -> ()
// -----
// error: 'nv_tileaa.permute' op expects a permutation of 2 dimensions, got [0, 0]
"builtin.module"() ({
  %0 = "test.value"() : () -> tensor<8x64xf32>
  "nv_tileaa.permute"(%0) <{permutation = array<i64: 0, 0>}> : (tensor<8x64xf32>) -> tensor<8x64xf32>
}) : () -> ()
// -----
// error: 'nv_tileaa.cat' op expects 'tensor<4x64xf32>' to fit into 'tensor<8x64xf32>' along dimension 0
"builtin.module"() ({
  %0 = "test.value"() : () -> tensor<4x64xf32>
  "nv_tileaa.cat"(%0) <{axis = 0 : i32}> : (tensor<4x64xf32>) -> tensor<8x64xf32>
}) : () -> ()
// -----
// error: 'nv_tileaa.broadcast' op expects extents of 1 where 'tensor<8x2xf32>' and 'tensor<8x64xf32>' differ
"builtin.module"() ({
  %0 = "test.value"() : () -> tensor<8x2xf32>
  "nv_tileaa.broadcast"(%0) : (tensor<8x2xf32>) -> tensor<8x64xf32>
}) : () -> ()
// -----
// error: 'nv_tileaa.extract_slice' op expects 2 offsets, but got 1
"builtin.module"() ({
  %0 = "test.value"() : () -> tensor<8x64xf32>
  %1 = "test.value"() : () -> index
  "nv_tileaa.extract_slice"(%0, %1) <{sizes = array<i64: 4, 32>}> : (tensor<8x64xf32>, index) -> tensor<4x32xf32>
}) : () -> ()
// -----
// error: 'nv_tileaa.get_program_id' op expects a dimension from 0 to 2, but got 3
"builtin.module"() ({
  "nv_tileaa.get_program_id"() <{axis = 3 : i32}> : () -> i32
}) : () -> ()
// -----
// error: 'nv_tileaa.call' op 'f' does not reference a valid function
"builtin.module"() ({
  "nv_tileaa.call"() <{callee = @f}> : () -> ()
}) : () -> ()
// -----
// error: 'nv_tileaa.get_global' op 'g' does not reference a valid global
"builtin.module"() ({
  "nv_tileaa.get_global"() <{name = @g}> : () -> !nv_tileaa.ptr<f32, 1>
}) : () -> ()
// -----
// error: 'nv_tileaa.check' op expects one of memcheck, fpcheck, initcheck, promises, but got 'racecheck'
"builtin.module"() ({
  %0 = "test.value"() : () -> i1
  "nv_tileaa.check"(%0) <{check = "racecheck", message = "outside"}> : (i1) -> ()
}) : () -> ()
// -----
// error: 'nv_tileaa.check' op expects at most 3 values
"builtin.module"() ({
  %0 = "test.value"() : () -> i1
  %1 = "test.value"() : () -> i64
  "nv_tileaa.check"(%0, %1, %1, %1, %1) <{check = "promises", message = "outside"}> : (i1, i64, i64, i64, i64) -> ()
}) : () -> ()
// -----
// error: 'nv_tileaa.check' op expects values that are scalars or have the shape of the condition
"builtin.module"() ({
  %0 = "test.value"() : () -> tensor<8xi1>
  %1 = "test.value"() : () -> tensor<4xf32>
  "nv_tileaa.check"(%0, %1) <{check = "fpcheck", message = "a NaN was born"}> : (tensor<8xi1>, tensor<4xf32>) -> ()
}) : () -> ()
// -----
// error: 'nv_tileaa.with_operands' op expects the result to have the type of the condition
"builtin.module"() ({
  %0 = "test.value"() : () -> tensor<8xi1>
  %1 = "nv_tileaa.with_operands"(%0) : (tensor<8xi1>) -> i1
}) : () -> ()
// -----
// error: 'nv_tileaa.create_queue' op expects a queue of at least one tuple
"builtin.module"() ({
  "nv_tileaa.create_queue"() <{depth = 0 : i32}> : () -> !nv_tileaa.queue<(tensor<8xf32>, i32)>
}) : () -> ()
// -----
// error: 'nv_tileaa.queue.get' op expects results of the types of the queue (tensor<8xf32>, i32)
"builtin.module"() ({
  %0 = "test.value"() : () -> !nv_tileaa.queue<(tensor<8xf32>, i32)>
  %1 = "test.value"() : () -> i32
  "nv_tileaa.queue.get"(%0, %1) : (!nv_tileaa.queue<(tensor<8xf32>, i32)>, i32) -> i32
}) : () -> ()
// -----
// error: 'nv_tileaa.gather_load' op mem_scope required when mem_semantic is not weak
"builtin.module"() ({
  %0 = "test.value"() : () -> !nv_tileaa.memref<?x64xf32, strides = [?, 1]>
  %1 = "test.value"() : () -> tensor<8xi32>
  %2 = "test.value"() : () -> index
  "nv_tileaa.gather_load"(%0, %1, %2) <{mem_semantic = #nv_tileaa.mem_semantic<acquire>, operandSegmentSizes = array<i32: 1, 1, 1, 0, 0>}> : (!nv_tileaa.memref<?x64xf32, strides = [?, 1]>, tensor<8xi32>, index) -> tensor<8x64xf32>
}) : () -> ()
// -----
// error: 'nv_tileaa.scatter_store' op unsupported mem_semantic: acquire
"builtin.module"() ({
  %0 = "test.value"() : () -> !nv_tileaa.memref<?x64xf32, strides = [?, 1]>
  %1 = "test.value"() : () -> tensor<8x64xf32>
  %2 = "test.value"() : () -> tensor<8xi32>
  %3 = "test.value"() : () -> index
  "nv_tileaa.scatter_store"(%0, %1, %2, %3) <{mem_scope = #nv_tileaa.mem_scope<gpu>, mem_semantic = #nv_tileaa.mem_semantic<acquire>, operandSegmentSizes = array<i32: 1, 1, 1, 1, 0, 0>}> : (!nv_tileaa.memref<?x64xf32, strides = [?, 1]>, tensor<8x64xf32>, tensor<8xi32>, index) -> ()
}) : () -> ()
// -----
// error: 'nv_tileaa.tiled_atomic_rmw' op incorrect number of in_bounds elements: expected 2, but found 1
"builtin.module"() ({
  %0 = "test.value"() : () -> !nv_tileaa.tiled_view<!nv_tileaa.memref<?x64xf32, strides = [?, 1]>, [8, 64]>
  %1 = "test.value"() : () -> tensor<8x64xf32>
  %2 = "test.value"() : () -> i32
  %3 = "test.value"() : () -> i32
  "nv_tileaa.tiled_atomic_rmw"(%0, %1, %2, %3) <{in_bounds = array<i1: true>, operandSegmentSizes = array<i32: 1, 1, 2, 0>, rmw_mode = #nv_tileaa.rmw_mode<add>}> : (!nv_tileaa.tiled_view<!nv_tileaa.memref<?x64xf32, strides = [?, 1]>, [8, 64]>, tensor<8x64xf32>, i32, i32) -> tensor<8x64xf32>
}) : () -> ()
// -----
// error: 'nv_tileaa.tiled_store' op incorrect number of in_bounds elements: expected 2, but found 3
"builtin.module"() ({
  %0 = "test.value"() : () -> !nv_tileaa.tiled_view<!nv_tileaa.memref<?x64xf32, strides = [?, 1]>, [8, 64]>
  %1 = "test.value"() : () -> tensor<8x64xf32>
  %2 = "test.value"() : () -> i32
  %3 = "test.value"() : () -> i32
  "nv_tileaa.tiled_store"(%0, %1, %2, %3) <{in_bounds = array<i1: true, true, false>, operandSegmentSizes = array<i32: 1, 1, 2, 0>}> : (!nv_tileaa.tiled_view<!nv_tileaa.memref<?x64xf32, strides = [?, 1]>, [8, 64]>, tensor<8x64xf32>, i32, i32) -> ()
}) : () -> ()
// -----
// error: 'nv_tileaa.tiled_load' op attribute 'latency' failed to satisfy constraint: 32-bit signless integer attribute whose value is at least 1
"builtin.module"() ({
  %0 = "test.value"() : () -> !nv_tileaa.tiled_view<!nv_tileaa.memref<?x64xf32, strides = [?, 1]>, [8, 64]>
  %1 = "test.value"() : () -> i32
  %2 = "test.value"() : () -> i32
  "nv_tileaa.tiled_load"(%0, %1, %2) <{latency = 0 : i32, operandSegmentSizes = array<i32: 1, 2, 0>}> : (!nv_tileaa.tiled_view<!nv_tileaa.memref<?x64xf32, strides = [?, 1]>, [8, 64]>, i32, i32) -> tensor<8x64xf32>
}) : () -> ()
// -----
// error: 'nv_tileaa.addptr' op expects tiles with the same encoding, got 'tensor<8x!nv_tileaa.ptr<f32, 1>, #nv_tileas.linear_layout<"(8) lane=8:1@0">>' and 'tensor<8xi32, #nv_tileas.linear_layout<"(8) register=2:1@0 lane=4:2@0">>'
"builtin.module"() ({
  %0 = "test.value"() : () -> tensor<8x!nv_tileaa.ptr<f32, 1>, #nv_tileas.linear_layout<"(8) lane=8:1@0">>
  %1 = "test.value"() : () -> tensor<8xi32, #nv_tileas.linear_layout<"(8) register=2:1@0 lane=4:2@0">>
  "nv_tileaa.addptr"(%0, %1) : (tensor<8x!nv_tileaa.ptr<f32, 1>, #nv_tileas.linear_layout<"(8) lane=8:1@0">>, tensor<8xi32, #nv_tileas.linear_layout<"(8) register=2:1@0 lane=4:2@0">>) -> tensor<8x!nv_tileaa.ptr<f32, 1>, #nv_tileas.linear_layout<"(8) lane=8:1@0">>
}) : () -> ()
// -----
// error: 'nv_tileaa.ptr_to_int' op expects tiles with the same encoding, got 'tensor<8x!nv_tileaa.ptr<f32, 1>, #nv_tileas.linear_layout<"(8) lane=8:1@0">>' and 'tensor<8xi64, #nv_tileas.linear_layout<"(8) register=2:1@0 lane=4:2@0">>'
"builtin.module"() ({
  %0 = "test.value"() : () -> tensor<8x!nv_tileaa.ptr<f32, 1>, #nv_tileas.linear_layout<"(8) lane=8:1@0">>
  "nv_tileaa.ptr_to_int"(%0) : (tensor<8x!nv_tileaa.ptr<f32, 1>, #nv_tileas.linear_layout<"(8) lane=8:1@0">>) -> tensor<8xi64, #nv_tileas.linear_layout<"(8) register=2:1@0 lane=4:2@0">>
}) : () -> ()
// -----
// error: 'nv_tileaa.fp_to_fp' op expects tiles with the same encoding, got 'tensor<8xf32, #nv_tileas.linear_layout<"(8) lane=8:1@0">>' and 'tensor<8xf16, #nv_tileas.linear_layout<"(8) register=2:1@0 lane=4:2@0">>'
"builtin.module"() ({
  %0 = "test.value"() : () -> tensor<8xf32, #nv_tileas.linear_layout<"(8) lane=8:1@0">>
  "nv_tileaa.fp_to_fp"(%0) : (tensor<8xf32, #nv_tileas.linear_layout<"(8) lane=8:1@0">>) -> tensor<8xf16, #nv_tileas.linear_layout<"(8) register=2:1@0 lane=4:2@0">>
}) : () -> ()
// -----
// error: 'nv_tileaa.fptosi' op expects tiles with the same encoding, got 'tensor<8xf32, #nv_tileas.linear_layout<"(8) lane=8:1@0">>' and 'tensor<8xi32, #nv_tileas.linear_layout<"(8) register=2:1@0 lane=4:2@0">>'
"builtin.module"() ({
  %0 = "test.value"() : () -> tensor<8xf32, #nv_tileas.linear_layout<"(8) lane=8:1@0">>
  "nv_tileaa.fptosi"(%0) : (tensor<8xf32, #nv_tileas.linear_layout<"(8) lane=8:1@0">>) -> tensor<8xi32, #nv_tileas.linear_layout<"(8) register=2:1@0 lane=4:2@0">>
}) : () -> ()
