"""Operations that kernels seldom have: classes of floats, three-way orders, overflow, lanes at a computed position, reductions
of vectors, 128 bits.  Each is printed as PTX, run in the simulator, and compared with Python.
"""

from __future__ import annotations

import functools
import operator
import re
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

pytest.importorskip("numpy")

from tests.targets.nvptx.kernels import lanewise, printed, run_lanewise
from tests.targets.nvptx.test_ptx_of_scalars import operands, unsigned, wrapped
from tilewright.ir.diagnostic import DiagnosticError

WIDTHS = (8, 16, 32, 64)
BITS = {"f16": 16, "bf16": 16, "f32": 32, "f64": 64}
MANTISSA = {"f16": 10, "bf16": 7, "f32": 23, "f64": 52}


def classes(type: str) -> tuple[np.ndarray[Any, Any], list[int]]:
    """Bits of numbers of every class, and the bit that LLVM has for each; both kinds of NaN have both bits."""
    width, cut = BITS[type], MANTISSA[type]
    top = (1 << width - 1) - (1 << cut)
    values = [
        (top | 1 << cut - 1, 3),
        (top, 0x200),
        (top - 1, 0x100),
        (1 << cut, 0x100),
        (1, 0x80),
        (0, 0x40),
    ]
    mirror = {3: 3, 0x200: 0x4, 0x100: 0x8, 0x80: 0x10, 0x40: 0x20}
    values += [(value | 1 << width - 1, mirror[bit]) for value, bit in values]
    return np.array([value for value, _ in values], f"u{width // 8}"), [bit for _, bit in values]


SINGLE = (3, 0x4, 0x8, 0x10, 0x20, 0x40, 0x80, 0x100, 0x200)


@pytest.mark.parametrize("wanted", [*SINGLE, 0x60, 0x90, 0x108, 0x204, 0x1F8, 0x3FF, 0x247])
@pytest.mark.parametrize("type", BITS)
def test_classes_of_floats(type: str, wanted: int) -> None:
    values, bits = classes(type)
    body = f'%r = "llvm.intr.is.fpclass"(%a) <{{bit = {wanted} : i32}}> : ({type}) -> i1'
    if BITS[type] < 32 and wanted & 0x198:
        with pytest.raises(DiagnosticError, match="normal and subnormal numbers"):
            printed(lanewise(body, f"{type} -> i1"))
        return
    found = run_lanewise(body, f"{type} -> i1", np.uint8, values)
    assert found.tolist() == [int(bool(bit & wanted)) for bit in bits]


@pytest.mark.parametrize("wanted", [1, 2, 0x41])
def test_kinds_of_nan_are_not_told_apart(wanted: int) -> None:
    body = f'%r = "llvm.intr.is.fpclass"(%a) <{{bit = {wanted} : i32}}> : (f32) -> i1'
    with pytest.raises(DiagnosticError, match="quiet and signalling"):
        printed(lanewise(body, "f32 -> i1"))


@pytest.mark.parametrize("target", [8, 32])
@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize("name", ["scmp", "ucmp"])
def test_three_way_orders(name: str, width: int, target: int) -> None:
    a, b = operands(width)
    body = f'%r = "llvm.intr.{name}"(%a, %b) : (i{width}, i{width}) -> i{target}'
    found = run_lanewise(body, f"i{width} i{width} -> i{target}", f"i{target // 8}", a, b)
    kind = "u" if name == "ucmp" else "i"
    left, right = (one.view(f"{kind}{width // 8}") for one in (a, b))
    assert found.tolist() == [(x > y) - (x < y) for x, y in zip(left.tolist(), right.tolist(), strict=True)]


EXACT: dict[str, Callable[[int, int], int]] = {"add": operator.add, "sub": operator.sub, "mul": operator.mul}


