// Buffers in generic form.
// RUN: tilewright-opt %s --mlir-print-op-generic | tilewright-opt --mlir-print-op-generic | FileCheck %s

// CHECK-LABEL: "func.func"() <{function_type = (index, index, f32) -> f32, sym_name = "buffers"}> ({
// CHECK-NEXT:  ^bb0(%arg0: index, %arg1: index, %arg2: f32):
// CHECK-NEXT:  %0 = "memref.alloc"(%arg0) <{alignment = 16 : i64, operandSegmentSizes = array<i32: 1, 0>}> : (index) -> memref<?x4xf32, 3>
// CHECK-NEXT:  "memref.store"(%arg2, %0, %arg1, %arg1) : (f32, memref<?x4xf32, 3>, index, index) -> ()
// CHECK-NEXT:  %1 = "memref.load"(%0, %arg1, %arg1) : (memref<?x4xf32, 3>, index, index) -> f32
// CHECK-NEXT:  "memref.dealloc"(%0) : (memref<?x4xf32, 3>) -> ()
// CHECK-NEXT:  "func.return"(%1) : (f32) -> ()

"builtin.module"() ({
  "func.func"() <{function_type = (index, index, f32) -> f32, sym_name = "buffers"}> ({
  ^bb0(%arg0: index, %arg1: index, %arg2: f32):
    %0 = "memref.alloc"(%arg0) <{alignment = 16 : i64, operandSegmentSizes = array<i32: 1, 0>}> : (index) -> memref<?x4xf32, 3>
    "memref.store"(%arg2, %0, %arg1, %arg1) : (f32, memref<?x4xf32, 3>, index, index) -> ()
    %1 = "memref.load"(%0, %arg1, %arg1) : (memref<?x4xf32, 3>, index, index) -> f32
    "memref.dealloc"(%0) : (memref<?x4xf32, 3>) -> ()
    "func.return"(%1) : (f32) -> ()
  }) : () -> ()
}) : () -> ()
