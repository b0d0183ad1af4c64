"""Elementwise functions that Tile IR has no operation for, as formulas of its operations.

The coefficients of the scaled complementary error function were fitted on Chebyshev nodes with 60 digits:
those for f32 are within 4e-10 of it for arguments from 1 to 10, those for f64 within 1e-17 of its value for
all arguments from 0 on.
"""

from __future__ import annotations

import functools
import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from tilewright.dialects.cuda_tile.enums import ComparisonPredicate, RoundingMode
from tilewright.dialects.cuda_tile.ops import float as floats
from tilewright.dialects.cuda_tile.rules.rounding import RANGES
from tilewright.dialects.cuda_tile.types import tile_of
from tilewright.ir import builtin_types
from tilewright.ir.operation import Operation
from tilewright.ir.value import Value
from tilewright.lowering.triton_to_cuda_tile.emit import CudaTileEmitter
from tilewright.lowering.triton_to_cuda_tile.pattern import Formula

LESS = ComparisonPredicate.LESS_THAN
EQUAL = ComparisonPredicate.EQUAL
INFINITY = float("inf")
LN2 = float.fromhex("0x1.62e42fefa39efp-1")
INTEGER_OF_WIDTH = {16: builtin_types.i16, 32: builtin_types.i32, 64: builtin_types.i64}


@dataclass(frozen=True, slots=True)
class ErrorFunction:
    """The computation of the error function in one float format.

    For arguments below 1 in magnitude it is a Taylor series of ``terms`` terms. Above it is ``1 - exp(-x*x) *
    p(t) / (x + 1/2)`` with the polynomial ``p`` of ``t = (x - center) / (x + center)``, whose
    ``coefficients`` begin with the highest power. From ``end`` on it is 1, and from ``last`` on its
    complement is 0.
    """

    terms: int
    center: float
    end: float
    last: float
    coefficients: Sequence[float]

    def series(self) -> list[float]:
        """Return the coefficients of the Taylor polynomial in the square of the argument, the highest power
        first.
        """
        factor = 2 / math.sqrt(math.pi)
        counting = [(-1) ** n * factor / (math.factorial(n) * (2 * n + 1)) for n in range(self.terms)]
        return counting[::-1]


SINGLE = ErrorFunction(
    11,
    3,
    4,
    10,
    (
        -0.00035920217795,
        0.000911738068,
        0.0012601356225,
        -0.01187807773,
        0.034154103095,
        -0.05963748025,
        0.0648225987,
        -0.023781126605,
        -0.0678105537,
        0.626504029,
    ),
)
DOUBLE = ErrorFunction(
    20,
    3,
    6,
    27,
    (
        -1.2604423279566171e-11,
        4.1866199009567823e-10,
        5.717691359971212e-10,
        -4.102643608774431e-09,
        -6.8723186358073055e-09,
        2.0515837361438217e-08,
        5.1260799273669116e-08,
        -7.021386363835974e-08,
        -3.0864858198546697e-07,
        1.7785706671697957e-07,
        1.7364215072975777e-06,
        -3.653992970347862e-07,
        -1.005037951890443e-05,
        2.474592091138033e-06,
        6.254970466653312e-05,
        -5.2579858060880743e-05,
        -0.00038991614156301936,
        0.0009443451721947271,
        0.0012646959086853248,
        -0.011885257458553993,
        0.034154013671946565,
        -0.05963683170769489,
        0.06482257935138158,
        -0.02378114717672456,
        -0.0678105530622906,
        0.6265040291348648,
    ),
)


def erf(emit: CudaTileEmitter, x: Value) -> Value:
    """Return the error function; formats below f32 are computed in f32."""
    element = tile_of(x).element_type
    if element is not builtin_types.f64 and element is not builtin_types.f32:
        return emit.converted(erf(emit, emit.converted(x, builtin_types.f32)), element)
    how = DOUBLE if element is builtin_types.f64 else SINGLE
    size = magnitude(emit, x)
    series = emit.times(x, emit.polynomial(emit.times(x, x), how.series()))
    bounded = emit(floats.MinFOp, size, emit.like(how.end, size), propagate_nan=True)
    tail = emit.minus(emit.like(1, x), _complement(emit, bounded, how))
    large = copy_sign(emit, tail, x)
    return emit.choose(emit.ordered(LESS, size, emit.like(1, size)), series, large)


