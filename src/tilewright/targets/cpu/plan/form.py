"""How a pass goes over its shape: the dimension of the vectors, their length and number, and squares of transposed tiles."""

from __future__ import annotations

from collections.abc import Sequence

from tilewright.targets.cpu.machine.target import CpuTarget
from tilewright.targets.cpu.nest import transpose
from tilewright.targets.cpu.plan.model import Form, Vectors

WIDEST = 64
"""Bytes of vectors that are not always the fastest: caches deliver them no sooner than two halves."""


def plain_form(shape: tuple[int, ...], target: CpuTarget, *, is_light: bool = False) -> Form:
    """The form of a pass that combines and transposes nothing.

    Several vectors to an iteration where that pays: what edges need is rare.
    """
    along, lanes = vector_dimension(shape), target.vector_bytes // transpose.WORD
    parts = 2 if is_light and target.vector_bytes == WIDEST else 1
    return made_form(shape, along, (lanes // parts, target.unroll * parts), (lanes, 1), is_light=parts > 1)


def rows_form(shape: tuple[int, ...], lanes: int) -> Form:
    """The form of a pass with one vector to an iteration."""
    return made_form(shape, vector_dimension(shape), (lanes, 1), (lanes, 1))


def vector_dimension(shape: Sequence[int]) -> int:
    """The dimension that vectors cover: the last one that is longer than 1."""
    last = len(shape) - 1
    return next((at for at in range(last, -1, -1) if shape[at] > 1), last)


def made_form(
    shape: Sequence[int],
    along: int,
    plain: tuple[int, int],
    masked: tuple[int, int],
    transposed: int = -1,
    square: int = 1,
    *,
    is_light: bool = False,
) -> Form:
    """A form; ``plain`` and ``masked`` are the lanes and numbers of vectors where rows are long enough for them."""
    columns = shape[along] if shape else 1
    return Form(along, _within(columns, *plain), _within(columns, *masked), transposed, square, is_light)


def _within(columns: int, lanes: int, count: int) -> Vectors:
    """Vectors that a row of some columns has room for."""
    lanes = min(lanes, columns)
    return Vectors(lanes, max(1, min(count, columns // lanes)))