@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize("sign", ["s", "u"])
@pytest.mark.parametrize("name", EXACT)
def test_overflow(name: str, sign: str, width: int) -> None:
    a, b = operands(width)
    type = f"!llvm.struct<(i{width}, i1)>"
    call = f'%x = "llvm.intr.{sign}{name}.with.overflow"(%a, %b) : (i{width}, i{width}) -> {type}'
    results = [
        run_lanewise(
            f"{call}\n%r = llvm.extractvalue %x[{at}] : {type}", f"i{width} i{width} -> {kind}", dtype, a, b
        )
        for at, kind, dtype in ((0, f"i{width}", a.dtype), (1, "i1", np.dtype(np.uint8)))
    ]
    kind = "u" if sign == "u" else "i"
    limits = np.iinfo(f"{kind}{width // 8}")
    left, right = (one.view(limits.dtype).tolist() for one in (a, b))
    exact = [EXACT[name](x, y) for x, y in zip(left, right, strict=True)]
    assert results[0].tolist() == [wrapped(one, width) for one in exact]
    assert results[1].tolist() == [int(not limits.min <= one <= limits.max) for one in exact]


LANES = 4


@pytest.mark.parametrize("type", ["i8", "i16", "i32", "i64", "f16", "f32", "f64"])
def test_lanes_at_a_computed_position(type: str) -> None:
    width = int(type[1:])
    values = np.arange(1, 1 + 8 * LANES).astype(f"u{width // 8}")
    positions = np.array([0, 1, 2, 3, 3, 2, 1, 0], np.int32)
    rows = values.reshape(8, LANES)
    vector = f"vector<{LANES}x{type}>"
    taken = run_lanewise(
        f"%r = llvm.extractelement %a[%b : i32] : {vector}",
        f"{vector} i32 -> {type}",
        values.dtype,
        values,
        positions,
    )
    assert taken.tolist() == rows[np.arange(8), positions].tolist()
    put = run_lanewise(
        f"%r = llvm.insertelement %c, %a[%b : i32] : {vector}",
        f"{vector} i32 {type} -> {vector}",
        values.dtype,
        values,
        positions,
        np.full(8, 99, values.dtype),
    ).reshape(8, LANES)
    wanted = rows.copy()
    wanted[np.arange(8), positions] = 99
    assert put.tolist() == wanted.tolist()


REDUCED: dict[str, Callable[[int, int], int]] = {
    "add": operator.add,
    "mul": operator.mul,
    "and": operator.and_,
    "or": operator.or_,
    "xor": operator.xor,
    "smax": max,
    "smin": min,
}


@pytest.mark.parametrize("width", [16, 32, 64])
@pytest.mark.parametrize("name", REDUCED)
def test_reductions_of_vectors_of_integers(name: str, width: int) -> None:
    values = np.random.default_rng(width).integers(-100, 100, 8 * LANES).astype(f"i{width // 8}")
    body = f'%r = "llvm.intr.vector.reduce.{name}"(%a) : (vector<{LANES}xi{width}>) -> i{width}'
    found = run_lanewise(body, f"vector<{LANES}xi{width}> -> i{width}", values.dtype, values)
    rows = values.reshape(8, LANES).tolist()
    assert found.tolist() == [wrapped(functools.reduce(REDUCED[name], row), width) for row in rows]


@pytest.mark.parametrize("type", ["f32", "f64"])
@pytest.mark.parametrize("name", ["fadd", "fmul"])
def test_reductions_of_vectors_of_floats(name: str, type: str) -> None:
    dtype = np.dtype(f"f{int(type[1:]) // 8}")
    values = np.random.default_rng(1).normal(size=8 * LANES).astype(dtype)
    start = np.random.default_rng(2).normal(size=8).astype(dtype)
    vector = f"vector<{LANES}x{type}>"
    body = f'%r = "llvm.intr.vector.reduce.{name}"(%b, %a) <{{fastmathFlags = #llvm.fastmath<none>}}> : ({type}, {vector}) -> {type}'
    found = run_lanewise(body, f"{vector} {type} -> {type}", dtype, values, start)
    step = np.add if name == "fadd" else np.multiply
    wanted = [
        functools.reduce(step, row, first) for row, first in zip(values.reshape(8, LANES), start, strict=True)
    ]
    assert found.tolist() == np.array(wanted, dtype).tolist()


