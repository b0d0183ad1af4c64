"""Exact results of float64 operations as (nearest value, sign of the rest, power of two).

Each operation works on significands in [1/2, 1) and carries the exponent apart, so no step can overflow or
underflow; ``round_exact`` then rounds once to any format. The fused multiply-add is Boldo and Melquiond's,
through rounding to odd; `tilewright.doubles.expansions` has sums and products of two numbers.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from tilewright.doubles import expansions
from tilewright.interp.numerics.element import ElementFormat, FloatArray, NumpyArray
from tilewright.interp.numerics.rounding import IntArray, round_to_format, round_to_odd

_FAR = 200
"""Terms this many binades apart: the smaller counts by its sign alone (a product has at most 106 bits)."""


@dataclass(frozen=True)
class ExactValue:
    """The number ``(value + residual * tiny) * 2**scale``, which `round_exact` rounds. ``value`` is the
    nearest float64 of the unscaled number, ``residual`` the sign (-1, 0, 1) of the rest, and ``scale`` None
    for 0.
    """

    value: FloatArray
    residual: FloatArray
    scale: IntArray | None = None


def _significand(a: FloatArray) -> tuple[FloatArray, IntArray]:
    significand, exponent = np.frexp(a)
    return np.asarray(significand), np.asarray(exponent).astype(np.int64)


def _sign_or_zero(rest: FloatArray) -> FloatArray:
    """Return the sign of the rest; zero where special operands made it NaN or infinite (the value is then
    exact).
    """
    return np.where(np.isfinite(rest), np.sign(rest), 0.0)


def exact_product(a: FloatArray, b: FloatArray) -> ExactValue:
    """Return ``a * b`` for any operands, with the signed zeros, infinities and NaN of IEEE 754."""
    (a_part, a_exponent), (b_part, b_exponent) = _significand(a), _significand(b)
    value, rest = expansions.two_product(a_part, b_part)
    return ExactValue(value, _sign_or_zero(rest), a_exponent + b_exponent)


def exact_quotient(a: FloatArray, b: FloatArray) -> ExactValue:
    """Return ``a / b`` for any operands, with the signed zeros, infinities and NaN of IEEE 754."""
    (a_part, a_exponent), (b_part, b_exponent) = _significand(a), _significand(b)
    value = a_part / b_part
    high, low = expansions.two_product(value, b_part)
    rest = (a_part - high) - low
    return ExactValue(value, _sign_or_zero(rest) * np.sign(b_part), a_exponent - b_exponent)


def exact_square_root(a: FloatArray) -> ExactValue:
    """Return the square root of any operand; -0 gives -0, other negative numbers NaN."""
    part, exponent = _significand(a)
    odd = exponent & 1
    part = np.ldexp(part, odd)
    value = np.sqrt(part)
    high, low = expansions.two_product(value, value)
    rest = (part - high) - low
    return ExactValue(value, _sign_or_zero(rest), (exponent - odd) >> 1)


def exact_multiply_add(a: FloatArray, b: FloatArray, c: FloatArray, mode: str) -> ExactValue:
    """Return ``a * b + c`` for any operands. ``mode``, a rounding mode, only decides the sign of an exact
    zero sum: -0 for "negative_inf" unless both terms are +0, and +0 in other modes unless both are -0.
    """
    (a_part, a_exponent), (b_part, b_exponent) = _significand(a), _significand(b)
    c_part, c_exponent = _significand(c)
    high, low = expansions.two_product(a_part, b_part)
    product_exponent = np.where(high == 0, c_exponent, a_exponent + b_exponent)
    distance = np.clip(c_exponent - product_exponent, -_FAR, _FAR)
    addend = np.ldexp(c_part, distance)
    value, residual = _sum_of_three(high, low, addend)
    native = high + c_part
    value = np.where(value == 0, _zero_sum(high, c_part, mode), value)
    scale = np.where(c_part == 0, product_exponent, np.maximum(product_exponent, c_exponent - _FAR))
    return ExactValue(np.where(np.isfinite(native), value, native), residual, scale)


def exact_narrow_multiply_add(a: FloatArray, b: FloatArray, c: FloatArray, mode: str) -> ExactValue:
    """Return ``a * b + c`` for operands of f32 or narrower formats, whose product is exact in float64.
    ``mode``, a rounding mode, only decides the sign of an exact zero sum: -0 for "negative_inf" unless both
    terms are +0, and +0 in other modes unless both are -0.
    """
    product = a * b
    value, rest = expansions.two_sum(product, c)
    if mode == "negative_inf":
        value = np.where((value == 0) & (rest == 0), _zero_sum(product, c, mode), value)
    return ExactValue(value, _sign_or_zero(rest))


def exact_sum(a: FloatArray, b: FloatArray, mode: str) -> ExactValue:
    """Return ``a + b`` for any operands. ``mode``, a rounding mode, only decides the sign of an exact zero
    sum: -0 for "negative_inf" unless both terms are +0, and +0 in other modes unless both are -0.
    """
    return exact_multiply_add(a, np.ones_like(a), b, mode)


def _sum_of_three(high: FloatArray, low: FloatArray, addend: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Return the nearest float64 of the sum and the sign (-1, 0, 1) of the rest; ``|low|`` is at most half an
    ulp of ``high``.
    """
    upper, upper_rest = expansions.two_sum(addend, low)
    total, total_rest = expansions.two_sum(high, upper)
    tail = round_to_odd(*expansions.two_sum(upper_rest, total_rest))
    value, rest = expansions.two_sum(total, tail)
    return value, _sign_or_zero(rest)


def _zero_sum(product: FloatArray, addend: FloatArray, mode: str) -> FloatArray:
    """Return a zero with the sign that IEEE 754 gives in the rounding mode `mode` to an exact zero sum of
    `product` and `addend`: -0 if both are negative, or, for "negative_inf", one of them is; else +0.
    """
    both = np.signbit(product) & np.signbit(addend)
    either = np.signbit(product) | np.signbit(addend)
    return np.where(either if mode == "negative_inf" else both, -0.0, 0.0)


def round_exact(exact: ExactValue, format: ElementFormat, mode: str) -> NumpyArray:
    """Return an exact value rounded once to ``format`` by rounding mode `mode`. Raises `ValueError` for an
    unknown mode.
    """
    return round_to_format(exact.value, format, mode, residual=exact.residual, scale=exact.scale)
