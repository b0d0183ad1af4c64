"""The conditions under which offsets that a program computes with narrow integers are what they seem to be.

Narrow sums are exact, and so are all their parts, if they are at the corners of the tile, where sums and products of
coordinates take their extremes (`Corners`).  How they change inside of a tile is a fact about the program
(`lowering.access_facts.offsets`).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import product
from typing import Any

from tilewright.dialects.nv_tileaa.ops_structure import MakeRangeOp
from tilewright.ir.value import Value
from tilewright.lowering.access_facts.offsets import (
    SAME,
    WIDENED,
    Offsets,
    constant_of,
    mnemonic,
    source_dimensions,
    width_of,
)
from tilewright.lowering.access_facts.recursion import Answering, solved
from tilewright.targets.cpu.memory.buffer import Coordinate, Coordinates
from tilewright.targets.cpu.nest import shape
from tilewright.targets.elements.types import shape_of
from tilewright.targets.llvm.code import Code, Index

MAXIMUM_CORNERS = 16
"""Tiles of more corners than that are not looked at."""


def moved(value: Value, coordinates: Coordinates) -> Coordinates | None:
    """Where the elements of a tile come from; None unless it is made by an operation that only moves them."""
    dimensions = source_dimensions(value)
    if dimensions is None:
        return None
    return tuple(shape.ORIGIN if at is None else coordinates[at] for at in dimensions)


Corner = tuple[Value, Coordinates]
"""A tile and a place in it."""


# --- conditions


class NotAffine(Exception):
    """Nothing is known about a number."""


class Corners:
    """Exact numbers at the corners of a tile, and the conditions under which they are what the program computes.

    ``scalar`` gives the element at a point of a tile whose elements are all the same.
    """

    def __init__(self, code: Code, offsets: Offsets, scalar: Callable[[Value], Value]) -> None:
        self.code = code
        self.offsets = offsets
        self.scalar = scalar
        self.conditions: list[Value] = []
        self._known: dict[Corner, Index] = {}

    def check(self, value: Value, *, signed: bool) -> None:
        """Add the conditions for a tile of narrow integers.  Raises `NotAffine`."""
        extents = shape_of(value.type)
        ranges = [
            (0, extent - 1) if at in self.offsets.dependences(value) else (0,)
            for at, extent in enumerate(extents)
        ]
        corners = list(product(*ranges))
        if len(corners) > MAXIMUM_CORNERS:
            raise NotAffine
        for corner in corners:
            exact = self.exact(value, tuple(Coordinate(at) for at in corner))
            self._fits(exact, width_of(value), signed)

    def _fits(self, exact: Index, width: int, signed: bool) -> None:
        most = (1 << (width - 1)) - 1
        least = -most - 1 if signed else 0
        if isinstance(exact, int):
            if not least <= exact <= most:
                raise NotAffine
            return
        self.conditions += [self.code.compare("sge", exact, least), self.code.compare("sle", exact, most)]

    def exact(self, value: Value, at: Coordinates) -> Index:
        """The number at a corner; the conditions say when it is what the program computes.  Raises `NotAffine`."""
        return solved(self._known, self._compute, (value, at))

    def _compute(self, corner: Corner) -> Answering[Corner, Index]:
        value, at = corner
        number = constant_of(value)
        if number is not None:
            return number
        if not self.offsets.dependences(value):
            return self.code.index(self.scalar(value))
        owner: Any = value.owner
        name = mnemonic(value)
        if isinstance(owner, MakeRangeOp):
            return self.code.add(shape.known_index(self.code, self.scalar(owner.lower)), at[0].base)
        if name in ("addi", "subi"):
            combine = self.code.add if name == "addi" else self.code.subtract
            left = yield owner.operands[0], at
            right = yield owner.operands[1], at
            return combine(left, right)
        if name == "muli":
            return (yield from self._product(owner.operands, at, width_of(value)))
        if name in SAME:
            inner = yield owner.operands[0], at
            if name != "assume":
                self._fits(inner, width_of(owner.operands[0]), WIDENED[name])
            return inner
        places = moved(value, at)
        if places is None:
            raise NotAffine
        return (yield owner.operands[0], places)

    def _product(self, operands: Sequence[Value], at: Coordinates, width: int) -> Answering[Corner, Index]:
        """Factors that depend on one dimension both have their extremes elsewhere; large ones leave 64 bits."""
        left, right = operands
        if self.offsets.dependences(left) & self.offsets.dependences(right) or width > 32:
            raise NotAffine
        factors = [(yield left, at), (yield right, at)]
        for factor in factors:
            self._fits(factor, 32, True)
        made = self.code.multiply(*factors)
        self._fits(made, 33, True)
        return made
