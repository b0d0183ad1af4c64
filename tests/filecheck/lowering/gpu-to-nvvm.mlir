// Fragments become registers, one vector several values; numbers are read from special registers; all bridges go.
// RUN: tilewright-opt %s --pass-pipeline='builtin.module(convert-cute-to-nvgpu,convert-gpu-to-nvvm,reconcile-unrealized-casts,canonicalize)' | FileCheck %s

module attributes {nv_tileaa.compute_capability = #nv_tileaa.compute_capability<80>, nv_tileaa.target_spec = #nv_tileaa.target_spec<"sm_80">} {
// CHECK-LABEL: @product
// CHECK-SAME:  (%[[H:.*]]: vector<2xf16>, %[[F:.*]]: f32)
// CHECK-NEXT:  %[[D:.*]] = nvvm.mma.sync A[%[[H]], %[[H]], %[[H]], %[[H]]]  B[%[[H]], %[[H]]]  C[%[[F]], %[[F]], %[[F]], %[[F]]]
// CHECK-SAME:  shape = #nvvm.shape<m = 16, n = 8, k = 16>} : (vector<2xf16>, vector<2xf16>, f32) -> !llvm.struct<(f32, f32, f32, f32)>
// CHECK-NEXT:  llvm.extractvalue %[[D]][2]
llvm.func @product(%h: vector<2xf16>, %f: f32) -> f32 {
  %0:4 = cute_nvgpu.arch.mma.SM80 !cute_nvgpu.sm80.mma<16x8x16, f16, f16, f32> A[%h, %h, %h, %h] B[%h, %h] C[%f, %f, %f, %f] : (vector<2xf16>, vector<2xf16>, vector<2xf16>, vector<2xf16>), (vector<2xf16>, vector<2xf16>), (f32, f32, f32, f32) -> f32, f32, f32, f32
  llvm.return %0#2 : f32
}

// CHECK-LABEL: @bytes
// CHECK-NEXT:  nvvm.mma.sync A[%arg0, %arg0, %arg0, %arg0]  B[%arg0, %arg0]  C[%arg0, %arg0, %arg0, %arg0]
// CHECK-SAME:  intOverflowBehavior = #nvvm.mma_int_overflow<wrapped>
// CHECK-SAME:  multiplicandAPtxType = #nvvm.mma_type<u8>, multiplicandBPtxType = #nvvm.mma_type<s8>
llvm.func @bytes(%w: i32) -> i32 {
  %0:4 = cute_nvgpu.arch.mma.SM80 !cute_nvgpu.sm80.mma<16x8x32, ui8, i8, i32> A[%w, %w, %w, %w] B[%w, %w] C[%w, %w, %w, %w] : (i32, i32, i32, i32), (i32, i32), (i32, i32, i32, i32) -> i32, i32, i32, i32
  llvm.return %0#0 : i32
}

// CHECK-LABEL: @numbers
// CHECK-NEXT:  %[[T:.*]] = nvvm.read.ptx.sreg.tid.x : i32
// CHECK-NEXT:  nvvm.barrier0
// CHECK-NEXT:  llvm.return %[[T]] : i32
llvm.func @numbers() -> i32 {
  %0 = gpu.thread_id x
  gpu.barrier
  %1 = builtin.unrealized_conversion_cast %0 : index to i64
  %2 = llvm.trunc %1 : i64 to i32
  llvm.return %2 : i32
}
}
