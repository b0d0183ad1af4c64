"""Powers of arrays: the host's function where a power has to be computed, our own table where it is special."""

from __future__ import annotations

from typing import Any

import numpy as np

from tilewright.interp.numerics.element import FloatArray, NumpyArray
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
