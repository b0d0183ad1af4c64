"""Products of matrices of doubles with the same bits on every host.

A library for linear algebra sums in an order that depends on the processor. So the matrices are split into
slices of few bits (Ozaki, Ogita, Oishi and Rump, "Error-free transformations of matrix multiplication"): the
library's products of slices are exact in every order, and they are added in a fixed one.
"""

from __future__ import annotations

from functools import lru_cache
from itertools import product
from math import frexp
from typing import TypeAlias

import numpy as np

from tilewright.doubles.expansions import Doubles

Span: TypeAlias = tuple[int, int]
"""Exponents for a matrix: all elements are below 2 to the power of the first, and multiples of 2 to the power
of the second.
"""
_PRECISION = 53
_LARGEST, _SMALLEST = 960, -1020
"""Exponents within which slices and their products neither overflow nor underflow."""


@np.errstate(all="ignore")
def matrix_product(a: Doubles, b: Doubles) -> Doubles:
    """Return ``a @ b`` for stacks of matrices. The result is rounded once if each matrix is a single slice,
    and else has an error of at most 2**-50 of the sum of magnitudes. Infinities and NaN are as IEEE 754 says.
    """
    if np.isfinite(a).all() and np.isfinite(b).all():
        return _of_finite(a, b)
    # Infinities and NaN have one sum in every order.
    signs = [np.where(np.isfinite(m), np.sign(m), m) for m in (a, b)]
    special = np.matmul(signs[0], signs[1])
    finite = [np.where(np.isfinite(m), m, 0.0) for m in (a, b)]
    return np.where(np.isfinite(special), _of_finite(finite[0], finite[1]), special)


def _of_finite(a: Doubles, b: Doubles) -> Doubles:
    precision = _PRECISION - max(a.shape[-1] - 1, 0).bit_length()
    first, second = _span(a), _span(b)
    is_usual = max(first[0], second[0], first[0] + second[0]) <= _LARGEST
    if is_usual and first[1] + second[1] >= _SMALLEST:
        return _sum_of_slices(a, b, (first, second), precision)
    width = precision // 2
    return _sum_of_far_slices(_far_slices(a, first, width), _far_slices(b, second, width))


def _sum_of_slices(a: Doubles, b: Doubles, spans: tuple[Span, Span], precision: int) -> Doubles:
    """Return ``a @ b``: the sum of the products of slices, from the smallest to the largest. `spans` has the
    `Span` of each matrix; two slices together have at most `precision` bits, so that their product is exact.
    """
    widths = [max(high - low, 1) for high, low in spans]
    counts = _numbers_of_slices(widths[0], widths[1], precision)
    left, right = (_slices(m, span, count) for m, span, count in zip((a, b), spans, counts, strict=True))
    pairs = sorted(product(left, right), key=lambda pair: pair[0][0] + pair[1][0])
    total = np.matmul(pairs[0][0][1], pairs[0][1][1])
    for (_, one), (_, other) in pairs[1:]:
        total += np.matmul(one, other)
    return total


def _span(matrix: Doubles) -> Span:
    """Return the span of a finite matrix, from its largest and smallest nonzero elements and the zero bits at
    the end of all significands. A matrix of zeros has the span (0, 0).
    """
    size = np.abs(matrix)
    largest = float(size.max(initial=0.0))
    if largest == 0.0:
        return 0, 0
    bits = int(np.bitwise_or.reduce(np.ascontiguousarray(size).view(np.int64), axis=None))
    significand = bits & ((1 << _PRECISION - 1) - 1) | 1 << _PRECISION - 1
    zeros = (significand & -significand).bit_length() - 1
    least = float(np.where(size == 0.0, largest, size).min())
    return frexp(largest)[1], max(frexp(least)[1] - _PRECISION, -1074) + zeros


@lru_cache(maxsize=256)
def _numbers_of_slices(first: int, second: int, precision: int) -> tuple[int, int]:
    """Return the numbers of slices of two matrices whose elements have `first` and `second` bits, so that
    products of slices are exact and as few as can be: two slices together have at most `precision` bits.
    """
    choices = [(-(-first // width), -(-second // (precision - width))) for width in range(1, precision)]
    return min(choices, key=lambda choice: (choice[0] * choice[1], choice))


def _slices(matrix: Doubles, span: Span, count: int) -> list[tuple[int, Doubles]]:
    """Return `matrix`, whose span is `span`, as a sum of `count` slices, from the largest unit to the
    smallest: pairs of the exponent of a unit and a matrix of multiples of this unit.
    """
    high, low = span
    width = -(-max(high - low, 1) // count)
    found: list[tuple[int, Doubles]] = []
    for index in range(1, count):
        # Adding and subtracting rounds to a multiple of the unit.
        shift = float(np.ldexp(1.5, high - width * index + _PRECISION - 1))
        part = (matrix + shift) - shift
        found.append((high - width * index, part))
        matrix = matrix - part
    return [*found, (low, matrix)]


def _far_slices(matrix: Doubles, span: Span, width: int) -> list[tuple[int, Doubles]]:
    """Return `matrix`, whose span is `span`, as slices of `width` bits that are not zero: pairs of the
    exponent of a unit and a matrix of integers that count it. A matrix of zeros is one slice with the
    exponent 0.
    """
    unit, low = span
    found: list[tuple[int, Doubles]] = []
    while unit > low:
        unit -= width
        part = np.trunc(np.ldexp(matrix, -unit))
        if part.any():
            found.append((unit, part))
            matrix = matrix - np.ldexp(part, unit)
    return found or [(0, matrix)]


def _sum_of_far_slices(left: list[tuple[int, Doubles]], right: list[tuple[int, Doubles]]) -> Doubles:
    pairs = sorted(product(left, right), key=lambda pair: pair[0][0] + pair[1][0])
    top = pairs[-1][0][0] + pairs[-1][1][0]
    shape = np.matmul(left[0][1], right[0][1]).shape
    total, reduced = np.zeros(shape), np.zeros(shape)
    for (unit, one), (more, other) in pairs:
        part = np.matmul(one, other)
        total += np.ldexp(part, unit + more)
        reduced += np.ldexp(part, unit + more - top)
    # Where terms of both signs overflowed, numbers that are scaled down are summed.
    return np.where(np.isnan(total), np.ldexp(reduced, top), total)
