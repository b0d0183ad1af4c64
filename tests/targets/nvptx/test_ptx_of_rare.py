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
from tilewright.ptxsim import launch

pytestmark = pytest.mark.usefixtures("ptx_as_before")

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


def test_names_that_are_taken_are_longer() -> None:
    """Each symbol keeps its name wherever it is used, whatever other symbols become."""
    text = "\n".join(
        f"llvm.mlir.global external constant @{symbol}({number} : i32) {{addr_space = 4 : i32}} : i32"
        for number, symbol in enumerate(['"a.b"', '"a-b"', '"a b"', "a_b"], 5)
    )
    body = "\n".join(
        f"%p{number} = llvm.mlir.addressof @{symbol} : !llvm.ptr<4>\n%x{number} = llvm.load %p{number} : !llvm.ptr<4> -> i32\n"
        f"%s{number} = llvm.mul %{'a' if not number else f'o{number - 1}'}, %a : i32\n%o{number} = llvm.add %s{number}, %x{number} : i32"
        for number, symbol in enumerate(['"a.b"', '"a-b"', '"a b"', "a_b"])
    )
    a = np.arange(8, dtype=np.int32)
    text += "\n" + lanewise(f"{body}\n%r = llvm.add %o3, %t : i32", "i32 -> i32")
    out = np.zeros_like(a)
    ptx = printed(text)
    launch(ptx, "k", (1,), (8,), [a, out])
    names = re.findall(r"\.const .*?([\w$]+)\[", ptx)
    assert names == ["a_$_b", "a_$_b_", "a_$_b__", "a_b"]
    wanted = a.copy()
    for number in range(5, 9):
        wanted = wanted * a + number
    assert out.tolist() == (wanted + a).tolist()


BRAIN = np.array(
    [
        0.0,
        -0.0,
        1.0,
        1.00390625,
        -1.5,
        2.5,
        3.5,
        -2.5,
        3e38,
        -7e-40,
        np.inf,
        -np.inf,
        np.nan,
        100.5,
        -0.3,
        0.7,
    ],
    np.float32,
)
"""Numbers; their upper halves are brain floats."""