def _complement(emit: CudaTileEmitter, x: Value, how: ErrorFunction) -> Value:
    """Return one minus the error function, for arguments from 1 on."""
    return emit.times(exponential_of_square(emit, x, floats.NegFOp), scaled_complement(emit, x, how))


def scaled_complement(emit: CudaTileEmitter, x: Value, how: ErrorFunction) -> Value:
    """Return ``exp(x * x) * erfc(x)``. The coefficients `SINGLE` are for arguments from 1 to 10, the
    coefficients `DOUBLE` for all from 0 on.
    """
    t = fraction(emit, x, how.center)
    return emit.over(emit.polynomial(t, how.coefficients), emit.plus(x, emit.like(0.5, x)))


def fraction(emit: CudaTileEmitter, x: Value, center: float) -> Value:
    """Return ``(x - center) / (x + center)``, which maps the numbers from 0 to infinity to those from -1 to
    1.
    """
    middle = emit.like(center, x)
    finite = emit(floats.MinFOp, x, emit.like(1e18, x), propagate_nan=True)
    return emit.over(emit.minus(finite, middle), emit.plus(finite, middle))


def exponential_of_square(emit: CudaTileEmitter, x: Value, sign: type[Operation] | None = None) -> Value:
    """Return ``exp(x * x)``, or ``exp(-x * x)`` if ``sign`` is the class of the negation.

    The rounding error of the square is corrected by a factor.
    """
    square = emit.times(x, x)
    rest = emit.fused(x, x, emit(floats.NegFOp, square))
    power, rest = (square, rest) if sign is None else (emit(sign, square), emit(sign, rest))
    return emit.times(exponential(emit, power), emit.plus(rest, emit.like(1, x)))


def in_double(formula: Formula) -> Formula:
    """Return a formula that converts its last operand to f64, applies `formula`, and converts the result back
    to the type of that operand. Other operands are passed on unchanged.
    """

    @functools.wraps(formula)
    def function(emit: CudaTileEmitter, *operands: Value) -> Value:
        *others, x = operands
        return emit.converted(
            formula(emit, *others, emit.converted(x, builtin_types.f64)), tile_of(x).element_type
        )

    return function


def copy_sign(emit: CudaTileEmitter, size: Value, sign: Value) -> Value:
    """Return the magnitude of ``size`` with the sign bit of ``sign``, whose sign bit counts for zero and NaN,
    too.
    """
    bits = integer_type(size)
    top = 1 << (bits.width - 1)
    rest = emit.both(
        emit.same_bits(size, bits), emit.constant(top - 1, tile_of(size).with_element_type(bits))
    )
    first = emit.both(emit.same_bits(sign, bits), emit.constant(-top, tile_of(size).with_element_type(bits)))
    return emit.same_bits(emit.either(rest, first), tile_of(size).element_type)


def integer_type(value: Value) -> builtin_types.IntegerType:
    """Return the integer type as wide as the elements of a tile of floats."""
    element: Any = tile_of(value).element_type
    return INTEGER_OF_WIDTH[element.width]


def magnitude(emit: CudaTileEmitter, x: Value) -> Value:
    """Return the absolute value."""
    return emit(floats.AbsFOp, x)


def logarithm(emit: CudaTileEmitter, x: Value) -> Value:
    """Return the natural logarithm."""
    return emit(floats.LogOp, x)


def exponential(emit: CudaTileEmitter, x: Value) -> Value:
    """Return the exponential function of ``x`` in full precision: a rounding mode of the `exp` of Tile IR."""
    return emit(floats.ExpOp, x, RoundingMode.FULL)


def square_root(emit: CudaTileEmitter, x: Value) -> Value:
    """Return the square root, rounded to nearest, ties to even; NaN below zero."""
    return emit(floats.SqrtOp, x, RoundingMode.NEAREST_EVEN)


def erfc(emit: CudaTileEmitter, x: Value) -> Value:
    """Return one minus the error function, without cancellation where the result is small; formats below f32
    are computed in f32.
    """
    element = tile_of(x).element_type
    if element is not builtin_types.f64 and element is not builtin_types.f32:
        return emit.converted(erfc(emit, emit.converted(x, builtin_types.f32)), element)
    how = DOUBLE if element is builtin_types.f64 else SINGLE
    one, size = emit.like(1, x), magnitude(emit, x)
    tail = _complement(emit, emit(floats.MaxFOp, size, one, propagate_nan=True), how)
    beyond = emit.ordered(LESS, emit.like(how.last, size), size)
    tail = emit.choose(beyond, emit.like(0, x), tail)
    far = emit.choose(emit.ordered(LESS, x, emit.like(0, x)), emit.minus(emit.like(2, x), tail), tail)
    return emit.choose(emit.ordered(LESS, size, one), emit.minus(one, erf(emit, x)), far)


