// Every tile of a kernel gets a layout, and what needs another layout is converted.
// RUN: tilewright-opt %s --pass-pipeline='builtin.module(nv-tileas-assign-layouts)' | FileCheck %s

module attributes {nv_tileaa.compute_capability = #nv_tileaa.compute_capability<80>, nv_tileaa.target_spec = #nv_tileaa.target_spec<"sm_80">} {
// 1024 elements for 128 threads: four neighbours each, which are the 16 bytes of an access, twice.
// CHECK: sym_name = "elementwise"
// CHECK: "nv_tileas.load"({{.*}} -> (tensor<1024xf32, #nv_tileas.linear_layout<"(1024) register=(4,2):(1@0,512@0) lane=32:4@0 warp=4:128@0">>
// CHECK: arith.addf {{.*}} : tensor<1024xf32, #nv_tileas.linear_layout<"(1024) register=(4,2):(1@0,512@0) lane=32:4@0 warp=4:128@0">>
"nv_tileaa.func"() <{function_type = (!nv_tileaa.ptr<f32, 1>) -> (), kernel_spec = #nv_tileaa.kernel_spec<clusterDim=[1,1,1]>, sym_name = "elementwise"}> ({
^bb0(%p0: !nv_tileaa.ptr<f32, 1>):
  %p = "nv_tileaa.assume"(%p0) <{predicates = [#nv_tileaa.div_by<16>]}> : (!nv_tileaa.ptr<f32, 1>) -> !nv_tileaa.ptr<f32, 1>
  %0 = "nv_tileas.generate"() ({
  ^bb0(%i: index):
    %a = arith.index_cast %i : index to i64
    %b = "nv_tileaa.addptr"(%p, %a) : (!nv_tileaa.ptr<f32, 1>, i64) -> !nv_tileaa.ptr<f32, 1>
    "nv_tileas.yield"(%b) : (!nv_tileaa.ptr<f32, 1>) -> ()
  }) : () -> tensor<1024x!nv_tileaa.ptr<f32, 1>>
  %1:2 = "nv_tileas.load"(%0) <{cache_modifier = #nv_tileaa.cache_modifier<none>, eviction_policy = #nv_tileaa.eviction_policy<none>, mem_semantic = #nv_tileaa.mem_semantic<weak>, operandSegmentSizes = array<i32: 1, 0, 0, 0, 0>}> : (tensor<1024x!nv_tileaa.ptr<f32, 1>>) -> (tensor<1024xf32>, !nv_tileaa.mem_token)
  %2 = arith.addf %1#0, %1#0 : tensor<1024xf32>
  "nv_tileaa.return"() : () -> ()
}) : () -> ()
// A product has the layouts of its instruction; an element-wise operation after it keeps the layout of the sums.
// CHECK: sym_name = "product"
// CHECK: %[[A:.*]] = "nv_tileas.convert_layout"{{.*}} -> tensor<64x32xf16, #nv_tileas.linear_layout<"(64,32) register=(2,2,4,2):(1@1,8@0,8@1,16@0) lane=(4,8):(2@1,1@0) warp=(2,2):(0,32@0)">>
// CHECK: %[[B:.*]] = "nv_tileas.convert_layout"{{.*}} -> tensor<32x64xf16, #nv_tileas.linear_layout<"(32,64) register=(2,2,4,2):(1@0,8@0,8@1,16@0) lane=(4,8):(2@0,1@1) warp=(2,2):(32@1,0)">>
// CHECK: %[[C:.*]] = "nv_tileas.convert_layout"{{.*}} -> tensor<64x64xf32, #nv_tileas.linear_layout<"(64,64) register=(2,2,4,2):(1@1,8@0,8@1,16@0) lane=(4,8):(2@1,1@0) warp=(2,2):(32@1,32@0)">>
// CHECK: "nv_tileas.dot"(%[[A]], %[[B]], %[[C]]) <{atom = #nv_tileas<atom mma_m16n8k16_f16_f16_f32>
// CHECK-NOT: convert_layout
// CHECK: arith.addf {{.*}}register=(2,2,4,2):(1@1,8@0,8@1,16@0) lane=(4,8):(2@1,1@0) warp=(2,2):(32@1,32@0)
"nv_tileaa.func"() <{function_type = (f16) -> (), kernel_spec = #nv_tileaa.kernel_spec<clusterDim=[1,1,1]>, sym_name = "product"}> ({
^bb0(%x: f16):
  %a = "nv_tileaa.splat"(%x) : (f16) -> tensor<64x32xf16>
  %b = "nv_tileaa.splat"(%x) : (f16) -> tensor<32x64xf16>
  %c = "nv_tileaa.splat"() <{value = 0.0 : f32}> : () -> tensor<64x64xf32>
  %0 = "nv_tileas.dot"(%a, %b, %c) <{atom = #nv_tileas<atom mma_f16_f16_f32>, operandSegmentSizes = array<i32: 1, 1, 1, 0, 0, 0>}> : (tensor<64x32xf16>, tensor<32x64xf16>, tensor<64x64xf32>) -> tensor<64x64xf32>
  %1 = arith.addf %0, %0 : tensor<64x64xf32>
  "nv_tileaa.return"() : () -> ()
}) : () -> ()
// Functions that are not kernels have tiles without layouts.
// CHECK: sym_name = "helper"
// CHECK-NOT: linear_layout
"nv_tileaa.func"() <{function_type = (f32) -> (), sym_name = "helper"}> ({
^bb0(%x: f32):
  %a = "nv_tileaa.splat"(%x) : (f32) -> tensor<64x32xf32>
  "nv_tileaa.return"() : () -> ()
}) : () -> ()
}
