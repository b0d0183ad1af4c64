// Rules of copies, matrix instructions and barriers.
// RUN: tilewright-opt %s --verify-diagnostics --split-input-file

func.func @alignment(%p: !cute.ptr<f32, gmem, align<8>>) {
  // expected-error@+1 {{moves 128 bits at an address that is a multiple of 8 bytes}}
  %0:4 = cute.ptr.load %p by !cute_nvgpu.atom.universal_copy<f32, 128 b> : !cute.ptr<f32, gmem, align<8>> -> f32, f32, f32, f32
  return
}

// -----

func.func @count(%p: !cute.ptr<f32, gmem, align<16>>, %x: f32) {
  // expected-error@+1 {{has registers of 64 bits, but the copy moves 128}}
  cute.ptr.store %x, %x to %p by !cute_nvgpu.atom.universal_copy<f32, 128 b> : f32, f32 to !cute.ptr<f32, gmem, align<16>>
  return
}

// -----

func.func @element(%p: !cute.ptr<i32, gmem, align<4>>) {
  // expected-error@+1 {{expects an address and registers of f32, which the copy moves}}
  %0 = cute.ptr.load %p by !cute_nvgpu.atom.universal_copy<f32> : !cute.ptr<i32, gmem, align<4>> -> f32
  return
}

// -----

func.func @no_other_value(%p: !cute.ptr<f32, gmem, align<4>>, %c: i1) {
  // expected-error@+1 {{expects another value for each register if it has a predicate, and none else}}
  %0 = "cute.ptr.load"(%p, %c) <{atom = !cute_nvgpu.atom.universal_copy<f32>, operandSegmentSizes = array<i32: 1, 1, 0>}> : (!cute.ptr<f32, gmem, align<4>>, i1) -> f32
  return
}

// -----

func.func @no_predicate(%p: !cute.ptr<f32, gmem, align<4>>, %x: f32) {
  // expected-error@+1 {{expects another value for each register if it has a predicate, and none else}}
  %0 = "cute.ptr.load"(%p, %x) <{atom = !cute_nvgpu.atom.universal_copy<f32>, operandSegmentSizes = array<i32: 1, 0, 1>}> : (!cute.ptr<f32, gmem, align<4>>, f32) -> f32
  return
}

// -----

func.func @half_aligned(%p: !llvm.ptr<1>, %c: i1, %x: f32) {
  // expected-error@+1 {{expects an alignment that is a power of two, but got 12}}
  "nvvm.predicated.store"(%x, %p, %c) <{alignment = 12 : i64}> : (f32, !llvm.ptr<1>, i1) -> ()
  return
}

// -----

func.func @other_types(%p: !llvm.ptr<1>, %c: i1, %x: f32, %y: i32) {
  // expected-error@+1 {{expects one or more values of one type}}
  "nvvm.predicated.store"(%x, %y, %p, %c) <{alignment = 4 : i64}> : (f32, i32, !llvm.ptr<1>, i1) -> ()
  return
}

// -----

func.func @other_number(%p: !llvm.ptr<1>, %c: i1, %x: f32) {
  // expected-error@+1 {{has 2 results, but 1 values otherwise}}
  %0:2 = "nvvm.predicated.load"(%p, %c, %x) <{alignment = 4 : i64}> : (!llvm.ptr<1>, i1, f32) -> (f32, f32)
  return
}

// -----

func.func @words(%p: !cute.ptr<f16, smem, align<16>>) {
  // expected-error@+1 {{has 1 registers, but the copy fills 4}}
  %0 = cute_nvgpu.arch.copy.ldsm %p by !cute_nvgpu.atom.ldsm<f16, 4> : !cute.ptr<f16, smem, align<16>> -> i32
  return
}

// -----

func.func @sums(%h: vector<2xf16>, %x: f32) {
  // expected-error@+1 {{expects result registers of the types of the accumulator's registers}}
  %0 = cute_nvgpu.arch.mma.SM80 !cute_nvgpu.sm80.mma<16x8x8, f16, f16, f32> A[%h, %h] B[%h] C[%x, %x, %x, %x] : (vector<2xf16>, vector<2xf16>), (vector<2xf16>), (f32, f32, f32, f32) -> f32
  return
}

// -----

func.func @barrier() {
  // expected-error@+1 {{expects a barrier from 0 to 15, got 16}}
  cutlass.named_barrier.arrive_and_wait 16
  return
}

// -----

func.func @threads() {
  // expected-error@+1 {{expects a number of threads that is a multiple of 32, got 33}}
  cutlass.named_barrier.arrive_and_wait 1 for 33
  return
}

// -----

func.func @fragment(%a: vector<8xf16>, %b: vector<2x2xf16>, %c: vector<2x2xf32>) {
  // expected-error@+1 {{expects 'matrixA' of rank 2 with 8 elements, got vector<8xf16>}}
  %0 = nvgpu.mma.sync(%a, %b, %c) {mmaShape = [16, 8, 16]} : (vector<8xf16>, vector<2x2xf16>, vector<2x2xf32>) -> vector<2x2xf32>
  return
}
