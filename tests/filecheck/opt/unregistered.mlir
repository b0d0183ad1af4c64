// Unknown dialects are refused, or kept as they are.
// RUN: not tilewright-opt %s 2>&1 | FileCheck %s --check-prefix=REFUSED
// RUN: tilewright-opt %s --allow-unregistered-dialect | FileCheck %s

// REFUSED: unregistered.mlir:9:6: error[TW0002]: operation 'other.make' is not registered
// CHECK: %0 = "other.make"() {inner = 1 : i3, outer = #other.attribute<a [b] "c">} : () -> !other<type x>
// CHECK-NEXT: "other.take"(%0) ({
// CHECK-NEXT: ^bb0(%arg0: !other.pair<i32, f32>):
%0 = "other.make"() {inner = 1 : i3, outer = #other.attribute<a [b] "c">} : () -> !other<type x>
"other.take"(%0) ({
^bb0(%x: !other.pair<i32, f32>):
  "other.end"() : () -> ()
}) : (!other<type x>) -> ()
