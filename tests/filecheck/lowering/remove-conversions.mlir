// A tile is computed in the layout that its user needs, if that moves fewer bytes than converting it.
// RUN: tilewright-opt %s --pass-pipeline='builtin.module(nv-tileas-remove-conversions)' | FileCheck %s

!rows = tensor<128xi32, #nv_tileas.linear_layout<"(128) register=4:1@0 lane=32:4@0">>
!columns = tensor<128xi32, #nv_tileas.linear_layout<"(128) register=4:32@0 lane=32:1@0">>
!turned = tensor<128xi32, #nv_tileas.linear_layout<"(128) register=(2,2):(1@0,4@0) lane=(2,16):(2@0,8@0)">>

// CHECK-LABEL: @computed
func.func @computed(%x: i32) -> !columns {
  // CHECK: %0 = "nv_tileaa.splat"(%arg0) : (i32) -> tensor<128xi32, #nv_tileas.linear_layout<"(128) register=4:32@0 lane=32:1@0">>
  // CHECK-NEXT: %1 = arith.addi %0, %0 : tensor<128xi32, #nv_tileas.linear_layout<"(128) register=4:32@0 lane=32:1@0">>
  // CHECK-NEXT: return %1
  %0 = "nv_tileaa.splat"(%x) : (i32) -> !rows
  %1 = arith.addi %0, %0 : !rows
  %2 = "nv_tileas.convert_layout"(%1) : (!rows) -> !columns
  return %2 : !columns
}

// CHECK-LABEL: @loaded_once
func.func @loaded_once(%p: !nv_tileaa.ptr<i32, 1>) -> !columns {
  // The addresses are computed, and the load distributed, as the user needs the tile.
  // CHECK: "nv_tileas.load"({{.*}} -> (tensor<128xi32, #nv_tileas.linear_layout<"(128) register=4:32@0 lane=32:1@0">>
  // CHECK-NOT: convert_layout
  %0 = "nv_tileas.generate"() ({
  ^bb0(%i: index):
    %3 = arith.index_cast %i : index to i64
    %4 = "nv_tileaa.addptr"(%p, %3) : (!nv_tileaa.ptr<i32, 1>, i64) -> !nv_tileaa.ptr<i32, 1>
    "nv_tileas.yield"(%4) : (!nv_tileaa.ptr<i32, 1>) -> ()
  }) : () -> tensor<128x!nv_tileaa.ptr<i32, 1>, #nv_tileas.linear_layout<"(128) register=4:1@0 lane=32:4@0">>
  %1:2 = "nv_tileas.load"(%0) <{cache_modifier = #nv_tileaa.cache_modifier<none>, eviction_policy = #nv_tileaa.eviction_policy<none>, mem_semantic = #nv_tileaa.mem_semantic<weak>, operandSegmentSizes = array<i32: 1, 0, 0, 0, 0>}> : (tensor<128x!nv_tileaa.ptr<i32, 1>, #nv_tileas.linear_layout<"(128) register=4:1@0 lane=32:4@0">>) -> (!rows, !nv_tileaa.mem_token)
  %2 = "nv_tileas.convert_layout"(%1#0) : (!rows) -> !columns
  return %2 : !columns
}

// CHECK-LABEL: @loaded_twice
func.func @loaded_twice(%p: !nv_tileaa.ptr<i32, 1>) -> (!columns, !rows) {
  // CHECK: "nv_tileas.load"({{.*}} -> (tensor<128xi32, #nv_tileas.linear_layout<"(128) register=4:1@0 lane=32:4@0">>
  // CHECK-NEXT: convert_layout
  %0 = "nv_tileas.generate"() ({
  ^bb0(%i: index):
    %3 = arith.index_cast %i : index to i64
    %4 = "nv_tileaa.addptr"(%p, %3) : (!nv_tileaa.ptr<i32, 1>, i64) -> !nv_tileaa.ptr<i32, 1>
    "nv_tileas.yield"(%4) : (!nv_tileaa.ptr<i32, 1>) -> ()
  }) : () -> tensor<128x!nv_tileaa.ptr<i32, 1>, #nv_tileas.linear_layout<"(128) register=4:1@0 lane=32:4@0">>
  %1:2 = "nv_tileas.load"(%0) <{cache_modifier = #nv_tileaa.cache_modifier<none>, eviction_policy = #nv_tileaa.eviction_policy<none>, mem_semantic = #nv_tileaa.mem_semantic<weak>, operandSegmentSizes = array<i32: 1, 0, 0, 0, 0>}> : (tensor<128x!nv_tileaa.ptr<i32, 1>, #nv_tileas.linear_layout<"(128) register=4:1@0 lane=32:4@0">>) -> (!rows, !nv_tileaa.mem_token)
  %2 = "nv_tileas.convert_layout"(%1#0) : (!rows) -> !columns
  return %2, %1#0 : !columns, !rows
}

// CHECK-LABEL: @merged
func.func @merged(%x: !rows) -> !turned {
  // CHECK-NEXT: %0 = "nv_tileas.convert_layout"(%arg0) {{.*}} lane=(2,16):(2@0,8@0)">>
  // CHECK-NEXT: return %0
  %0 = "nv_tileas.convert_layout"(%x) : (!rows) -> !columns
  %1 = "nv_tileas.convert_layout"(%0) : (!columns) -> !turned
  return %1 : !turned
}

// A tile that a caller computes is converted.
// CHECK-LABEL: @given
func.func @given(%x: !rows) -> !columns {
  // CHECK-NEXT: convert_layout
  %0 = "nv_tileas.convert_layout"(%x) : (!rows) -> !columns
  return %0 : !columns
}
