// Each conversion of a layout says how the elements get to their threads.
// RUN: tilewright-opt %s --pass-pipeline='builtin.module(nv-tileas-materialise-conversions)' | FileCheck %s

!rows = tensor<128xi32, #nv_tileas.linear_layout<"(128) register=4:1@0 lane=32:4@0">>
!renamed = tensor<128xi32, #nv_tileas.linear_layout<"(128) register=(2,2):(2@0,1@0) lane=32:4@0">>
!turned = tensor<128xi32, #nv_tileas.linear_layout<"(128) register=(2,2):(1@0,4@0) lane=(2,16):(2@0,8@0)">>
!columns = tensor<128xi32, #nv_tileas.linear_layout<"(128) register=4:32@0 lane=32:1@0">>

// CHECK-LABEL: @ways
func.func @ways(%x: !rows) -> (!renamed, !turned, !columns) {
  // Every thread has what it wants.
  // CHECK: "nv_tileas.convert_layout"(%arg0) <{transfer = #nv_tileas.transfer<registers>}>
  %0 = "nv_tileas.convert_layout"(%x) : (!rows) -> !renamed
  // Two words of each lane go to its neighbour.
  // CHECK: "nv_tileas.convert_layout"(%arg0) <{transfer = #nv_tileas.transfer<shuffles>}>
  %1 = "nv_tileas.convert_layout"(%x) : (!rows) -> !turned
  // Four words and the choices between them are more than two accesses and two barriers.
  // CHECK: "nv_tileas.convert_layout"(%arg0) <{transfer = #nv_tileas.transfer<shared>}>
  %2 = "nv_tileas.convert_layout"(%x) : (!rows) -> !columns
  return %0, %1, %2 : !renamed, !turned, !columns
}
