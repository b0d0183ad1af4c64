// Buffers that are never used at the same time share memory if they have to, and only the needed barriers stay.
// RUN: tilewright-opt %s --pass-pipeline='builtin.module(nvvm-allocate-shared-memory,nvvm-check-shared-memory)' --split-input-file | FileCheck %s

// Side by side, each exchange needs one barrier, between its writes and reads.
// CHECK: llvm.mlir.global internal @small_shared() {addr_space = 3 : i32, alignment = 16 : i64} : !llvm.array<1024 x i8>
// CHECK-NOT: nvvm.barrier0
// CHECK: llvm.getelementptr %{{.*}}[0] {tilewright.buffer_bytes = 512 : i32}
// CHECK: llvm.store
// CHECK-NEXT: nvvm.barrier0{{$}}
// CHECK: llvm.load
// CHECK-NOT: nvvm.barrier0
// CHECK: llvm.getelementptr %{{.*}}[512] {tilewright.buffer_bytes = 512 : i32}
// CHECK: llvm.store
// CHECK-NEXT: nvvm.barrier0{{$}}
// CHECK: llvm.load
module attributes {nv_tileaa.compute_capability = #nv_tileaa.compute_capability<80>, nv_tileaa.target_spec = #nv_tileaa.target_spec<"sm_80">} {
llvm.func @small(%x: i32, %t: i32, %u: i32) -> i32 attributes {nvvm.kernel} {
  %size = llvm.mlir.constant(512 : i32) : i32
  %a = llvm.alloca %size x i8 {alignment = 16 : i64} : (i32) -> !llvm.ptr<3>
  nvvm.barrier0 {tilewright.exchange}
  %0 = llvm.getelementptr %a[%t] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, i32
  llvm.store %x, %0 : i32, !llvm.ptr<3>
  nvvm.barrier0 {tilewright.exchange}
  %1 = llvm.getelementptr %a[%u] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, i32
  %2 = llvm.load %1 : !llvm.ptr<3> -> i32
  %b = llvm.alloca %size x i8 {alignment = 16 : i64} : (i32) -> !llvm.ptr<3>
  nvvm.barrier0 {tilewright.exchange}
  %3 = llvm.getelementptr %b[%t] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, i32
  llvm.store %2, %3 : i32, !llvm.ptr<3>
  nvvm.barrier0 {tilewright.exchange}
  %4 = llvm.getelementptr %b[%u] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, i32
  %5 = llvm.load %4 : !llvm.ptr<3> -> i32
  llvm.return %5 : i32
}
}

// -----

// Two buffers of 32 KiB exceed the 48 KiB that every GPU has: the second takes the place of the first, behind a barrier.
// CHECK: llvm.mlir.global internal @large_shared() {{.*}} : !llvm.array<32768 x i8>
// CHECK: llvm.getelementptr %{{.*}}[0] {tilewright.buffer_bytes = 32768 : i32}
// CHECK: llvm.store
// CHECK-NEXT: nvvm.barrier0
// CHECK: llvm.load
// CHECK: llvm.getelementptr %{{.*}}[0] {tilewright.buffer_bytes = 32768 : i32}
// CHECK-NEXT: nvvm.barrier0
// CHECK: llvm.store
// CHECK-NEXT: nvvm.barrier0
// CHECK: llvm.load
module attributes {nv_tileaa.compute_capability = #nv_tileaa.compute_capability<80>, nv_tileaa.target_spec = #nv_tileaa.target_spec<"sm_80">} {
llvm.func @large(%x: i32, %t: i32, %u: i32) -> i32 attributes {nvvm.kernel} {
  %size = llvm.mlir.constant(32768 : i32) : i32
  %a = llvm.alloca %size x i8 {alignment = 16 : i64} : (i32) -> !llvm.ptr<3>
  nvvm.barrier0 {tilewright.exchange}
  %0 = llvm.getelementptr %a[%t] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, i32
  llvm.store %x, %0 : i32, !llvm.ptr<3>
  nvvm.barrier0 {tilewright.exchange}
  %1 = llvm.getelementptr %a[%u] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, i32
  %2 = llvm.load %1 : !llvm.ptr<3> -> i32
  %b = llvm.alloca %size x i8 {alignment = 16 : i64} : (i32) -> !llvm.ptr<3>
  nvvm.barrier0 {tilewright.exchange}
  %3 = llvm.getelementptr %b[%t] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, i32
  llvm.store %2, %3 : i32, !llvm.ptr<3>
  nvvm.barrier0 {tilewright.exchange}
  %4 = llvm.getelementptr %b[%u] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, i32
  %5 = llvm.load %4 : !llvm.ptr<3> -> i32
  llvm.return %5 : i32
}
}

// -----

// The launch has to request more than 48 KiB.
// CHECK: llvm.mlir.global external @dynamic_shared() {{.*}} : !llvm.array<0 x i8>
// CHECK: tilewright.dynamic_shared_memory = 65536 : i32
module attributes {nv_tileaa.compute_capability = #nv_tileaa.compute_capability<80>, nv_tileaa.target_spec = #nv_tileaa.target_spec<"sm_80">} {
llvm.func @dynamic(%x: i32, %t: i32, %u: i32) -> i32 attributes {nvvm.kernel} {
  %size = llvm.mlir.constant(65536 : i32) : i32
  %a = llvm.alloca %size x i8 {alignment = 16 : i64} : (i32) -> !llvm.ptr<3>
  nvvm.barrier0 {tilewright.exchange}
  %0 = llvm.getelementptr %a[%t] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, i32
  llvm.store %x, %0 : i32, !llvm.ptr<3>
  nvvm.barrier0 {tilewright.exchange}
  %1 = llvm.getelementptr %a[%u] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, i32
  %2 = llvm.load %1 : !llvm.ptr<3> -> i32
  %b = llvm.alloca %size x i8 {alignment = 16 : i64} : (i32) -> !llvm.ptr<3>
  nvvm.barrier0 {tilewright.exchange}
  %3 = llvm.getelementptr %b[%t] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, i32
  llvm.store %2, %3 : i32, !llvm.ptr<3>
  nvvm.barrier0 {tilewright.exchange}
  %4 = llvm.getelementptr %b[%u] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, i32
  %5 = llvm.load %4 : !llvm.ptr<3> -> i32
  llvm.return %5 : i32
}
}
