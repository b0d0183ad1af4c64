// Asynchronous copies are spread over the products of their block.
// RUN: tilewright-opt %s --pass-pipeline='builtin.module(nvvm-spread-copies{together=1})' | FileCheck %s --check-prefixes=CHECK,ALONE
// RUN: tilewright-opt %s --pass-pipeline='builtin.module(nvvm-spread-copies)' | FileCheck %s --check-prefixes=CHECK,TOGETHER
// RUN: tilewright-opt %s --pass-pipeline='builtin.module(nvvm-spread-copies{together=1 share=40})' | FileCheck %s --check-prefixes=CHECK,TOGETHER

// CHECK-LABEL: @copies

// One of four products comes first. Two copies have two places in 90 % of the others, before the second and the third.
// ALONE-NOT: nvvm.cp.async
// ALONE: nvvm.mma.sync
// ALONE-NEXT: nvvm.cp.async.shared.global %arg0
// ALONE-NEXT: nvvm.mma.sync
// ALONE-NEXT: nvvm.cp.async.shared.global %0
// ALONE-NEXT: nvvm.cp.async.commit.group
// ALONE-COUNT-2: nvvm.mma.sync

// Up to four copies stay together, and so do copies that have one place.
// TOGETHER: nvvm.mma.sync
// TOGETHER-NEXT: nvvm.cp.async.shared.global %arg0
// TOGETHER-NEXT: nvvm.cp.async.shared.global %0
// TOGETHER-NEXT: nvvm.cp.async.commit.group
// TOGETHER-COUNT-3: nvvm.mma.sync

// CHECK-LABEL: @fenced
// CHECK: nvvm.cp.async.shared.global
// CHECK-NEXT: nvvm.cp.async.commit.group
// CHECK-NEXT: nvvm.barrier0
// CHECK-NEXT: nvvm.mma.sync
llvm.func @copies(%to: !llvm.ptr<3>, %from: !llvm.ptr<1>, %x: vector<2xf16>, %f: f32) attributes {nvvm.kernel} {
  nvvm.cp.async.shared.global %to, %from, 16, cache =  cg : !llvm.ptr<3>, !llvm.ptr<1>
  %to1 = llvm.getelementptr %to[16] : (!llvm.ptr<3>) -> !llvm.ptr<3>, i8
  nvvm.cp.async.shared.global %to1, %from, 16, cache =  cg : !llvm.ptr<3>, !llvm.ptr<1>
  nvvm.cp.async.commit.group
  %p = nvvm.mma.sync A[%x, %x, %x, %x]  B[%x, %x]  C[%f, %f, %f, %f]  {layoutA = #nvvm.mma_layout<row>, layoutB = #nvvm.mma_layout<col>, shape = #nvvm.shape<m = 16, n = 8, k = 16>} : (vector<2xf16>, vector<2xf16>, f32) -> !llvm.struct<(f32, f32, f32, f32)>
  %q = nvvm.mma.sync A[%x, %x, %x, %x]  B[%x, %x]  C[%f, %f, %f, %f]  {layoutA = #nvvm.mma_layout<row>, layoutB = #nvvm.mma_layout<col>, shape = #nvvm.shape<m = 16, n = 8, k = 16>} : (vector<2xf16>, vector<2xf16>, f32) -> !llvm.struct<(f32, f32, f32, f32)>
  %r = nvvm.mma.sync A[%x, %x, %x, %x]  B[%x, %x]  C[%f, %f, %f, %f]  {layoutA = #nvvm.mma_layout<row>, layoutB = #nvvm.mma_layout<col>, shape = #nvvm.shape<m = 16, n = 8, k = 16>} : (vector<2xf16>, vector<2xf16>, f32) -> !llvm.struct<(f32, f32, f32, f32)>
  %s = nvvm.mma.sync A[%x, %x, %x, %x]  B[%x, %x]  C[%f, %f, %f, %f]  {layoutA = #nvvm.mma_layout<row>, layoutB = #nvvm.mma_layout<col>, shape = #nvvm.shape<m = 16, n = 8, k = 16>} : (vector<2xf16>, vector<2xf16>, f32) -> !llvm.struct<(f32, f32, f32, f32)>
  llvm.return
}

// A copy does not pass a wait, a barrier, or a write: there is no product to spread it to.
llvm.func @fenced(%to: !llvm.ptr<3>, %from: !llvm.ptr<1>, %x: vector<2xf16>, %f: f32) attributes {nvvm.kernel} {
  nvvm.cp.async.shared.global %to, %from, 16, cache =  cg : !llvm.ptr<3>, !llvm.ptr<1>
  nvvm.cp.async.commit.group
  nvvm.barrier0
  %p = nvvm.mma.sync A[%x, %x, %x, %x]  B[%x, %x]  C[%f, %f, %f, %f]  {layoutA = #nvvm.mma_layout<row>, layoutB = #nvvm.mma_layout<col>, shape = #nvvm.shape<m = 16, n = 8, k = 16>} : (vector<2xf16>, vector<2xf16>, f32) -> !llvm.struct<(f32, f32, f32, f32)>
  llvm.return
}
