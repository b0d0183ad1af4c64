"""Small modules for passes, by pass: what we make of them is compared with what MLIR makes of them."""

from __future__ import annotations

FLOAT: dict[str, str] = {
    name: f"func.func @f(%x: f32, %y: f32, %n: i8, %m: i32) -> {type} {{\n{body}\n  return %r : {type}\n}}"
    for name, type, body in (
        ("add_negative_zero", "f32", "%z = arith.constant -0.0 : f32\n%r = arith.addf %x, %z : f32"),
        ("add_zero", "f32", "%z = arith.constant 0.0 : f32\n%r = arith.addf %x, %z : f32"),
        ("add_left", "f32", "%z = arith.constant 2.0 : f32\n%r = arith.addf %z, %x : f32"),
        ("sub_zero", "f32", "%z = arith.constant 0.0 : f32\n%r = arith.subf %x, %z : f32"),
        ("sub_negative_zero", "f32", "%z = arith.constant -0.0 : f32\n%r = arith.subf %x, %z : f32"),
        ("mul_one", "f32", "%z = arith.constant 1.0 : f32\n%r = arith.mulf %z, %x : f32"),
        ("mul_zero", "f32", "%z = arith.constant 0.0 : f32\n%r = arith.mulf %x, %z : f32"),
        (
            "mul_zero_fast",
            "f32",
            "%z = arith.constant 0.0 : f32\n%r = arith.mulf %x, %z fastmath<nnan,nsz> : f32",
        ),
        ("div_one", "f32", "%z = arith.constant 1.0 : f32\n%r = arith.divf %x, %z : f32"),
        ("neg_neg", "f32", "%t = arith.negf %x : f32\n%r = arith.negf %t : f32"),
        (
            "mul_negated",
            "f32",
            "%s = arith.negf %x : f32\n%t = arith.negf %y : f32\n%r = arith.mulf %s, %t : f32",
        ),
        (
            "div_negated",
            "f32",
            "%s = arith.negf %x : f32\n%t = arith.negf %y : f32\n%r = arith.divf %s, %t : f32",
        ),
        ("max_infinity", "f32", "%z = arith.constant 0xFF800000 : f32\n%r = arith.maximumf %x, %z : f32"),
        ("min_infinity", "f32", "%z = arith.constant 0x7F800000 : f32\n%r = arith.minimumf %x, %z : f32"),
        ("maxnum_infinity", "f32", "%z = arith.constant 0xFF800000 : f32\n%r = arith.maxnumf %x, %z : f32"),
        ("maxnum_nan", "f32", "%z = arith.constant 0x7FC00000 : f32\n%r = arith.maxnumf %x, %z : f32"),
        ("minnum_same", "f32", "%r = arith.minnumf %x, %x : f32"),
        ("cmp_nan", "i1", "%z = arith.constant 0x7FC00000 : f32\n%r = arith.cmpf olt, %x, %z : f32"),
        ("cmp_unordered", "i1", "%z = arith.constant 0x7FC00000 : f32\n%r = arith.cmpf ule, %x, %z : f32"),
        ("cmp_always", "i1", "%r = arith.cmpf true, %x, %y : f32"),
        ("cmp_same", "i1", "%r = arith.cmpf oeq, %x, %x : f32"),
        ("trunc_exact", "f16", "%z = arith.constant 1.5 : f32\n%r = arith.truncf %z : f32 to f16"),
        ("trunc_inexact", "f16", "%z = arith.constant 0.1 : f32\n%r = arith.truncf %z : f32 to f16"),
        ("ext", "f64", "%z = arith.constant 0.1 : f32\n%r = arith.extf %z : f32 to f64"),
        ("trunc_of_ext", "f32", "%t = arith.extf %x : f32 to f64\n%r = arith.truncf %t : f64 to f32"),
        (
            "ext_of_trunc_contract",
            "f32",
            "%t = arith.truncf %x fastmath<contract> : f32 to f16\n"
            "%r = arith.extf %t fastmath<contract> : f16 to f32",
        ),
        ("itof_exact", "f16", "%t = arith.sitofp %n : i8 to f32\n%r = arith.truncf %t : f32 to f16"),
        ("itof_inexact", "f16", "%t = arith.sitofp %m : i32 to f32\n%r = arith.truncf %t : f32 to f16"),
        ("ftoi", "i8", "%z = arith.constant -3.75 : f32\n%r = arith.fptosi %z : f32 to i8"),
        ("ftoi_too_large", "i8", "%z = arith.constant 200.0 : f32\n%r = arith.fptosi %z : f32 to i8"),
        ("ftou", "i8", "%z = arith.constant 200.0 : f32\n%r = arith.fptoui %z : f32 to i8"),
        ("itof", "f16", "%z = arith.constant 2049 : i32\n%r = arith.sitofp %z : i32 to f16"),
        (
            "sum",
            "f32",
            "%a = arith.constant 0.1 : f32\n%b = arith.constant 0.2 : f32\n%r = arith.addf %a, %b : f32",
        ),
        (
            "quotient",
            "bf16",
            "%a = arith.constant 1.0 : bf16\n%b = arith.constant 3.0 : bf16\n%r = arith.divf %a, %b : bf16",
        ),
        (
            "remainder",
            "f64",
            "%a = arith.constant -7.5 : f64\n%b = arith.constant 2.0 : f64\n%r = arith.remf %a, %b : f64",
        ),
        (
            "by_zero",
            "f32",
            "%a = arith.constant -7.5 : f32\n%b = arith.constant 0.0 : f32\n%r = arith.divf %a, %b : f32",
        ),
        ("bits", "i32", "%a = arith.constant -7.5 : f32\n%r = arith.bitcast %a : f32 to i32"),
        ("bits_back", "f32", "%t = arith.bitcast %x : f32 to i32\n%r = arith.bitcast %t : i32 to f32"),
        ("sqrt", "f32", "%a = arith.constant 2.0 : f32\n%r = math.sqrt %a : f32"),
        ("floor", "f32", "%a = arith.constant -2.5 : f32\n%r = math.floor %a : f32"),
        ("ceil", "f32", "%a = arith.constant -2.5 : f32\n%r = math.ceil %a : f32"),
        ("round", "f32", "%a = arith.constant -2.5 : f32\n%r = math.round %a : f32"),
        ("roundeven", "f32", "%a = arith.constant -2.5 : f32\n%r = math.roundeven %a : f32"),
        ("trunc", "f32", "%a = arith.constant -2.5 : f32\n%r = math.trunc %a : f32"),
        ("absf", "f32", "%a = arith.constant -2.5 : f32\n%r = math.absf %a : f32"),
        (
            "copysign",
            "f32",
            "%a = arith.constant 2.5 : f32\n%b = arith.constant -0.0 : f32\n%r = math.copysign %a, %b : f32",
        ),
        ("fma", "f32", "%a = arith.constant 1.1 : f32\n%r = math.fma %a, %a, %a : f32"),
        ("isnan", "i1", "%a = arith.constant 0x7FC00000 : f32\n%r = math.isnan %a : f32"),
        ("ctpop", "i8", "%a = arith.constant -2 : i8\n%r = math.ctpop %a : i8"),
        ("ctlz", "i8", "%a = arith.constant 2 : i8\n%r = math.ctlz %a : i8"),
        ("cttz", "i8", "%a = arith.constant 8 : i8\n%r = math.cttz %a : i8"),
        ("absi", "i8", "%a = arith.constant -128 : i8\n%r = math.absi %a : i8"),
        ("exp", "f32", "%a = arith.constant 1.0 : f32\n%r = math.exp %a : f32"),
        (
            "vector_sum",
            "vector<3xi8>",
            "%a = arith.constant dense<[1, 127, -1]> : vector<3xi8>\n%b = arith.constant dense<1> : vector<3xi8>\n"
            "%r = arith.addi %a, %b : vector<3xi8>",
        ),
        (
            "tensor_product",
            "tensor<2x2xf16>",
            "%a = arith.constant dense<[[1.0, 2.0], [3.0, 4.0]]> : tensor<2x2xf16>\n"
            "%r = arith.mulf %a, %a : tensor<2x2xf16>",
        ),
        (
            "vector_select",
            "vector<2xi8>",
            "%c = arith.constant dense<[true, false]> : vector<2xi1>\n%a = arith.constant dense<1> : vector<2xi8>\n"
            "%b = arith.constant dense<[7, 8]> : vector<2xi8>\n%r = arith.select %c, %a, %b : vector<2xi1>, vector<2xi8>",
        ),
        ("index_product", "index", "%a = arith.constant 3000000000 : index\n%r = arith.muli %a, %a : index"),
    )
}
"""Canonicalisation of floats, conversions and functions of ``math``, and of vectors and tensors."""

