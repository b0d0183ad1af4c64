"""Functions of the library for GPUs that are exact: neighbours, exponents, bytes, roundings of wide integers."""

from __future__ import annotations

import math
import random
from fractions import Fraction

import numpy as np
import pytest

from tests.lowering.triton_to_cuda_tile.library_calls import ARRAYS, SUFFIX, applied

pytest.importorskip("llvmlite")


def numbers(kind: str) -> np.ndarray:
    """Ordinary numbers and all ends of a format, with both signs."""
    info = np.finfo(ARRAYS[kind])
    size = [0, info.smallest_subnormal, 3 * info.smallest_subnormal, info.tiny, np.nextafter(info.tiny, 0)]
    size += [info.max, np.inf, np.nan, 1, 1.5, math.pi, 2, np.nextafter(ARRAYS[kind](2), 0), 1e-30, 1e30]
    return np.array([*size, *(-np.array(size))], ARRAYS[kind])


def same(found: np.ndarray, wanted: np.ndarray) -> bool:
    """Whether bits are the same, but for those of NaN."""
    both = np.isnan(found) & np.isnan(wanted)
    return bool(np.all(both | (found.view(f"u{found.itemsize}") == wanted.view(f"u{found.itemsize}"))))


@pytest.mark.parametrize("kind", SUFFIX)
def test_neighbours(kind: str) -> None:
    x, y = (part.ravel() for part in np.meshgrid(numbers(kind), numbers(kind)))
    with np.errstate(all="ignore"):
        wanted = np.nextafter(x, y)
    assert same(applied(f"nextafter{SUFFIX[kind]}", kind, [kind, kind], x, y), wanted)


@pytest.mark.parametrize("kind", SUFFIX)
def test_exponents(kind: str) -> None:
    x = numbers(kind)
    with np.errstate(all="ignore"):
        exponent = np.frexp(x)[1] - 1
    size = np.abs(x)
    wanted = np.where(size == 0, -np.inf, np.where(np.isfinite(x), exponent, size)).astype(x.dtype)
    assert same(applied(f"logb{SUFFIX[kind]}", kind, [kind], x), wanted)
    integers = np.where(np.isinf(x), (1 << 31) - 1, np.where((size == 0) | np.isnan(x), -(1 << 31), exponent))
    assert (applied(f"ilogb{SUFFIX[kind]}", "i32", [kind], x) == integers).all()


def test_bytes_of_two_words() -> None:
    draw = random.Random(5)
    x, y, selector = ([draw.getrandbits(32) - (1 << 31) for _ in range(64)] for _ in range(3))
    found = applied("byte_perm", "i32", ["i32"] * 3, x, y, selector)
    for a, b, choice, made in zip(x, y, selector, found, strict=True):
        eight = np.array([a, b], np.int32).view(np.uint8)
        assert [*np.array([made], np.int32).view(np.uint8)] == [
            eight[choice >> 4 * at & 7] for at in range(4)
        ]


def rounded(number: int, kind: str, mode: str) -> float:
    """An integer as a float of a format: one of the float next to it in f64 and of its neighbours."""
    type = ARRAYS[kind]
    near = type(float(number))
    around = [near, np.nextafter(near, type(np.inf)), np.nextafter(near, type(-np.inf))]
    apart = {value: Fraction(float(value)) - number for value in around}
    if mode == "rn":
        bits = f"u{type().itemsize}"
        return min(around, key=lambda value: (abs(apart[value]), np.array(value).view(bits) & 1))
    below = mode == "rd" or (mode == "rz" and number > 0)
    allowed = [value for value in around if (apart[value] <= 0 if below else apart[value] >= 0)]
    return max(allowed) if below else min(allowed)


@pytest.mark.parametrize("kind", SUFFIX)
@pytest.mark.parametrize("mode", ["rn", "rz", "rd", "ru"])
@pytest.mark.parametrize(("source", "letters"), [("i64", "ll"), ("u64", "ull")])
def test_wide_integers_are_rounded_once(kind: str, mode: str, source: str, letters: str) -> None:
    draw = random.Random(9)
    given = [1 << 24, (1 << 24) + 1, (1 << 53) + 1, (1 << 62) + 1, (1 << 62) + (1 << 38), (1 << 63) - 1, 0, 3]
    given += [
        (1 << 62) + (1 << 38) + 1,
        (1 << 54) - 1,
        *(draw.getrandbits(draw.randint(1, 63)) for _ in range(86)),
    ]
    given += (
        [-number for number in given] if source == "i64" else [(1 << 64) - 1 - number for number in given]
    )
    name = f"{letters}2{'float' if kind == 'f32' else 'double'}_{mode}"
    found = applied(name, kind, [source], given)
    wanted = np.array([rounded(number, kind, mode) for number in given], ARRAYS[kind])
    assert same(found, wanted)


def test_reciprocals_of_upper_words() -> None:
    x = numbers("f64")
    found = applied("rcp64h", "f64", ["f64"], x)
    upper = (x.view(np.uint64) >> 32 << 32).view(np.float64)
    upper = np.where(np.abs(upper) < np.finfo(np.float64).tiny, np.copysign(0, upper), upper)
    with np.errstate(all="ignore"):
        exact = 1 / upper
    assert not (found[~np.isnan(found)].view(np.uint64) & 0xFFFFFFFF).any()
    finite = np.isfinite(exact) & (np.abs(exact) >= np.finfo(np.float64).tiny)
    assert np.allclose(found[finite], exact[finite], rtol=2.0**-20, atol=0)
    assert same(found[np.isinf(exact)], exact[np.isinf(exact)])
