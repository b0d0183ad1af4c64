// Patterns by name, how far blocks are simplified, and limits.
// RUN: tilewright-opt %s --pass-pipeline='builtin.module(canonicalize{disable-patterns=AddIAddConstant})' | FileCheck %s --check-prefix=OFF
// RUN: tilewright-opt %s --pass-pipeline='builtin.module(canonicalize{region-simplify=aggressive})' | FileCheck %s --check-prefix=MERGE
// RUN: tilewright-opt %s --pass-pipeline='builtin.module(canonicalize{region-simplify=disabled})' | FileCheck %s --check-prefix=KEEP

// OFF-LABEL: func.func @constants
// OFF-COUNT-2: arith.addi
func.func @constants(%x: i32) -> i32 {
  %three = arith.constant 3 : i32
  %0 = arith.addi %x, %three : i32
  %1 = arith.addi %0, %three : i32
  return %1 : i32
}

// MERGE-LABEL: func.func @equal
// MERGE-COUNT-1: call @use
// MERGE-NOT: call @use
// KEEP-LABEL: func.func @equal
// KEEP: cf.br
func.func @equal(%c: i1, %x: i32) {
  cf.cond_br %c, ^a, ^b
^a:
  call @use(%x) : (i32) -> ()
  return
^b:
  call @use(%x) : (i32) -> ()
  return
^unreachable:
  cf.br ^unreachable
}
func.func private @use(i32)
