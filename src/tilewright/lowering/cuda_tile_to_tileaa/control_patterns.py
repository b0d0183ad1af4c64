"""Conversion of structured control flow.

Early exits were removed before (`early_exits`): branches end in `yield`, and loops in one terminator.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from tilewright.dialects.arith.ops_conversion import TruncIOp
from tilewright.dialects.cuda_tile.ops import control
from tilewright.dialects.nv_tileaa.ops import memory as aa_memory, shape as aa
from tilewright.dialects.nv_tileaa.types import MemTokenType
from tilewright.dialects.scf import ops_loop as scf
from tilewright.dialects.ub.dialect import PoisonOp
from tilewright.ir.attribute import Type
from tilewright.ir.block import Region
from tilewright.ir.builder import InsertionPoint
from tilewright.ir.builtin_types import IntegerType, i32, i64
from tilewright.ir.operation import Operation
from tilewright.ir.value import Value
from tilewright.lowering.cuda_tile_to_tileaa.pattern import (
    EndPattern,
    TileAAEmitter,
    TileAALowering,
    TilePattern,
)
from tilewright.lowering.pattern import LoweringResult
from tilewright.rewrite.conversion.pattern import Adaptor
from tilewright.rewrite.conversion.type_converter import SignatureConversion

LOOPS_AND_BRANCHES = (scf.WhileOp, scf.ConditionOp, scf.YieldOp)
"""The operations that `early_exits` creates. Their operands are still of Tile IR types."""


class IfPattern(TilePattern[control.IfOp]):
    """Converts an `if` to `scf.if`. The regions are moved; the operations in them are converted later."""

    def lower(
        self, op: control.IfOp, at: Adaptor, types: Sequence[Type], emit: TileAAEmitter
    ) -> LoweringResult:
        made = emit.insert(
            scf.IfOp, at.condition, thenRegion=Region(), elseRegion=Region(), result_types=types
        )
        emit.rewriter.take_region(op.then_region, made.thenRegion)
        emit.rewriter.take_region(op.else_region, made.elseRegion)
        return made


class YieldPattern(TilePattern[control.YieldOp]):
    """Converts a `yield`: to `scf.yield` in a branch or an `scf.while`, to the `yield` of `nv_tileaa` in the
    body of a reduction or scan.
    """

    def lower(
        self, op: control.YieldOp, at: Adaptor, types: Sequence[Type], emit: TileAAEmitter
    ) -> LoweringResult:
        branch = isinstance(op.parent_op, scf.IfOp | scf.WhileOp | control.IfOp)
        return emit.insert(scf.YieldOp if branch else aa.YieldOp, at.operands)


class ContinuePattern(EndPattern[control.ContinueOp]):
    """Converts the terminator of the body of `for` to `scf.yield`. A `continue` elsewhere does not match."""

    becomes = scf.YieldOp
    ends = (scf.ForOp, control.ForOp)


class ForPattern(TilePattern[control.ForOp]):
    """Converts a counted loop to `scf.for`.

    In Tile IR the counter never wraps. The new counter is wide enough for that: narrow counters get 32 bits,
    and counters of 32 bits get 64 unless the last step is known to stay in range.
    """

    def lower(
        self, op: control.ForOp, at: Adaptor, types: Sequence[Type], emit: TileAAEmitter
    ) -> LoweringResult:
        self.lowering.facts.enter(op)
        narrow: Any = at.lower_bound.type
        width = self._width(op, narrow)
        limits = [
            emit.resized(value, width, signed=not op.unsigned_cmp)
            for value in (at.lower_bound, at.upper_bound, at.step)
        ]
        made = emit.insert(
            scf.ForOp,
            *limits,
            at.init_values,
            unsignedCmp=op.unsigned_cmp,
            region=Region(),
            result_types=types,
        )
        self._take_body(op, made, narrow, width, emit)
        return made

    def _width(self, op: control.ForOp, narrow: IntegerType) -> IntegerType:
        if narrow.width < i32.width:
            return i32
        return i64 if narrow is i32 and not self._stays_inside(op) else narrow

    def _stays_inside(self, op: control.ForOp) -> bool:
        """Return whether a counter of 32 bits is known not to wrap around when the step is added after the
        last iteration. It is False if the bounds of the operands are unknown.
        """
        facts = self.lowering.facts
        if facts.constant(op.step) == 1:
            return True
        step, upper = facts.bounds(op.step), facts.bounds(op.upper_bound)
        if step is None or upper is None or (op.unsigned_cmp and min(step.low, upper.low) < 0):
            return False
        return upper.high - 1 + step.high < 1 << 31

    def _take_body(
        self, op: control.ForOp, made: Any, narrow: Type, width: Type, emit: TileAAEmitter
    ) -> None:
        """Move the body into the new loop `made` and convert its arguments. If the new counter is wider, the
        body gets it truncated to `narrow`.
        """
        rewriter, converter = emit.rewriter, self.lowering.converter
        block = op.body.block
        old = [argument.type for argument in block.arguments]
        rewriter.take_region(op.body, made.region)
        conversion = converter.convert_signature(old[1:])
        assert conversion is not None, "the results have the same types"
        counter = block.arguments[0]
        rewriter.convert_block(block, SignatureConversion(((width,), *conversion.parts)))
        if width is not narrow:
            with rewriter.at(InsertionPoint.at_start(block)):
                cut = emit(TruncIOp, block.arguments[0], type=narrow)
            rewriter.log_undo(rewriter.mapping.__setitem__, counter, rewriter.mapping.pop(counter))
            rewriter.map_value(counter, cut)


class LoopPattern(TilePattern[control.LoopOp]):
    """Declared for completeness of the pattern set; it matches no loop, since `early_exits` replaces all
    loops by `scf.while` before.
    """

    def lower(
        self, op: control.LoopOp, at: Adaptor, types: Sequence[Type], emit: TileAAEmitter
    ) -> LoweringResult:
        return emit.rewriter.no_match("its exits were not removed")


class BreakPattern(TilePattern[control.BreakOp]):
    """Declared for completeness of the pattern set; it matches no `break`, since `early_exits` removes all of
    them before.
    """

    def lower(
        self, op: control.BreakOp, at: Adaptor, types: Sequence[Type], emit: TileAAEmitter
    ) -> LoweringResult:
        return emit.rewriter.no_match("its loop was not converted")


class ConvertTypesPattern(TilePattern[Operation]):
    """Rebuilds an operation with converted operand and result types, and with its regions, whose arguments
    are converted. It does not match if an argument has no converted type.
    """

    def lower(self, op: Operation, at: Adaptor, types: Sequence[Type], emit: TileAAEmitter) -> LoweringResult:
        rewriter = emit.rewriter
        regions = [Region() for _ in op.regions]
        made = Operation.from_parts(
            op.kind, at.operands, types, dict(op.held_attributes), regions, location=op.lazy_location
        )
        rewriter.insert(made)
        for source, target in zip(op.regions, made.regions, strict=True):
            rewriter.take_region(source, target)
            if not rewriter.convert_region_types(target, self.lowering.converter):
                return rewriter.no_match("the arguments of a region cannot be converted")
        return made


class PoisonPattern(TilePattern[PoisonOp]):
    """Converts the type of `ub.poison`, a type of Tile IR; a poison token becomes a new token."""

    def lower(self, op: PoisonOp, at: Adaptor, types: Sequence[Type], emit: TileAAEmitter) -> LoweringResult:
        (type,) = types
        made: Value
        if isinstance(type, MemTokenType):
            made = emit(aa_memory.CreateMemTokenOp, type=type)
        else:
            made = emit(PoisonOp, type=type)
        return made


def control_patterns(lowering: TileAALowering) -> list[TilePattern[Any]]:
    """Return the patterns for control flow and poison: for operations of `cuda_tile`, and for the operations
    of `scf` that the removal of early exits created, whose types are converted.
    """
    classes = (IfPattern, YieldPattern, ContinuePattern, ForPattern, LoopPattern, BreakPattern, PoisonPattern)
    made = [pattern(lowering) for pattern in classes]
    return [*made, *(ConvertTypesPattern(lowering, root=op_class) for op_class in LOOPS_AND_BRANCHES)]
