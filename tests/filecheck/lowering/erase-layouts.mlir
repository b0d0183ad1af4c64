// Tiles lose their layouts, and a conversion between layouts is its source.
// RUN: tilewright-opt %s --pass-pipeline='builtin.module(nv-tileas-erase-layouts)' --allow-unregistered-dialect | FileCheck %s

!rows = tensor<128xi32, #nv_tileas.linear_layout<"(128) register=4:1@0 lane=32:4@0">>
!columns = tensor<128xi32, #nv_tileas.linear_layout<"(128) register=4:32@0 lane=32:1@0">>

// CHECK-NOT: linear_layout
// CHECK-LABEL: @tiles
func.func @tiles(%x: i32) {
  // CHECK: %0 = "nv_tileaa.splat"(%arg0) : (i32) -> tensor<128xi32>
  %0 = "nv_tileaa.splat"(%x) : (i32) -> !rows
  // CHECK-NOT: convert_layout
  %1 = "nv_tileas.convert_layout"(%0) <{transfer = #nv_tileas.transfer<shared>}> : (!rows) -> !columns
  // The values of a constant have the type of its result.
  // CHECK: %cst = arith.constant dense<7> : tensor<128xi32>
  %2 = arith.constant dense<7> : !columns
  // CHECK: %1 = arith.addi %0, %cst : tensor<128xi32>
  %3 = arith.addi %1, %2 : !columns
  // Tiles that loops carry are tiles, too.
  // CHECK: scf.for {{.*}} iter_args(%arg2 = %1) -> (tensor<128xi32>)
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %4 = scf.for %i = %zero to %one step %one iter_args(%a = %3) -> (!columns) {
    scf.yield %a : !columns
  }
  "test.use"(%4) : (!columns) -> ()
  return
}
