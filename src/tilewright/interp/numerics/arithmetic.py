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
- `tilewright.doubles` computes elementary functions, rounded once to the tile's format: they have the same
  bits on every host. The error of a double is below one unit in its last place (1.5 for `rsqrt`), so
  results of f16 and bf16 are correctly rounded, and results of f32 nearly always (within 0.5 + 2**-28 units).
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache, partial
from typing import Any

import numpy as np

from tilewright.doubles import angles, exponentials, logarithms
from tilewright.interp.numerics import element, error_free, integers as numerics_integers
from tilewright.interp.numerics.rounding import round_to_format
from tilewright.ir.arithmetic.powers import MIDDLE_EXPONENT, NAN_BASE, NAN_EXPONENT, SPECIAL_POWERS

_IS_SPECIAL = np.array([[power is not None for power in row] for row in SPECIAL_POWERS])
_SPECIAL = np.array([[0.0 if power is None else power for power in row] for row in SPECIAL_POWERS])


@np.errstate(all="ignore")
def power(base: element.FloatArray, exponent: element.FloatArray) -> Any:
    """Return ``base ** exponent`` of float64 arrays, element by element, with the special cases of IEEE 754
    and C.
    """
    rows, columns = _base_classes(base), _exponent_classes(exponent)
    special = _IS_SPECIAL[rows, columns]
    size = logarithms.positive_power(np.where(special, 1.0, np.abs(base)), np.where(special, 1.0, exponent))
    odd = np.abs(np.fmod(exponent, 2)) == 1
    return np.where(special, _SPECIAL[rows, columns], np.where((base < 0) & odd, -size, size))


def _base_classes(base: element.FloatArray) -> element.NumpyArray:
    """Return the row in the table of special powers for each base, as
    `tilewright.ir.arithmetic.powers.base_class` does for one base.
    """
    size = np.abs(base)
    kinds = 1 + (size > 0).astype(np.int64) + (size >= 1) + (size > 1) + (size == np.inf)
    return np.where(np.isnan(base), NAN_BASE, NAN_BASE + _signed(kinds, base))


def _exponent_classes(exponent: element.FloatArray) -> element.NumpyArray:
    """Return the column in the table of special powers for each exponent: by its sign, and by whether it is
    zero, has a fraction, is even, odd, infinite or NaN; as `tilewright.ir.arithmetic.powers.exponent_class`
    does for one exponent.
    """
    is_part = np.fmod(exponent, 1) != 0
    kinds = np.where(is_part, 1, np.where(np.fmod(exponent, 2) != 0, 3, 2))
    kinds = np.where(np.isinf(exponent), 4, np.where(exponent == 0, 0, kinds))
    return np.where(np.isnan(exponent), NAN_EXPONENT, MIDDLE_EXPONENT + _signed(kinds, exponent))


def _signed(kinds: element.NumpyArray, numbers: element.FloatArray) -> element.NumpyArray:
    return np.where(np.signbit(numbers), -kinds, kinds)


_SMALLEST_NORMAL_F32 = 2.0**-126
_APPROX_DIVISOR_LIMIT = 2.0**126
_EXACT_PRODUCT_PRECISION = 26
"""Two significands of this many bits have a product that float64 holds."""


@np.errstate(all="ignore")
def flush(values: element.NumpyArray) -> element.NumpyArray:
    """Return f32 elements with subnormals replaced by zero of the same sign.

    Raises `ValueError` for a tile of another format.
    """
    if element.base_float_format(values) is not element.FORMATS["f32"]:
        raise ValueError(
            f"flush_to_zero is defined for f32 only, not for {element.base_float_format(values).name}"
        )
    subnormal = np.abs(values) < np.float32(_SMALLEST_NORMAL_F32)
    return np.where(subnormal, np.copysign(np.float32(0), values), values)


