// Equal operations become one where the first dominates the second.
// RUN: tilewright-opt %s --cse --split-input-file | FileCheck %s

// CHECK-LABEL: func.func @same
// CHECK-SAME: (%[[A:.*]]: i32, %[[B:.*]]: i32)
// CHECK-NEXT: %[[SUM:.*]] = arith.addi %[[A]], %[[B]] : i32
// CHECK-NEXT: return %[[SUM]], %[[SUM]] : i32, i32
func.func @same(%a: i32, %b: i32) -> (i32, i32) {
  %0 = arith.addi %a, %b : i32
  %1 = arith.addi %b, %a : i32
  return %0, %1 : i32, i32
}

// -----

// CHECK-LABEL: func.func @siblings
// CHECK-COUNT-2: arith.subi
// CHECK-NOT: arith.subi
func.func @siblings(%c: i1, %a: i32) -> i32 {
  %r = scf.if %c -> i32 {
    %0 = arith.subi %a, %a : i32
    %1 = arith.subi %a, %a : i32
    %2 = arith.muli %0, %1 : i32
    scf.yield %2 : i32
  } else {
    %3 = arith.subi %a, %a : i32
    scf.yield %3 : i32
  }
  return %r : i32
}

// -----

// CHECK-LABEL: func.func @effects
// CHECK-COUNT-2: memref.load
func.func @effects(%m: memref<f32>) -> f32 {
  %0 = "memref.load"(%m) : (memref<f32>) -> f32
  %1 = "memref.load"(%m) : (memref<f32>) -> f32
  %2 = arith.addf %0, %1 : f32
  return %2 : f32
}
