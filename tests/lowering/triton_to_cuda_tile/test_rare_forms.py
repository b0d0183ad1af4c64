"""Forms of Triton's operations that its front end rarely makes, against NumPy; and refusals of others, by name."""

from __future__ import annotations

import math
import re
from collections.abc import Callable
from fractions import Fraction
from typing import Any

import numpy as np
import pytest

from tests.lowering.triton_to_cuda_tile.library_calls import ARRAYS, computed, each_applied
from tests.lowering.triton_to_cuda_tile.test_library_tables import rounded, words
from tests.lowering.triton_to_cuda_tile.test_triton_kernels import converted, kernel
from tilewright.driver.launch import launch
from tilewright.ir.diagnostic import DiagnosticError
from tilewright.ir.location import UNKNOWN, CallSiteLocation, FileLineColLocation, FusedLocation, NameLocation
from tilewright.lowering.triton_to_cuda_tile.source_columns import in_our_columns

POINTS = "tensor<{0}x!tt.ptr<{1}>>"


def addresses(name: str, kind: str, size: int) -> str:
    """Lines that make the pointers ``%name.p`` to consecutive elements behind ``%name``, and their numbers."""
    points = POINTS.format(size, kind)
    return f"""    %{name}i = tt.make_range {{end = {size} : i32, start = 0 : i32}} : tensor<{size}xi32>
    %{name}s = tt.splat %{name} : !tt.ptr<{kind}> -> {points}
    %{name}p = tt.addptr %{name}s, %{name}i : {points}, tensor<{size}xi32>
"""


def run(body: str, parameters: str, *arguments: Any, rest: str = "", **options: str) -> str:
    """Launch a kernel in the interpreter; return the converted text."""
    module = converted(kernel(body, parameters, rest), **options)
    launch(module, "k", (1,), arguments, target="interp")
    return str(module)


# --- elements

FLOAT_RELATIONS: dict[str, Callable[[Any, Any], Any]] = {
    "eq": np.equal,
    "gt": np.greater,
    "ge": np.greater_equal,
    "lt": np.less,
    "le": np.less_equal,
    "ne": np.not_equal,
}
INTEGER_RELATIONS = {
    "eq": np.equal,
    "ne": np.not_equal,
    **{f"s{name}": twin for name, twin in FLOAT_RELATIONS.items() if name not in ("eq", "ne")},
    **{f"u{name}": twin for name, twin in FLOAT_RELATIONS.items() if name not in ("eq", "ne")},
}


def question(operation: str) -> tuple[str, str]:
    """Return the line that stores the answer of a comparison as a number."""
    return "i32", f"%r = {operation}, %v0, %v1 : TYPE\narith.extui %r : TILE[i1] to TILE[i32]"


def test_comparisons_of_floats() -> None:
    x, y = (part.ravel() for part in np.meshgrid([math.nan, -1.0, 0.0, 2.0], [math.nan, 0.0, 2.0, -1.0]))
    nan = np.isnan(x) | np.isnan(y)
    wanted = {"true": nan | True, "false": nan & False, "uno": nan, "ord": ~nan}
    with np.errstate(invalid="ignore"):
        wanted |= {f"o{name}": twin(x, y) & ~nan for name, twin in FLOAT_RELATIONS.items()}
        wanted |= {f"u{name}": twin(x, y) | nan for name, twin in FLOAT_RELATIONS.items()}
    found = computed({name: question(f"arith.cmpf {name}") for name in wanted}, ["f32", "f32"], x, y)
    for name, values in found.items():
        assert values.tolist() == wanted[name].astype(int).tolist(), name


def test_comparisons_of_integers() -> None:
    x, y = words(32, 64, 1), words(32, 64, 2)
    y[:8] = x[:8]
    found = computed(
        {name: question(f"arith.cmpi {name}") for name in INTEGER_RELATIONS}, ["i32", "i32"], x, y
    )
    for name, values in found.items():
        kind = np.uint32 if name.startswith("u") else np.int32
        left, right = (np.array(part, np.int32).view(kind) for part in (x, y))
        assert values.tolist() == INTEGER_RELATIONS[name](left, right).astype(int).tolist(), name