@np.errstate(all="ignore")
def _compute(
    operands: tuple[element.NumpyArray, ...],
    rounding: str,
    flush_to_zero: bool,
    native: Callable[..., element.NumpyArray] | None,
    exact: Callable[..., error_free.ExactValue],
) -> element.NumpyArray:
    """Return ``exact`` of the operands, rounded once; with `flush_to_zero`, subnormal operands and results
    become zero, which raises `ValueError` for formats other than f32.

    To nearest, ``native`` (the host's IEEE operation) gives the same bits and is used; None if there is none.
    """
    format = element.base_float_format(operands[0])
    inputs = tuple(flush(operand) for operand in operands) if flush_to_zero else operands
    if native is not None and rounding == "nearest_even":
        result = element.canonical_nan(native(*inputs), format)
    else:
        result = error_free.round_exact(
            exact(*(element.decode(value, format) for value in inputs)), format, rounding
        )
    return flush(result) if flush_to_zero else result


def addf(
    lhs: element.NumpyArray,
    rhs: element.NumpyArray,
    rounding: str = "nearest_even",
    flush_to_zero: bool = False,
) -> element.NumpyArray:
    """Return ``lhs + rhs``, rounded once by `rounding`, a name in `ROUNDING_MODES`. `flush_to_zero`, for f32
    only, replaces subnormal inputs and results by zero of the same sign. Raises `ValueError` for another
    format with `flush_to_zero`, and for an unknown `rounding`.
    """
    return _compute((lhs, rhs), rounding, flush_to_zero, np.add, partial(error_free.exact_sum, mode=rounding))


def subf(
    lhs: element.NumpyArray,
    rhs: element.NumpyArray,
    rounding: str = "nearest_even",
    flush_to_zero: bool = False,
) -> element.NumpyArray:
    """Return ``lhs - rhs``, rounded once by `rounding`, a name in `ROUNDING_MODES`. `flush_to_zero`, for f32
    only, replaces subnormal inputs and results by zero of the same sign. Raises `ValueError` for another
    format with `flush_to_zero`, and for an unknown `rounding`.
    """
    return addf(lhs, negf(rhs), rounding, flush_to_zero)


def mulf(
    lhs: element.NumpyArray,
    rhs: element.NumpyArray,
    rounding: str = "nearest_even",
    flush_to_zero: bool = False,
) -> element.NumpyArray:
    """Return ``lhs * rhs``, rounded once by `rounding`, a name in `ROUNDING_MODES`. `flush_to_zero` replaces
    subnormal inputs and results by zero of the same sign; it is for f32 only. Raises `ValueError` for another
    format with `flush_to_zero`, and for an unknown `rounding`.
    """
    return _compute((lhs, rhs), rounding, flush_to_zero, np.multiply, error_free.exact_product)


def fma(
    lhs: element.NumpyArray,
    rhs: element.NumpyArray,
    acc: element.NumpyArray,
    rounding: str = "nearest_even",
    flush_to_zero: bool = False,
) -> element.NumpyArray:
    """Return ``lhs * rhs + acc``, rounded once by `rounding`, a name in `ROUNDING_MODES`. `flush_to_zero`,
    for f32 only, replaces subnormal inputs and results by zero of the same sign. Raises `ValueError` for
    another format with `flush_to_zero`, and for an unknown `rounding`.
    """
    narrow = element.base_float_format(lhs).precision <= _EXACT_PRODUCT_PRECISION
    exact = partial(
        error_free.exact_narrow_multiply_add if narrow else error_free.exact_multiply_add, mode=rounding
    )
    return _compute((lhs, rhs, acc), rounding, flush_to_zero, None, exact)


