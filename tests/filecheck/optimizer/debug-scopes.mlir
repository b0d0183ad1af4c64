// Kernels get a subprogram from their places in files.
// RUN: tilewright-opt %s --pass-pipeline='builtin.module(cuda_tile.module(synthesize-debug-info-scopes))' --mlir-print-debuginfo | FileCheck %s

// CHECK: return loc(#[[AT_RETURN:.*]])
// CHECK: } loc(#[[AT_KERNEL:.*]])
// CHECK-DAG: #[[FILE:.*]] = #cuda_tile.di_file<"kernel.py" in "/src">
// CHECK-DAG: #[[UNIT_FILE:.*]] = #cuda_tile.di_file<"module.py" in "">
// CHECK-DAG: #[[UNIT:.*]] = #cuda_tile.di_compile_unit<file = #[[UNIT_FILE]]>
// CHECK-DAG: #[[SCOPE:.*]] = #cuda_tile.di_subprogram<file = #[[FILE]], line = 10, name = "k", linkageName = "k", compileUnit = #[[UNIT]], scopeLine = 10>
// CHECK-DAG: #[[RETURN_PLACE:.*]] = loc("/src/kernel.py":12:4)
// CHECK-DAG: #[[AT_RETURN]] = #cuda_tile.di_loc<#[[RETURN_PLACE]] in #[[SCOPE]]>
cuda_tile.module @m {
  entry @k() {
    return loc("/src/kernel.py":12:4)
  } loc("/src/kernel.py":10:4)
} loc("module.py":1:1)
