"""Elementary functions of doubles against mpmath, which computes in integers of Python and shares no code with them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import mpmath
import numpy as np
import pytest

from tilewright.doubles import angles, exponentials, logarithms
from tilewright.interp.numerics.element import FORMATS, FloatArray, decode, from_bits

COUNT = 60
QUARTER_TURN_OF = 6381956970095103.0 * 2.0**797
"""The double that is nearer to a multiple of a quarter turn than any other."""


@dataclass(frozen=True)
class Function:
    """A function, its exact meaning, its samples, and the bounds of the documentation: in units in the last place, and where
    the result is subnormal.
    """

    ours: Callable[..., FloatArray]
    exact: Callable[..., Any]
    samples: Callable[[np.random.Generator], tuple[FloatArray, ...]]
    bound: float
    subnormal: float = 1.0


def ordinary(random: np.random.Generator) -> tuple[FloatArray]:
    rows = [random.uniform(-limit, limit, COUNT) for limit in (1.0, 20.0, 700.0)]
    return (np.concatenate([*rows, random.uniform(-1, 1, COUNT) * 10.0 ** random.integers(-18, 0, COUNT)]),)


def exponents(random: np.random.Generator) -> tuple[FloatArray]:
    return (np.concatenate([ordinary(random)[0], random.uniform(-1074, 1023, COUNT), np.arange(-9.0, 10.0)]),)


def positive(random: np.random.Generator) -> tuple[FloatArray]:
    near = 1 + random.uniform(-1, 1, COUNT) * 10.0 ** random.integers(-12, -1, COUNT)
    wide = random.integers(1, 0x7FF0 << 48, COUNT).view(np.float64)
    return (np.concatenate([near, wide, [2.0**-1074, 2.0**-1022, 0.5, 2.0, 1.7e308]]),)


def turns(random: np.random.Generator) -> tuple[FloatArray]:
    quarters = random.integers(-(2**20), 2**20, COUNT) * (np.pi / 2)
    far = random.integers(0x4130 << 48, 0x7FF0 << 48, COUNT).view(np.float64)
    few = np.arange(1, 20) * (np.pi / 2)
    return (np.concatenate([*ordinary(random), quarters, far, few, [QUARTER_TURN_OF, 2.0**1023, 1e22]]),)


def points(random: np.random.Generator) -> tuple[FloatArray, ...]:
    rows = [random.uniform(-1, 1, 4 * COUNT) * 10.0 ** random.integers(-9, 9, 4 * COUNT) for _ in range(2)]
    return rows[0], rows[1]


def powers(random: np.random.Generator) -> tuple[FloatArray, ...]:
    (base,) = positive(random)
    with np.errstate(all="ignore"):
        far = random.uniform(-740, 709, base.size) / np.where(base == 1, 1, np.log(base))
    whole = random.integers(-5, 6, base.size).astype(np.float64)
    return np.concatenate([base, base]), np.concatenate([np.clip(far, -1e15, 1e15), whole])


FUNCTIONS = {
    "exp": Function(exponentials.exp, mpmath.exp, ordinary, 0.52, 0.77),
    "exp2": Function(exponentials.exp2, lambda x: mpmath.power(2, x), exponents, 0.52, 0.77),
    "sinh": Function(exponentials.sinh, mpmath.sinh, ordinary, 0.56),
    "cosh": Function(exponentials.cosh, mpmath.cosh, ordinary, 0.53),
    "tanh": Function(exponentials.tanh, mpmath.tanh, ordinary, 0.56),
    "log": Function(logarithms.log, mpmath.log, positive, 0.52),
    "log2": Function(logarithms.log2, lambda x: mpmath.log(x) / mpmath.log(2), positive, 0.52),
    "pow": Function(logarithms.positive_power, mpmath.power, powers, 0.52, 0.77),
    "sin": Function(angles.sin, mpmath.sin, turns, 0.8),
    "cos": Function(angles.cos, mpmath.cos, turns, 0.8),
    "tan": Function(angles.tan, mpmath.tan, turns, 0.95),
    "atan2": Function(angles.atan2, mpmath.atan2, points, 0.8),
}


def error(got: float, exact: Any) -> tuple[float, bool]:
    """Return the distance in units in the last place of the exact result, and whether it is subnormal."""
    if not np.isfinite(got):
        return (0.0 if abs(exact) >= mpmath.mpf(2) ** 1024 * (1 - mpmath.mpf(2) ** -54) else np.inf), False
    if exact == 0:
        return (0.0 if got == 0 else np.inf), False
    exponent = mpmath.frexp(exact)[1] - 1
    unit = mpmath.mpf(2) ** (max(exponent, -1022) - 52)
    return float(abs(mpmath.mpf(got) - exact) / unit), exponent < -1022


@pytest.mark.parametrize("name", FUNCTIONS)
def test_error_is_bounded(name: str) -> None:
    function = FUNCTIONS[name]
    samples = function.samples(np.random.default_rng(len(name)))
    got = function.ours(*samples)
    with mpmath.workprec(240):
        for place, numbers in enumerate(zip(*(sample.tolist() for sample in samples), strict=True)):
            found, subnormal = error(float(got[place]), function.exact(*map(mpmath.mpf, numbers)))
            assert found <= (function.subnormal if subnormal else function.bound), numbers


@pytest.mark.parametrize("format_name", ["f16", "bf16"])
@pytest.mark.parametrize("name", [name for name in FUNCTIONS if name not in ("pow", "atan2")])
def test_results_of_sixteen_bits_are_correctly_rounded(name: str, format_name: str) -> None:
    """No double is within two units of a middle between neighbours, but for middles that are exact results."""
    format = FORMATS[format_name]
    x = decode(from_bits(np.arange(1 << 16, dtype=np.uint16), format), format)
    with np.errstate(all="ignore"):
        results = FUNCTIONS[name].ours(x)
        finite = np.isfinite(results) & (results != 0) & np.isfinite(x)
        x, results = x[finite], results[finite]
        unit = np.ldexp(1.0, np.maximum(np.frexp(results)[1] - 1, format.emin) - (format.precision - 1))
        from_middle = np.abs(np.abs(results) / unit % 1 - 0.5) * unit
        close = from_middle <= 2 * np.spacing(np.abs(results))
    # Below the smallest number nothing rounds to another but zero.
    close &= np.abs(results) > 2.0 ** (format.emin - format.precision - 1)
    with mpmath.workprec(240):
        for number, result in zip(x[close].tolist(), results[close].tolist(), strict=True):
            exact = FUNCTIONS[name].exact(mpmath.mpf(number))
            assert exact == mpmath.mpf(result), (number, result)


def test_large_arrays_are_computed_in_pieces() -> None:
    x = np.linspace(-3, 3, 20_001).reshape(3, -1)
    whole = exponentials.exp(x)
    assert whole.shape == x.shape
    assert whole[2, -5:].tolist() == exponentials.exp(x[2, -5:]).tolist()
    assert exponentials.exp(np.zeros((0, 4))).shape == (0, 4)
    assert exponentials.exp(np.float64(0.0)).shape == ()
