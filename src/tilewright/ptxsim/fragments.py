"""The element of a matrix in each register of each lane: a table for all matrix instructions.

The index of a lane, and the index of a value among the values of a lane, are written as digits of a
mixed-radix number, the lowest digit first. Each digit adds a multiple of its numbers of rows, columns and
matrices (some instructions work on several matrices). A 32-bit register holds ``32 / bits`` consecutive
values.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from typing import Any, NamedTuple

import numpy as np

from tilewright.ptxsim.values import Array


class Digit(NamedTuple):
    """A digit with `extent` values; each step adds `row` rows, `column` columns and `matrix` matrices."""

    extent: int
    row: int
    column: int
    matrix: int = 0


@dataclass(frozen=True)
class FragmentLayout:
    """The layout of matrices of `rows` x `columns` in the registers of a warp or warp group: the digits of
    the lane index (`lanes`), and the digits of the index of a value within a lane (`values`), both with the
    lowest digit first.
    """

    rows: int
    columns: int
    lanes: tuple[Digit, ...]
    values: tuple[Digit, ...]

    @property
    def matrices(self) -> int:
        """Return the number of matrices that the layout distributes together."""
        return 1 + sum((digit.extent - 1) * digit.matrix for digit in (*self.lanes, *self.values))

    @property
    def count(self) -> int:
        """Return the number of values of a lane."""
        return _product(self.values)

    def places(self) -> Array:
        """Return the row-major element index of each lane and value: (lanes, values)."""
        return (_places(self, self.lanes)[:, None] + _places(self, self.values)[None, :]).astype(np.int64)

    def gathered(self, values: Array) -> Array:
        """Return the matrices with the elements `values`, which has the shape (groups, lanes, values of a
        lane). The result has the shape (groups x matrices, rows, columns).
        """
        groups = len(values)
        flat = np.zeros((groups, self.matrices * self.rows * self.columns), values.dtype)
        flat[:, _cached(self)] = values
        return flat.reshape(groups * self.matrices, self.rows, self.columns)

    def scattered(self, matrices: Array) -> Array:
        """Return the values of the lanes that hold `matrices`, the inverse of `gathered`: (groups, lanes,
        values of a lane).
        """
        flat = matrices.reshape(-1, self.matrices * self.rows * self.columns)
        return flat[:, _cached(self)]


def _product(digits: tuple[Digit, ...]) -> int:
    total = 1
    for digit in digits:
        total *= digit.extent
    return total


def _places(layout: FragmentLayout, digits: tuple[Digit, ...]) -> Array:
    numbers: Any = np.arange(_product(digits))
    found: Any = np.zeros(len(numbers), np.int64)
    for extent, row, column, matrix in digits:
        step = (matrix * layout.rows + row) * layout.columns + column
        found += numbers % extent * step
        numbers = numbers // extent
    return found


@cache
def _cached(layout: FragmentLayout) -> Array:
    return layout.places()


def _left(m: int, k: int, per: int) -> FragmentLayout:
    values = (Digit(per, 0, 1), Digit(m // 8, 8, 0), Digit(max(k // (4 * per), 1), 0, 4 * per))
    return FragmentLayout(m, k, (Digit(4, 0, per), Digit(8, 1, 0)), values)


def _right(k: int, n: int, per: int) -> FragmentLayout:
    values = (Digit(per, 1, 0), Digit(max(k // (4 * per), 1), 4 * per, 0))
    return FragmentLayout(k, n, (Digit(4, per, 0), Digit(8, 0, 1)), values)


def _result(m: int, n: int, per: int) -> FragmentLayout:
    values = (Digit(2, 0, 1), Digit(m // 8, 8, 0))
    return FragmentLayout(m, n, (Digit(4, 0, 2), Digit(8, 1, 0)), values)


def _group_left(m: int, k: int, per: int) -> FragmentLayout:
    values = (Digit(per, 0, 1), Digit(2, 8, 0), Digit(2, 0, 4 * per))
    return FragmentLayout(m, k, (Digit(4, 0, per), Digit(8, 1, 0), Digit(4, 16, 0)), values)


def _group_result(m: int, n: int, per: int) -> FragmentLayout:
    values = (Digit(2, 0, 1), Digit(2, 8, 0), Digit(n // 8, 0, 8))
    return FragmentLayout(m, n, (Digit(4, 0, 2), Digit(8, 1, 0), Digit(4, 16, 0)), values)


FAMILIES: dict[str, Callable[[int, int, int], FragmentLayout]] = {
    "A": _left,
    "B": _right,
    "C": _result,
    "group A": _group_left,
    "group C": _group_result,
}
"""Functions from rows, columns and values of a 32-bit register (for f64, a 64-bit register) to the layout of
an operand.
"""

_PAIRS = (Digit(4, 0, 0, 1), Digit(2, 4, 0))
QUADS: dict[str, FragmentLayout] = {
    "A row": FragmentLayout(8, 4, (Digit(4, 1, 0), *_PAIRS), (Digit(4, 0, 1),)),
    "A col": FragmentLayout(8, 4, (Digit(4, 0, 1), *_PAIRS), (Digit(4, 1, 0),)),
    "B row": FragmentLayout(4, 8, (Digit(4, 1, 0), Digit(4, 0, 0, 1), Digit(2, 0, 4)), (Digit(4, 0, 1),)),
    "B col": FragmentLayout(4, 8, (Digit(4, 0, 1), Digit(4, 0, 0, 1), Digit(2, 0, 4)), (Digit(4, 1, 0),)),
    "C f16": FragmentLayout(8, 8, (Digit(4, 1, 0), *_PAIRS), (Digit(8, 0, 1),)),
    "C f32": FragmentLayout(
        8,
        8,
        (Digit(2, 1, 0), Digit(2, 0, 2), *_PAIRS),
        (Digit(2, 0, 1), Digit(2, 2, 0), Digit(2, 0, 4)),
    ),
}
"""The layouts of `mma.m8n8k4` with f16: four products, each of two groups of four lanes."""
