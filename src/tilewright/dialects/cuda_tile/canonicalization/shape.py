"""Canonical forms of operations that cut and reorder tiles: two in a row become one."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from tilewright.dialects.common.constant_folding import defined_by
from tilewright.dialects.cuda_tile.folds.common import constant_of, splat_of
from tilewright.dialects.cuda_tile.folds.shape import slice_start
from tilewright.dialects.cuda_tile.ops.tile import (
    BroadcastOp,
    CatOp,
    ConstantOp,
    ExtractOp,
    PermuteOp,
    ReshapeOp,
)
from tilewright.dialects.cuda_tile.types import TileType, tile_of
from tilewright.ir.builtin_attributes import DenseElementsAttr
from tilewright.ir.builtin_types import i32
from tilewright.ir.value import Value
from tilewright.rewrite.pattern import NoMatch, RewritePattern, pattern
from tilewright.rewrite.rewriter import Rewriter
from tilewright.rewrite.rules import IdentityRule, attribute, computed, op_pattern, rule, variables

AnyPattern = RewritePattern[Any]
INDEX = TileType((), i32)
(X,) = variables("x")
FIRST, SECOND = attribute("first"), attribute("second")


def _composed(first: Sequence[int], second: Sequence[int]) -> tuple[int, ...]:
    """Return the order of dimensions after two permutations."""
    return tuple(first[at] for at in second)


RULES: tuple[IdentityRule, ...] = (
    rule(
        "BroadcastOfBroadcast",
        op_pattern(BroadcastOp, op_pattern(BroadcastOp, X)),
        op_pattern(BroadcastOp, X),
    ),
    rule("ReshapeOfReshape", op_pattern(ReshapeOp, op_pattern(ReshapeOp, X)), op_pattern(ReshapeOp, X)),
    rule(
        "PermuteOfPermute",
        op_pattern(PermuteOp, op_pattern(PermuteOp, X, permutation=FIRST), permutation=SECOND),
        op_pattern(PermuteOp, X, permutation=computed(_composed, FIRST, SECOND)),
    ),
)
"""Moving the elements of a tile twice: once."""


def _start(op: ExtractOp) -> list[int] | None:
    """Return the start of a slice with constant indices; None if it is unknown."""
    constants = [constant_of(index) for index in op.indices]
    return slice_start(constants, tile_of(op.result).shape, tile_of(op.source).shape)


def _replace_by_slice(op: ExtractOp, source: Value, start: Sequence[int], rewriter: Rewriter) -> None:
    indices: list[Value] = []
    for at, size in zip(start, tile_of(op.result).shape, strict=True):
        number = splat_of(INDEX, at // size)
        assert isinstance(number, DenseElementsAttr)
        indices.append(rewriter.insert(ConstantOp(number, location=op.location)).result)
    made = ExtractOp(source, tuple(indices), result_types=op.result_types, location=op.location)
    rewriter.replace(op, rewriter.insert(made))


@pattern(ExtractOp, name="ExtractOfExtract", defined_by=({0: ExtractOp},))
def extract_once(op: ExtractOp, rewriter: Rewriter) -> NoMatch | None:
    """Merge a slice of a slice with known offsets into one slice."""
    inner = defined_by(op.source, ExtractOp)
    if inner is None:
        return rewriter.no_match("the operand is no slice")
    outer, own = _start(inner), _start(op)
    if outer is None or own is None:
        return rewriter.no_match("an index is unknown or out of range")
    _replace_by_slice(op, inner.source, [a + b for a, b in zip(outer, own, strict=True)], rewriter)
    return None


@pattern(ExtractOp, name="ExtractOfCat", defined_by=({0: CatOp},))
def extract_part(op: ExtractOp, rewriter: Rewriter) -> NoMatch | None:
    """Replace a constant slice inside one part of a concatenation by a slice of that part."""
    joined = defined_by(op.source, CatOp)
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
