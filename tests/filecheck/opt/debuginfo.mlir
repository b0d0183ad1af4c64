// Locations: with aliases, in place, or not at all; text goes through unchanged.
// RUN: tilewright-opt %s | FileCheck %s --check-prefix=NONE
// RUN: tilewright-opt %s --mlir-print-debuginfo | tilewright-opt --mlir-print-debuginfo | FileCheck %s
// RUN: tilewright-opt %s --mlir-print-debuginfo --mlir-print-local-scope | FileCheck %s --check-prefix=LOCAL

// NONE-NOT: loc(
// NONE: return
// CHECK: return loc(#[[PLACE:loc[0-9]*]])
// CHECK-DAG: #[[FILE:loc[0-9]*]] = loc("kernel.py":12:3)
// CHECK-DAG: #[[PLACE]] = loc(fused<"inlined">[#{{loc[0-9]*}}, #{{loc[0-9]*}}])
// LOCAL: return loc(fused<"inlined">["name"("kernel.py":12:3), unknown])
func.func @f() {
  return loc(fused<"inlined">["name"("kernel.py":12:3), unknown])
}
