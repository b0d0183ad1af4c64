"""Tables of code pointers: found by the two words before them, grouped into banks by distance and shared slots."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from tilewright.abi.table_shapes import PREFIX_WORDS
from tilewright.inspect.arrays import Positions, Words
from tilewright.inspect.binary.image import MemoryRegion, ProgramImage

WORD = 8
MAXIMUM_ADJUSTMENT = 1 << 20
"""The maximum magnitude in bytes of a table's offset to the top of its object, since no object is larger."""
MAXIMUM_SLOTS = 512


@dataclass(frozen=True)
class VirtualTables:
    """The tables of code pointers of a program: arrays with one element for each table.

    ``address`` is the address that objects store (of slot 0), ``slots`` the number of code pointers.
    ``plain`` is 1 if both prefix words are zero: a table of the whole object, without run-time type
    information; else 0.
    """

    address: Positions
    slots: Positions
    plain: Positions
    image: ProgramImage

    def __len__(self) -> int:
        return len(self.address)

    def having(self, slots: int, *, plain: bool = False) -> Positions:
        """Return the indices of the tables with exactly `slots` slots; with ``plain``, only of those without
        run-time type information and without an offset to the top.
        """
        return np.flatnonzero((self.slots == slots) & ((self.plain > 0) | (not plain))).astype(np.int64)

    def slot(self, indices: Positions, slot: int) -> Words:
        """Return the word in slot number `slot`, from 0, of the tables at `indices`. The tables must have
        this slot.
        """
        found = np.zeros(len(indices), np.uint64)
        places = self.address[indices] + WORD * slot
        numbers = self.image.region_numbers(places)
        for number in np.unique(numbers):
            first, words = self.image.scanned[int(number)].aligned_words
            mine = numbers == number
            found[mine] = words[(places[mine] - first) // WORD]
        return found

    @cached_property
    def by_address(self) -> dict[int, int]:
        """The number of slots of each table, by its address."""
        return dict(zip(self.address.tolist(), self.slots.tolist(), strict=True))

    @cached_property
    def plain_by_address(self) -> dict[int, int]:
        """The numbers of slots by address, for tables of whole objects without run-time type information."""
        kept = np.flatnonzero(self.plain)
        return dict(zip(self.address[kept].tolist(), self.slots[kept].tolist(), strict=True))


def find_tables(image: ProgramImage) -> VirtualTables:
    """Return the runs of at most `MAXIMUM_SLOTS` code pointers after two prefix words of the Itanium C++ ABI:
    an offset to the top that is 0 or negative, and an address of type information, which may be 0. They are
    in order of regions.
    """
    parts = [_of_region(image, region) for region in image.data if region.address < 1 << 62]
    parts = [part for part in parts if len(part[0])]
    if not parts:
        nothing = np.empty(0, np.int64)
        return VirtualTables(nothing, nothing, nothing, image)
    address, slots, plain = (np.concatenate(column) for column in zip(*parts, strict=True))
    return VirtualTables(address, slots, plain, image)


def _of_region(image: ProgramImage, region: MemoryRegion) -> tuple[Positions, Positions, Positions]:
    first, words = region.aligned_words
    starts, counts = runs(image.is_code(words))
    keep = (starts >= PREFIX_WORDS) & (counts <= MAXIMUM_SLOTS)
    starts, counts = starts[keep], counts[keep]
    top, type_info = words[starts - 2].astype(np.int64), words[starts - 1]
    described = (type_info == 0) | image.is_data(type_info) | _imported(image, type_info)
    keep = (top <= 0) & (top > -MAXIMUM_ADJUSTMENT) & described
    plain = (top == 0) & (type_info == 0)
    return (first + WORD * starts)[keep], counts[keep], plain[keep].astype(np.int64)


def _imported(image: ProgramImage, words: Words) -> np.ndarray[tuple[int], np.dtype[np.bool_]]:
    known = np.fromiter(image.imports, np.uint64, len(image.imports))
    return np.isin(words, known)


def runs(flags: np.ndarray[tuple[int], np.dtype[np.bool_]]) -> tuple[Positions, Positions]:
    """Return the starts and the lengths of all maximal runs of true flags."""
    edges = np.diff(np.concatenate(([0], flags.astype(np.int8), [0])))
    starts = np.flatnonzero(edges == 1).astype(np.int64)
    return starts, np.flatnonzero(edges == -1).astype(np.int64) - starts


@dataclass(frozen=True)
class Bank:
    """``count`` adjacent tables of equal size, the first at ``address``, ``stride`` bytes apart. ``slots`` is
    the number of slots of each table; ``invariant`` maps numbers of slots to the address that all tables hold
    there.
    """

    address: int
    stride: int
    count: int
    slots: int
    invariant: dict[int, int]

    @property
    def last(self) -> int:
        """The address of the last table."""
        return self.address + self.stride * (self.count - 1)


MINIMUM_BANK = 3


def find_banks(tables: VirtualTables) -> list[Bank]:
    """Return the maximal runs of at least three tables with the same number of slots, each right after the
    table before it: the stride is the size of a table with its prefix.
    """
    if not len(tables):
        return []
    order = np.argsort(tables.address, kind="stable").astype(np.int64)
    address, slots = tables.address[order], tables.slots[order]
    joined = (slots[1:] == slots[:-1]) & (np.diff(address) == WORD * (slots[1:] + PREFIX_WORDS))
    starts, lengths = runs(joined)
    return [
        _bank(tables, order[start : start + length + 1])
        for start, length in zip(starts.tolist(), lengths.tolist(), strict=True)
        if length + 1 >= MINIMUM_BANK
    ]


def _bank(tables: VirtualTables, members: Positions) -> Bank:
    slots = int(tables.slots[members[0]])
    invariant = {
        slot: int(held[0])
        for slot in range(slots)
        for held in (tables.slot(members, slot),)
        if (held == held[0]).all()
    }
    first = int(tables.address[members[0]])
    return Bank(first, WORD * (slots + PREFIX_WORDS), len(members), slots, invariant)


def most_shared(columns: Sequence[Words]) -> list[tuple[tuple[int, ...], Positions]]:
    """Return each combination of values in one row of `columns`, with the sorted indices of the rows that
    have it; the most frequent first. The columns have equal length; without rows the result is empty.
    """
    if not len(columns) or not len(columns[0]):
        return []
    stacked = np.stack(columns, axis=1)
    values, which, counts = np.unique(stacked, axis=0, return_inverse=True, return_counts=True)
    order = np.lexsort((np.arange(len(counts)), -counts))
    rows = which.reshape(-1)
    return [
        (tuple(int(v) for v in values[at]), np.flatnonzero(rows == at).astype(np.int64))
        for at in order.tolist()
    ]
