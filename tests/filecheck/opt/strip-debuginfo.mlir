// RUN: tilewright-opt %s --mlir-print-debuginfo --mlir-print-local-scope | FileCheck %s --check-prefix=BEFORE
// RUN: tilewright-opt %s --strip-debuginfo --mlir-print-debuginfo --mlir-print-local-scope | FileCheck %s --check-prefix=AFTER

// BEFORE: func.func @f(%arg0: i32 loc("argument"))
// BEFORE-NEXT: return loc(callsite("callee.py":3:4 at "caller.py":1:2))
// AFTER: func.func @f(%arg0: i32 loc(unknown))
// AFTER-NEXT: return loc(unknown)
func.func @f(%x: i32 loc("argument")) {
  return loc(callsite("callee.py":3:4 at "caller.py":1:2))
}