def log1p(emit: CudaTileEmitter, x: Value) -> Value:
    """Return ``log(1 + x)``, corrected for the rounding error of the sum."""
    one = emit.like(1, x)
    total = emit.plus(one, x)
    moved = emit.minus(total, one)
    exact = emit.times(logarithm(emit, total), emit.over(x, moved))
    small = emit.ordered(EQUAL, total, one)
    large = emit.ordered(EQUAL, total, emit.like(INFINITY, x))
    return emit.choose(small, x, emit.choose(large, total, exact))


def expm1(emit: CudaTileEmitter, x: Value) -> Value:
    """Return ``exp(x) - 1``, corrected for the rounding error of the power."""
    one = emit.like(1, x)
    power = exponential(emit, x)
    moved = emit.minus(power, one)
    exact = emit.times(moved, emit.over(x, logarithm(emit, power)))
    small = emit.ordered(EQUAL, power, one)
    ends = emit.either(
        emit.ordered(EQUAL, moved, emit.like(-1, x)), emit.ordered(EQUAL, power, emit.like(INFINITY, x))
    )
    return emit.choose(small, x, emit.choose(ends, moved, exact))


def truncated(emit: CudaTileEmitter, x: Value) -> Value:
    """Return ``x`` rounded towards zero, as a float."""
    negative = emit.ordered(LESS, x, emit.like(0, x))
    return emit.choose(negative, emit(floats.CeilOp, x), emit(floats.FloorOp, x))


def rounded_even(emit: CudaTileEmitter, x: Value) -> Value:
    """Return the nearest integer as a float, of two equally near the even one. Infinities and NaN are
    unchanged.
    """
    element: Any = tile_of(x).element_type
    limit = emit.like(2.0 ** (RANGES[element.spelling].precision - 1), x)
    size = magnitude(emit, x)
    whole = emit.minus(emit.plus(size, limit), limit)
    return emit.choose(emit.ordered(LESS, size, limit), copy_sign(emit, whole, x), x)


def rounded_away(emit: CudaTileEmitter, x: Value) -> Value:
    """Return the nearest integer as a float, of two equally near the one farther from zero."""
    size = magnitude(emit, x)
    whole = emit(floats.FloorOp, size)
    half = emit.ordered(LESS, emit.minus(size, whole), emit.like(0.5, x))
    return copy_sign(emit, emit.choose(half, whole, emit.plus(whole, emit.like(1, x))), x)


def arc_tangent(emit: CudaTileEmitter, x: Value) -> Value:
    """Return the arc tangent of ``x``, in radians."""
    return emit(floats.Atan2Op, x, emit.like(1, x))


def _other_leg(emit: CudaTileEmitter, x: Value) -> Value:
    one = emit.like(1, x)
    return square_root(emit, emit.times(emit.minus(one, x), emit.plus(one, x)))


def arc_sine(emit: CudaTileEmitter, x: Value) -> Value:
    """Return the arc sine of ``x``, in radians; NaN if ``x`` is beyond 1 or -1."""
    return emit(floats.Atan2Op, x, _other_leg(emit, x))


def arc_cosine(emit: CudaTileEmitter, x: Value) -> Value:
    """Return the arc cosine of ``x``, in radians; NaN if ``x`` is beyond 1 or -1."""
    return emit(floats.Atan2Op, _other_leg(emit, x), x)


def area_sine(emit: CudaTileEmitter, x: Value) -> Value:
    """Return the inverse of the hyperbolic sine."""
    one, size = emit.like(1, x), magnitude(emit, x)
    square = emit.times(size, size)
    inner = emit.plus(size, emit.over(square, emit.plus(one, square_root(emit, emit.plus(square, one)))))
    return copy_sign(emit, emit.choose(_is_huge(emit, size), _of_huge(emit, size), log1p(emit, inner)), x)


