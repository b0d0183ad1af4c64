"""Every operation of arith and math that has a lowering, on all pairs of edge values, against mlir-opt; and texts."""

from __future__ import annotations

import functools
import itertools
import re
from collections.abc import Iterator

import pytest

from tests.lowering.native import Native, llvm_ir, lowered, ours, theirs
from tests.support import mlir_tools
from tilewright.dialects.arith.dialect import ARITH
from tilewright.dialects.arith.ops_conversion import FPToSIOp, FPToUIOp, ScalingExtFOp, ScalingTruncFOp
from tilewright.dialects.math.dialect import MATH, FPowIOp
from tilewright.ir.diagnostic import DiagnosticError
from tilewright.ir.text.hooks import PrintOptions
from tilewright.lowering.upstream_to_llvm import arith as arith_to_llvm, math as math_to_llvm
from tilewright.lowering.upstream_to_llvm.memref_access import ACCESS_RULES
from tilewright.lowering.upstream_to_llvm.memref_allocation import AllocationOptions, allocation_rules
from tilewright.lowering.upstream_to_llvm.memref_views import VIEW_RULES

WIDTHS = {"i1": 1, "i8": 8, "i33": 33, "i64": 64}
FLOAT_WIDTHS = {"f32": 32, "f64": 64}
INTEGER_EDGES = (
    0,
    1,
    2,
    3,
    7,
    -1,
    -2,
    -7,
    1 << 62,
    -(1 << 63),
    (1 << 63) - 1,
    0x7F,
    0x80,
    0xFFFFFFFF,
    1 << 32,
)
FLOAT_EDGES = {
    "f32": (
        0,
        1 << 31,
        0x3F800000,
        0xBF800000,
        0x7F800000,
        0xFF800000,
        0x7FC00000,
        1,
        0x7F7FFFFF,
        0x40490FDB,
    ),
    "f64": (
        0,
        1 << 63,
        0x3FF0000000000000,
        0xBFF0000000000000,
        0x7FF0000000000000,
        0xFFF0000000000000,
        0x7FF8000000000000,
        1,
        0x7FEFFFFFFFFFFFFF,
        0x400921FB54442D18,
    ),
}
DIVISIONS = ("divsi", "divui", "remsi", "remui", "ceildivsi", "ceildivui", "floordivsi")
SHIFTS = ("shli", "shrsi", "shrui")
INTEGER_BINARY = ("addi", "subi", "muli", "andi", "ori", "xori", "maxsi", "maxui", "minsi", "minui")
INTEGER_UNARY = ("absi", "ctlz", "cttz", "ctpop")
FLOAT_BINARY = ("addf", "subf", "mulf", "divf", "remf", "maximumf", "minimumf", "maxnumf", "minnumf")
FLOAT_UNARY = (
    "absf",
    "acos",
    "asin",
    "atan",
    "ceil",
    "cos",
    "cosh",
    "exp",
    "exp2",
    "expm1",
    "floor",
    "log",
    "log10",
    "log1p",
    "log2",
    "round",
    "roundeven",
    "rsqrt",
    "sin",
    "sinh",
    "sqrt",
    "tan",
    "tanh",
    "trunc",
)
FLOAT_PAIR = ("atan2", "copysign", "powf")
COMPARISONS = ("eq", "ne", "slt", "sle", "sgt", "sge", "ult", "ule", "ugt", "uge")
FLOAT_COMPARISONS = [
    "false",
    "oeq",
    "ogt",
    "oge",
    "olt",
    "ole",
    "one",
    "ord",
    "ueq",
    "ugt",
    "uge",
    "ult",
    "ule",
    "une",
    "uno",
    "true",
]


def narrow(type: str, word: str, name: str) -> str:
    """Lines that make a value of a type of a 64-bit word."""
    if type == "i64":
        return f"    {name} = arith.bitcast {word} : i64 to i64"
    if type == "f64":
        return f"    {name} = arith.bitcast {word} : i64 to f64"
    if type == "f32":
        low = f"    {name}w = arith.trunci {word} : i64 to i32\n"
        return f"{low}    {name} = arith.bitcast {name}w : i32 to f32"
    return f"    {name} = arith.trunci {word} : i64 to {type}"


