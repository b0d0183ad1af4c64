"""Every function of floats in NVIDIA's library that Python or NumPy has, too, is near to it, by name and type."""

from __future__ import annotations

import math
from collections.abc import Callable
from itertools import product
from typing import Any

import numpy as np
import pytest

from tests.lowering.triton_to_cuda_tile.library_calls import ARRAYS, SUFFIX, applied
from tilewright.lowering.triton_to_cuda_tile.elementwise import libdevice

pytest.importorskip("llvmlite")

ANY = (-3.5, -2.5, -1.0, -0.5, -0.3, 0.0, 0.3, 0.5, 1.0, 1.5, 2.5, 3.7)
UNIT = (-0.9, -0.5, -0.1, 0.0, 0.1, 0.5, 0.9)
POSITIVE = (0.1, 0.5, 1.0, 1.5, 2.0, 7.3)
LARGE = (1.0, 1.5, 2.0, 7.3)


def away(x: float) -> float:
    """Return the nearest integer, of two the one farther from zero."""
    return math.copysign(math.floor(abs(x) + 0.5), x)


ONE: dict[str, tuple[Callable[[float], float], tuple[float, ...]]] = {
    "fabs": (abs, ANY),
    "acos": (math.acos, UNIT),
    "acosh": (math.acosh, LARGE),
    "asin": (math.asin, UNIT),
    "asinh": (math.asinh, ANY),
    "atan": (math.atan, ANY),
    "atanh": (math.atanh, UNIT),
    "cbrt": (math.cbrt, ANY),
    "ceil": (math.ceil, ANY),
    "cos": (math.cos, ANY),
    "cosh": (math.cosh, ANY),
    "erf": (math.erf, ANY),
    "erfc": (math.erfc, ANY),
    "exp": (math.exp, ANY),
    "exp10": (lambda x: 10.0**x, ANY),
    "exp2": (math.exp2, ANY),
    "expm1": (math.expm1, ANY),
    "floor": (math.floor, ANY),
    "lgamma": (math.lgamma, POSITIVE),
    "log": (math.log, POSITIVE),
    "log10": (math.log10, POSITIVE),
    "log1p": (math.log1p, UNIT),
    "log2": (math.log2, POSITIVE),
    "logb": (lambda x: math.frexp(x)[1] - 1, POSITIVE),
    "nearbyint": (round, ANY),
    "rcbrt": (lambda x: 1 / math.cbrt(x), POSITIVE),
    "rint": (round, ANY),
    "round": (away, ANY),
    "rsqrt": (lambda x: 1 / math.sqrt(x), POSITIVE),
    "saturate": (lambda x: min(max(x, 0.0), 1.0), ANY),
    "sin": (math.sin, ANY),
    "sinh": (math.sinh, ANY),
    "sqrt": (math.sqrt, POSITIVE),
    "tan": (math.tan, UNIT),
    "tanh": (math.tanh, ANY),
    "tgamma": (math.gamma, POSITIVE),
    "trunc": (math.trunc, ANY),
    "normcdf": (lambda x: 0.5 * math.erfc(-x / math.sqrt(2)), ANY),
}
TWO: dict[str, Callable[[float, float], float]] = {
    "atan2": math.atan2,
    "copysign": math.copysign,
    "fdim": lambda x, y: max(x - y, 0.0),
    "fmod": math.fmod,
    "hypot": math.hypot,
    "remainder": math.remainder,
    "rhypot": lambda x, y: 1 / math.hypot(x, y),
}
OTHERS = {
    *("cospi", "erfcinv", "erfcx", "erfinv", "normcdfinv", "sinpi"),
    *("j0", "j1", "y0", "y1", "cyl_bessel_i0", "cyl_bessel_i1", "jn", "yn"),
    *("fma", "ilogb", "ldexp", "scalbn", "nextafter", "pow", "powi"),
    *("norm3d", "norm4d", "rnorm3d", "rnorm4d"),
}
"""Functions whose twins stand in the other files of this folder, or whose operands are of several types."""
PAIRS = ((3.5, 2.0), (-3.5, 2.0), (3.5, -2.0), (-0.3, -0.7), (0.25, 4.0), (5.0, 3.0))


def check(name: str, kind: str, found: Any, exact: Any) -> None:
    expected = np.array(exact, ARRAYS[kind])
    assert np.allclose(found, expected, rtol=4e-6 if kind == "f32" else 1e-12, atol=1e-7), (name, found)
    assert (np.signbit(found) == np.signbit(expected))[expected != 0].all()


@pytest.mark.parametrize("kind", SUFFIX)
def test_functions_of_a_number(kind: str) -> None:
    for name, (twin, numbers) in ONE.items():
        rounded = np.array(numbers, ARRAYS[kind])
        found = applied(name + SUFFIX[kind], kind, [kind], rounded)
        check(name, kind, found, [twin(float(x)) for x in rounded])


@pytest.mark.parametrize("kind", SUFFIX)
def test_functions_of_two_numbers(kind: str) -> None:
    left, right = np.array(PAIRS, ARRAYS[kind]).T
    for name, twin in TWO.items():
        found = applied(name + SUFFIX[kind], kind, [kind, kind], left, right)
        check(name, kind, found, [twin(float(x), float(y)) for x, y in zip(left, right, strict=True)])


@pytest.mark.parametrize("target", ["cpu", "interp", "sim:sm_90"])
@pytest.mark.parametrize("kind", SUFFIX)
def test_lengths_of_infinities_zeros_and_nan(kind: str, target: str) -> None:
    ends = (math.inf, -math.inf, math.nan, 0.0, -0.0, 1.5, 1e-38, 3e38)
    pairs = list(product(ends, ends))
    left, right = np.array(pairs, ARRAYS[kind]).T
    found = applied(f"hypot{SUFFIX[kind]}", kind, [kind, kind], left, right, target=target)
    with np.errstate(over="ignore"):
        exact = np.array([math.hypot(x, y) for x, y in zip(left.tolist(), right.tolist(), strict=True)])
        assert np.allclose(found, exact.astype(ARRAYS[kind]), rtol=4e-6, atol=0.0, equal_nan=True)
    assert not np.signbit(found[~np.isnan(found)]).any()


def test_every_function_has_a_twin_or_a_test_of_its_own() -> None:
    assert set(libdevice.FLOATS) == ONE.keys() | TWO.keys() | OTHERS
