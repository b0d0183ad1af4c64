// Known conditions, loops of one iteration, blocks that only branch on.
// RUN: tilewright-opt %s --canonicalize --split-input-file | FileCheck %s

// CHECK-LABEL: func.func @one_iteration
// CHECK-NOT: scf.for
// CHECK: call @use
func.func @one_iteration() {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c0 to %c1 step %c1 {
    %m = memref.alloc() : memref<1xi8>
    func.call @use(%m) : (memref<1xi8>) -> ()
  }
  return
}
func.func private @use(memref<1xi8>)

// -----

// CHECK-LABEL: func.func @chosen
// CHECK-SAME: (%[[X:.*]]: i32, %{{.*}}: i32)
// CHECK-NEXT: return %[[X]] : i32
func.func @chosen(%x: i32, %y: i32) -> i32 {
  %true = arith.constant true
  %0 = scf.if %true -> i32 {
    scf.yield %x : i32
  } else {
    scf.yield %y : i32
  }
  return %0 : i32
}

// -----

// CHECK-LABEL: func.func @straight
// CHECK-NOT: cf.br
// CHECK: return
func.func @straight(%x: i32) -> i32 {
  cf.br ^a(%x : i32)
^a(%a: i32):
  cf.br ^b
^b:
  return %a : i32
}
