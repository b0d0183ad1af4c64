// Fragments are loaded at the product that uses them first, if the buffer may stay in use that long.
// RUN: tilewright-opt %s --pass-pipeline='builtin.module(nvvm-sink-fragments)' | FileCheck %s

// CHECK-LABEL: @small
// CHECK: nvvm.barrier0
// CHECK-NEXT: %[[FIRST:.*]] = llvm.load
// CHECK-NEXT: nvvm.mma.sync {{.*}} B[%[[FIRST]], %[[FIRST]]]
// CHECK-NEXT: %[[SECOND:.*]] = llvm.load
// CHECK-NEXT: nvvm.mma.sync {{.*}} B[%[[SECOND]], %[[SECOND]]]
llvm.func @small(%t: i32, %x: vector<2xf16>, %f: f32) -> !llvm.struct<(f32, f32, f32, f32)> attributes {nvvm.kernel} {
  %size = llvm.mlir.constant(512 : i32) : i32
  %a = llvm.alloca %size x i8 {alignment = 16 : i64} : (i32) -> !llvm.ptr<3>
  %0 = llvm.getelementptr %a[%t] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, i32
  %first = llvm.load %0 : !llvm.ptr<3> -> vector<2xf16>
  %1 = llvm.getelementptr %a[%t] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, i64
  %second = llvm.load %1 : !llvm.ptr<3> -> vector<2xf16>
  nvvm.barrier0 {tilewright.exchange}
  %p = nvvm.mma.sync A[%x, %x, %x, %x]  B[%first, %first]  C[%f, %f, %f, %f]  {layoutA = #nvvm.mma_layout<row>, layoutB = #nvvm.mma_layout<col>, shape = #nvvm.shape<m = 16, n = 8, k = 16>} : (vector<2xf16>, vector<2xf16>, f32) -> !llvm.struct<(f32, f32, f32, f32)>
  %q = nvvm.mma.sync A[%x, %x, %x, %x]  B[%second, %second]  C[%f, %f, %f, %f]  {layoutA = #nvvm.mma_layout<row>, layoutB = #nvvm.mma_layout<col>, shape = #nvvm.shape<m = 16, n = 8, k = 16>} : (vector<2xf16>, vector<2xf16>, f32) -> !llvm.struct<(f32, f32, f32, f32)>
  %r0 = llvm.extractvalue %p[0] : !llvm.struct<(f32, f32, f32, f32)>
  %r = llvm.insertvalue %r0, %q[0] : !llvm.struct<(f32, f32, f32, f32)>
  llvm.return %r : !llvm.struct<(f32, f32, f32, f32)>
}

// A buffer that exceeds 48 KiB is free for the next one at the barrier.
// CHECK-LABEL: @crowded
// CHECK: %[[FIRST:.*]] = llvm.load
// CHECK: %[[SECOND:.*]] = llvm.load
// CHECK-NEXT: nvvm.barrier0
// CHECK-NOT: llvm.load
llvm.func @crowded(%t: i32, %x: vector<2xf16>, %f: f32) -> !llvm.struct<(f32, f32, f32, f32)> attributes {nvvm.kernel} {
  %size = llvm.mlir.constant(65536 : i32) : i32
  %a = llvm.alloca %size x i8 {alignment = 16 : i64} : (i32) -> !llvm.ptr<3>
  %0 = llvm.getelementptr %a[%t] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, i32
  %first = llvm.load %0 : !llvm.ptr<3> -> vector<2xf16>
  %1 = llvm.getelementptr %a[%t] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, i64
  %second = llvm.load %1 : !llvm.ptr<3> -> vector<2xf16>
  nvvm.barrier0 {tilewright.exchange}
  %p = nvvm.mma.sync A[%x, %x, %x, %x]  B[%first, %first]  C[%f, %f, %f, %f]  {layoutA = #nvvm.mma_layout<row>, layoutB = #nvvm.mma_layout<col>, shape = #nvvm.shape<m = 16, n = 8, k = 16>} : (vector<2xf16>, vector<2xf16>, f32) -> !llvm.struct<(f32, f32, f32, f32)>
  %q = nvvm.mma.sync A[%x, %x, %x, %x]  B[%second, %second]  C[%f, %f, %f, %f]  {layoutA = #nvvm.mma_layout<row>, layoutB = #nvvm.mma_layout<col>, shape = #nvvm.shape<m = 16, n = 8, k = 16>} : (vector<2xf16>, vector<2xf16>, f32) -> !llvm.struct<(f32, f32, f32, f32)>
  %r0 = llvm.extractvalue %p[0] : !llvm.struct<(f32, f32, f32, f32)>
  %r = llvm.insertvalue %r0, %q[0] : !llvm.struct<(f32, f32, f32, f32)>
  llvm.return %r : !llvm.struct<(f32, f32, f32, f32)>
}
