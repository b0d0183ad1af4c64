"""Canonicalization patterns of `if`: known conditions, results with known values, branches that leave the
loop or kernel.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from tilewright.dialects.common.constraints import checked_type
from tilewright.dialects.cuda_tile.folds import common as common_folds
from tilewright.dialects.cuda_tile.ops import integer as integer_ops, tile as tile_ops
from tilewright.dialects.cuda_tile.ops.control import ForOp, IfOp, YieldOp
from tilewright.dialects.cuda_tile.types import TileType
from tilewright.ir import builtin_attributes, builtin_types
from tilewright.ir.arithmetic.twos_complement import to_signed
from tilewright.ir.attribute import Type
from tilewright.ir.block import Block, Region
from tilewright.ir.operation import Operation
from tilewright.ir.value import Value
from tilewright.rewrite.pattern import NoMatch, RewritePattern, pattern
from tilewright.rewrite.rewriter import Rewriter

AnyPattern = RewritePattern[Any]


def block_of(region: Region) -> Block | None:
    """Return the block of a branch; None for an `else` that is not there."""
    return region.block if region.blocks else None


def yielded(region: Region) -> Sequence[Value] | None:
    """Return the values that a branch yields; None if it ends in another way.

    A missing `else` yields no values.
    """
    if not region.blocks:
        return ()
    last = region.block.last
    return last.operands if isinstance(last, YieldOp) else None


def erase_rest(op: Operation, rewriter: Rewriter) -> None:
    """Erase all operations after an operation in its block."""
    block = op.parent
    assert block is not None
    behind = list(block.ops)
    for later in reversed(behind[behind.index(op) + 1 :]):
        rewriter.erase(later)


def replace_by_block(op: Operation, block: Block, rewriter: Rewriter) -> None:
    """Replace an `if` with one of its branches.

    If the branch leaves the loop or the kernel, operations after it are erased.
    """
    last = block.last
    assert last is not None
    if isinstance(last, YieldOp):
        rewriter.inline_block(block, op)
        values = last.operands
        rewriter.erase(last)
        rewriter.replace(op, values)
        return
    erase_rest(op, rewriter)
    rewriter.inline_block(block, op)
    rewriter.erase(op)


@pattern(IfOp, name="IfStaticCondition", defined_by=({0: tile_ops.ConstantOp},))
def static_condition(op: IfOp, rewriter: Rewriter) -> NoMatch | None:
    """Replace an `if` whose condition is a constant by the operations of the chosen branch; if the chosen
    branch is a missing `else`, erase the `if`.
    """
    truth = common_folds.known_truth(op.condition)
    if truth is None:
        return rewriter.no_match("the condition is not a constant")
    block = block_of(op.then_region if truth else op.else_region)
    if block is None:
        rewriter.erase(op)
    else:
        replace_by_block(op, block, rewriter)
    return None


@pattern(IfOp, name="IfNegatedCondition", defined_by=({0: integer_ops.XOrIOp},))
def negated_condition(op: IfOp, rewriter: Rewriter) -> NoMatch | None:
    """Swap the branches of an `if` that has an `else` and a negated condition; its new condition is the value
    that was negated.
    """
    condition = common_folds.negated(op.condition)
    if condition is None or not op.else_region.blocks:
        return rewriter.no_match("the condition is not negated, or there is no other branch")
    aside = Region()
    rewriter.take_region(op.then_region, aside)
    rewriter.take_region(op.else_region, op.then_region)
    rewriter.take_region(aside, op.else_region)
    rewriter.set_operands(op, [condition])
    return None


def with_results(
    op: Operation, condition: Value, types: Sequence[Type], regions: Sequence[Region], rewriter: Rewriter
) -> Operation:
    """Insert and return a new `if` with the given condition and result types, and the attributes and location
    of ``op``. It gets the blocks of `regions`, which are left empty; ``op`` stays, for the caller to replace.
    """
    own = [Region(), Region()]
    for old, new in zip(regions, own, strict=False):
        rewriter.take_region(old, new)
    attributes = dict(op.attributes)
    return rewriter.insert(
        Operation.from_parts(IfOp.op_kind, [condition], types, attributes, own, (), op.lazy_location)
    )


@pattern(IfOp, name="IfUnusedResults")
def unused_results(op: IfOp, rewriter: Rewriter) -> NoMatch | None:
    """Replace an `if` that has unused results by an `if` without them, whose branches do not yield their
    values.
    """
    kept: list[int] = [result.index for result in op.results if result.has_uses]
    if len(kept) == len(op.results):
        return rewriter.no_match("every result is used")
    for region in op.regions:
        values, end = yielded(region), region.block.last
        if values is not None and end is not None:
            rewriter.set_operands(end, [values[index] for index in kept])
    types: list[Type] = [op.results[index].type for index in kept]
    regions: Sequence[Region] = op.regions
    new = with_results(op, op.condition, types, regions, rewriter)
    for position, index in enumerate(kept):
        rewriter.replace_all_uses(op.results[index], new.results[position])
    rewriter.erase(op)
    return None


# --- results known from outside


def is_inside(op: Operation, value: Value) -> bool:
    """Return whether a value is defined directly in a branch of the `if` `op`."""
    return value.parent_region in op.regions


def is_selectable(type: Type) -> bool:
    """Return whether `select` takes values of a type."""
    return isinstance(type, TileType) and type.element_type is not builtin_types.f4E2M1FN


def selected(condition: Value, first: Value, second: Value, op: Operation, rewriter: Rewriter) -> Value:
    """Return one of two tiles, selected by a scalar condition: a new `select`, with the condition broadcast
    to the shape of the tiles.
    """
    tile, where = first.type, op.location
    assert isinstance(tile, TileType)
    for shape, made in (((1,) * len(tile.shape), tile_ops.ReshapeOp), (tile.shape, tile_ops.BroadcastOp)):
        wanted = TileType(shape, builtin_types.i1)
        if condition.type is not wanted:
            condition = rewriter.insert(made(condition, result_types=[wanted], location=where)).result
    return rewriter.insert(tile_ops.SelectOp(condition, first, second, location=where)).result


def opposite(condition: Value, op: Operation, rewriter: Rewriter) -> Value:
    """Return the negation of a boolean tile, by a new operation."""
    true = common_folds.splat_of(condition.type, 1)
    assert isinstance(true, builtin_attributes.DenseElementsAttr)
    held = rewriter.insert(tile_ops.ConstantOp(true, location=op.location)).result
    return rewriter.insert(integer_ops.XOrIOp(condition, held, location=op.location)).result


def _replacement(op: IfOp, first: Value, second: Value, rewriter: Rewriter) -> Value | None:
    """Return a value equal to a result that is `first` or `second` by the condition: one of them, the
    condition or its negation, or a select. None if there is none.
    """
    if first is second:
        return first
    if first.type is op.condition.type:
        truths = common_folds.known_truth(first), common_folds.known_truth(second)
        if truths == (True, False):
            return op.condition
        if truths == (False, True):
            return opposite(op.condition, op, rewriter)
    if is_inside(op, first) or is_inside(op, second) or not is_selectable(first.type):
        return None
    return selected(op.condition, first, second, op, rewriter)


def _known_result(op: IfOp, index: int, rewriter: Rewriter) -> Value | None:
    """Return a value outside of the `if` that equals result number ``index``: a value that exists, or a new
    negation or select; None if there is none.
    """
    branches = [values for values in map(yielded, op.regions) if values is not None]
    if len(branches) == 2:
        return _replacement(op, branches[0][index], branches[1][index], rewriter)
    only = branches[0][index] if branches else None
    return only if only is not None and not is_inside(op, only) else None


@pattern(IfOp, name="IfKnownResults")
def known_results(op: IfOp, rewriter: Rewriter) -> NoMatch | None:
    """Replace the results of an `if` whose values are defined outside of it: by a select, or, if one branch
    leaves, by the other branch's value. A result that is true in one branch and false in the other becomes
    the condition or its negation.
    """
    changed = False
    for result in op.results:
        known = _known_result(op, result.index, rewriter) if result.has_uses else None
        if known is not None:
            rewriter.replace_all_uses(result, known)
            changed = True
    return None if changed else rewriter.no_match("every used result is computed inside, or of no tile type")


# --- branches


@pattern(IfOp, name="IfEmptyElse")
def empty_else(op: IfOp, rewriter: Rewriter) -> NoMatch | None:
    """Remove an `else` that consists of a `yield` only from an `if` without results."""
    block = block_of(op.else_region)
    if op.results or block is None or block.first is not block.last or yielded(op.else_region) is None:
        return rewriter.no_match("the second branch is missing, yields, leaves or does something")
    with rewriter.modify(op):
        rewriter.erase_block(block)
    return None


@pattern(IfOp, name="IfBothLeave")
def both_leave(op: IfOp, rewriter: Rewriter) -> NoMatch | None:
    """Move the operations of the `else` branch out of an `if` whose branches both leave the loop or kernel,
    to the place behind it, and erase the operations that followed, which are never reached.
    """
    if not op.else_region.blocks or any(yielded(region) is not None for region in op.regions):
        return rewriter.no_match("one of the branches comes back")
    with_results(op, op.condition, (), [op.then_region], rewriter)
    replace_by_block(op, op.else_region.block, rewriter)
    return None


# --- for


@pattern(ForOp, name="ForNeverRuns")
def never_runs(op: ForOp, rewriter: Rewriter) -> NoMatch | None:
    """Replace a loop without iterations by its initial values: both bounds are the same value, or they are
    constants and the lower one is not less than the upper one, in the signedness of the loop.
    """
    if op.lower_bound is not op.upper_bound and not _starts_at_end(op):
        return rewriter.no_match("the loop may run")
    rewriter.replace(op, op.init_values)
    return None


def _starts_at_end(op: ForOp) -> bool:
    low, high = (
        common_folds.splat_pattern(common_folds.constant_of(value))
        for value in (op.lower_bound, op.upper_bound)
    )
    element = checked_type(op.lower_bound).element_type
    if low is None or high is None or not isinstance(element, builtin_types.IntegerType):
        return False
    if op.unsigned_cmp:
        return low >= high
    return to_signed(low, element.width) >= to_signed(high, element.width)


PATTERNS: tuple[AnyPattern, ...] = (
    unused_results,
    known_results,
    static_condition,
    negated_condition,
    empty_else,
    both_leave,
    never_runs,
)
