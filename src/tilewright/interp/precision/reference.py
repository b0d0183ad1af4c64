"""Reference values of float tiles, and bounds of the error that rounding may have made so far.

A reference is carried beside each float tile of an interpreted launch. Its ``exact`` elements are computed by the same
operations without their rounding, in `EXACT`, the widest float format of the host. The bounds are running error bounds:
each operation passes on the errors of its operands, and adds what its own rounding may change.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import numpy as np

from tilewright.interp.numerics.element import FORMATS, ElementFormat, NumpyArray, decode

EXACT = np.longdouble
"""The element type of references: 64 bits of significand on x86, 113 or 53 on other processors."""
HALF_UNIT = 0.5
"""The error of a correctly rounded operation, in units in the last place of its result."""


class Reference(NamedTuple):
    """The exact elements of a tile, and two bounds of the distance of its elements from them.

    ``promised`` is the bound that the operations promise in the formats in which the program computes. ``wide`` is
    the bound of the same operations in f32 or wider, without conversions to narrower formats: the error that the
    formula itself cannot avoid. All three have the shape of the tile.
    """

    exact: NumpyArray
    promised: NumpyArray
    wide: NumpyArray


def of_value(value: Any, format: ElementFormat) -> Reference:
    """Return the reference of a tile that is exact: its own elements, and bounds of zero."""
    exact = decode(value, format) if format.name != "f64" else np.asarray(value)
    return of_numbers(exact)


def of_numbers(numbers: Any) -> Reference:
    """Return a reference with these numbers and bounds of zero."""
    exact = np.asarray(numbers, EXACT)
    return Reference(exact, np.zeros(exact.shape), np.zeros(exact.shape))


def wide_format(format: ElementFormat) -> ElementFormat:
    """Return the format in which accumulators of `format` belong: f64 for f64, else f32."""
    return FORMATS["f64" if format.name == "f64" else "f32"]


@np.errstate(all="ignore")
def unit(values: Any, format: ElementFormat) -> Any:
    """Return the unit in the last place of `format` at each number; infinity at numbers that are not finite."""
    sizes = np.abs(np.asarray(values, np.float64))
    _, exponent = np.frexp(sizes)
    lowest = np.maximum(exponent - 1, format.emin) - (format.precision - 1)
    return np.where(np.isfinite(sizes), np.ldexp(1.0, lowest), np.inf)


@np.errstate(all="ignore")
def rounded(
    exact: Any, promised: Any, wide: Any, format: ElementFormat, units: float = HALF_UNIT, flush: bool = False
) -> Reference:
    """Return the reference of a result that an operation rounds to `format`, from the exact result and the
    bounds of the unrounded result. ``units`` is the maximum error of the rounding in units in the last place;
    with ``flush``, subnormal results become zero. Where the result may exceed the range of `format`, the
    promised bound is infinite.
    """
    exact = np.asarray(exact, EXACT)
    size = np.abs(exact).astype(np.float64)
    finite = FORMATS["f64"].max_finite
    largest = np.minimum(size + promised, finite)
    own = promised + units * unit(largest, format) + (2.0**format.emin if flush else 0.0)
    own = np.where(size + promised > format.max_finite, np.inf, own)
    wider = wide_format(format)
    spread = wide + units * unit(np.minimum(size + wide, finite), wider)
    return Reference(exact, np.asarray(own), np.asarray(spread))


@np.errstate(all="ignore")
def at_corners(function: Callable[..., Any], operands: Sequence[Reference]) -> Reference:
    """Return the reference of the elementwise `function` of `operands`, without the rounding of its result.
    Each bound is the largest distance of the function from the exact value at the corners of the intervals
    that the bounds of the operands form, so `function` has to be monotonic in each operand there.
    """
    exact = np.asarray(function(*(one.exact for one in operands)), EXACT)
    bounds = [_at_corners(function, exact, operands, part) for part in (1, 2)]
    return Reference(exact, *bounds)


def _at_corners(
    function: Callable[..., Any], exact: NumpyArray, operands: Sequence[Reference], part: int
) -> NumpyArray:
    if not any(one[part].any() for one in operands):
        return np.zeros(exact.shape)
    widest = np.zeros(exact.shape)
    for signs in itertools.product((-1, 1), repeat=len(operands)):
        corner = function(*(one.exact + sign * one[part] for one, sign in zip(operands, signs, strict=True)))
        distance = np.abs(np.asarray(corner, EXACT) - exact).astype(np.float64)
        widest = np.fmax(widest, np.where(np.isnan(distance) & np.isfinite(exact), np.inf, distance))
    return widest


@np.errstate(all="ignore")
def error(value: Any, format: ElementFormat, exact: NumpyArray) -> NumpyArray:
    """Return the distance of the elements of a tile of `format` from their exact values: infinity if only the
    element is not finite, and zero wherever the exact value is not finite.
    """
    number = decode(value, format) if format.name != "f64" else np.asarray(value)
    distance = np.abs(number.astype(EXACT) - exact).astype(np.float64)
    distance = np.where(np.isfinite(number), distance, np.inf)
    return np.asarray(np.where(np.isfinite(exact), distance, 0.0))


@np.errstate(all="ignore")
def scale(exact: NumpyArray) -> NumpyArray:
    """Return for each element the size to which its error is relative: its own absolute value, or the median
    of all absolute values if that is larger, so that elements near zero by chance do not count as errors.
    """
    size = np.abs(exact).astype(np.float64)
    finite = size[np.isfinite(size)]
    return np.asarray(np.fmax(size, np.median(finite) if finite.size else 0.0))
