// Addresses of a block at the same distance are computed from one another.
// RUN: tilewright-opt %s --pass-pipeline='builtin.module(nvvm-chain-addresses,cse)' | FileCheck %s

// Rows that are four apart: the second and the third follow the first at the distance 4 * stride * 2 bytes.
// CHECK-LABEL: @rows
// CHECK:       %[[A:.*]] = llvm.getelementptr %arg0[%{{.*}}] : (!llvm.ptr<1>, i64) -> !llvm.ptr<1>, f16
// CHECK:       llvm.store %{{.*}}, %[[A]]
// CHECK:       %[[D:.*]] = llvm.mul %arg2, %{{.*}} : i64
// CHECK-NEXT:  %[[B:.*]] = llvm.getelementptr %[[A]][%[[D]]] : (!llvm.ptr<1>, i64) -> !llvm.ptr<1>, i8
// CHECK-NEXT:  llvm.store %{{.*}}, %[[B]]
// CHECK-NEXT:  %[[C:.*]] = llvm.getelementptr %[[B]][%[[D]]] : (!llvm.ptr<1>, i64) -> !llvm.ptr<1>, i8
// CHECK-NEXT:  llvm.store %{{.*}}, %[[C]]
// CHECK-NEXT:  llvm.return
llvm.func @rows(%p: !llvm.ptr<1>, %row: i64, %stride: i64) {
  %four = llvm.mlir.constant(4 : i64) : i64
  %eight = llvm.mlir.constant(8 : i64) : i64
  %x = llvm.mlir.constant(0.0 : f16) : f16
  %0 = llvm.mul %row, %stride : i64
  %1 = llvm.getelementptr %p[%0] : (!llvm.ptr<1>, i64) -> !llvm.ptr<1>, f16
  llvm.store %x, %1 : f16, !llvm.ptr<1>
  %2 = llvm.add %row, %four : i64
  %3 = llvm.mul %2, %stride : i64
  %4 = llvm.getelementptr %p[%3] : (!llvm.ptr<1>, i64) -> !llvm.ptr<1>, f16
  llvm.store %x, %4 : f16, !llvm.ptr<1>
  %5 = llvm.add %row, %eight : i64
  %6 = llvm.mul %5, %stride : i64
  %7 = llvm.getelementptr %p[%6] : (!llvm.ptr<1>, i64) -> !llvm.ptr<1>, f16
  llvm.store %x, %7 : f16, !llvm.ptr<1>
  llvm.return
}

// A distance that occurs once saves nothing, and one that is a number is a part of the access.
// CHECK-LABEL: @alone
// CHECK-NOT:   i8
// CHECK:       llvm.return
llvm.func @alone(%p: !llvm.ptr<1>, %row: i64, %stride: i64) {
  %four = llvm.mlir.constant(4 : i64) : i64
  %eight = llvm.mlir.constant(8 : i64) : i64
  %x = llvm.mlir.constant(0.0 : f16) : f16
  %0 = llvm.mul %row, %stride : i64
  %1 = llvm.getelementptr %p[%0] : (!llvm.ptr<1>, i64) -> !llvm.ptr<1>, f16
  llvm.store %x, %1 : f16, !llvm.ptr<1>
  %2 = llvm.add %0, %stride : i64
  %3 = llvm.getelementptr %p[%2] : (!llvm.ptr<1>, i64) -> !llvm.ptr<1>, f16
  llvm.store %x, %3 : f16, !llvm.ptr<1>
  %4 = llvm.add %2, %four : i64
  %5 = llvm.getelementptr %p[%4] : (!llvm.ptr<1>, i64) -> !llvm.ptr<1>, f16
  llvm.store %x, %5 : f16, !llvm.ptr<1>
  %6 = llvm.add %2, %eight : i64
  %7 = llvm.getelementptr %p[%6] : (!llvm.ptr<1>, i64) -> !llvm.ptr<1>, f16
  llvm.store %x, %7 : f16, !llvm.ptr<1>
  llvm.return
}
