// Loops carry addresses that grow by a step, and what is left of an array; what does not change stands in front of them.
// RUN: tilewright-opt %s --pass-pipeline='builtin.module(nvvm-carry-addresses,cse)' | FileCheck %s

// The address p + (row * stride + i * 64) * 2 grows by 128 bytes; 0 <= i, so that the bound of sext(i) changes nothing.
// CHECK-LABEL: @address
// CHECK:       llvm.mul %arg2, %arg3 : i64
// CHECK:       ^bb1(%[[I:.*]]: i32, %[[P:.*]]: !llvm.ptr<1>):
// CHECK:       ^bb2:
// CHECK-NEXT:  llvm.store %{{.*}}, %[[P]]
// CHECK-NEXT:  %[[N:.*]] = llvm.add %[[I]]
// CHECK-NEXT:  %[[Q:.*]] = llvm.getelementptr %[[P]][%{{.*}}] : (!llvm.ptr<1>, i64) -> !llvm.ptr<1>, i8
// CHECK-NEXT:  llvm.br ^bb1(%[[N]], %[[Q]] : i32, !llvm.ptr<1>)
llvm.func @address(%p: !llvm.ptr<1>, %n: i32, %row: i64, %stride: i64) {
  %zero = llvm.mlir.constant(0 : i32) : i32
  %one = llvm.mlir.constant(1 : i32) : i32
  %many = llvm.mlir.constant(72057594037927936 : i64) : i64
  %tile = llvm.mlir.constant(64 : i64) : i64
  %x = llvm.mlir.constant(0.0 : f16) : f16
  llvm.br ^bb1(%zero : i32)
^bb1(%i: i32):
  %more = llvm.icmp "slt" %i, %n : i32
  llvm.cond_br %more, ^bb2, ^bb3
^bb2:
  %0 = llvm.mul %row, %stride : i64
  %1 = llvm.sext %i : i32 to i64
  %2 = llvm.intr.umin(%1, %many) : (i64, i64) -> i64
  %3 = llvm.mul %2, %tile : i64
  %4 = llvm.add %0, %3 : i64
  %5 = llvm.getelementptr %p[%4] : (!llvm.ptr<1>, i64) -> !llvm.ptr<1>, f16
  llvm.store %x, %5 : f16, !llvm.ptr<1>
  %next = llvm.add %i, %one : i32
  llvm.br ^bb1(%next : i32)
^bb3:
  llvm.return
}

// A counter that may be negative is not the same as its bound: the address is computed from it.
// CHECK-LABEL: @negative
// CHECK:       ^bb1(%[[I:[^:]*]]: i32):
// CHECK:       llvm.intr.umin
llvm.func @negative(%p: !llvm.ptr<1>, %first: i32, %n: i32) {
  %one = llvm.mlir.constant(1 : i32) : i32
  %many = llvm.mlir.constant(72057594037927936 : i64) : i64
  %tile = llvm.mlir.constant(64 : i64) : i64
  %x = llvm.mlir.constant(0.0 : f16) : f16
  llvm.br ^bb1(%first : i32)
^bb1(%i: i32):
  %more = llvm.icmp "slt" %i, %n : i32
  llvm.cond_br %more, ^bb2, ^bb3
^bb2:
  %1 = llvm.sext %i : i32 to i64
  %2 = llvm.intr.umin(%1, %many) : (i64, i64) -> i64
  %3 = llvm.mul %2, %tile : i64
  %5 = llvm.getelementptr %p[%3] : (!llvm.ptr<1>, i64) -> !llvm.ptr<1>, f16
  llvm.store %x, %5 : f16, !llvm.ptr<1>
  %next = llvm.add %i, %one : i32
  llvm.br ^bb1(%next : i32)
^bb3:
  llvm.return
}