@np.errstate(all="ignore")
def divf(
    lhs: element.NumpyArray,
    rhs: element.NumpyArray,
    rounding: str = "nearest_even",
    flush_to_zero: bool = False,
) -> element.NumpyArray:
    """Return ``lhs / rhs``, rounded once by `rounding`: a name in `ROUNDING_MODES`, or ``approx`` or
    ``full``, which round to nearest even. ``approx`` multiplies by a reciprocal, which vanishes for a finite
    ``|rhs| > 2**126``: the result there is zero, or NaN for infinite (or NaN) `lhs`. `flush_to_zero`, for f32
    only, replaces subnormal inputs and results by zero. Raises `ValueError` for another format with
    `flush_to_zero`, and for an unknown `rounding`.
    """
    mode = "nearest_even" if rounding in ("approx", "full") else rounding
    quotient = _compute((lhs, rhs), mode, flush_to_zero, np.divide, error_free.exact_quotient)
    if rounding != "approx":
        return quotient
    large = np.isfinite(rhs) & (np.abs(rhs) > _APPROX_DIVISOR_LIMIT)
    vanished = np.copysign(rhs.dtype.type(0), rhs)
    return np.where(large, mulf(lhs, vanished), quotient)


def sqrt(
    source: element.NumpyArray, rounding: str = "nearest_even", flush_to_zero: bool = False
) -> element.NumpyArray:
    """Return the square root, NaN below zero and -0 of -0, rounded once by `rounding`: a name in
    `ROUNDING_MODES`, or ``approx``, which rounds to nearest even. `flush_to_zero`, for f32 only, replaces
    subnormal inputs and results by zero. Raises `ValueError` for another format with `flush_to_zero`, and for
    an unknown `rounding`.
    """
    mode = "nearest_even" if rounding == "approx" else rounding
    return _compute((source,), mode, flush_to_zero, np.sqrt, error_free.exact_square_root)


def _sign_mask(format: element.ElementFormat) -> int:
    return 1 << (format.bits - 1)


def negf(source: element.NumpyArray) -> element.NumpyArray:
    """Return `source` with the sign bit flipped, also of zero and NaN."""
    format = element.base_float_format(source)
    return element.from_bits(
        element.to_bits(source, format) ^ format.bits_dtype.type(_sign_mask(format)), format
    )


def absf(source: element.NumpyArray) -> element.NumpyArray:
    """Return `source` with the sign bit cleared, also of NaN."""
    format = element.base_float_format(source)
    return element.from_bits(
        element.to_bits(source, format) & format.bits_dtype.type(_sign_mask(format) - 1), format
    )


@np.errstate(all="ignore")
def ceil(source: element.NumpyArray) -> element.NumpyArray:
    """Return the smallest integral value not below the element; values in (-1, 0) give -0."""
    return element.canonical_nan(np.ceil(source), element.base_float_format(source))


@np.errstate(all="ignore")
def floor(source: element.NumpyArray) -> element.NumpyArray:
    """Return the greatest integral value not above each element."""
    return element.canonical_nan(np.floor(source), element.base_float_format(source))


@np.errstate(all="ignore")
def remf(lhs: element.NumpyArray, rhs: element.NumpyArray) -> element.NumpyArray:
    """Return the exact remainder of the truncated quotient, with the sign of ``lhs``.

    NaN for zero ``rhs`` or infinite ``lhs``; infinite ``rhs`` gives ``lhs``.
    """
    format = element.base_float_format(lhs)
    remainder = np.fmod(element.decode(lhs, format), element.decode(rhs, format))
    return element.canonical_nan(remainder.astype(format.array_dtype), format)


def maxf(
    lhs: element.NumpyArray, rhs: element.NumpyArray, propagate_nan: bool = False, flush_to_zero: bool = False
) -> element.NumpyArray:
    """Return the greater element, +0 above -0. If one element is a NaN, the result is NaN with
    ``propagate_nan``, else the other element. `flush_to_zero`, for f32 only, replaces subnormal inputs by
    zero; it raises `ValueError` for other formats.
    """
    return _extremum(lhs, rhs, 1.0, propagate_nan, flush_to_zero)


