// RUN: tilewright-opt %s --print-op-stats -o %t 2>&1 | FileCheck %s
// RUN: tilewright-opt %s --print-op-stats='json=true' -o %t 2>&1 | FileCheck %s --check-prefix=JSON

// CHECK: Operations encountered:
// CHECK-NEXT: -----------------------
// CHECK-NEXT: {{^ *}}arith.constant , 2
// CHECK-NEXT: builtin.module   , 1
// JSON: "arith.constant": 2,
// JSON-NEXT: "builtin.module": 1,
// JSON-NEXT: "func.func": 1,
func.func @f() {
  %0 = arith.constant 1 : i8
  %1 = arith.constant 2.5 : f64
  return
}
