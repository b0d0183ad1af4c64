// Elementary functions.
// RUN: tilewright-opt %s | tilewright-opt | FileCheck %s
// RUN: tilewright-opt %s --mlir-print-op-generic | tilewright-opt | FileCheck %s

// CHECK-LABEL: func.func @functions(%arg0: f32, %arg1: i32, %arg2: vector<8xf16>) -> f32 {
// CHECK-NEXT:  %0 = math.exp2 %arg0 fastmath<afn> : f32
// CHECK-NEXT:  %1 = math.fma %0, %arg0, %arg0 : f32
// CHECK-NEXT:  %2 = math.ctlz %arg1 : i32
// CHECK-NEXT:  %3 = math.sqrt %arg2 : vector<8xf16>
// CHECK-NEXT:  %4 = math.fpowi %1, %2 : f32, i32
// CHECK-NEXT:  return %4 : f32

func.func @functions(%x: f32, %n: i32, %v: vector<8xf16>) -> f32 {
  %0 = math.exp2 %x fastmath<afn> : f32
  %1 = math.fma %0, %x, %x : f32
  %2 = math.ctlz %n : i32
  %3 = math.sqrt %v : vector<8xf16>
  %4 = math.fpowi %1, %2 : f32, i32
  return %4 : f32
}
