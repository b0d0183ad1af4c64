"""Shuffles and reductions of a warp by the definitions of the PTX ISA, for any bounds, segments and members."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from tests.ptxsim.harness import run

LANES, WARPS = 32, 32
SOURCES: dict[str, Callable[[int, int, int, int], int]] = {
    "up": lambda lane, by, least, segment: lane - by,
    "down": lambda lane, by, least, segment: lane + by,
    "bfly": lambda lane, by, least, segment: lane ^ by,
    "idx": lambda lane, by, least, segment: least | by & ~segment & 31,
}
"""From which lane each kind reads, by the second operand and the two parts of the third one."""
NAN, SIGNALLING, NEGATIVE_NAN = 0x7FC00000, 0x7F800001, 0xFFC00001
CANONICAL = 0x7FFFFFFF
ZERO, NEGATIVE_ZERO, INFINITY, NEGATIVE_INFINITY = 0, 0x80000000, 0x7F800000, 0xFF800000
SUBNORMAL, NEGATIVE_SUBNORMAL, ONE, NEGATIVE_TWO = 1, 0x80000003, 0x3F800000, 0xC0000000
EXTREMES = np.array([0, 1, 0x7FFFFFFF, 0x80000000, 0xFFFFFFFF, 0xFFFFFFFE, 0x80000001], np.uint32)


def shuffled(kind: str, lane: int, by: int, limits: int) -> tuple[int, bool]:
    """The lane that a lane reads, and whether it is one within the bounds."""
    segment, bound = limits >> 8 & 31, limits & 31
    least, most = lane & segment, lane & segment | bound & ~segment & 31
    source = SOURCES[kind](lane, by & 31, least, segment)
    inside = source >= most if kind == "up" else source <= most
    return (source, True) if inside else (lane, False)


@pytest.mark.parametrize("kind", SOURCES)
def test_shuffles_with_any_bounds(kind: str) -> None:
    """Every lane has a second and a third operand of its own; bits that the definition does not name are set at random."""
    random = np.random.default_rng(sum(kind.encode()))
    count = LANES * WARPS
    values, by, limits = (random.integers(0, 1 << 32, count, np.uint32) for _ in range(3))
    by[::3] &= 31
    limits[::2] &= 0x1F1F
    limits[1::4] = 31

    found = [
        run(f"shfl.sync.{kind}.b32 %r|%p, %a, %b, %c, -1; {more}", "b32 b32 b32 -> b32", values, by, limits)
        for more in ("", "selp.b32 %r, 1, 0, %p;")
    ]
    for at in range(count):
        warp, lane = at // LANES * LANES, at % LANES
        source, inside = shuffled(kind, lane, int(by[at]), int(limits[at]))
        assert (found[0][at], found[1][at]) == (values[warp + source], inside), (lane, by[at], limits[at])


INTEGER: dict[str, tuple[str, Callable[[Any], int]]] = {
    "add.s32": ("s32", lambda row: int(row.astype(np.int64).sum()) & 0xFFFFFFFF),
    "add.u32": ("u32", lambda row: int(row.astype(np.uint64).sum()) & 0xFFFFFFFF),
    "min.s32": ("s32", lambda row: int(row.view(np.int32).min()) & 0xFFFFFFFF),
    "max.s32": ("s32", lambda row: int(row.view(np.int32).max()) & 0xFFFFFFFF),
    "min.u32": ("u32", lambda row: int(row.min())),
    "max.u32": ("u32", lambda row: int(row.max())),
    "and.b32": ("b32", lambda row: int(np.bitwise_and.reduce(row))),
    "or.b32": ("b32", lambda row: int(np.bitwise_or.reduce(row))),
    "xor.b32": ("b32", lambda row: int(np.bitwise_xor.reduce(row))),
}
"""Reductions of whole numbers, and the answer for the words of the members."""


@pytest.mark.parametrize("members", [0xFFFFFFFF, 0x80000001, 0x0000FF00, 0x00000010])
@pytest.mark.parametrize("operation", INTEGER)
def test_reductions_of_whole_numbers(operation: str, members: int) -> None:
    """Only members of the mask execute the instruction, and sums wrap round."""
    kind, answer = INTEGER[operation]
    random = np.random.default_rng(7)
    values = random.choice(EXTREMES, LANES)
    taking_part = np.array([members >> lane & 1 for lane in range(LANES)], bool)
    body = f"mov.b32 %w0, {members:#x}; shr.b32 %w1, %w0, %t; and.b32 %w1, %w1, 1; setp.ne.b32 %p, %w1, 0;"
    body += f"mov.b32 %r, 0; @%p redux.sync.{operation} %r, %a, {members:#x};"
    found = run(body, f"{kind} -> b32", values)
    assert found.tolist() == np.where(taking_part, answer(values[taking_part]), 0).tolist()


FLOATS: list[tuple[str, list[int], int]] = [
    ("min", [ONE, NEGATIVE_TWO, NEGATIVE_SUBNORMAL], NEGATIVE_TWO),
    ("max", [NEGATIVE_TWO, NEGATIVE_SUBNORMAL, SUBNORMAL], SUBNORMAL),
    ("min", [SUBNORMAL, ONE], SUBNORMAL),
    ("min", [INFINITY, ONE, NEGATIVE_INFINITY], NEGATIVE_INFINITY),
    ("max", [INFINITY, ONE, NEGATIVE_INFINITY], INFINITY),
    ("min", [NAN, ONE], ONE),
    ("max", [SIGNALLING, NEGATIVE_TWO], NEGATIVE_TWO),
    ("min", [NAN, NEGATIVE_NAN, SIGNALLING], CANONICAL),
    ("max.NaN", [NAN, ONE, INFINITY], CANONICAL),
    ("min.NaN", [ONE, NEGATIVE_NAN], CANONICAL),
    ("min", [ZERO, NEGATIVE_ZERO], NEGATIVE_ZERO),
    ("max", [ZERO, NEGATIVE_ZERO], ZERO),
    ("max.abs", [NEGATIVE_TWO, ONE], NEGATIVE_TWO & 0x7FFFFFFF),
    ("min.abs", [NEGATIVE_ZERO, ONE], ZERO),
    ("min.abs", [NEGATIVE_INFINITY, NAN], INFINITY),
    ("max.abs.NaN", [NEGATIVE_INFINITY, NEGATIVE_NAN], CANONICAL),
]
"""An operation, the values that the lanes have in turn, and the bits of the answer."""


@pytest.mark.parametrize(("operation", "values", "expected"), FLOATS)
def test_reductions_of_floats(operation: str, values: list[int], expected: int) -> None:
    """A NaN counts with `.NaN` only, or where there is nothing else; minus zero is less than zero."""
    given = np.resize(np.array(values, np.uint32), LANES)
    found = run(f"redux.sync.{operation}.f32 %r, %a, -1;", "b32 -> b32", given, sm="sm_100a")
    assert set(found.tolist()) == {expected}
