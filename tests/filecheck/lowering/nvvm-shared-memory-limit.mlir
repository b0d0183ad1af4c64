// A kernel that needs more shared memory than its chip has for a block is refused.
// RUN: tilewright-opt %s --pass-pipeline='builtin.module(nvvm-allocate-shared-memory)' --verify-diagnostics

module attributes {nv_tileaa.compute_capability = #nv_tileaa.compute_capability<80>, nv_tileaa.target_spec = #nv_tileaa.target_spec<"sm_80">} {
// expected-error@+1 {{kernel 'excessive' needs 262144 bytes of shared memory; a block on sm_80 has 166912}}
llvm.func @excessive(%x: i32, %t: i32, %u: i32) -> i32 attributes {nvvm.kernel} {
  %size = llvm.mlir.constant(262144 : i32) : i32
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
