"""The base of the patterns of this conversion, and what they share."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, TypeVar

from tilewright.ir.attribute import Type
from tilewright.ir.operation import Operation
from tilewright.lowering.capability import HOST, Capability
from tilewright.lowering.cuda_tile_to_tileaa.emit import Emitter
from tilewright.lowering.cuda_tile_to_tileaa.questions import Questions
from tilewright.lowering.cuda_tile_to_tileaa.types import TileAATypeConverter
from tilewright.rewrite.conversion.pattern import Adaptor, ConversionPattern
from tilewright.rewrite.conversion.rewriter import ConversionRewriter
from tilewright.rewrite.pattern import NoMatch

_Op = TypeVar("_Op", bound=Operation)


@dataclass(frozen=True, slots=True)
class Lowering:
    """What patterns know: the converter of the pass, facts about values of the input, and what code is made for."""

    converter: TileAATypeConverter
    facts: Questions = field(default_factory=Questions)
    capability: Capability = HOST


class TilePattern(ConversionPattern[_Op]):
    """A pattern that says in `lower` what an operation becomes; operands and result types are converted by then."""

    def __init__(self, lowering: Lowering, **named: Any) -> None:
        super().__init__(lowering.converter, **named)
        self.lowering = lowering

    def match_and_rewrite(self, op: _Op, adaptor: Adaptor, rewriter: ConversionRewriter) -> NoMatch | None:
        types = self.lowering.converter.convert_types(op.result_types)
        if types is None:
            return rewriter.no_match("result types {} cannot be converted", op.result_types)
        return self.lower(op, adaptor, types, Emitter(rewriter, op.lazy_location))

    def lower(self, op: _Op, at: Adaptor, types: Sequence[Type], emit: Emitter) -> NoMatch | None:
        """Replace ``op`` through ``emit.rewriter``."""
        raise NotImplementedError(f"{type(self).__name__} does not say what its operation becomes")
