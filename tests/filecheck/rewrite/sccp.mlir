// Constants through branches that are never taken and around loops.
// RUN: tilewright-opt %s --sccp --split-input-file | FileCheck %s

// CHECK-LABEL: func.func @around
// CHECK: %[[ONE:.*]] = arith.constant 1 : i32
// CHECK: return %[[ONE]] : i32
func.func @around(%c: i1) -> i32 {
  %one = arith.constant 1 : i32
  cf.br ^a(%one : i32)
^a(%v: i32):
  %w = arith.muli %v, %v : i32
  cf.cond_br %c, ^a(%w : i32), ^b
^b:
  return %v : i32
}

// -----

// CHECK-LABEL: func.func @never_taken
// CHECK: %[[ONE:.*]] = arith.constant 1 : i32
// CHECK: return %[[ONE]] : i32
func.func @never_taken(%x: i32) -> i32 {
  %one = arith.constant 1 : i32
  %c = arith.cmpi ne, %one, %one : i32
  %r = scf.if %c -> i32 {
    scf.yield %x : i32
  } else {
    scf.yield %one : i32
  }
  return %r : i32
}

// -----

// CHECK-LABEL: func.func @differs
// CHECK: ^[[B:.*]](%[[V:.*]]: i32):
// CHECK-NEXT: return %[[V]] : i32
func.func @differs(%c: i1) -> i32 {
  %one = arith.constant 1 : i32
  %two = arith.constant 2 : i32
  cf.cond_br %c, ^a(%one : i32), ^a(%two : i32)
^a(%v: i32):
  return %v : i32
}
