// Custom syntax of arith, both ways and through the generic form.
// RUN: tilewright-opt %s | tilewright-opt | FileCheck %s
// RUN: tilewright-opt %s --mlir-print-op-generic | tilewright-opt | FileCheck %s

// CHECK-LABEL: func.func @numbers(%arg0: i32, %arg1: i32, %arg2: f32, %arg3: vector<4xf32>) -> i1 {
// CHECK-NEXT:  %c7_i32 = arith.constant 7 : i32
// CHECK-NEXT:  %cst = arith.constant dense<[1.000000e+00, 2.000000e+00]> : tensor<2xf32>
// CHECK-NEXT:  %0 = arith.addi %arg0, %arg1 overflow<nsw> : i32
// CHECK-NEXT:  %1 = arith.divsi %0, %c7_i32 : i32
// CHECK-NEXT:  %2 = arith.addf %arg2, %arg2 fastmath<fast> : f32
// CHECK-NEXT:  %3 = arith.mulf %arg3, %arg3 : vector<4xf32>
// CHECK-NEXT:  %4 = arith.extsi %1 : i32 to i64
// CHECK-NEXT:  %5 = arith.sitofp %4 : i64 to f64
// CHECK-NEXT:  %6 = arith.cmpi slt, %1, %arg0 : i32
// CHECK-NEXT:  %7 = arith.cmpf olt, %2, %arg2 : f32
// CHECK-NEXT:  %8 = arith.select %6, %6, %7 : i1
// CHECK-NEXT:  %low, %high = arith.mulsi_extended %arg0, %arg1 : i32
// CHECK-NEXT:  return %8 : i1

func.func @numbers(%a: i32, %b: i32, %x: f32, %v: vector<4xf32>) -> i1 {
  %c = arith.constant 7 : i32
  %d = arith.constant dense<[1.0, 2.0]> : tensor<2xf32>
  %0 = arith.addi %a, %b overflow<nsw> : i32
  %1 = arith.divsi %0, %c : i32
  %2 = arith.addf %x, %x fastmath<fast> : f32
  %3 = arith.mulf %v, %v : vector<4xf32>
  %4 = arith.extsi %1 : i32 to i64
  %5 = arith.sitofp %4 : i64 to f64
  %6 = arith.cmpi slt, %1, %a : i32
  %7 = arith.cmpf olt, %2, %x : f32
  %8 = arith.select %6, %6, %7 : i1
  %low, %high = arith.mulsi_extended %a, %b : i32
  return %8 : i1
}
