// RUN: tilewright-opt %s --split-input-file | FileCheck %s
// RUN: not tilewright-opt %s --split-input-file --pass-pipeline='builtin.module(func.func(verify,symbol-dce))' 2>&1 | FileCheck %s --check-prefix=FAILS

// FAILS: split-input.mlir:[[LINE:[0-9]+]]:3: error
// FAILS: module @second

// CHECK-LABEL: module @first
// CHECK: // -----
// CHECK-LABEL: module @second
module @first {
}

// -----
module @second {
}
// -----
module @third {
  func.func @f() {
    return
  }
}
