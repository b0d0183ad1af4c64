"""Conversions of layouts: the same tile with its elements elsewhere, by the shortest way.

Elements that only change their registers are renamed; others go through shared memory.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import prod

from tilewright.dialects.nv_tileas.ops_tile import ConvertLayoutOp
from tilewright.layouts.layout import Layout
from tilewright.lowering.llvm_types.converter import LLVMTypeConverter
from tilewright.rewrite.conversion.pattern import Adaptor
from tilewright.rewrite.pattern_set import RewritePatternSet
from tilewright.targets.elements.types import element_of, shape_of
from tilewright.targets.nvptx.body.code import PatternCode
from tilewright.targets.nvptx.body.exchange import exchanged, kept_registers
from tilewright.targets.nvptx.body.pattern import Registers, TilePattern, distribution


class ConvertLayout(TilePattern[ConvertLayoutOp]):
    """See the head of this file."""

    def lower(self, op: ConvertLayoutOp, at: Adaptor, code: PatternCode) -> Sequence[Registers]:
        held, wanted = (distribution(value.type) for value in (op.source, op.result))
        every = Layout(prod(shape_of(op.source.type)), 1)
        kept = kept_registers(held, wanted, every)
        if kept is not None:
            return [[at.source[register] for register in kept]]
        return [exchanged(code, op, held, at.source, wanted, every, element_of(op.source.type))]


def populate_conversions(patterns: RewritePatternSet, converter: LLVMTypeConverter) -> None:
    """The patterns of this file."""
    patterns.add(ConvertLayout(converter))
