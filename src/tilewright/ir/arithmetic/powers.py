"""Powers of special numbers, as data: ``pow`` of IEEE 754-2019 (9.2.1) and C23 (F.10.4.4).

Mathematical libraries of hosts differ here (some give NaN for ``pow(1, NaN)``), so none of them is asked.  The table has a
row for each class of bases and a column for each class of exponents; `base_class` and `exponent_class` are the numbers
of these classes, and whoever computes on arrays numbers whole arrays in the same way.
"""

from __future__ import annotations

from math import copysign, fmod, inf, isinf, isnan, nan

_C = None  # a number that has to be computed

SPECIAL_POWERS: tuple[tuple[float | None, ...], ...] = (
    # -inf, -odd, -even, -part, zero, part, even, odd, inf, nan: how exponents are numbered, from 0
    (0.0, -0.0, 0.0, 0.0, 1.0, inf, inf, -inf, inf, nan),  # -inf
    (0.0, _C, _C, nan, 1.0, nan, _C, _C, inf, nan),  # below -1
    (1.0, -1.0, 1.0, nan, 1.0, nan, 1.0, -1.0, 1.0, nan),  # -1
    (inf, _C, _C, nan, 1.0, nan, _C, _C, 0.0, nan),  # from -1 to 0
    (inf, -inf, inf, inf, 1.0, 0.0, 0.0, -0.0, 0.0, nan),  # -0
    (nan, nan, nan, nan, 1.0, nan, nan, nan, nan, nan),  # nan
    (inf, inf, inf, inf, 1.0, 0.0, 0.0, 0.0, 0.0, nan),  # 0
    (inf, _C, _C, _C, 1.0, _C, _C, _C, 0.0, nan),  # from 0 to 1
    (1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0),  # 1
    (0.0, _C, _C, _C, 1.0, _C, _C, _C, inf, nan),  # above 1
    (0.0, 0.0, 0.0, 0.0, 1.0, inf, inf, inf, inf, nan),  # inf
)
"""The power of each class of bases (row) by each class of exponents (column); None if it has to be computed.

In the comments, "part" is a number with a fraction. An exponent of -0 is in the class of zeros.
"""

NAN_BASE, NAN_EXPONENT, MIDDLE_EXPONENT = 5, 9, 4
"""The row of NaN as a base, the column of NaN as an exponent, and the column of zero exponents. The other
classes are ordered by sign and kind.
"""


def base_class(base: float) -> int:
    """Return the row of `SPECIAL_POWERS` for a base, from 0. The row depends on the sign (also of zero) and
    on the magnitude: zero, below 1, 1, above 1, or infinite; NaN has a row of its own.
    """
    if isnan(base):
        return NAN_BASE
    size = abs(base)
    kind = 1 + (size > 0.0) + (size >= 1.0) + (size > 1.0) + (size == inf)
    return NAN_BASE + int(copysign(kind, base))


def exponent_class(exponent: float) -> int:
    """Return the column of `SPECIAL_POWERS` for an exponent, from 0. The column depends on the sign, and on
    whether the exponent is infinite, odd, even or has a fraction; zeros of both signs have one column, and
    NaN has one.
    """
    if isnan(exponent):
        return NAN_EXPONENT
    return MIDDLE_EXPONENT + int(copysign(_exponent_kind(exponent), exponent))


def _exponent_kind(exponent: float) -> int:
    """Return 0 for a zero exponent, 1 for a number with a fraction, 2 for an even integer, 3 for an odd
    integer, 4 for an infinity.
    """
    if exponent == 0.0 or isinf(exponent):
        return 4 if exponent else 0
    return 1 if fmod(exponent, 1.0) else 2 + int(abs(fmod(exponent, 2.0)))


def special_power(base: float, exponent: float) -> float | None:
    """Return the power if the standards define its exact value, which may be NaN; None if it has to be
    computed.
    """
    return SPECIAL_POWERS[base_class(base)][exponent_class(exponent)]
