"""Element-wise operations: kernels against Python's exact numbers."""

import math
from fractions import Fraction

import ml_dtypes
import numpy as np
import pytest
from hypothesis import given, settings, strategies as st

from tests.interp.kernels import EVEN, SIGNED, UNSIGNED, Kernel, pointer
from tilewright.dialects.cuda_tile.enums import (
    ComparisonOrdering,
    ComparisonPredicate,
    RoundingMode,
)
from tilewright.dialects.cuda_tile.ops import (
    conversion as ops_conversion,
    float as ops_float,
    integer as ops_integer,
    tile as ops_tile,
)
from tilewright.dialects.cuda_tile.types import PointerType, tile
from tilewright.interp.numerics.element import FORMATS
from tilewright.interp.numerics.rounding import round_to_format
from tilewright.ir.builtin_types import bf16, f8E4M3FN, f16, f32, f64, i1, i4, i8, i16, i32, i64, tf32

N = 8
FLOATS = {f16: np.float16, bf16: ml_dtypes.bfloat16, f32: np.float32, f64: np.float64}
INTEGERS = {i8: np.int8, i16: np.int16, i32: np.int32, i64: np.int64}


def apply(make, operand_types, result_type, *arrays):
    """Run one operation on rank-1 tiles loaded from arrays; answers the stored result."""
    kernel = Kernel(*(pointer(t) for t in (*operand_types, result_type)))
    tiles = [kernel.load_all(base, N) for base in kernel.arguments[:-1]]
    kernel.store_all(kernel.arguments[-1], kernel.add(make(*tiles)))
    out = np.zeros(N, FORMATS[result_type.spelling].array_dtype)
    kernel.run(*arrays, out)
    return out


def numbers(dtype, low=-3.0, high=3.0, seed=0):
    return np.random.default_rng(seed).uniform(low, high, N).astype(dtype)


@pytest.mark.parametrize("element", FLOATS, ids=str)
@pytest.mark.parametrize(
    ("op_class", "exact"),
    [
        (ops_float.AddFOp, lambda a, b: a + b),
        (ops_float.SubFOp, lambda a, b: a - b),
        (ops_float.MulFOp, lambda a, b: a * b),
        (ops_float.DivFOp, lambda a, b: a / b),
    ],
    ids=["addf", "subf", "mulf", "divf"],
)
@pytest.mark.parametrize("mode", ["NEAREST_EVEN", "ZERO", "NEGATIVE_INF", "POSITIVE_INF"])
def test_arithmetic_is_rounded_once(element, op_class, exact, mode):
    dtype = FLOATS[element]
    a, b = numbers(dtype), numbers(dtype, 0.5, 2.0, seed=1)
    rounding = RoundingMode[mode]
    out = apply(lambda x, y: op_class(x, y, rounding_mode=rounding), (element, element), element, a, b)
    for x, y, got in zip(a, b, out, strict=True):
        true = exact(Fraction(float(x)), Fraction(float(y)))
        check_rounded(true, float(got), dtype, mode)


def check_rounded(true, got, dtype, mode):
    """``got`` is the neighbour of ``true`` that the mode asks for."""
    value = Fraction(got)
    if mode == "NEGATIVE_INF":
        assert value <= true
    if mode == "POSITIVE_INF":
        assert value >= true
    if mode == "ZERO":
        assert abs(value) <= abs(true)
    towards = math.inf if value < true else -math.inf
    if value != true:
        neighbour = Fraction(float(np.nextafter(dtype(got), dtype(towards))))
        assert min(value, neighbour) < true < max(value, neighbour)
        if mode == "NEAREST_EVEN":
            assert abs(value - true) <= abs(neighbour - true)


UNARY = {
    ops_float.AbsFOp: abs,
    ops_float.NegFOp: lambda x: -x,
    ops_float.CeilOp: math.ceil,
    ops_float.FloorOp: math.floor,
    ops_float.RsqrtOp: lambda x: 1 / math.sqrt(x),
    ops_float.Exp2Op: lambda x: 2.0**x,
    ops_float.LogOp: math.log,
    ops_float.Log2Op: math.log2,
    ops_float.SinOp: math.sin,
    ops_float.CosOp: math.cos,
    ops_float.TanOp: math.tan,
    ops_float.SinHOp: math.sinh,
    ops_float.CosHOp: math.cosh,
    ops_float.TanHOp: math.tanh,
    ops_float.ExpOp: math.exp,
}