def halves(numbers: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
    """The brain floats that numbers begin with."""
    return (numbers.view(np.uint32) >> 16).astype(np.uint16)


def whole(bits: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
    """Brain floats as numbers."""
    return (bits.astype(np.uint32) << 16).view(np.float32)


@pytest.mark.parametrize("chip", ["sm_80", "sm_90"])
@pytest.mark.parametrize("order", ["oeq", "olt", "oge", "une", "ugt", "ord", "uno"])
def test_comparisons_of_brain_floats(order: str, chip: str) -> None:
    a, b = (grid.ravel() for grid in np.meshgrid(halves(BRAIN), halves(BRAIN)))
    found = run_lanewise(f'%r = llvm.fcmp "{order}" %a, %b : bf16', "bf16 bf16 -> i1", "u1", a, b, chip=chip)
    x, y = whole(a), whole(b)
    unordered = np.isnan(x) | np.isnan(y)
    step = {
        "eq": x == y,
        "lt": x < y,
        "ge": x >= y,
        "ne": x != y,
        "gt": x > y,
        "rd": ~unordered,
        "no": unordered,
    }
    wanted = step[order[1:]] if order not in ("ord", "uno") else step[order[-2:]]
    if order[0] == "u" and order != "uno":
        wanted = wanted | unordered
    assert found.tolist() == wanted.astype(int).tolist()


@pytest.mark.parametrize(("order", "wanted"), [("_false", 0), ("_true", 1)])
def test_comparisons_that_are_certain(order: str, wanted: int) -> None:
    vector = "vector<4xf32>"
    body = f'%c = llvm.fcmp "{order}" %a, %b : {vector}\n%r = llvm.select %c, %a, %b : vector<4xi1>, {vector}'
    a = np.arange(32, dtype=np.float32)
    found = run_lanewise(body, f"{vector} {vector} -> {vector}", np.float32, a, a + 100)
    assert found.tolist() == (a if wanted else a + 100).tolist()


@pytest.mark.parametrize("chip", ["sm_80", "sm_90"])
@pytest.mark.parametrize("name", ["floor", "ceil", "trunc", "rint", "round"])
def test_brain_floats_become_whole(name: str, chip: str) -> None:
    a = halves(BRAIN)
    found = run_lanewise(
        f"%r = llvm.intr.{name}(%a) : (bf16) -> bf16", "bf16 -> bf16", np.uint16, a, chip=chip
    )
    numbers = whole(a)
    moved = np.trunc(numbers) + np.copysign(np.float32(1), numbers)
    with np.errstate(invalid="ignore"):
        wanted = np.where(np.abs(numbers - np.trunc(numbers)) >= 0.5, moved, np.trunc(numbers))
    if name != "round":
        wanted = getattr(np, name)(numbers)
    is_nan = np.isnan(wanted)
    assert whole(found)[~is_nan].tolist() == wanted[~is_nan].tolist()
    assert np.isnan(whole(found)[is_nan]).all()


def test_doubles_become_brain_floats() -> None:
    """They are rounded once: near the middle between two brain floats, two roundings would give another."""
    middle = 1 + 2.0**-8
    a = np.array(
        [
            1.0,
            middle,
            middle + 2.0**-40,
            middle - 2.0**-40,
            -middle - 2.0**-40,
            3 * 2.0**-7 + 1 - 2.0**-50,
            1e300,
            0.0,
            -0.0,
            np.inf,
        ]
    )
    found = run_lanewise("%r = llvm.fptrunc %a : f64 to bf16", "f64 -> bf16", np.uint16, a)
    assert [f"{one:#06x}" for one in found.tolist()] == [
        "0x3f80", "0x3f80", "0x3f81", "0x3f80", "0xbf81", "0x3f83", "0x7f80", "0x0000", "0x8000", "0x7f80",
    ]  # fmt: skip


def test_quotients_may_be_fast() -> None:
    """With one of two flags; never for f64, and not with other flags."""
    for type, flags, wanted in (
        ("f32", "arcp", "div.full.f32"),
        ("f32", "afn", "div.full.f32"),
        ("f32", "nnan", "div.rn.f32"),
        ("f64", "arcp", "div.rn.f64"),
    ):
        body = f"%r = llvm.fdiv %a, %b {{fastmathFlags = #llvm.fastmath<{flags}>}} : {type}"
        ptx = printed(lanewise(body, f"{type} {type} -> {type}"))
        assert re.findall(r"div\.\S+", ptx) == [wanted]
    a = np.array([1.0, 7.0, -3.0], np.float32)
    body = "%r = llvm.fdiv %a, %b {fastmathFlags = #llvm.fastmath<arcp>} : f32"
    found = run_lanewise(body, "f32 f32 -> f32", np.float32, a, np.full(3, 4, np.float32))
    np.testing.assert_allclose(found, a / 4, rtol=1e-6)


@pytest.mark.parametrize(
    ("name", "spelling"),
    [
        ("sin", "sin.approx"),
        ("cos", "cos.approx"),
        ("exp2", "ex2.approx"),
        ("log2", "lg2.approx"),
        ("tanh", "tanh.approx"),
    ],
)
def test_functions_that_are_approximate(name: str, spelling: str) -> None:
    """They are instructions if a flag allows it; with subnormal numbers flushed, if the function asks for that."""
    body = f"%r = llvm.intr.{name}(%a) {{fastmathFlags = #llvm.fastmath<afn>}} : (f32) -> f32"
    text = lanewise(body, "f32 -> f32")
    assert re.findall(rf"{spelling}\S*", printed(text)) == [f"{spelling}.f32"]
    asked = text.replace("nvvm.kernel", 'nvvm.kernel, denormal_fp_math_f32 = "preserve-sign,preserve-sign"')
    flush = ".ftz" if name != "tanh" else ""
    assert re.findall(rf"{spelling}\S*", printed(asked)) == [f"{spelling}{flush}.f32"]
    a = np.array([0.5, 1.0, 2.25, 0.125], np.float32)
    found = run_lanewise(body, "f32 -> f32", np.float32, a)
    np.testing.assert_allclose(found, getattr(np, name)(a), rtol=1e-3)


def test_parts_of_vectors() -> None:
    a, b = np.arange(32, dtype=np.int32), np.arange(100, 116, dtype=np.int32)
    body = (
        "%p = llvm.intr.vector.extract %a[4] : vector<2xi32> from vector<8xi32>\n"
        "%s = llvm.add %p, %b : vector<2xi32>\n"
        "%r = llvm.intr.vector.insert %s, %a[2] : vector<2xi32> into vector<8xi32>"
    )
    found = run_lanewise(body, "vector<8xi32> vector<2xi32> -> vector<8xi32>", np.int32, a, b[:8])
    wanted = a.reshape(4, 8).copy()
    wanted[:, 2:4] = wanted[:, 4:6] + b[:8].reshape(4, 2)
    assert found.tolist() == wanted.ravel().tolist()


def test_members_of_arrays_in_structs() -> None:
    type = "!llvm.struct<(i64, array<3 x struct<(i32, i16)>>)>"
    body = f"""
  %u = llvm.mlir.undef : {type}
  %z = llvm.trunc %a : i32 to i16
  %u0 = llvm.insertvalue %a, %u[1, 2, 0] : {type}
  %u1 = llvm.insertvalue %b, %u0[1, 1, 0] : {type}
  %u2 = llvm.insertvalue %z, %u1[1, 1, 1] : {type}
  %part = llvm.extractvalue %u2[1] : {type}
  %x = llvm.extractvalue %part[2, 0] : !llvm.array<3 x struct<(i32, i16)>>
  %y = llvm.extractvalue %u2[1, 1] : {type}
  %y0 = llvm.extractvalue %y[0] : !llvm.struct<(i32, i16)>
  %y1 = llvm.extractvalue %y[1] : !llvm.struct<(i32, i16)>
  %w = llvm.sext %y1 : i16 to i32
  %s = llvm.sub %x, %y0 : i32
  %three = llvm.mlir.constant(3 : i32) : i32
  %m = llvm.mul %w, %three : i32
  %r = llvm.add %s, %m : i32
"""
    a = np.arange(8, dtype=np.int32)
    found = run_lanewise(body, "i32 i32 -> i32", np.int32, a, a * 50)
    assert found.tolist() == (a - a * 50 + 3 * a).tolist()


def test_values_with_remarks_are_the_values() -> None:
    body = """
  %c = llvm.mlir.constant(3 : i32) : i32
  %e = llvm.intr.expect %a, %c : i32
  %s = llvm.intr.ssa.copy %e : i32
  %r = llvm.add %s, %a : i32
"""
    a = np.arange(8, dtype=np.int32)
    assert run_lanewise(body, "i32 -> i32", np.int32, a).tolist() == (2 * a).tolist()
    body = """
  %l = llvm.intr.launder.invariant.group %r_at : !llvm.ptr<1>
  %q = llvm.intr.strip.invariant.group %l : !llvm.ptr<1>
  %r = llvm.load %q : !llvm.ptr<1> -> i32
"""
    assert run_lanewise(body, "i32 -> i32", np.int32, a).tolist() == [0] * 8


CONSTANTS = {
    "!llvm.struct<(i32, f32)>": ("[-3 : i32, 2.5 : f32]", [-3, 2.5]),
    "!llvm.struct<(i64, i16)>": ("[7 : i64, -1 : i16]", [7, -1]),
    "!llvm.array<2 x struct<(f64, i8)>>": ("[[1.5, 3 : i8], [-2.0, 4 : i8]]", [[1.5, 3], [-2.0, 4]]),
    "!llvm.array<3 x i32>": ("dense<[4, 5, 6]> : tensor<3xi32>", [4, 5, 6]),
}


@pytest.mark.parametrize("type", CONSTANTS)
def test_constants_with_members(type: str) -> None:
    """In registers, and in a variable with an initial value."""
    value, wanted = CONSTANTS[type]
    kinds = re.findall(r"[if]\d+", type)
    flat = [
        (f"{at}, {inner}", part)
        for at, row in enumerate(wanted)
        if isinstance(row, list)
        for inner, part in enumerate(row)
    ]
    parts = flat or [(str(at), part) for at, part in enumerate(wanted)]
    for number, (place, part) in enumerate(parts):
        kind = kinds[number % len(kinds)]
        dtype = np.dtype(f"{kind[0]}{int(kind[1:]) // 8}")
        for made, source in (
            (f"%s = llvm.mlir.constant({value}) : {type}", ""),
            (
                f"%p = llvm.mlir.addressof @v : !llvm.ptr<4>\n%s = llvm.load %p : !llvm.ptr<4> -> {type}",
                f"llvm.mlir.global internal constant @v({value}) {{addr_space = 4 : i32}} : {type}\n",
            ),
        ):
            body = f"{made}\n%r = llvm.extractvalue %s[{place}] : {type}"
            out = np.zeros(2, dtype)
            ptx = printed(source + lanewise(body, f"i32 -> {kind}"))
            launch(ptx, "k", (1,), (2,), [np.zeros(2, np.int32), out])
            assert out.tolist() == [part] * 2


def test_bits_of_addresses_are_addresses() -> None:
    body = """
  %p = llvm.bitcast %r_at : !llvm.ptr<1> to !llvm.ptr<1>
  llvm.store %a, %p : i32, !llvm.ptr<1>
  %r = llvm.load %r_at : !llvm.ptr<1> -> i32
"""
    a = np.arange(8, dtype=np.int32)
    assert run_lanewise(body, "i32 -> i32", np.int32, a).tolist() == a.tolist()


def test_types_without_registers_are_named() -> None:
    with pytest.raises(
        DiagnosticError, match=r"no registers or memory of PTX hold values of type 'i100'"
    ) as caught:
        printed(lanewise("%x = llvm.zext %a : i32 to i100\n%r = llvm.trunc %x : i100 to i32", "i32 -> i32"))
    assert "128" in str(caught.value.diagnostics[0].hints)
