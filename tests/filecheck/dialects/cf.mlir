// Branches between blocks.
// RUN: tilewright-opt %s | tilewright-opt | FileCheck %s
// RUN: tilewright-opt %s --mlir-print-op-generic | tilewright-opt | FileCheck %s

// CHECK-LABEL: func.func @branches(%arg0: i1, %arg1: i32) -> i32 {
// CHECK-NEXT:  cf.cond_br %arg0, ^bb1(%arg1 : i32), ^bb2
// CHECK-NEXT:  ^bb1(%0: i32):  // pred: ^bb0
// CHECK-NEXT:  cf.switch %0 : i32, [
// CHECK-NEXT:  default: ^bb2,
// CHECK-NEXT:  1: ^bb3(%0 : i32),
// CHECK-NEXT:  2: ^bb3(%arg1 : i32)
// CHECK-NEXT:  ]
// CHECK-NEXT:  ^bb2:  // 2 preds: ^bb0, ^bb1
// CHECK-NEXT:  cf.assert %arg0, "it holds"
// CHECK-NEXT:  cf.br ^bb3(%arg1 : i32)
// CHECK-NEXT:  ^bb3(%1: i32):  // 3 preds: ^bb1, ^bb1, ^bb2
// CHECK-NEXT:  return %1 : i32

func.func @branches(%c: i1, %a: i32) -> i32 {
  cf.cond_br %c, ^then(%a : i32), ^else
^then(%x: i32):
  cf.switch %x : i32, [
    default: ^else,
    1: ^end(%x : i32),
    2: ^end(%a : i32)
  ]
^else:
  cf.assert %c, "it holds"
  cf.br ^end(%a : i32)
^end(%y: i32):
  return %y : i32
}