@pytest.mark.parametrize("op_class", UNARY, ids=lambda c: c.op_kind.mnemonic)
@pytest.mark.parametrize("element", [f16, f32], ids=str)
def test_functions_of_one_tile(op_class, element):
    dtype = FLOATS[element]
    x = numbers(dtype, 0.25, 2.5)
    out = apply(lambda t: op_class(t), (element,), element, x)
    expected = np.array([UNARY[op_class](float(v)) for v in x], dtype)
    np.testing.assert_allclose(
        out.astype(float), expected.astype(float), rtol=2e-3 if element is f16 else 3e-7
    )


def test_sqrt_fma_pow_atan2_remf_fpowi():
    a, b = numbers(np.float32, 0.5, 3.0), numbers(np.float32, 0.5, 2.0, seed=3)
    sqrt = apply(lambda x: ops_float.SqrtOp(x, rounding_mode=EVEN), (f32,), f32, a)
    assert (sqrt == np.sqrt(a)).all()
    fused = apply(
        lambda x, y, z: ops_float.FmaOp(x, y, z, rounding_mode=EVEN), (f32, f32, f32), f32, a, b, -a
    )
    exact = [Fraction(float(x)) * Fraction(float(y)) - Fraction(float(x)) for x, y in zip(a, b, strict=True)]
    assert fused.tolist() == [float(np.float32(float(e))) for e in exact]
    power = apply(lambda x, y: ops_float.PowOp(x, y), (f32, f32), f32, a, b)
    np.testing.assert_allclose(power, a**b, rtol=3e-7)
    angle = apply(lambda x, y: ops_float.Atan2Op(x, y), (f32, f32), f32, a, b)
    np.testing.assert_allclose(angle, np.arctan2(a, b), rtol=3e-7)
    rest = apply(lambda x, y: ops_float.RemFOp(x, y), (f32, f32), f32, a, b)
    assert (rest == np.fmod(a, b)).all()
    integer_power = apply(
        lambda x, y: ops_float.FPowIOp(x, y), (f32, i32), f32, a, np.arange(-4, 4, dtype=np.int32)
    )
    np.testing.assert_allclose(integer_power, a ** np.arange(-4, 4), rtol=3e-7)


def test_extrema_and_comparisons_with_nan():
    nan = math.nan
    a = np.array([0.0, -0.0, nan, 1, nan, 2, -1, 5], np.float32)
    b = np.array([-0.0, 0.0, 1, nan, nan, 3, -2, 5], np.float32)
    largest = apply(lambda x, y: ops_float.MaxFOp(x, y), (f32, f32), f32, a, b)
    np.testing.assert_array_equal(largest, np.array([0, 0, 1, 1, nan, 3, -1, 5], np.float32))
    assert not np.signbit(largest[:2]).any()
    strict = apply(lambda x, y: ops_float.MinFOp(x, y, propagate_nan=True), (f32, f32), f32, a, b)
    np.testing.assert_array_equal(strict, np.array([-0.0, -0.0, nan, nan, nan, 2, -2, 5], np.float32))
    for ordering, at_nan in ((ComparisonOrdering.ORDERED, False), (ComparisonOrdering.UNORDERED, True)):
        below = apply(
            lambda x, y, o=ordering: ops_float.CmpFOp(
                ComparisonPredicate.LESS_THAN, o, x, y, result_types=[tile(N, i1)]
            ),
            (f32, f32),
            i1,
            a,
            b,
        )
        assert below.tolist() == [False, False, at_nan, at_nan, at_nan, True, False, False]


def test_flush_to_zero():
    tiny = np.array([1e-40, -1e-40, 1, 1, 1, 1, 1, 1], np.float32)
    out = apply(
        lambda x, y: ops_float.AddFOp(x, y, rounding_mode=EVEN, flush_to_zero=True),
        (f32, f32),
        f32,
        tiny,
        0 * tiny,
    )
    assert out.tolist() == [0, 0, 1, 1, 1, 1, 1, 1]


INTEGER_OPS = {
    ops_integer.AddIOp: lambda a, b: a + b,
    ops_integer.SubIOp: lambda a, b: a - b,
    ops_integer.MulIOp: lambda a, b: a * b,
    ops_integer.AndIOp: lambda a, b: a & b,
    ops_integer.OrIOp: lambda a, b: a | b,
    ops_integer.XOrIOp: lambda a, b: a ^ b,
}


