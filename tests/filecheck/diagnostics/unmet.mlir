// The comparison itself can fail: what is expected must come, at its place, and nothing else.
// RUN: not tilewright-opt %s --verify-diagnostics 2>&1 | FileCheck %s
// RUN: not tilewright-opt %s --verify-diagnostics=only-expected 2>&1 | FileCheck %s --check-prefix=ONLY

// CHECK-DAG: unmet.mlir:11: error: unexpected error: 'func.return' op has 0 operands
// CHECK-DAG: unmet.mlir:9: error: expected error "it never comes" was not produced
// ONLY-NOT: unexpected
// ONLY: "it never comes" was not produced
// expected-error@+1 {{it never comes}}
func.func @f() -> i32 {
  return
}
