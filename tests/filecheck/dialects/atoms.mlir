// Copies, matrix instructions and barriers of cute, cute_nvgpu and cutlass.
// RUN: tilewright-opt %s | tilewright-opt | FileCheck %s
// RUN: tilewright-opt %s --mlir-print-op-generic | tilewright-opt | FileCheck %s

// CHECK-LABEL: func.func @copies
// CHECK-NEXT:  %0:4 = cute.ptr.load %arg0 by !cute_nvgpu.atom.universal_copy<f32, 128 b> : !cute.ptr<f32, gmem, align<16>> -> f32, f32, f32, f32
// CHECK-NEXT:  cute.ptr.store %0#3, %0#1 to %arg0 by !cute_nvgpu.atom.universal_copy<f32, 64 b> : f32, f32 to !cute.ptr<f32, gmem, align<16>>
func.func @copies(%p: !cute.ptr<f32, gmem, align<16>>) {
  %0:4 = cute.ptr.load %p by !cute_nvgpu.atom.universal_copy<f32, 128 b> : !cute.ptr<f32, gmem, align<16>> -> f32, f32, f32, f32
  cute.ptr.store %0#3, %0#1 to %p by !cute_nvgpu.atom.universal_copy<f32, 64 b> : f32, f32 to !cute.ptr<f32, gmem, align<16>>
  return
}

// CHECK-LABEL: func.func @predicates
// CHECK-NEXT:  %0:2 = cute.ptr.load %arg0 by !cute_nvgpu.atom.universal_copy<f32, 64 b> if %arg1 else %arg2, %arg2 : f32, f32 : !cute.ptr<f32, gmem, align<16>> -> f32, f32
// CHECK-NEXT:  cute.ptr.store %0#1 to %arg0 by !cute_nvgpu.atom.universal_copy<f32> if %arg1 : f32 to !cute.ptr<f32, gmem, align<16>>
func.func @predicates(%p: !cute.ptr<f32, gmem, align<16>>, %c: i1, %x: f32) {
  %0:2 = cute.ptr.load %p by !cute_nvgpu.atom.universal_copy<f32, 64 b> if %c else %x, %x : f32, f32 : !cute.ptr<f32, gmem, align<16>> -> f32, f32
  cute.ptr.store %0#1 to %p by !cute_nvgpu.atom.universal_copy<f32> if %c : f32 to !cute.ptr<f32, gmem, align<16>>
  return
}

// CHECK-LABEL: func.func @matrices
// CHECK-NEXT:  %0:2 = cute_nvgpu.arch.copy.ldsm %arg0 by !cute_nvgpu.atom.ldsm<f16, 2> : !cute.ptr<f16, smem, align<16>> -> i32, i32
// CHECK-NEXT:  %1:2 = cute_nvgpu.arch.mma.SM80 !cute_nvgpu.sm80.mma<16x8x8, f16, f16, f16> A[%arg1, %arg1] B[%arg1] C[%arg1, %arg1] : (vector<2xf16>, vector<2xf16>), (vector<2xf16>), (vector<2xf16>, vector<2xf16>) -> vector<2xf16>, vector<2xf16>
func.func @matrices(%p: !cute.ptr<f16, smem, align<16>>, %h: vector<2xf16>) {
  %0:2 = cute_nvgpu.arch.copy.ldsm %p by !cute_nvgpu.atom.ldsm<f16, 2> : !cute.ptr<f16, smem, align<16>> -> i32, i32
  %1:2 = cute_nvgpu.arch.mma.SM80 !cute_nvgpu.sm80.mma<16x8x8, f16, f16, f16> A[%h, %h] B[%h] C[%h, %h] : (vector<2xf16>, vector<2xf16>), (vector<2xf16>), (vector<2xf16>, vector<2xf16>) -> vector<2xf16>, vector<2xf16>
  return
}

// CHECK-LABEL: func.func @barriers
// CHECK-NEXT:  cutlass.named_barrier.arrive_and_wait 0
// CHECK-NEXT:  cutlass.named_barrier.arrive_and_wait 3 for 64
func.func @barriers() {
  cutlass.named_barrier.arrive_and_wait 0
  cutlass.named_barrier.arrive_and_wait 3 for 64
  return
}
