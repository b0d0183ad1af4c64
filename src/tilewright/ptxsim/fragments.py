"""Which element of a matrix each lane holds in each register: one table for all matrix instructions.

An element is found by digits.  The number of a lane, and the number of a value among all values of a lane, are written
with the digits of a layout, the lowest first; each digit moves so many rows and columns (and matrices, where one
instruction works on several).  A 32-bit register holds ``32 / bits`` consecutive values.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from typing import Any, NamedTuple

import numpy as np

from tilewright.ptxsim.values import Array


class Digit(NamedTuple):
    """So many values, each so many rows, columns and matrices on from the one before."""

    extent: int
    row: int
    column: int
    matrix: int = 0


@dataclass(frozen=True)
class Layout:
    """The elements of matrices of one shape: digits of lanes, and digits of the values within a lane."""

    rows: int
    columns: int
    lanes: tuple[Digit, ...]
    values: tuple[Digit, ...]

    @property
    def matrices(self) -> int:
        """How many matrices there are."""
        return 1 + sum((digit.extent - 1) * digit.matrix for digit in (*self.lanes, *self.values))

    @property
    def count(self) -> int:
        """Values of a lane."""
        return _product(self.values)

    def places(self) -> Array:
        """For each lane (a row) and value the element's place among all elements, row by row."""
        return (_places(self, self.lanes)[:, None] + _places(self, self.values)[None, :]).astype(np.int64)

    def gathered(self, values: Array) -> Array:
        """Matrices of values, given as groups of lanes x lanes x values of a lane."""
        groups = len(values)
        flat = np.zeros((groups, self.matrices * self.rows * self.columns), values.dtype)
        flat[:, _cached(self)] = values
        return flat.reshape(groups * self.matrices, self.rows, self.columns)

    def scattered(self, matrices: Array) -> Array:
        """The values of lanes that hold these matrices: groups x lanes x values."""
        flat = matrices.reshape(-1, self.matrices * self.rows * self.columns)
        return flat[:, _cached(self)]


def _product(digits: tuple[Digit, ...]) -> int:
    total = 1
    for digit in digits:
        total *= digit.extent
    return total


def _places(layout: Layout, digits: tuple[Digit, ...]) -> Array:
    numbers: Any = np.arange(_product(digits))
    found: Any = np.zeros(len(numbers), np.int64)
    for extent, row, column, matrix in digits:
        step = (matrix * layout.rows + row) * layout.columns + column
        found += numbers % extent * step
        numbers = numbers // extent
    return found


@cache
def _cached(layout: Layout) -> Array:
    return layout.places()


def _left(m: int, k: int, per: int) -> Layout:
    values = (Digit(per, 0, 1), Digit(m // 8, 8, 0), Digit(max(k // (4 * per), 1), 0, 4 * per))
    return Layout(m, k, (Digit(4, 0, per), Digit(8, 1, 0)), values)


def _right(k: int, n: int, per: int) -> Layout:
    values = (Digit(per, 1, 0), Digit(max(k // (4 * per), 1), 4 * per, 0))
    return Layout(k, n, (Digit(4, per, 0), Digit(8, 0, 1)), values)


def _result(m: int, n: int, per: int) -> Layout:
    values = (Digit(2, 0, 1), Digit(m // 8, 8, 0))
    return Layout(m, n, (Digit(4, 0, 2), Digit(8, 1, 0)), values)


def _group_left(m: int, k: int, per: int) -> Layout:
    values = (Digit(per, 0, 1), Digit(2, 8, 0), Digit(2, 0, 4 * per))
    return Layout(m, k, (Digit(4, 0, per), Digit(8, 1, 0), Digit(4, 16, 0)), values)


def _group_result(m: int, n: int, per: int) -> Layout:
    values = (Digit(2, 0, 1), Digit(2, 8, 0), Digit(n // 8, 0, 8))
    return Layout(m, n, (Digit(4, 0, 2), Digit(8, 1, 0), Digit(4, 16, 0)), values)


FAMILIES: dict[str, Callable[[int, int, int], Layout]] = {
    "A": _left,
    "B": _right,
    "C": _result,
    "group A": _group_left,
    "group C": _group_result,
}
"""Layouts by the operand, from rows, columns and values of a 32-bit register (of f64: of a 64-bit one)."""

_PAIRS = (Digit(4, 0, 0, 1), Digit(2, 4, 0))
QUADS: dict[str, Layout] = {
    "A row": Layout(8, 4, (Digit(4, 1, 0), *_PAIRS), (Digit(4, 0, 1),)),
    "A col": Layout(8, 4, (Digit(4, 0, 1), *_PAIRS), (Digit(4, 1, 0),)),
    "B row": Layout(4, 8, (Digit(4, 1, 0), Digit(4, 0, 0, 1), Digit(2, 0, 4)), (Digit(4, 0, 1),)),
    "B col": Layout(4, 8, (Digit(4, 0, 1), Digit(4, 0, 0, 1), Digit(2, 0, 4)), (Digit(4, 1, 0),)),
    "C f16": Layout(8, 8, (Digit(4, 1, 0), *_PAIRS), (Digit(8, 0, 1),)),
    "C f32": Layout(
        8,
        8,
        (Digit(2, 1, 0), Digit(2, 0, 2), *_PAIRS),
        (Digit(2, 0, 1), Digit(2, 2, 0), Digit(2, 0, 4)),
    ),
}
"""The layouts of `mma.m8n8k4` with f16: four products, each of two groups of four lanes."""