def widen(type: str, name: str) -> str:
    """Lines that make the 64-bit word ``%r`` of a value."""
    if type in ("i64", "f64"):
        return f"    %r = arith.bitcast {name} : {type} to i64"
    if type == "f32":
        return f"    %rw = arith.bitcast {name} : f32 to i32\n    %r = arith.extui %rw : i32 to i64"
    return f"    %r = arith.extui {name} : {type} to i64"


def case(name: str, type: str, line: str, result: str) -> str:
    """A function that applies ``%v = line`` to all pairs ``%a``, ``%b`` in its input."""
    return f"""func.func @{name}(%in: memref<?xi64>, %out: memref<?xi64>) {{
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %two = arith.constant 2 : index
  %n = memref.dim %out, %zero : memref<?xi64>
  scf.for %i = %zero to %n step %one {{
    %at = arith.muli %i, %two : index
    %next = arith.addi %at, %one : index
    %x = memref.load %in[%at] : memref<?xi64>
    %y = memref.load %in[%next] : memref<?xi64>
{narrow(type, "%x", "%a")}
{narrow(type, "%y", "%b")}
    %v = {line}
{widen(result, "%v")}
    memref.store %r, %out[%i] : memref<?xi64>
  }}
  return
}}
"""


Case = tuple[str, str, str, str]
"""The word in the name, the operand type, the line, the result type."""


def integer_cases(type: str) -> Iterator[Case]:
    for word in (*INTEGER_BINARY, *DIVISIONS, *SHIFTS):
        yield word, type, f"arith.{word} %a, %b : {type}", type
    for word in INTEGER_UNARY:
        yield word, type, f"math.{word} %a : {type}", type
    for word in COMPARISONS:
        yield word, type, f"arith.cmpi {word}, %a, %b : {type}", "i1"
    for target in (other for other, width in WIDTHS.items() if width > WIDTHS[type]):
        for word in ("extsi", "extui"):
            yield f"{word}_{target}", type, f"arith.{word} %a : {type} to {target}", target
        yield f"trunci_{type}", target, f"arith.trunci %a : {target} to {type}", type
    for target, word in itertools.product(FLOAT_WIDTHS, ("sitofp", "uitofp")):
        yield f"{word}_{target}", type, f"arith.{word} %a : {type} to {target}", target


def float_cases(type: str) -> Iterator[Case]:
    for word in FLOAT_BINARY:
        yield word, type, f"arith.{word} %a, %b : {type}", type
    for word in FLOAT_PAIR:
        yield word, type, f"math.{word} %a, %b : {type}", type
    for word in FLOAT_UNARY:
        yield word, type, f"math.{word} %a : {type}", type
    for word in FLOAT_COMPARISONS:
        yield word, type, f"arith.cmpf {word}, %a, %b : {type}", "i1"
    for word in ("isnan", "isfinite"):
        yield word, type, f"math.{word} %a : {type}", "i1"
    yield "negf", type, f"arith.negf %a : {type}", type
    yield "fma", type, f"math.fma %a, %b, %a : {type}", type


def cases() -> dict[str, tuple[str, str]]:
    """By name: the operand type and the function."""
    every = [
        *(case for type in WIDTHS for case in integer_cases(type)),
        *(case for type in FLOAT_WIDTHS for case in float_cases(type)),
        ("extf", "f32", "arith.extf %a : f32 to f64", "f64"),
        ("truncf", "f64", "arith.truncf %a : f64 to f32", "f32"),
    ]
    return {
        f"{word}_{type}": (type, case(f"{word}_{type}", type, line, to)) for word, type, line, to in every
    }


