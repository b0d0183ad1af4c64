"""Programs of the standard dialects whose lines repeat themselves."""

PROGRAM = """#place = loc("elsewhere.py":7:3)
!word = i32
func.func @f(%a: i32, %b: i32, %m: memref<8xf32>, %i: index, %c: i1) -> i32 {
  %0 = arith.addi %a, %b : i32
  %1 = arith.addi %0, %0 : i32
  %2 = arith.addi %1, %a : i32 loc(#place)
  %3 = arith.addi %2, %a : i32 loc(#place)
  %4 = arith.addi %3, %a : i32 loc("there.py":1:2)
  %5 = arith.addi %4, %a : !word
  %6 = arith.addi %5, %a : !word
  %low, %high = arith.mulsi_extended %6, %b : i32
  %other, %last = arith.mulsi_extended %low, %high : i32
  %pair:2 = arith.mulsi_extended %other, %last : i32
  %7 = arith.addi %pair#0, %pair#1 : i32
  %8 = memref.load %m[%i] : memref<8xf32>
  memref.store %8, %m[%i] : memref<8xf32>
  memref.store %8, %m[%i] : memref<8xf32>
  %9 = memref.load %m[%i] : memref<8xf32>
  cf.assert %c, "never %0, never // %8"
  cf.assert %c, "never %0, never // %8"
  %10 = arith.constant 5 : i32
  %11 = arith.constant 5 : i32
  // a remark on %12
  %12 = arith.addi %10, %11 overflow<nsw> : i32

  %13 = arith.addi %12, %11 overflow<nsw> : i32
  cf.cond_br %c, ^next(%13 : i32), ^next(%12 : i32)
^next(%14: i32):
  %15 = arith.addi %14, %13 : i32
  %16 = arith.addi %15, %15 : i32
  return %16 : i32
}
"""

LOOPS = """func.func @f(%a: index, %b: index, %c: index, %x: f32, %m: memref<4xf32>) -> f32 {
  %r = scf.for %i = %a to %b step %c iter_args(%y = %x) -> (f32) {
    %z = arith.addf %y, %x : f32
    scf.for %j = %a to %b step %c {
      memref.store %z, %m[%j] : memref<4xf32>
    }
    scf.yield %z : f32
  }
  %r2 = scf.for %i = %a to %b step %c iter_args(%y = %r) -> (f32) {
    %z = arith.addf %y, %x : f32
    scf.for %j = %b to %a step %c {
      memref.store %z, %m[%j] : memref<4xf32>
    } {hello = 1 : i32}
    scf.for %j = %b to %b step %c {
      memref.store %z, %m[%j] : memref<4xf32>
    } loc("here":3:4)
    scf.for %j = %c to %b step %a {
      memref.store %z, %m[%j] : memref<4xf32>
    }
    scf.yield %z : f32
  }
  %r3 = scf.for %i = %a to %b step %c iter_args(%y = %r2) -> (f32) {
    %z = arith.addf %y, %x : f32
    scf.yield %z : f32
  }
  return %r3 : f32
}
"""

BY_HAND = """func.func @f(%a: i32, %b: i32, %c: i1) -> i32 {
  %0 = arith.select %c, %a, %b : i32
  %1 = arith.select %c, %0, %b : i32
  %2 = llvm.icmp "slt" %0, %1 : i32
  %3 = llvm.icmp "slt" %1, %a : i32
  %4 = llvm.icmp "eq" %1, %a {hello} : i32
  %5 = llvm.icmp "eq" %1, %b {hello} : i32
  %6 = arith.select %5, %0, %b : i32
  return %6 : i32
}
"""
"""Operations whose classes print and parse them by hand."""

CONSTANTS = """func.func @f() -> i8 {
  %0 = arith.constant 5 : i8
  %1 = arith.constant -7 : i8
  %2 = arith.constant 0x1F : i8 loc("here":1:2)
  %3 = arith.constant 127 : i8 loc("here":1:3)
  %4 = arith.constant 1.5 : f32
  %5 = arith.constant -2.5e10 : f32
  %6 = llvm.mlir.constant(1 : i32) : i32
  %7 = llvm.mlir.constant(-1 : i32) : i32
  %8 = llvm.mlir.constant(1 : i64) : i64
  %9 = arith.constant 9 : i8
  return %9 : i8
}
"""
"""Operations that differ in a number."""