CONTROL: dict[str, str] = {
    "branch_chain": """
func.func @f(%x: i32) -> i32 {
  cf.br ^a(%x : i32)
^a(%a: i32):
  cf.br ^b(%a, %x : i32, i32)
^b(%b: i32, %c: i32):
  %r = arith.addi %b, %c : i32
  return %r : i32
}""",
    "branch_known": """
func.func @f(%x: i32) -> i32 {
  %true = arith.constant true
  cf.cond_br %true, ^a, ^b
^a:
  return %x : i32
^b:
  %r = arith.addi %x, %x : i32
  return %r : i32
}""",
    "branch_through": """
func.func @f(%x: i32, %c: i1) -> i32 {
  cf.cond_br %c, ^a, ^b(%x : i32)
^a:
  %r = arith.addi %x, %x : i32
  cf.br ^b(%r : i32)
^b(%b: i32):
  cf.br ^c(%b : i32)
^c(%d: i32):
  return %d : i32
}""",
    "branch_same_target": """
func.func @f(%x: i32, %y: i32, %c: i1) -> i32 {
  cf.cond_br %c, ^a(%x : i32), ^a(%y : i32)
^a(%a: i32):
  return %a : i32
}""",
    "branch_same_condition": """
func.func @f(%x: i32, %y: i32, %c: i1) -> i32 {
  cf.cond_br %c, ^a, ^b
^a:
  "test.effect"() : () -> ()
  cf.cond_br %c, ^b, ^c
^b:
  return %x : i32
^c:
  return %y : i32
}""",
    "condition_known_in_block": """
func.func @f(%c: i1) -> i1 {
  cf.cond_br %c, ^a, ^b
^a:
  return %c : i1
^b:
  "test.use"(%c) : (i1) -> ()
  return %c : i1
}""",
    "unused_argument": """
func.func @f(%x: i32, %c: i1) -> i32 {
  cf.br ^a(%x, %x : i32, i32)
^a(%a: i32, %b: i32):
  %n = arith.addi %b, %b : i32
  %k = "test.op"(%a) : (i32) -> i1
  cf.cond_br %k, ^a(%a, %n : i32, i32), ^b
^b:
  return %a : i32
}""",
    "unreachable": """
func.func @f(%x: i32) -> i32 {
  return %x : i32
^a:
  cf.br ^b
^b:
  cf.br ^a
}""",
    "switch_known": """
func.func @f(%x: i32) -> i32 {
  %k = arith.constant 42 : i32
  cf.switch %k : i32, [
    default: ^a(%x : i32),
    42: ^b(%k : i32)
  ]
^a(%a: i32):
  return %a : i32
^b(%b: i32):
  return %b : i32
}""",
    "assert_true": """
func.func @f() {
  %true = arith.constant true
  cf.assert %true, "never"
  return
}""",
    "if_known": """
func.func @f(%x: i32) -> i32 {
  %true = arith.constant true
  %r = scf.if %true -> i32 {
    %a = arith.addi %x, %x : i32
    scf.yield %a : i32
  } else {
    scf.yield %x : i32
  }
  return %r : i32
}""",
    "if_unused_result": """
func.func @f(%x: i32, %c: i1) -> i32 {
  %r:2 = scf.if %c -> (i32, i32) {
    %a = "test.op"() : () -> i32
    %b = "test.op"() : () -> i32
    scf.yield %a, %b : i32, i32
  } else {
    %a = "test.op"() : () -> i32
    scf.yield %x, %a : i32, i32
  }
  return %r#1 : i32
}""",
    "if_select": """
func.func @f(%x: i32, %y: i32, %c: i1) -> (i32, i32) {
  %r:2 = scf.if %c -> (i32, i32) {
    %a = "test.op"() : () -> i32
    scf.yield %x, %a : i32, i32
  } else {
    scf.yield %y, %x : i32, i32
  }
  return %r#0, %r#1 : i32, i32
}""",
    "if_empty_else": """
func.func @f(%c: i1) {
  scf.if %c {
    "test.op"() : () -> ()
  } else {
  }
  return
}""",
    "if_condition_inside": """
func.func @f(%c: i1) {
  scf.if %c {
    "test.use"(%c) : (i1) -> ()
  } else {
    "test.use"(%c) : (i1) -> ()
  }
  return
}""",
    "if_nested": """
func.func @f(%c: i1, %d: i1) {
  scf.if %c {
    scf.if %d {
      "test.op"() : () -> ()
    }
  }
  return
}""",
    "if_dead": """
func.func @f(%c: i1, %x: i32) {
  %r = scf.if %c -> i32 {
    %a = arith.addi %x, %x : i32
    scf.yield %a : i32
  } else {
    scf.yield %x : i32
  }
  return
}""",
    "for_no_round": """
func.func @f(%x: i32) -> i32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r = scf.for %i = %c1 to %c0 step %c1 iter_args(%v = %x) -> i32 {
    %n = "test.op"(%v) : (i32) -> i32
    scf.yield %n : i32
  }
  return %r : i32
}""",
    "for_one_round": """
func.func @f(%x: i32) -> i32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %r = scf.for %i = %c0 to %c1 step %c4 iter_args(%v = %x) -> i32 {
    %n = "test.op"(%v, %i) : (i32, index) -> i32
    scf.yield %n : i32
  }
  return %r : i32
}""",
    "for_carried_same": """
func.func @f(%x: i32, %y: i32, %n: index) -> (i32, i32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%v = %x, %w = %y) -> (i32, i32) {
    %k = "test.op"(%v, %w) : (i32, i32) -> i32
    scf.yield %v, %k : i32, i32
  }
  return %r#0, %r#1 : i32, i32
}""",
    "for_carried_unused": """
func.func @f(%x: i32, %y: i32, %n: index) -> i32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%v = %x, %w = %y) -> (i32, i32) {
    %k = "test.op"(%w) : (i32) -> i32
    scf.yield %k, %k : i32, i32
  }
  return %r#1 : i32
}""",
    "while_condition_true_inside": """
func.func @f() -> i1 {
  %r = scf.while : () -> i1 {
    %c = "test.condition"() : () -> i1
    scf.condition(%c) %c : i1
  } do {
  ^bb0(%a: i1):
    "test.use"(%a) : (i1) -> ()
    scf.yield
  }
  return %r : i1
}""",
    "while_unused_result": """
func.func @f() -> i32 {
  %r:2 = scf.while : () -> (i32, i64) {
    %c = "test.condition"() : () -> i1
    %v = "test.value"() : () -> i32
    %w = "test.value"() : () -> i64
    scf.condition(%c) %v, %w : i32, i64
  } do {
  ^bb0(%a: i32, %b: i64):
    "test.use"(%a) : (i32) -> ()
    scf.yield
  }
  return %r#0 : i32
}""",
    "while_carried_same": """
func.func @f(%n: i32, %x: i32) -> (i32, i32) {
  %r:2 = scf.while (%a = %n, %b = %x) : (i32, i32) -> (i32, i32) {
    %c = arith.cmpi slt, %a, %b : i32
    scf.condition(%c) %a, %b : i32, i32
  } do {
  ^bb0(%a: i32, %b: i32):
    %d = arith.addi %a, %b : i32
    scf.yield %d, %b : i32, i32
  }
  return %r#0, %r#1 : i32, i32
}""",
    "while_never": """
func.func @f() -> i32 {
  %false = arith.constant false
  %r = scf.while : () -> i32 {
    %v = "test.value"() : () -> i32
    scf.condition(%false) %v : i32
  } do {
  ^bb0(%a: i32):
    "test.use"(%a) : (i32) -> ()
    scf.yield
  }
  return %r : i32
}""",
    "execute_region": """
func.func @f(%x: i32) -> i32 {
  %r = scf.execute_region -> i32 {
    %a = "test.op"(%x) : (i32) -> i32
    scf.yield %a : i32
  }
  return %r : i32
}""",
    "index_switch_known": """
func.func @f(%x: i32, %y: i32) -> i32 {
  %k = arith.constant 2 : index
  %r = scf.index_switch %k -> i32
  case 2 {
    %a = "test.op"(%x) : (i32) -> i32
    scf.yield %a : i32
  }
  default {
    scf.yield %y : i32
  }
  return %r : i32
}""",
    "call_indirect": """
func.func private @g(i32) -> i32
func.func @f(%x: i32) -> i32 {
  %g = func.constant @g : (i32) -> i32
  %r = func.call_indirect %g(%x) : (i32) -> i32
  return %r : i32
}""",
}
"""Canonicalisation of control flow."""

