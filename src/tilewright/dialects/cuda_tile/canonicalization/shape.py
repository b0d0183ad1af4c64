"""Canonicalization patterns of operations that slice and reorder tiles: they merge two consecutive
operations.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from tilewright.dialects.common.constant_folding import defined_by
from tilewright.dialects.cuda_tile.folds import common as common_folds, shape as shape_folds
from tilewright.dialects.cuda_tile.ops import tile as tile_ops
from tilewright.dialects.cuda_tile.types import TileType, tile_of
from tilewright.ir import builtin_attributes, builtin_types
from tilewright.ir.value import Value
from tilewright.rewrite import rewriter as rewrite_rewriter, rules as rewrite_rules
from tilewright.rewrite.pattern import NoMatch, RewritePattern, pattern

AnyPattern = RewritePattern[Any]
INDEX = TileType((), builtin_types.i32)
(X,) = rewrite_rules.variables("x")
FIRST, SECOND = rewrite_rules.attribute("first"), rewrite_rules.attribute("second")


def _composed(first: Sequence[int], second: Sequence[int]) -> tuple[int, ...]:
    """Return the permutation of dimensions that equals the permutation ``first`` followed by ``second``."""
    return tuple(first[at] for at in second)


RULES: tuple[rewrite_rules.IdentityRule, ...] = (
    rewrite_rules.rule(
        "BroadcastOfBroadcast",
        rewrite_rules.op_pattern(tile_ops.BroadcastOp, rewrite_rules.op_pattern(tile_ops.BroadcastOp, X)),
        rewrite_rules.op_pattern(tile_ops.BroadcastOp, X),
    ),
    rewrite_rules.rule(
        "ReshapeOfReshape",
        rewrite_rules.op_pattern(tile_ops.ReshapeOp, rewrite_rules.op_pattern(tile_ops.ReshapeOp, X)),
        rewrite_rules.op_pattern(tile_ops.ReshapeOp, X),
    ),
    rewrite_rules.rule(
        "PermuteOfPermute",
        rewrite_rules.op_pattern(
            tile_ops.PermuteOp,
            rewrite_rules.op_pattern(tile_ops.PermuteOp, X, permutation=FIRST),
            permutation=SECOND,
        ),
        rewrite_rules.op_pattern(
            tile_ops.PermuteOp, X, permutation=rewrite_rules.computed(_composed, FIRST, SECOND)
        ),
    ),
)
"""Rules that merge two consecutive operations of one kind that rearrange the elements of a tile."""


def _start(op: tile_ops.ExtractOp) -> list[int] | None:
    """Return the start of a slice with constant indices, in elements for each dimension; None if it is
    unknown or out of range.
    """
    constants = [common_folds.constant_of(index) for index in op.indices]
    return shape_folds.slice_start(constants, tile_of(op.result).shape, tile_of(op.source).shape)


def _replace_by_slice(
    op: tile_ops.ExtractOp, source: Value, start: Sequence[int], rewriter: rewrite_rewriter.Rewriter
) -> None:
    indices: list[Value] = []
    for at, size in zip(start, tile_of(op.result).shape, strict=True):
        number = common_folds.splat_of(INDEX, at // size)
        assert isinstance(number, builtin_attributes.DenseElementsAttr)
        indices.append(rewriter.insert(tile_ops.ConstantOp(number, location=op.location)).result)
    made = tile_ops.ExtractOp(source, tuple(indices), result_types=op.result_types, location=op.location)
    rewriter.replace(op, rewriter.insert(made))


@pattern(tile_ops.ExtractOp, name="ExtractOfExtract", defined_by=({0: tile_ops.ExtractOp},))
def extract_once(op: tile_ops.ExtractOp, rewriter: rewrite_rewriter.Rewriter) -> NoMatch | None:
    """Merge a slice of a slice with known offsets into one slice."""
    inner = defined_by(op.source, tile_ops.ExtractOp)
    if inner is None:
        return rewriter.no_match("the operand is no slice")
    outer, own = _start(inner), _start(op)
    if outer is None or own is None:
        return rewriter.no_match("an index is unknown or out of range")
    _replace_by_slice(op, inner.source, [a + b for a, b in zip(outer, own, strict=True)], rewriter)
    return None


@pattern(tile_ops.ExtractOp, name="ExtractOfCat", defined_by=({0: tile_ops.CatOp},))
def extract_part(op: tile_ops.ExtractOp, rewriter: rewrite_rewriter.Rewriter) -> NoMatch | None:
    """Replace a constant slice inside one part of a concatenation by a slice of that part, if the slice
    starts there at a multiple of its size.
    """
    joined = defined_by(op.source, tile_ops.CatOp)
    start = _start(op) if joined is not None else None
    if joined is None or start is None:
        return rewriter.no_match("the operand is not joined, or an index is unknown or out of range")
    dim: int = joined.dim
    size, first = tile_of(op.result).shape[dim], tile_of(joined.lhs).shape[dim]
    part = joined.lhs
    if start[dim] >= first:
        part, start[dim] = joined.rhs, start[dim] - first
    if start[dim] + size > tile_of(part).shape[dim] or start[dim] % size:
        return rewriter.no_match("the slice is part of both, or no slice of its part")
    _replace_by_slice(op, part, start, rewriter)
    return None


PATTERNS: tuple[AnyPattern, ...] = (*RULES, extract_once, extract_part)
