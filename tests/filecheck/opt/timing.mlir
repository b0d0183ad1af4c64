// RUN: tilewright-opt %s --cse --verify --mlir-timing -o %t 2>&1 | FileCheck %s
// RUN: tilewright-opt %s --cse --mlir-timing --mlir-timing-display=list -o %t 2>&1 | FileCheck %s --check-prefix=LIST

// CHECK: ... Execution time report ...
// CHECK: ----Wall Time----  ----Name----
// CHECK-NEXT: 'builtin.module' Pipeline
// CHECK-NEXT: cse
// CHECK-NEXT: verify
// CHECK-NEXT: (100.0%)  Total
// LIST: ----Wall Time----  ----Name----
// LIST-DAG: cse
// LIST-DAG: 'builtin.module' Pipeline
func.func private @f()
