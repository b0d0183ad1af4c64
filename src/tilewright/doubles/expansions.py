"""Sums and products of doubles without error, as unevaluated sums of two doubles.

The transformations are Knuth's two-sum and Dekker's product with Veltkamp's splitting. They use additions,
subtractions and multiplications alone, which round in the same way on every host.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import reduce, wraps
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

Doubles: TypeAlias = npt.NDArray[np.float64]
Parts: TypeAlias = tuple[Doubles, Doubles]
"""An unevaluated sum: a number near the sum, and a small rest."""
PIECE = 8192
"""The number of elements that are computed at once: the intermediate results stay in the cache."""
_SPLITTER = 2.0**27 + 1.0
_PLACES = 52
_BIAS = 1023


def two_sum(a: Doubles, b: Doubles) -> Parts:
    """Return ``a + b`` as its nearest float64 and the exact rest."""
    total = a + b
    shadow = total - a
    return total, (a - (total - shadow)) + (b - shadow)


def ordered_sum(larger: Any, smaller: Any) -> Parts:
    """Return ``larger + smaller`` as its nearest float64 and the exact rest. The magnitude of `larger` is at
    least the magnitude of `smaller`, or `larger` is zero.
    """
    total = larger + smaller
    return total, (larger - total) + smaller


def two_product(a: Any, b: Any) -> Parts:
    """Return ``a * b`` as its nearest float64 and the exact rest. The exponents of the operands must be
    moderate: nothing may overflow or underflow.
    """
    product = a * b
    a_high, a_low = halves(a)
    b_high, b_low = halves(b)
    rest = a_low * b_low - (((product - a_high * b_high) - a_low * b_high) - a_high * b_low)
    return product, rest


def halves(a: Any) -> Parts:
    """Return the high and the low half of `a`: two numbers of at most 26 bits whose sum is `a`. The magnitude
    of `a` must be below 2**996.
    """
    scaled = _SPLITTER * a
    high = scaled - (scaled - a)
    return high, a - high


def quotient(numerator: Parts, denominator: Parts) -> Parts:
    """Return the quotient of two unevaluated sums as an unevaluated sum: a number near the quotient, and the
    rest. The second parts of the operands are smaller than the first.
    """
    (a, a_low), (b, b_low) = ordered_sum(*numerator), ordered_sum(*denominator)
    ratio = a / b
    product, rest = two_product(ratio, b)
    return ratio, (((a - product) - rest) + (a_low - ratio * b_low)) / b


def polynomial(x: Doubles, coefficients: Sequence[float]) -> Any:
    """Return the value at `x` of the polynomial with `coefficients`, in ascending order from power 0, by
    Horner's rule. There must be a coefficient.
    """
    return reduce(lambda total, factor: total * x + factor, reversed(coefficients[:-1]), coefficients[-1])


def power_of_two(exponents: npt.NDArray[np.int64]) -> Doubles:
    """Return 2 to the power of each of `exponents`, integers from -1022 to 1023."""
    return ((exponents + _BIAS) << _PLACES).view(np.float64)


def scaled(values: Doubles, exponents: npt.NDArray[np.int64]) -> Doubles:
    """Return ``values * 2**exponents``, with a second rounding where the result is subnormal. Exponents are
    from -2044 to 2046; the arrays must not be empty.
    """
    if exponents.min() > -_BIAS and exponents.max() <= _BIAS:
        return values * power_of_two(exponents)
    half = exponents >> 1
    return values * power_of_two(half) * power_of_two(exponents - half)


def within(x: Doubles, lowest: float, highest: float) -> bool:
    """Return whether all elements of `x` are from `lowest` to `highest`, both included, and none is NaN. The
    array must not be empty.
    """
    return bool(x.min() >= lowest and x.max() <= highest)


def in_pieces(function: Callable[..., Doubles]) -> Callable[..., Doubles]:
    """Return a function on arrays of any shape that computes with `function`, which takes arrays of one
    dimension. The returned function converts its arguments to float64 and broadcasts them, calls `function`
    with at most `PIECE` elements at a time, and returns an array of the broadcast shape. Floating-point
    exceptions are ignored.
    """

    @wraps(function)
    def computed(first: npt.ArrayLike, *others: npt.ArrayLike) -> Doubles:
        arrays = np.broadcast_arrays(first, *others) if others else [np.asarray(first)]
        rows = [np.ascontiguousarray(array, np.float64).reshape(-1) for array in arrays]
        size = rows[0].size
        with np.errstate(all="ignore"):
            if 0 < size <= PIECE:
                return function(*rows).reshape(arrays[0].shape)
            results = np.empty(size)
            for start in range(0, size, PIECE):
                place = slice(start, start + PIECE)
                results[place] = function(*[row[place] for row in rows])
        return results.reshape(arrays[0].shape)

    return computed