INTEGERS: dict[str, Callable[[int, int, int, int], int]] = {
    "divsi": lambda x, y, a, b: int(math.copysign(abs(x) // abs(y), x * y)) if x else 0,
    "divui": lambda x, y, a, b: a // b,
    "ceildivsi": lambda x, y, a, b: -(-x // y),
    "ceildivui": lambda x, y, a, b: -(-a // b),
    "floordivsi": lambda x, y, a, b: x // y,
    "remsi": lambda x, y, a, b: int(math.fmod(x, y)),
    "remui": lambda x, y, a, b: a % b,
    "maxsi": lambda x, y, a, b: max(x, y),
    "maxui": lambda x, y, a, b: max(a, b),
    "minsi": lambda x, y, a, b: min(x, y),
    "minui": lambda x, y, a, b: min(a, b),
    "addi": lambda x, y, a, b: x + y,
    "subi": lambda x, y, a, b: x - y,
    "muli": lambda x, y, a, b: x * y,
    "andi": lambda x, y, a, b: x & y,
    "ori": lambda x, y, a, b: x | y,
    "xori": lambda x, y, a, b: x ^ y,
}
"""The twin of each operation of two integers, given as signed numbers and as unsigned ones."""


def test_arithmetic_of_integers() -> None:
    x, y = words(32, 64, 3), [number or 7 for number in words(32, 64, 4)]
    x, y = ([number if number != -(1 << 31) else 5 for number in part] for part in (x, y))
    found = computed({name: ("i32", f"arith.{name} VALUES : TYPE") for name in INTEGERS}, ["i32"] * 2, x, y)
    for name, values in found.items():
        wanted = [INTEGERS[name](a, b, a % 2**32, b % 2**32) for a, b in zip(x, y, strict=True)]
        assert values.tolist() == np.array(wanted).astype(np.int32).tolist(), name


def test_floats_become_narrower_in_every_rounding() -> None:
    given = [1 / 3, -1 / 3, 2.0**-30 + 1, math.pi, -math.e, 16777217.0]
    modes = {"to_nearest_even": "rn", "downward": "rd", "upward": "ru", "toward_zero": "rz", "": "rn"}
    found = computed(
        {mode: ("f32", f"arith.truncf VALUES {mode} : TYPE to TILE[f32]") for mode in modes}, ["f64"], given
    )
    for mode, values in found.items():
        assert values.tolist() == [float(rounded(Fraction(x), "f32", modes[mode])) for x in given], mode


def test_error_functions_of_narrow_floats_are_those_of_f32_rounded() -> None:
    x = np.array([-2.5, -0.3, 0.0, 0.7, 1.9, 3.0], np.float16)
    (found,) = computed({"erf": ("f16", "math.erf VALUES : TYPE")}, ["f16"], x).values()
    assert found.tolist() == np.array([math.erf(one) for one in x.tolist()], np.float16).tolist()
    found = each_applied({"erfc": "f16"}, ["f16"], x)["erfc"]
    assert np.allclose(found, [math.erfc(one) for one in x.tolist()], rtol=2**-10)


FOLDS: dict[str, Callable[[list[int]], int]] = {"maxsi": max, "minsi": min, "addi": sum}


@pytest.mark.parametrize("size", [8, 16])
@pytest.mark.parametrize("name", FOLDS)
def test_folds_of_integers(name: str, size: int) -> None:
    """The neutral element is the least and the greatest number of the type."""
    given = [-5, -(1 << 30), -7, -9] if name == "maxsi" else [5, 1 << 30, 7, 9]
    given = [one % 97 + 1 if size == 8 and name == "addi" else one for one in given]
    x, o = np.array(given * 4, np.int32), np.zeros(1, np.int32)
    body = f"""{addresses("p", "i32", 16)}
    %v = tt.load %pp : tensor<16x!tt.ptr<i32>>
    %r = "tt.reduce"(%v) <{{axis = 0 : i32}}> ({{
    ^bb0(%a: i32, %b: i32):
      %s = arith.{name} %a, %b : i32
      tt.reduce.return %s : i32
    }}) : (tensor<16xi32>) -> i32
    tt.store %q, %r : !tt.ptr<i32>"""
    run(body, "%p: !tt.ptr<i32>, %q: !tt.ptr<i32>", x, o)
    assert o.tolist() == [int(np.int64(FOLDS[name](x.tolist())).astype(np.int32))]


# --- pointers, branches, calls


def test_addresses_are_numbers() -> None:
    body = """    %n = tt.ptr_to_int %p : !tt.ptr<i32> -> i64
    %c = arith.constant 12 : i64
    %m = arith.addi %n, %c : i64
    %r = tt.int_to_ptr %m : i64 -> !tt.ptr<i32>
    %v = tt.load %r : !tt.ptr<i32>
    tt.store %q, %v : !tt.ptr<i32>"""
    o = np.zeros(1, np.int32)
    run(body, "%p: !tt.ptr<i32>, %q: !tt.ptr<i32>", np.array([5, 6, 7, 8], np.int32), o)
    assert o.tolist() == [8]


@pytest.mark.parametrize("n", [3, 4])
def test_a_branch_without_the_other_side(n: int) -> None:
    body = """    %c = arith.constant 4 : i32
    %b = arith.cmpi slt, %n, %c : i32
    scf.if %b {
      tt.store %p, %n : !tt.ptr<i32>
    }"""
    o = np.zeros(1, np.int32)
    run(body, "%p: !tt.ptr<i32>, %n: i32", o, n)
    assert o.tolist() == [3 if n == 3 else 0]


def test_a_called_function_is_copied_to_its_call() -> None:
    helper = """  tt.func private @twice(%x: i32, %y: i32) -> (i32, i32) {
    %s = arith.addi %x, %x : i32
    %d = arith.subi %s, %y : i32
    tt.return %d, %x : i32, i32
  }
"""
    body = """    %r:2 = tt.call @twice(%n, %m) : (i32, i32) -> (i32, i32)
    %t:2 = tt.call @twice(%r#0, %r#1) : (i32, i32) -> (i32, i32)
    %c = arith.constant 1 : i32
    %q = tt.addptr %p, %c : !tt.ptr<i32>, i32
    tt.store %p, %t#0 : !tt.ptr<i32>
    tt.store %q, %t#1 : !tt.ptr<i32>"""
    o = np.zeros(2, np.int32)
    text = run(body, "%p: !tt.ptr<i32>, %n: i32, %m: i32", o, 10, 3, rest=helper)
    assert o.tolist() == [2 * (2 * 10 - 3) - 10, 2 * 10 - 3]
    assert "loop" not in text


EARLY = """    %zero = arith.constant 0 : i32
    %one = arith.constant 1 : i32
    %two = arith.constant 2 : i32
    %three = arith.constant 3 : i32
    %q = tt.addptr %p, %one : !tt.ptr<i32>, i32
    %a = arith.cmpi ne, %x, %zero : i32
    %b = arith.cmpi ne, %y, %zero : i32
    %c = arith.cmpi ne, %z, %zero : i32
    cf.cond_br %a, ^first, ^second
  ^first:
    cf.cond_br %b, ^third, ^end(%one : i32)
  ^third:
    cf.cond_br %c, ^left, ^right
  ^left:
    tt.store %p, %two : !tt.ptr<i32>
    tt.return
  ^right:
    tt.store %p, %three : !tt.ptr<i32>
    tt.return
  ^second:
    tt.store %q, %three : !tt.ptr<i32>
    cf.br ^end(%x : i32)
  ^end(%v: i32):
    tt.store %p, %v : !tt.ptr<i32>"""


@pytest.mark.parametrize("z", [0, 1])
@pytest.mark.parametrize("y", [0, 1])
@pytest.mark.parametrize("x", [0, 1])
def test_returns_inside_of_branches_that_meet(x: int, y: int, z: int) -> None:
    o = np.full(2, -1, np.int32)
    run(EARLY, "%p: !tt.ptr<i32>, %x: i32, %y: i32, %z: i32", o, x, y, z)
    wanted = [0, 3] if not x else [1, -1] if not y else [2 if z else 3, -1]
    assert o.tolist() == wanted


def test_a_value_that_may_be_anything_is_zero() -> None:
    body = """    %v = ub.poison : tensor<4xf32>
    %n = ub.poison : !tt.ptr<i32>
    %m = tt.ptr_to_int %n : !tt.ptr<i32> -> i64
"""
    body += addresses("p", "f32", 4)
    body += "    tt.store %pp, %v : tensor<4x!tt.ptr<f32>>\n    tt.store %q, %m : !tt.ptr<i64>"
    x, o = np.ones(4, np.float32), np.ones(1, np.int64)
    run(body, "%p: !tt.ptr<f32>, %q: !tt.ptr<i64>", x, o)
    assert x.tolist() == [0.0] * 4
    assert o.tolist() == [0]


def test_prints_of_every_type(capfd: pytest.CaptureFixture[str]) -> None:
    body = """    %h = arith.constant 1.5 : f16
    %d = arith.constant -2.25 : f64
    %w = arith.constant -3 : i64
    %i = arith.constant -5 : i8
    tt.print "100%" {hex = false, isSigned = array<i32>}
    tt.print "f: " {hex = false, isSigned = array<i32: 0, 0>} : %h, %d : f16, f64
    tt.print "s: " {hex = false, isSigned = array<i32: 1, 1>} : %w, %i : i64, i8
    tt.print "u: " {hex = false, isSigned = array<i32: 0, 0>} : %w, %i : i64, i8
    tt.print "x: " {hex = true, isSigned = array<i32: 0, 0>} : %w, %i : i64, i8
    tt.print "p: " {hex = true, isSigned = array<i32: 0>} : %p : !tt.ptr<i32>"""
    run(body, "%p: !tt.ptr<i32>", np.zeros(4, np.int32))
    *lines, pointer = capfd.readouterr().out.splitlines()
    assert lines == [
        "100%",
        "f: 1.500000",
        "f: -2.250000",
        "s: -3",
        "s: -5",
        f"u: {2**64 - 3}",
        f"u: {2**8 - 5}",
        "x: fffffffffffffffd",
        "x: fb",
    ]
    assert re.fullmatch(r"p: [0-9a-f]+", pointer)


# --- descriptors

ROWS = """    %c1 = arith.constant 1 : i64
    %c8 = arith.constant 8 : i64
    %d = tt.make_tensor_descriptor %x, [%m, %n], [%c8, %c1] : <f16>, <1x4xf16>
    %e = tt.make_tensor_descriptor %y, [%m, %n], [%c8, %c1] : <f16>, <1x4xf16>
"""
ROW_PARAMETERS = "%x: !tt.ptr<f16>, %y: !tt.ptr<f16>, %i: !tt.ptr<i32>, %m: i32, %n: i32, %at: i32"


@pytest.mark.parametrize("column", [-1, 0, 3, 6])
def test_rows_are_gathered_and_scattered_within_the_tensor(column: int) -> None:
    body = f"""{addresses("i", "i32", 8)}{ROWS}
    %r = tt.load %ip : tensor<8x!tt.ptr<i32>>
    %v = tt.descriptor_gather %d[%r, %at] : (!tt.tensordesc<1x4xf16>, tensor<8xi32>, i32) -> tensor<8x4xf16>
    %one = arith.constant dense<1.0> : tensor<8x4xf16>
    %s = arith.addf %v, %one : tensor<8x4xf16>
    tt.descriptor_scatter %e[%ii, %at], %s : !tt.tensordesc<1x4xf16>, tensor<8xi32>, i32, tensor<8x4xf16>"""
    x = np.arange(64, dtype=np.float16).reshape(8, 8)
    y, rows = np.full((8, 8), -1, np.float16), np.array([3, 0, -1, 7, 6, 2, 5, 1], np.int32)
    run(body, ROW_PARAMETERS, x, y, rows, 6, 7, column)
    wanted = np.full((8, 8), -1, np.float16)
    for row, source in enumerate(rows[:6]):
        for place in range(max(column, 0), min(column + 4, 7)):
            wanted[row, place] = 1 + (x[source, place] if 0 <= source < 6 else 0)
    assert np.array_equal(y, wanted)


REDUCED: dict[str, tuple[str, Any, Callable[[Any, Any], Any]]] = {
    "add": ("f32", np.float32, np.add),
    "min": ("i32", np.int32, np.minimum),
    "max": ("i32", np.int32, np.maximum),
    "and": ("i32", np.int32, np.bitwise_and),
    "or": ("i32", np.int32, np.bitwise_or),
    "xor": ("i32", np.int32, np.bitwise_xor),
    "min of ui32": ("ui32", np.uint32, np.minimum),
    "max of ui32": ("ui32", np.uint32, np.maximum),
    "add of ui32": ("ui32", np.uint32, np.add),
}


def reduction(kind: str, element: str) -> str:
    """Return the lines that reduce a block of ``%p`` into memory at ``%q``."""
    signless = element.removeprefix("u")
    return f"""{addresses("p", signless, 8)}
    %c1 = arith.constant 1 : i64
    %n = arith.constant 11 : i32
    %at = arith.constant 5 : i32
    %v = tt.load %pp : tensor<8x!tt.ptr<{signless}>>
    %d = tt.make_tensor_descriptor %q, [%n], [%c1] : <{signless}>, <8x{element}>
    tt.descriptor_reduce {kind}, %d[%at], %v : !tt.tensordesc<8x{element}>, tensor<8x{signless}>"""


@pytest.mark.parametrize("name", REDUCED)
def test_blocks_are_reduced_into_memory_within_the_tensor(name: str) -> None:
    element, array, twin = REDUCED[name]
    x = np.array([3, 200, 7, 11, 5, 6, 250, 8]).astype(array)
    x[:2] = -x[:2]
    y = np.arange(100, 116).astype(array)
    wanted = y.copy()
    wanted[5:11] = twin(y[5:11], x[:6])
    signless = element.removeprefix("u")
    text = run(
        reduction(name[:3].strip(), element), f"%p: !tt.ptr<{signless}>, %q: !tt.ptr<{signless}>", x, y
    )
    assert y.tolist() == wanted.tolist()
    assert "relaxed device" in text


# --- products


def product(left: str, right: str, sum: str, values: tuple[Any, Any, Any]) -> tuple[np.ndarray, str]:
    """Return a product of 16x16 matrices of splats, and the converted text."""
    lines = "".join(
        f"    %{name} = arith.constant dense<{value}> : tensor<16x16x{kind}>\n"
        for name, kind, value in zip("abc", (left, right, sum), values, strict=True)
    )
    types = f"tensor<16x16x{left}> * tensor<16x16x{right}> -> tensor<16x16x{sum}>"
    lines += f"    %d = tt.dot %a, %b, %c : {types}\n{addresses('p', sum, 256)}"
    lines += f"    %r = tt.reshape %d : tensor<16x16x{sum}> -> tensor<256x{sum}>\n"
    lines += f"    tt.store %pp, %r : tensor<256x!tt.ptr<{sum}>>"
    o = np.zeros(256, ARRAYS[sum])
    return o, run(lines, f"%p: !tt.ptr<{sum}>", o)


@pytest.mark.parametrize(
    ("left", "right", "sum", "values", "form"),
    [
        ("i8", "i8", "i32", (-3, 5, 7), "signed signed"),
        ("f8E4M3FN", "f8E5M2", "f32", (1.5, -2.0, 0.5), "tile<16x16xf16>, tile<16x16xf16>, tile<16x16xf32>"),
        ("f64", "f64", "f32", (1.5, -2.0, 0.5), "tile<16x16xf64>, tile<16x16xf64>, tile<16x16xf64>"),
        ("f16", "f16", "f16", (1.5, -2.0, 0.5), "tile<16x16xf16>, tile<16x16xf16>, tile<16x16xf16>"),
        ("bf16", "bf16", "f16", (1.5, -2.0, 0.5), "tile<16x16xbf16>, tile<16x16xbf16>, tile<16x16xf32>"),
    ],
)
def test_products_of_every_pair_of_types(left: str, right: str, sum: str, values: Any, form: str) -> None:
    found, text = product(left, right, sum, values)
    assert found.tolist() == [16 * values[0] * values[1] + values[2]] * 256
    (line,) = [line for line in text.splitlines() if "mmai" in line or "mmaf" in line]
    assert form in line


def test_factors_of_4_bits_are_packed_along_either_dimension() -> None:
    body = f"""{addresses("x", "i8", 512)}{addresses("y", "i8", 512)}{addresses("o", "f32", 256)}
    %xv = tt.load %xp : tensor<512x!tt.ptr<i8>>
    %yv = tt.load %yp : tensor<512x!tt.ptr<i8>>
    %a = tt.reshape %xv : tensor<512xi8> -> tensor<8x64xi8>
    %b = tt.reshape %yv : tensor<512xi8> -> tensor<64x8xi8>
    %c = arith.constant dense<0.0> : tensor<16x16xf32>
    %d = tt.dot_scaled %a, %b, %c lhs = e2m1 rhs = e2m1 {{fastMath = false, lhs_k_pack = false, rhs_k_pack = false}}
      : tensor<8x64xi8> * tensor<64x8xi8> -> tensor<16x16xf32>
    %r = tt.reshape %d : tensor<16x16xf32> -> tensor<256xf32>
    tt.store %op, %r : tensor<256x!tt.ptr<f32>>"""
    draw = np.random.default_rng(4)
    x, y = (draw.integers(0, 256, (512,)).astype(np.uint8) for _ in range(2))
    o = np.zeros(256, np.float32)
    run(body, "%x: !tt.ptr<i8>, %y: !tt.ptr<i8>, %o: !tt.ptr<f32>", x.view(np.int8), y.view(np.int8), o)
    values = np.array([0, 0.5, 1, 1.5, 2, 3, 4, 6, -0.0, -0.5, -1, -1.5, -2, -3, -4, -6])
    x, y = x.reshape(8, 64), y.reshape(64, 8)
    left = np.stack([values[x & 15], values[x >> 4]], 1).reshape(16, 64)
    right = np.stack([values[y & 15], values[y >> 4]], 2).reshape(64, 16)
    assert np.array_equal(o.reshape(16, 16), (left @ right).astype(np.float32))


def test_an_order_of_dimensions_that_is_the_same_changes_nothing() -> None:
    body = f"""{addresses("p", "f32", 16)}
    %v = tt.load %pp : tensor<16x!tt.ptr<f32>>
    %m = tt.reshape %v : tensor<16xf32> -> tensor<4x4xf32>
    %t = tt.trans %m {{order = array<i32: 0, 1>}} : tensor<4x4xf32> -> tensor<4x4xf32>
    %u = tt.trans %t {{order = array<i32: 1, 0>}} : tensor<4x4xf32> -> tensor<4x4xf32>
    %r = tt.reshape %u : tensor<4x4xf32> -> tensor<16xf32>
    tt.store %pp, %r : tensor<16x!tt.ptr<f32>>"""
    x = np.arange(16, dtype=np.float32)
    text = run(body, "%p: !tt.ptr<f32>", x)
    assert x.reshape(4, 4).tolist() == np.arange(16).reshape(4, 4).T.tolist()
    assert text.count("permute") == 1


# --- refusals and places

REFUSED = {
    "a rounding": (
        "    %a = arith.constant dense<1.0> : tensor<4xf32>\n"
        "    %b = tt.fp_to_fp %a, rounding = rtz : tensor<4xf32> -> tensor<4xf8E4M3FN>",
        "conversions to f8E4M3FN round to the nearest only",
    ),
    "a product": (
        "    %a = arith.constant dense<1> : tensor<16x16xi16>\n    %c = arith.constant dense<1> : tensor<16x16xi32>\n"
        "    %b = tt.dot %a, %a, %c : tensor<16x16xi16> * tensor<16x16xi16> -> tensor<16x16xi32>",
        "Tile IR multiplies no matrices of i16",
    ),
    "a reduction": (reduction("max", "f32"), "'MAX' of f32 is not atomic"),
    "extents": (
        "    %a = arith.constant dense<1.0> : tensor<3xf32>",
        "tensor<3xf32> has no form in Tile IR: ",
    ),
}


@pytest.mark.parametrize("name", REFUSED)
def test_refusals_say_why(name: str) -> None:
    body, reason = REFUSED[name]
    with pytest.raises(DiagnosticError) as refused:
        converted(kernel(body))
    text = "\n".join(
        f"{one.message} {' '.join(str(note) for note in one.notes)}" for one in refused.value.diagnostics
    )
    assert reason in text


def test_columns_of_nested_places_are_counted_from_zero() -> None:
    at = FileLineColLocation("k.py", 3, 5)
    ours = in_our_columns(at)
    assert ours == FileLineColLocation.at("k.py", 3, 5)
    assert ours != at
    assert in_our_columns(NameLocation("x", at)) == NameLocation("x", ours)
    assert in_our_columns(CallSiteLocation(at, UNKNOWN)) == CallSiteLocation(ours, UNKNOWN)
    assert in_our_columns(CallSiteLocation(UNKNOWN, at)) == CallSiteLocation(UNKNOWN, ours)
    fused = FusedLocation((at, UNKNOWN), None)
    assert in_our_columns(fused) == FusedLocation((ours, UNKNOWN), None)
    assert in_our_columns(UNKNOWN) is UNKNOWN


# --- the order of accesses by pointer

CARRIED = """    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %v = arith.constant 2.0 : f32
    %k = arith.cmpi slt, %n, %c1 : i32
    %s = arith.select %k, %p, %q : !tt.ptr<f32>
    %f = scf.for %i = %c0 to %n step %c1 iter_args(%r = %p) -> (!tt.ptr<f32>) : i32 {
      tt.store %r, %v : !tt.ptr<f32>
      %next = tt.addptr %r, %c1 : !tt.ptr<f32>, i32
      scf.yield %next : !tt.ptr<f32>
    }
    %b = scf.if %k -> !tt.ptr<f32> {
      %w = tt.load %q : !tt.ptr<f32>
      tt.store %q, %w : !tt.ptr<f32>
      scf.yield %q : !tt.ptr<f32>
    } else {
      scf.yield %t : !tt.ptr<f32>
    }
    scf.if %k {
      tt.store %f, %v : !tt.ptr<f32>
    }
    tt.store %b, %v : !tt.ptr<f32>
    %l:2 = scf.while (%j = %c0, %a = %t) : (i32, !tt.ptr<f32>) -> (i32, !tt.ptr<f32>) {
      %g = arith.cmpi slt, %j, %n : i32
      scf.condition(%g) %j, %a : i32, !tt.ptr<f32>
    } do {
    ^bb0(%j: i32, %a: !tt.ptr<f32>):
      tt.store %a, %v : !tt.ptr<f32>
      %m = arith.addi %j, %c1 : i32
      %o = tt.addptr %a, %c1 : !tt.ptr<f32>, i32
      scf.yield %m, %o : i32, !tt.ptr<f32>
    }
    %z = tt.load %s : !tt.ptr<f32>
    tt.store %l#1, %z : !tt.ptr<f32>"""


def test_pointers_keep_their_chain_through_loops_and_branches() -> None:
    arrays = [np.arange(1, 9, dtype=np.float32) * scale for scale in (1, 10, 100)]
    text = run(
        CARRIED,
        "%p: !tt.ptr<f32>, %q: !tt.ptr<f32>, %t: !tt.ptr<f32>, %n: i32",
        *arrays,
        3,
        memory_order="pointers",
    )
    assert arrays[0].tolist() == [2, 2, 2, 4, 5, 6, 7, 8]
    assert arrays[1].tolist() == [10, 20, 30, 40, 50, 60, 70, 80]
    assert arrays[2].tolist() == [2, 2, 2, 10, 500, 600, 700, 800]
    assert text.count("make_token") == 3
    joined = [line.count("%") - 1 for line in text.splitlines() if "join_tokens" in line]
    assert joined == [2, 2]  # behind the branch, and before the load through either pointer
