// Nested modules, casts and the attributes that every dialect has.
// RUN: tilewright-opt %s --allow-unregistered-dialect --mlir-print-local-scope | tilewright-opt --allow-unregistered-dialect --mlir-print-local-scope | FileCheck %s
// RUN: tilewright-opt %s --allow-unregistered-dialect --mlir-print-local-scope --mlir-print-op-generic | tilewright-opt --allow-unregistered-dialect --mlir-print-local-scope | FileCheck %s

// CHECK-LABEL: module @outer attributes {test.flag} {
// CHECK-NEXT:  module @inner {
// CHECK-NEXT:  }
// CHECK-NEXT:  func.func @casts(%arg0: tuple<i32, f32>, %arg1: tensor<*xf16>, %arg2: complex<f64>) {
// CHECK-NEXT:  %0 = builtin.unrealized_conversion_cast %arg0 : tuple<i32, f32> to i64
// CHECK-NEXT:  %1 = ub.poison : vector<[4]xi8>
// CHECK-NEXT:  "test.any"(%0) {array = [1, 2.000000e+00, "s", @outer, unit, i32], dense = dense<{{\[\[}}1, 2], [3, 4{{\]\]}}> : tensor<2x2xi16>, map = affine_map<(d0, d1)[s0] -> (d0 * 4 + s0, d1 mod 8)>, small = array<i8: 1, 2>} : (i64) -> ()
// CHECK-NEXT:  return

module @outer attributes {test.flag} {
  module @inner {
  }
  func.func @casts(%t: tuple<i32, f32>, %u: tensor<*xf16>, %c: complex<f64>) {
    %0 = builtin.unrealized_conversion_cast %t : tuple<i32, f32> to i64
    %1 = ub.poison : vector<[4]xi8>
    "test.any"(%0) {
      array = [1, 2.0, "s", @outer, unit, i32],
      dense = dense<[[1, 2], [3, 4]]> : tensor<2x2xi16>,
      map = affine_map<(d0, d1)[s0] -> (d0 * 4 + s0, d1 mod 8)>,
      small = array<i8: 1, 2>
    } : (i64) -> ()
    return
  }
}
