"""Element-wise floating point on tiles of the base floats f16, bf16, f32 and f64.

The format is read off the operands' dtype; both operands have the same one and shapes that match. Every
result NaN is the canonical NaN, except where an operation only moves bits (``absf``, ``negf``).

- ``addf subf mulf divf fma sqrt`` are rounded once, exactly, in any of the four IEEE modes. For f16 and bf16
  under a directed mode the specification computes in f32; rounding first to f32 and then to the half type in
  the same direction equals the single rounding done here.
- ``approx`` and ``full`` promise error bounds, not bits: the correctly rounded result is inside every bound,
  and only the documented edge cases of ``approx`` division are added.
- ``flush_to_zero`` replaces subnormal f32 inputs, and results that are subnormal after rounding, by zero of
  the same sign.
- Elementary functions are the host's float64 function rounded once to the tile's format (`pow` of special numbers, on
  which hosts differ, is a table of our own), which is far inside
  the few-ulp bounds the specification gives for f16, bf16 and f32 (``approx`` and ``full`` variants
  included). For f64 they are the host's functions themselves: last bits may differ between hosts, and
  programs compared across implementations need a tolerance.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np

from tilewright.interp.numerics.element import (
    FORMATS,
    BoolArray,
    ElementFormat,
    FloatArray,
    NumpyArray,
    base_float_format,
    canonical_nan,
    decode,
    from_bits,
    to_bits,
)
from tilewright.interp.numerics.error_free import (
    ExactValue,
    exact_multiply_add,
    exact_narrow_multiply_add,
    exact_product,
    exact_quotient,
    exact_square_root,
    exact_sum,
    round_exact,
)
from tilewright.interp.numerics.integers import signed_view
from tilewright.interp.numerics.rounding import round_to_format
from tilewright.ir.arithmetic.powers import MIDDLE_EXPONENT, NAN_BASE, NAN_EXPONENT, SPECIAL_POWERS

_IS_SPECIAL = np.array([[power is not None for power in row] for row in SPECIAL_POWERS])
_SPECIAL = np.array([[0.0 if power is None else power for power in row] for row in SPECIAL_POWERS])


@np.errstate(all="ignore")
def power(base: FloatArray, exponent: FloatArray) -> Any:
    """Return ``base ** exponent`` of floats of the host, with the special cases of IEEE 754 and C."""
    rows, columns = _base_classes(base), _exponent_classes(exponent)
    return np.where(_IS_SPECIAL[rows, columns], _SPECIAL[rows, columns], np.power(base, exponent))


def _base_classes(base: FloatArray) -> NumpyArray:
    """Number bases as `tilewright.ir.arithmetic.powers.base_class` does."""
    size = np.abs(base)
    kinds = 1 + (size > 0).astype(np.int64) + (size >= 1) + (size > 1) + (size == np.inf)
    return np.where(np.isnan(base), NAN_BASE, NAN_BASE + _signed(kinds, base))


def _exponent_classes(exponent: FloatArray) -> NumpyArray:
    """Number exponents as `tilewright.ir.arithmetic.powers.exponent_class` does."""
    is_part = np.fmod(exponent, 1) != 0
    kinds = np.where(is_part, 1, np.where(np.fmod(exponent, 2) != 0, 3, 2))
    kinds = np.where(np.isinf(exponent), 4, np.where(exponent == 0, 0, kinds))
    return np.where(np.isnan(exponent), NAN_EXPONENT, MIDDLE_EXPONENT + _signed(kinds, exponent))


def _signed(kinds: NumpyArray, numbers: FloatArray) -> NumpyArray:
    return np.where(np.signbit(numbers), -kinds, kinds)


_SMALLEST_NORMAL_F32 = 2.0**-126
_APPROX_DIVISOR_LIMIT = 2.0**126
_EXACT_PRODUCT_PRECISION = 26
"""Two significands of this many bits have a product that float64 holds."""


@np.errstate(all="ignore")
def flush(values: NumpyArray) -> NumpyArray:
    """Return f32 elements with subnormals replaced by zero of the same sign.

    Raises `ValueError` for a tile of another format.
    """
    if base_float_format(values) is not FORMATS["f32"]:
        raise ValueError(f"flush_to_zero is defined for f32 only, not for {base_float_format(values).name}")
    subnormal = np.abs(values) < np.float32(_SMALLEST_NORMAL_F32)
    return np.where(subnormal, np.copysign(np.float32(0), values), values)


@np.errstate(all="ignore")
def _compute(
    operands: tuple[NumpyArray, ...],
    rounding: str,
    flush_to_zero: bool,
    native: Callable[..., NumpyArray] | None,
    exact: Callable[..., ExactValue],
) -> NumpyArray:
    """Return ``exact`` rounded once.

    To nearest, ``native`` (the host's IEEE operation) gives the same bits.
    """
    format = base_float_format(operands[0])
    inputs = tuple(flush(operand) for operand in operands) if flush_to_zero else operands
    if native is not None and rounding == "nearest_even":
        result = canonical_nan(native(*inputs), format)
    else:
        result = round_exact(exact(*(decode(value, format) for value in inputs)), format, rounding)
    return flush(result) if flush_to_zero else result


def addf(
    lhs: NumpyArray, rhs: NumpyArray, rounding: str = "nearest_even", flush_to_zero: bool = False
) -> NumpyArray:
    """Return ``lhs + rhs``, rounded once."""
    return _compute((lhs, rhs), rounding, flush_to_zero, np.add, partial(exact_sum, mode=rounding))


def subf(
    lhs: NumpyArray, rhs: NumpyArray, rounding: str = "nearest_even", flush_to_zero: bool = False
) -> NumpyArray:
    """Return ``lhs - rhs``, rounded once."""
    return addf(lhs, negf(rhs), rounding, flush_to_zero)


def mulf(
    lhs: NumpyArray, rhs: NumpyArray, rounding: str = "nearest_even", flush_to_zero: bool = False
) -> NumpyArray:
    """Return ``lhs * rhs``, rounded once."""
    return _compute((lhs, rhs), rounding, flush_to_zero, np.multiply, exact_product)


def fma(
    lhs: NumpyArray,
    rhs: NumpyArray,
    acc: NumpyArray,
    rounding: str = "nearest_even",
    flush_to_zero: bool = False,
) -> NumpyArray:
    """Return ``lhs * rhs + acc`` with a single rounding."""
    narrow = base_float_format(lhs).precision <= _EXACT_PRODUCT_PRECISION
    exact = partial(exact_narrow_multiply_add if narrow else exact_multiply_add, mode=rounding)
    return _compute((lhs, rhs, acc), rounding, flush_to_zero, None, exact)


@np.errstate(all="ignore")
def divf(
    lhs: NumpyArray, rhs: NumpyArray, rounding: str = "nearest_even", flush_to_zero: bool = False
) -> NumpyArray:
    """``lhs / rhs``; rounding may also be ``approx`` or ``full``.

    ``approx`` multiplies by a reciprocal, which vanishes for ``2**126 < |rhs| < 2**128``: the result there is
    zero, or NaN for infinite (or NaN) ``lhs``.
    """
    mode = "nearest_even" if rounding in ("approx", "full") else rounding
    quotient = _compute((lhs, rhs), mode, flush_to_zero, np.divide, exact_quotient)
    if rounding != "approx":
        return quotient
    large = np.isfinite(rhs) & (np.abs(rhs) > _APPROX_DIVISOR_LIMIT)
    vanished = np.copysign(rhs.dtype.type(0), rhs)
    return np.where(large, mulf(lhs, vanished), quotient)


def sqrt(source: NumpyArray, rounding: str = "nearest_even", flush_to_zero: bool = False) -> NumpyArray:
    """Return the square root; `rounding` may also be ``approx``."""
    mode = "nearest_even" if rounding == "approx" else rounding
    return _compute((source,), mode, flush_to_zero, np.sqrt, exact_square_root)


def _sign_mask(format: ElementFormat) -> int:
    return 1 << (format.bits - 1)


def negf(source: NumpyArray) -> NumpyArray:
    """Return `source` with the sign bit flipped, also of zero and NaN."""
    format = base_float_format(source)
    return from_bits(to_bits(source, format) ^ format.bits_dtype.type(_sign_mask(format)), format)


def absf(source: NumpyArray) -> NumpyArray:
    """Clear the sign bit, also of NaN."""
    format = base_float_format(source)
    return from_bits(to_bits(source, format) & format.bits_dtype.type(_sign_mask(format) - 1), format)


@np.errstate(all="ignore")
def ceil(source: NumpyArray) -> NumpyArray:
    """Return the smallest integral value not below the element; values in (-1, 0) give -0."""
    return canonical_nan(np.ceil(source), base_float_format(source))


@np.errstate(all="ignore")
def floor(source: NumpyArray) -> NumpyArray:
    """Return the greatest integral value not above each element."""
    return canonical_nan(np.floor(source), base_float_format(source))


@np.errstate(all="ignore")
def remf(lhs: NumpyArray, rhs: NumpyArray) -> NumpyArray:
    """Return the exact remainder of the truncated quotient, with the sign of ``lhs``.

    NaN for zero ``rhs`` or infinite ``lhs``; infinite ``rhs`` gives ``lhs``.
    """
    format = base_float_format(lhs)
    remainder = np.fmod(decode(lhs, format), decode(rhs, format))
    return canonical_nan(remainder.astype(format.array_dtype), format)


def maxf(
    lhs: NumpyArray, rhs: NumpyArray, propagate_nan: bool = False, flush_to_zero: bool = False
) -> NumpyArray:
    """Return the greater element, +0 above -0. A NaN wins if ``propagate_nan``, else it loses to a number."""
    return _extremum(lhs, rhs, 1.0, propagate_nan, flush_to_zero)


def minf(
    lhs: NumpyArray, rhs: NumpyArray, propagate_nan: bool = False, flush_to_zero: bool = False
) -> NumpyArray:
    """Return the lesser element, -0 below +0. A NaN wins if ``propagate_nan``, else it loses to a number."""
    return _extremum(lhs, rhs, -1.0, propagate_nan, flush_to_zero)


@np.errstate(all="ignore")
def _extremum(
    lhs: NumpyArray, rhs: NumpyArray, direction: float, propagate_nan: bool, flush_to_zero: bool
) -> NumpyArray:
    format = base_float_format(lhs)
    left, right = (flush(lhs), flush(rhs)) if flush_to_zero else (lhs, rhs)
    host = format.array_dtype.kind == "f"
    a, b = (left, right) if host else (decode(left, format), decode(right, format))
    a, b = (a, b) if direction > 0 else (-a, -b)
    take_left = (a > b) | ((a == b) & np.signbit(b))
    nan_a, nan_b = np.isnan(a), np.isnan(b)
    nan_pick_left = nan_a if propagate_nan else nan_b
    chosen = np.where(np.where(nan_a | nan_b, nan_pick_left, take_left), left, right)
    return canonical_nan(chosen, format)


_ORDERED_COMPARISONS: dict[str, Callable[[FloatArray, FloatArray], BoolArray]] = {
    "equal": lambda a, b: a == b,
    "not_equal": lambda a, b: (a < b) | (a > b),
    "less_than": lambda a, b: a < b,
    "less_than_or_equal": lambda a, b: a <= b,
    "greater_than": lambda a, b: a > b,
    "greater_than_or_equal": lambda a, b: a >= b,
}


@np.errstate(all="ignore")
def cmpf(lhs: NumpyArray, rhs: NumpyArray, predicate: str, ordering: str = "ordered") -> BoolArray:
    """Compare to an i1 tile; if an operand is NaN, the result is ``ordering == "unordered"``.

    ValueError for an unknown predicate or ordering.
    """
    if predicate not in _ORDERED_COMPARISONS or ordering not in ("ordered", "unordered"):
        raise ValueError(f"unknown comparison '{predicate}' '{ordering}'")
    format = base_float_format(lhs)
    a, b = decode(lhs, format), decode(rhs, format)
    holds = _ORDERED_COMPARISONS[predicate](a, b)
    unordered = np.isnan(a) | np.isnan(b)
    return np.asarray(holds | unordered if ordering == "unordered" else holds)


@np.errstate(all="ignore")
def elementary(
    function: Callable[..., FloatArray], *operands: NumpyArray, flush_to_zero: bool = False
) -> NumpyArray:
    """Return a function of the host's doubles, rounded once to the format of the operands."""
    format = base_float_format(operands[0])
    inputs = tuple(flush(operand) for operand in operands) if flush_to_zero else operands
    result = round_to_format(function(*(decode(value, format) for value in inputs)), format)
    return flush(result) if flush_to_zero else result


def _reciprocal_root(values: FloatArray) -> FloatArray:
    return 1.0 / np.sqrt(values)


def rsqrt(source: NumpyArray, flush_to_zero: bool = False) -> NumpyArray:
    """Return the reciprocal square root; infinity of the same sign for zeros, NaN below zero."""
    return elementary(_reciprocal_root, source, flush_to_zero=flush_to_zero)


def exp(source: NumpyArray, rounding: str = "full") -> NumpyArray:
    """Return e to the power of each element; ``approx`` is computed as ``full``."""
    _check_accuracy(rounding)
    return elementary(np.exp, source)


def exp2(source: NumpyArray, flush_to_zero: bool = False) -> NumpyArray:
    """Return 2 to the power of each element."""
    return elementary(np.exp2, source, flush_to_zero=flush_to_zero)


def log(source: NumpyArray) -> NumpyArray:
    """Return the natural logarithm."""
    return elementary(np.log, source)


def log2(source: NumpyArray) -> NumpyArray:
    """Return the logarithm to base 2."""
    return elementary(np.log2, source)


def sin(source: NumpyArray) -> NumpyArray:
    """Return the sine of an angle in radians."""
    return elementary(np.sin, source)


def cos(source: NumpyArray) -> NumpyArray:
    """Return the cosine of an angle in radians."""
    return elementary(np.cos, source)


def tan(source: NumpyArray) -> NumpyArray:
    """Return the tangent of an angle in radians."""
    return elementary(np.tan, source)


def sinh(source: NumpyArray) -> NumpyArray:
    """Return the hyperbolic sine."""
    return elementary(np.sinh, source)


def cosh(source: NumpyArray) -> NumpyArray:
    """Return the hyperbolic cosine."""
    return elementary(np.cosh, source)


def tanh(source: NumpyArray, rounding: str = "full") -> NumpyArray:
    """Return the hyperbolic tangent; ``approx`` is computed as ``full``."""
    _check_accuracy(rounding)
    return elementary(np.tanh, source)


def atan2(first: NumpyArray, second: NumpyArray) -> NumpyArray:
    """Return the angle of the point with ordinate ``first`` and abscissa ``second``, in [-pi, pi]."""
    return elementary(np.arctan2, first, second)


def pow(source: NumpyArray, exponent: NumpyArray) -> NumpyArray:
    """Return ``source ** exponent`` with C's special cases (``pow(1, NaN) == pow(NaN, 0) == 1``)."""
    return elementary(power, source, exponent)


def fpowi(source: NumpyArray, exponent: NumpyArray) -> NumpyArray:
    """Return an integer power.

    The exponent tile (i1, i8, i16, i32) is read as signed, so an i1 ``true`` is -1.
    """
    format = base_float_format(source)
    return round_to_format(power(decode(source, format), signed_view(exponent).astype(np.float64)), format)


def _check_accuracy(rounding: str) -> None:
    if rounding not in ("full", "approx"):
        raise ValueError(f"unknown rounding mode '{rounding}', expect one of ['approx', 'full']")
