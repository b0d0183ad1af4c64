// Rewrite patterns.
// RUN: tilewright-opt %s | tilewright-opt | FileCheck %s
// RUN: tilewright-opt %s --mlir-print-op-generic | tilewright-opt | FileCheck %s

// CHECK-LABEL: pdl.pattern @fold : benefit(2) {
// CHECK-NEXT:  %0 = type : i32
// CHECK-NEXT:  %1 = operand : %0
// CHECK-NEXT:  %2 = attribute = 1 : i32
// CHECK-NEXT:  %3 = operation "test.op"(%1 : !pdl.value)  {"by" = %2} -> (%0 : !pdl.type)
// CHECK-NEXT:  %4 = result 0 of %3
// CHECK-NEXT:  apply_native_constraint "ok"(%4 : !pdl.value)
// CHECK-NEXT:  rewrite %3 {
// CHECK-NEXT:  replace %3 with(%1 : !pdl.value)

pdl.pattern @fold : benefit(2) {
  %type = pdl.type : i32
  %value = pdl.operand : %type
  %attribute = pdl.attribute = 1 : i32
  %op = pdl.operation "test.op"(%value : !pdl.value) {"by" = %attribute} -> (%type : !pdl.type)
  %result = pdl.result 0 of %op
  pdl.apply_native_constraint "ok"(%result : !pdl.value)
  pdl.rewrite %op {
    pdl.replace %op with (%value : !pdl.value)
  }
}
