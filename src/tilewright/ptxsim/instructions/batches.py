"""Batches of independent products of matrices that follow each other in the program.

Kernels compute rows of products: fragments of A times fragments of B. A batch decodes each fragment once, and
calls NumPy as often for all products as for a single product.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from tilewright.doubles.products import matrix_product
from tilewright.ptxsim import code as ptxsim_code, elements, instruction_state, values as ptxsim_values
from tilewright.ptxsim.fragments import FragmentLayout

SUMS = {"f16", "f32"}
"""Result types whose sums are computed in double precision in any order."""
WASTE = 2
"""The maximum ratio of computed products of fragments to products in the program."""


@dataclass(frozen=True, slots=True, eq=False)
class JoinableProduct:
    """A product that may be part of a batch: the indices of the registers of A, B, the addend and the result
    (`a` to `d`) with their layouts and types, and its function when it is computed alone. ``enter`` replaces
    the function of the instruction.
    """

    layouts: tuple[FragmentLayout, FragmentLayout, FragmentLayout]
    types: tuple[str, str, str, str]
    """The types of A, B, the addend and the result."""
    a: tuple[int, ...]
    b: tuple[int, ...]
    c: tuple[int, ...]
    d: tuple[int, ...]
    alone: ptxsim_code.Run
    enter: Callable[[ptxsim_code.Run], None]
    """Replaces the function of the instruction."""

    def joins(self, others: Sequence[JoinableProduct]) -> bool:
        """Return whether the product may be computed together with `others`, one or more products that
        precede it: it has the same layouts and types, `others` write none of its registers, and not too many
        unneeded fragments (`WASTE`) are computed.
        """
        written = {slot for one in others for slot in one.d}
        lefts, rights = {one.a for one in others} | {self.a}, {one.b for one in others} | {self.b}
        return (
            others[0].layouts == self.layouts
            and others[0].types == self.types
            and written.isdisjoint((*self.a, *self.b, *self.c, *self.d))
            and len(lefts) * len(rights) <= WASTE * (len(others) + 1)
        )


def possible(types: tuple[str, str, str, str]) -> bool:
    """Return whether products with these types of A, B, addend and result may be computed in batches: the
    result is f16 or f32, and the addend has the same type.
    """
    return types[3] in SUMS and types[2] == types[3]


def _entries(layout: FragmentLayout, per: int, count: int, groups: int) -> ptxsim_values.Array:
    """Return the position of each matrix element in an array of the shape (`count` x registers, threads,
    `per`), which holds `count` fragments with `per` elements in a register. The result has the shape
    (`groups`, `count`, rows, columns).
    """
    registers = layout.count // per
    places = np.arange(count * registers * groups * 32 * per).reshape(count, registers, groups, 32, per)
    by_lane = places.transpose(2, 0, 3, 1, 4).reshape(groups * count, 32, registers * per)
    return layout.gathered(by_lane).reshape(groups, count, layout.rows, layout.columns)


@dataclass(frozen=True, slots=True, eq=False)
class BatchElements:
    """The indices of the elements of a batch, for a number of groups of 32 lanes."""

    left: ptxsim_values.Array
    """(groups, rows, columns), the fragments of A stacked vertically."""
    right: ptxsim_values.Array
    """(groups, rows, columns), the fragments of B side by side."""
    result: ptxsim_values.Array
    """(registers, threads, values): indices into the product of the two."""


class Batch:
    """Several products as a single product: the fragments of A are stacked, the fragments of B are side by
    side.
    """

    def __init__(self, members: Sequence[JoinableProduct]) -> None:
        self.members = list(members)
        self.lefts = list(dict.fromkeys(one.a for one in members))
        self.rights = list(dict.fromkeys(one.b for one in members))
        self.inputs = tuple({slot for one in members for slot in (*one.a, *one.b, *one.c)})
        self.addends = [one.c for one in members]
        self.layouts, self.types = members[0].layouts, members[0].types
        self.results = [slot for one in members for slot in one.d]
        self.tables: dict[int, BatchElements] = {}

    def run(self, c: instruction_state.InstructionState) -> None:
        """Compute all products; one after the other if an operand is undefined, or with a seed other than 0,
        which gives sums another order.
        """
        if c.block.launch.seed or c.undefined(self.inputs) is not None:
            for one in self.members:
                one.alone(c)
            return
        a, b, addend = map(_values, (c, c, c), (self.lefts, self.rights, self.addends), self.types)
        groups = addend.shape[1] // 32
        tables = self.tables.get(groups)
        if tables is None:
            tables = self.tables[groups] = self._tables(groups, a.shape[-1], b.shape[-1], addend.shape[-1])
        total = matrix_product(a.take(tables.left), b.take(tables.right)).take(tables.result)
        total += addend
        for slot, value in zip(self.results, elements.encode(self.types[3], total)[..., 0], strict=True):
            c.put_words(slot, value)

    def _tables(self, groups: int, *pers: int) -> BatchElements:
        left, right, result = (
            _entries(layout, per, len(rows), groups)
            for layout, per, rows in zip(
                self.layouts, pers, (self.lefts, self.rights, self.addends), strict=True
            )
        )
        lefts, rights = len(self.lefts) * self.layouts[0].rows, len(self.rights) * self.layouts[1].columns
        whole = np.arange(groups * lefts * rights).reshape(
            groups, len(self.lefts), self.layouts[0].rows, len(self.rights), self.layouts[1].columns
        )
        places = np.empty(result.size, np.int64)
        for at, one in enumerate(self.members):
            places[result[:, at]] = whole[:, self.lefts.index(one.a), :, self.rights.index(one.b)]
        return BatchElements(
            left.reshape(groups, lefts, -1),
            np.ascontiguousarray(right.swapaxes(1, 2)).reshape(groups, -1, rights),
            places.reshape(-1, groups * 32, pers[2]),
        )


def _values(
    c: instruction_state.InstructionState, rows: Sequence[tuple[int, ...]], kind: str
) -> ptxsim_values.Array:
    """Return the elements of type `kind` of fragments: (registers, threads, values of a register). `rows` has
    the registers of each fragment.
    """
    words = np.array([c.take(slot) for row in rows for slot in row])
    return elements.decode(kind, words[..., None])


def join_products(code: ptxsim_code.FunctionCode, targets: set[int]) -> None:
    """Let the first of consecutive products compute all of them; steps with a guard, and products that may
    not join (`JoinableProduct.joins`), end a batch. `targets` are indices of steps that jumps lead to; a
    batch has one at its start only.
    """
    row: list[ptxsim_code.SimulatedStep] = []
    for at, step in enumerate(code.steps):
        one: JoinableProduct | None = step.joinable if step.guard is None else None
        if row and (one is None or at in targets or not one.joins([other.joinable for other in row])):
            _joined(row)
            row = []
        if one is not None:
            row.append(step)
    _joined(row)


def _joined(row: list[ptxsim_code.SimulatedStep]) -> None:
    if len(row) < 2:
        return
    batch = Batch([step.joinable for step in row])
    row[0].joinable.enter(batch.run)
    for step in row[1:]:
        step.run = _done


def _done(c: instruction_state.InstructionState) -> None:
    """Do nothing: the product was computed by an earlier step."""
