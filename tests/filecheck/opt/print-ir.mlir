// Dumps around passes go to stderr; the result is on stdout.
// RUN: tilewright-opt %s --cse --mlir-print-ir-before=cse 2>&1 > %t | FileCheck %s --check-prefix=TALK
// RUN: cat %t | FileCheck %s --check-prefix=DATA
// RUN: tilewright-opt %s --cse --verify --mlir-print-ir-after-all -o %t 2>&1 | FileCheck %s
// RUN: tilewright-opt %s --cse --verify --mlir-print-ir-after-all --mlir-print-ir-after-change -o %t 2>&1 | FileCheck %s --check-prefix=CHANGE
// RUN: tilewright-opt %s --pass-pipeline='builtin.module(func.func(cse))' --mlir-print-ir-before-all --mlir-print-ir-module-scope -o %t 2>&1 | FileCheck %s --check-prefix=SCOPE

// TALK: IR Dump Before CSE
// DATA-NOT: IR Dump
// DATA: func.func @f
// CHECK: // -----// IR Dump After CSE (cse) //----- //
// CHECK-NEXT: module {
// CHECK: // -----// IR Dump After Verify (verify) //----- //
// CHANGE: IR Dump After CSE
// CHANGE-NOT: IR Dump After Verify
// SCOPE: // -----// IR Dump Before CSE (cse) ('func.func' operation: @f) //----- //
// SCOPE-NEXT: module {
func.func @f(%a: i32) -> i32 {
  %0 = arith.addi %a, %a : i32
  %1 = arith.addi %a, %a : i32
  %2 = arith.muli %0, %1 : i32
  return %2 : i32
}
