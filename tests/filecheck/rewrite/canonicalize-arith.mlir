// Integer and float identities, constants, and what must stay because of NaN, zeros or overflow.
// RUN: tilewright-opt %s --canonicalize --split-input-file | FileCheck %s

// CHECK-LABEL: func.func @constants_meet
// CHECK-SAME: (%[[X:.*]]: i32)
// CHECK-DAG: %[[C:.*]] = arith.constant 7 : i32
// CHECK: %[[R:.*]] = arith.addi %[[X]], %[[C]] : i32
// CHECK-NEXT: return %[[R]] : i32
func.func @constants_meet(%x: i32) -> i32 {
  %three = arith.constant 3 : i32
  %four = arith.constant 4 : i32
  %0 = arith.addi %three, %x : i32
  %1 = arith.addi %0, %four : i32
  return %1 : i32
}

// -----

// The promise holds for each sum and for both, but not for the sum of the constants.
// CHECK-LABEL: func.func @flags
// CHECK: arith.addi %{{.*}}, %{{.*}} : i8
// CHECK-NOT: overflow
func.func @flags(%x: i8) -> i8 {
  %c = arith.constant 100 : i8
  %0 = arith.addi %x, %c overflow<nsw> : i8
  %1 = arith.addi %0, %c overflow<nsw> : i8
  return %1 : i8
}

// -----

// CHECK-LABEL: func.func @zeros
// CHECK-SAME: (%[[X:.*]]: f32)
// CHECK: %[[R:.*]] = arith.addf %[[X]], %{{.*}} : f32
// CHECK: return %[[X]], %[[R]], %[[X]] : f32, f32, f32
func.func @zeros(%x: f32) -> (f32, f32, f32) {
  %plus = arith.constant 0.0 : f32
  %minus = arith.constant -0.0 : f32
  %0 = arith.addf %x, %minus : f32
  %1 = arith.addf %x, %plus : f32
  %2 = arith.subf %x, %plus : f32
  return %0, %1, %2 : f32, f32, f32
}

// -----

// CHECK-LABEL: func.func @undefined_stays
// CHECK: arith.divsi
// CHECK: arith.shli
func.func @undefined_stays(%x: i32) -> (i32, i32) {
  %zero = arith.constant 0 : i32
  %far = arith.constant 32 : i32
  %0 = arith.divsi %x, %zero : i32
  %1 = arith.shli %x, %far : i32
  return %0, %1 : i32, i32
}

// -----

// CHECK-LABEL: func.func @elements
// CHECK: %[[R:.*]] = arith.constant dense<[4, 6]> : vector<2xi8>
// CHECK-NEXT: return %[[R]]
func.func @elements() -> vector<2xi8> {
  %a = arith.constant dense<[1, 3]> : vector<2xi8>
  %b = arith.constant dense<3> : vector<2xi8>
  %0 = arith.addi %a, %b : vector<2xi8>
  return %0 : vector<2xi8>
}
