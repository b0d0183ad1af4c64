// Tile IR in both forms, through both commands that read it.
// RUN: tilewright-opt %s --no-implicit-module > %t
// RUN: tilewright translate --mlir-print-op-generic %s | FileCheck %s
// RUN: tilewright-opt %s --mlir-print-op-generic --no-implicit-module | FileCheck %s
// RUN: tilewright translate --mlir-print-op-generic %t | FileCheck %s
// RUN: tilewright translate %t | FileCheck %s --check-prefix=CUSTOM
// RUN: tilewright-opt %s | FileCheck %s --check-prefix=WRAPPED

// WRAPPED: module {
// WRAPPED-NEXT: cuda_tile.module

// CUSTOM-LABEL: cuda_tile.module @sample {
// CUSTOM-NEXT: entry @double(%[[X:.*]]: tile<f32>) {
// CUSTOM-NEXT: addf %[[X]], %[[X]] : tile<f32>
// CUSTOM-NEXT: return

// CHECK-LABEL: "cuda_tile.module"() <{sym_name = "sample"}> ({
// CHECK-NEXT: "cuda_tile.entry"() <{function_type = (!cuda_tile.tile<f32>) -> (), sym_name = "double"}> ({
// CHECK-NEXT: ^bb0(%[[X:.*]]: !cuda_tile.tile<f32>):
// CHECK-NEXT: "cuda_tile.addf"(%[[X]], %[[X]]) <{rounding_mode = #cuda_tile.rounding<nearest_even>}>
// CHECK-SAME: (!cuda_tile.tile<f32>, !cuda_tile.tile<f32>) -> !cuda_tile.tile<f32>
// CHECK-NEXT: "cuda_tile.return"() : () -> ()
"cuda_tile.module"() <{sym_name = "sample"}> ({
  "cuda_tile.entry"() <{sym_name = "double", function_type = (!cuda_tile.tile<f32>) -> ()}> ({
  ^bb0(%x: !cuda_tile.tile<f32>):
    %y = "cuda_tile.addf"(%x, %x) <{rounding_mode = #cuda_tile.rounding<nearest_even>}> : (!cuda_tile.tile<f32>, !cuda_tile.tile<f32>) -> !cuda_tile.tile<f32>
    "cuda_tile.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
