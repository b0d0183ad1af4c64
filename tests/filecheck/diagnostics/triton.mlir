// What Triton's kernels say about one chip, or wait for, has no form in Tile IR.
// RUN: tilewright-opt %s --convert-triton-to-cuda-tile --verify-diagnostics --split-input-file

tt.func public @assembly(%x: i32) {
  // expected-error@+1 {{inline assembly is written for one chip}}
  %0 = tt.elementwise_inline_asm "mov.b32 $0, $1;" {constraints = "=r,r", packed_element = 1 : i32, pure = true} %x : i32 -> i32
  tt.return
}

// -----

tt.func public @waiting(%p: !tt.ptr<i32>, %x: i32) {
  // expected-error@+1 {{'tt.atomic_poll' waits for a program that may run later on the same processor}}
  %0 = tt.atomic_poll acquire, gpu, %p, %x : !tt.ptr<i32>, i32 -> i1
  tt.return
}

// -----

tt.func public @unknown(%x: f32) {
  // expected-error@+1 {{the external function '__nv_no_such_functionf' is not known here}}
  %0 = tt.extern_elementwise %x {libname = "", libpath = "", pure = true, symbol = "__nv_no_such_functionf"} : (f32) -> f32
  tt.return
}

// -----

tt.func public @format() {
  // expected-error@+1 {{tensor<4xf8E4M3FNUZ> has no form in Tile IR: Tile IR has no element type f8E4M3FNUZ}}
  %0 = arith.constant dense<1.0> : tensor<4xf8E4M3FNUZ>
  tt.return
}
