"""Reductions, in the order of the elements: neighbours first, then pairs of neighbours, and so on.

The bits of element numbers along the reduced dimension are removed from the lowest on. A bit of register
numbers is removed by combining registers, a bit of lane numbers by an exchange between two lanes. If the
lanes have several registers along the dimension, each of the two lanes takes half of the elements of both, so
that no element is combined twice. Where any order gives the same bits (the largest element, sums of integers),
registers are combined first, and lanes exchange one part. At the first bit of warp numbers, all remaining parts go through shared
memory, once, and every warp does the rest. Several threads then hold the result, which is moved to its
layout.
"""

from __future__ import annotations

from collections.abc import Sequence

from tilewright.dialects.nv_tileas.ops_tile import ReduceOp
from tilewright.ir.attribute import Type
from tilewright.lowering.llvm_types.converter import LLVMTypeConverter
from tilewright.lowering.tileas.conversions.movements import ElementMovement
from tilewright.lowering.tileas.distribution import Distribution
from tilewright.rewrite.conversion.pattern import Adaptor
from tilewright.rewrite.pattern_set import RewritePatternSet
from tilewright.targets.elements.element_types import element_of, shape_of, size_of
from tilewright.targets.nvptx.tileas_to_nvvm.aggregates import combination, parts as aggregates_parts
from tilewright.targets.nvptx.tileas_to_nvvm.code import PatternCode
from tilewright.targets.nvptx.tileas_to_nvvm.exchange import moved
from tilewright.targets.nvptx.tileas_to_nvvm.pattern import Registers, ThreadPattern, distribution
from tilewright.targets.nvptx.tileas_to_nvvm.shuffles import from_partner

READ_AT_ONCE = 2
"""The base-2 logarithm of the number of parts of other warps that a thread reads; its neighbours read the
others.
"""


class Reduce(ThreadPattern[ReduceOp]):
    """Lower `nv_tileas.reduce`: registers of a thread are combined, lanes exchange parts by shuffles, and
    warps exchange them once through shared memory. Neighbours are combined first, in the order of the
    elements, unless any order gives the same bits.
    """

    def lower(self, op: ReduceOp, at: Adaptor, code: PatternCode) -> Sequence[Registers]:
        types = [element_of(value.type) for value in op.inputs]
        combine = combination.RowCombination(self.converter, code, op, types)
        axis, rows = (
            combination.Axis.of(shape_of(op.inputs[0].type), op.axis),
            list(zip(*at.inputs, strict=True)),
        )
        folding = TileReduction(combine, axis, distribution(op.inputs[0].type), rows)
        for stride in folding.removal_order(any_order=combination.is_exact(op)):
            folding.fold(stride)
        held = folding.parts.by({0: 0, **{stride: axis.without(stride) for stride in folding.parts.numbers}})
        columns = combine.canonical_results(zip(*folding.rows.values(), strict=True))
        return [
            self._in_result_layout(code, op, held, values, result.type, type)
            for values, result, type in zip(columns, op.results, types, strict=True)
        ]

    def _in_result_layout(
        self,
        code: PatternCode,
        op: ReduceOp,
        held: Distribution,
        values: Registers,
        type: Type,
        element: Type,
    ) -> Registers:
        """Return the reduced elements, which `values` has in the distribution `held`, in the layout of the
        result type; every thread holds a scalar result.
        """
        shape = shape_of(type)
        if not shape:
            return self.scalars(code, values, type)
        return moved(code, op, ElementMovement(held, distribution(type), size_of(element)), values, element)


class TileReduction:
    """A tile during its reduction along `axis`: ``parts`` is the distribution of its partially combined
    elements, and ``rows`` has the rows of this thread by their offsets. `fold` removes one bit of the
    dimension.
    """

    def __init__(
        self,
        combine: combination.RowCombination,
        axis: combination.Axis,
        held: Distribution,
        rows: Sequence[combination.Row],
    ) -> None:
        self.combine = combine
        self.code = combine.code
        self.axis = axis
        self.parts = aggregates_parts.PartStrides.of(held)
        self.rows = dict(zip(held.offsets, rows, strict=True))

    def removal_order(self, *, any_order: bool) -> list[int]:
        """Return the strides of the dimension in the order of their removal: ascending, or with `any_order`
        register strides first, so that lanes exchange one part each.
        """
        strides = self.axis.strides
        return sorted(strides, key=lambda one: one not in self.parts.registers) if any_order else strides

    def fold(self, stride: int) -> None:
        """Combine all elements at the distance `stride`; elements at smaller distances must be combined
        already, unless any order gives the same bits.
        """
        if self.parts.leaves_warps(stride):
            self._regroup()
        bit = self.parts.lane(stride)
        if bit is not None:
            self._across(bit)
        elif stride in self.parts.registers:
            self._within(stride)

    def _within(self, stride: int) -> None:
        rows, self.parts = self.rows, self.parts.without(stride)
        self.rows = {at: self.combine(rows[at], rows[at + stride]) for at in self.parts.offsets}

    def _across(self, bit: int) -> None:
        """Combine with the lane whose number differs in bit `bit`. Each lane keeps half of its registers
        along the dimension, if it has several, otherwise both lanes have the result.
        """
        code, upper = self.code, combination.has_bit(self.code, bit)
        register_stride = max(filter(self.axis.has, self.parts.registers), default=0)
        self.parts, rows = self.parts.with_bit(bit, register_stride), self.rows
        self.rows = dict[int, combination.Row]()
        for at in self.parts.offsets:
            row = given = rows[at]
            if register_stride:
                further = rows[at + register_stride]
                row, given = (
                    combination.selected(code, upper, further, row),
                    combination.selected(code, upper, row, further),
                )
            other = tuple(from_partner(code, value, bit) for value in given)
            self.rows[at] = self.combine.of_either(upper, row, other)

    def _regroup(self) -> None:
        """Exchange the rows through shared memory, so that each warp has all parts along the dimension, and
        each thread some that are neighbours.
        """
        source, self.parts = self.parts, self.parts.in_each_warp(self.axis, READ_AT_ONCE)
        rows = aggregates_parts.gathered(self.combine, source, self.parts, list(self.rows.values()))
        self.rows = dict(zip(self.parts.offsets, rows, strict=True))


def populate_reductions(patterns: RewritePatternSet, converter: LLVMTypeConverter) -> None:
    """Add the patterns of this file."""
    patterns.add(Reduce(converter))