@pytest.mark.parametrize("element", INTEGERS, ids=str)
@pytest.mark.parametrize("op_class", INTEGER_OPS, ids=lambda c: c.op_kind.mnemonic)
@settings(max_examples=10, deadline=None)
@given(data=st.data())
def test_integers_wrap(element, op_class, data):
    bits = FORMATS[element.spelling].bits
    element_values = st.lists(st.integers(-(1 << (bits - 1)), (1 << (bits - 1)) - 1), min_size=N, max_size=N)
    a, b = (np.array(data.draw(element_values), INTEGERS[element]) for _ in range(2))
    out = apply(lambda x, y: op_class(x, y), (element, element), element, a, b)
    for x, y, got in zip(a.tolist(), b.tolist(), out.tolist(), strict=True):
        assert (INTEGER_OPS[op_class](x, y) - got) % (1 << bits) == 0


SIGNED_OPS = {
    ops_integer.DivIOp: lambda a, b: abs(a) // abs(b) * (1 if (a < 0) == (b < 0) else -1),
    ops_integer.RemIOp: math.fmod,
    ops_integer.MaxIOp: max,
    ops_integer.MinIOp: min,
}


@pytest.mark.parametrize("op_class", SIGNED_OPS, ids=lambda c: c.op_kind.mnemonic)
@pytest.mark.parametrize("sign", [SIGNED, UNSIGNED], ids=["signed", "unsigned"])
def test_signedness(op_class, sign):
    a = np.array([-7, 7, -8, 100, -100, 1, -128, 127], np.int8)
    b = np.array([2, -2, 3, 7, 9, 5, 3, -5], np.int8)
    out = apply(lambda x, y: op_class(x, y, signedness=sign), (i8, i8), i8, a, b)
    left, right = (v if sign is SIGNED else v.view(np.uint8) for v in (a, b))
    expected = [int(SIGNED_OPS[op_class](x, y)) for x, y in zip(left.tolist(), right.tolist(), strict=True)]
    assert [(e - g) % 256 for e, g in zip(expected, out.tolist(), strict=True)] == [0] * N


@pytest.mark.parametrize(
    ("mode", "function"), [("NEGATIVE_INF", math.floor), ("POSITIVE_INF", math.ceil), ("ZERO", math.trunc)]
)
def test_division_rounding(mode, function):
    a = np.array([-7, 7, -8, 100, -100, 1, -128, 127], np.int32)
    b = np.array([2, -2, 3, 7, 9, 5, 3, -5], np.int32)
    out = apply(
        lambda x, y: ops_integer.DivIOp(x, y, signedness=SIGNED, rounding=RoundingMode[mode]),
        (i32, i32),
        i32,
        a,
        b,
    )
    assert out.tolist() == [function(Fraction(x, y)) for x, y in zip(a.tolist(), b.tolist(), strict=True)]


def test_shifts_negation_absolute_high_half_comparison():
    a = np.array([-7, 7, -8, 100, -100, 1, -128, 127], np.int8)
    amount = np.array([0, 1, 2, 3, 4, 5, 6, 7], np.int8)
    left = apply(lambda x, y: ops_integer.ShLIOp(x, y), (i8, i8), i8, a, amount)
    assert (left == (a.astype(int) << amount.astype(int)).astype(np.int8)).all()
    arithmetic = apply(lambda x, y: ops_integer.ShRIOp(x, y, signedness=SIGNED), (i8, i8), i8, a, amount)
    assert (arithmetic == a >> amount).all()
    logical = apply(lambda x, y: ops_integer.ShRIOp(x, y, signedness=UNSIGNED), (i8, i8), i8, a, amount)
    assert (logical == (a.view(np.uint8) >> amount.view(np.uint8)).view(np.int8)).all()
    assert (apply(lambda x: ops_integer.NegIOp(x), (i8,), i8, a) == -a).all()
    assert (
        apply(lambda x: ops_integer.AbsIOp(x), (i8,), i8, a).view(np.uint8).tolist()
        == np.abs(a.astype(int)).tolist()
    )
    high = apply(lambda x, y: ops_integer.MulhiIOp(x, y), (i8, i8), i8, a, a)
    assert high.view(np.uint8).tolist() == [v * v >> 8 for v in a.view(np.uint8).tolist()]
    less = apply(
        lambda x, y: ops_integer.CmpIOp(
            ComparisonPredicate.LESS_THAN, x, y, signedness=UNSIGNED, result_types=[tile(N, i1)]
        ),
        (i8, i8),
        i1,
        a,
        amount,
    )
    assert (less == (a.view(np.uint8) < amount.view(np.uint8))).all()


def convert(op_class, source, target, array, **given):
    return apply(lambda x: op_class(x, result_types=[tile(N, target)], **given), (source,), target, array)


