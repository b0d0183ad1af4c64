"""Canonicalization patterns that merge two `if` operations: consecutive ones with the same condition, or
nested ones.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from tilewright.dialects.cuda_tile.canonicalization.if_op import block_of, is_inside, with_results, yielded
from tilewright.dialects.cuda_tile.folds.common import negated
from tilewright.dialects.cuda_tile.ops.control import IfOp
from tilewright.dialects.cuda_tile.ops.integer import AndIOp
from tilewright.ir.block import Block, Region
from tilewright.ir.operation import Operation
from tilewright.ir.value import Value
from tilewright.rewrite import pattern as rewrite_pattern, rewriter as rewrite_rewriter

AnyPattern = rewrite_pattern.RewritePattern[Any]


def _matching_regions(first: Any, second: Any) -> tuple[Region, Region] | None:
    """Return the regions of the second `if` that run after the `then` and the `else` region of the first one.
    Return None if the conditions are neither equal nor opposite.
    """
    if first.condition is second.condition:
        return second.then_region, second.else_region
    if negated(first.condition) is second.condition or negated(second.condition) is first.condition:
        return second.else_region, second.then_region
    return None


def _use_yielded(
    results: Sequence[Value], values: Sequence[Value], region: Region, rewriter: rewrite_rewriter.Rewriter
) -> None:
    """Replace uses of an `if`'s ``results`` inside ``region`` by the ``values`` that a branch of the `if`
    yields.
    """
    replaced: dict[Value, Value] = dict(zip(results, values, strict=True))
    for result in results:
        for user in tuple(result.uses):
            home = user.parent.parent if user.parent is not None else None
            if home is not None and region.is_ancestor_of(home):
                operands = [replaced.get(operand, operand) for operand in user.operands]
                rewriter.set_operands(user, operands)


def _append(first: Any, region: Region, following: Region, rewriter: rewrite_rewriter.Rewriter) -> None:
    """Move the operations of the region `following` to the end of `region`, a branch of the `if` ``first``.
    Uses of the results of ``first`` in them become the values that `region` yields; if `following` yields,
    `region` then yields its own values and the values of `following`. Nothing is done if `region` leaves the
    loop or kernel, or if `following` has no block.
    """
    values, more = yielded(region), block_of(following)
    if values is None or more is None:
        return
    _use_yielded(first.results, values, following, rewriter)
    if not region.blocks:
        rewriter.take_region(following, region)
        return
    block: Block = region.block
    last, later = block.last, yielded(following)
    assert last is not None
    if later is not None and more.last is not None:
        rewriter.set_operands(more.last, [*values, *later])
    rewriter.erase(last)
    rewriter.merge_blocks(more, block)


@rewrite_pattern.pattern(IfOp, name="IfSameCondition")
def merge(op: IfOp, rewriter: rewrite_rewriter.Rewriter) -> rewrite_pattern.NoMatch | None:
    """Merge an `if` with the `if` right before it, if the conditions are the same or opposite, and a branch
    of the first one yields.
    """
    first: Any = op.previous
    regions = _matching_regions(first, op) if isinstance(first, IfOp) else None
    if regions is None:
        return rewriter.no_match("there is no `if` with the same condition right before")
    if all(yielded(region) is None for region in first.regions):
        return rewriter.no_match("no branch of the one before comes back")
    for region, following in zip(first.regions, regions, strict=True):
        _append(first, region, following, rewriter)
    types = [*first.result_types, *op.result_types]
    new = with_results(first, first.condition, types, first.regions, rewriter)
    count = len(first.results)
    rewriter.replace(op, new.results[count:])
    rewriter.replace(first, new.results[:count])
    return None


def _only_inner(op: IfOp) -> Any:
    """Return the `if` that is the only operation in the `then` region of `op`, before the `yield`. Return
    None if there is another operation, if an `else` region does more than yield, or if the inner condition
    is defined inside `op`.
    """
    block: Block = op.then_region.block
    inner = block.first
    if not isinstance(inner, IfOp) or inner.next is not block.last or yielded(op.then_region) is None:
        return None
    simple = all(_only_yields(outer.else_region) for outer in (op, inner))
    return inner if simple and not is_inside(op, inner.condition) else None


def _only_yields(region: Region) -> bool:
    block = block_of(region)
    return block is None or (block.first is block.last and yielded(region) is not None)


def _combined(op: IfOp, inner: Any) -> list[Value] | None:
    """Return the values that the combined `if` yields if both conditions hold. Return None if the other two
    cases do not yield equal values.
    """
    given, otherwise = yielded(inner.then_region), yielded(inner.else_region)
    outer, elsewhere = yielded(op.then_region), yielded(op.else_region)
    assert outer is not None
    if given is None:
        return [] if not op.results and not inner.results else None
    found: list[Value] = []
    for value, other in zip(outer, elsewhere or (), strict=True):
        if value not in inner.results or otherwise is None:
            return None
        index: int = inner.results.index(value)
        if otherwise[index] is not other:
            return None
        found.append(given[index])
    return found


@rewrite_pattern.pattern(IfOp, name="IfInIf")
def nested(op: IfOp, rewriter: rewrite_rewriter.Rewriter) -> rewrite_pattern.NoMatch | None:
    """Merge an `if` whose `then` branch contains only another `if` with it; both conditions are combined by
    `and`. The yielded values must not depend on which condition is false.
    """
    inner = _only_inner(op)
    if inner is None:
        return rewriter.no_match(
            "the first branch does not consist of one `if`, or the second does something"
        )
    values = _combined(op, inner)
    if values is None:
        return rewriter.no_match("the yielded values depend on which condition is false")
    both = rewriter.insert(AndIOp(op.condition, inner.condition, location=op.location)).result
    _unwrap(op, inner, values, rewriter)
    rewriter.set_operands(op, [both])
    return None


def _unwrap(op: IfOp, inner: Any, values: list[Value], rewriter: rewrite_rewriter.Rewriter) -> None:
    """Replace the `then` branch of the outer `if` with the `then` branch of the inner `if`, which then yields
    ``values`` if it yields.
    """
    outer: Block = op.then_region.block
    body: Block = inner.then_region.block
    last = outer.last
    comes_back = yielded(inner.then_region) is not None
    assert last is not None
    rewriter.erase(last)
    leaving: Operation | None = body.last
    rewriter.inline_block(body, inner)
    rewriter.erase(inner)
    if comes_back and leaving is not None:
        rewriter.set_operands(leaving, values)


PATTERNS: tuple[AnyPattern, ...] = (merge, nested)
