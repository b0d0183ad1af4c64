// Functions of several blocks where they are called, arguments of blocks that are one value, and equal blocks.
// RUN: tilewright-opt %s --split-input-file --allow-unregistered-dialect --inline | FileCheck %s --check-prefix=INLINE
// RUN: tilewright-opt %s --split-input-file --allow-unregistered-dialect \
// RUN:   --pass-pipeline='any(canonicalize{region-simplify=aggressive})' | FileCheck %s --check-prefix=MERGE
// RUN: tilewright-opt %s --split-input-file --allow-unregistered-dialect --symbol-dce | FileCheck %s --check-prefix=DCE

// INLINE-LABEL: func.func @twice
// INLINE-NOT: call @choose
// INLINE: cf.cond_br %{{.*}}, ^bb1(%0 : i32), ^bb{{.*}}(%{{.*}} : i32)
// INLINE: %[[FIRST:.*]] = arith.xori
// INLINE-NEXT: cf.cond_br %[[C:.*]], ^bb2, ^bb3
// INLINE: %[[SUM:.*]] = arith.addi %[[FIRST]], %[[GIVEN:.*]] : i32
// INLINE-NEXT: cf.br ^bb4(%[[SUM]], %[[FIRST]] : i32, i32)
// INLINE: %[[PRODUCT:.*]] = arith.muli %[[FIRST]], %[[GIVEN]] : i32
// INLINE-NEXT: cf.br ^bb4(%[[GIVEN]], %[[PRODUCT]] : i32, i32)
// INLINE: ^bb4(%[[A:.*]]: i32, %[[B:.*]]: i32):
// INLINE-NEXT: cf.cond_br %{{.*}}, ^bb5(%[[A]] : i32), ^bb5(%[[B]] : i32)
// INLINE: return
func.func private @choose(%c: i1, %x: i32, %y: i32) -> (i32, i32) {
  cf.cond_br %c, ^a, ^b
^a:
  %0 = arith.addi %x, %y : i32
  return %0, %x : i32, i32
^b:
  %1 = arith.muli %x, %y : i32
  return %y, %1 : i32, i32
}
func.func @twice(%c: i1, %d: i1, %e: i1, %x: i32) -> (i32, i32) {
  %0 = arith.addi %x, %x : i32
  cf.cond_br %d, ^first(%0 : i32), ^last(%x : i32)
^first(%v: i32):
  %1 = arith.xori %v, %x : i32
  %2:2 = func.call @choose(%c, %1, %v) : (i1, i32, i32) -> (i32, i32)
  %3 = arith.subi %2#0, %2#1 : i32
  %4:2 = func.call @choose(%e, %3, %2#1) : (i1, i32, i32) -> (i32, i32)
  cf.br ^last(%4#0 : i32)
^last(%w: i32):
  %5 = arith.andi %w, %x : i32
  return %5, %w : i32, i32
}

// -----

// A branch of a region has a single block: what has several stays where it is.
// INLINE-LABEL: func.func @inside
// INLINE: scf.if
// INLINE: call @several
// INLINE-NOT: call @one
// INLINE: arith.addi
func.func @several(%c: i1, %x: i32) -> i32 {
  cf.cond_br %c, ^a, ^b
^a:
  return %x : i32
^b:
  %0 = arith.muli %x, %x : i32
  return %0 : i32
}
func.func @one(%x: i32) -> i32 {
  %0 = arith.addi %x, %x : i32
  return %0 : i32
}
func.func @inside(%c: i1, %x: i32) -> i32 {
  %0 = scf.if %c -> i32 {
    %1 = func.call @several(%c, %x) : (i1, i32) -> i32
    scf.yield %1 : i32
  } else {
    %2 = func.call @one(%x) : (i32) -> i32
    scf.yield %2 : i32
  }
  return %0 : i32
}

// -----

// Functions that call each other stay, and those that call them get one of them.
// INLINE-LABEL: func.func private @even
// INLINE: call @odd
// INLINE-LABEL: func.func @start
// INLINE: call @{{odd|even}}
// DCE-LABEL: func.func private @even
// DCE-NOT: @nobody
func.func private @even(%n: i32) -> i32 {
  %one = arith.constant 1 : i32
  %0 = arith.subi %n, %one : i32
  %1 = func.call @odd(%0) : (i32) -> i32
  return %1 : i32
}
func.func private @odd(%n: i32) -> i32 {
  %two = arith.constant 2 : i32
  %0 = arith.muli %n, %two : i32
  %1 = func.call @even(%0) : (i32) -> i32
  return %1 : i32
}
func.func private @nobody(%n: i32) -> i32 {
  %0 = func.call @nobody(%n) : (i32) -> i32
  return %0 : i32
}
func.func @start(%n: i32) -> i32 {
  %0 = func.call @even(%n) : (i32) -> i32
  return %0 : i32
}

// -----

// An argument that every branch gives the same value is that value, also if a loop hands it on.
// MERGE-LABEL: func.func @same
// MERGE-SAME: (%[[C:.*]]: i1, %[[X:.*]]: i32, %[[Y:.*]]: i32)
// MERGE: cf.cond_br %[[C]], ^bb1(%[[Y]] : i32), ^bb2(%[[X]] : i32)
// MERGE: ^bb1(%[[V:.*]]: i32):
// MERGE: arith.addi %[[X]], %[[V]]
func.func @same(%c: i1, %x: i32, %y: i32) -> i32 {
  cf.cond_br %c, ^loop(%x, %y : i32, i32), ^end(%x : i32)
^loop(%a: i32, %b: i32):
  %0 = arith.addi %a, %b : i32
  "test.use"(%0) : (i32) -> ()
  cf.cond_br %c, ^loop(%a, %0 : i32, i32), ^end(%0 : i32)
^end(%r: i32):
  return %r : i32
}

// -----

// Equal blocks with several results in them become one; those whose values differ in their order do not.
// MERGE-LABEL: func.func @equal
// MERGE-COUNT-1: "test.pair"
// MERGE-NOT: "test.pair"
// MERGE: return
// MERGE-LABEL: func.func @other
// MERGE-COUNT-2: "test.pair"
func.func @equal(%c: i1, %x: i32) {
  cf.cond_br %c, ^a, ^b
^a:
  %0:2 = "test.pair"(%x) : (i32) -> (i32, i32)
  %1 = "test.one"(%0#1, %0#0) : (i32, i32) -> i32
  "test.use"(%1, %0#1) : (i32, i32) -> ()
  return
^b:
  %2:2 = "test.pair"(%x) : (i32) -> (i32, i32)
  %3 = "test.one"(%2#1, %2#0) : (i32, i32) -> i32
  "test.use"(%3, %2#1) : (i32, i32) -> ()
  return
}
func.func @other(%c: i1, %x: i32) {
  cf.cond_br %c, ^a, ^b
^a:
  %0:2 = "test.pair"(%x) : (i32) -> (i32, i32)
  %1 = "test.one"(%0#1, %0#0) : (i32, i32) -> i32
  "test.use"(%1, %0#1) : (i32, i32) -> ()
  return
^b:
  %2:2 = "test.pair"(%x) : (i32) -> (i32, i32)
  %3 = "test.one"(%2#0, %2#1) : (i32, i32) -> i32
  "test.use"(%3, %2#1) : (i32, i32) -> ()
  return
}

// -----

// Public symbols of a hidden table are used from inside of it only.
// DCE-LABEL: module @visible
// DCE: func.func @kept
// DCE-NOT: @hidden
builtin.module @visible {
  func.func @kept() {
    return
  }
  builtin.module @nested attributes {sym_visibility = "private"} {
    func.func @gone() {
      return
    }
  }
}
builtin.module @hidden attributes {sym_visibility = "nested"} {
  func.func @called() {
    return
  }
  func.func private @gone() {
    return
  }
}