MEMORY: dict[str, str] = {
    "dim": """
func.func @f(%m: memref<4x?xf32>) -> (index, index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %a = memref.dim %m, %c0 : memref<4x?xf32>
  %b = memref.dim %m, %c1 : memref<4x?xf32>
  return %a, %b : index, index
}""",
    "dim_of_allocation": """
func.func @f(%n: index, %k: index) -> (index, memref<?x4x?xf32>) {
  %c2 = arith.constant 2 : index
  %m = memref.alloc(%n, %k) : memref<?x4x?xf32>
  %a = memref.dim %m, %c2 : memref<?x4x?xf32>
  return %a, %m : index, memref<?x4x?xf32>
}""",
    "cast_back": """
func.func @f(%m: memref<4xf32>, %i: index) -> (memref<4xf32>, f32) {
  %a = memref.cast %m : memref<4xf32> to memref<?xf32>
  %b = memref.cast %a : memref<?xf32> to memref<4xf32>
  %c = memref.load %a[%i] : memref<?xf32>
  return %b, %c : memref<4xf32>, f32
}""",
    "dead_allocation": """
func.func @f(%x: f32, %i: index) {
  %m = memref.alloc() : memref<4xf32>
  memref.store %x, %m[%i] : memref<4xf32>
  memref.dealloc %m : memref<4xf32>
  return
}""",
    "self_copy": """
func.func @f(%m: memref<4xf32>) {
  memref.copy %m, %m : memref<4xf32> to memref<4xf32>
  return
}""",
    "allocation_of_known_size": """
func.func @f() -> memref<?xf32> {
  %c4 = arith.constant 4 : index
  %m = memref.alloc(%c4) : memref<?xf32>
  return %m : memref<?xf32>
}""",
    "shape_cast": """
func.func @f(%w: vector<2x3xf32>) -> (vector<6xi32>, vector<2x3xf32>) {
  %c = arith.constant dense<[[1, 2, 3], [4, 5, 6]]> : vector<2x3xi32>
  %0 = vector.shape_cast %c : vector<2x3xi32> to vector<6xi32>
  %1 = vector.shape_cast %w : vector<2x3xf32> to vector<6xf32>
  %2 = vector.shape_cast %1 : vector<6xf32> to vector<2x3xf32>
  return %0, %2 : vector<6xi32>, vector<2x3xf32>
}""",
    "extract": """
func.func @f(%x: f32) -> (i32, vector<3xi32>, f32) {
  %c = arith.constant dense<[[1, 2, 3], [4, 5, 6]]> : vector<2x3xi32>
  %0 = vector.extract %c[1, 2] : i32 from vector<2x3xi32>
  %1 = vector.extract %c[1] : vector<3xi32> from vector<2x3xi32>
  %b = vector.broadcast %x : f32 to vector<2x3xf32>
  %2 = vector.extract %b[0, 1] : f32 from vector<2x3xf32>
  return %0, %1, %2 : i32, vector<3xi32>, f32
}""",
    "broadcast": """
func.func @f(%x: f32) -> (vector<2xi32>, vector<2xf32>) {
  %c = arith.constant 7 : i32
  %0 = vector.broadcast %c : i32 to vector<2xi32>
  %1 = vector.from_elements %x, %x : vector<2xf32>
  return %0, %1 : vector<2xi32>, vector<2xf32>
}""",
    "llvm_arithmetic": """
llvm.func @f(%x: i32) -> i32 {
  %one = llvm.mlir.constant(1 : i32) : i32
  %two = llvm.mlir.constant(2 : i32) : i32
  %0 = llvm.add %one, %two : i32
  %1 = llvm.mul %x, %0 : i32
  llvm.return %1 : i32
}""",
    "llvm_bits": """
llvm.func @f(%x: i32, %p: !llvm.ptr) -> i32 {
  %one = llvm.mlir.constant(1 : i32) : i32
  %two = llvm.mlir.constant(2 : i32) : i32
  %0 = llvm.shl %one, %two : i32
  %1 = llvm.icmp "eq" %x, %x : i32
  %2 = llvm.getelementptr %p[0] : (!llvm.ptr) -> !llvm.ptr, i32
  %3 = llvm.load %2 : !llvm.ptr -> i32
  %4 = llvm.or %0, %3 : i32
  %5 = llvm.zext %1 : i1 to i32
  %6 = llvm.xor %4, %5 : i32
  llvm.return %6 : i32
}""",
}
"""Canonicalisation of buffers, vectors and LLVM."""