ORDERS: dict[str, Callable[[int, int], bool]] = {
    "eq": operator.eq,
    "ne": operator.ne,
    "slt": operator.lt,
    "sle": operator.le,
    "sgt": operator.gt,
    "sge": operator.ge,
    "ult": operator.lt,
    "ule": operator.le,
    "ugt": operator.gt,
    "uge": operator.ge,
}


@pytest.mark.parametrize("name", ORDERS)
def test_orders_of_128_bits(name: str) -> None:
    a, b = operands(64)
    wide = "\n".join(
        f"%{one}x = llvm.sext %{one} : i64 to i128\n%{one}y = llvm.zext %{one} : i64 to i128" for one in "ab"
    )
    for left, right in (("x", "x"), ("x", "y"), ("y", "x")):
        body = f'{wide}\n%r = llvm.icmp "{name}" %a{left}, %b{right} : i128'
        found = run_lanewise(body, "i64 i64 -> i1", np.uint8, a, b)
        pairs = [
            (number(x, left, name[0] == "u"), number(y, right, name[0] == "u"))
            for x, y in zip(a.tolist(), b.tolist(), strict=True)
        ]
        assert found.tolist() == [int(ORDERS[name](x, y)) for x, y in pairs]


def number(value: int, extension: str, is_unsigned: bool) -> int:
    """The 128 bits of an extended integer as a number."""
    bits = unsigned(value, 128 if extension == "x" else 64)
    return bits if is_unsigned or bits < 1 << 127 else bits - (1 << 128)


@pytest.mark.parametrize("name", ["and", "or", "xor"])
def test_logic_of_128_bits(name: str) -> None:
    a, b = operands(64)
    for right in ("sext", "zext"):
        body = (
            f"%x = llvm.sext %a : i64 to i128\n%y = llvm.{right} %b : i64 to i128\n%z = llvm.{name} %x, %y : i128\n"
            '%w = llvm.mlir.constant(64 : i128) : i128\n%r = llvm.icmp "slt" %z, %w : i128'
        )
        found = run_lanewise(body, "i64 i64 -> i1", np.uint8, a, b)
        step: Callable[[int, int], int] = getattr(operator, f"{name}_" if name != "xor" else name)
        pairs = zip(a.tolist(), b.tolist(), strict=True)
        assert found.tolist() == [
            int(step(x, y if right == "sext" else unsigned(y, 64)) < 64) for x, y in pairs
        ]


@pytest.mark.parametrize("width", [8, 16, 32])
def test_bits_become_a_number_and_a_number_bits(width: int) -> None:
    a, _ = operands(width)
    vector = f"vector<{width}xi1>"
    body = (
        f"%v = llvm.bitcast %a : i{width} to {vector}\n%k = llvm.mlir.constant(2 : i32) : i32\n"
        f"%yes = llvm.mlir.constant(true) : i1\n%n = llvm.insertelement %yes, %v[%k : i32] : {vector}\n"
        f"%r = llvm.bitcast %n : {vector} to i{width}"
    )
    found = run_lanewise(body, f"i{width} -> i{width}", a.dtype, a)
    assert found.tolist() == [wrapped(one | 4, width) for one in a.tolist()]


def test_a_frozen_value_is_the_value() -> None:
    a, _ = operands(32)
    assert run_lanewise("%r = llvm.freeze %a : i32", "i32 -> i32", a.dtype, a).tolist() == a.tolist()


def test_symbols_that_ptx_cannot_spell_have_names_of_their_own() -> None:
    symbols = ['"a-b"', '"a.b"', "a_b", '"a b"']
    text = "\n".join(
        f"llvm.func @{symbol}() attributes {{nvvm.kernel}} {{\n  llvm.return\n}}" for symbol in symbols
    )
    names = re.findall(r"\.entry ([\w$%]+)", printed(text))
    assert len(set(names)) == len(symbols)
    assert "a_b" in names
