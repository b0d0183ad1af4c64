module {
  %alloc = memref.alloc() {alignment = 64 : i64} : memref<4x8xf32>
}
// -----
module {
  %0 = "test.value"() : () -> index
  %alloc = memref.alloc(%0) : memref<4x?xf32, 3 : i32>
}
// -----
module {
  %0 = "test.value"() : () -> index
  %1 = "test.value"() : () -> index
  %alloc = memref.alloc(%0)[%1] : memref<?xf32, strided<[1], offset: ?>>
}
// -----
module {
  %0 = "test.value"() : () -> memref<4x8xf32>
  memref.dealloc %0 : memref<4x8xf32>
}
// -----
module {
  %0 = "test.value"() : () -> memref<*xf32>
  memref.dealloc %0 : memref<*xf32>
}
// -----
module {
  %0 = "test.value"() : () -> memref<4xf32>
  %1 = memref.realloc %0 {alignment = 8 : i64} : memref<4xf32> to memref<8xf32>
}
// -----
module {
  %0 = "test.value"() : () -> memref<4xf32>
  %1 = "test.value"() : () -> index
  %2 = memref.realloc %0(%1) : memref<4xf32> to memref<?xf32>
}
// -----
module {
  %0 = "test.value"() : () -> memref<4xf32>
  %1 = "test.value"() : () -> memref<4xf32, 1 : i32>
  memref.copy %0, %1 : memref<4xf32> to memref<4xf32, 1 : i32>
}
// -----
module {
  %0 = "test.value"() : () -> memref<*xf32>
  %1 = "test.value"() : () -> memref<*xf32>
  memref.copy %0, %1 : memref<*xf32> to memref<*xf32>
}
// -----
module {
  %0 = "test.value"() : () -> memref<4x?xf32>
  %1 = "test.value"() : () -> index
  %dim = memref.dim %0, %1 : memref<4x?xf32>
}
// -----
module {
  %0 = "test.value"() : () -> memref<*xf32>
  %1 = "test.value"() : () -> index
  %dim = memref.dim %0, %1 : memref<*xf32>
}
// -----
module {
  %0 = "test.value"() : () -> memref<*xf32>
  %1 = memref.rank %0 : memref<*xf32>
}
// -----
module {
  %0 = "test.value"() : () -> memref<4xf32>
  %assume_align = memref.assume_alignment %0, 16 : memref<4xf32>
}
// -----
module {
  %0 = "test.value"() : () -> memref<4xf32>
  %1 = "test.value"() : () -> memref<?xi8>
  %2:2 = memref.distinct_objects %0, %1 : memref<4xf32>, memref<?xi8>
}
// -----
module {
  %0 = "test.value"() : () -> memref<4x?xf32, strided<[?, 1], offset: ?>, 3 : i32>
  %base_buffer, %offset, %sizes:2, %strides:2 = memref.extract_strided_metadata %0 : memref<4x?xf32, strided<[?, 1], offset: ?>, 3 : i32> -> memref<f32, 3 : i32>, index, index, index, index, index
}
// -----
module {
  %0 = "test.value"() : () -> memref<f32>
  %base_buffer, %offset = memref.extract_strided_metadata %0 : memref<f32> -> memref<f32>, index
}
// -----
module {
  %0 = "test.value"() : () -> memref<4xf32>
  %intptr = memref.extract_aligned_pointer_as_index %0 : memref<4xf32> -> index
}
// -----
module {
  %0 = "test.value"() : () -> memref<4x8xf32>
  %1 = "test.value"() : () -> index
  %2 = "test.value"() : () -> index
  %3 = memref.load %0[%1, %2] : memref<4x8xf32>
}
// -----
module {
  %0 = "test.value"() : () -> memref<vector<4xf32>>
  %1 = memref.load %0[] {alignment = 8 : i64, nontemporal = true} : memref<vector<4xf32>>
}
// -----
module {
  %0 = "test.value"() : () -> f32
  %1 = "test.value"() : () -> memref<4x8xf32>
  %2 = "test.value"() : () -> index
  %3 = "test.value"() : () -> index
  memref.store %0, %1[%2, %3] : memref<4x8xf32>
}
// -----
module {
  %0 = "test.value"() : () -> i32
  %1 = "test.value"() : () -> memref<i32, "shared">
  memref.store %0, %1[] {alignment = 4 : i64, nontemporal = true} : memref<i32, "shared">
}
// -----
module {
  %0 = "test.value"() : () -> memref<4xf32>
  %1 = "test.value"() : () -> index
  memref.prefetch %0[%1], read, locality<3>, data : memref<4xf32>
}
// -----
module {
  %0 = "test.value"() : () -> f32
  %1 = "test.value"() : () -> memref<4xf32>
  %2 = "test.value"() : () -> index
  %3 = memref.atomic_rmw addf %0, %1[%2] : (f32, memref<4xf32>) -> f32
}
// -----
module {
  %0 = "test.value"() : () -> i32
  %1 = "test.value"() : () -> memref<i32>
  %2 = memref.atomic_rmw xori %0, %1[] : (i32, memref<i32>) -> i32
}
// -----
module {
  %0 = "test.value"() : () -> memref<16xf32>
  %1 = "test.value"() : () -> index
  %2 = "test.value"() : () -> memref<16xf32, 1 : i32>
  %3 = "test.value"() : () -> index
  %4 = "test.value"() : () -> index
  %5 = "test.value"() : () -> memref<1xi32>
  %6 = "test.value"() : () -> index
  memref.dma_start %0[%1], %2[%3], %4, %5[%6] : memref<16xf32>, memref<16xf32, 1 : i32>, memref<1xi32>
}
// -----
module {
  %0 = "test.value"() : () -> memref<1xi32>
  %1 = "test.value"() : () -> index
  %2 = "test.value"() : () -> index
  memref.dma_wait %0[%1], %2 : memref<1xi32>
}
// -----
module {
  %0 = "test.value"() : () -> memref<4x8xf32>
  %cast = memref.cast %0 : memref<4x8xf32> to memref<?x8xf32, strided<[?, 1], offset: ?>>
}
// -----
module {
  %0 = "test.value"() : () -> memref<*xf32>
  %cast = memref.cast %0 : memref<*xf32> to memref<4xf32>
}
// -----
module {
  %0 = "test.value"() : () -> memref<4xf32>
  %memspacecast = memref.memory_space_cast %0 : memref<4xf32> to memref<4xf32, 3 : i32>
}
// -----
module {
  %0 = "test.value"() : () -> memref<*xf32>
  %memspacecast = memref.memory_space_cast %0 : memref<*xf32> to memref<*xf32, 3 : i32>
}
// -----
module {
  %0 = "test.value"() : () -> memref<4x16xf32>
  %1 = "test.value"() : () -> index
  %subview = memref.subview %0[%1, 2] [2, 4] [1, 2] : memref<4x16xf32> to memref<2x4xf32, strided<[16, 2], offset: ?>>
}
// -----
module {
  %0 = "test.value"() : () -> memref<4x16xf32>
  %subview = memref.subview %0[1, 2] [1, 4] [1, 2] : memref<4x16xf32> to memref<4xf32, strided<[2], offset: 18>>
}
// -----
module {
  %0 = "test.value"() : () -> memref<?xf32>
  %1 = "test.value"() : () -> index
  %2 = "test.value"() : () -> index
  %subview = memref.subview %0[0] [%1] [%2] : memref<?xf32> to memref<?xf32, strided<[?]>>
}
// -----
module {
  %0 = "test.value"() : () -> memref<2048xi8>
  %1 = "test.value"() : () -> index
  %view = memref.view %0[%1][] : memref<2048xi8> to memref<4x8xf32>
}
// -----
module {
  %0 = "test.value"() : () -> memref<2048xi8, 3 : i32>
  %1 = "test.value"() : () -> index
  %2 = "test.value"() : () -> index
  %view = memref.view %0[%1][%2] : memref<2048xi8, 3 : i32> to memref<?x4xf32, 3 : i32>
}
// -----
module {
  %0 = "test.value"() : () -> memref<4x8xf32>
  %reinterpret_cast = memref.reinterpret_cast %0 to offset: [2], sizes: [2, 4], strides: [8, 1] : memref<4x8xf32> to memref<2x4xf32, strided<[8, 1], offset: 2>>
}
// -----
module {
  %0 = "test.value"() : () -> memref<*xf32>
  %1 = "test.value"() : () -> index
  %2 = "test.value"() : () -> index
  %3 = "test.value"() : () -> index
  %reinterpret_cast = memref.reinterpret_cast %0 to offset: [%1], sizes: [%2], strides: [%3] : memref<*xf32> to memref<?xf32, strided<[?], offset: ?>>
}
// -----
module {
  %0 = "test.value"() : () -> memref<4x8xf32>
  %1 = "test.value"() : () -> memref<1xindex>
  %reshape = memref.reshape %0(%1) : (memref<4x8xf32>, memref<1xindex>) -> memref<32xf32>
}
// -----
module {
  %0 = "test.value"() : () -> memref<*xf32>
  %1 = "test.value"() : () -> memref<?xi32>
  %reshape = memref.reshape %0(%1) : (memref<*xf32>, memref<?xi32>) -> memref<*xf32>
}
// -----
module {
  %0 = "test.value"() : () -> memref<4x8xf32>
  %transpose = memref.transpose %0 (d0, d1) -> (d1, d0) : memref<4x8xf32> to memref<8x4xf32, strided<[1, 8]>>
}
// -----
module {
  %0 = "test.value"() : () -> memref<4x8xf32>
  %transpose = memref.transpose %0 (d0, d1) -> (d1, d0) : memref<4x8xf32> to memref<8x4xf32, affine_map<(d0, d1) -> (d0 + d1 * 8)>>
}
// -----
module {
  %0 = "test.value"() : () -> memref<32xf32>
  %expand_shape = memref.expand_shape %0 [[0, 1]] output_shape [4, 8] : memref<32xf32> into memref<4x8xf32>
}
// -----
module {
  %0 = "test.value"() : () -> memref<?x4xf32>
  %1 = "test.value"() : () -> index
  %expand_shape = memref.expand_shape %0 [[0, 1], [2]] output_shape [%1, 8, 4] : memref<?x4xf32> into memref<?x8x4xf32>
}
// -----
module {
  %0 = "test.value"() : () -> memref<4x8x2xf32>
  %collapse_shape = memref.collapse_shape %0 [[0, 1], [2]] : memref<4x8x2xf32> into memref<32x2xf32>
}
// -----
module {
  %0 = "test.value"() : () -> memref<1x1xf32>
  %collapse_shape = memref.collapse_shape %0 [] : memref<1x1xf32> into memref<f32>
}
// -----
module {
  memref.global "private" constant @g : memref<2xf32> = dense<[1.000000e+00, 2.000000e+00]> {alignment = 64 : i64}
  memref.global @later : memref<i32> = uninitialized
  memref.global "private" @elsewhere : memref<4xf32, 3 : i32>
}
// -----
module {
  memref.global @g : memref<4xf32, 3 : i32>
  %0 = memref.get_global @g : memref<4xf32, 3 : i32>
}
// -----
module {
  memref.alloca_scope  {
  }
}
// -----
module {
  %0 = "test.value"() : () -> i32
  %1 = memref.alloca_scope  -> (i32) {
    memref.alloca_scope.return %0 : i32
  }
}
// -----
module {
  %0:2 = "test.value"() : () -> (memref<4xi32>, index)
  %1 = memref.generic_atomic_rmw %0#0[%0#1] : memref<4xi32> {
  ^bb0(%arg0: i32):
    memref.atomic_yield %arg0 : i32
  }
}
// -----
module {
  %0 = "test.value"() : () -> index
  memref.alloca_scope  {
    %alloca = memref.alloca(%0) {alignment = 16 : i64} : memref<?xi8>
    %alloca_0 = memref.alloca()[%0] : memref<4x4xf32, affine_map<(d0, d1)[s0] -> (d0 + s0, d1)>>
  }
}
