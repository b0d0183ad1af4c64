// Early returns, loops, and calls of functions that return early.
// The text is what Triton's front end and first passes make of kernels.
// RUN: tilewright-opt %s --convert-triton-to-cuda-tile | FileCheck %s

// CHECK-LABEL: entry @early(
// CHECK: if %
// CHECK: return
// CHECK: store_ptr_tko
// CHECK-LABEL: entry @search(
// CHECK: loop iter_values
// CHECK: break
// CHECK-LABEL: entry @caller(
// CHECK: for %
// CHECK: loop
// CHECK: break
// CHECK: continue

module {
  tt.func public @early(%arg0: !tt.ptr<i32>, %arg1: i32, %arg2: i32) attributes {noinline = false} {
    %c2_i32 = arith.constant 2 : i32
    %c1_i32 = arith.constant 1 : i32
    %c4_i32 = arith.constant 4 : i32
    %c3_i32 = arith.constant 3 : i32
    %0 = arith.cmpi sgt, %arg1, %c3_i32 : i32
    cf.cond_br %0, ^bb1, ^bb4
  ^bb1:  // pred: ^bb0
    %1 = arith.cmpi sgt, %arg2, %c4_i32 : i32
    cf.cond_br %1, ^bb2, ^bb3
  ^bb2:  // pred: ^bb1
    tt.return
  ^bb3:  // pred: ^bb1
    tt.store %arg0, %c1_i32 : !tt.ptr<i32>
    cf.br ^bb4
  ^bb4:  // 2 preds: ^bb0, ^bb3
    %2 = tt.addptr %arg0, %c1_i32 : !tt.ptr<i32>, i32
    tt.store %2, %c2_i32 : !tt.ptr<i32>
    tt.return
  }
  tt.func public @search(%arg0: !tt.ptr<i32>, %arg1: i32) attributes {noinline = false} {
    %c1_i32 = arith.constant 1 : i32
    %c3_i32 = arith.constant 3 : i32
    %c0_i32 = arith.constant 0 : i32
    %0 = scf.while (%arg2 = %c0_i32) : (i32) -> i32 {
      %1 = arith.cmpi slt, %arg2, %arg1 : i32
      scf.condition(%1) %arg2 : i32
    } do {
    ^bb0(%arg2: i32):
      %1 = tt.addptr %arg0, %arg2 : !tt.ptr<i32>, i32
      %2 = tt.load %1 : !tt.ptr<i32>
      %3 = arith.cmpi eq, %2, %c3_i32 : i32
      %4 = arith.select %3, %arg1, %arg2 : i32
      %5 = arith.addi %4, %c1_i32 : i32
      scf.yield %5 : i32
    }
    tt.store %arg0, %0 : !tt.ptr<i32>
    tt.return
  }
  tt.func public @caller(%arg0: !tt.ptr<i32>) attributes {noinline = false} {
    %c0_i32 = arith.constant 0 : i32
    %c4_i32 = arith.constant 4 : i32
    %c1_i32 = arith.constant 1 : i32
    %0 = arith.bitcast %c0_i32 : i32 to i32
    %1 = arith.bitcast %c4_i32 : i32 to i32
    %2 = arith.bitcast %c1_i32 : i32 to i32
    %3 = ub.poison : i32
    scf.for %arg1 = %0 to %1 step %2  : i32 {
      %4 = tt.addptr %arg0, %arg1 : !tt.ptr<i32>, i32
      %c4_i32_0 = arith.constant 4 : i32
      %5 = tt.addptr %arg0, %c4_i32_0 : !tt.ptr<i32>, i32
      %6 = tt.addptr %arg0, %arg1 : !tt.ptr<i32>, i32
      %7 = tt.load %6 : !tt.ptr<i32>
      %8 = tt.call @helper(%5, %7) : (!tt.ptr<i32>, i32) -> i32
      tt.store %4, %8 : !tt.ptr<i32>
    }
    tt.return
  }
  tt.func private @helper(%arg0: !tt.ptr<i32>, %arg1: i32) -> i32 attributes {noinline = true} {
    %c2_i32 = arith.constant 2 : i32
    %0 = arith.cmpi sgt, %arg1, %c2_i32 : i32
    cf.cond_br %0, ^bb1, ^bb2
  ^bb1:  // pred: ^bb0
    tt.store %arg0, %arg1 : !tt.ptr<i32>
    %c2_i32_0 = arith.constant 2 : i32
    %1 = arith.extsi %arg1 : i32 to i64
    %2 = arith.extsi %c2_i32_0 : i32 to i64
    %3 = arith.muli %1, %2 : i64
    %c2147483647_i64 = arith.constant 2147483647 : i64
    %c-2147483648_i64 = arith.constant -2147483648 : i64
    %4 = arith.cmpi sle, %3, %c2147483647_i64 : i64
    %5 = arith.cmpi sge, %3, %c-2147483648_i64 : i64
    %6 = arith.andi %4, %5 : i1
    %7 = arith.muli %arg1, %c2_i32_0 : i32
    tt.return %7 : i32
  ^bb2:  // pred: ^bb0
    cf.br ^bb4
  ^bb3:  // no predecessors
    cf.br ^bb4
  ^bb4:  // 2 preds: ^bb2, ^bb3
    %c-2_i32 = arith.constant -2 : i32
    %8 = arith.cmpi slt, %arg1, %c-2_i32 : i32
    cf.cond_br %8, ^bb5, ^bb6
  ^bb5:  // pred: ^bb4
    %c0_i32 = arith.constant 0 : i32
    %9 = arith.extsi %c0_i32 : i32 to i64
    %10 = arith.extsi %arg1 : i32 to i64
    %11 = arith.subi %9, %10 : i64
    %c2147483647_i64_1 = arith.constant 2147483647 : i64
    %c-2147483648_i64_2 = arith.constant -2147483648 : i64
    %12 = arith.cmpi sle, %11, %c2147483647_i64_1 : i64
    %13 = arith.cmpi sge, %11, %c-2147483648_i64_2 : i64
    %14 = arith.andi %12, %13 : i1
    %15 = arith.subi %c0_i32, %arg1 : i32
    tt.return %15 : i32
  ^bb6:  // pred: ^bb4
    cf.br ^bb8
  ^bb7:  // no predecessors
    cf.br ^bb8
  ^bb8:  // 2 preds: ^bb6, ^bb7
    %c1_i32 = arith.constant 1 : i32
    %16 = arith.extsi %arg1 : i32 to i64
    %17 = arith.extsi %c1_i32 : i32 to i64
    %18 = arith.addi %16, %17 : i64
    %c2147483647_i64_3 = arith.constant 2147483647 : i64
    %c-2147483648_i64_4 = arith.constant -2147483648 : i64
    %19 = arith.cmpi sle, %18, %c2147483647_i64_3 : i64
    %20 = arith.cmpi sge, %18, %c-2147483648_i64_4 : i64
    %21 = arith.andi %19, %20 : i1
    %22 = arith.addi %arg1, %c1_i32 : i32
    tt.return %22 : i32
  ^bb9:  // no predecessors
    %23 = ub.poison : i32
    tt.return %23 : i32
  }
}
