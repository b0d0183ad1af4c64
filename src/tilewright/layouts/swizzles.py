"""Swizzles of shared memory: placements of a tile without bank conflicts in its stores and in its loads.

The offsets of elements count through three groups of bits: a vector, which both sides move at once; banks; and the
rest, in which lanes of one phase must not differ while their banks agree. So the subspace of the rest must meet
neither the subspace of the storing lanes nor the subspace of the loading lanes. Two subspaces always have such a
common complement: one that contains, instead of movements a and b of either side, their sum.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import zip_longest

from tilewright.ir.diagnostic import failure
from tilewright.layouts import access as layouts_access, algebra, codes as layouts_codes, linear, trees
from tilewright.layouts.bits import BitMatrix, XorBasis, independent, intersection
from tilewright.layouts.layout import AnyLayout, ComposedLayout, Layout


@dataclass(frozen=True, slots=True)
class RoundTrip:
    """The placement in shared memory of a tile that is stored in one layout and loaded in another. ``memory``
    maps the number of an element to its offset in elements; ``vector`` is the number of elements that each
    access moves, on both sides.
    """

    memory: BitMatrix
    """Maps the number of an element to its offset in memory, in elements."""
    vector: int
    """The number of elements that each access moves, both of the store and of the load."""


def round_trip(store: linear.LinearLayout, load: linear.LinearLayout, width: int) -> RoundTrip:
    """Return the placement in memory of a tile, with elements of ``width`` bits, that one layout stores and
    the other loads. Accesses are as wide as possible on both sides, and have no bank conflicts. Raises
    `DiagnosticError` unless the layouts are of one tile and hold all of it, and the width is a power of two
    up to 128.
    """
    if store.shape != load.shape or not (store.is_onto and load.is_onto):
        raise failure(
            layouts_codes.DIFFERENT_TILES,
            "a round trip through shared memory needs two layouts that hold all elements of one tile",
        )
    element = layouts_access.element_bits(width)
    units = [1 << bit for bit in range(linear.log2(store.size))]
    vector = held_by_both(store.register, load.register)[: layouts_access.VECTOR_BITS - element]
    banks = layouts_access.PHASE_BITS - max(element + len(vector), layouts_access.WORD_BITS)
    sides = [side.lane[:banks] for side in (store, load)]
    missing = max(layouts_access.WORD_BITS - element - len(vector), 0)
    word = vector + independent([*sides[0], *sides[1], *units], XorBasis(vector))[:missing]
    first, rest = _split(sides, units, XorBasis(word))
    rest = rest[: max(len(units) - len(word) - banks, 0)]
    bank = independent([*first, *units], XorBasis([*word, *rest]))
    return RoundTrip(BitMatrix((*word, *bank, *rest), len(units)).inverse(), 1 << len(vector))


def notation(memory: BitMatrix, shape: Sequence[int]) -> AnyLayout | None:
    """Return the placement of a tile in memory in CuTe's notation: a layout with a mode for each dimension,
    with a swizzle if none without one exists. Return None if there is no such layout. ``memory`` maps the
    number of an element in row-major order to its offset. Extents of ``shape`` are powers of two.
    """
    for swizzle in (None, *_swizzles(memory.rows)):
        columns = [column if swizzle is None else swizzle(column) for column in memory.columns]
        if not any(column & (column - 1) for column in columns):
            found = _of_dimensions(columns, shape)
            return found if swizzle is None else ComposedLayout(swizzle, 0, found)
    return None


def _swizzles(bits: int) -> list[trees.Swizzle]:
    """Return the swizzles that keep offsets of `bits` bits in their range, the smallest first."""
    return [
        trees.Swizzle(count, base, shift)
        for count in range(1, bits // 2 + 1)
        for base in range(bits - 2 * count + 1)
        for shift in range(count, bits - count - base + 1)
    ]


def _of_dimensions(columns: Sequence[int], shape: Sequence[int]) -> Layout:
    """Return a layout with a mode for each dimension of a tile. ``columns`` are the strides of the bits of an
    element's row-major number.
    """
    end = len(columns)
    modes: list[Layout] = []
    for extent in shape:
        strides = columns[end - linear.log2(extent) : end]
        end -= len(strides)
        modes.append(algebra.coalesce(Layout.flat([(2, stride) for stride in strides])))
    return Layout.of(modes)


def held_by_both(store: Sequence[int], load: Sequence[int]) -> list[int]:
    """Return a basis of the element offsets that both layouts reach by bits of the register number. Offsets
    of the loading layout come first, in its order.
    """
    common = intersection(store, load)
    span = XorBasis(common)
    return independent([*(movement for movement in load if movement in span), *common], XorBasis())


def _split(sides: list[tuple[int, ...]], units: list[int], inside: XorBasis) -> tuple[list[int], list[int]]:
    """Return two bases of element offsets: offsets between lanes, which select banks, and offsets that no
    combination of storing lanes, or of loading lanes, has.

    Both are modulo the offsets ``inside`` a vector. ``sides`` are the offsets of the storing lanes and of the
    loading lanes, ``units`` the offsets of single bits.
    """
    word = [vector for vector, _ in inside.pivots()]
    stores, loads = ([*word, *side] for side in sides)
    common = independent(intersection(stores, loads), XorBasis(word))
    both = XorBasis([*word, *common])
    only_stores = independent(sides[0], XorBasis([*word, *common]))
    only_loads = independent(sides[1], XorBasis([*word, *common]))
    for movement in (*only_stores, *only_loads):
        both.add(movement)
    sums = [a ^ b for a, b in zip(only_stores, only_loads, strict=False)]
    longer = [a or b for a, b in zip_longest(only_stores, only_loads, fillvalue=0)]
    return [*common, *longer], [*sums, *independent(units, both)]
