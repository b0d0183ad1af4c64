// Factors of 8 bits become f16 where the chip has no instruction for them, and stay where it has one.
// RUN: tilewright-opt %s --pass-pipeline='builtin.module(nv-tileas-widen-factors)' --split-input-file | FileCheck %s

// CHECK: sm_80
module attributes {nv_tileaa.compute_capability = #nv_tileaa.compute_capability<80>, nv_tileaa.target_spec = #nv_tileaa.target_spec<"sm_80">} {
// CHECK-LABEL: @converted
func.func @converted(%a: tensor<16x32xf8E4M3FN>, %b: tensor<32x8xf8E5M2>, %c: tensor<16x8xf32>) -> tensor<16x8xf32> {
  // CHECK: %0 = nv_tileas.extf %arg0 : tensor<16x32xf8E4M3FN> to tensor<16x32xf16>
  // CHECK: %1 = nv_tileas.extf %arg1 : tensor<32x8xf8E5M2> to tensor<32x8xf16>
  // CHECK: "nv_tileas.dot"(%0, %1, %arg2) <{atom = #nv_tileas<atom mma_f16_f16_f32>
  %0 = "nv_tileas.dot"(%a, %b, %c) <{atom = #nv_tileas<atom mma_f8E4M3FN_f8E5M2_f32>, operandSegmentSizes = array<i32: 1, 1, 1, 0, 0, 0>}> : (tensor<16x32xf8E4M3FN>, tensor<32x8xf8E5M2>, tensor<16x8xf32>) -> tensor<16x8xf32>
  return %0 : tensor<16x8xf32>
}

// CHECK-LABEL: @halves
func.func @halves(%a: tensor<16x16xf16>, %b: tensor<16x8xf16>, %c: tensor<16x8xf32>) -> tensor<16x8xf32> {
  // CHECK-NOT: extf
  // CHECK: "nv_tileas.dot"(%arg0, %arg1, %arg2)
  %0 = "nv_tileas.dot"(%a, %b, %c) <{atom = #nv_tileas<atom mma_f16_f16_f32>, operandSegmentSizes = array<i32: 1, 1, 1, 0, 0, 0>}> : (tensor<16x16xf16>, tensor<16x8xf16>, tensor<16x8xf32>) -> tensor<16x8xf32>
  return %0 : tensor<16x8xf32>
}
}

// -----

// CHECK: sm_89
module attributes {nv_tileaa.compute_capability = #nv_tileaa.compute_capability<89>, nv_tileaa.target_spec = #nv_tileaa.target_spec<"sm_89">} {
// CHECK-LABEL: @native
func.func @native(%a: tensor<16x32xf8E4M3FN>, %b: tensor<32x8xf8E5M2>, %c: tensor<16x8xf32>) -> tensor<16x8xf32> {
  // CHECK-NOT: extf
  // CHECK: "nv_tileas.dot"(%arg0, %arg1, %arg2) <{atom = #nv_tileas<atom mma_f8E4M3FN_f8E5M2_f32>
  %0 = "nv_tileas.dot"(%a, %b, %c) <{atom = #nv_tileas<atom mma_f8E4M3FN_f8E5M2_f32>, operandSegmentSizes = array<i32: 1, 1, 1, 0, 0, 0>}> : (tensor<16x32xf8E4M3FN>, tensor<32x8xf8E5M2>, tensor<16x8xf32>) -> tensor<16x8xf32>
  return %0 : tensor<16x8xf32>
}
}
