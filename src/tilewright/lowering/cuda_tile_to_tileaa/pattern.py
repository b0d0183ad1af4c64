"""The base of the patterns of this conversion."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, TypeVar

from tilewright.ir.attribute import Type
from tilewright.ir.operation import Operation
from tilewright.lowering.capability import HOST, Capability
from tilewright.lowering.cuda_tile_to_tileaa.emit import TileAAEmitter
from tilewright.lowering.cuda_tile_to_tileaa.questions import Questions
from tilewright.lowering.cuda_tile_to_tileaa.type_conversion import TileAATypeConverter
from tilewright.lowering.pattern import Answer, EmittingPattern
from tilewright.rewrite.conversion.pattern import Adaptor
from tilewright.rewrite.conversion.rewriter import ConversionRewriter

_Op = TypeVar("_Op", bound=Operation)


@dataclass(frozen=True, slots=True)
class TileAALowering:
    """The context of the patterns: the converter of the pass, facts about values of the input, and the target."""

    converter: TileAATypeConverter
    facts: Questions = field(default_factory=Questions)
    capability: Capability = HOST


class TilePattern(EmittingPattern[_Op, TileAAEmitter]):
    """A pattern of this conversion."""

    def __init__(self, lowering: TileAALowering, **named: Any) -> None:
        super().__init__(lowering.converter, **named)
        self.lowering = lowering

    def emitter(self, op: _Op, rewriter: ConversionRewriter) -> TileAAEmitter:
        return TileAAEmitter(rewriter, op.lazy_location)


class EndPattern(TilePattern[_Op]):
    """Converts the terminator of a region with the values that it passes on.

    Early exits were removed before.
    """

    becomes: type[Operation]
    ends: tuple[type[Operation], ...]
    """The operations whose bodies the terminator may end."""

    def lower(self, op: _Op, at: Adaptor, types: Sequence[Type], emit: TileAAEmitter) -> Answer:
        around = op.parent_op
        if not isinstance(around, self.ends):
            name = around.name if around is not None else "nothing"
            return emit.rewriter.no_match("it leaves '{}' early", name)
        return emit.insert(self.becomes, at.operands)
