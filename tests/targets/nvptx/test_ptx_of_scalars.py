"""Arithmetic, comparisons and conversions of every width: printed as PTX, run in the simulator, compared with Python."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

pytest.importorskip("numpy")

from tests.targets.nvptx.kernels import lanewise, printed, run_lanewise

pytestmark = pytest.mark.usefixtures("ptx_as_before")

WIDTHS = (8, 16, 32, 64)
EDGES = (0, 1, 2, 3, 5, 7, -1, -2, -7)


def operands(width: int) -> tuple[Any, Any]:
    """Two arrays of integers: all pairs of edge values, then random ones."""
    dtype = np.dtype(f"i{width // 8}")
    info = np.iinfo(dtype)
    edges = np.array([*EDGES, info.min, info.max, info.max - 1], dtype)
    random = np.random.default_rng(width).integers(info.min, info.max, 56, dtype, endpoint=True)
    left, right = (grid.ravel() for grid in np.meshgrid(edges, edges))
    return np.concatenate([left, random]), np.concatenate([right, random[::-1]])


def wrapped(value: int, width: int) -> int:
    low = value & (1 << width) - 1
    return low - (1 << width) if low >> width - 1 else low


def unsigned(value: int, width: int) -> int:
    return value & (1 << width) - 1


def rotated(a: int, b: int, c: int, width: int) -> int:
    both = unsigned(a, width) << width | unsigned(b, width)
    return both << unsigned(c, width) % width >> width


def divided(a: int, b: int) -> int:
    return abs(a) // abs(b) * (1 if (a < 0) == (b < 0) else -1)


Exact = Callable[[int, int, int], int]
BINARY: dict[str, Exact] = {
    "llvm.add": lambda a, b, w: a + b,
    "llvm.sub": lambda a, b, w: a - b,
    "llvm.mul": lambda a, b, w: a * b,
    "llvm.and": lambda a, b, w: a & b,
    "llvm.or": lambda a, b, w: a | b,
    "llvm.xor": lambda a, b, w: a ^ b,
    "llvm.intr.smax": lambda a, b, w: max(a, b),
    "llvm.intr.smin": lambda a, b, w: min(a, b),
    "llvm.intr.umax": lambda a, b, w: max(unsigned(a, w), unsigned(b, w)),
    "llvm.intr.umin": lambda a, b, w: min(unsigned(a, w), unsigned(b, w)),
    "llvm.sdiv": lambda a, b, w: divided(a, b),
    "llvm.srem": lambda a, b, w: a - b * divided(a, b),
    "llvm.udiv": lambda a, b, w: unsigned(a, w) // unsigned(b, w),
    "llvm.urem": lambda a, b, w: unsigned(a, w) % unsigned(b, w),
    "llvm.shl": lambda a, b, w: a << unsigned(b, w),
    "llvm.lshr": lambda a, b, w: unsigned(a, w) >> unsigned(b, w),
    "llvm.ashr": lambda a, b, w: a >> unsigned(b, w),
    "llvm.intr.sadd.sat": lambda a, b, w: saturated(a + b, w),
    "llvm.intr.ssub.sat": lambda a, b, w: saturated(a - b, w),
    "llvm.intr.uadd.sat": lambda a, b, w: min(unsigned(a, w) + unsigned(b, w), (1 << w) - 1),
    "llvm.intr.usub.sat": lambda a, b, w: max(unsigned(a, w) - unsigned(b, w), 0),
    "llvm.intr.sshl.sat": lambda a, b, w: saturated(a << unsigned(b, w), w),
    "llvm.intr.ushl.sat": lambda a, b, w: min(unsigned(a, w) << unsigned(b, w), (1 << w) - 1),
}
SHIFTS = frozenset(name for name in BINARY if "sh" in name)
DIVISIONS = frozenset({"llvm.sdiv", "llvm.srem", "llvm.udiv", "llvm.urem"})


def saturated(value: int, width: int) -> int:
    return max(-(1 << width - 1), min(value, (1 << width - 1) - 1))


@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize("name", BINARY)
def test_two_integers(name: str, width: int) -> None:
    a, b = operands(width)
    if name in SHIFTS:
        b = (b.view(f"u{width // 8}") % width).astype(a.dtype)
    if name in DIVISIONS:
        b = np.where((b == 0) | (b == -1), 3, b).astype(a.dtype)
    body = (
        f"%r = {name} %a, %b : i{width}"
        if "intr" not in name
        else f"%r = {name}(%a, %b) : (i{width}, i{width}) -> i{width}"
    )
    found = run_lanewise(body, f"i{width} i{width} -> i{width}", a.dtype, a, b)
    wanted = [wrapped(BINARY[name](int(x), int(y), width), width) for x, y in zip(a, b, strict=True)]
    assert found.tolist() == wanted


UNARY: dict[str, Callable[[int, int], int]] = {
    "ctpop": lambda a, w: a.bit_count(),
    "ctlz": lambda a, w: w - a.bit_length(),
    "cttz": lambda a, w: (a & -a).bit_length() - 1 if a else w,
    "bitreverse": lambda a, w: int(f"{a:0{w}b}"[::-1], 2),
    "bswap": lambda a, w: int.from_bytes(a.to_bytes(w // 8, "little"), "big"),
    "abs": lambda a, w: abs(wrapped(a, w)),
}
FLAGS = {
    "ctlz": "is_zero_poison = false",
    "cttz": "is_zero_poison = false",
    "abs": "is_int_min_poison = false",
}


@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize("name", UNARY)
def test_one_integer(name: str, width: int) -> None:
    if name == "bswap" and width == 8:
        pytest.skip("a byte has no bytes to swap")
    a, _ = operands(width)
    flags = f" <{{{FLAGS[name]}}}>" if name in FLAGS else ""
    body = f'%r = "llvm.intr.{name}"(%a){flags} : (i{width}) -> i{width}'
    found = run_lanewise(body, f"i{width} -> i{width}", a.dtype, a)
    assert found.tolist() == [wrapped(UNARY[name](unsigned(int(x), width), width), width) for x in a]


@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize("name", ["fshl", "fshr"])
def test_funnel_shifts(name: str, width: int) -> None:
    a, b = operands(width)
    c = np.arange(len(a)).astype(a.dtype)
    body = f"%r = llvm.intr.{name}(%a, %b, %c) : (i{width}, i{width}, i{width}) -> i{width}"
    found = run_lanewise(body, f"i{width} i{width} i{width} -> i{width}", a.dtype, a, b, c)
    for x, y, z, r in zip(a.tolist(), b.tolist(), c.tolist(), found.tolist(), strict=True):
        both = unsigned(x, width) << width | unsigned(y, width)
        count = unsigned(z, width) % width
        assert r == wrapped(both << count >> width if name == "fshl" else both >> count, width)


ORDERS: dict[str, Callable[[int, int], bool]] = {
    "eq": lambda a, b: a == b,
    "ne": lambda a, b: a != b,
    "lt": lambda a, b: a < b,
    "le": lambda a, b: a <= b,
    "gt": lambda a, b: a > b,
    "ge": lambda a, b: a >= b,
}


@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize("order", ["eq", "ne", "slt", "sle", "sgt", "sge", "ult", "ule", "ugt", "uge"])
def test_comparisons_of_integers(order: str, width: int) -> None:
    a, b = operands(width)
    found = run_lanewise(
        f'%r = llvm.icmp "{order}" %a, %b : i{width}', f"i{width} i{width} -> i1", "u1", a, b
    )
    if order.startswith("u"):
        a, b = a.view(f"u{width // 8}"), b.view(f"u{width // 8}")
    test = ORDERS[order[-2:]]
    assert found.tolist() == [int(test(x, y)) for x, y in zip(a.tolist(), b.tolist(), strict=True)]


@pytest.mark.parametrize("name", ["add", "sub", "mul", "and", "or", "xor", "icmp slt", "icmp ugt", "select"])
def test_single_bits(name: str) -> None:
    """One bit: sums are carried away, and 1 is the smaller signed number."""
    a, b = np.array([0, 0, 1, 1], "u1"), np.array([0, 1, 0, 1], "u1")
    operation, _, order = name.partition(" ")
    text = {
        "icmp": f'%r = llvm.icmp "{order}" %a, %b : i1',
        "select": "%r = llvm.select %a, %b, %a : i1, i1",
    }.get(operation, f"%r = llvm.{name} %a, %b : i1")
    found = run_lanewise(text, "i1 i1 -> i1", "u1", a, b)
    wanted = {
        "add": [0, 1, 1, 0],
        "sub": [0, 1, 1, 0],
        "mul": [0, 0, 0, 1],
        "and": [0, 0, 0, 1],
        "or": [0, 1, 1, 1],
        "xor": [0, 1, 1, 0],
        "icmp slt": [0, 0, 1, 0],
        "icmp ugt": [0, 0, 1, 0],
        "select": [0, 0, 0, 1],
    }
    assert found.tolist() == wanted[name]


@pytest.mark.parametrize("source", WIDTHS)
@pytest.mark.parametrize("target", WIDTHS)
def test_integers_of_other_widths(source: int, target: int) -> None:
    if source == target:
        return
    a, _ = operands(source)
    names = ("sext", "zext") if source < target else ("trunc",)
    for name in names:
        body = f"%r = llvm.{name} %a : i{source} to i{target}"
        found = run_lanewise(body, f"i{source} -> i{target}", f"i{target // 8}", a)
        read = a if name != "zext" else a.view(f"u{source // 8}")
        assert found.tolist() == [wrapped(int(x), target) for x in read]


# --- floats


def floats(dtype: str) -> Any:
    values = [
        0.0,
        -0.0,
        1.0,
        -1.5,
        0.5,
        2.5,
        3.5,
        -2.5,
        1e-3,
        65504.0,
        np.inf,
        -np.inf,
        np.nan,
        7.0,
        100.25,
        -0.3,
    ]
    return np.array(values, dtype)


FLOATS = {"f16": "f2", "f32": "f4", "f64": "f8"}


@pytest.mark.parametrize("chip", ["sm_75", "sm_80"])
@pytest.mark.parametrize("kind", FLOATS)
@pytest.mark.parametrize("name", ["fadd", "fsub", "fmul", "fdiv"])
def test_arithmetic_of_floats(name: str, kind: str, chip: str) -> None:
    a = np.repeat(floats(FLOATS[kind]), 16)
    b = np.tile(floats(FLOATS[kind]), 16)
    found = run_lanewise(
        f"%r = llvm.{name} %a, %b : {kind}", f"{kind} {kind} -> {kind}", a.dtype, a, b, chip=chip
    )
    with np.errstate(all="ignore"):
        wanted = {"fadd": a + b, "fsub": a - b, "fmul": a * b, "fdiv": a / b}[name]
    np.testing.assert_array_equal(found, wanted)


@pytest.mark.parametrize("chip", ["sm_75", "sm_80"])
@pytest.mark.parametrize("kind", FLOATS)
@pytest.mark.parametrize("name", ["maxnum", "minnum", "maximum", "minimum", "copysign"])
def test_extrema(name: str, kind: str, chip: str) -> None:
    a = np.repeat(floats(FLOATS[kind]), 16)
    b = np.tile(floats(FLOATS[kind]), 16)
    body = f"%r = llvm.intr.{name}(%a, %b) : ({kind}, {kind}) -> {kind}"
    found = run_lanewise(body, f"{kind} {kind} -> {kind}", a.dtype, a, b, chip=chip)
    wanted = {
        "maxnum": np.fmax,
        "minnum": np.fmin,
        "maximum": np.maximum,
        "minimum": np.minimum,
        "copysign": np.copysign,
    }
    np.testing.assert_array_equal(found, wanted[name](a, b))


def half_away(x: Any) -> Any:
    moved = np.trunc(x) + np.copysign(1, x)
    return np.where(np.abs(x - np.trunc(x)) >= 0.5, moved, np.trunc(x))


@pytest.mark.parametrize("kind", FLOATS)
@pytest.mark.parametrize("name", ["floor", "ceil", "trunc", "rint", "roundeven", "round", "fabs", "sqrt"])
def test_functions_of_one_float(name: str, kind: str) -> None:
    a = floats(FLOATS[kind])
    body = f"%r = llvm.intr.{name}(%a) : ({kind}) -> {kind}"
    found = run_lanewise(body, f"{kind} -> {kind}", a.dtype, a)
    wanted = {"roundeven": np.rint, "round": half_away, "fabs": np.abs}.get(name) or getattr(np, name)
    with np.errstate(all="ignore"):
        np.testing.assert_array_equal(found, wanted(a).astype(a.dtype))


@pytest.mark.parametrize("kind", FLOATS)
def test_negation_and_fusion(kind: str) -> None:
    a = floats(FLOATS[kind])
    found = run_lanewise(f"%r = llvm.fneg %a : {kind}", f"{kind} -> {kind}", a.dtype, a)
    np.testing.assert_array_equal(found, -a)
    body = f"%r = llvm.intr.fma(%a, %b, %c) : ({kind}, {kind}, {kind}) -> {kind}"
    b, c = np.full_like(a, 3), np.full_like(a, 0.25)
    found = run_lanewise(body, f"{kind} {kind} {kind} -> {kind}", a.dtype, a, b, c)
    with np.errstate(all="ignore"):
        wanted = a * b + c
    finite = np.isfinite(wanted)
    np.testing.assert_allclose(found[finite], wanted[finite], rtol=2e-3)


@pytest.mark.parametrize("kind", FLOATS)
@pytest.mark.parametrize(
    "order",
    ["oeq", "ogt", "oge", "olt", "ole", "one", "ord", "ueq", "ugt", "uge", "ult", "ule", "une", "uno"],
)
def test_comparisons_of_floats(order: str, kind: str) -> None:
    a = np.repeat(floats(FLOATS[kind]), 16)
    b = np.tile(floats(FLOATS[kind]), 16)
    found = run_lanewise(f'%r = llvm.fcmp "{order}" %a, %b : {kind}', f"{kind} {kind} -> i1", "u1", a, b)
    unordered = np.isnan(a) | np.isnan(b)
    tests = {
        "eq": a == b,
        "gt": a > b,
        "ge": a >= b,
        "lt": a < b,
        "le": a <= b,
        "ne": a != b,
        "rd": ~unordered,
        "no": unordered,
    }
    plain = tests[order[-2:]]
    wanted = (
        plain if order in ("ord", "uno") else plain & ~unordered if order[0] == "o" else plain | unordered
    )
    np.testing.assert_array_equal(found.astype(bool), wanted)


@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize("kind", FLOATS)
def test_floats_and_integers(kind: str, width: int) -> None:
    whole = np.array([0, 1, -1, 100, -100, 127, -128, 77], f"i{width // 8}")
    found = run_lanewise(
        f"%r = llvm.sitofp %a : i{width} to {kind}", f"i{width} -> {kind}", FLOATS[kind], whole
    )
    np.testing.assert_array_equal(found, whole.astype(FLOATS[kind]))
    natural = whole.view(f"u{width // 8}") & 127
    found = run_lanewise(
        f"%r = llvm.uitofp %a : i{width} to {kind}", f"i{width} -> {kind}", FLOATS[kind], natural
    )
    np.testing.assert_array_equal(found, natural.astype(FLOATS[kind]))
    numbers = np.array([0.0, 1.9, -1.9, 100.5, -100.5, 3.0], FLOATS[kind])
    found = run_lanewise(
        f"%r = llvm.fptosi %a : {kind} to i{width}", f"{kind} -> i{width}", whole.dtype, numbers
    )
    np.testing.assert_array_equal(found, np.trunc(numbers).astype(whole.dtype))
    found = run_lanewise(
        f"%r = llvm.fptoui %a : {kind} to i{width}", f"{kind} -> i{width}", natural.dtype, np.abs(numbers)
    )
    np.testing.assert_array_equal(found, np.trunc(np.abs(numbers)).astype(natural.dtype))


@pytest.mark.parametrize(("source", "target"), [("f16", "f32"), ("f16", "f64"), ("f32", "f64")])
def test_other_formats(source: str, target: str) -> None:
    a = floats(FLOATS[source])
    found = run_lanewise(
        f"%r = llvm.fpext %a : {source} to {target}", f"{source} -> {target}", FLOATS[target], a
    )
    np.testing.assert_array_equal(found, a.astype(FLOATS[target]))
    wide = np.random.default_rng(1).normal(size=64).astype(FLOATS[target])
    found = run_lanewise(
        f"%r = llvm.fptrunc %a : {target} to {source}", f"{target} -> {source}", FLOATS[source], wide
    )
    np.testing.assert_array_equal(found, wide.astype(FLOATS[source]))


@pytest.mark.parametrize(("width", "number"), [(33, -1), (24, -5), (33, 1 - (1 << 32)), (7, -1)])
def test_constants_have_the_bits_of_their_type(width: int, number: int) -> None:
    body = f"""
  %c = llvm.mlir.constant({number} : i{width}) : i{width}
  %x = llvm.trunc %a : i64 to i{width}
  %d = llvm.udiv %x, %c : i{width}
  %r = llvm.zext %d : i{width} to i64
"""
    mask = (1 << width) - 1
    values = np.array([number & mask, (number & mask) - 1, mask, 1 << (width - 1)], np.uint64)
    found = run_lanewise(body, "i64 -> i64", np.uint64, values)
    assert found.tolist() == [int(value) // (number & mask) for value in values]


def test_constants_stand_in_instructions() -> None:
    text = lanewise("%c = llvm.mlir.constant(3.0 : f32) : f32\n%r = llvm.fadd %a, %c : f32", "f32 -> f32")
    assert "add.rn.f32 %f2, %f1, 0f40400000;" in printed(text)
