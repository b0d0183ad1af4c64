// Structured loops and branches.
// RUN: tilewright-opt %s | tilewright-opt | FileCheck %s
// RUN: tilewright-opt %s --mlir-print-op-generic | tilewright-opt | FileCheck %s

// CHECK-LABEL: func.func @loops(%arg0: index, %arg1: i1, %arg2: f32) -> f32 {
// CHECK-NEXT:  %c0 = arith.constant 0 : index
// CHECK-NEXT:  %c1 = arith.constant 1 : index
// CHECK-NEXT:  %0 = scf.for %arg3 = %c0 to %arg0 step %c1 iter_args(%arg4 = %arg2) -> (f32) {
// CHECK-NEXT:  %2 = scf.if %arg1 -> (f32) {
// CHECK-NEXT:  scf.yield %arg4 : f32
// CHECK-NEXT:  } else {
// CHECK-NEXT:  %3 = arith.addf %arg4, %arg2 : f32
// CHECK-NEXT:  scf.yield %3 : f32
// CHECK-NEXT:  }
// CHECK-NEXT:  scf.yield %2 : f32
// CHECK-NEXT:  }
// CHECK-NEXT:  scf.for %arg3 = %c0 to %arg0 step %c1 {
// CHECK-NEXT:  }
// CHECK-NEXT:  %1 = scf.while (%arg3 = %0) : (f32) -> f32 {
// CHECK-NEXT:  scf.condition(%arg1) %arg3 : f32
// CHECK-NEXT:  } do {
// CHECK-NEXT:  ^bb0(%arg3: f32):
// CHECK-NEXT:  scf.yield %arg3 : f32
// CHECK-NEXT:  }
// CHECK-NEXT:  return %1 : f32

func.func @loops(%n: index, %c: i1, %init: f32) -> f32 {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %sum = scf.for %i = %zero to %n step %one iter_args(%s = %init) -> (f32) {
    %t = scf.if %c -> (f32) {
      scf.yield %s : f32
    } else {
      %u = arith.addf %s, %init : f32
      scf.yield %u : f32
    }
    scf.yield %t : f32
  }
  scf.for %i = %zero to %n step %one {
  }
  %w = scf.while (%x = %sum) : (f32) -> f32 {
    scf.condition(%c) %x : f32
  } do {
  ^bb0(%y: f32):
    scf.yield %y : f32
  }
  return %w : f32
}
