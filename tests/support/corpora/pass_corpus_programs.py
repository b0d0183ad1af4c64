"""Programs for `sccp`, `loop-invariant-code-motion`, `inline` and `cse`."""

from __future__ import annotations

PROPAGATION: dict[str, str] = {
    "straight": """
func.func @f() -> i32 {
  %a = arith.constant 1 : i32
  %b = arith.addi %a, %a : i32
  %c = arith.muli %b, %b : i32
  return %c : i32
}""",
    "dead_branch": """
func.func @f(%x: i32) -> i32 {
  %one = arith.constant 1 : i32
  %c = arith.cmpi eq, %one, %one : i32
  cf.cond_br %c, ^a(%one : i32), ^a(%x : i32)
^a(%r: i32):
  return %r : i32
}""",
    "diamond": """
func.func @f(%c: i1) -> i32 {
  %one = arith.constant 1 : i32
  cf.cond_br %c, ^a, ^b
^a:
  %two = arith.constant 2 : i32
  %m = arith.subi %two, %one : i32
  cf.br ^c(%m : i32)
^b:
  cf.br ^c(%one : i32)
^c(%r: i32):
  return %r : i32
}""",
    "differs": """
func.func @f(%c: i1) -> i32 {
  %one = arith.constant 1 : i32
  %two = arith.constant 2 : i32
  cf.cond_br %c, ^a(%one : i32), ^a(%two : i32)
^a(%r: i32):
  return %r : i32
}""",
    "loop_of_blocks": """
func.func @f(%c: i1) -> i32 {
  %one = arith.constant 1 : i32
  cf.br ^a(%one : i32)
^a(%v: i32):
  %w = arith.muli %v, %one : i32
  cf.cond_br %c, ^a(%w : i32), ^b
^b:
  return %v : i32
}""",
    "for": """
func.func @f(%n: index) -> i32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %one = arith.constant 1 : i32
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%v = %one) -> i32 {
    %w = arith.muli %v, %v : i32
    scf.yield %w : i32
  }
  return %r : i32
}""",
    "if_known": """
func.func @f(%x: i32) -> i32 {
  %true = arith.constant true
  %one = arith.constant 1 : i32
  %r = scf.if %true -> i32 {
    scf.yield %one : i32
  } else {
    scf.yield %x : i32
  }
  return %r : i32
}""",
    "while_known": """
func.func @f() -> i32 {
  %false = arith.constant false
  %one = arith.constant 1 : i32
  %two = arith.constant 2 : i32
  %r = scf.while (%v = %one) : (i32) -> i32 {
    scf.condition(%false) %v : i32
  } do {
  ^bb0(%a: i32):
    scf.yield %two : i32
  }
  return %r : i32
}""",
    "switch": """
func.func @f() -> i32 {
  %one = arith.constant 1 : i32
  %two = arith.constant 2 : i32
  cf.switch %one : i32, [
    default: ^a(%two : i32),
    1: ^a(%one : i32)
  ]
^a(%r: i32):
  return %r : i32
}""",
    "unknown_region": """
func.func @f() -> i32 {
  %one = arith.constant 1 : i32
  "test.region"() ({
  ^bb0(%a: i32):
    %b = arith.addi %one, %one : i32
    %c = arith.addi %a, %one : i32
    "test.end"(%b, %c) : (i32, i32) -> ()
  }) : () -> ()
  return %one : i32
}""",
}

HOISTING: dict[str, str] = {
    "invariant": """
func.func @f(%x: i32, %n: index, %m: memref<?xi32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c0 to %n step %c1 {
    %k = arith.constant 3 : i32
    %a = arith.muli %x, %k : i32
    %b = arith.addi %a, %x : i32
    memref.store %b, %m[%i] : memref<?xi32>
  }
  return
}""",
    "two_loops": """
func.func @f(%x: index, %n: index, %m: memref<?xindex>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c0 to %n step %c1 {
    scf.for %j = %c0 to %n step %c1 {
      %a = arith.muli %x, %x : index
      %b = arith.addi %a, %i : index
      %c = arith.addi %b, %j : index
      memref.store %c, %m[%j] : memref<?xindex>
    }
  }
  return
}""",
    "division_stays": """
func.func @f(%x: i32, %y: i32, %n: index, %m: memref<?xi32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c0 to %n step %c1 {
    %a = arith.divsi %x, %y : i32
    memref.store %a, %m[%i] : memref<?xi32>
  }
  return
}""",
    "load_stays": """
func.func @f(%k: index, %n: index, %m: memref<?xi32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c0 to %n step %c1 {
    %a = memref.load %m[%k] : memref<?xi32>
    memref.store %a, %m[%i] : memref<?xi32>
  }
  return
}""",
    "if_moves": """
func.func @f(%c: i1, %x: i32, %n: index, %m: memref<?xi32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c0 to %n step %c1 {
    %a = scf.if %c -> i32 {
      %b = arith.addi %x, %x : i32
      scf.yield %b : i32
    } else {
      scf.yield %x : i32
    }
    memref.store %a, %m[%i] : memref<?xi32>
  }
  return
}""",
    "while": """
func.func @f(%x: i32) -> i32 {
  %r = scf.while (%v = %x) : (i32) -> i32 {
    %k = arith.muli %x, %x : i32
    %c = arith.cmpi slt, %v, %k : i32
    scf.condition(%c) %v : i32
  } do {
  ^bb0(%a: i32):
    %s = arith.addi %x, %x : i32
    %t = arith.addi %a, %s : i32
    scf.yield %t : i32
  }
  return %r : i32
}""",
}

