// A pass that fails leaves a file that runs it again.
// RUN: not tilewright-opt %s --pass-pipeline='builtin.module(cse,func.func(symbol-dce))' --mlir-pass-pipeline-crash-reproducer=%t 2>&1 | FileCheck %s --check-prefix=ERROR
// RUN: cat %t | FileCheck %s
// RUN: not tilewright-opt %t --run-reproducer 2>&1 | FileCheck %s --check-prefix=ERROR

// ERROR: error[TW0605]: was scheduled to run under 'func.func', but does not define a symbol table
// CHECK: // configuration: --pass-pipeline='builtin.module(cse,func.func(symbol-dce))'
// CHECK-NEXT: "builtin.module"() ({
// CHECK-NEXT: "func.func"()
func.func @f() {
  return
}
