"""Rounding exact values to an element format, once.

The exact value is given as ``(value + residual * tiny) * 2**scale``: ``value`` is the nearest ``float64`` of
the unscaled number and ``residual`` the sign (-1, 0, 1) of the rest. That is enough to round to any
format of 53 bits or fewer in any mode without rounding twice, including into subnormals. (The one exception:
``nearest_away`` to ``f64`` of an inexact value cannot see a tie; no Tile IR operation needs it.)

Overflow policies:

- ``non_finite``: IEEE, and the specification's rule for itof: infinity, or NaN where the format has no
  infinity, or the largest finite value where it has neither.
- ``saturate``: the largest finite value, also for infinite input.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Literal, TypeAlias

import numpy as np
import numpy.typing as npt

from tilewright.interp.numerics import element

Overflow = Literal["non_finite", "saturate"]
IntArray: TypeAlias = npt.NDArray[Any]

_STICKY_SHIFT = -100
"""The scale, in bits, below which all values round alike; clipping there keeps them from vanishing."""


@dataclass(frozen=True)
class _Position:
    """The position of magnitudes between the integers ``lower`` and ``lower + 1``, in units of the last
    place. ``half`` is -1, 0 or 1 for below, at or above ``lower + 1/2``. ``inexact`` is a mask of the
    magnitudes that are not integers, ``negative`` a mask of the magnitudes of negative numbers.
    """

    lower: element.FloatArray
    half: element.FloatArray  # -1, 0, 1: below, at, above lower + 1/2
    inexact: element.BoolArray
    negative: element.BoolArray


@dataclass(frozen=True)
class _Mode:
    """A rounding mode: ``rounds_up`` returns a mask of the magnitudes that are rounded up.

    ``overflows`` takes a mask of negative values, and returns a mask of the values that become infinite when
    they exceed the finite range.
    """

    rounds_up: Callable[[_Position], element.BoolArray]
    overflows: Callable[[element.BoolArray], element.BoolArray]  # argument: is the value negative


_MODES: Mapping[str, _Mode] = {
    "nearest_even": _Mode(
        lambda at: (at.half > 0) | ((at.half == 0) & (np.fmod(at.lower, 2.0) == 1.0)),
        lambda negative: np.ones_like(negative),
    ),
    "nearest_away": _Mode(lambda at: at.half >= 0, lambda negative: np.ones_like(negative)),
    "zero": _Mode(lambda at: np.zeros_like(at.inexact), lambda negative: np.zeros_like(negative)),
    "negative_inf": _Mode(lambda at: at.inexact & at.negative, lambda negative: negative),
    "positive_inf": _Mode(lambda at: at.inexact & ~at.negative, lambda negative: ~negative),
}

ROUNDING_MODES: tuple[str, ...] = tuple(_MODES)
"""The rounding modes of :func:`round_to_format`."""


@np.errstate(all="ignore")
def round_to_format(
    values: element.NumpyArray,
    format: element.ElementFormat,
    mode: str = "nearest_even",
    *,
    residual: element.NumpyArray | None = None,
    scale: IntArray | None = None,
    overflow: Overflow = "non_finite",
) -> element.NumpyArray:
    """Return exact values, ``(values + residual * tiny) * 2**scale``, rounded to ``format``, in the same
    shape, with the format's array dtype. `residual` is the sign of the rest that `values` lack; None for
    `residual` or `scale` stands for 0.

    Zero keeps its sign; NaN becomes the canonical NaN, or the largest positive value in formats without NaN.
    Formats without zero take their smallest value for zero. Values beyond the range become an infinity (NaN
    in formats without) or the largest finite value, as `mode` requires; with the `overflow` "saturate" always
    the latter. Raises `ValueError` for an unknown mode.
    """
    rule = _mode(mode)
    exact = np.asarray(values, dtype=np.float64)
    if scale is None and overflow == "non_finite" and mode == "nearest_even" and format.name in _HOST_FORMATS:
        return element.canonical_nan(_round_by_host(exact, residual, format), format)
    if format.negative_input == "magnitude":
        residual = None if residual is None else residual * np.where(np.signbit(exact), -1.0, 1.0)
        exact = np.abs(exact)
    negative = np.signbit(exact)
    magnitude = _round_magnitude(exact, format, rule, residual, scale)
    magnitude = _limit(magnitude, np.isinf(exact), negative, format, rule, overflow)
    signed = np.copysign(magnitude, exact) if format.is_signed else _without_sign(magnitude, exact, format)
    nan = np.nan if format.has_nan else format.max_finite
    return element.encode(np.where(np.isnan(exact), nan, signed), format)


_HOST_FORMATS = frozenset({"f16", "f32", "f64"})
"""Formats to which NumPy converts ``float64`` with one rounding to nearest even (f16 not by way of f32)."""


def _round_by_host(
    exact: element.FloatArray, residual: element.NumpyArray | None, format: element.ElementFormat
) -> element.NumpyArray:
    if format.name == "f64":
        return exact
    return round_to_odd(exact, residual).astype(format.array_dtype)


def round_to_odd(values: element.FloatArray, residual: element.NumpyArray | None) -> element.FloatArray:
    """Return ``values`` with the sign of the rest, `residual`, folded into the last bit; unchanged if it is
    None.

    Inexact values become the neighbour with an odd significand; rounding that to a format of at most 51 bits
    gives the same as rounding the exact value (Boldo and Melquiond, "Emulation of a FMA and correctly rounded
    sums").
    """
    if residual is None:
        return values
    even = (np.asarray(values).view(np.int64) & 1) == 0
    neighbour = np.nextafter(values, np.copysign(np.inf, residual))
    return np.where((residual != 0) & even, neighbour, values)


def _mode(name: str) -> _Mode:
    try:
        return _MODES[name]
    except KeyError:
        raise ValueError(f"unknown rounding mode '{name}', expect one of {list(ROUNDING_MODES)}") from None


def _round_magnitude(
    exact: element.FloatArray,
    format: element.ElementFormat,
    rule: _Mode,
    residual: element.NumpyArray | None,
    scale: IntArray | None,
) -> element.FloatArray:
    """Return ``|exact|`` rounded by `rule` to multiples of the unit in the last place of ``format``, without
    an upper limit. `residual` is the sign of the rest that `exact` lacks, `scale` a power of two by which it
    is multiplied; None stands for 0.
    """
    negative = np.signbit(exact)
    outward = np.zeros(exact.shape) if residual is None else np.where(negative, -residual, residual)
    significand, exponent = np.frexp(np.abs(exact))
    exponent = exponent.astype(np.int64) + (0 if scale is None else scale)
    # A power of two that was rounded up belongs to the binade below it.
    leading = exponent - 1 - ((significand == 0.5) & (outward < 0))
    unit = np.maximum(leading, format.emin) - (format.precision - 1)
    scaled = np.ldexp(significand, np.maximum(exponent - unit, _STICKY_SHIFT))
    position = _position(scaled, outward, negative)
    return np.ldexp(position.lower + rule.rounds_up(position), unit)


def _position(
    scaled: element.FloatArray, outward: element.FloatArray, negative: element.BoolArray
) -> _Position:
    """Return the position of ``scaled + outward * tiny`` (a magnitude in units of the last place) between
    integers.
    """
    lower = np.floor(scaled)
    fraction = scaled - lower
    just_below = (fraction == 0) & (outward < 0)
    half = np.sign(fraction - 0.5)
    half = np.where(half == 0, outward, half)
    return _Position(
        lower=lower - just_below,
        half=np.where(just_below, 1.0, half),
        inexact=(fraction != 0) | (outward != 0),
        negative=negative,
    )


def _limit(
    magnitude: element.FloatArray,
    infinite: element.BoolArray,
    negative: element.BoolArray,
    format: element.ElementFormat,
    rule: _Mode,
    overflow: Overflow,
) -> element.FloatArray:
    """Return the magnitudes, those outside the format's range replaced by the limit or infinity, as the
    overflow policy and the rounding direction require. `infinite` is a mask of the values that were infinite
    before.
    """
    beyond = _overflow_value(format, overflow)
    leaves = infinite | rule.overflows(negative)
    limited = np.where(leaves, beyond, format.max_finite)
    magnitude = np.where(infinite | (magnitude > format.max_finite), limited, magnitude)
    return magnitude if format.has_zero else np.maximum(magnitude, format.min_subnormal)


def _overflow_value(format: element.ElementFormat, overflow: Overflow) -> float:
    if overflow == "saturate" or not (format.has_inf or format.has_nan):
        return format.max_finite
    return np.inf if format.has_inf else np.nan


def _without_sign(
    magnitude: element.FloatArray, exact: element.FloatArray, format: element.ElementFormat
) -> element.FloatArray:
    if format.negative_input == "nan":
        return np.where(exact < 0, np.nan, magnitude)
    return magnitude


@np.errstate(all="ignore")
def representable(values: element.NumpyArray, format: element.ElementFormat) -> element.BoolArray:
    """Return a mask of the ``float64`` values that conversion to ``format`` does not change (NaN counts as
    unchanged if the format has it).
    """
    exact = np.asarray(values, dtype=np.float64)
    back = element.decode(round_to_format(exact, format, "zero"), format)
    return np.asarray((back == exact) | (np.isnan(back) & np.isnan(exact)))
