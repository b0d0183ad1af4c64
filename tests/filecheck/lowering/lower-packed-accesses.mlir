// Elements of 4 bits are read and written by the bytes that two of them share.
// RUN: tilewright-opt %s --pass-pipeline='builtin.module(nv-tileas-lower-packed-accesses,canonicalize,cse)' | FileCheck %s
// RUN: tilewright-opt %s --pass-pipeline='builtin.module(nv-tileas-lower-view-accesses)' | FileCheck %s --check-prefix=VIEWS

module attributes {nv_tileaa.compute_capability = #nv_tileaa.compute_capability<80>, nv_tileaa.target_spec = #nv_tileaa.target_spec<"sm_80">} {
"nv_tileaa.func"() <{function_type = (!nv_tileaa.ptr<i4, 1>, i32) -> (), kernel_spec = #nv_tileaa.kernel_spec<clusterDim=[1,1,1]>, sym_name = "packed"}> ({
^bb0(%p: !nv_tileaa.ptr<i4, 1>, %i: i32):
  // The pass for other elements leaves them alone.
  // VIEWS: "nv_tileas.tiled_load"
  // VIEWS: "nv_tileas.tiled_store"

  // A byte is at half of the element's index, and the element in its upper half if the index is odd.
  // CHECK: %[[BYTES:.*]] = "nv_tileaa.bitcast"(%arg0) : (!nv_tileaa.ptr<i4, 1>) -> !nv_tileaa.ptr<i8, 1>
  // CHECK: %[[AT:.*]]:3 = "nv_tileas.generate"() ({
  // CHECK: %[[HALF:.*]] = arith.shrsi %[[INDEX:.*]], %c1_i64 : i64
  // CHECK: "nv_tileaa.addptr"(%[[BYTES]], %[[HALF]])
  // CHECK: %[[LOW:.*]] = arith.trunci %[[INDEX]] : i64 to i8
  // CHECK: %[[ODD:.*]] = arith.andi %[[LOW]], %c1_i8 : i8
  // CHECK: arith.muli %[[ODD]], %c4_i8 : i8
  // CHECK: %[[LOADED:.*]]:2 = "nv_tileas.load"(%[[AT]]#0, %[[AT]]#2,
  // CHECK: "nv_tileas.generate"(%[[LOADED]]#0, %[[AT]]#1) ({
  // CHECK: %[[SHIFTED:.*]] = arith.shrui %{{.*}}, %{{.*}} : i8
  // CHECK: arith.trunci %[[SHIFTED]] : i8 to i4

  // A row is 16 whole bytes, so that pairs of elements are stored without reading.
  // CHECK-NOT: atomic
  // CHECK: arith.shli
  // CHECK: "nv_tileas.reduce"(%{{.*}}) <{axis = 2 : i32}> ({
  // CHECK: arith.ori
  // CHECK: (tensor<8x16x2xi8>) -> tensor<8x16xi8>
  // CHECK: "nv_tileas.store"({{.*}} : (tensor<8x16x!nv_tileaa.ptr<i8, 1>>, tensor<8x16xi8>, tensor<8x16xi1>)
  %m = "nv_tileaa.make_memref"(%p) <{operandSegmentSizes = array<i32: 1, 0, 0, 0>}> : (!nv_tileaa.ptr<i4, 1>) -> !nv_tileaa.memref<64x32xi4, strides = [32, 1]>
  %v = "nv_tileas.view"(%m) <{dimGroups = [array<i64: 0>, array<i64: 1>]}> : (!nv_tileaa.memref<64x32xi4, strides = [32, 1]>) -> !nv_tileas.tiled_view<i4, [8, 32], global>
  %zero = arith.constant 0 : i32
  %x, %t = "nv_tileas.tiled_load"(%v, %i, %zero) <{cache_modifier = #nv_tileaa.cache_modifier<none>, eviction_policy = #nv_tileaa.eviction_policy<none>, in_bounds = array<i1: false, true>, mem_semantic = #nv_tileaa.mem_semantic<weak>, operandSegmentSizes = array<i32: 1, 2, 0, 0>, padding_value = #nv_tileaa.padding_value<zero>}> : (!nv_tileas.tiled_view<i4, [8, 32], global>, i32, i32) -> (tensor<8x32xi4>, !nv_tileaa.mem_token)
  %s = "nv_tileas.tiled_store"(%v, %x, %i, %zero) <{cache_modifier = #nv_tileaa.cache_modifier<none>, eviction_policy = #nv_tileaa.eviction_policy<none>, mem_semantic = #nv_tileaa.mem_semantic<weak>, operandSegmentSizes = array<i32: 1, 1, 2, 0, 0>}> : (!nv_tileas.tiled_view<i4, [8, 32], global>, tensor<8x32xi4>, i32, i32) -> !nv_tileaa.mem_token
  "nv_tileaa.return"() : () -> ()
}) : () -> ()
}
