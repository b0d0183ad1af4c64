"""Conversions between layouts of one tile: how far elements have to move, decided by rank."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

from tilewright.ir.diagnostic import failure
from tilewright.layouts.bits import BitMatrix, XorBasis
from tilewright.layouts.codes import DIFFERENT_TILES
from tilewright.layouts.linear import LEVELS, LinearLayout
from tilewright.layouts.linear_text import linear_text


class ConversionKind(Enum):
    """How far a conversion moves elements, which decides how it is done; the cheapest kind first: not at all,
    between registers of a thread, lanes of a warp (by shuffles), warps of a block (through shared memory), or
    blocks.
    """

    NOTHING = "nothing"
    """Every register keeps its element."""
    REGISTERS = "registers"
    """Every thread has the elements that it gets, in other registers, which may depend on the lane."""
    SHUFFLE = "shuffle"
    """Every warp has the elements that it gets, in other lanes."""
    SHARED = "shared"
    """Every block has the elements that it gets, in other warps: they are moved through shared memory."""
    BLOCKS = "blocks"
    """Some elements are in other blocks."""


@dataclass(frozen=True, slots=True)
class RegisterMovement:
    """A conversion of ``source`` to ``destination``: ``matrix`` is the linear map from each position of the
    destination to the nearest position of the source that holds its element.

    A position in a distributed tile is a number: from the lowest, its bits are the register's, the lane's,
    the warp's and the block's.
    """

    source: LinearLayout
    destination: LinearLayout
    matrix: BitMatrix
    """Maps positions of the destination to the nearest positions of the source that hold the element."""

    @property
    def kind(self) -> ConversionKind:
        """Return how far the conversion moves elements: not at all, between the registers of a thread,
        between lanes, between warps or between blocks.
        """
        if self.matrix == BitMatrix.identity(len(self.source.columns)):
            return ConversionKind.NOTHING
        kinds = (ConversionKind.SHUFFLE, ConversionKind.SHARED, ConversionKind.BLOCKS)
        moved = [kind for kind, level in zip(kinds, LEVELS[1:], strict=True) if self._moves(level)]
        return moved[-1] if moved else ConversionKind.REGISTERS

    @property
    def renames(self) -> bool:
        """True if the conversion only renames registers, in the same way in all threads, so that it needs no
        instruction. It is False if the register that holds an element depends on the lane or the warp.
        """
        registers = self.part(LEVELS[0]).columns[len(self.destination.register) :]
        return self.kind in (ConversionKind.NOTHING, ConversionKind.REGISTERS) and not any(registers)

    def _moves(self, level: str) -> bool:
        """True if some position gets its element from another lane, warp or block (``level``)."""
        own = self.destination.levels[level]
        start = _start(self.destination, level)
        stay = tuple(
            1 << (at - start) if start <= at < start + len(own) else 0
            for at in range(len(self.matrix.columns))
        )
        return self.part(level).columns != stay

    def part(self, level: str) -> BitMatrix:
        """Return the map from positions of the destination to the number of the register, lane, warp or block
        (``level``) of the source.
        """
        count = len(self.source.levels[level])
        start = _start(self.source, level)
        mask = (1 << count) - 1
        return BitMatrix(tuple(column >> start & mask for column in self.matrix.columns), count)


def _start(layout: LinearLayout, level: str) -> int:
    """Return the index of the first bit of a level in a position: after the bits of the levels inside it."""
    return sum(len(layout.levels[inner]) for inner in LEVELS[: LEVELS.index(level)])


def movement(source: LinearLayout, destination: LinearLayout) -> RegisterMovement:
    """Return the shortest movement that converts one layout to another.

    Raises `DiagnosticError` unless both distribute one tile over the same lanes, warps and blocks, and the
    source holds all of it.
    """
    _check(source, destination)
    span = XorBasis(source.columns)  # registers first: nearer places are preferred
    columns: list[int] = []
    for level, movements in destination.levels.items():
        start, own = _start(source, level), source.levels[level]
        for bit, column in enumerate(movements):
            stays = bit < len(own)  # always, except for registers, as the source may have fewer
            rest = column ^ (own[bit] if stays else 0)
            columns.append(span.reduce(rest)[1] ^ (stays << start + bit))
    return RegisterMovement(source, destination, BitMatrix(tuple(columns), len(source.columns)))


def kind_of_conversion(source: LinearLayout, destination: LinearLayout) -> ConversionKind:
    """Return how far the conversion from ``source`` to ``destination`` moves elements. Raises
    `DiagnosticError` unless both distribute one tile over the same lanes, warps and blocks, and the source
    holds all of it.
    """
    return movement(source, destination).kind


def _check(source: LinearLayout, destination: LinearLayout) -> None:
    counts = [[len(layout.levels[level]) for level in LEVELS[1:]] for layout in (source, destination)]
    if source.shape != destination.shape or counts[0] != counts[1]:
        raise failure(
            DIFFERENT_TILES,
            f"there is no conversion from {linear_text(source)} to {linear_text(destination)}",
            hint="shapes, and the numbers of lanes, warps and blocks, must agree",
        )
    if not source.is_onto:
        raise failure(DIFFERENT_TILES, f"{linear_text(source)} does not hold every element of the tile")
