"""The base of the patterns of this conversion."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, TypeVar

from tilewright.dialects.arith import ops_conversion as arith_conversion, ops_integer as arith
from tilewright.dialects.cuda_tile.ops import control
from tilewright.dialects.nv_tileaa.constraints import element_of, shape_of
from tilewright.dialects.nv_tileaa.ops.structure import SplatOp
from tilewright.ir import block as ir_block, builtin_attributes, builtin_types
from tilewright.ir.attribute import Type
from tilewright.ir.operation import Operation
from tilewright.ir.value import Value
from tilewright.lowering import capability as lowering_capability, inserting
from tilewright.lowering.cuda_tile_to_tileaa.type_conversion import TileAATypeConverter
from tilewright.lowering.pattern import EmittingPattern, LoweringResult
from tilewright.optimizer.analysis import dataflow, intervals, query
from tilewright.optimizer.analysis.facts import ValueFacts, unknown
from tilewright.optimizer.analysis.rules_control import counter_facts, parameter_facts
from tilewright.optimizer.analysis.rules_memory import index_fits
from tilewright.rewrite.conversion.pattern import Adaptor
from tilewright.rewrite.conversion.rewriter import ConversionRewriter


class TileAAEmitter(inserting.RewritingInserter[ConversionRewriter]):
    """Inserts operations before the operation that is converted, at its location."""

    __slots__ = ()

    # --- integers

    def integer(self, value: int, type: Type) -> Value:
        """Return a constant integer of the integer type `type`, or, for a tile type, a tile whose elements
        are all `value`.
        """
        if not isinstance(type, builtin_types.RankedTensorType):
            return self(arith.ConstantOp, builtin_attributes.IntegerAttr(type, value))
        return self(SplatOp, value=builtin_attributes.IntegerAttr(type.element_type, value), type=type)

    def resized(self, value: Value, type: Type, *, signed: bool) -> Value:
        """Return an integer, or a tile of integers, extended or truncated to the element type ``type``;
        ``signed`` selects sign extension.
        """
        element, target = element_of(value.type), type
        assert isinstance(element, builtin_types.IntegerType), "callers hand in integers"
        assert isinstance(target, builtin_types.IntegerType), "callers ask for integers"
        if element is target:
            return value
        shape = shape_of(value.type)
        wanted = builtin_types.RankedTensorType(shape, target) if shape else target
        if target.width < element.width:
            return self(arith_conversion.TruncIOp, value, type=wanted)
        return self(arith_conversion.ExtSIOp if signed else arith_conversion.ExtUIOp, value, type=wanted)


class TileIRFacts(query.FactsOnDemand):
    """Facts about values of Tile IR, as `ValueFactsAnalysis` has them, but computed on demand while the IR
    changes; they can be less precise.
    """

    def __init__(self) -> None:
        super().__init__(dataflow.rule_of)

    def of_argument(self, block: ir_block.Block, value: Value) -> ValueFacts:
        """Return the facts about a block argument. They are known for parameters of kernels and functions,
        and for counters recorded by `enter`; nothing is known of other arguments.
        """
        return parameter_facts(value) if _is_kernel(block) else unknown(value.type)

    def enter(self, loop: control.ForOp) -> None:
        """Record the facts about the counter of a loop before its body is converted."""
        bounds = [self.facts(value) for value in loop.operands[:3]]
        self.replace(loop.body.block.arguments[0], counter_facts(bounds[0], bounds[1], bounds[2], loop))

    # --- questions

    def bounds(self, value: Value) -> intervals.Interval | None:
        """Return an interval that contains every element of an integer tile, read as signed; None for other
        values.
        """
        return self.facts(value).bounds

    def constant(self, value: Value) -> int | None:
        """Return the number that all elements of an integer tile are known to be; None if that is unknown."""
        return self.facts(value).constant

    def tile_fits(self, view: Value, index: Sequence[Value], dimension: int) -> bool:
        """Return whether a tile of a view is known to be inside the tensor along a dimension.

        It is not enough that the tiles divide the extent exactly: the index has to be known to be in range,
        too.
        """
        return index_fits(view.type, self.facts(view), dimension, self.facts(index[dimension])) is not None


def _is_kernel(block: ir_block.Block) -> bool:
    parent = block.parent_op
    return parent is not None and parent.kind.mnemonic in ("entry", "func")


_Op = TypeVar("_Op", bound=Operation)


@dataclass(frozen=True, slots=True)
class TileAALowering:
    """The context of the patterns: the converter of the pass, facts about values of the input, and the target."""

    converter: TileAATypeConverter
    facts: TileIRFacts = field(default_factory=TileIRFacts)
    capability: lowering_capability.Capability = lowering_capability.HOST


class TilePattern(EmittingPattern[_Op, TileAAEmitter]):
    """The base of the patterns of this conversion: a subclass converts the operation in `lower`, given
    converted operands and result types.
    """

    def __init__(self, lowering: TileAALowering, **named: Any) -> None:
        super().__init__(lowering.converter, **named)
        self.lowering = lowering

    def emitter(self, op: _Op, rewriter: ConversionRewriter) -> TileAAEmitter:
        return TileAAEmitter(rewriter, op.lazy_location)


class EndPattern(TilePattern[_Op]):
    """Converts a terminator to ``becomes`` with the same operands, if its parent is of a class in ``ends``;
    otherwise it does not match. Early exits were removed before.
    """

    becomes: type[Operation]
    ends: tuple[type[Operation], ...]
    """The classes of the parent operations in which the terminator is converted."""

    def lower(self, op: _Op, at: Adaptor, types: Sequence[Type], emit: TileAAEmitter) -> LoweringResult:
        around = op.parent_op
        if not isinstance(around, self.ends):
            name = around.name if around is not None else "nothing"
            return emit.rewriter.no_match("it leaves '{}' early", name)
        return emit.insert(self.becomes, at.operands)
