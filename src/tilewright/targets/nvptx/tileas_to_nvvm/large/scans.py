"""Scans of large tiles: steps of doubled distance, each slice by slice.

The elements before the elements of a slice are in at most two neighbouring slices, which are in shared memory
at the same time. Slices are processed from the far end, so that a step never reads elements that it has
changed.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from tilewright.dialects.llvm.intrinsics.integer import SMaxOp, SMinOp
from tilewright.dialects.llvm.ops import arithmetic as llvm
from tilewright.dialects.nv_tileas import attributes as tileas_attributes, ops_tile as tileas_tile
from tilewright.ir.builtin_types import i32
from tilewright.ir.value import Value
from tilewright.layouts.linear import log2
from tilewright.lowering.llvm_types.converter import LLVMTypeConverter
from tilewright.lowering.tileas.layout_rules import is_in_arrays
from tilewright.rewrite.conversion.pattern import Adaptor
from tilewright.rewrite.pattern import NoMatch
from tilewright.rewrite.pattern_set import RewritePatternSet
from tilewright.targets.elements.element_types import element_of, shape_of, size_of
from tilewright.targets.nvptx.tileas_to_nvvm.aggregates.combination import Axis, RowCombination, selected
from tilewright.targets.nvptx.tileas_to_nvvm.code import PatternCode
from tilewright.targets.nvptx.tileas_to_nvvm.exchange import (
    read_element,
    scratch,
    synchronize_block,
    write_tile,
)
from tilewright.targets.nvptx.tileas_to_nvvm.large.arrays import ELSEWHERE, LocalArray, allocated
from tilewright.targets.nvptx.tileas_to_nvvm.pattern import Registers, ThreadPattern

LEAST = 1 << 10
"""The minimum number of elements of a slice."""


class ScanArrays(ThreadPattern[tileas_tile.ScanOp]):
    """Lower `nv_tileas.scan` of tiles in local memory, if it is inclusive: in steps of doubled distance,
    every element is combined with the element at that distance before it.
    """

    def lower(self, op: tileas_tile.ScanOp, at: Adaptor, code: PatternCode) -> Sequence[Registers] | NoMatch:
        if not is_in_arrays(op.inputs[0].type):
            return NoMatch(ELSEWHERE)
        if not op.inclusive:
            return NoMatch("the scan is exclusive")
        types = [value.type for value in op.inputs]
        given = [LocalArray.of(code, base, type) for (base,), type in zip(at.inputs, types, strict=True)]
        made = [LocalArray.of(code, allocated(code, op, type), type) for type in types]
        axis = Axis.of(shape_of(types[0]), op.axis)
        combine = RowCombination(self.converter, code, op, [element_of(type) for type in types])
        steps = ArrayScanSteps(combine, op, made, axis)
        steps.copy(given)
        code.repeated(len(axis.strides), [], steps.step)
        return [[array.base] for array in made]


@dataclass(frozen=True)
class ArrayScanSteps:
    """The steps of the scan `op` along ``axis``, in place in ``arrays``, one for each input, which hold the
    inputs before the first step (`copy`). ``combine`` emits the body of the scan.
    """

    combine: RowCombination
    op: tileas_tile.ScanOp
    arrays: Sequence[LocalArray]
    axis: Axis

    @property
    def size(self) -> int:
        """Return the number of elements of a slice."""
        return min(
            max(LEAST, tileas_attributes.ARRAY_VECTOR_WIDTH * self.arrays[0].threads), self.arrays[0].elements
        )

    @property
    def count(self) -> int:
        """Return the number of slices."""
        return self.arrays[0].elements // self.size

    @property
    def elements_per_thread(self) -> int:
        """Return the number of elements of a slice that a thread holds."""
        return self.size // self.arrays[0].threads

    def copy(self, given: Sequence[LocalArray]) -> None:
        """Emit the copy of the input arrays `given` to ``arrays``, slice by slice."""
        code = self.combine.code

        def round(number: Value, before: Registers) -> Registers:
            first = code.times(number, self.elements_per_thread)
            for source, target in zip(given, self.arrays, strict=True):
                target.write(first, source.read(first, self.elements_per_thread))
            return before

        code.repeated(self.count, [], round)

    def step(self, number: Value, before: Registers) -> Registers:
        """Emit step `number`: combine every element with the element at distance 2**`number` before it along
        the dimension (after it, if the scan is reversed); elements without such an element are unchanged.
        Return `before`, the values that the loop of steps carries.
        """
        code = self.combine.code
        distance = code(llvm.ShlOp, code.integer(self.axis.low, i32), number)

        def round(turn: Value, before: Registers) -> Registers:
            last = code.integer(self.count - 1, i32)
            self._slice(distance, turn if self.op.reverse else code(llvm.SubOp, last, turn))
            return before

        return code.repeated(self.count, before, round)

    def _slice(self, distance: Value, slice: Value) -> None:
        code, shift, held = self.combine.code, log2(self.size), self.arrays[0].run(self.size)
        far = distance if self.op.reverse else code.plus(distance, self.size - 1)
        slices = code.bits_from(far, shift)
        first = code(llvm.AddOp if self.op.reverse else llvm.SubOp, slice, slices)
        own = code.plus(
            code.offset(held.threads, code.thread()), code(llvm.ShlOp, slice, code.integer(shift, i32))
        )
        numbers = [code.plus(own, offset) for offset in held.offsets]
        moved = [self._index_before(number, distance, first) for number in numbers]
        columns = [self._exchanged(array, first, moved) for array in self.arrays]
        begin = code.times(slice, self.elements_per_thread)
        olds = [array.read(begin, self.elements_per_thread) for array in self.arrays]
        rows = zip(zip(*columns, strict=True), zip(*olds, strict=True), numbers, strict=True)
        made = [
            selected(code, self._exists(number, distance), self.combine(earlier, old), old)
            for earlier, old, number in rows
        ]
        for array, values in zip(self.arrays, zip(*made, strict=True), strict=True):
            array.write(begin, values)

    def _index_before(self, number: Value, distance: Value, first: Value) -> Value:
        """Return the index, in the two slices from slice number `first` on, of the element `distance` before
        element `number` (after it, if the scan is reversed).
        """
        code = self.combine.code
        source = code(llvm.AddOp if self.op.reverse else llvm.SubOp, number, distance)
        begin = code(llvm.ShlOp, first, code.integer(log2(self.size), i32))
        return code(llvm.SubOp, source, begin)

    def _exists(self, number: Value, distance: Value) -> Value:
        """Return whether there is an element `distance` before element `number` along the dimension (after
        it, if the scan is reversed), as an i1. `distance` is a power of two times the stride of the
        dimension.
        """
        code = self.combine.code
        mask = code(llvm.SubOp, code.integer(self.axis.high, i32), distance)
        bits = code(llvm.AndOp, number, mask)
        return code.compare_integers("ne", bits, mask if self.op.reverse else code.integer(0, i32))

    def _exchanged(self, array: LocalArray, first: Value, places: Sequence[Value]) -> Registers:
        """Write slice number `first` and the next one to shared memory, and return the elements of this
        thread at the indices `places` in them. Elements of slices that do not exist are arbitrary.
        """
        code, element, held = self.combine.code, array.element, array.run(self.size)
        base = scratch(code, self.op, 2 * self.size * size_of(element))
        synchronize_block(code)
        for at in range(2):
            lowest, highest = code.integer(0, i32), code.integer(self.count - 1, i32)
            slice = code(SMinOp, code(SMaxOp, code.plus(first, at), lowest), highest)
            values = array.read(code.times(slice, self.elements_per_thread), self.elements_per_thread)
            write_tile(code, code.pointer(base, at * self.size, array.stored), held, values, element)
        synchronize_block(code)
        return [read_element(code, base, place, 0, element) for place in places]


def populate_scans_of_arrays(patterns: RewritePatternSet, converter: LLVMTypeConverter) -> None:
    """Add the patterns of this file."""
    patterns.add(ScanArrays(converter, benefit=2))