// min(max(sext(k) - i * 64, 0), 64): what is left falls by 64, and stays 0.
// CHECK-LABEL: @rest
// CHECK:       ^bb1(%[[I:.*]]: i32, %[[R:.*]]: i32):
// CHECK:       %[[L:.*]] = llvm.intr.smin(%[[R]], %{{.*}}) : (i32, i32) -> i32
// CHECK-NEXT:  llvm.store %[[L]], %arg0
// CHECK:       %[[S:.*]] = llvm.sub %[[R]], %{{.*}} : i32
// CHECK-NEXT:  llvm.intr.smax(%[[S]], %{{.*}}) : (i32, i32) -> i32
llvm.func @rest(%p: !llvm.ptr<1>, %n: i32, %k: i32) {
  %zero = llvm.mlir.constant(0 : i32) : i32
  %one = llvm.mlir.constant(1 : i32) : i32
  %nothing = llvm.mlir.constant(0 : i64) : i64
  %tile = llvm.mlir.constant(64 : i64) : i64
  llvm.br ^bb1(%zero : i32)
^bb1(%i: i32):
  %more = llvm.icmp "slt" %i, %n : i32
  llvm.cond_br %more, ^bb2, ^bb3
^bb2:
  %0 = llvm.sext %k : i32 to i64
  %1 = llvm.sext %i : i32 to i64
  %2 = llvm.mul %1, %tile : i64
  %3 = llvm.sub %0, %2 : i64
  %4 = llvm.intr.smax(%3, %nothing) : (i64, i64) -> i64
  %5 = llvm.intr.smin(%4, %tile) : (i64, i64) -> i64
  %6 = llvm.trunc %5 : i64 to i32
  llvm.store %6, %p : i32, !llvm.ptr<1>
  %next = llvm.add %i, %one : i32
  llvm.br ^bb1(%next : i32)
^bb3:
  llvm.return
}

// Four rows of a tile, apart by the same number of bytes: the loop carries the address of the first row, and the distance is
// computed once before it.
// CHECK-LABEL: @rows
// CHECK:       %[[D:.*]] = llvm.mul %arg2, %{{.*}} : i64
// CHECK:       ^bb1(%[[I:[^:]*]]: i32, %[[P:[^:]*]]: !llvm.ptr<1>):
// CHECK:       ^bb2:
// CHECK-NEXT:  llvm.store %{{.*}}, %[[P]]
// CHECK-NEXT:  %[[A:.*]] = llvm.getelementptr %[[P]][%[[D]]] : (!llvm.ptr<1>, i64) -> !llvm.ptr<1>, i8
// CHECK-NEXT:  llvm.store %{{.*}}, %[[A]]
// CHECK-NEXT:  %[[B:.*]] = llvm.getelementptr %[[A]][%[[D]]] : (!llvm.ptr<1>, i64) -> !llvm.ptr<1>, i8
// CHECK-NEXT:  llvm.store %{{.*}}, %[[B]]
llvm.func @rows(%p: !llvm.ptr<1>, %n: i32, %stride: i64, %row: i64) {
  %zero = llvm.mlir.constant(0 : i32) : i32
  %one = llvm.mlir.constant(1 : i32) : i32
  %eight = llvm.mlir.constant(8 : i64) : i64
  %sixteen = llvm.mlir.constant(16 : i64) : i64
  %tile = llvm.mlir.constant(64 : i64) : i64
  %x = llvm.mlir.constant(0.0 : f16) : f16
  llvm.br ^bb1(%zero : i32)
^bb1(%i: i32):
  %more = llvm.icmp "slt" %i, %n : i32
  llvm.cond_br %more, ^bb2, ^bb3
^bb2:
  %wide = llvm.sext %i : i32 to i64
  %column = llvm.mul %wide, %tile : i64
  %0 = llvm.mul %row, %stride : i64
  %1 = llvm.add %0, %column : i64
  %2 = llvm.getelementptr %p[%1] : (!llvm.ptr<1>, i64) -> !llvm.ptr<1>, f16
  llvm.store %x, %2 : f16, !llvm.ptr<1>
  %3 = llvm.add %row, %eight : i64
  %4 = llvm.mul %stride, %3 : i64
  %5 = llvm.add %4, %column : i64
  %6 = llvm.getelementptr %p[%5] : (!llvm.ptr<1>, i64) -> !llvm.ptr<1>, f16
  llvm.store %x, %6 : f16, !llvm.ptr<1>
  %7 = llvm.add %row, %sixteen : i64
  %8 = llvm.mul %7, %stride : i64
  %9 = llvm.add %8, %column : i64
  %10 = llvm.getelementptr %p[%9] : (!llvm.ptr<1>, i64) -> !llvm.ptr<1>, f16
  llvm.store %x, %10 : f16, !llvm.ptr<1>
  %next = llvm.add %i, %one : i32
  llvm.br ^bb1(%next : i32)
^bb3:
  llvm.return
}

