// Vectors.
// RUN: tilewright-opt %s | tilewright-opt | FileCheck %s
// RUN: tilewright-opt %s --mlir-print-op-generic | tilewright-opt | FileCheck %s

// CHECK-LABEL: func.func @vectors(%arg0: vector<4xf32>, %arg1: vector<2x4xf32>, %arg2: f32) -> f32 {
// CHECK-NEXT:  %0 = vector.broadcast %arg2 : f32 to vector<4xf32>
// CHECK-NEXT:  %1 = vector.fma %arg0, %0, %arg0 : vector<4xf32>
// CHECK-NEXT:  %2 = vector.reduction <add>, %1 : vector<4xf32> into f32
// CHECK-NEXT:  return %2 : f32

func.func @vectors(%v: vector<4xf32>, %w: vector<2x4xf32>, %x: f32) -> f32 {
  %0 = vector.broadcast %x : f32 to vector<4xf32>
  %1 = vector.fma %v, %0, %v : vector<4xf32>
  %5 = vector.reduction <add>, %1 : vector<4xf32> into f32
  return %5 : f32
}

// CHECK-LABEL: func.func @products(%arg0: vector<4xf32>, %arg1: f32) -> f32 {
// CHECK:       vector.contract
func.func @products(%v: vector<4xf32>, %x: f32) -> f32 {
  %0 = vector.contract {
    indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>, affine_map<(i) -> ()>],
    iterator_types = ["reduction"], kind = #vector.kind<add>
  } %v, %v, %x : vector<4xf32>, vector<4xf32> into f32
  return %0 : f32
}
