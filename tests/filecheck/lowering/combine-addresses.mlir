// Known distances leave positions, and become steps that accesses of neighbours share an address in front of.
// RUN: tilewright-opt %s --pass-pipeline='builtin.module(combine-addresses,cse)' | FileCheck %s

// The elements of a thread: both stand behind the address of the first.
// CHECK-LABEL: @neighbours
// CHECK:       %[[P:.*]] = llvm.getelementptr %arg0[%{{.*}}] : (!llvm.ptr<1>, i64) -> !llvm.ptr<1>, f32
// CHECK:       %[[Q:.*]] = llvm.getelementptr %[[P]][1] : (!llvm.ptr<1>) -> !llvm.ptr<1>, f32
// CHECK-NEXT:  llvm.load %[[P]]
// CHECK-NEXT:  llvm.load %[[Q]]
llvm.func @neighbours(%p: !llvm.ptr<1>, %t: i32, %b: i64) -> f32 {
  %m = llvm.mlir.constant(255 : i32) : i32
  %one = llvm.mlir.constant(1 : i32) : i32
  %0 = llvm.and %t, %m : i32
  %1 = llvm.sext %0 : i32 to i64
  %2 = llvm.add %b, %1 : i64
  %3 = llvm.getelementptr %p[%2] : (!llvm.ptr<1>, i64) -> !llvm.ptr<1>, f32
  %4 = llvm.add %0, %one : i32
  %5 = llvm.sext %4 : i32 to i64
  %6 = llvm.add %b, %5 : i64
  %7 = llvm.getelementptr %p[%6] : (!llvm.ptr<1>, i64) -> !llvm.ptr<1>, f32
  %8 = llvm.load %3 : !llvm.ptr<1> -> f32
  %9 = llvm.load %7 : !llvm.ptr<1> -> f32
  %10 = llvm.fadd %8, %9 : f32
  llvm.return %10 : f32
}

// Rows: (i + 1) * 48 is i * 48 + 48.
// CHECK-LABEL: @rows
// CHECK:       %[[M:.*]] = llvm.mul %arg1, %{{.*}} : i64
// CHECK:       %[[P:.*]] = llvm.getelementptr %arg0[%[[M]]]
// CHECK:       llvm.getelementptr %[[P]][48]
llvm.func @rows(%p: !llvm.ptr<1>, %i: i64) -> f32 {
  %one = llvm.mlir.constant(1 : i64) : i64
  %s = llvm.mlir.constant(48 : i64) : i64
  %0 = llvm.add %i, %one : i64
  %1 = llvm.mul %0, %s : i64
  %2 = llvm.getelementptr %p[%1] : (!llvm.ptr<1>, i64) -> !llvm.ptr<1>, f32
  %3 = llvm.load %2 : !llvm.ptr<1> -> f32
  llvm.return %3 : f32
}

// Both parts of a position are sums: their distances are one.
// CHECK-LABEL: @both
// CHECK:       %[[S:.*]] = llvm.add %arg1, %arg2 : i64
// CHECK:       %[[P:.*]] = llvm.getelementptr %arg0[%[[S]]]
// CHECK-NEXT:  llvm.getelementptr %[[P]][1027]
llvm.func @both(%p: !llvm.ptr<1>, %i: i64, %j: i64) -> f32 {
  %c = llvm.mlir.constant(1024 : i64) : i64
  %d = llvm.mlir.constant(3 : i64) : i64
  %0 = llvm.add %i, %c : i64
  %1 = llvm.add %j, %d : i64
  %2 = llvm.add %0, %1 : i64
  %3 = llvm.getelementptr %p[%2] : (!llvm.ptr<1>, i64) -> !llvm.ptr<1>, f32
  %4 = llvm.load %3 : !llvm.ptr<1> -> f32
  llvm.return %4 : f32
}

// Nothing is known of the sum in 32 bits: it may leave the type, so the extension stays where it is.
// CHECK-LABEL: @wrapping
// CHECK:       %[[S:.*]] = llvm.add %arg1, %{{.*}} : i32
// CHECK:       llvm.getelementptr %arg0[%[[S]]] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, f32
llvm.func @wrapping(%p: !llvm.ptr<1>, %t: i32) -> f32 {
  %one = llvm.mlir.constant(1 : i32) : i32
  %0 = llvm.add %t, %one : i32
  %1 = llvm.sext %0 : i32 to i64
  %2 = llvm.getelementptr %p[%1] : (!llvm.ptr<1>, i64) -> !llvm.ptr<1>, f32
  %3 = llvm.load %2 : !llvm.ptr<1> -> f32
  llvm.return %3 : f32
}

// Constants of vectors stay as they are.
// CHECK-LABEL: @vectors
// CHECK:       llvm.add %arg0, %{{.*}} : vector<2xi64>
// CHECK-NEXT:  llvm.mul
llvm.func @vectors(%x: vector<2xi64>) -> vector<2xi64> {
  %c = llvm.mlir.constant(dense<[1, 2]> : vector<2xi64>) : vector<2xi64>
  %d = llvm.mlir.constant(dense<[3, 4]> : vector<2xi64>) : vector<2xi64>
  %0 = llvm.add %x, %c : vector<2xi64>
  %1 = llvm.mul %0, %d : vector<2xi64>
  llvm.return %1 : vector<2xi64>
}
