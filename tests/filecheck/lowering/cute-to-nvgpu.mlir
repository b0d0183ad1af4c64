// Copies are one access where the chip moves as many bits, else halves; barriers of the block are those of gpu.
// RUN: tilewright-opt %s --pass-pipeline='builtin.module(convert-cute-to-nvgpu)' | FileCheck %s

module attributes {nv_tileaa.compute_capability = #nv_tileaa.compute_capability<80>, nv_tileaa.target_spec = #nv_tileaa.target_spec<"sm_80">} {
// CHECK-LABEL: @copies
// CHECK:       %[[V:.*]] = llvm.load %{{.*}} {alignment = 16 : i64} : !llvm.ptr<1> -> vector<4xf32>
// CHECK:       llvm.extractelement %[[V]][%{{.*}} : i32] : vector<4xf32>
// CHECK:       llvm.store %{{.*}}, %{{.*}} {alignment = 4 : i64} : f32, !llvm.ptr<3>
llvm.func @copies(%p: !llvm.ptr<1>, %q: !llvm.ptr<3>) {
  %0 = builtin.unrealized_conversion_cast %p : !llvm.ptr<1> to !cute.ptr<f32, gmem, align<16>>
  %1 = builtin.unrealized_conversion_cast %q : !llvm.ptr<3> to !cute.ptr<f32, smem, align<4>>
  %2:4 = cute.ptr.load %0 by !cute_nvgpu.atom.universal_copy<f32, 128 b> : !cute.ptr<f32, gmem, align<16>> -> f32, f32, f32, f32
  cute.ptr.store %2#3 to %1 by !cute_nvgpu.atom.universal_copy<f32> : f32 to !cute.ptr<f32, smem, align<4>>
  llvm.return
}

// CHECK-LABEL: @wide
// CHECK:       llvm.load %[[P:.*]] {alignment = 32 : i64} : !llvm.ptr<1> -> vector<2xf64>
// CHECK:       llvm.load %{{.*}} {alignment = 16 : i64} : !llvm.ptr<1> -> vector<2xf64>
// CHECK:       llvm.store %{{.*}}, %[[P]] {alignment = 32 : i64} : vector<2xf64>, !llvm.ptr<1>
// CHECK:       llvm.store %{{.*}}, %{{.*}} {alignment = 16 : i64} : vector<2xf64>, !llvm.ptr<1>
llvm.func @wide(%p: !llvm.ptr<1>) {
  %0 = builtin.unrealized_conversion_cast %p : !llvm.ptr<1> to !cute.ptr<f64, gmem, align<32>>
  %1:4 = cute.ptr.load %0 by !cute_nvgpu.atom.universal_copy<f64, 256 b> : !cute.ptr<f64, gmem, align<32>> -> f64, f64, f64, f64
  cute.ptr.store %1#3, %1#2, %1#1, %1#0 to %0 by !cute_nvgpu.atom.universal_copy<f64, 256 b> : f64, f64, f64, f64 to !cute.ptr<f64, gmem, align<32>>
  llvm.return
}

// CHECK-LABEL: @predicates
// CHECK:       %[[P:.*]] = builtin.unrealized_conversion_cast %{{.*}} : !cute.ptr<f32, gmem, align<8>> to !llvm.ptr<1>
// CHECK:       %[[V:.*]]:2 = "nvvm.predicated.load"(%[[P]], %[[C:.*]], %[[X:.*]], %[[X]]) <{alignment = 8 : i64}> : (!llvm.ptr<1>, i1, f32, f32) -> (f32, f32)
// CHECK-NEXT:  "nvvm.predicated.store"(%[[V]]#1, %{{.*}}, %[[C]]) <{alignment = 4 : i64}> : (f32, !llvm.ptr<1>, i1) -> ()
// CHECK-NOT:   scf.if
// CHECK-NOT:   llvm.cond_br
llvm.func @predicates(%p: !llvm.ptr<1>, %c: i1, %x: f32) {
  %0 = builtin.unrealized_conversion_cast %p : !llvm.ptr<1> to !cute.ptr<f32, gmem, align<8>>
  %1 = builtin.unrealized_conversion_cast %p : !llvm.ptr<1> to !cute.ptr<f32, gmem, align<4>>
  %2:2 = cute.ptr.load %0 by !cute_nvgpu.atom.universal_copy<f32, 64 b> if %c else %x, %x : f32, f32 : !cute.ptr<f32, gmem, align<8>> -> f32, f32
  cute.ptr.store %2#1 to %1 by !cute_nvgpu.atom.universal_copy<f32> if %c : f32 to !cute.ptr<f32, gmem, align<4>>
  llvm.return
}

// CHECK-LABEL: @wide_predicates
// CHECK:       "nvvm.predicated.load"(%[[P:.*]], %[[C:.*]], %[[X:.*]], %[[X]]) <{alignment = 32 : i64}> : (!llvm.ptr<1>, i1, f64, f64) -> (f64, f64)
// CHECK:       "nvvm.predicated.load"(%{{.*}}, %[[C]], %[[Y:.*]], %[[Y]]) <{alignment = 16 : i64}> : (!llvm.ptr<1>, i1, f64, f64) -> (f64, f64)
// CHECK:       "nvvm.predicated.store"(%{{.*}}, %{{.*}}, %[[P]], %[[C]]) <{alignment = 32 : i64}> : (f64, f64, !llvm.ptr<1>, i1) -> ()
// CHECK:       "nvvm.predicated.store"(%{{.*}}, %{{.*}}, %{{.*}}, %[[C]]) <{alignment = 16 : i64}> : (f64, f64, !llvm.ptr<1>, i1) -> ()
llvm.func @wide_predicates(%p: !llvm.ptr<1>, %c: i1, %x: f64, %y: f64) {
  %0 = builtin.unrealized_conversion_cast %p : !llvm.ptr<1> to !cute.ptr<f64, gmem, align<32>>
  %1:4 = cute.ptr.load %0 by !cute_nvgpu.atom.universal_copy<f64, 256 b> if %c else %x, %x, %y, %y : f64, f64, f64, f64 : !cute.ptr<f64, gmem, align<32>> -> f64, f64, f64, f64
  cute.ptr.store %1#3, %1#2, %1#1, %1#0 to %0 by !cute_nvgpu.atom.universal_copy<f64, 256 b> if %c : f64, f64, f64, f64 to !cute.ptr<f64, gmem, align<32>>
  llvm.return
}

// CHECK-LABEL: @barriers
// CHECK-NEXT:  gpu.barrier
// CHECK:       nvvm.barrier id = %{{.*}} number_of_threads = %{{.*}}
llvm.func @barriers() {
  cutlass.named_barrier.arrive_and_wait 0
  cutlass.named_barrier.arrive_and_wait 3 for 64
  llvm.return
}

// CHECK-LABEL: @matrices
// CHECK:       nvvm.ldmatrix %{{.*}} {eltType = #nvvm.ld_st_matrix_elt_type<b16>, layout = #nvvm.mma_layout<col>, num = 2 : i32
// CHECK:       %[[A:.*]] = builtin.unrealized_conversion_cast %{{.*}}, %{{.*}}, %{{.*}}, %{{.*}} : vector<2xf16>, vector<2xf16>, vector<2xf16>, vector<2xf16> to vector<4x2xf16>
// CHECK:       nvgpu.mma.sync(%[[A]], %{{.*}}, %{{.*}}) {mmaShape = [16, 8, 16]} : (vector<4x2xf16>, vector<2x2xf16>, vector<2x2xf32>) -> vector<2x2xf32>
llvm.func @matrices(%q: !llvm.ptr<3>, %h: vector<2xf16>, %f: f32) {
  %0 = builtin.unrealized_conversion_cast %q : !llvm.ptr<3> to !cute.ptr<f16, smem, align<16>>
  %1:2 = cute_nvgpu.arch.copy.ldsm %0 by !cute_nvgpu.atom.ldsm<f16, 2, mode = MT88> : !cute.ptr<f16, smem, align<16>> -> i32, i32
  %2:4 = cute_nvgpu.arch.mma.SM80 !cute_nvgpu.sm80.mma<16x8x16, f16, f16, f32> A[%h, %h, %h, %h] B[%h, %h] C[%f, %f, %f, %f] : (vector<2xf16>, vector<2xf16>, vector<2xf16>, vector<2xf16>), (vector<2xf16>, vector<2xf16>), (f32, f32, f32, f32) -> f32, f32, f32, f32
  llvm.return
}
}
