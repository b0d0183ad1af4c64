// The pipeline by name, and what is in it.
// RUN: tilewright-opt %s --optimize-cuda-tile --dump-pass-pipeline 2>&1 | FileCheck %s --check-prefix=PIPELINE
// RUN: tilewright-opt %s --pass-pipeline='builtin.module(optimize-cuda-tile{opt-level=1})' | FileCheck %s --check-prefix=ONE
// RUN: tilewright-opt %s --optimize-cuda-tile | FileCheck %s
// RUN: not tilewright-opt %s --pass-pipeline='builtin.module(optimize-cuda-tile{opt-level=7})' 2>&1 | FileCheck %s --check-prefix=SEVEN

// PIPELINE: cuda_tile.entry(
// PIPELINE-NEXT: canonicalize
// PIPELINE-NEXT: cse
// PIPELINE-NEXT: simplify-carried-values
// PIPELINE-NEXT: simplify-tokens
// PIPELINE-NEXT: eliminate-dead-accesses
// PIPELINE-NEXT: scalarize-induction
// PIPELINE-NEXT: loop-invariant-code-motion
// PIPELINE-NEXT: cse
// PIPELINE-NEXT: loop-split
// PIPELINE-NEXT: canonicalize
// SEVEN: error[TW0850]: optimisation level 7 does not exist
// ONE: for
// ONE-NEXT: load_ptr_tko
// ONE-NEXT: addi
// CHECK-NOT: join_tokens
// CHECK: load_ptr_tko
// CHECK: for
// CHECK-NEXT: addi
cuda_tile.module @m {
  entry @k(%x: tile<ptr<i32>>) {
    %zero = constant <i32: 0> : tile<i32>
    %one = constant <i32: 1> : tile<i32>
    %nine = constant <i32: 9> : tile<i32>
    %t0 = make_token : token
    %r = for %i in (%zero to %nine, step %one) : tile<i32> iter_values(%acc = %one) -> (tile<i32>) {
      %t1 = join_tokens %t0, %t0 : token
      %v, %t2 = load_ptr_tko weak %x token = %t1 : tile<ptr<i32>> -> tile<i32>, token
      %next = addi %acc, %v : tile<i32>
      continue %next : tile<i32>
    }
    print_tko "%d\n", %r : tile<i32> -> token
    return
  }
}
