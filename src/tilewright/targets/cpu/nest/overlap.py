"""Nests that load and store, where a store may overwrite elements that are still to be loaded.

A nest loads and stores a few elements at a time, but in the program a store follows all loads of the tile
that it is computed from. The nest is correct only if no store overwrites an element that a later iteration
loads. Whether arrays overlap is known at run time.

Arrays without common memory are the common case. If both arrays are known as a whole, their bytes are
compared once, before all tile blocks. Otherwise the bytes between the first and the last element of both
tiles are compared once per nest. They may share memory if the nest stores each element where it loads it. In
all other cases the nest stores to memory of the tile block first, by the code that handles tiles at edges of
views: only the address differs. Stores through pointers and to rows wait for their loads: the tiles are
loaded as a whole first, also if nothing is known about the pointers.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import chain
from typing import Any

from tilewright.dialects.llvm.intrinsics.memory import MemcpyOp
from tilewright.dialects.llvm.ops import arithmetic as llvm, conversion as llvm_conversion
from tilewright.ir.builtin_types import i64
from tilewright.ir.operation import Operation
from tilewright.ir.value import Value
from tilewright.lowering.llvm_types.element_forms import is_packed
from tilewright.targets.cpu.facts.access_operations import AnyAccess, tile_of
from tilewright.targets.cpu.memory import accesses as memory_accesses, point as memory_point
from tilewright.targets.cpu.memory.access import MemoryTile, StridedMemory, store
from tilewright.targets.cpu.memory.buffer import Coordinates, TileBuffer
from tilewright.targets.cpu.nest.block_code import BlockCode
from tilewright.targets.cpu.nest.nest import Nest, StoreRoot
from tilewright.targets.cpu.plan.form import plain_form
from tilewright.targets.cpu.plan.model import BufferSlot, Hazard, PointersRange, Versions, row_major
from tilewright.targets.elements.element_types import element_of, memory_type, shape_of, size_of
from tilewright.targets.llvm.code import POINTER, Index, LlvmBuilder


def conditions(known: memory_accesses.Accesses, versions: Versions) -> tuple[Value, ...]:
    """Emit the tests of the hazards of `versions`, and return them as i1 values. If all are true, no store of
    the nest overwrites an element that is still to be loaded. `known` has the addresses of the accesses.
    """
    return Ranges(known, versions.ranges).all_apart(versions.hazards)


def load_first(
    emit: BlockCode, loads: Sequence[Operation], slots: Sequence[BufferSlot], write: Callable[[], None]
) -> None:
    """Load the tiles of `loads` as a whole into `slots`, memory of the tile block, and then emit ``write``,
    whose code reads them there.
    """
    held: dict[Value, TileBuffer] = {
        load.results[0]: _buffer(emit, load.results[0], slot) for load, slot in zip(loads, slots, strict=True)
    }
    for shape in dict.fromkeys(buffer.shape for buffer in held.values()):
        copies = [StoreRoot(value, buffer) for value, buffer in held.items() if buffer.shape == shape]
        emit.emit_nest(Nest(shape, plain_form(shape, emit.target), [*copies]), masked=True)
    emit.buffers.update(held)
    write()
    for value in held:
        del emit.buffers[value]


def store_late(
    emit: BlockCode,
    writes: Sequence[Any],
    slots: Sequence[BufferSlot],
    apart: Value,
    write: Callable[[], Sequence[Value]],
) -> None:
    """Emit ``write`` once, with addresses that are chosen at run time: the tiles of `writes` are stored
    directly if ``apart`` holds, else to `slots`, memory of the tile block, from which they are copied at the
    end.
    """
    tiles = {op: emit.accesses[op] for op in writes}
    held = {op: _buffer(emit, op.value, slot) for op, slot in zip(writes, slots, strict=True)}
    emit.accesses.update(
        {op: _final_or_temporary(emit.code, apart, tile, held[op]) for op, tile in tiles.items()}
    )
    write()
    emit.accesses.update(tiles)

    def copy() -> Sequence[Value]:
        for op, buffer in held.items():
            _copy(emit, buffer, tiles[op])
        return ()

    emit.code.either(apart, lambda: (), copy)


def _final_or_temporary(code: LlvmBuilder, apart: Value, tile: MemoryTile, buffer: TileBuffer) -> MemoryTile:
    """Return the tile at its own address if `apart`, else the tile in memory of the tile block, with the same
    limits.
    """
    strides = tuple(
        code(llvm.SelectOp, apart, code.value(here), code.value(there), type=i64)
        if extent > 1 and here != there
        else here
        for here, there, extent in zip(tile.strides, buffer.strides, tile.shape, strict=True)
    )
    origin = code(llvm.SelectOp, apart, tile.origin, buffer.address, type=POINTER)
    return replace(tile, origin=origin, strides=strides)


def _copy(emit: BlockCode, buffer: TileBuffer, tile: MemoryTile) -> None:
    """Copy the existing elements of a tile to their final address; contiguous rows are copied by `memcpy`,
    the smallest code.
    """
    rows = max((at for at, extent in enumerate(tile.shape) if extent > 1), default=None)
    if rows is None or tile.strides[rows] != 1:
        form = plain_form(buffer.shape, emit.target)
        emit.emit_nest(Nest(buffer.shape, form, [DelayedCopyRoot(tile, buffer)]), masked=True)
        return
    code, element = emit.code, memory_type(tile.element)
    size = code.value(code.multiply(tile.limits[rows], size_of(element)))

    def copy(*bases: Index) -> Sequence[Value]:
        at = len(bases)
        if at < rows:
            return code.loop(
                0, tile.limits[at], 1, (), lambda loop: copy(*bases, loop.index), may_be_empty=True
            )
        target = code.element(tile.origin, bases, tile.strides[:at], element)
        source = code.element(buffer.address, bases, buffer.strides[:at], element)
        code.effect(MemcpyOp, target, source, size, False)
        return ()

    copy()


@dataclass(frozen=True)
class DelayedCopyRoot:
    """The root of a nest that copies elements from memory of the tile block to their final addresses."""

    tile: MemoryTile
    buffer: TileBuffer

    def evaluate(self, point: memory_point.NestPoint, coordinates: Coordinates) -> None:
        """Compute nothing: a copy only loads and stores."""

    def at(self, point: memory_point.NestPoint, coordinates: Coordinates) -> None:
        """Emit the copy of the elements at `coordinates` from `buffer` to `tile`; only lanes that exist are
        stored.
        """
        store(point, self.tile, coordinates, self.buffer.load(point.code, coordinates, point.lanes))


def _buffer(emit: BlockCode, value: Value, slot: BufferSlot) -> TileBuffer:
    """Return the buffer in the memory of `slot` in which the tile `value` waits until its nest ends; its rows
    are contiguous.
    """
    shape = shape_of(value.type)
    return TileBuffer(emit.address_of(slot), shape, row_major(shape), element_of(value.type))


# --- address ranges


@dataclass(frozen=True, slots=True)
class TileByteRange:
    """The address of the first byte of a tile, the address after its last byte, and the conditions under
    which both are right.
    """

    low: Value
    high: Value
    conditions: tuple[Value, ...] = ()


class Ranges:
    """The address ranges of the tiles of the accesses of a nest; ``pointers`` are the ranges of accesses
    through pointers.
    """

    def __init__(self, known: memory_accesses.Accesses, pointers: Sequence[PointersRange]) -> None:
        self.known = known
        self.code: LlvmBuilder = known.code
        self._pointers = {found.op: found.range for found in pointers}
        self._ranges: dict[Operation, TileByteRange] = {}

    def all_apart(self, hazards: Sequence[Hazard]) -> tuple[Value, ...]:
        """Emit the tests of `hazards`, and return them as i1 values. If all are true, no store overwrites an
        element that is still to be loaded. Where whole arrays are known before the tile blocks, their ranges
        are compared first, and the ranges of tiles only if arrays share memory.
        """
        code = self.code
        objects = {hazard: self._objects_apart(hazard.load, hazard.store) for hazard in hazards}
        objects_known = {
            hazard: test for hazard, test in objects.items() if test is not None and code.is_in_front(test)
        }
        tests = self._tests(hazard for hazard in hazards if hazard not in objects_known)
        if objects_known:
            arrays = code.both(list(dict.fromkeys(objects_known.values())))
            tests += code.either(
                arrays,
                lambda: (code.true(),),
                lambda: (code.both(self._tests(objects_known)),),
                (arrays.type,),
            )
        return tuple(dict.fromkeys(tests))

    def _tests(self, hazards: Iterable[Hazard]) -> list[Value]:
        return list(dict.fromkeys(chain.from_iterable(map(self.apart, hazards))))

    def _objects_apart(self, load: Operation, write: Operation) -> Value | None:
        """Return an i1: whether the arrays that `load` and `write` access share no memory. Return None if one
        of the arrays is not known as a whole.
        """
        left, right = self._object(load), self._object(write)
        return None if left is None or right is None else self._disjoint(left, right)

    def _object(self, op: Operation) -> TileByteRange | None:
        """Return the range of the whole array of an access; None if the array is not known as a whole."""
        tile, rows = self.known.accesses.get(op), self.known.rows.get(op)
        memory: StridedMemory | None = (
            tile.memory if tile is not None else rows.memory if rows is not None else None
        )
        if memory is None:
            return None
        return self._strided(memory.base, memory.start, memory.sizes, memory.strides, memory.element)

    def _disjoint(self, left: TileByteRange, right: TileByteRange) -> Value:
        code = self.code
        return self._either(
            code.compare("sle", left.high, right.low), code.compare("sle", right.high, left.low)
        )

    def apart(self, hazard: Hazard) -> list[Value]:
        """Return the conditions under which no element stored is still to be loaded, for one pair of
        accesses.
        """
        left, right = self.of(hazard.load), self.of(hazard.store)
        disjoint = self._disjoint(left, right)
        first, second = (self.known.accesses.get(op) for op in (hazard.load, hazard.store))
        if hazard.same and first is not None and second is not None and first.element is second.element:
            disjoint = self._either(disjoint, self._is_same(first, second))
        return [disjoint, *left.conditions, *right.conditions]

    def _either(self, left: Value, right: Value) -> Value:
        return self.code(llvm.OrOp, left, right)

    def _is_same(self, left: MemoryTile, right: MemoryTile) -> Value:
        """Return an i1: whether two tiles have the same address and strides, so that equal coordinates are
        the same element.
        """
        tests = [self.code.compare_integers("eq", self._bytes(left.origin), self._bytes(right.origin))]
        pairs = [(left.start, right.start)]
        long = [at for at, extent in enumerate(left.shape) if extent > 1]
        pairs += [(left.strides[at], right.strides[at]) for at in long]
        tests += [self.code.compare("eq", one, other) for one, other in pairs if one != other]
        return self.code.both(tests)

    def _bytes(self, pointer: Value) -> Value:
        return self.code(llvm_conversion.PtrToIntOp, pointer, type=i64)

    def of(self, op: Operation) -> TileByteRange:
        """Return the range of memory that an access of the nest touches."""
        found = self._ranges.get(op)
        if found is None:
            found = self._ranges[op] = self._find(op)
        return found

    def _find(self, op: Operation) -> TileByteRange:
        if op in self._pointers:
            return self._through_pointers(op)
        tile = self.known.accesses.get(op)
        if tile is not None:
            return self._strided(tile.origin, tile.start, tile.limits, tile.strides, tile.element)
        memory: StridedMemory = self.known.rows[op].memory
        return self._strided(memory.base, memory.start, memory.sizes, memory.strides, memory.element)

    def _strided(
        self, origin: Value, start: Index, counts: Sequence[Index], strides: Sequence[Index], element: Any
    ) -> TileByteRange:
        code, end, back = self.code, start, 0
        for count, stride in zip(counts, strides, strict=True):
            if isinstance(stride, int):
                end, back = code.add(end, code.multiply(count, stride)), back + stride
            else:
                end = code.add(end, code.multiply(code.subtract(count, 1), stride))
        return self._between(origin, start, code.add(end, 1 - back), element)

    def _between(self, origin: Value, first: Index, end: Index, element: Any) -> TileByteRange:
        """Return the range from element `first` up to, but excluding, `end`, relative to `origin`. Two packed
        elements share a byte.
        """
        code, base = self.code, self._bytes(origin)
        if is_packed(element):
            low, high = (
                code(llvm.AShrOp, code.value(at), code.integer(1)) for at in (first, code.add(end, 1))
            )
        else:
            size = size_of(element)
            low, high = code.multiply(first, size), code.multiply(end, size)
        return TileByteRange(code.value(code.add(base, low)), code.value(code.add(base, high)))

    def _through_pointers(self, op: Operation) -> TileByteRange:
        """Return the range of bytes that the access `op` through a tile of pointers may touch: from its
        lowest address to the end of the element at its highest address. The conditions of the range say when
        both are right.
        """
        assert isinstance(op, AnyAccess)
        plan, formulas = self._pointers[op], self.known.formulas()
        base = formulas.scalar(plan.base)
        least, most = formulas.all_of((plan.least, plan.most))
        tests = formulas.fit(plan.conditions)
        range = self._between(base, least, self.code.add(most, 1), element_of(tile_of(op)))
        return TileByteRange(range.low, range.high, tuple(tests))
