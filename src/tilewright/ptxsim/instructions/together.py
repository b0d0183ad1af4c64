"""Products of matrices that follow each other in the text and do not depend on each other, computed as one.

Kernels write products in rows: fragments of A times fragments of B.  Each fragment is decoded once, and NumPy is called
as often for all products as for one.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np

from tilewright.ptxsim import elements
from tilewright.ptxsim.code import Code, Run, Step
from tilewright.ptxsim.fragments import Layout
from tilewright.ptxsim.frame import State
from tilewright.ptxsim.values import Array

SUMS = {"f16", "f32"}
"""Results whose sums are taken in double precision in any order."""


@dataclass(frozen=True, slots=True, eq=False)
class Together:
    """A product that may be computed with others: its operands' registers, and what it does alone."""

    layouts: tuple[Layout, Layout, Layout]
    types: tuple[str, str, str, str]
    """Of A, B, the addend and the result."""
    a: tuple[int, ...]
    b: tuple[int, ...]
    c: tuple[int, ...]
    d: tuple[int, ...]
    writes: Sequence[Any]
    alone: Run
    enter: Callable[[Run], None]
    """Makes the instruction do something else instead."""

    def joins(self, others: Sequence[Together]) -> bool:
        """Whether it may be computed with these, which stand before it."""
        written = {slot for one in others for slot in one.d}
        return (
            others[0].layouts == self.layouts
            and others[0].types == self.types
            and written.isdisjoint((*self.a, *self.b, *self.c, *self.d))
        )


def possible(types: tuple[str, str, str, str]) -> bool:
    """Whether products of these types are computed with others."""
    return types[3] in SUMS and types[2] == types[3]


@cache
def _order(layout: Layout, per: int) -> Array:
    """For each element its place among registers x lanes x values of a register."""
    places = layout.places().reshape(32, -1, per).transpose(1, 0, 2).ravel()
    found = np.zeros(len(places), np.int64)
    found[places] = np.arange(len(places))
    return found


@cache
def _back(layout: Layout, per: int) -> Array:
    """For each value of a register of a lane the element's place: registers x lanes x values."""
    return layout.places().reshape(32, -1, per).transpose(1, 0, 2)


def _words(c: State, rows: Sequence[tuple[int, ...]]) -> Array:
    """The registers of fragments: fragments x registers x groups of 32 lanes x 32."""
    found = np.array([c.take(slot) for row in rows for slot in row])
    return found.reshape(len(rows), len(rows[0]), -1, 32)


def _matrices(c: State, rows: list[tuple[int, ...]], kind: str, layout: Layout) -> Array:
    """The numbers of fragments: fragments x groups x rows x columns."""
    words = _words(c, rows)
    values = elements.decode(kind, words.transpose(0, 2, 1, 3)[..., None])
    count, groups = values.shape[:2]
    flat = values.reshape(count * groups, -1)
    order = _order(layout, values.shape[-1])
    return flat.take(order, 1).reshape(count, groups, layout.rows, layout.columns)


class Batch:
    """Several products as one."""

    def __init__(self, members: Sequence[Together]) -> None:
        self.members = list(members)
        self.lefts = list(dict.fromkeys(one.a for one in members))
        self.rights = list(dict.fromkeys(one.b for one in members))
        self.left = np.array([self.lefts.index(one.a) for one in members])
        self.right = np.array([self.rights.index(one.b) for one in members])
        self.inputs = tuple({slot for one in members for slot in (*one.a, *one.b, *one.c)})
        self.addends = [one.c for one in members]
        self.layouts, self.types = members[0].layouts, members[0].types

    def run(self, c: State) -> None:
        """Compute all; one by one where an operand is undefined, or sums are taken in a random order."""
        if c.block.chance is not None or c.undefined(self.inputs) is not None:
            for one in self.members:
                one.alone(c)
            return
        a = _matrices(c, self.lefts, self.types[0], self.layouts[0])
        b = _matrices(c, self.rights, self.types[1], self.layouts[1])
        products = np.matmul(a[self.left], b[self.right])
        words = _words(c, self.addends)
        addend = elements.decode(self.types[2], words[..., None])
        back = _back(self.layouts[2], addend.shape[-1])
        count, _, groups, _ = words.shape
        found = products.reshape(count, groups, -1).take(back, 2)
        total = found.transpose(0, 2, 1, 3, 4) + addend
        result = elements.encode(self.types[3], total)[..., 0].reshape(count, len(back), -1)
        for one, row in zip(self.members, result, strict=True):
            for write, value in zip(one.writes, row, strict=True):
                write(c, value, None)


def join_products(code: Code, targets: set[int]) -> None:
    """Let products that stand behind each other, and that no jump separates, be computed by the first of them."""
    row: list[Step] = []
    for at, step in enumerate(code.steps):
        one: Together | None = step.together if step.guard is None else None
        if row and (one is None or at in targets or not one.joins([other.together for other in row])):
            _joined(row)
            row = []
        if one is not None:
            row.append(step)
    _joined(row)


def _joined(row: list[Step]) -> None:
    if len(row) < 2:
        return
    batch = Batch([step.together for step in row])
    row[0].together.enter(batch.run)
    for step in row[1:]:
        step.run = _done


def _done(c: State) -> None:
    """The product was computed with those before it."""
