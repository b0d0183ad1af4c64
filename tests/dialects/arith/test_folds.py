"""Folding is evaluation: bit for bit what NumPy and ml_dtypes (floats) and Python (integers) compute."""

from __future__ import annotations

import math
import random
from collections.abc import Callable, Sequence
from typing import Any

import ml_dtypes
import numpy as np
import pytest
from hypothesis import given, strategies as st

from tests.support.dialect_checks import standard_context
from tilewright.dialects.arith.ops_integer import ConstantOp
from tilewright.dialects.common.constant_folding import is_float_constant
from tilewright.dialects.math.dialect import MATH
from tilewright.ir.arithmetic.float_arithmetic import RoundingDirection, convert, round_exact
from tilewright.ir.arithmetic.float_format import FLOAT_FORMATS
from tilewright.ir.attribute import Attribute, Type
from tilewright.ir.builtin_attributes import DenseElementsAttr, FloatAttr, IntegerAttr, TypeAttr, splat
from tilewright.ir.builtin_types import FloatType, IntegerType, VectorType
from tilewright.rewrite import folding

CONTEXT = standard_context()
KINDS = CONTEXT.kinds

FLOATS: dict[str, Any] = {
    "f16": np.float16,
    "bf16": ml_dtypes.bfloat16,
    "f32": np.float32,
    "f64": np.float64,
    "f8E4M3FN": ml_dtypes.float8_e4m3fn,
    "f8E5M2": ml_dtypes.float8_e5m2,
    "f8E4M3FNUZ": ml_dtypes.float8_e4m3fnuz,
    "f8E5M2FNUZ": ml_dtypes.float8_e5m2fnuz,
    "f8E3M4": ml_dtypes.float8_e3m4,
    "f8E4M3B11FNUZ": ml_dtypes.float8_e4m3b11fnuz,
}


def fold(name: str, operands: Sequence[Attribute], type: Type | None = None, **attributes: Attribute) -> Any:
    """What an operation on constants folds to."""
    kind = KINDS[name]
    values = [ConstantOp(operand).result for operand in operands]
    types = kind.op_class.infer_result_types(values, {}, ()) if type is None else [type]
    op = kind.op_class.from_parts(kind, values, types, dict(attributes))
    plan = folding.fold_plan(CONTEXT.fold(kind), folding.definers_of(op))
    folded = None if plan is None else folding.fold(op, plan)
    return folded[0] if isinstance(folded, tuple | list) and len(folded) == 1 else folded


def float_constant(name: str, pattern: int) -> FloatAttr:
    """A float from its bit pattern."""
    return FloatAttr(FloatType(name), pattern)


def edges(name: str) -> list[int]:
    """Zeros, the smallest and largest numbers, one, infinities and NaN, with both signs."""
    format = FLOAT_FORMATS[name]
    positive = [
        0,
        1,
        2,
        1 << format.mantissa_bits,
        format.largest_pattern,
        format.encode(1.0),
        format.encode(1.5),
    ]
    positive += [format.encode(math.inf), format.encode(3.0), (1 << format.mantissa_bits) - 1]
    nan = format.nan_pattern
    return [
        *positive,
        *(pattern | format.sign_mask for pattern in positive),
        *([nan] if nan is not None else []),
    ]


def samples(name: str, count: int) -> list[tuple[int, int]]:
    """Pairs of bit patterns: random ones, and all pairs of edges."""
    draw = random.Random(name)
    bits = FLOAT_FORMATS[name].bits
    pairs = [(draw.getrandbits(bits), draw.getrandbits(bits)) for _ in range(count)]
    return [*pairs, *((a, b) for a in edges(name) for b in edges(name))]


def as_numbers(name: str, patterns: Sequence[int]) -> Any:
    """An array of numbers with these bit patterns."""
    size = FLOATS[name](0).dtype.itemsize
    return np.array(patterns, dtype=f"u{size}").view(FLOATS[name])


def same(name: str, found: Any, wanted: Any) -> bool:
    """Equal bit patterns, or both NaN."""
    format = FLOAT_FORMATS[name]
    if found is None:
        return False
    if np.isnan(wanted.astype(np.float64)):
        return format.is_nan(found.bits)
    return found.bits == int(wanted.view(f"u{wanted.dtype.itemsize}"))


BINARY: dict[str, Callable[[Any, Any], Any]] = {
    "arith.addf": np.add,
    "arith.subf": np.subtract,
    "arith.mulf": np.multiply,
    "arith.divf": np.divide,
}


@pytest.mark.parametrize("float_name", FLOATS)
@pytest.mark.parametrize("name", BINARY)
def test_float_arithmetic_is_that_of_numpy(name: str, float_name: str) -> None:
    pairs = samples(float_name, 300)
    left = as_numbers(float_name, [a for a, _ in pairs])
    right = as_numbers(float_name, [b for _, b in pairs])
    with np.errstate(all="ignore"):
        wanted = BINARY[name](left, right)
    for (a, b), number in zip(pairs, wanted, strict=True):
        found = fold(name, [float_constant(float_name, a), float_constant(float_name, b)])
        if found is None or isinstance(found, FloatAttr):
            assert same(float_name, found, number), (name, float_name, hex(a), hex(b), found, number)
        else:
            assert found.owner.attributes["value"].bits == a  # an identity: the left-hand value


