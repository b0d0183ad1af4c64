"""Parts of tiles: extracted, inserted, single elements, and tiles with undefined elements.

Elements that stay in their thread, in every thread, only change registers; others go through shared memory.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import prod

from tilewright.dialects.llvm.ops import arithmetic as llvm
from tilewright.dialects.nv_tileaa.ops.structure import ExtractOp
from tilewright.dialects.nv_tileas.attributes import row_major
from tilewright.dialects.nv_tileas.ops_tile import AllocTensorOp, ExtractSliceOp, InsertSliceOp
from tilewright.ir.builtin_types import i32
from tilewright.ir.value import Value
from tilewright.lowering.llvm_types.converter import LLVMTypeConverter
from tilewright.lowering.tileas.conversions.movements import kept_registers, moves_of
from tilewright.lowering.tileas.distribution import bits_of, coordinates_of
from tilewright.lowering.tileas_to_llvm.functions import THREADS
from tilewright.rewrite.conversion.pattern import Adaptor
from tilewright.rewrite.pattern_set import RewritePatternSet
from tilewright.targets.elements.element_types import element_of, is_tile, shape_of
from tilewright.targets.elements.lanes import slice_start
from tilewright.targets.llvm.code import Index
from tilewright.targets.nvptx.tileas_to_nvvm.code import PatternCode, held_type
from tilewright.targets.nvptx.tileas_to_nvvm.exchange import elements_at
from tilewright.targets.nvptx.tileas_to_nvvm.pattern import Registers, ThreadPattern, distribution
from tilewright.targets.nvptx.tileas_to_nvvm.program import places_in
from tilewright.targets.nvptx.tileas_to_nvvm.shuffles import from_lane, holder


def starts_of(
    code: PatternCode, offsets: Sequence[Registers], sizes: Sequence[int], shape: Sequence[int]
) -> list[Index]:
    """Return the first coordinate of a slice along each dimension, from its `offsets`; both count elements. A
    start is moved so that the slice, of the extents `sizes`, lies inside the tile, of the extents `shape`.
    """
    parts = zip(offsets, sizes, shape, strict=True)
    return [slice_start(code, value, size, extent) for (value,), size, extent in parts]


def number_of(code: PatternCode, places: Sequence[Index], shape: Sequence[int]) -> Index:
    """Return the row-major number of the element at the coordinates `places` of a tile of shape `shape`; a
    Python number if all coordinates are.
    """
    found: Index = 0
    for place, stride in zip(places, row_major(shape), strict=True):
        found = code.add(found, code.multiply(place, stride))
    return found


def as_word(code: PatternCode, index: Index) -> Value:
    """Return an element number as a run-time value of 32 bits."""
    return code.in_form(code.value(index), i32)


class ExtractSlice(ThreadPattern[ExtractSliceOp]):
    """Extract a slice of a tile: only registers are renamed if each thread holds the elements that it needs,
    otherwise the tile goes through shared memory.
    """

    def lower(self, op: ExtractSliceOp, at: Adaptor, code: PatternCode) -> Sequence[Registers]:
        element, whole = element_of(op.source.type), shape_of(op.source.type)
        held, wanted = distribution(op.source.type), distribution(op.result.type)
        moves = moves_of(op.sizes, row_major(whole))
        start = number_of(code, starts_of(code, at.offsets, op.sizes, whole), whole)
        kept = kept_registers(held, wanted, moves, start) if isinstance(start, int) else None
        if kept is not None:
            return [[at.source[register] for register in kept]]
        own = code.offset(moves, code.offset(wanted.threads, code.thread()))
        first = code.plus(own, start if isinstance(start, int) else as_word(code, start))
        numbers = [(first, moves(offset)) for offset in wanted.offsets]
        return [elements_at(code, op, held, at.source, element, numbers)]


@dataclass(frozen=True)
class TilePart:
    """A part of a tile with constant starts that are multiples of its extents."""

    starts: Sequence[int]
    sizes: Sequence[int]
    shape: Sequence[int]

    def has(self, number: int) -> bool:
        """Return whether the element with the row-major number `number` of the whole tile is in the part."""
        places = zip(coordinates_of(number, self.shape), self.starts, self.sizes, strict=True)
        return all(start <= place < start + size for place, start, size in places)

    def number(self, number: int) -> int:
        """Return the row-major number, in a part, of the element with the row-major number `number` of the
        tile; its coordinates are taken modulo the extents of the part.
        """
        places = zip(coordinates_of(number, self.shape), self.sizes, row_major(self.sizes), strict=True)
        return sum(place % size * stride for place, size, stride in places)

    def stays_inside(self, number: int) -> bool:
        """Return whether each coordinate of the element number `number` is less than the part's extent: then
        adding `number` to an element at a multiple of the extents stays in the same part.
        """
        return all(
            place < size for place, size in zip(coordinates_of(number, self.shape), self.sizes, strict=True)
        )


class InsertSlice(ThreadPattern[InsertSliceOp]):
    """Lowers the insertion of a part into a tile: registers are renamed if each thread holds the inserted
    elements of its own, otherwise the part goes through shared memory.
    """

    def lower(self, op: InsertSliceOp, at: Adaptor, code: PatternCode) -> Sequence[Registers]:
        starts = starts_of(code, at.offsets, op.sizes, shape_of(op.result.type))
        kept = self._kept(op, starts)
        if kept is None:
            return [self._exchanged(op, at, code, starts)]
        pairs = zip(kept, at.destination, strict=True)
        return [[own if register is None else at.source[register] for register, own in pairs]]

    def _kept(self, op: InsertSliceOp, starts: Sequence[Index]) -> list[int | None] | None:
        """Return for each register of the result the register of the inserted part, or None for registers of
        the tile that stay. Return None altogether if the registers depend on the thread or the offsets are
        not constant, or if elements change threads.
        """
        held, wanted = distribution(op.source.type), distribution(op.result.type)
        known = [start for start in starts if isinstance(start, int)]
        if len(known) < len(starts) or any(start % size for start, size in zip(known, op.sizes, strict=True)):
            return None
        part = TilePart(known, op.sizes, shape_of(op.result.type))
        threads = bits_of(wanted.threads)
        if [part.number(stride) for stride in threads] != bits_of(held.threads):
            return None
        if not all(map(part.stays_inside, threads)):
            return None
        registers = {offset: number for number, offset in enumerate(held.offsets)}
        inside = {offset for offset in wanted.offsets if part.has(offset)}
        if any(part.number(offset) not in registers for offset in inside):
            return None
        return [registers[part.number(at)] if at in inside else None for at in wanted.offsets]

    def _exchanged(
        self, op: InsertSliceOp, at: Adaptor, code: PatternCode, starts: Sequence[Index]
    ) -> Registers:
        """Return the registers of the result: all threads write the inserted part to shared memory, and each
        reads the elements that lie in the part, which begins at `starts`; others are taken from the
        destination.
        """
        shape, element = shape_of(op.result.type), element_of(op.result.type)
        wanted = distribution(op.result.type)
        first = places_in(code, shape, code.offset(wanted.threads, code.thread()))
        found: list[tuple[Value | None, Value]] = []
        for offset in wanted.offsets:
            steps = coordinates_of(offset, shape)
            places = [code.plus(value, step) for value, step in zip(first, steps, strict=True)]
            found.append(place_in_part(op, code, places, starts))
        numbers = [(number, 0) for _, number in found]
        read = elements_at(code, op, distribution(op.source.type), at.source, element, numbers)
        return [
            new if exists is None else code(llvm.SelectOp, exists, new, own, type=own.type)
            for (exists, _), new, own in zip(found, read, at.destination, strict=True)
        ]


def place_in_part(
    op: InsertSliceOp, code: PatternCode, places: Sequence[Value], starts: Sequence[Index]
) -> tuple[Value | None, Value]:
    """Return whether the element at the coordinates `places` is in the part that begins at the coordinates
    `starts` (None: always), and its row-major number in the part; an arbitrary number if it is not in it.
    """
    tests: list[Value] = []
    number: Value = code.integer(0, i32)
    parts = zip(places, starts, op.sizes, shape_of(op.result.type), row_major(op.sizes), strict=True)
    for place, start, size, extent, stride in parts:
        behind = code.plus(place, -start) if isinstance(start, int) else _minus(code, place, start)
        if size < extent:
            tests.append(code.compare_integers("ult", behind, code.integer(size, i32)))
            behind = code(llvm.AndOp, behind, code.integer(size - 1, i32))
        number = code.plus(number, code.times(behind, stride))
    return code.both(tests) if tests else None, number


def _minus(code: PatternCode, place: Value, start: Value) -> Value:
    return code(llvm.SubOp, place, as_word(code, start))


class Extract(ThreadPattern[ExtractOp]):
    """Lowers the extraction of one element, which all threads get: by a shuffle if each warp holds the tile
    with one register, otherwise through shared memory.
    """

    def lower(self, op: ExtractOp, at: Adaptor, code: PatternCode) -> Sequence[Registers]:
        if not is_tile(op.source.type):
            return [at.source]
        shape = shape_of(op.source.type)
        number = number_of(code, starts_of(code, at.indices, (1,) * len(shape), shape), shape)
        return [self.scalars(code, [self._element(op, at.source, code, number)], op.result.type)]

    def _element(self, op: ExtractOp, values: Registers, code: PatternCode, number: Index) -> Value:
        held = distribution(op.source.type)
        if prod(shape_of(op.source.type)) == 1:
            return values[0]
        warps = bits_of(held.threads)[THREADS.bit_length() - 1 :]
        if len(values) == 1 and not any(warps):
            return from_lane(code, values[0], holder(code, held.threads, as_word(code, number)))
        element = element_of(op.source.type)
        return elements_at(code, op, held, values, element, [(as_word(code, number), 0)])[0]


class AllocTensor(ThreadPattern[AllocTensorOp]):
    """Lowers a tile with undefined elements to zeros."""

    def lower(self, op: AllocTensorOp, at: Adaptor, code: PatternCode) -> Sequence[Registers]:
        zero = code.zero(held_type(element_of(op.result.type)))
        return [[zero] * len(distribution(op.result.type).offsets)]


def populate_slices(patterns: RewritePatternSet, converter: LLVMTypeConverter) -> None:
    """Add the patterns of this file."""
    patterns.add(*(made(converter) for made in (ExtractSlice, InsertSlice, Extract, AllocTensor)))
