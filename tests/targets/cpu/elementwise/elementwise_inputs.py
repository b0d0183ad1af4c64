"""Numbers to compute with: all that is special about a format, and random bits."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from typing import Any

import numpy as np

from tests.targets.cpu.elementwise.elementwise_harness import format_of
from tilewright.interp.numerics.element import ElementFormat, from_bits

RANDOM = 3000
SMALL = 8
Array = np.ndarray[Any, Any]


def edge_patterns(format: ElementFormat) -> list[int]:
    """Bit patterns of zeros, the smallest and largest numbers, powers of two, infinities and NaN, with both signs."""
    bits = 32 if format.name == "tf32" else format.bits
    if format.kind != "float":
        top = 1 << (bits - 1)
        return sorted(
            {pattern % (2 * top) for pattern in (0, 1, 2, 3, 7, 31, bits, -1, -2, -7, top, top - 1, top + 1)}
        )
    places = 23 if format.name == "tf32" else format.precision - 1
    exponent_bits = bits - 1 - places
    one = ((1 << (exponent_bits - 1)) - 1) << places
    infinity = ((1 << exponent_bits) - 1) << places
    magnitudes = [0, 1, 2, 3, (1 << places) - 1, 1 << places, (1 << places) + 1, one - 1, one, one + 1]
    magnitudes += [one + (1 << places) // 2, one + (2 << places), infinity - 1, infinity, infinity + 1]
    magnitudes += [infinity | (1 << places) >> 1]
    patterns = [m + sign for m in magnitudes if m < 1 << (bits - 1) for sign in (0, 1 << (bits - 1))]
    return sorted(set(patterns))


def everything(format: ElementFormat) -> Array:
    """All values of a format of at most 8 bits."""
    return _held(np.arange(1 << format.bits), format)


def _held(patterns: Array, format: ElementFormat) -> Array:
    if format.bits == 1:
        return (patterns & 1).astype(np.bool_)
    if format.name == "i4":
        return ((patterns & 15) ^ 8).astype(np.int8) - np.int8(8)
    if format.name == "tf32":
        patterns = patterns & 0xFFFF_E000
    return from_bits(patterns, format)


def random_values(format: ElementFormat, count: int, rng: np.random.Generator) -> Array:
    """A third random bits; a third of ordinary magnitude; a third with few significant bits or the next to such.

    The last are those that lie half way between the numbers of narrower formats, and close to that.
    """
    bits = 32 if format.name == "tf32" else format.bits
    patterns = rng.integers(0, 1 << 64, count, dtype=np.uint64, endpoint=False) >> np.uint64(64 - bits)
    held = _held(patterns, format)
    if format.kind != "float" or bits <= SMALL:
        return held
    near = np.ldexp(rng.uniform(-2, 2, count), rng.integers(-6, 6, count))
    few = rng.integers(0, 1 << 26, count) >> rng.integers(0, 26, count)
    short = np.ldexp(few * rng.choice([-1.0, 1.0], count), rng.integers(-40, 4, count))
    with np.errstate(over="ignore"):
        rows = [held, *[values.astype(format.array_dtype) for values in (near, short)]]
    rows[2] = from_bits(
        rows[2].view(format.bits_dtype) + rng.integers(0, 2, count).astype(format.bits_dtype), format
    )
    chosen = rng.integers(0, 3, count)
    return _held(np.choose(chosen, [row.view(format.bits_dtype) for row in rows]), format)


def operands_of(types: Sequence[Any], seed: int = 0) -> list[Array]:
    """Arrays of one length: every combination of special values (of up to two operands), then random ones."""
    rng = np.random.default_rng(seed)
    formats = [format_of(type) for type in types]
    edges = [_held(np.array(edge_patterns(format), dtype=np.uint64), format) for format in formats]
    if len(edges) > 2:
        edges = [rng.permutation(edge)[:16] for edge in edges]
    table = list(itertools.product(*[range(len(edge)) for edge in edges]))
    picks = np.array(table).T
    special = [edge[pick] for edge, pick in zip(edges, picks, strict=True)]
    random = [random_values(format, RANDOM, rng) for format in formats]
    return [np.concatenate(pair) for pair in zip(special, random, strict=True)]