// Two rows have a single distance, which takes as many registers as the second address: the loop carries both.
// CHECK-LABEL: @pair
// CHECK:       ^bb1(%{{[^:]*}}: i32, %{{[^:]*}}: !llvm.ptr<1>, %{{[^:]*}}: !llvm.ptr<1>):
llvm.func @pair(%p: !llvm.ptr<1>, %n: i32, %stride: i64, %row: i64) {
  %zero = llvm.mlir.constant(0 : i32) : i32
  %one = llvm.mlir.constant(1 : i32) : i32
  %eight = llvm.mlir.constant(8 : i64) : i64
  %tile = llvm.mlir.constant(64 : i64) : i64
  %x = llvm.mlir.constant(0.0 : f16) : f16
  llvm.br ^bb1(%zero : i32)
^bb1(%i: i32):
  %more = llvm.icmp "slt" %i, %n : i32
  llvm.cond_br %more, ^bb2, ^bb3
^bb2:
  %wide = llvm.sext %i : i32 to i64
  %column = llvm.mul %wide, %tile : i64
  %0 = llvm.mul %row, %stride : i64
  %1 = llvm.add %0, %column : i64
  %2 = llvm.getelementptr %p[%1] : (!llvm.ptr<1>, i64) -> !llvm.ptr<1>, f16
  llvm.store %x, %2 : f16, !llvm.ptr<1>
  %3 = llvm.add %row, %eight : i64
  %4 = llvm.mul %3, %stride : i64
  %5 = llvm.add %4, %column : i64
  %6 = llvm.getelementptr %p[%5] : (!llvm.ptr<1>, i64) -> !llvm.ptr<1>, f16
  llvm.store %x, %6 : f16, !llvm.ptr<1>
  %next = llvm.add %i, %one : i32
  llvm.br ^bb1(%next : i32)
^bb3:
  llvm.return
}

// Steps and tiles that 32 bits do not hold stay in 64: the loop carries the first of three numbers, whose step and whose
// tile are 2^31 - 1; the second one has a tile of 2^31, and the third one a step of 2^31.
// CHECK-LABEL: @far
// CHECK:       ^bb1(%[[I:[^:]*]]: i32, %[[R:[^:]*]]: i32
// CHECK-NOT:   llvm.trunc
// CHECK:       %[[L:.*]] = llvm.intr.smin(%[[R]], %{{.*}}) : (i32, i32) -> i32
// CHECK-NEXT:  llvm.store %[[L]], %arg0
// CHECK:       llvm.intr.smin(%{{.*}}, %{{.*}}) : (i64, i64) -> i64
// CHECK-NEXT:  llvm.trunc
// CHECK:       llvm.intr.smin(%{{.*}}, %{{.*}}) : (i64, i64) -> i64
// CHECK-NEXT:  llvm.trunc
llvm.func @far(%p: !llvm.ptr<1>, %n: i32, %k: i32) {
  %zero = llvm.mlir.constant(0 : i32) : i32
  %one = llvm.mlir.constant(1 : i32) : i32
  %nothing = llvm.mlir.constant(0 : i64) : i64
  %small = llvm.mlir.constant(2147483647 : i64) : i64
  %large = llvm.mlir.constant(2147483648 : i64) : i64
  llvm.br ^bb1(%zero : i32)
^bb1(%i: i32):
  %more = llvm.icmp "slt" %i, %n : i32
  llvm.cond_br %more, ^bb2, ^bb3
^bb2:
  %0 = llvm.sext %k : i32 to i64
  %1 = llvm.sext %i : i32 to i64
  %2 = llvm.mul %1, %small : i64
  %3 = llvm.sub %0, %2 : i64
  %4 = llvm.intr.smax(%3, %nothing) : (i64, i64) -> i64
  %5 = llvm.intr.smin(%4, %small) : (i64, i64) -> i64
  %6 = llvm.trunc %5 : i64 to i32
  llvm.store %6, %p : i32, !llvm.ptr<1>
  %7 = llvm.intr.smin(%4, %large) : (i64, i64) -> i64
  %8 = llvm.trunc %7 : i64 to i32
  llvm.store %8, %p : i32, !llvm.ptr<1>
  %9 = llvm.mul %1, %large : i64
  %10 = llvm.sub %0, %9 : i64
  %11 = llvm.intr.smax(%10, %nothing) : (i64, i64) -> i64
  %12 = llvm.intr.smin(%11, %small) : (i64, i64) -> i64
  %13 = llvm.trunc %12 : i64 to i32
  llvm.store %13, %p : i32, !llvm.ptr<1>
  %next = llvm.add %i, %one : i32
  llvm.br ^bb1(%next : i32)
^bb3:
  llvm.return
}

