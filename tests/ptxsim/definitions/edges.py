"""Operands at the edges of their types."""

from __future__ import annotations

import random
from collections.abc import Sequence
from itertools import product

from tests.ptxsim.definitions.numbers import FORMATS, Format, coded
from tilewright.ptx.value_types import TYPES, ValueKind

COUNTS = (
    *(0, 1, 2, 4, 7, 8, 15, 16, 17, 24, 30, 31, 32, 33, 40, 47, 48, 63, 64, 65, 127, 128),
    *(255, 256, 257, 0x7FFFFFFF, 0x80000000, 0xFFFFFFE0, 0xFFFFFFFF),
)
"""Counts of shifts, positions and lengths: within words, just outside of them, and those whose low byte or low five bits
are in range only."""
_LIMIT = 900
"""So many rows are a launch."""


def integers(bits: int) -> list[int]:
    """Both ends of the range, signed and unsigned, and patterns."""
    top, ones = 1 << (bits - 1), (1 << bits) - 1
    half = 1 << (bits // 2)
    some = [0, 1, 2, 3, 5, 7, 10, top - 1, top - 2, top, top + 1, ones, ones - 1, ones - 2, ones - 6]
    patterns = [
        ones // 3,
        ones // 3 * 2,
        half,
        half - 1,
        half + 1,
        ones - half,
        ones // 255 * 0x81,
        0x7F,
        0x80,
    ]
    return sorted({one & ones for one in (*some, *patterns)})


def floats(form: Format) -> list[int]:
    """Zeros, subnormal numbers, the ends of each range, infinities, several NaN, and numbers whose sums, products and
    roots are half-way between two others."""
    one, step = form.bias << form.fraction, 1 << form.fraction
    codes = {0, 1, 2, step - 1, step, step + 1, form.largest, form.largest - 1}
    codes |= {one, one + 1, one - 1, one + step // 2, one + step, one + step + step // 2, one - step, one + 3}
    codes |= {
        coded((0, whole, last), form) for whole, last in ((1, -form.fraction - 1), (3, -form.fraction - 2))
    }
    codes |= {
        coded((0, (2 << form.fraction) + 1, 0), form),
        coded((0, 5, -1), form),
        coded((0, 300, 0), form),
    }
    codes |= {coded((0, 1, -form.bias // 2 - form.fraction // 2), form), coded((0, 0x5555555, -28), form)}
    if form.infinity:
        codes |= {form.infinite, form.infinite + 1, form.unknown, form.infinite + max(step // 2, 1)}
    return sorted({code | sign for code in codes for sign in (0, form.sign)})


def edges(type_name: str) -> list[int]:
    """The edges of a type; of packed types those of one element."""
    if type_name == "pred":
        return [0, 1]
    element = type_name.removesuffix("x2")
    if element in FORMATS:
        return floats(FORMATS[element])
    return integers(16 if type_name in ("u16x2", "s16x2") else TYPES[type_name].bits)


def lanes_of(type_name: str) -> int:
    """How many elements a type has."""
    return 2 if type_name.endswith("x2") else 1


def width_of(type_name: str) -> int:
    """The bits of a register of a type; predicates travel as words."""
    return 32 if TYPES[type_name].kind is ValueKind.PREDICATE else TYPES[type_name].bits


def _filled(columns: Sequence[Sequence[int]], limit: int, seed: str) -> list[tuple[int, ...]]:
    """All rows of edges, or so many of them by chance, among which each edge stands at each place."""
    count = 1
    for column in columns:
        count *= len(column)
    if count <= limit:
        return list(product(*columns))
    chance = random.Random(seed)
    shuffled = [chance.sample(list(column), len(column)) for column in columns]
    longest = max(map(len, columns))
    rows = [tuple(column[at % len(column)] for column in shuffled) for at in range(longest)]
    return [*rows, *(tuple(map(chance.choice, columns)) for _ in range(limit - longest))]


def rows_of(
    columns: Sequence[Sequence[int]], lanes: Sequence[int], widths: Sequence[int], limit: int
) -> list[tuple[int, ...]]:
    """Rows of operands; packed ones get another edge in their upper half."""
    seed = repr((columns, lanes))
    rows = _filled(columns, min(limit, _LIMIT), seed)
    if 2 not in lanes:
        return rows
    others = random.Random(seed + "upper").sample(rows, len(rows))
    return [
        tuple(
            low | high << width // 2 if count == 2 else low
            for low, high, count, width in zip(row, other, lanes, widths, strict=True)
        )
        for row, other in zip(rows, others, strict=True)
    ]
