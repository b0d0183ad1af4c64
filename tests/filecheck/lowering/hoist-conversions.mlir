// A conversion of a tile that a loop does not change runs once, before the loop.
// RUN: tilewright-opt %s --pass-pipeline='builtin.module(nv-tileas-hoist-conversions)' | FileCheck %s

!rows = tensor<128xi32, #nv_tileas.linear_layout<"(128) register=4:1@0 lane=32:4@0">>
!columns = tensor<128xi32, #nv_tileas.linear_layout<"(128) register=4:32@0 lane=32:1@0">>
!repeated = tensor<128xi32, #nv_tileas.linear_layout<"(128) register=(4,32):(32@0,1@0) lane=32:0">>

// CHECK-LABEL: @invariant
func.func @invariant(%x: !rows, %n: index) -> !columns {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %begin = "nv_tileaa.splat"() <{value = 0 : i32}> : () -> !columns
  // CHECK: convert_layout
  // CHECK: scf.for
  // CHECK-NOT: convert_layout
  %sum = scf.for %i = %zero to %n step %one iter_args(%a = %begin) -> (!columns) {
    %0 = "nv_tileas.convert_layout"(%x) : (!rows) -> !columns
    %1 = arith.addi %a, %0 : !columns
    scf.yield %1 : !columns
  }
  return %sum : !columns
}

// Out of a nest of loops the conversion moves as far as its source does not change.
// CHECK-LABEL: @nested
func.func @nested(%x: !rows, %n: index) -> !columns {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %begin = "nv_tileaa.splat"() <{value = 0 : i32}> : () -> !columns
  // CHECK: convert_layout
  // CHECK: scf.for
  // CHECK: scf.for
  // CHECK-NOT: convert_layout
  %sum = scf.for %i = %zero to %n step %one iter_args(%a = %begin) -> (!columns) {
    %inner = scf.for %j = %zero to %n step %one iter_args(%b = %a) -> (!columns) {
      %0 = "nv_tileas.convert_layout"(%x) : (!rows) -> !columns
      %1 = arith.addi %b, %0 : !columns
      scf.yield %1 : !columns
    }
    scf.yield %inner : !columns
  }
  return %sum : !columns
}

// Both tiles would be in registers during all iterations.
// CHECK-LABEL: @used_otherwise
func.func @used_otherwise(%x: !rows, %n: index) -> (!columns, !rows) {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %begin = "nv_tileaa.splat"() <{value = 0 : i32}> : () -> !columns
  %other = "nv_tileaa.splat"() <{value = 0 : i32}> : () -> !rows
  // CHECK: scf.for
  // CHECK: convert_layout
  %sum:2 = scf.for %i = %zero to %n step %one iter_args(%a = %begin, %b = %other) -> (!columns, !rows) {
    %0 = "nv_tileas.convert_layout"(%x) : (!rows) -> !columns
    %1 = arith.addi %a, %0 : !columns
    %2 = arith.addi %b, %x : !rows
    scf.yield %1, %2 : !columns, !rows
  }
  return %sum#0, %sum#1 : !columns, !rows
}

// Each thread would hold the whole tile.
// CHECK-LABEL: @larger
func.func @larger(%x: !rows, %n: index) -> !repeated {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %begin = "nv_tileaa.splat"() <{value = 0 : i32}> : () -> !repeated
  // CHECK: scf.for
  // CHECK: convert_layout
  %sum = scf.for %i = %zero to %n step %one iter_args(%a = %begin) -> (!repeated) {
    %0 = "nv_tileas.convert_layout"(%x) : (!rows) -> !repeated
    %1 = arith.addi %a, %0 : !repeated
    scf.yield %1 : !repeated
  }
  return %sum : !repeated
}

// CHECK-LABEL: @changed
func.func @changed(%x: !rows, %n: index) -> !columns {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %begin = "nv_tileaa.splat"() <{value = 0 : i32}> : () -> !columns
  // CHECK: scf.for
  // CHECK: convert_layout
  %sum:2 = scf.for %i = %zero to %n step %one iter_args(%a = %begin, %b = %x) -> (!columns, !rows) {
    %0 = "nv_tileas.convert_layout"(%b) : (!rows) -> !columns
    %1 = arith.addi %a, %0 : !columns
    %2 = arith.addi %b, %x : !rows
    scf.yield %1, %2 : !columns, !rows
  }
  return %sum#0 : !columns
}
