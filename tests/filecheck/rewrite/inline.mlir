// Callees before callers; recursion stays; private functions that are left over go.
// RUN: tilewright-opt %s --inline | FileCheck %s
// RUN: tilewright-opt %s --pass-pipeline='builtin.module(inline{default-pipeline=""})' | FileCheck %s --check-prefix=RAW

// CHECK-NOT: @helper
// CHECK-LABEL: func.func @outer
// CHECK-NOT: call
// CHECK: return
// CHECK-LABEL: func.func @recursive
// CHECK: call @recursive
// RAW-LABEL: func.func @outer
// RAW-COUNT-2: arith.addi
func.func private @helper(%x: i32) -> i32 {
  %zero = arith.constant 0 : i32
  %0 = arith.addi %x, %x : i32
  %1 = arith.addi %0, %zero : i32
  return %1 : i32
}
func.func @outer(%x: i32) -> i32 {
  %0 = call @helper(%x) : (i32) -> i32
  return %0 : i32
}
func.func @recursive(%x: i32) -> i32 {
  %0 = call @recursive(%x) : (i32) -> i32
  return %0 : i32
}
