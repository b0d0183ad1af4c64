// Several errors of one file, each at its place.
// RUN: tilewright-opt %s --verify-diagnostics --split-input-file

func.func @f(%a: i32) {
  // expected-error@+1 {{custom op 'arith.addl' is unknown}}
  %0 = arith.addl %a, %a : i32
  // expected-error@+1 {{expected ',', got ':'}}
  %1 = arith.addi %a : i32
  %2 = arith.addi %0, %1 : i32
  return
}

// -----

func.func @undefined() {
  // expected-error@+1 {{use of undeclared SSA value name}}
  "func.return"(%nothing) : (i32) -> ()
}

// -----

func.func @twice(%a: i32) {
  // expected-note@+1 {{}}
  %0 = arith.addi %a, %a : i32
  // expected-error@+1 {{redefinition of SSA value '%0'}}
  %0 = arith.addi %a, %a : i32
  return
}

// -----

// expected-error@+1 {{unknown type 'nv_tileaa.pointer'}}
func.func private @types(!nv_tileaa.pointer<f32>)

// -----

// expected-error@+2 {{expected '}' to close this region, got end of input}}
module {
