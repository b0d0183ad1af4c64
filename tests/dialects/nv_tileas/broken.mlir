// error: 'nv_tileas.tiled_load' op requires the same size for tileSize and tensor
"builtin.module"() ({
  %0 = "test.value"() : () -> !nv_tileas.tiled_view<f32, [8, 64], global>
  %1 = "test.value"() : () -> i32
  %2 = "test.value"() : () -> i32
  "nv_tileas.tiled_load"(%0, %1, %2) <{operandSegmentSizes = array<i32: 1, 2, 0, 0>}> : (!nv_tileas.tiled_view<f32, [8, 64], global>, i32, i32) -> tensor<512xf32>
}) : () -> ()
// -----
// error: 'nv_tileas.tiled_load' op requires the same shape for tileSize and tensor value
"builtin.module"() ({
  %0 = "test.value"() : () -> !nv_tileas.tiled_view<f32, [8, 64], global>
  %1 = "test.value"() : () -> i32
  %2 = "test.value"() : () -> i32
  "nv_tileas.tiled_load"(%0, %1, %2) <{operandSegmentSizes = array<i32: 1, 2, 0, 0>}> : (!nv_tileas.tiled_view<f32, [8, 64], global>, i32, i32) -> tensor<64x8xf32>
}) : () -> ()
// -----
// error: 'nv_tileas.tiled_load' op view elementType not equal with tensor element type: f32 != f16
"builtin.module"() ({
  %0 = "test.value"() : () -> !nv_tileas.tiled_view<f32, [8, 64], global>
  %1 = "test.value"() : () -> i32
  %2 = "test.value"() : () -> i32
  "nv_tileas.tiled_load"(%0, %1, %2) <{operandSegmentSizes = array<i32: 1, 2, 0, 0>}> : (!nv_tileas.tiled_view<f32, [8, 64], global>, i32, i32) -> tensor<8x64xf16>
}) : () -> ()
// -----
// error: 'nv_tileas.tiled_load' op all dimensions must be powers of two, got 8, 48
"builtin.module"() ({
  %0 = "test.value"() : () -> !nv_tileas.tiled_view<f32, [8, 48], global>
  %1 = "test.value"() : () -> i32
  %2 = "test.value"() : () -> i32
  "nv_tileas.tiled_load"(%0, %1, %2) <{operandSegmentSizes = array<i32: 1, 2, 0, 0>}> : (!nv_tileas.tiled_view<f32, [8, 48], global>, i32, i32) -> tensor<8x48xf32>
}) : () -> ()
// -----
// error: 'nv_tileas.tiled_load' op tile would exceed the maximum of 16777216 elements
"builtin.module"() ({
  %0 = "test.value"() : () -> !nv_tileas.tiled_view<f32, [8192, 4096], global>
  %1 = "test.value"() : () -> i32
  %2 = "test.value"() : () -> i32
  "nv_tileas.tiled_load"(%0, %1, %2) <{operandSegmentSizes = array<i32: 1, 2, 0, 0>}> : (!nv_tileas.tiled_view<f32, [8192, 4096], global>, i32, i32) -> tensor<8192x4096xf32>
}) : () -> ()
// -----
// error: 'nv_tileas.tiled_load' op expects 2 coordinates, but got 1
"builtin.module"() ({
  %0 = "test.value"() : () -> !nv_tileas.tiled_view<f32, [8, 64], global>
  %1 = "test.value"() : () -> i32
  "nv_tileas.tiled_load"(%0, %1) <{operandSegmentSizes = array<i32: 1, 1, 0, 0>}> : (!nv_tileas.tiled_view<f32, [8, 64], global>, i32) -> tensor<8x64xf32>
}) : () -> ()
// -----
// error: 'nv_tileas.tiled_load' op expects CoordType is same as memref index type, but got i64
"builtin.module"() ({
  %0 = "test.value"() : () -> !nv_tileas.tiled_view<f32, [8, 64], global>
  %1 = "test.value"() : () -> i32
  %2 = "test.value"() : () -> i64
  "nv_tileas.tiled_load"(%0, %1, %2) <{operandSegmentSizes = array<i32: 1, 2, 0, 0>}> : (!nv_tileas.tiled_view<f32, [8, 64], global>, i32, i64) -> tensor<8x64xf32>
}) : () -> ()
// -----
// error: 'nv_tileas.tiled_load' op unsupported mem_semantic: acquire
"builtin.module"() ({
  %0 = "test.value"() : () -> !nv_tileas.tiled_view<f32, [8, 64], global>
  %1 = "test.value"() : () -> i32
  %2 = "test.value"() : () -> i32
  "nv_tileas.tiled_load"(%0, %1, %2) <{mem_scope = #nv_tileaa.mem_scope<gpu>, mem_semantic = #nv_tileaa.mem_semantic<acquire>, operandSegmentSizes = array<i32: 1, 2, 0, 0>}> : (!nv_tileas.tiled_view<f32, [8, 64], global>, i32, i32) -> tensor<8x64xf32>
}) : () -> ()
// -----
// error: 'nv_tileas.tiled_load' op unsupported mem_semantic: acq_rel
"builtin.module"() ({
  %0 = "test.value"() : () -> !nv_tileas.tiled_view<f32, [8, 64], global>
  %1 = "test.value"() : () -> i32
  %2 = "test.value"() : () -> i32
  "nv_tileas.tiled_load"(%0, %1, %2) <{mem_scope = #nv_tileaa.mem_scope<gpu>, mem_semantic = #nv_tileaa.mem_semantic<acq_rel>, operandSegmentSizes = array<i32: 1, 2, 0, 0>}> : (!nv_tileas.tiled_view<f32, [8, 64], global>, i32, i32) -> tensor<8x64xf32>
}) : () -> ()
// -----
// error: 'nv_tileas.tiled_load' op incorrect number of in_bounds elements: expected 2, but found 1
"builtin.module"() ({
  %0 = "test.value"() : () -> !nv_tileas.tiled_view<f32, [8, 64], global>
  %1 = "test.value"() : () -> i32
  %2 = "test.value"() : () -> i32
  "nv_tileas.tiled_load"(%0, %1, %2) <{in_bounds = array<i1: true>, operandSegmentSizes = array<i32: 1, 2, 0, 0>}> : (!nv_tileas.tiled_view<f32, [8, 64], global>, i32, i32) -> tensor<8x64xf32>
}) : () -> ()
// -----
// error: 'nv_tileas.tiled_load' op inbounds must be true when paddingValue is not set
"builtin.module"() ({
  %0 = "test.value"() : () -> !nv_tileas.tiled_view<f32, [8, 64], global>
  %1 = "test.value"() : () -> i32
  %2 = "test.value"() : () -> i32
  "nv_tileas.tiled_load"(%0, %1, %2) <{in_bounds = array<i1: true, false>, operandSegmentSizes = array<i32: 1, 2, 0, 0>}> : (!nv_tileas.tiled_view<f32, [8, 64], global>, i32, i32) -> tensor<8x64xf32>
}) : () -> ()
// -----
// error: 'nv_tileas.tiled_load' op inbounds must be false when paddingValue is set
"builtin.module"() ({
  %0 = "test.value"() : () -> !nv_tileas.tiled_view<f32, [8, 64], global>
  %1 = "test.value"() : () -> i32
  %2 = "test.value"() : () -> i32
  "nv_tileas.tiled_load"(%0, %1, %2) <{padding_value = #nv_tileaa.padding_value<zero>, operandSegmentSizes = array<i32: 1, 2, 0, 0>}> : (!nv_tileas.tiled_view<f32, [8, 64], global>, i32, i32) -> tensor<8x64xf32>
}) : () -> ()
// -----
// error: 'nv_tileas.tiled_load' op special padding values (nan, pos_inf, neg_inf, neg_zero) only for float-like element types
"builtin.module"() ({
  %0 = "test.value"() : () -> !nv_tileas.tiled_view<i32, [8, 64], global>
  %1 = "test.value"() : () -> i32
  %2 = "test.value"() : () -> i32
  "nv_tileas.tiled_load"(%0, %1, %2) <{in_bounds = array<i1: true, false>, padding_value = #nv_tileaa.padding_value<nan>, operandSegmentSizes = array<i32: 1, 2, 0, 0>}> : (!nv_tileas.tiled_view<i32, [8, 64], global>, i32, i32) -> tensor<8x64xi32>
}) : () -> ()
// -----
// error: 'nv_tileas.tiled_store' op unsupported mem_semantic: release
"builtin.module"() ({
  %0 = "test.value"() : () -> !nv_tileas.tiled_view<f32, [8, 64], global>
  %1 = "test.value"() : () -> tensor<8x64xf32>
  %2 = "test.value"() : () -> i32
  %3 = "test.value"() : () -> i32
  "nv_tileas.tiled_store"(%0, %1, %2, %3) <{mem_scope = #nv_tileaa.mem_scope<gpu>, mem_semantic = #nv_tileaa.mem_semantic<release>, operandSegmentSizes = array<i32: 1, 1, 2, 0, 0>}> : (!nv_tileas.tiled_view<f32, [8, 64], global>, tensor<8x64xf32>, i32, i32) -> !nv_tileaa.mem_token
}) : () -> ()
// -----
// error: 'nv_tileas.tiled_store' op unsupported mem_semantic: acq_rel
"builtin.module"() ({
  %0 = "test.value"() : () -> !nv_tileas.tiled_view<f32, [8, 64], global>
  %1 = "test.value"() : () -> tensor<8x64xf32>
  %2 = "test.value"() : () -> i32
  %3 = "test.value"() : () -> i32
  "nv_tileas.tiled_store"(%0, %1, %2, %3) <{mem_scope = #nv_tileaa.mem_scope<gpu>, mem_semantic = #nv_tileaa.mem_semantic<acq_rel>, operandSegmentSizes = array<i32: 1, 1, 2, 0, 0>}> : (!nv_tileas.tiled_view<f32, [8, 64], global>, tensor<8x64xf32>, i32, i32) -> !nv_tileaa.mem_token
}) : () -> ()
// -----
// error: 'nv_tileas.tiled_atomic_rmw' op requires attribute 'rmw_mode'
"builtin.module"() ({
  %0 = "test.value"() : () -> !nv_tileas.tiled_view<f32, [8], global>
  %1 = "test.value"() : () -> tensor<8xf32>
  %2 = "test.value"() : () -> i32
  "nv_tileas.tiled_atomic_rmw"(%0, %1, %2) <{operandSegmentSizes = array<i32: 1, 1, 1, 0>}> : (!nv_tileas.tiled_view<f32, [8], global>, tensor<8xf32>, i32) -> tensor<8xf32>
}) : () -> ()
// -----
// error: 'nv_tileas.tiled_atomic_rmw' op tiled_atomic_rmw not supported for 8-bit types
"builtin.module"() ({
  %0 = "test.value"() : () -> !nv_tileas.tiled_view<i8, [8], global>
  %1 = "test.value"() : () -> tensor<8xi8>
  %2 = "test.value"() : () -> i32
  "nv_tileas.tiled_atomic_rmw"(%0, %1, %2) <{operandSegmentSizes = array<i32: 1, 1, 1, 0>, rmw_mode = #nv_tileaa.rmw_mode<add>}> : (!nv_tileas.tiled_view<i8, [8], global>, tensor<8xi8>, i32) -> tensor<8xi8>
}) : () -> ()
// -----
// error: 'nv_tileas.tiled_atomic_rmw' op tiled_atomic_rmw not supported for 16-bit integer
"builtin.module"() ({
  %0 = "test.value"() : () -> !nv_tileas.tiled_view<i16, [8], global>
  %1 = "test.value"() : () -> tensor<8xi16>
  %2 = "test.value"() : () -> i32
  "nv_tileas.tiled_atomic_rmw"(%0, %1, %2) <{operandSegmentSizes = array<i32: 1, 1, 1, 0>, rmw_mode = #nv_tileaa.rmw_mode<add>}> : (!nv_tileas.tiled_view<i16, [8], global>, tensor<8xi16>, i32) -> tensor<8xi16>
}) : () -> ()
// -----
// error: 'nv_tileas.tiled_atomic_rmw' op tiled_atomic_rmw for 16-bit float only supports add, max, min operations
"builtin.module"() ({
  %0 = "test.value"() : () -> !nv_tileas.tiled_view<f16, [8], global>
  %1 = "test.value"() : () -> tensor<8xf16>
  %2 = "test.value"() : () -> i32
  "nv_tileas.tiled_atomic_rmw"(%0, %1, %2) <{operandSegmentSizes = array<i32: 1, 1, 1, 0>, rmw_mode = #nv_tileaa.rmw_mode<and>}> : (!nv_tileas.tiled_view<f16, [8], global>, tensor<8xf16>, i32) -> tensor<8xf16>
}) : () -> ()
// -----
// error: 'nv_tileas.tiled_atomic_rmw' op tiled_atomic_rmw op cannot use fadd operation, please use add instead for both int and float types
"builtin.module"() ({
  %0 = "test.value"() : () -> !nv_tileas.tiled_view<f32, [8], global>
  %1 = "test.value"() : () -> tensor<8xf32>
  %2 = "test.value"() : () -> i32
  "nv_tileas.tiled_atomic_rmw"(%0, %1, %2) <{operandSegmentSizes = array<i32: 1, 1, 1, 0>, rmw_mode = #nv_tileaa.rmw_mode<addf>}> : (!nv_tileas.tiled_view<f32, [8], global>, tensor<8xf32>, i32) -> tensor<8xf32>
}) : () -> ()
// -----
// error: 'nv_tileas.tiled_atomic_rmw' op tiled_atomic_rmw op cannot use xchg operation
"builtin.module"() ({
  %0 = "test.value"() : () -> !nv_tileas.tiled_view<f32, [8], global>
  %1 = "test.value"() : () -> tensor<8xf32>
  %2 = "test.value"() : () -> i32
  "nv_tileas.tiled_atomic_rmw"(%0, %1, %2) <{operandSegmentSizes = array<i32: 1, 1, 1, 0>, rmw_mode = #nv_tileaa.rmw_mode<xchg>}> : (!nv_tileas.tiled_view<f32, [8], global>, tensor<8xf32>, i32) -> tensor<8xf32>
}) : () -> ()
// -----
// error: 'nv_tileas.async.tiled_tma_load' op expected a TMA load atom
"builtin.module"() ({
  %0 = "test.value"() : () -> !nv_tileas.tma_desc<f32, [8, 64]>
  %1 = "test.value"() : () -> !nv_tileas.tiled_view<f32, [8, 64], shared>
  %2 = "test.value"() : () -> i32
  %3 = "test.value"() : () -> i32
  "nv_tileas.async.tiled_tma_load"(%0, %1, %2, %3) <{atom = #nv_tileas<atom cp_async>, operandSegmentSizes = array<i32: 1, 1, 2, 0>}> : (!nv_tileas.tma_desc<f32, [8, 64]>, !nv_tileas.tiled_view<f32, [8, 64], shared>, i32, i32) -> !nv_tileas.async_token
}) : () -> ()
// -----
// error: 'nv_tileas.async.tiled_tma_store' op expected a TMA store atom
"builtin.module"() ({
  %0 = "test.value"() : () -> !nv_tileas.tma_desc<f32, [8, 64]>
  %1 = "test.value"() : () -> !nv_tileas.tiled_view<f32, [8, 64], shared>
  %2 = "test.value"() : () -> i32
  %3 = "test.value"() : () -> i32
  "nv_tileas.async.tiled_tma_store"(%0, %1, %2, %3) <{atom = #nv_tileas<atom tma_load>}> : (!nv_tileas.tma_desc<f32, [8, 64]>, !nv_tileas.tiled_view<f32, [8, 64], shared>, i32, i32) -> !nv_tileas.async_token
}) : () -> ()
// -----
// error: 'nv_tileas.async.tiled_atomic_rmw' op expected a TMA reduce atom
"builtin.module"() ({
  %0 = "test.value"() : () -> !nv_tileas.tma_desc<f32, [8, 64]>
  %1 = "test.value"() : () -> !nv_tileas.tiled_view<f32, [8, 64], shared>
  %2 = "test.value"() : () -> i32
  %3 = "test.value"() : () -> i32
  "nv_tileas.async.tiled_atomic_rmw"(%0, %1, %2, %3) <{atom = #nv_tileas<atom tma_load>, rmw_mode = #nv_tileaa.rmw_mode<add>}> : (!nv_tileas.tma_desc<f32, [8, 64]>, !nv_tileas.tiled_view<f32, [8, 64], shared>, i32, i32) -> !nv_tileas.async_token
}) : () -> ()
// -----
// error: 'nv_tileas.async.tiled_tma_load' op TMA box dimensions do not match atom box dimensions
"builtin.module"() ({
  %0 = "test.value"() : () -> !nv_tileas.tma_desc<f32, [64, 8]>
  %1 = "test.value"() : () -> !nv_tileas.tiled_view<f32, [8, 64], shared>
  %2 = "test.value"() : () -> i32
  %3 = "test.value"() : () -> i32
  "nv_tileas.async.tiled_tma_load"(%0, %1, %2, %3) <{atom = #nv_tileas<atom tma_load>, operandSegmentSizes = array<i32: 1, 1, 2, 0>}> : (!nv_tileas.tma_desc<f32, [64, 8]>, !nv_tileas.tiled_view<f32, [8, 64], shared>, i32, i32) -> !nv_tileas.async_token
}) : () -> ()
// -----
// error: 'nv_tileas.async.tiled_tma_load' op shared-memory layout is not TMA-compatible
"builtin.module"() ({
  %0 = "test.value"() : () -> !nv_tileas.tma_desc<f32, [8, 64]>
  %1 = "test.value"() : () -> !nv_tileas.tiled_view<f32, [8, 64], global>
  %2 = "test.value"() : () -> i32
  %3 = "test.value"() : () -> i32
  "nv_tileas.async.tiled_tma_load"(%0, %1, %2, %3) <{atom = #nv_tileas<atom tma_load>, operandSegmentSizes = array<i32: 1, 1, 2, 0>}> : (!nv_tileas.tma_desc<f32, [8, 64]>, !nv_tileas.tiled_view<f32, [8, 64], global>, i32, i32) -> !nv_tileas.async_token
}) : () -> ()
// -----
// error: 'nv_tileas.make_tiled_tma_desc' op TMA descriptors require unit element stride
"builtin.module"() ({
  %0 = "test.value"() : () -> !nv_tileaa.memref<8xf32, strides = [2]>
  %1 = "test.value"() : () -> i32
  "nv_tileas.make_tiled_tma_desc"(%0, %1) : (!nv_tileaa.memref<8xf32, strides = [2]>, i32) -> !nv_tileas.tma_desc<f32, [8]>
}) : () -> ()
// -----
// error: 'nv_tileas.make_tiled_tma_desc' op TMA box dimensions do not match atom box dimensions
"builtin.module"() ({
  %0 = "test.value"() : () -> !nv_tileas.tiled_view<f32, [8, 64], global>
  %1 = "test.value"() : () -> i32
  "nv_tileas.make_tiled_tma_desc"(%0, %1) : (!nv_tileas.tiled_view<f32, [8, 64], global>, i32) -> !nv_tileas.tma_desc<f32, [8, 64]>
}) : () -> ()
// -----
// error: 'nv_tileas.copy' op expects no copy from tensor to shared memory
"builtin.module"() ({
  %0 = "test.value"() : () -> !nv_tileas.tiled_view<f32, [8], tensor>
  %1 = "test.value"() : () -> !nv_tileas.tiled_view<f32, [8], shared>
  "nv_tileas.copy"(%0, %1) <{atom = #nv_tileas<atom x>}> : (!nv_tileas.tiled_view<f32, [8], tensor>, !nv_tileas.tiled_view<f32, [8], shared>) -> ()
}) : () -> ()
// -----
// error: 'nv_tileas.convert_layout' op expects a layout to convert to
"builtin.module"() ({
  %0 = "test.value"() : () -> tensor<8x64xf32>
  "nv_tileas.convert_layout"(%0) : (tensor<8x64xf32>) -> tensor<8x64xf32>
}) : () -> ()
// -----
// error: 'nv_tileas.convert_layout' op failed to verify that all of {source, result} have same shape
"builtin.module"() ({
  %0 = "test.value"() : () -> tensor<8xf32, #nv_tileas.linear_layout<"(8) lane=8:1@0">>
  "nv_tileas.convert_layout"(%0) : (tensor<8xf32, #nv_tileas.linear_layout<"(8) lane=8:1@0">>) -> tensor<4xf32, #nv_tileas.linear_layout<"(4) lane=4:1@0">>
}) : () -> ()
// -----
// error: 'nv_tileas.convert_layout' op expects encodings on both sides or on none, got 'tensor<8xf32>' and 'tensor<8xf32, #nv_tileas.linear_layout<"(8) lane=8:1@0">>'
"builtin.module"() ({
  %0 = "test.value"() : () -> tensor<8xf32>
  "nv_tileas.convert_layout"(%0) : (tensor<8xf32>) -> tensor<8xf32, #nv_tileas.linear_layout<"(8) lane=8:1@0">>
}) : () -> ()
// -----
// error: 'nv_tileas.dot' op fp4 mma should expect scaling factors
"builtin.module"() ({
  %0 = "test.value"() : () -> tensor<16x64xf4E2M1FN>
  %1 = "test.value"() : () -> tensor<64x32xf4E2M1FN>
  %2 = "test.value"() : () -> tensor<16x32xf32>
  "nv_tileas.dot"(%0, %1, %2) <{operandSegmentSizes = array<i32: 1, 1, 1, 0, 0, 0>}> : (tensor<16x64xf4E2M1FN>, tensor<64x32xf4E2M1FN>, tensor<16x32xf32>) -> tensor<16x32xf32>
}) : () -> ()
// -----
// error: 'nv_tileas.dot' op sfa and sfb element type mismatch
"builtin.module"() ({
  %0 = "test.value"() : () -> tensor<16x64xf4E2M1FN>
  %1 = "test.value"() : () -> tensor<64x32xf4E2M1FN>
  %2 = "test.value"() : () -> tensor<16x32xf32>
  %3 = "test.value"() : () -> tensor<16x2xf8E8M0FNU>
  %4 = "test.value"() : () -> tensor<2x32xf8E4M3FN>
  "nv_tileas.dot"(%0, %1, %2, %3, %4) <{operandSegmentSizes = array<i32: 1, 1, 1, 0, 1, 1>}> : (tensor<16x64xf4E2M1FN>, tensor<64x32xf4E2M1FN>, tensor<16x32xf32>, tensor<16x2xf8E8M0FNU>, tensor<2x32xf8E4M3FN>) -> tensor<16x32xf32>
}) : () -> ()
// -----
// error: 'nv_tileas.dot' op expects c type to be Float32
"builtin.module"() ({
  %0 = "test.value"() : () -> tensor<16x64xf4E2M1FN>
  %1 = "test.value"() : () -> tensor<64x32xf4E2M1FN>
  %2 = "test.value"() : () -> tensor<16x32xf16>
  %3 = "test.value"() : () -> tensor<16x2xf8E8M0FNU>
  %4 = "test.value"() : () -> tensor<2x32xf8E8M0FNU>
  "nv_tileas.dot"(%0, %1, %2, %3, %4) <{operandSegmentSizes = array<i32: 1, 1, 1, 0, 1, 1>}> : (tensor<16x64xf4E2M1FN>, tensor<64x32xf4E2M1FN>, tensor<16x32xf16>, tensor<16x2xf8E8M0FNU>, tensor<2x32xf8E8M0FNU>) -> tensor<16x32xf16>
}) : () -> ()
// -----
// error: 'nv_tileas.dot' op Scale factor vector size mismatch: 32 16
"builtin.module"() ({
  %0 = "test.value"() : () -> tensor<16x64xf4E2M1FN>
  %1 = "test.value"() : () -> tensor<64x32xf4E2M1FN>
  %2 = "test.value"() : () -> tensor<16x32xf32>
  %3 = "test.value"() : () -> tensor<16x2xf8E8M0FNU>
  %4 = "test.value"() : () -> tensor<4x32xf8E8M0FNU>
  "nv_tileas.dot"(%0, %1, %2, %3, %4) <{operandSegmentSizes = array<i32: 1, 1, 1, 0, 1, 1>}> : (tensor<16x64xf4E2M1FN>, tensor<64x32xf4E2M1FN>, tensor<16x32xf32>, tensor<16x2xf8E8M0FNU>, tensor<4x32xf8E8M0FNU>) -> tensor<16x32xf32>
}) : () -> ()
// -----
// error: 'nv_tileas.dot' op unsupported block-scaled mma configuration
"builtin.module"() ({
  %0 = "test.value"() : () -> tensor<16x64xf8E4M3FN>
  %1 = "test.value"() : () -> tensor<64x32xf8E4M3FN>
  %2 = "test.value"() : () -> tensor<16x32xf32>
  %3 = "test.value"() : () -> tensor<16x4xf8E8M0FNU>
  %4 = "test.value"() : () -> tensor<4x32xf8E8M0FNU>
  "nv_tileas.dot"(%0, %1, %2, %3, %4) <{operandSegmentSizes = array<i32: 1, 1, 1, 0, 1, 1>}> : (tensor<16x64xf8E4M3FN>, tensor<64x32xf8E4M3FN>, tensor<16x32xf32>, tensor<16x4xf8E8M0FNU>, tensor<4x32xf8E8M0FNU>) -> tensor<16x32xf32>
}) : () -> ()
// -----
// error: 'nv_tileas.async.pipeline.produce_one' op expects region arguement types to match with producer types [tensor<8xf32>, i32], but got: [tensor<8xf32>]
"builtin.module"() ({
  %0 = "test.value"() : () -> !nv_tileas.pipeline<(tensor<8xf32>), 3>
  %1 = "test.value"() : () -> !nv_tileas.pipeline_iterator<tensor<8xf32>, 3>
  "nv_tileas.async.pipeline.produce_one"(%0, %1) <{producer_types = [tensor<8xf32>, i32]}> ({
  ^bb0(%a: tensor<8xf32>):
    "nv_tileas.async.pipeline.yield"(%a) : (tensor<8xf32>) -> ()
  }) : (!nv_tileas.pipeline<(tensor<8xf32>), 3>, !nv_tileas.pipeline_iterator<tensor<8xf32>, 3>) -> tensor<8xf32>
}) : () -> ()
// -----
// error: 'nv_tileas.async.pipeline.produce_one' op expects region result types to be match with operation result types [i32], but got: [tensor<8xf32>]
"builtin.module"() ({
  %0 = "test.value"() : () -> !nv_tileas.pipeline<(tensor<8xf32>), 3>
  %1 = "test.value"() : () -> !nv_tileas.pipeline_iterator<tensor<8xf32>, 3>
  "nv_tileas.async.pipeline.produce_one"(%0, %1) <{producer_types = [tensor<8xf32>]}> ({
  ^bb0(%a: tensor<8xf32>):
    "nv_tileas.async.pipeline.yield"(%a) : (tensor<8xf32>) -> ()
  }) : (!nv_tileas.pipeline<(tensor<8xf32>), 3>, !nv_tileas.pipeline_iterator<tensor<8xf32>, 3>) -> i32
}) : () -> ()
// -----
// error: 'nv_tileas.async.pipeline.produce_one' op expects region result types to be match with operation result types [tensor<8xf32>], but got: [!nv_tileas.pipeline_iterator<tensor<8xf32>, 3>]
"builtin.module"() ({
  %0 = "test.value"() : () -> !nv_tileas.pipeline<(tensor<8xf32>), 3>
  %1 = "test.value"() : () -> !nv_tileas.pipeline_iterator<tensor<8xf32>, 3>
  "nv_tileas.async.pipeline.produce_one"(%0, %1) <{producer_types = [tensor<8xf32>]}> ({
  ^bb0(%a: !nv_tileas.pipeline_iterator<tensor<8xf32>, 3>):
    "nv_tileas.async.pipeline.yield"(%a) : (!nv_tileas.pipeline_iterator<tensor<8xf32>, 3>) -> ()
  }) : (!nv_tileas.pipeline<(tensor<8xf32>), 3>, !nv_tileas.pipeline_iterator<tensor<8xf32>, 3>) -> tensor<8xf32>
}) : () -> ()
// -----
// error: 'nv_tileas.async.pipeline.produce_one' op pipeline regions must end with 'nv_tileas.async.pipeline.yield'
"builtin.module"() ({
  %0 = "test.value"() : () -> !nv_tileas.pipeline<(tensor<8xf32>), 3>
  %1 = "test.value"() : () -> !nv_tileas.pipeline_iterator<tensor<8xf32>, 3>
  "nv_tileas.async.pipeline.produce_one"(%0, %1) <{producer_types = [tensor<8xf32>]}> ({
  ^bb0(%a: tensor<8xf32>):
    "test.end"(%a) : (tensor<8xf32>) -> ()
  }) : (!nv_tileas.pipeline<(tensor<8xf32>), 3>, !nv_tileas.pipeline_iterator<tensor<8xf32>, 3>) -> tensor<8xf32>
}) : () -> ()
// -----
// error: 'nv_tileas.async.pipeline.consumer_wait' op consumer_idx out of range for consumer group
"builtin.module"() ({
  %0 = "test.value"() : () -> !nv_tileas.pipeline<(tensor<8xf32>), 3>
  %1 = "test.value"() : () -> !nv_tileas.pipeline_iterator<tensor<8xf32>, 3>
  "nv_tileas.async.pipeline.consumer_wait"(%0, %1) <{consumer_idx = 1 : i32}> : (!nv_tileas.pipeline<(tensor<8xf32>), 3>, !nv_tileas.pipeline_iterator<tensor<8xf32>, 3>) -> !nv_tileas.consumer_token
}) : () -> ()
// -----
// error: 'nv_tileas.async.pipeline.agent_switch' op agent regions disagree on warp count
"builtin.module"() ({
  "nv_tileas.async.pipeline.agent_switch"() <{num_agents_per_group = array<i64: 2>, num_warps = array<i64: 4, 8>}> ({
    "nv_tileas.async.pipeline.yield"() : () -> ()
  }, {
    "nv_tileas.async.pipeline.yield"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
// error: 'nv_tileas.async.pipeline.agent_switch' op agent regions disagree on warp count
"builtin.module"() ({
  "nv_tileas.async.pipeline.agent_switch"() <{num_agents_per_group = array<i64: 2>, num_warps = array<i64: 4>}> ({
    "nv_tileas.async.pipeline.yield"() : () -> ()
  }, {
    "nv_tileas.async.pipeline.yield"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
// error: 'nv_tileas.async.pipeline.agent_switch' op agent warp count exceeds module budget
"builtin.module"() ({
  "nv_tileas.async.pipeline.agent_switch"() <{num_agents_per_group = array<i64: 2>, num_warps = array<i64: 32, 32>}> ({
    "nv_tileas.async.pipeline.yield"() : () -> ()
  }, {
    "nv_tileas.async.pipeline.yield"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
// error: 'nv_tileas.async.pipeline.agent_switch' op expects 3 agents in all, but got 2
"builtin.module"() ({
  "nv_tileas.async.pipeline.agent_switch"() <{num_agents_per_group = array<i64: 3>, num_warps = array<i64: -1, -1>}> ({
    "nv_tileas.async.pipeline.yield"() : () -> ()
  }, {
    "nv_tileas.async.pipeline.yield"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
// error: 'nv_tileas.async.pipeline.create_iterator' op expects an iterator over 3 stages, got '!nv_tileas.pipeline_iterator<f32, 2>'
"builtin.module"() ({
  %0 = "test.value"() : () -> !nv_tileas.pipeline<(tensor<8xf32>), 3>
  "nv_tileas.async.pipeline.create_iterator"(%0) : (!nv_tileas.pipeline<(tensor<8xf32>), 3>) -> !nv_tileas.pipeline_iterator<f32, 2>
}) : () -> ()
// -----
// error: 'nv_tileas.addf' op operand #0 must be floating-point or tile of floating-point values, but got 'vector<4xf32>'
"builtin.module"() ({
  %0 = "test.value"() : () -> vector<4xf32>
  %1 = "test.value"() : () -> vector<4xf32>
  "nv_tileas.addf"(%0, %1) <{fastmath = #arith.fastmath<none>}> : (vector<4xf32>, vector<4xf32>) -> vector<4xf32>
}) : () -> ()
// -----
// error: 'nv_tileas.addf' op operand #0 must be floating-point or tile of floating-point values, but got 'tensor<?xf32>'
"builtin.module"() ({
  %0 = "test.value"() : () -> tensor<?xf32>
  %1 = "test.value"() : () -> tensor<?xf32>
  "nv_tileas.addf"(%0, %1) <{fastmath = #arith.fastmath<none>}> : (tensor<?xf32>, tensor<?xf32>) -> tensor<?xf32>
}) : () -> ()
// -----
// error: 'nv_tileas.tiled_load' op expects a fence that is acquire, but got release
"builtin.module"() ({
  %0 = "test.value"() : () -> !nv_tileas.tiled_view<f32, [8, 64], global>
  %1 = "test.value"() : () -> i32
  %2 = "test.value"() : () -> i32
  "nv_tileas.tiled_load"(%0, %1, %2) <{fence = #nv_tileaa.mem_semantic<release>, mem_scope = #nv_tileaa.mem_scope<gpu>, mem_semantic = #nv_tileaa.mem_semantic<relaxed>, operandSegmentSizes = array<i32: 1, 2, 0, 0>}> : (!nv_tileas.tiled_view<f32, [8, 64], global>, i32, i32) -> tensor<8x64xf32>
}) : () -> ()
// -----
// error: 'nv_tileas.tiled_load' op fence requires relaxed mem_semantic
"builtin.module"() ({
  %0 = "test.value"() : () -> !nv_tileas.tiled_view<f32, [8, 64], global>
  %1 = "test.value"() : () -> i32
  %2 = "test.value"() : () -> i32
  "nv_tileas.tiled_load"(%0, %1, %2) <{fence = #nv_tileaa.mem_semantic<acquire>, mem_semantic = #nv_tileaa.mem_semantic<weak>, operandSegmentSizes = array<i32: 1, 2, 0, 0>}> : (!nv_tileas.tiled_view<f32, [8, 64], global>, i32, i32) -> tensor<8x64xf32>
}) : () -> ()
// -----
// error: 'nv_tileas.tiled_store' op expects a fence that is release, but got acquire
"builtin.module"() ({
  %0 = "test.value"() : () -> !nv_tileas.tiled_view<f32, [8, 64], global>
  %1 = "test.value"() : () -> tensor<8x64xf32>
  %2 = "test.value"() : () -> i32
  %3 = "test.value"() : () -> i32
  "nv_tileas.tiled_store"(%0, %1, %2, %3) <{fence = #nv_tileaa.mem_semantic<acquire>, mem_scope = #nv_tileaa.mem_scope<gpu>, mem_semantic = #nv_tileaa.mem_semantic<relaxed>, operandSegmentSizes = array<i32: 1, 1, 2, 0, 0>}> : (!nv_tileas.tiled_view<f32, [8, 64], global>, tensor<8x64xf32>, i32, i32) -> ()
}) : () -> ()
// -----
// error: 'nv_tileas.tiled_store' op incorrect number of in_bounds elements: expected 2, but found 1
"builtin.module"() ({
  %0 = "test.value"() : () -> !nv_tileas.tiled_view<f32, [8, 64], global>
  %1 = "test.value"() : () -> tensor<8x64xf32>
  %2 = "test.value"() : () -> i32
  %3 = "test.value"() : () -> i32
  "nv_tileas.tiled_store"(%0, %1, %2, %3) <{in_bounds = array<i1: true>, operandSegmentSizes = array<i32: 1, 1, 2, 0, 0>}> : (!nv_tileas.tiled_view<f32, [8, 64], global>, tensor<8x64xf32>, i32, i32) -> ()
}) : () -> ()
// -----
// error: 'nv_tileas.tiled_load' op attribute 'checks' failed to satisfy constraint: array of one of memcheck, racecheck
"builtin.module"() ({
  %0 = "test.value"() : () -> !nv_tileas.tiled_view<f32, [8, 64], global>
  %1 = "test.value"() : () -> i32
  %2 = "test.value"() : () -> i32
  "nv_tileas.tiled_load"(%0, %1, %2) <{checks = ["memchek"], operandSegmentSizes = array<i32: 1, 2, 0, 0>}> : (!nv_tileas.tiled_view<f32, [8, 64], global>, i32, i32) -> tensor<8x64xf32>
}) : () -> ()
// -----
// error: 'nv_tileas.gather_load' op unsupported mem_semantic: release
"builtin.module"() ({
  %0 = "test.value"() : () -> !nv_tileas.tiled_view<f32, [8, 64], global>
  %1 = "test.value"() : () -> tensor<8xi32>
  %2 = "test.value"() : () -> index
  "nv_tileas.gather_load"(%0, %1, %2) <{mem_scope = #nv_tileaa.mem_scope<gpu>, mem_semantic = #nv_tileaa.mem_semantic<release>, operandSegmentSizes = array<i32: 1, 1, 1, 0, 0>}> : (!nv_tileas.tiled_view<f32, [8, 64], global>, tensor<8xi32>, index) -> tensor<8x64xf32>
}) : () -> ()
// -----
// error: 'nv_tileas.scatter_store' op unsupported mem_semantic: acquire
"builtin.module"() ({
  %0 = "test.value"() : () -> !nv_tileas.tiled_view<f32, [8, 64], global>
  %1 = "test.value"() : () -> tensor<8x64xf32>
  %2 = "test.value"() : () -> tensor<8xi32>
  %3 = "test.value"() : () -> index
  "nv_tileas.scatter_store"(%0, %1, %2, %3) <{mem_scope = #nv_tileaa.mem_scope<gpu>, mem_semantic = #nv_tileaa.mem_semantic<acquire>, operandSegmentSizes = array<i32: 1, 1, 1, 1, 0, 0>}> : (!nv_tileas.tiled_view<f32, [8, 64], global>, tensor<8x64xf32>, tensor<8xi32>, index) -> ()
}) : () -> ()
// -----
// error: 'nv_tileas.view' op expects dimensions from 0 to 1, but got 2
"builtin.module"() ({
  %0 = "test.value"() : () -> !nv_tileaa.memref<?x64xf32, strides = [?, 1]>
  "nv_tileas.view"(%0) <{dimGroups = [array<i64: 0>, array<i64: 2>]}> : (!nv_tileaa.memref<?x64xf32, strides = [?, 1]>) -> !nv_tileas.tiled_view<f32, [8, 64], global>
}) : () -> ()
// -----
// error: 'nv_tileas.view' op expects rank of tileSizes be equal to rank of dimGroups, but got 2 and 1
"builtin.module"() ({
  %0 = "test.value"() : () -> !nv_tileaa.memref<?x64xf32, strides = [?, 1]>
  "nv_tileas.view"(%0) <{dimGroups = [array<i64: 0>]}> : (!nv_tileaa.memref<?x64xf32, strides = [?, 1]>) -> !nv_tileas.tiled_view<f32, [8, 64], global>
}) : () -> ()
// -----
// error: 'nv_tileas.view' op expects dimGroups for a view of a memory object only, got 'tensor<8x64xf32>' and 'tensor<512xf32>'
"builtin.module"() ({
  %0 = "test.value"() : () -> tensor<8x64xf32>
  "nv_tileas.view"(%0) <{dimGroups = [array<i64: 0>]}> : (tensor<8x64xf32>) -> tensor<512xf32>
}) : () -> ()
// -----
// error: 'nv_tileas.sitofp' op expects tiles with the same encoding, got 'tensor<8xi32, #nv_tileas.linear_layout<"(8) lane=8:1@0">>' and 'tensor<8xf32, #nv_tileas.linear_layout<"(8) register=2:1@0 lane=4:2@0">>'
"builtin.module"() ({
  %0 = "test.value"() : () -> tensor<8xi32, #nv_tileas.linear_layout<"(8) lane=8:1@0">>
  "nv_tileas.sitofp"(%0) : (tensor<8xi32, #nv_tileas.linear_layout<"(8) lane=8:1@0">>) -> tensor<8xf32, #nv_tileas.linear_layout<"(8) register=2:1@0 lane=4:2@0">>
}) : () -> ()
// -----
// error: 'nv_tileas.extui' op expects tiles with the same encoding, got 'tensor<8xi8, #nv_tileas.linear_layout<"(8) lane=8:1@0">>' and 'tensor<8xi32>'
"builtin.module"() ({
  %0 = "test.value"() : () -> tensor<8xi8, #nv_tileas.linear_layout<"(8) lane=8:1@0">>
  "nv_tileas.extui"(%0) : (tensor<8xi8, #nv_tileas.linear_layout<"(8) lane=8:1@0">>) -> tensor<8xi32>
}) : () -> ()
// -----
// error: 'nv_tileas.select' op expects tiles with the same encoding, got 'tensor<8xi1, #nv_tileas.linear_layout<"(8) lane=8:1@0">>' and 'tensor<8xf32, #nv_tileas.linear_layout<"(8) register=2:1@0 lane=4:2@0">>'
"builtin.module"() ({
  %0 = "test.value"() : () -> tensor<8xi1, #nv_tileas.linear_layout<"(8) lane=8:1@0">>
  %1 = "test.value"() : () -> tensor<8xf32, #nv_tileas.linear_layout<"(8) register=2:1@0 lane=4:2@0">>
  %2 = "test.value"() : () -> tensor<8xf32, #nv_tileas.linear_layout<"(8) register=2:1@0 lane=4:2@0">>
  "nv_tileas.select"(%0, %1, %2) : (tensor<8xi1, #nv_tileas.linear_layout<"(8) lane=8:1@0">>, tensor<8xf32, #nv_tileas.linear_layout<"(8) register=2:1@0 lane=4:2@0">>, tensor<8xf32, #nv_tileas.linear_layout<"(8) register=2:1@0 lane=4:2@0">>) -> tensor<8xf32, #nv_tileas.linear_layout<"(8) register=2:1@0 lane=4:2@0">>
}) : () -> ()