def minf(
    lhs: element.NumpyArray, rhs: element.NumpyArray, propagate_nan: bool = False, flush_to_zero: bool = False
) -> element.NumpyArray:
    """Return the lesser element, -0 below +0. If one element is a NaN, the result is NaN with
    ``propagate_nan``, else the other element. `flush_to_zero`, for f32 only, replaces subnormal inputs by
    zero; it raises `ValueError` for other formats.
    """
    return _extremum(lhs, rhs, -1.0, propagate_nan, flush_to_zero)


@np.errstate(all="ignore")
def _extremum(
    lhs: element.NumpyArray,
    rhs: element.NumpyArray,
    direction: float,
    propagate_nan: bool,
    flush_to_zero: bool,
) -> element.NumpyArray:
    format = element.base_float_format(lhs)
    left, right = (flush(lhs), flush(rhs)) if flush_to_zero else (lhs, rhs)
    host = format.array_dtype.kind == "f"
    a, b = (left, right) if host else (element.decode(left, format), element.decode(right, format))
    a, b = (a, b) if direction > 0 else (-a, -b)
    take_left = (a > b) | ((a == b) & np.signbit(b))
    nan_a, nan_b = np.isnan(a), np.isnan(b)
    nan_pick_left = nan_a if propagate_nan else nan_b
    chosen = np.where(np.where(nan_a | nan_b, nan_pick_left, take_left), left, right)
    return element.canonical_nan(chosen, format)


_ORDERED_COMPARISONS: dict[str, Callable[[element.FloatArray, element.FloatArray], element.BoolArray]] = {
    "equal": lambda a, b: a == b,
    "not_equal": lambda a, b: (a < b) | (a > b),
    "less_than": lambda a, b: a < b,
    "less_than_or_equal": lambda a, b: a <= b,
    "greater_than": lambda a, b: a > b,
    "greater_than_or_equal": lambda a, b: a >= b,
}


@np.errstate(all="ignore")
def cmpf(
    lhs: element.NumpyArray, rhs: element.NumpyArray, predicate: str, ordering: str = "ordered"
) -> element.BoolArray:
    """Return the i1 tile of a comparison; `predicate` is a name such as ``less_than``. If an operand is NaN,
    the result is ``ordering == "unordered"``, also for ``not_equal``.

    Raises `ValueError` for an unknown predicate or ordering.
    """
    if predicate not in _ORDERED_COMPARISONS or ordering not in ("ordered", "unordered"):
        raise ValueError(f"unknown comparison '{predicate}' '{ordering}'")
    format = element.base_float_format(lhs)
    a, b = element.decode(lhs, format), element.decode(rhs, format)
    holds = _ORDERED_COMPARISONS[predicate](a, b)
    unordered = np.isnan(a) | np.isnan(b)
    return np.asarray(holds | unordered if ordering == "unordered" else holds)


_MANY = 2048
"""The number of elements from which results of 16-bit formats are read from a table of all of them."""


@np.errstate(all="ignore")
def elementary(
    function: Callable[..., element.FloatArray], *operands: element.NumpyArray, flush_to_zero: bool = False
) -> element.NumpyArray:
    """Return ``function`` of the operands as float64, rounded once to their format, to nearest even. With
    `flush_to_zero`, subnormal inputs and results become zero; this raises `ValueError` for formats other than
    f32.
    """
    format = element.base_float_format(operands[0])
    inputs = tuple(flush(operand) for operand in operands) if flush_to_zero else operands
    if len(inputs) == 1 and format.bits == 16 and inputs[0].size >= _MANY:
        return _all_results(function, format)[element.to_bits(inputs[0], format)]
    result = round_to_format(function(*(element.decode(value, format) for value in inputs)), format)
    return flush(result) if flush_to_zero else result


@lru_cache(maxsize=32)
def _all_results(
    function: Callable[..., element.FloatArray], format: element.ElementFormat
) -> element.NumpyArray:
    """Return the rounded results of ``function`` for all codes of a format of 16 bits."""
    codes = np.arange(1 << format.bits, dtype=np.uint16)
    return round_to_format(function(element.decode(element.from_bits(codes, format), format)), format)


