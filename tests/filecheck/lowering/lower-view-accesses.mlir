// An access to a tile of a view becomes an access to addresses, with a mask for the elements that the array does not have.
// RUN: tilewright-opt %s --pass-pipeline='builtin.module(nv-tileas-lower-view-accesses,canonicalize,cse)' | FileCheck %s

module attributes {nv_tileaa.compute_capability = #nv_tileaa.compute_capability<80>, nv_tileaa.target_spec = #nv_tileaa.target_spec<"sm_80">} {
"nv_tileaa.func"() <{function_type = (!nv_tileaa.ptr<f32, 1>, i32) -> (), kernel_spec = #nv_tileaa.kernel_spec<clusterDim=[1,1,1]>, sym_name = "whole"}> ({
^bb0(%p: !nv_tileaa.ptr<f32, 1>, %i: i32):
  // 8 rows of 32 elements for each tile before; 64 rows in all, of which those from the tile on are left.
  // CHECK: %[[BASE:.*]] = arith.muli %{{.*}}, %c256_i64
  // CHECK: %[[FIRST:.*]] = arith.muli %{{.*}}, %c8_i32
  // CHECK: %[[ROWS:.*]] = arith.subi %c64_i32, %[[FIRST]]
  // CHECK: %[[AT:.*]]:2 = "nv_tileas.generate"() ({
  // CHECK-NEXT: ^bb0(%[[ROW:.*]]: index, %[[COLUMN:.*]]: index)
  // CHECK: arith.muli %{{.*}}, %c32_i64
  // CHECK: %[[INDEX:.*]] = arith.addi %[[BASE]], %
  // CHECK: %[[ADDRESS:.*]] = "nv_tileaa.addptr"(%arg0, %[[INDEX]])
  // CHECK: %[[EXISTS:.*]] = arith.cmpi slt, %{{.*}}, %[[ROWS]] : i32
  // CHECK: "nv_tileas.yield"(%[[ADDRESS]], %[[EXISTS]])
  // The elements that do not exist are zero.
  // CHECK: %[[ZERO:.*]] = "nv_tileaa.splat"() <{value = 0.000000e+00 : f32}>
  // CHECK: "nv_tileas.load"(%[[AT]]#0, %[[AT]]#1, %[[ZERO]])
  // CHECK-NOT: tiled_store
  // CHECK: "nv_tileas.store"(%{{.*}}#0, %{{.*}}#0, %{{.*}}#1)
  %m = "nv_tileaa.make_memref"(%p) <{operandSegmentSizes = array<i32: 1, 0, 0, 0>}> : (!nv_tileaa.ptr<f32, 1>) -> !nv_tileaa.memref<64x32xf32, strides = [32, 1]>
  %v = "nv_tileas.view"(%m) <{dimGroups = [array<i64: 0>, array<i64: 1>]}> : (!nv_tileaa.memref<64x32xf32, strides = [32, 1]>) -> !nv_tileas.tiled_view<f32, [8, 32], global>
  %zero = arith.constant 0 : i32
  %x, %t = "nv_tileas.tiled_load"(%v, %i, %zero) <{cache_modifier = #nv_tileaa.cache_modifier<none>, eviction_policy = #nv_tileaa.eviction_policy<none>, in_bounds = array<i1: false, true>, mem_semantic = #nv_tileaa.mem_semantic<weak>, operandSegmentSizes = array<i32: 1, 2, 0, 0>, padding_value = #nv_tileaa.padding_value<zero>}> : (!nv_tileas.tiled_view<f32, [8, 32], global>, i32, i32) -> (tensor<8x32xf32>, !nv_tileaa.mem_token)
  %s = "nv_tileas.tiled_store"(%v, %x, %i, %zero) <{cache_modifier = #nv_tileaa.cache_modifier<none>, eviction_policy = #nv_tileaa.eviction_policy<none>, mem_semantic = #nv_tileaa.mem_semantic<weak>, operandSegmentSizes = array<i32: 1, 1, 2, 0, 0>}> : (!nv_tileas.tiled_view<f32, [8, 32], global>, tensor<8x32xf32>, i32, i32) -> !nv_tileaa.mem_token
  "nv_tileaa.return"() : () -> ()
}) : () -> ()
}