def area_cosine(emit: CudaTileEmitter, x: Value) -> Value:
    """Return the inverse of the hyperbolic cosine; NaN below 1."""
    over = emit.minus(x, emit.like(1, x))
    root = square_root(emit, emit.times(over, emit.plus(over, emit.like(2, x))))
    return emit.choose(_is_huge(emit, x), _of_huge(emit, x), log1p(emit, emit.plus(over, root)))


def _is_huge(emit: CudaTileEmitter, x: Value) -> Value:
    """Return an i1 that is true where `x` is above 1e9: adding 1 to the square of `x` changes nothing there,
    and the square may overflow.
    """
    return emit.ordered(LESS, emit.like(1e9, x), x)


def _of_huge(emit: CudaTileEmitter, x: Value) -> Value:
    return emit.plus(logarithm(emit, x), emit.like(LN2, x))


def area_tangent(emit: CudaTileEmitter, x: Value) -> Value:
    """Return the inverse of the hyperbolic tangent: infinite at 1 and -1, NaN beyond."""
    size = magnitude(emit, x)
    ratio = emit.over(emit.plus(size, size), emit.minus(emit.like(1, x), size))
    return copy_sign(emit, emit.times(emit.like(0.5, x), log1p(emit, ratio)), x)


def cube_root(emit: CudaTileEmitter, x: Value) -> Value:
    """Return the real cube root: a power, and one step of Newton's method."""
    size = magnitude(emit, x)
    root = emit(floats.PowOp, size, emit.like(1 / 3, x))
    square = emit.times(root, root)
    error = emit.fused(square, root, emit(floats.NegFOp, size))
    better = emit.minus(root, emit.over(error, emit.times(emit.like(3, x), square)))
    ends = emit.either(
        emit.ordered(EQUAL, size, emit.like(0, x)), emit.ordered(EQUAL, size, emit.like(INFINITY, x))
    )
    return copy_sign(emit, emit.choose(ends, size, better), x)


def hypotenuse(emit: CudaTileEmitter, x: Value, y: Value) -> Value:
    """Return the root of the sum of squares, without overflow on the way. It is infinity if an operand is
    infinite, also beside a NaN; otherwise NaN if an operand is NaN.
    """
    a, b = magnitude(emit, x), magnitude(emit, y)
    large = emit(floats.MaxFOp, a, b)  # the other operand beside a NaN, so that an infinity stays
    small = emit(floats.MinFOp, a, b, propagate_nan=True)
    ratio = emit.over(small, large)
    length = emit.times(large, square_root(emit, emit.fused(ratio, ratio, emit.like(1, x))))
    ends = emit.either(
        emit.ordered(EQUAL, small, emit.like(0, x)), emit.ordered(EQUAL, large, emit.like(INFINITY, x))
    )
    return emit.choose(ends, large, length)


def nearest_remainder(emit: CudaTileEmitter, x: Value, y: Value) -> Value:
    """Return the remainder of ``x`` by ``y``, for the quotient rounded to the nearest integer, of two to the
    even one.
    """
    size, step = magnitude(emit, x), magnitude(emit, y)
    left = emit(floats.RemFOp, size, emit.plus(step, step))
    half = emit.times(step, emit.like(0.5, x))
    below = emit.minus(left, step)
    twice = emit.choose(emit.ordered(LESS, below, half), below, emit.minus(below, step))
    rest = emit.choose(emit.ordered(LESS, half, left), twice, left)
    return emit.choose(emit.ordered(LESS, x, emit.like(0, x)), emit(floats.NegFOp, rest), rest)


def of_pi_times(function: type[Operation]) -> Formula:
    """Return a formula for ``function(pi * x)``, where `function` is the sine or the cosine.

    The argument is reduced to half a period, which changes the sign. The remainder is exact, and so is its
    distance from pi / 2, whose sine equals the cosine.
    """

    def formula(emit: CudaTileEmitter, x: Value) -> Value:
        whole = rounded_even(emit, x)
        rest, half = emit.minus(x, whole), emit.like(0.5, x)
        if function is floats.CosOp:
            rest = emit.minus(half, magnitude(emit, rest))
        value: Value = emit(floats.SinOp, emit.times(rest, emit.like(math.pi, x)))
        pairs = emit.times(whole, half)
        is_odd = emit.ordered(ComparisonPredicate.NOT_EQUAL, emit(floats.FloorOp, pairs), pairs)
        return emit.choose(is_odd, emit(floats.NegFOp, value), value)

    return formula