@pytest.mark.parametrize("source", ["f16", "bf16", "f32", "f8E4M3FN", "f8E5M2"])
@pytest.mark.parametrize("target", ["f16", "bf16", "f32", "f64", "f8E4M3FN", "f8E5M2"])
def test_float_conversion_is_that_of_ml_dtypes(source: str, target: str) -> None:
    patterns = [a for a, _ in samples(source, 200)]
    numbers = as_numbers(source, patterns)
    with np.errstate(all="ignore"):
        # By way of float64, which is exact, and from there rounded once: ml_dtypes converts f64 through f32.
        wanted = (
            numbers.astype(np.float64).astype(np.float32).astype(FLOATS[target]) if target != "f64" else None
        )
    for position, pattern in enumerate(patterns):
        found = convert(FLOAT_FORMATS[source], FLOAT_FORMATS[target], pattern)
        number = numbers[position].astype(np.float64) if wanted is None else wanted[position]
        assert found is not None
        assert same(target, float_constant(target, found), number), (source, target, hex(pattern))


@pytest.mark.parametrize("name", ["sqrt", "floor", "ceil", "trunc", "roundeven", "absf"])
@pytest.mark.parametrize("float_name", ["f16", "f32", "f64"])
def test_functions_are_those_of_numpy(name: str, float_name: str) -> None:
    compute = {"roundeven": np.rint, "absf": np.abs}.get(name) or getattr(np, name)
    patterns = [a for a, _ in samples(float_name, 200)]
    with np.errstate(all="ignore"):
        wanted = compute(as_numbers(float_name, patterns))
    for pattern, number in zip(patterns, wanted, strict=True):
        found = fold(f"math.{name}", [float_constant(float_name, pattern)])
        if name == "sqrt" and pattern & FLOAT_FORMATS[float_name].sign_mask:
            assert found is None  # negative operands, and -0, are left to the device
        else:
            assert same(float_name, found, number), (name, hex(pattern))


def test_fused_multiply_add_rounds_once() -> None:
    # (1 + 2**-23) * (1 - 2**-23) - 1 = -2**-46, which a rounded product would lose.
    a, b, c = (float_constant("f32", FLOAT_FORMATS["f32"].encode(v)) for v in (1 + 2**-23, 1 - 2**-23, -1.0))
    assert fold("math.fma", [a, b, c]).value == -(2.0**-46)


@pytest.mark.parametrize("mode", RoundingDirection)
def test_directed_rounding_brackets_the_value(mode: RoundingDirection) -> None:
    draw = random.Random(7)
    format, double = FLOAT_FORMATS["f16"], FLOAT_FORMATS["f64"]
    for _ in range(300):
        value = draw.uniform(-70000, 70000) * 2.0 ** draw.randint(-40, 0)
        rounded = convert(double, format, double.encode(value), mode)
        assert rounded is not None
        number = format.decode(rounded)
        match mode:
            case RoundingDirection.DOWNWARD:
                assert number <= value
            case RoundingDirection.UPWARD:
                assert number >= value
            case RoundingDirection.TOWARD_ZERO:
                assert abs(number) <= abs(value)
            case RoundingDirection.TO_NEAREST_EVEN:
                assert rounded == format.encode(value)
            case RoundingDirection.TO_NEAREST_AWAY:
                assert math.isinf(number) or abs(number - value) <= abs(
                    format.decode(format.encode(value)) - value
                )


def test_formats_without_zero_or_sign_are_no_arithmetic_types() -> None:
    from fractions import Fraction

    assert round_exact(FLOAT_FORMATS["f8E8M0FNU"], Fraction(1)) is None


# --- integers

WIDTHS = (1, 4, 8, 32, 64)


def quotient(a: int, b: int) -> int:
    """Rounded towards zero, from exact fractions of Python."""
    return math.trunc(__import__("fractions").Fraction(a, b))


