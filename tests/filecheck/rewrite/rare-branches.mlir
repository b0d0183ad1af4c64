// Branches of unknown operations, constant conditions, and operations that may not move.
// RUN: tilewright-opt %s --split-input-file --allow-unregistered-dialect --sccp | FileCheck %s --check-prefix=SCCP
// RUN: tilewright-opt %s --split-input-file --allow-unregistered-dialect --inline | FileCheck %s --check-prefix=INLINE
// RUN: tilewright-opt %s --split-input-file --allow-unregistered-dialect --symbol-dce | FileCheck %s --check-prefix=DCE
// RUN: tilewright-opt %s --split-input-file --allow-unregistered-dialect \
// RUN:   --pass-pipeline='any(canonicalize{region-simplify=aggressive})' | FileCheck %s --check-prefix=MERGE

// The side that is not taken has no say.
// SCCP-LABEL: func.func @one_side
// SCCP: %[[TWO:.*]] = arith.constant 2 : i32
// SCCP: return %[[TWO]] : i32
// MERGE-LABEL: func.func @one_side
// MERGE-NEXT: %[[TWO:.*]] = arith.constant 2 : i32
// MERGE-NEXT: return %[[TWO]] : i32
func.func @one_side(%x: i32) -> i32 {
  %true = arith.constant true
  %one = arith.constant 1 : i32
  cf.cond_br %true, ^a(%one : i32), ^b(%x : i32)
^a(%v: i32):
  %two = arith.addi %v, %v : i32
  cf.br ^c(%two : i32)
^b(%w: i32):
  cf.br ^c(%w : i32)
^c(%r: i32):
  return %r : i32
}

// -----

// Nothing is known of what an unknown branch passes on, and its blocks keep their arguments.
// SCCP-LABEL: func.func @unknown
// SCCP: "test.jump"
// SCCP: ^bb1(%[[V:.*]]: i32):
// SCCP-NEXT: return %[[V]] : i32
// MERGE-LABEL: func.func @unknown
// MERGE: ^bb1(%[[V:.*]]: i32):
// MERGE-NEXT: return %[[V]] : i32
func.func @unknown() -> i32 {
  %one = arith.constant 1 : i32
  "test.jump"(%one)[^a] : (i32) -> ()
^a(%v: i32):
  return %v : i32
}

// -----

// An operation whose dialect does not say that it may move stays in its function.
// INLINE-LABEL: func.func @caller
// INLINE: call @stays
// INLINE-NOT: call @goes
// INLINE: arith.addi
func.func @stays(%x: i32) -> i32 {
  %0 = "test.here"(%x) : (i32) -> i32
  return %0 : i32
}
func.func @goes(%x: i32) -> i32 {
  %0 = arith.addi %x, %x : i32
  return %0 : i32
}
func.func @caller(%x: i32) -> i32 {
  %0 = call @stays(%x) : (i32) -> i32
  %1 = call @goes(%0) : (i32) -> i32
  return %1 : i32
}

// -----

// The symbols of a table inside of a function are those of the table.
// DCE-LABEL: func.func @holder
// DCE: module @inner
// DCE-NOT: @unused
// DCE: func.func private @used
// DCE: func.func @user
func.func @holder() {
  builtin.module @inner {
    func.func private @unused() {
      return
    }
    func.func private @used() {
      return
    }
    func.func @user() {
      func.call @used() : () -> ()
      return
    }
  }
  return
}

// -----

// Blocks with regions are not merged, equal ones without are.
// MERGE-LABEL: func.func @blocks
// MERGE-COUNT-2: scf.if
// MERGE-COUNT-1: "test.end"
// MERGE-NOT: "test.end"
func.func @blocks(%c: i1, %d: i1, %x: i32) {
  cf.cond_br %c, ^a, ^b
^a:
  scf.if %d {
    "test.work"(%x) : (i32) -> ()
  }
  cf.cond_br %d, ^e, ^f
^b:
  scf.if %d {
    "test.work"(%x) : (i32) -> ()
  }
  cf.cond_br %d, ^f, ^e
^e:
  "test.end"(%x) : (i32) -> ()
  return
^f:
  "test.end"(%x) : (i32) -> ()
  return
}
