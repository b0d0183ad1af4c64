// Broken rules, found by the verifier.
// RUN: tilewright-opt %s --verify-diagnostics --split-input-file

func.func @result() -> i32 {
  // expected-error@+1 {{'func.return' op has 0 operands, but enclosing function (@result) returns 1}}
  return
}

// -----

func.func @operand(%x: f32) {
  // expected-error@+1 {{'arith.addi' op operand #0 must be signless-integer-like, but got 'f32'}}
  %0 = "arith.addi"(%x, %x) : (f32, f32) -> f32
  return
}

// -----

// expected-note@+1 {{see existing symbol definition here}}
func.func private @f()
// expected-error@+1 {{redefinition of symbol named 'f'}}
func.func private @f()

// -----

func.func @dominance(%c: i1) -> i32 {
  cf.cond_br %c, ^one, ^two
^one:
  // expected-note@+1 {{operand defined here}}
  %0 = arith.constant 1 : i32
  cf.br ^two
^two:
  // expected-error@+1 {{operand #0 does not dominate this use}}
  return %0 : i32
}