SIGNED: dict[str, Callable[[int, int], int]] = {
    "arith.divsi": quotient,
    "arith.remsi": lambda a, b: a - b * quotient(a, b),
    "arith.floordivsi": lambda a, b: a // b,
    "arith.ceildivsi": lambda a, b: -(-a // b),
    "arith.maxsi": max,
    "arith.minsi": min,
}
UNSIGNED: dict[str, Callable[[int, int], int]] = {
    "arith.addi": lambda a, b: a + b,
    "arith.subi": lambda a, b: a - b,
    "arith.muli": lambda a, b: a * b,
    "arith.andi": lambda a, b: a & b,
    "arith.ori": lambda a, b: a | b,
    "arith.xori": lambda a, b: a ^ b,
    "arith.divui": lambda a, b: a // b,
    "arith.remui": lambda a, b: a % b,
    "arith.ceildivui": lambda a, b: -(-a // b),
    "arith.maxui": max,
    "arith.minui": min,
}


def value_of(folded: Any) -> Any:
    """The constant that a fold gives, also if it is one of the operands."""
    return folded if isinstance(folded, Attribute) or folded is None else folded.owner.attributes["value"]


@pytest.mark.parametrize("name", [*SIGNED, *UNSIGNED])
@given(data=st.data())
def test_integer_arithmetic_is_that_of_python(name: str, data: st.DataObject) -> None:
    width = data.draw(st.sampled_from(WIDTHS))
    type = IntegerType(width)
    a, b = (IntegerAttr(type, data.draw(st.integers(-(1 << 70), 1 << 70))) for _ in range(2))
    folded = value_of(fold(name, [a, b]))
    is_signed = name in SIGNED
    left, right = (_signed(x) if is_signed else x.unsigned for x in (a, b))
    division = "div" in name or "rem" in name
    overflows = "div" in name and is_signed and (left, right) == (-(1 << (width - 1)), -1)
    if division and (right == 0 or overflows):
        # `x / 1` holds whatever x is; in one bit, 1 is -1.
        assert folded is None or b.unsigned == 1
    else:
        assert folded is IntegerAttr(type, (SIGNED if is_signed else UNSIGNED)[name](left, right))


def _signed(constant: IntegerAttr) -> int:
    width = constant.type.width if isinstance(constant.type, IntegerType) else 64
    return constant.unsigned - (1 << width) if constant.unsigned >> (width - 1) else constant.unsigned


@pytest.mark.parametrize("name", ["arith.shli", "arith.shrui", "arith.shrsi"])
@given(a=st.integers(0, 255), b=st.integers(0, 12))
def test_shifts(name: str, a: int, b: int) -> None:
    type = IntegerType(8)
    folded = value_of(fold(name, [IntegerAttr(type, a), IntegerAttr(type, b)]))
    if b >= 8:
        assert folded is None
    else:
        left = _signed(IntegerAttr(type, a)) if name == "arith.shrsi" else a
        assert folded is IntegerAttr(type, left << b if name == "arith.shli" else left >> b)


@pytest.mark.parametrize(("name", "count"), [("ctlz", 8), ("cttz", 8), ("ctpop", 8), ("absi", 8)])
def test_bit_counts_of_every_byte(name: str, count: int) -> None:
    type = IntegerType(count)
    for value in range(1 << count):
        text = f"{value:08b}"
        wanted = {
            "ctlz": len(text) - len(text.lstrip("0")),
            "cttz": len(text) - len(text.rstrip("0")),
            "ctpop": text.count("1"),
            "absi": abs(_signed(IntegerAttr(type, value))),
        }[name]
        assert fold(f"math.{name}", [IntegerAttr(type, value)]) is IntegerAttr(type, wanted)


# --- dense elements


@given(
    left=st.lists(st.integers(-128, 127), min_size=4, max_size=4),
    right=st.one_of(st.lists(st.integers(-128, 127), min_size=4, max_size=4), st.integers(-128, 127)),
)
def test_elements_fold_one_by_one(left: list[int], right: list[int] | int) -> None:
    type = VectorType((2, 2), IntegerType(8))
    a = DenseElementsAttr(type, bytes(x & 255 for x in left))
    others = right if isinstance(right, list) else [right]
    b = DenseElementsAttr(type, bytes(x & 255 for x in others))
    folded = value_of(fold("arith.muli", [a, b]))
    spread = others * (4 // len(others))
    wanted = bytes(x * y & 255 for x, y in zip(left, spread, strict=True))
    assert folded.patterns() in (list(wanted), [wanted[0]])
    assert len(folded.patterns()) == 4 or len(set(wanted)) == 1


def test_equal_elements_become_a_splat() -> None:
    type = VectorType((2,), IntegerType(8))
    folded = fold("arith.addi", [DenseElementsAttr(type, b"\x01\x02"), DenseElementsAttr(type, b"\x02\x01")])
    assert folded is DenseElementsAttr(type, b"\x03")


def test_one_unknown_element_keeps_all() -> None:
    type = VectorType((2,), IntegerType(8))
    divided = [DenseElementsAttr(type, b"\x08\x08"), DenseElementsAttr(type, b"\x02\x00")]
    assert fold("arith.divui", divided) is None


def test_inexact_functions_are_left_alone() -> None:
    exact = {
        "absf absi ceil clampf copysign ctlz ctpop cttz floor fma isfinite isinf isnan isnormal round roundeven "
        "sqrt trunc"
    }
    folding = {op.op_kind.mnemonic for op in MATH.folds}
    assert folding == {name for names in exact for name in names.split()}


def test_a_constant_of_floats_has_elements() -> None:
    f32, i32 = FloatType("f32"), IntegerType(32)
    constants = (FloatAttr(f32, 0), splat(VectorType((2,), f32), 1.0))
    assert all(is_float_constant(one) for one in constants)
    others = (None, TypeAttr(f32), IntegerAttr(i32, 1), splat(VectorType((2,), i32), 1))
    assert not any(is_float_constant(one) for one in others)