def pairs(word: str, type: str) -> list[int]:
    """All pairs of edge values for which an operation is defined, as 64-bit words."""
    edges = FLOAT_EDGES.get(type, INTEGER_EDGES)
    words = [value & (1 << 64) - 1 for value in edges]
    chosen = [pair for pair in itertools.product(words, words) if is_defined(word, type, *pair)]
    return [value for pair in chosen for value in pair]


def is_defined(word: str, type: str, left: int, right: int) -> bool:
    """Whether integer operands give a result at all."""
    width = WIDTHS.get(type, 64)
    mask = (1 << width) - 1
    left, right = left & mask, right & mask
    if word in SHIFTS:
        return right < width
    if word in DIVISIONS:
        overflows = word.endswith("si") and right == mask and left == 1 << (width - 1)
        return right != 0 and not overflows
    return True


@functools.cache
def compiled() -> tuple[Native, Native]:
    module = "\n".join(text for _, text in cases().values())
    peer, mine = map(Native, llvm_ir([*theirs([module]), ours(module)]))
    return peer, mine


def test_every_operation_gives_the_same_bits_on_edge_values() -> None:
    peer, mine = compiled()
    for name, (type, _) in cases().items():
        words = pairs(name.split("_")[0], type)
        assert words, name
        wanted = peer.run(name, words, len(words) // 2)
        assert mine.run(name, words, len(words) // 2) == wanted, name


class TestOperationTable:
    """Which operations are lowered."""

    def test_every_arith_operation_but_scaling_has_a_rule(self) -> None:
        assert set(ARITH.operations) - set(arith_to_llvm.RULES) == {ScalingExtFOp, ScalingTruncFOp}
        assert set(arith_to_llvm.RULES) <= set(ARITH.operations)

    def test_math_functions_without_an_intrinsic_stay(self) -> None:
        assert set(math_to_llvm.RULES) <= set(MATH.operations)
        stay = set(MATH.operations) - set(math_to_llvm.RULES)
        words = "acosh asinh atanh cbrt clampf erf erfc ipowi isinf isnormal"
        assert {op.op_kind.mnemonic for op in stay} == set(words.split())

    def test_the_generated_cases_reach_every_counterpart(self) -> None:
        text = "".join(function for _, function in cases().values())
        rest = {op for op in arith_to_llvm.COUNTERPARTS if f"{op.op_kind.name} " not in text}
        assert rest == {FPToSIOp, FPToUIOp}  # undefined out of range; the random programs have them
        rest = {op for op in math_to_llvm.COUNTERPARTS if f"{op.op_kind.name} " not in text}
        assert rest == {FPowIOp}

    def test_memref_operations_with_a_rule(self) -> None:
        rules = {**allocation_rules(AllocationOptions()), **ACCESS_RULES, **VIEW_RULES}
        assert len(rules) == 25


LOCAL = PrintOptions(generic=True, use_local_scope=True)
HEAD = "func.func @f(%a: i32, %b: i32, %v: vector<4xf32>, %w: vector<2x3xf32>, %i: index, %p: i1, %x: f32, %d: f64) {\n"
TEXTS: dict[str, tuple[str, str]] = {
    "flags": (
        "convert-arith-to-llvm",
        """  %0 = arith.addi %a, %b overflow<nsw, nuw> : i32
  %1 = arith.addf %v, %v fastmath<nnan,contract> : vector<4xf32>
  %2 = arith.divsi %a, %b exact : i32
  %3 = arith.cmpf olt, %x, %x fastmath<fast> : f32
  %4 = arith.trunci %a overflow<nuw> : i32 to i8
  %5 = arith.shrui %a, %b exact : i32""",
    ),
    "vectors of two dimensions": (
        "convert-arith-to-llvm",
        """  %0 = arith.addf %w, %w : vector<2x3xf32>
  %1 = arith.cmpf olt, %w, %0 : vector<2x3xf32>
  %2 = arith.constant dense<1.5> : vector<2x3xf32>
  %3 = arith.constant dense<3> : vector<2x2xindex>
  %4 = arith.bitcast %w : vector<2x3xf32> to vector<2x3xi32>
  %5 = arith.select %p, %w, %0 : vector<2x3xf32>""",
    ),
    "extended": (
        "convert-arith-to-llvm",
        """  %0, %1 = arith.addui_extended %a, %b : i32, i1
  %2 = arith.constant dense<3> : vector<4xi32>
  %3, %4 = arith.addui_extended %2, %2 : vector<4xi32>, vector<4xi1>
  %5, %6 = arith.mului_extended %2, %2 : vector<4xi32>
  %7 = arith.constant dense<2> : vector<2x2xi16>
  %8, %9 = arith.mulsi_extended %7, %7 : vector<2x2xi16>
  %10, %11 = arith.addui_extended %7, %7 : vector<2x2xi16>, vector<2x2xi1>""",
    ),
    "index": (
        "convert-arith-to-llvm",
        """  %0 = arith.index_cast %a : i32 to index
  %1 = arith.index_castui %i : index to i8
  %2, %3 = arith.mulsi_extended %i, %0 : index
  %4 = arith.constant 7 : index
  %5 = arith.ceildivsi %i, %0 : index
  %6 = arith.floordivsi %a, %b : i32
  %7 = arith.ceildivui %a, %b : i32""",
    ),
    "formats in integers": (
        "convert-arith-to-llvm",
        "  %0 = arith.constant 1.0 : f8E4M3FN\n  %1 = arith.constant dense<2.0> : vector<4xf8E5M2>",
    ),
    "math": (
        "convert-math-to-llvm",
        """  %0 = math.rsqrt %w : vector<2x3xf32>
  %1 = math.log1p %v fastmath<nnan> : vector<4xf32>
  %2 = math.fpowi %x, %a : f32, i32
  %3, %4 = math.sincos %x : f32
  %5 = math.isnan %v : vector<4xf32>
  %6 = math.ctlz %i : index
  %7 = math.erf %x : f32""",
    ),
    "poison": ("convert-ub-to-llvm", "  %0 = ub.poison : index\n  %1 = ub.poison : vector<2x3xf32>"),
    "loops": (
        "convert-scf-to-cf",
        """  %0 = scf.for %k = %i to %i step %i iter_args(%s = %a) -> (i32) {
    %1 = scf.if %p -> i32 {
      scf.yield %s : i32
    } else {
      scf.yield %b : i32
    }
    scf.if %p {
    }
    scf.yield %1 : i32
  }
  %2 = scf.execute_region -> i32 {
    cf.cond_br %p, ^x, ^y
  ^x:
    scf.yield %a : i32
  ^y:
    scf.yield %0 : i32
  }
  %3 = scf.parallel (%k, %l) = (%i, %i) to (%i, %i) step (%i, %i) init (%2) -> i32 {
    scf.reduce(%a : i32) {
    ^bb0(%m: i32, %n: i32):
      %4 = arith.addi %m, %n : i32
      scf.reduce.return %4 : i32
    }
  }
  scf.forall (%k) in (%i) {
  }
  scf.for unsigned %k = %a to %b step %a : i32 {
  }""",
    ),
    "branches": (
        "convert-cf-to-llvm",
        """  cf.cond_br %p weights([3, 4]), ^x(%i : index), ^y
^x(%n: index):
  cf.switch %a : i32, [default: ^y, 1: ^x(%n : index), -2: ^y]
^y:""",
    ),
}
"""Name: the pass, and the body of a function."""


@pytest.mark.parametrize("name", TEXTS)
def test_the_text_is_that_of_mlir_opt(name: str) -> None:
    pass_name, body = TEXTS[name]
    text = f"{HEAD}{body}\n  return\n}}\n"
    (wanted,) = theirs([text], f"--{pass_name}")
    (again,) = mlir_tools.generic_forms(
        (lowered(text, [pass_name]).print(LOCAL),), "--mlir-print-local-scope"
    )
    assert again == wanted


def test_sines_and_cosines_of_arrays_of_vectors_keep_their_flags() -> None:
    """mlir-opt does not convert them."""
    body = "  %0, %1 = math.sincos %w fastmath<nnan,contract> : vector<2x3xf32>\n  return\n}\n"
    text = str(lowered(HEAD + body, ["convert-math-to-llvm"]))
    found = re.findall(r"llvm\.intr\.(sin|cos)\(.*fastmathFlags = #llvm\.fastmath<nnan, contract>", text)
    assert sorted(found) == ["cos", "cos", "sin", "sin"]


BUFFERS = """memref.global "private" constant @numbers : memref<2x3xi32> = dense<[[1, 2, 3], [4, 5, 6]]> {alignment = 64}
memref.global @empty : memref<4xf32> = uninitialized
memref.global @elsewhere : memref<f32, 3>
func.func @f(%m: memref<?x4xf32, strided<[?, 1], offset: ?>>, %n: index, %i: index, %f: f32, %u: memref<*xf32>) {
"""
BUFFER_TEXTS = {
    "allocation": """  %0 = memref.alloc(%n) : memref<?x4xf32>
  %1 = memref.alloc() {alignment = 32} : memref<3xvector<4xf32>>
  %2 = memref.alloca(%n) : memref<4x?xi8>
  %3 = memref.alloca() {alignment = 16} : memref<f64, 5>
  memref.dealloc %0 : memref<?x4xf32>
  memref.dealloc %u : memref<*xf32>""",
    "access": """  %0 = memref.load %m[%n, %i] : memref<?x4xf32, strided<[?, 1], offset: ?>>
  memref.store %f, %m[%n, %i] {nontemporal = true} : memref<?x4xf32, strided<[?, 1], offset: ?>>
  %1 = memref.alloca() : memref<4x4xf32>
  %2 = memref.atomic_rmw addf %f, %1[%n, %i] : (f32, memref<4x4xf32>) -> f32
  memref.prefetch %1[%n, %i], write, locality<2>, instr : memref<4x4xf32>""",
    "questions": """  %c = arith.constant 1 : index
  %0 = memref.dim %m, %c : memref<?x4xf32, strided<[?, 1], offset: ?>>
  %1 = memref.dim %m, %n : memref<?x4xf32, strided<[?, 1], offset: ?>>
  %2 = memref.dim %u, %n : memref<*xf32>
  %3 = memref.rank %u : memref<*xf32>
  %4 = memref.extract_aligned_pointer_as_index %m : memref<?x4xf32, strided<[?, 1], offset: ?>> -> index""",
    "views": """  %0 = memref.reinterpret_cast %m to offset: [%i], sizes: [%n, 3], strides: [%i, 1]
      : memref<?x4xf32, strided<[?, 1], offset: ?>> to memref<?x3xf32, strided<[?, 1], offset: ?>>
  %1, %2, %3:2, %4:2 = memref.extract_strided_metadata %m
      : memref<?x4xf32, strided<[?, 1], offset: ?>> -> memref<f32>, index, index, index, index, index
  %5 = memref.alloca() : memref<4x5xf32>
  %6 = memref.transpose %5 (i, j) -> (j, i) : memref<4x5xf32> to memref<5x4xf32, strided<[1, 5]>>
  %7 = memref.cast %5 : memref<4x5xf32> to memref<*xf32>
  %8 = memref.cast %u : memref<*xf32> to memref<?x5xf32>""",
}


@pytest.mark.parametrize("name", BUFFER_TEXTS)
def test_the_text_of_buffers_is_that_of_mlir_opt(name: str) -> None:
    text = f"{BUFFERS}{BUFFER_TEXTS[name]}\n  return\n}}\n"
    (wanted,) = theirs([text], "--finalize-memref-to-llvm")
    mine = lowered(text, ["finalize-memref-to-llvm"]).print(LOCAL)
    (again,) = mlir_tools.generic_forms((mine,), "--mlir-print-local-scope")
    assert again == wanted


ORDERED_OTHERWISE = {
    "a check": (
        "convert-cf-to-llvm",
        f'{HEAD}  cf.assert %p, "it\'s wrong"\n  cf.assert %p, "again"\n',
    ),
    "alignment": (
        "finalize-memref-to-llvm",
        BUFFERS
        + """  %0 = memref.assume_alignment %m, 32 : memref<?x4xf32, strided<[?, 1], offset: ?>>
  %1 = memref.memory_space_cast %0
      : memref<?x4xf32, strided<[?, 1], offset: ?>> to memref<?x4xf32, strided<[?, 1], offset: ?>, 3>
""",
    ),
}


@pytest.mark.parametrize("name", ORDERED_OTHERWISE)
def test_the_operations_are_those_of_mlir_opt_in_another_order(name: str) -> None:
    pass_name, body = ORDERED_OTHERWISE[name]
    text = f"{body}  return\n}}\n"
    (wanted,) = theirs([text], f"--{pass_name}")
    (again,) = mlir_tools.generic_forms(
        (lowered(text, [pass_name]).print(LOCAL),), "--mlir-print-local-scope"
    )
    assert unnumbered(again) == unnumbered(wanted)


def unnumbered(text: str) -> list[str]:
    """The lines of a text without the numbers of values, sorted."""
    return sorted(re.sub(r"%\w+|\^\w+", "%", line) for line in text.splitlines())


FUNCTIONS = """func.func private @ext(memref<?xf32>, i32 {llvm.noundef}) -> (i32, memref<4xf32>)
func.func @g(%m: memref<?xf32>, %i: i32, %s: memref<4xf32>) -> (memref<4xf32>, i32) {
  %0:2 = call @ext(%m, %i) : (memref<?xf32>, i32) -> (i32, memref<4xf32>)
  return %s, %i : memref<4xf32>, i32
}
func.func @h(%x: i32) -> i32 attributes {llvm.linkage = #llvm.linkage<internal>} {
  %c = constant @k : (i32) -> i32
  %0 = call_indirect %c(%x) : (i32) -> i32
  return %0 : i32
}
func.func private @k(%x: i32 {llvm.noundef}) -> (i32 {llvm.noundef}) {
  return %x : i32
}
func.func @none() {
  call @none() : () -> ()
  return
}
"""


def test_the_text_of_functions_is_that_of_mlir_opt() -> None:
    (wanted,) = theirs([FUNCTIONS], "--convert-func-to-llvm")
    mine = lowered(FUNCTIONS, ["convert-func-to-llvm"]).print(LOCAL)
    (again,) = mlir_tools.generic_forms((mine,), "--mlir-print-local-scope")
    assert again == wanted


C_INTERFACES = {
    "defined": """func.func @g(%m: memref<?xf32>, %i: i32, %u: memref<*xf32>) -> memref<?xf32>
    attributes {llvm.emit_c_interface} {
  return %m : memref<?xf32>
}""",
    "without struct": """func.func @g(%m: memref<?xf32>, %i: i32) -> i32 attributes {llvm.emit_c_interface} {
  return %i : i32
}""",
    "declared": """func.func private @g(memref<?xf32>, i32) -> (i32, f32) attributes {llvm.emit_c_interface}""",
    "declared without result": """func.func private @g(i32, memref<4xf32>) attributes {llvm.emit_c_interface}""",
}


@pytest.mark.parametrize("name", C_INTERFACES)
def test_the_c_interface_is_that_of_mlir_opt(name: str) -> None:
    text = C_INTERFACES[name]
    (wanted,) = theirs([text], "--convert-func-to-llvm")
    mine = lowered(text, ["convert-func-to-llvm"]).print(LOCAL)
    assert mlir_tools.generic_forms((mine,), "--mlir-print-local-scope") == [wanted]


def test_with_bare_pointers_too() -> None:
    text = "func.func @f(%m: memref<4x8xf32>, %i: index) -> memref<4x8xf32> {\n  return %m : memref<4x8xf32>\n}\n"
    (wanted,) = theirs([text], "--convert-func-to-llvm=use-bare-ptr-memref-call-conv=1")
    module = lowered(text, ["convert-func-to-llvm"], use_bare_ptr_memref_call_conv=True)
    (again,) = mlir_tools.generic_forms((module.print(LOCAL),), "--mlir-print-local-scope")
    assert again == wanted


class TestOptions:
    """The flags of the passes."""

    def test_the_width_of_index(self) -> None:
        text = f"{HEAD}  %0 = arith.addi %i, %i : index\n  return\n}}\n"
        (wanted,) = theirs([text], "--convert-arith-to-llvm=index-bitwidth=32")
        mine = lowered(text, ["convert-arith-to-llvm"], index_bitwidth=32).print(LOCAL)
        assert mlir_tools.generic_forms((mine,), "--mlir-print-local-scope") == [wanted]

    @pytest.mark.parametrize("flag", ["use-aligned-alloc", "use-generic-functions"])
    def test_the_allocation_functions(self, flag: str) -> None:
        text = f"{BUFFERS}  %0 = memref.alloc(%n) : memref<?x4xf32>\n  %1 = memref.alloc() : memref<3xi8>\n"
        text += "  memref.dealloc %0 : memref<?x4xf32>\n  return\n}\n"
        (wanted,) = theirs([text], f"--finalize-memref-to-llvm={flag}=1")
        module = lowered(text, ["finalize-memref-to-llvm"], **{flag.replace("-", "_"): True})
        assert mlir_tools.generic_forms((module.print(LOCAL),), "--mlir-print-local-scope") == [wanted]

    def test_log1p_stays_unless_it_may_be_approximated(self) -> None:
        text = f"{HEAD}  %0 = math.log1p %x : f32\n  return\n}}\n"
        module = lowered(text, ["convert-math-to-llvm"], approximate_log1p=False)
        assert "math.log1p" in {op.name for op in module.walk()}


class TestRefusals:
    """What has no form in LLVM stays and says why, or fails where it must go."""

    def test_tensors_of_a_forall_have_to_be_bufferized(self) -> None:
        text = """func.func @f(%t: tensor<4xf32>, %n: index) -> tensor<4xf32> {
          %0 = scf.forall (%i) in (%n) shared_outs(%o = %t) -> (tensor<4xf32>) {
            scf.forall.in_parallel {
            }
          }
          return %0 : tensor<4xf32>
        }"""
        with pytest.raises(DiagnosticError, match=r"TW0702.*'scf.forall'"):
            lowered(text, ["convert-scf-to-cf"])

    def test_an_operation_that_cannot_be_lowered_stays(self) -> None:
        text = "func.func @f(%m: memref<4xi32>, %i: index, %x: i32) {\n"
        text += "  %0 = memref.atomic_rmw muli %x, %m[%i] : (i32, memref<4xi32>) -> i32\n  return\n}\n"
        module = lowered(text, ["finalize-memref-to-llvm"])
        assert "memref.atomic_rmw" in {op.name for op in module.walk()}


CONTIGUOUS, STRIDED = "memref<?x4xf32>", "memref<?x4xf32, strided<[?, 1], offset: ?>>"


@pytest.mark.parametrize("target", [CONTIGUOUS, STRIDED])
@pytest.mark.parametrize("source", [CONTIGUOUS, STRIDED])
def test_only_contiguous_buffers_are_copied_as_bytes(source: str, target: str) -> None:
    text = f"func.func @f(%a: {source}, %b: {target}) {{\n  memref.copy %a, %b : {source} to {target}\n  return\n}}\n"
    names = [op.name for op in lowered(text, ["finalize-memref-to-llvm"]).walk()]
    (wanted,) = theirs([text], "--finalize-memref-to-llvm")
    for effect in ("store", "call", "alloca", "intr.memcpy", "intr.stacksave", "intr.stackrestore"):
        assert names.count(f"llvm.{effect}") == wanted.count(f'"llvm.{effect}"'), effect
    assert ("llvm.intr.memcpy" in names) == (source == target == CONTIGUOUS)
    assert ("llvm.call" in names) == ("llvm.intr.memcpy" not in names)
