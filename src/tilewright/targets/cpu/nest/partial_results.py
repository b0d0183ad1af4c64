"""Reductions in which the order of elements matters: neighbours are combined, left before right."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from tilewright.ir.value import Value
from tilewright.targets.cpu.memory.buffer import extract
from tilewright.targets.llvm.code import LlvmBuilder

Combined = Callable[[Sequence[Value], Sequence[Value]], list[Value]]
"""Combine a group of values with another, value by value."""


def fold_neighbours(
    code: LlvmBuilder, vectors: Sequence[Value], width: int, lanes: int, combined: Combined
) -> list[Value]:
    """Return one element for each of ``width`` sequences, given as vectors: ``width`` first vectors,
    ``width`` second vectors, ...

    Vectors are folded into each other by even and odd lanes until one vector is left, which is halved in the
    same way.
    """
    groups = [list(vectors[start : start + width]) for start in range(0, len(vectors), width)]
    while len(groups) > 1:
        pairs = zip(groups[::2], groups[1::2], strict=True)
        groups = [_fold_pair(code, first, second, lanes, combined) for first, second in pairs]
    (left,) = groups
    while lanes > 1:
        even = [_every_other(code, value, value, 0, lanes // 2) for value in left]
        odd = [_every_other(code, value, value, 1, lanes // 2) for value in left]
        left, lanes = combined(even, odd), lanes // 2
    return left


def _fold_pair(
    code: LlvmBuilder, first: Sequence[Value], second: Sequence[Value], lanes: int, combined: Combined
) -> list[Value]:
    """Return vectors of combined neighbours of two vectors; scalars are neighbours of each other."""
    if lanes == 1:
        return combined(first, second)
    pairs = list(zip(first, second, strict=True))
    even = [_every_other(code, left, right, 0, lanes) for left, right in pairs]
    odd = [_every_other(code, left, right, 1, lanes) for left, right in pairs]
    return combined(even, odd)


def _every_other(code: LlvmBuilder, left: Value, right: Value, start: int, count: int) -> Value:
    """Return every other lane of two vectors; a scalar if `count` is 1."""
    if count == 1:
        return extract(code, left, start)
    return code.shuffle(left, right, range(start, start + 2 * count, 2))
