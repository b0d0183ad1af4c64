// Conflicting accesses of two threads to shared memory have a barrier between them, or are reported.
// RUN: tilewright-opt %s --pass-pipeline='builtin.module(nvvm-check-shared-memory)' --verify-diagnostics

module attributes {nv_tileaa.compute_capability = #nv_tileaa.compute_capability<80>, nv_tileaa.target_spec = #nv_tileaa.target_spec<"sm_80">} {
llvm.mlir.global internal @shared() {addr_space = 3 : i32, alignment = 16 : i64} : !llvm.array<512 x i8>
// A barrier is between a write and the read of another thread.
llvm.func @ordered(%x: i32) -> i32 attributes {nvvm.kernel, nvvm.reqntid = array<i32: 128, 1, 1>} {
  %one = llvm.mlir.constant(1 : i32) : i32
  %t = nvvm.read.ptx.sreg.tid.x : i32
  %u = llvm.xor %t, %one : i32
  %a = llvm.mlir.addressof @shared : !llvm.ptr<3>
  %0 = llvm.getelementptr %a[%t] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, i32
  llvm.store %x, %0 : i32, !llvm.ptr<3>
  nvvm.barrier0
  %1 = llvm.getelementptr %a[%u] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, i32
  %2 = llvm.load %1 : !llvm.ptr<3> -> i32
  llvm.return %2 : i32
}
// Each thread reads only its own word.
llvm.func @own_words(%x: i32) -> i32 attributes {nvvm.kernel, nvvm.reqntid = array<i32: 128, 1, 1>} {
  %t = nvvm.read.ptx.sreg.tid.x : i32
  %a = llvm.mlir.addressof @shared : !llvm.ptr<3>
  %0 = llvm.getelementptr %a[%t] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, i32
  llvm.store %x, %0 : i32, !llvm.ptr<3>
  %2 = llvm.load %0 : !llvm.ptr<3> -> i32
  llvm.return %2 : i32
}
// Each thread reads the word of its neighbour at once.
llvm.func @neighbours(%x: i32) -> i32 attributes {nvvm.kernel, nvvm.reqntid = array<i32: 128, 1, 1>} {
  %one = llvm.mlir.constant(1 : i32) : i32
  %t = nvvm.read.ptx.sreg.tid.x : i32
  %u = llvm.xor %t, %one : i32
  %a = llvm.mlir.addressof @shared : !llvm.ptr<3>
  %0 = llvm.getelementptr %a[%t] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, i32
  // expected-note@+1 {{the other access: 'llvm.store'}}
  llvm.store %x, %0 : i32, !llvm.ptr<3>
  %1 = llvm.getelementptr %a[%u] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, i32
  // expected-error@+1 {{a thread reads shared memory that another thread writes, and no barrier separates them}}
  %2 = llvm.load %1 : !llvm.ptr<3> -> i32
  llvm.return %2 : i32
}
// All threads write the same word.
llvm.func @one_word(%x: i32) attributes {nvvm.kernel, nvvm.reqntid = array<i32: 128, 1, 1>} {
  %a = llvm.mlir.addressof @shared : !llvm.ptr<3>
  // expected-error@+2 {{a thread writes shared memory that another thread writes, and no barrier separates them}}
  // expected-note@+1 {{the other access: 'llvm.store'}}
  llvm.store %x, %a : i32, !llvm.ptr<3>
  llvm.return
}
}