INLINING: dict[str, str] = {
    "straight": """
func.func @g(%a: i32) -> i32 {
  %r = arith.addi %a, %a : i32
  return %r : i32
}
func.func @f(%x: i32) -> i32 {
  %a = call @g(%x) : (i32) -> i32
  %b = call @g(%a) : (i32) -> i32
  return %b : i32
}""",
    "private_goes_away": """
func.func private @g(%a: i32) -> i32 {
  %r = arith.addi %a, %a : i32
  return %r : i32
}
func.func @f(%x: i32) -> i32 {
  %a = call @g(%x) : (i32) -> i32
  return %a : i32
}""",
    "chain": """
func.func private @h(%a: i32) -> i32 {
  %r = "test.op"(%a) : (i32) -> i32
  return %r : i32
}
func.func private @g(%a: i32) -> i32 {
  %r = arith.muli %a, %a : i32
  return %r : i32
}
func.func @f(%x: i32) -> i32 {
  %a = call @g(%x) : (i32) -> i32
  %b = call @h(%a) : (i32) -> i32
  return %b : i32
}""",
    "recursion_stays": """
func.func @f(%x: i32) -> i32 {
  %a = call @f(%x) : (i32) -> i32
  return %a : i32
}""",
    "declaration_stays": """
func.func private @g(i32) -> i32
func.func @f(%x: i32) -> i32 {
  %a = call @g(%x) : (i32) -> i32
  return %a : i32
}""",
    "blocks": """
func.func private @g(%c: i1, %a: i32) -> i32 {
  cf.cond_br %c, ^a, ^b
^a:
  %r = arith.muli %a, %a : i32
  return %r : i32
^b:
  %s = arith.addi %a, %a : i32
  return %s : i32
}
func.func @f(%c: i1, %x: i32) -> i32 {
  %a = call @g(%c, %x) : (i1, i32) -> i32
  %b = arith.addi %a, %x : i32
  return %b : i32
}""",
    "blocks_stay_in_a_loop": """
func.func private @g(%c: i1, %a: i32) -> i32 {
  cf.cond_br %c, ^a, ^b
^a:
  %r = arith.muli %a, %a : i32
  return %r : i32
^b:
  %s = arith.addi %a, %a : i32
  return %s : i32
}
func.func @f(%c: i1, %x: i32, %n: index) -> i32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%v = %x) -> i32 {
    %a = func.call @g(%c, %v) : (i1, i32) -> i32
    scf.yield %a : i32
  }
  return %r : i32
}""",
    "no_inline": """
func.func private @g(%a: i32) -> i32 attributes {no_inline} {
  %r = arith.addi %a, %a : i32
  return %r : i32
}
func.func @f(%x: i32) -> i32 {
  %a = call @g(%x) : (i32) -> i32
  return %a : i32
}""",
}

REDUNDANCY: dict[str, str] = {
    "same": """
func.func @f(%x: i32, %y: i32) -> i32 {
  %a = arith.addi %x, %y : i32
  %b = arith.addi %y, %x : i32
  %c = arith.muli %a, %b : i32
  return %c : i32
}""",
    "regions": """
func.func @f(%x: i32, %c: i1) -> i32 {
  %a = arith.addi %x, %x : i32
  %r = scf.if %c -> i32 {
    %b = arith.addi %x, %x : i32
    scf.yield %b : i32
  } else {
    %d = arith.subi %x, %a : i32
    scf.yield %d : i32
  }
  return %r : i32
}""",
    "blocks": """
func.func @f(%x: i32, %c: i1) -> i32 {
  %a = arith.addi %x, %x : i32
  cf.cond_br %c, ^a, ^b
^a:
  %b = arith.addi %x, %x : i32
  return %b : i32
^b:
  %d = arith.subi %x, %a : i32
  return %d : i32
}""",
}
