// Textual pipelines: nesting, options, order, and what is wrong with bad ones.
// RUN: tilewright-opt %s --pass-pipeline='builtin.module(func.func(cse),symbol-dce)' --dump-pass-pipeline 2>&1 | FileCheck %s
// RUN: not tilewright-opt %s --pass-pipeline='builtin.module(csee)' 2>&1 | FileCheck %s --check-prefix=UNKNOWN
// RUN: not tilewright-opt %s --pass-pipeline='builtin.module(cse' 2>&1 | FileCheck %s --check-prefix=OPEN
// RUN: not tilewright-opt %s --pass-pipeline='builtin.module(cse{deep})' 2>&1 | FileCheck %s --check-prefix=OPTION
// RUN: not tilewright-opt %s --pass-pipeline='func.func(cse)' 2>&1 | FileCheck %s --check-prefix=ANCHOR
// RUN: not tilewright-opt %s --cse --pass-pipeline='builtin.module(cse)' 2>&1 | FileCheck %s --check-prefix=BOTH

// CHECK: Pass Manager with 2 passes:
// CHECK-NEXT: builtin.module(
// CHECK-NEXT: func.func(
// CHECK-NEXT: cse
// CHECK-NEXT: ),
// CHECK-NEXT: symbol-dce
// CHECK-NEXT: )
// UNKNOWN: error[TW0602]: 'csee' does not refer to a registered pass or pass pipeline
// UNKNOWN-NEXT: hint: did you mean 'cse'?
// OPEN: error[TW0601]: expected ')', got 'the end' at column 19 of the pipeline:
// OPTION: error[TW0603]: no such option 'deep' of pass 'cse'
// ANCHOR: error[TW0604]: can't run 'func.func' pass manager on 'builtin.module' op
// BOTH: '--pass-pipeline' can't be used with individual pass options
func.func private @f()
