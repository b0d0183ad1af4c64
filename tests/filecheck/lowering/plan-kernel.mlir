// A block has as many warps as its kernel asks for, or as its tiles need.
// RUN: tilewright-opt %s --pass-pipeline='builtin.module(nv-tileas-plan-kernel)' --allow-unregistered-dialect | FileCheck %s
// RUN: tilewright-opt %s --pass-pipeline='builtin.module(nv-tileas-plan-kernel{explain=true})' --allow-unregistered-dialect --verify-diagnostics

module attributes {nv_tileaa.compute_capability = #nv_tileaa.compute_capability<80>, nv_tileaa.target_spec = #nv_tileaa.target_spec<"sm_80">} {

// Four warps are the default, which a specification does not name.
// CHECK: kernel_spec<clusterDim=[1,1,1]>, sym_name = "small"
// expected-remark@+1 {{a block has 4 warps: a thread holds 1 of the elements of the largest tile}}
"nv_tileaa.func"() <{function_type = (i32) -> (), kernel_spec = #nv_tileaa.kernel_spec<clusterDim=[1,1,1]>, sym_name = "small"}> ({
^bb0(%x: i32):
  %0 = "nv_tileaa.splat"(%x) : (i32) -> tensor<128xi32>
  "test.use"(%0) : (tensor<128xi32>) -> ()
  "nv_tileaa.return"() : () -> ()
}) : () -> ()

// No thread holds more than 64 elements of a tile.
// CHECK: kernel_spec<numWarps=16, clusterDim=[1,1,1]>, sym_name = "large"
// expected-remark@+1 {{a block has 16 warps: a thread holds 64 of the elements of the largest tile}}
"nv_tileaa.func"() <{function_type = (i32) -> (), kernel_spec = #nv_tileaa.kernel_spec<clusterDim=[1,1,1]>, sym_name = "large"}> ({
^bb0(%x: i32):
  %0 = "nv_tileaa.splat"(%x) : (i32) -> tensor<256x128xi32>
  "test.use"(%0) : (tensor<256x128xi32>) -> ()
  "nv_tileaa.return"() : () -> ()
}) : () -> ()

// The number of a specification stays.
// CHECK: kernel_spec<numWarps=8, clusterDim=[1,1,1]>, sym_name = "asked"
// expected-remark@+1 {{a block has 8 warps: the kernel asks for them}}
"nv_tileaa.func"() <{function_type = (i32) -> (), kernel_spec = #nv_tileaa.kernel_spec<clusterDim=[1,1,1], numWarps=8>, sym_name = "asked"}> ({
^bb0(%x: i32):
  %0 = "nv_tileaa.splat"(%x) : (i32) -> tensor<128xi32>
  "test.use"(%0) : (tensor<128xi32>) -> ()
  "nv_tileaa.return"() : () -> ()
}) : () -> ()

// The sums of a product have to fit into registers.
// CHECK: kernel_spec<numWarps=8, clusterDim=[1,1,1]>, sym_name = "product"
// expected-remark@+1 {{a block has 8 warps: 4 warps: 296 of 255 registers; 8 warps: 168 of 255 registers}}
"nv_tileaa.func"() <{function_type = (tensor<128x64xf16>) -> (), kernel_spec = #nv_tileaa.kernel_spec<clusterDim=[1,1,1]>, sym_name = "product"}> ({
^bb0(%a: tensor<128x64xf16>):
  %b = "nv_tileaa.splat"() <{value = 0.0 : f16}> : () -> tensor<64x256xf16>
  %c = "nv_tileaa.splat"() <{value = 0.0 : f32}> : () -> tensor<128x256xf32>
  %0 = "nv_tileas.dot"(%a, %b, %c) <{atom = #nv_tileas<atom mma_f16_f16_f32>, operandSegmentSizes = array<i32: 1, 1, 1, 0, 0, 0>}> : (tensor<128x64xf16>, tensor<64x256xf16>, tensor<128x256xf32>) -> tensor<128x256xf32>
  "test.use"(%0) : (tensor<128x256xf32>) -> ()
  "nv_tileaa.return"() : () -> ()
}) : () -> ()
}
