// Functions, calls and attributes of arguments.
// RUN: tilewright-opt %s | tilewright-opt | FileCheck %s
// RUN: tilewright-opt %s --mlir-print-op-generic | tilewright-opt | FileCheck %s

// CHECK-LABEL: func.func private @declared(i32, memref<?xf32>) -> (i32, f32)
// CHECK-NEXT:  func.func @defined(%arg0: i32 {test.note = "n"}, %arg1: memref<?xf32>) -> f32 attributes {test.unit} {
// CHECK-NEXT:  %0:2 = call @declared(%arg0, %arg1) : (i32, memref<?xf32>) -> (i32, f32)
// CHECK-NEXT:  %f = constant @declared : (i32, memref<?xf32>) -> (i32, f32)
// CHECK-NEXT:  %1:2 = call_indirect %f(%arg0, %arg1) : (i32, memref<?xf32>) -> (i32, f32)
// CHECK-NEXT:  return %1#1 : f32

func.func private @declared(i32, memref<?xf32>) -> (i32, f32)
func.func @defined(%x: i32 {test.note = "n"}, %m: memref<?xf32>) -> f32 attributes {test.unit} {
  %0:2 = call @declared(%x, %m) : (i32, memref<?xf32>) -> (i32, f32)
  %f = constant @declared : (i32, memref<?xf32>) -> (i32, f32)
  %1:2 = call_indirect %f(%x, %m) : (i32, memref<?xf32>) -> (i32, f32)
  return %1#1 : f32
}