def _reciprocal_root(values: element.FloatArray) -> element.FloatArray:
    return 1.0 / np.sqrt(values)


def rsqrt(source: element.NumpyArray, flush_to_zero: bool = False) -> element.NumpyArray:
    """Return the reciprocal square root; infinity of the same sign for zeros, NaN below zero. `flush_to_zero`
    replaces subnormal inputs and results by zero; it raises `ValueError` for formats other than f32.
    """
    return elementary(_reciprocal_root, source, flush_to_zero=flush_to_zero)


def exp(source: element.NumpyArray, rounding: str = "full") -> element.NumpyArray:
    """Return e to the power of each element. ``approx`` is computed as ``full``; another `rounding` raises
    `ValueError`.
    """
    _check_accuracy(rounding)
    return elementary(exponentials.exp, source)


def exp2(source: element.NumpyArray, flush_to_zero: bool = False) -> element.NumpyArray:
    """Return 2 to the power of each element. `flush_to_zero` replaces subnormal inputs and results by zero;
    it raises `ValueError` for formats other than f32.
    """
    return elementary(exponentials.exp2, source, flush_to_zero=flush_to_zero)


def log(source: element.NumpyArray) -> element.NumpyArray:
    """Return the natural logarithm; minus infinity for zeros, NaN below zero."""
    return elementary(logarithms.log, source)


def log2(source: element.NumpyArray) -> element.NumpyArray:
    """Return the logarithm to base 2; minus infinity for zeros, NaN below zero."""
    return elementary(logarithms.log2, source)


def sin(source: element.NumpyArray) -> element.NumpyArray:
    """Return the sine of an angle in radians."""
    return elementary(angles.sin, source)


def cos(source: element.NumpyArray) -> element.NumpyArray:
    """Return the cosine of an angle in radians."""
    return elementary(angles.cos, source)


def tan(source: element.NumpyArray) -> element.NumpyArray:
    """Return the tangent of an angle in radians."""
    return elementary(angles.tan, source)


def sinh(source: element.NumpyArray) -> element.NumpyArray:
    """Return the hyperbolic sine."""
    return elementary(exponentials.sinh, source)


def cosh(source: element.NumpyArray) -> element.NumpyArray:
    """Return the hyperbolic cosine."""
    return elementary(exponentials.cosh, source)


def tanh(source: element.NumpyArray, rounding: str = "full") -> element.NumpyArray:
    """Return the hyperbolic tangent. ``approx`` is computed as ``full``; another `rounding` raises
    `ValueError`.
    """
    _check_accuracy(rounding)
    return elementary(exponentials.tanh, source)


def atan2(first: element.NumpyArray, second: element.NumpyArray) -> element.NumpyArray:
    """Return the angle of the point with ordinate ``first`` and abscissa ``second``, in [-pi, pi]."""
    return elementary(angles.atan2, first, second)


def pow(source: element.NumpyArray, exponent: element.NumpyArray) -> element.NumpyArray:
    """Return ``source ** exponent`` with C's special cases (``pow(1, NaN) == pow(NaN, 0) == 1``)."""
    return elementary(power, source, exponent)


def fpowi(source: element.NumpyArray, exponent: element.NumpyArray) -> element.NumpyArray:
    """Return ``source`` to integer powers, with the special cases of `pow`.

    The exponent tile (i1 to i64, converted to float64) is read as signed, so an i1 ``true`` is -1.
    """
    format = element.base_float_format(source)
    return round_to_format(
        power(element.decode(source, format), numerics_integers.signed_view(exponent).astype(np.float64)),
        format,
    )


def _check_accuracy(rounding: str) -> None:
    if rounding not in ("full", "approx"):
        raise ValueError(f"unknown rounding mode '{rounding}', expect one of ['approx', 'full']")
