// What is the same in every iteration goes before the loop; what may trap or reads memory stays.
// RUN: tilewright-opt %s --loop-invariant-code-motion | FileCheck %s

// CHECK-LABEL: func.func @loop
// CHECK: arith.muli
// CHECK: scf.for
// CHECK-NEXT: arith.divsi
// CHECK-NEXT: memref.load
func.func @loop(%x: i32, %y: i32, %n: index, %m: memref<?xi32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c0 to %n step %c1 {
    %a = arith.muli %x, %y : i32
    %b = arith.divsi %a, %y : i32
    %l = memref.load %m[%c0] : memref<?xi32>
    %s = arith.addi %b, %l : i32
    memref.store %s, %m[%i] : memref<?xi32>
  }
  return
}