// The second number is the first one plus a constant: an addition costs as much as a step, so the loop carries the first.
// CHECK-LABEL: @near
// CHECK:       ^bb1(%{{[^:]*}}: i32, %[[A:[^:]*]]: i64):
// CHECK:       llvm.store %[[A]], %arg0
// CHECK-NEXT:  %[[B:.*]] = llvm.add %[[A]], %{{.*}} : i64
// CHECK-NEXT:  llvm.store %[[B]], %arg0
llvm.func @near(%p: !llvm.ptr<1>, %n: i32, %k: i64) {
  %zero = llvm.mlir.constant(0 : i32) : i32
  %one = llvm.mlir.constant(1 : i32) : i32
  llvm.br ^bb1(%zero : i32)
^bb1(%i: i32):
  %more = llvm.icmp "slt" %i, %n : i32
  llvm.cond_br %more, ^bb2, ^bb3
^bb2:
  %0 = llvm.sext %i : i32 to i64
  %1 = llvm.mul %0, %k : i64
  llvm.store %1, %p : i64, !llvm.ptr<1>
  %2 = llvm.add %1, %k : i64
  llvm.store %2, %p : i64, !llvm.ptr<1>
  %next = llvm.add %i, %one : i32
  llvm.br ^bb1(%next : i32)
^bb3:
  llvm.return
}

// Sums and differences of two values that grow have the sum and the difference of their steps, and so has an address from
// that address; the loop's constants stand in front of it. Here the step is 64 - 1 + 64 elements of two bytes.
// CHECK-LABEL: @both
// CHECK:       %[[STEP:.*]] = llvm.mlir.constant(254 : i64) : i64
// CHECK:       %[[A:.*]] = llvm.getelementptr %arg0[%{{.*}}] : (!llvm.ptr<1>, i64) -> !llvm.ptr<1>, f16
// CHECK-NEXT:  %[[B:.*]] = llvm.getelementptr %[[A]][%arg2] : (!llvm.ptr<1>, i64) -> !llvm.ptr<1>, f16
// CHECK-NEXT:  llvm.br ^bb1(%{{.*}}, %[[B]] : i32, !llvm.ptr<1>)
// CHECK:       ^bb1(%[[I:.*]]: i32, %[[P:.*]]: !llvm.ptr<1>):
// CHECK:       ^bb2:
// CHECK-NEXT:  llvm.store %{{.*}}, %[[P]] : f16, !llvm.ptr<1>
// CHECK-NEXT:  %[[N:.*]] = llvm.add %[[I]], %{{.*}} : i32
// CHECK-NEXT:  %[[Q:.*]] = llvm.getelementptr %[[P]][%[[STEP]]] : (!llvm.ptr<1>, i64) -> !llvm.ptr<1>, i8
// CHECK-NEXT:  llvm.br ^bb1(%[[N]], %[[Q]] : i32, !llvm.ptr<1>)
llvm.func @both(%p: !llvm.ptr<1>, %n: i32, %row: i64) {
  %zero = llvm.mlir.constant(0 : i32) : i32
  %tile = llvm.mlir.constant(64 : i64) : i64
  %x = llvm.mlir.constant(0.0 : f16) : f16
  llvm.br ^bb1(%zero : i32)
^bb1(%i: i32):
  %more = llvm.icmp "slt" %i, %n : i32
  llvm.cond_br %more, ^bb2, ^bb3
^bb2:
  %one = llvm.mlir.constant(1 : i32) : i32
  %1 = llvm.sext %i : i32 to i64
  %2 = llvm.mul %1, %tile : i64
  %3 = llvm.sub %2, %1 : i64
  %4 = llvm.add %3, %2 : i64
  %44 = llvm.getelementptr %p[%4] : (!llvm.ptr<1>, i64) -> !llvm.ptr<1>, f16
  %5 = llvm.getelementptr %44[%row] : (!llvm.ptr<1>, i64) -> !llvm.ptr<1>, f16
  llvm.store %x, %5 : f16, !llvm.ptr<1>
  %next = llvm.add %i, %one : i32
  llvm.br ^bb1(%next : i32)
^bb3:
  llvm.return
}

