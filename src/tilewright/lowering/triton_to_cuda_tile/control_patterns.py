"""Patterns for loops and branches.

`structure` has removed branches between blocks before. A value may be replaced by several values, as
descriptors are.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from tilewright.dialects.cuda_tile.ops import control
from tilewright.dialects.scf import ops_loop as scf
from tilewright.dialects.tt.ops import function as tt
from tilewright.ir.attribute import Type
from tilewright.ir.block import Block, Region
from tilewright.lowering.pattern import LoweringResult
from tilewright.lowering.triton_to_cuda_tile.emit import CudaTileEmitter
from tilewright.lowering.triton_to_cuda_tile.pattern import SpreadPattern, TritonLowering, flat
from tilewright.rewrite.conversion.pattern import Adaptor

ENTERED = (control.LoopOp, control.BreakOp)
"""The operations that `structure` inserts for early returns; their operands are not converted yet."""


def take_body(emit: CudaTileEmitter, lowering: TritonLowering, source: Region, target: Region) -> Block:
    """Move the block of the region `source` into `target`, the region of a new operation, and convert the
    types of its arguments. Return the block.
    """
    emit.rewriter.take_region(source, target)
    converted = emit.rewriter.convert_region_types(target, lowering.converter)
    assert converted, "arguments have the types of operands, which were converted"
    return target.block


class TritonIfPattern(SpreadPattern[scf.IfOp]):
    """Converts `scf.if` to `if`; a missing else region becomes one that yields nothing. The regions are moved
    unconverted.
    """

    def lower(
        self, op: scf.IfOp, at: Adaptor, types: Sequence[Type], emit: CudaTileEmitter
    ) -> LoweringResult:
        (condition,) = at.condition
        made = emit.insert(
            control.IfOp, condition, then_region=Region(), else_region=Region(), result_types=types
        )
        emit.rewriter.take_region(op.thenRegion, made.then_region)
        if op.elseRegion.blocks:
            emit.rewriter.take_region(op.elseRegion, made.else_region)
        else:
            with emit.rewriter.at(emit.rewriter.point):
                emit.rewriter.create_block(made.else_region)
                emit.insert(control.YieldOp, ())
        return made


class TritonForPattern(SpreadPattern[scf.ForOp]):
    """Converts `scf.for` to the `for` of Tile IR. The body is moved, and the types of its arguments are
    converted.
    """

    def lower(
        self, op: scf.ForOp, at: Adaptor, types: Sequence[Type], emit: CudaTileEmitter
    ) -> LoweringResult:
        (low,), (high,), (step,) = at.lowerBound, at.upperBound, at.step
        made = emit.insert(
            control.ForOp,
            low,
            high,
            step,
            flat(at.initArgs),
            unsigned_cmp=op.unsignedCmp,
            body=Region(),
            result_types=types,
        )
        take_body(emit, self.lowering, op.region, made.body)
        return made


class WhilePattern(SpreadPattern[scf.WhileOp]):
    """Converts a `while` to a `loop`: the operations of the first region, a `break` unless the condition
    holds, then the second region.
    """

    def lower(
        self, op: scf.WhileOp, at: Adaptor, types: Sequence[Type], emit: CudaTileEmitter
    ) -> LoweringResult:
        made = emit.insert(control.LoopOp, flat(at.inits), body=Region(), result_types=types)
        rewriter = emit.rewriter
        block = take_body(emit, self.lowering, op.before, made.body)
        condition, after = block.last, op.after.block
        assert isinstance(condition, scf.ConditionOp), "the first region ends in its condition"
        rewriter.merge_blocks(after, block, condition.args)
        return made


class ConditionPattern(SpreadPattern[scf.ConditionOp]):
    """Converts `scf.condition` to an `if` that ends the loop by a `break` with its values unless the
    condition holds.
    """

    def lower(
        self, op: scf.ConditionOp, at: Adaptor, types: Sequence[Type], emit: CudaTileEmitter
    ) -> LoweringResult:
        (condition,) = at.condition
        going, leaving = Block(), Block()
        going.append(control.YieldOp((), location=op.lazy_location))
        leaving.append(control.BreakOp(tuple(flat(at.args)), location=op.lazy_location))
        emit.insert(
            control.IfOp,
            condition,
            then_region=Region([going]),
            else_region=Region([leaving]),
            result_types=[],
        )
        return ()


class TritonYieldPattern(SpreadPattern[scf.YieldOp]):
    """Converts `scf.yield`: to `yield` in a branch, to `continue` at the end of an iteration."""

    def lower(
        self, op: scf.YieldOp, at: Adaptor, types: Sequence[Type], emit: CudaTileEmitter
    ) -> LoweringResult:
        branch = isinstance(op.parent_op, control.IfOp | scf.IfOp)
        emit.insert(control.YieldOp if branch else control.ContinueOp, flat(at.operands))
        return ()


class TritonReturnPattern(SpreadPattern[tt.ReturnOp]):
    """Converts the return of a kernel, which may be inside of branches, to the `return` of Tile IR. Returns
    with values do not match.
    """

    def lower(
        self, op: tt.ReturnOp, at: Adaptor, types: Sequence[Type], emit: CudaTileEmitter
    ) -> LoweringResult:
        if op.operands:
            return emit.rewriter.no_match("a kernel has no one to return values to")
        emit.insert(control.ReturnOp, ())
        return ()


class TritonLoopPattern(SpreadPattern[control.LoopOp]):
    """Converts the operands and results of the `loop` that `structure` makes of a call of a function with
    early returns.
    """

    def lower(
        self, op: control.LoopOp, at: Adaptor, types: Sequence[Type], emit: CudaTileEmitter
    ) -> LoweringResult:
        made = emit.insert(control.LoopOp, flat(at.operands), body=Region(), result_types=types)
        take_body(emit, self.lowering, op.body, made.body)
        return made


class TritonBreakPattern(SpreadPattern[control.BreakOp]):
    """Converts the `break` that `structure` makes of an early return of a called function."""

    def lower(
        self, op: control.BreakOp, at: Adaptor, types: Sequence[Type], emit: CudaTileEmitter
    ) -> LoweringResult:
        emit.insert(control.BreakOp, flat(at.operands))
        return ()


def control_patterns(lowering: TritonLowering) -> list[SpreadPattern[Any]]:
    """Return the patterns for loops, branches and returns."""
    classes = (
        TritonIfPattern,
        TritonForPattern,
        WhilePattern,
        ConditionPattern,
        TritonYieldPattern,
        TritonReturnPattern,
        TritonLoopPattern,
        TritonBreakPattern,
    )
    return [pattern(lowering) for pattern in classes]
