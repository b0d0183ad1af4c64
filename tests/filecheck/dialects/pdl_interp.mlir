// Compiled rewrite patterns.
// RUN: tilewright-opt %s | tilewright-opt | FileCheck %s
// RUN: tilewright-opt %s --mlir-print-op-generic | tilewright-opt | FileCheck %s

// CHECK-LABEL: pdl_interp.func @matcher(%arg0: !pdl.operation) {
// CHECK-NEXT:  pdl_interp.check_operation_name of %arg0 is "test.op" -> ^bb1, ^bb2
// CHECK-NEXT:  ^bb1:  // pred: ^bb0
// CHECK-NEXT:  %0 = pdl_interp.get_operand 0 of %arg0
// CHECK-NEXT:  pdl_interp.is_not_null %0 : !pdl.value -> ^bb2, ^bb2
// CHECK-NEXT:  ^bb2:  // 3 preds: ^bb0, ^bb1, ^bb1
// CHECK-NEXT:  pdl_interp.finalize

pdl_interp.func @matcher(%op: !pdl.operation) {
  pdl_interp.check_operation_name of %op is "test.op" -> ^match, ^end
^match:
  %operand = pdl_interp.get_operand 0 of %op
  pdl_interp.is_not_null %operand : !pdl.value -> ^end, ^end
^end:
  pdl_interp.finalize
}