// A step has one constant factor: the product of an extended i32 and a constant is one instruction.
// CHECK-LABEL: @factor
// CHECK:       %[[K:.*]] = llvm.zext %arg2 : i32 to i64
// CHECK:       %[[WHOLE:.*]] = llvm.mlir.constant(128 : i64) : i64
// CHECK-NEXT:  %[[STEP:.*]] = llvm.mul %[[K]], %[[WHOLE]] : i64
// CHECK:       ^bb2:
// CHECK:       llvm.getelementptr %{{.*}}[%[[STEP]]] : (!llvm.ptr<1>, i64) -> !llvm.ptr<1>, i8
llvm.func @factor(%p: !llvm.ptr<1>, %n: i32, %stride: i32) {
  %zero = llvm.mlir.constant(0 : i32) : i32
  %one = llvm.mlir.constant(1 : i32) : i32
  %tile = llvm.mlir.constant(64 : i64) : i64
  %x = llvm.mlir.constant(0.0 : f16) : f16
  %k = llvm.zext %stride : i32 to i64
  llvm.br ^bb1(%zero : i32)
^bb1(%i: i32):
  %more = llvm.icmp "slt" %i, %n : i32
  llvm.cond_br %more, ^bb2, ^bb3
^bb2:
  %0 = llvm.sext %i : i32 to i64
  %1 = llvm.mul %0, %tile : i64
  %2 = llvm.mul %1, %k : i64
  %3 = llvm.getelementptr %p[%2] : (!llvm.ptr<1>, i64) -> !llvm.ptr<1>, f16
  llvm.store %x, %3 : f16, !llvm.ptr<1>
  %next = llvm.add %i, %one : i32
  llvm.br ^bb1(%next : i32)
^bb3:
  llvm.return
}

// Conditions that do not change become one before the loop; each iteration computes one conjunction.
// CHECK-LABEL: @conditions
// CHECK:       %[[FIXED:.*]] = llvm.and %arg2, %arg3 : i1
// CHECK:       ^bb2:
// CHECK:       %[[LAST:.*]] = llvm.icmp "eq"
// CHECK-NEXT:  %[[ALL:.*]] = llvm.and %[[LAST]], %[[FIXED]] : i1
// CHECK-NEXT:  llvm.store %[[ALL]], %arg0
llvm.func @conditions(%p: !llvm.ptr<1>, %n: i32, %a: i1, %b: i1) {
  %zero = llvm.mlir.constant(0 : i32) : i32
  %one = llvm.mlir.constant(1 : i32) : i32
  llvm.br ^bb1(%zero : i32)
^bb1(%i: i32):
  %more = llvm.icmp "slt" %i, %n : i32
  llvm.cond_br %more, ^bb2, ^bb3
^bb2:
  %last = llvm.icmp "eq" %i, %one : i32
  %0 = llvm.and %a, %last : i1
  %1 = llvm.and %0, %b : i1
  llvm.store %1, %p : i1, !llvm.ptr<1>
  %next = llvm.add %i, %one : i32
  llvm.br ^bb1(%next : i32)
^bb3:
  llvm.return
}