def test_conversions():
    a = np.array([-7, 7, -8, 100, -100, 1, -128, 127], np.int8)
    assert (convert(ops_conversion.ExtIOp, i8, i32, a, signedness=SIGNED) == a).all()
    assert (convert(ops_conversion.ExtIOp, i8, i32, a, signedness=UNSIGNED) == a.view(np.uint8)).all()
    wide = np.array([300, -300, 1 << 20, 5, -5, 255, 256, 128], np.int32)
    assert (convert(ops_conversion.TruncIOp, i32, i8, wide) == wide.astype(np.int8)).all()
    floats = convert(ops_conversion.IToFOp, i32, f32, wide, signedness=SIGNED, rounding_mode=EVEN)
    assert (floats == wide).all()
    toward = RoundingMode.NEAREST_INT_TO_ZERO
    fractions = np.array([-1.5, 1.5, 0.9, -0.9, 100.25, 7, -7, 0], np.float32)
    whole = convert(ops_conversion.FToIOp, f32, i32, fractions, signedness=SIGNED, rounding_mode=toward)
    assert (whole == np.trunc(fractions)).all()
    clamped = convert(
        ops_conversion.FToIOp,
        f32,
        i8,
        fractions * 1000,
        signedness=SIGNED,
        rounding_mode=toward,
        saturating=True,
    )
    assert clamped.tolist() == [-128, 127, 127, -128, 127, 127, -128, 0]
    half = convert(ops_conversion.FToFOp, f32, f16, fractions)
    assert (half == fractions.astype(np.float16)).all()
    small = convert(ops_conversion.FToFOp, f32, f8E4M3FN, fractions)
    assert (small == round_to_format(fractions, FORMATS["f8E4M3FN"])).all()
    bits = convert(ops_conversion.BitcastOp, f32, i32, fractions)
    assert (bits == fractions.view(np.int32)).all()


def test_tf32_drops_bits_in_memory():
    x = np.full(N, 1 + 2.0**-20, np.float32)
    assert (convert(ops_conversion.FToFOp, tf32, f32, x) == 1).all()


def test_pack_and_unpack():
    kernel = Kernel(pointer(i16), pointer(i16))
    packed = kernel.add(
        ops_conversion.PackOp(kernel.load_all(kernel.arguments[0], N), result_types=[tile(16, i8)])
    )
    nibbles = kernel.add(ops_conversion.UnpackOp(packed, result_types=[tile(32, i4)]))
    again = kernel.add(ops_conversion.PackOp(nibbles, result_types=[tile(16, i8)]))
    kernel.store_all(
        kernel.arguments[1], kernel.add(ops_conversion.UnpackOp(again, result_types=[tile(N, i16)]))
    )
    x, y = np.arange(N, dtype=np.int16) * 1234, np.zeros(N, np.int16)
    kernel.run(x, y)
    assert (x == y).all()


@pytest.mark.parametrize("value", [-8, -3, 0, 7, 13])
def test_an_argument_of_four_bits_is_extended_by_its_sign(value):
    kernel = Kernel(tile(i4), pointer(i32))
    results = [
        kernel.add(ops_conversion.ExtIOp(kernel.arguments[0], sign, result_types=[tile(i32)]))
        for sign in (SIGNED, UNSIGNED)
    ]
    rows = [kernel.add(ops_tile.ReshapeOp(one, result_types=[tile(1, i32)])) for one in results]
    kernel.store_all(kernel.arguments[1], kernel.add(ops_tile.CatOp(*rows, 0, result_types=[tile(2, i32)])))
    y = np.zeros(2, np.int32)
    kernel.run(value, y)
    assert y.tolist() == [value - 16 if value > 7 else value, value & 15]


def test_pointer_casts_and_select():
    kernel = Kernel(pointer(f32), pointer(i32))
    base = kernel.arguments[0]
    number = kernel.add(ops_conversion.PtrToIntOp(base, result_types=[tile(i64)]))
    back = kernel.add(ops_conversion.IntToPtrOp(number, result_types=[pointer(f32)]))
    as_bits = kernel.add(ops_conversion.PtrToPtrOp(back, result_types=[tile(PointerType(i32))]))
    bits = kernel.load_all(as_bits, N)
    zero = kernel.splat(kernel.i32(0), N)
    positive = kernel.add(
        ops_integer.CmpIOp(
            ComparisonPredicate.GREATER_THAN, bits, zero, signedness=SIGNED, result_types=[tile(N, i1)]
        )
    )
    kernel.store_all(kernel.arguments[1], kernel.add(ops_tile.SelectOp(positive, bits, zero)))
    x, y = np.array([1, -1, 2, -2, 0, 3, -3, 4], np.float32), np.zeros(N, np.int32)
    kernel.run(x, y)
    assert (y == np.where(x > 0, x.view(np.int32), 0)).all()
