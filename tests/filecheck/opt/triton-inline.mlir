// Functions of Triton go into the place of their calls, and values are called as in the source.
// RUN: tilewright-opt %s --inline --symbol-dce --mlir-print-debuginfo --mlir-use-nameloc-as-prefix | FileCheck %s

#loc = loc("kernel.py":1:1)

module {
// CHECK-LABEL: tt.func public @kernel(%x: i32 loc("x"(#loc)))
// CHECK-NEXT: %twice = arith.addi %x, %x : i32
// CHECK-NEXT: tt.print "twice" {hex = false, isSigned = array<i32: 1>} : %twice : i32
// CHECK-NOT: @double
tt.func public @kernel(%arg0: i32 loc("x"(#loc))) {
  %0 = tt.call @double(%arg0) : (i32) -> i32 loc("call"(#loc))
  tt.print "twice" {hex = false, isSigned = array<i32: 1>} : %0 : i32 loc(#loc)
  tt.return loc(#loc)
} loc(#loc)

tt.func private @double(%arg0: i32 loc("y"(#loc))) -> i32 {
  %0 = arith.addi %arg0, %arg0 : i32 loc("twice"(#loc))
  tt.return %0 : i32 loc(#loc)
} loc(#loc)
} loc(#loc)
