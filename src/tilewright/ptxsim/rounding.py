"""Rounding of exact or nearly exact numbers to narrower formats.

`odd_*` compute in double precision and set the last bit where the result is inexact, so that rounding again
to at most 50 bits is correct in every mode.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np

from tilewright.ptxsim.values import UNSIGNED, Array


@dataclass(frozen=True, slots=True)
class Format:
    """A binary format: the numbers of explicit bits of the significand (`mantissa`) and of bits of the
    exponent, and the range.

    `largest` is the largest finite number. Without `infinity` the code of all ones is the only NaN; without
    `nan` there is no NaN.
    """

    mantissa: int
    exponent: int
    largest: float
    infinity: bool = True
    nan: bool = True

    @property
    def bias(self) -> int:
        """Return the exponent bias."""
        return (1 << (self.exponent - 1)) - 1

    @property
    def bits(self) -> int:
        """Return the width in bits, including the sign."""
        return 1 + self.exponent + self.mantissa


FORMATS = {
    "f16": Format(10, 5, 65504.0),
    "bf16": Format(7, 8, float.fromhex("0x1.fep127")),
    "tf32": Format(10, 8, float.fromhex("0x1.ffcp127")),
    "f32": Format(23, 8, float.fromhex("0x1.fffffep127")),
    "e4m3": Format(3, 4, 448.0, infinity=False),
    "e5m2": Format(2, 5, 57344.0),
    "e2m3": Format(3, 2, 7.5, infinity=False, nan=False),
    "e3m2": Format(2, 3, 28.0, infinity=False, nan=False),
    "e2m1": Format(1, 2, 6.0, infinity=False, nan=False),
}


def odd_sum(a: Array, b: Array) -> Array:
    """Return ``a + b`` of doubles, rounded to odd."""
    total = a + b
    part = total - a
    return _odd(total, (a - (total - part)) + (b - part))


def odd_sum_downwards(a: Array, b: Array) -> Array:
    """Return ``a + b`` of doubles, rounded to odd, for a result that is rounded downwards next: a zero sum of
    numbers of different signs is negative.
    """
    total = odd_sum(a, b)
    return np.where((total == 0) & (np.signbit(a) != np.signbit(b)), -0.0, total)


def odd_fma(a: Array, b: Array, c: Array) -> Array:
    """Return ``a * b + c`` of doubles, rounded to odd; the product must be exact in double precision."""
    return odd_sum(a * b, c)


def exact_fma(a: Array, b: Array, c: Array) -> Array:
    """Return ``a * b + c`` of doubles, rounded once to nearest, by exact fractions. The arrays have one
    dimension.
    """
    factors = np.isfinite(a) & np.isfinite(b)
    plain = np.where(factors & ~np.isfinite(c), c, a * b + c)  # a product that only overflows is a number
    finite = factors & np.isfinite(c)

    def one(x: float, y: float, z: float, other: float) -> float:
        total = Fraction(x) * Fraction(y) + Fraction(z)
        try:
            return float(total) if total else other
        except OverflowError:
            return float("inf") if total > 0 else float("-inf")

    a, b, c, plain = np.broadcast_arrays(a, b, c, plain)
    return np.array(
        [
            one(float(x), float(y), float(z), float(p)) if f else float(p)
            for x, y, z, p, f in zip(a, b, c, plain, finite, strict=True)
        ]
    )


Exact = (
    Callable[[Fraction], Fraction | None]
    | Callable[[Fraction, Fraction], Fraction | None]
    | Callable[[Fraction, Fraction, Fraction], Fraction | None]
)
"""The exact result of operands before rounding; `None` if there is no number."""


def directed(exact: Exact, plain: Array, mode: str, *values: Array) -> Array:
    """Return results of doubles in the rounding mode `mode`, which is not round-to-nearest.

    `exact` returns the exact result of the operands, or `None` to keep `plain`, the result rounded to
    nearest: an infinity or NaN that is not due to overflow.
    """
    whole = np.broadcast_arrays(plain, *values)
    rows = zip(*(one.ravel().tolist() for one in whole), strict=True)
    return np.array([_directed(exact, mode, *row) for row in rows]).reshape(whole[0].shape)


def _directed(exact: Any, mode: str, plain: float, *values: float) -> float:
    finite = all(map(math.isfinite, values))
    value: Fraction | None = exact(*map(Fraction, values)) if finite else None
    if value is None or value == 0:
        return plain
    try:
        nearest = float(value)
    except OverflowError:
        nearest = math.inf if value > 0 else -math.inf
    error = nearest if math.isinf(nearest) else Fraction(nearest) - value
    if error > 0 and (mode == "rm" or (mode == "rz" and value > 0)):
        return math.nextafter(nearest, -math.inf)
    if error < 0 and (mode == "rp" or (mode == "rz" and value < 0)):
        return math.nextafter(nearest, math.inf)
    return nearest


def long_root(value: Fraction) -> Fraction | None:
    """Return a square root with enough bits that rounding it to a double is correct in every mode; `None` for
    a negative number.
    """
    if value < 0:
        return None
    top, bottom = value.as_integer_ratio()
    found = math.isqrt((top * bottom) << 256)
    exact = found * found == (top * bottom) << 256
    return Fraction(2 * found + (not exact), bottom << 129)


def odd_quotient(a: Array, b: Array) -> Array:
    """Return ``a / b`` of numbers of at most 24 bits, rounded to odd."""
    quotient = a / b
    high, low = _halves(quotient)
    return _odd(quotient, ((a - high * b) - low * b) * np.sign(b))


def odd_root(a: Array) -> Array:
    """Return the square root of numbers of at most 24 bits, rounded to odd."""
    root = np.sqrt(a)
    high, low = _halves(root)
    return _odd(root, (a - high * high) - 2 * high * low - low * low)


def odd_integer(a: Array) -> Array:
    """Return integers of 64 bits, signed or unsigned by their element type, as doubles, rounded to odd."""
    low = (a & a.dtype.type(0xFFFFFFFF)).astype(np.float64)
    return odd_sum((a >> a.dtype.type(32)).astype(np.float64) * 4294967296.0, low)


def _halves(a: Array) -> tuple[Array, Array]:
    high = (a.view(np.uint64) & np.uint64(0xFFFFFFFFF8000000)).view(np.float64)
    return high, a - high


def _odd(value: Array, rest: Array) -> Array:
    """Return `value` rounded to odd: if `rest`, the error of `value`, is not 0, a number with an even last
    bit becomes its neighbour in the direction of `rest`. Infinities and NaN stay.
    """
    even = (value.view(np.uint64) & np.uint64(1)) == 0
    inexact = (rest != 0) & np.isfinite(value) & np.isfinite(rest) & even
    return np.where(inexact, np.nextafter(value, np.where(rest > 0, np.inf, -np.inf)), value)


_NEAREST = {"rn": np.rint, "rz": np.trunc, "rm": np.floor, "rp": np.ceil}


def rounded(value: Array, row: Format, mode: str) -> Array:
    """Return doubles rounded to a format in the mode `mode`: ``rn``, ``rz``, ``rm``, ``rp`` or ``rna`` (ties
    away from zero). Values out of range become infinite, also if the format has no infinity, or the largest
    number in modes that round towards it. Infinities and NaN stay.
    """
    _, exponents = np.frexp(value)
    least = 1 - row.bias - row.mantissa
    quantum = np.maximum(exponents - 1 - row.mantissa, least)
    scaled = np.ldexp(value, -quantum)
    whole = np.copysign(np.floor(np.abs(scaled) + 0.5), scaled) if mode == "rna" else _NEAREST[mode](scaled)
    result = np.copysign(np.ldexp(whole, quantum), value)
    over = np.isfinite(value) & (np.abs(result) > row.largest)
    if not over.any():
        return np.where(np.isfinite(value), result, value)
    stays = (mode == "rz") | ((mode == "rm") & (value > 0)) | ((mode == "rp") & (value < 0))
    limit = np.copysign(np.where(stays, row.largest, np.inf), value)
    return np.where(np.isfinite(value), np.where(over, limit, result), value)


def encoded(value: Array, row: Format) -> Array:
    """Return the codes of doubles that are exact in the format, as unsigned integers of 8, 16 or 32 bits. NaN
    becomes the code of all ones without the sign. An infinity must not occur in a format without infinities.
    """
    kind = UNSIGNED[8 if row.bits <= 8 else 16 if row.bits == 16 else 32]
    magnitude = np.abs(np.where(np.isfinite(value), value, 0))
    _, exponents = np.frexp(magnitude)
    field = np.where(magnitude == 0, 0, np.maximum(exponents - 1 + row.bias, 0))
    whole = np.ldexp(magnitude, row.mantissa - (np.maximum(field, 1) - row.bias)).astype(np.int64)
    code = whole + (np.maximum(field - 1, 0) << row.mantissa)
    code = np.where(np.isinf(value), ((1 << row.exponent) - 1) << row.mantissa, code)
    code = code | (np.signbit(value).astype(np.int64) << (row.bits - 1))
    return np.where(np.isnan(value), (1 << (row.bits - 1)) - 1, code).astype(kind)


def decoded(code: Array, row: Format) -> Array:
    """Return codes of the format `row` as doubles."""
    wide = code.astype(np.int64)
    ones = (1 << row.exponent) - 1
    field, fraction = wide >> row.mantissa & ones, wide & ((1 << row.mantissa) - 1)
    whole = np.where(field == 0, fraction, fraction | 1 << row.mantissa).astype(np.float64)
    value = np.ldexp(whole, (np.maximum(field, 1) - row.bias - row.mantissa).astype(np.int32))
    if row.infinity:
        value = np.where(field == ones, np.where(fraction == 0, np.inf, np.nan), value)
    elif row.nan:
        value = np.where(wide & ((1 << (row.bits - 1)) - 1) == (1 << (row.bits - 1)) - 1, np.nan, value)
    return np.where(wide >> (row.bits - 1) & 1 == 1, -value, value)
