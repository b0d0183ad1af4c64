// What a chip does not have is refused by the names of the operation and the chip.
// RUN: tilewright-opt %s --pass-pipeline='builtin.module(convert-cute-to-nvgpu,convert-gpu-to-nvvm)' --verify-diagnostics --split-input-file

module attributes {nv_tileaa.compute_capability = #nv_tileaa.compute_capability<75>, nv_tileaa.target_spec = #nv_tileaa.target_spec<"sm_75">} {
llvm.func @product(%w: i32, %f: f32) {
  // expected-error@+2 {{failed to legalize operation 'cute_nvgpu.arch.mma.SM80'}}
  // expected-note@+1 {{'cute_nvgpu.arch.mma.SM80' needs sm_80; the code is for sm_75}}
  %0:4 = cute_nvgpu.arch.mma.SM80 !cute_nvgpu.sm80.mma<16x8x8, bf16, bf16, f32> A[%w, %w] B[%w] C[%f, %f, %f, %f] : (i32, i32), (i32), (f32, f32, f32, f32) -> f32, f32, f32, f32
  llvm.return
}
}

// -----

module attributes {nv_tileaa.compute_capability = #nv_tileaa.compute_capability<80>, nv_tileaa.target_spec = #nv_tileaa.target_spec<"sm_80">} {
llvm.func @cluster() {
  // expected-error@+2 {{failed to legalize operation 'gpu.cluster_id'}}
  // expected-note@+1 {{'gpu.cluster_id' needs sm_90; the code is for sm_80}}
  %0 = gpu.cluster_id x
  llvm.return
}
}

// -----

// expected-error@+1 {{the module does not name its GPU}}
module {
}
