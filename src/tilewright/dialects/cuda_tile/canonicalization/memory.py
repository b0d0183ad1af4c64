"""Canonicalization patterns of loads and stores with constant masks, and of true assertions.

Only weak accesses go away: others order memory even where they access nothing.
"""

from __future__ import annotations

from typing import Any

from tilewright.dialects.cuda_tile.enums import MemoryOrderingSemantics
from tilewright.dialects.cuda_tile.folds.common import known_truth
from tilewright.dialects.cuda_tile.ops import control as control_ops, tile as tile_ops
from tilewright.dialects.cuda_tile.ops.memory import LoadPtrTkoOp, MakeTokenOp, StorePtrTkoOp
from tilewright.ir.value import Value
from tilewright.rewrite.pattern import NoMatch, RewritePattern, pattern
from tilewright.rewrite.rewriter import Rewriter

AnyPattern = RewritePattern[Any]


def _truth(op: LoadPtrTkoOp | StorePtrTkoOp) -> bool | None:
    return known_truth(op.mask) if op.mask is not None else None


def _is_weak(op: LoadPtrTkoOp | StorePtrTkoOp) -> bool:
    return op.memory_ordering_semantics is MemoryOrderingSemantics.WEAK


def _order(op: LoadPtrTkoOp | StorePtrTkoOp) -> dict[str, Any]:
    return {
        "memory_ordering_semantics": op.memory_ordering_semantics,
        "memory_scope": op.memory_scope,
        "optimization_hints": op.optimization_hints,
        "token": op.token,
        "result_types": op.result_types,
        "location": op.location,
    }


def _token_before(op: LoadPtrTkoOp | StorePtrTkoOp, rewriter: Rewriter) -> Value:
    """Return the token that replaces the token of an access without effect: the access's own input token, or
    a new token if it has none.
    """
    if op.token is not None:
        return op.token
    return rewriter.insert(MakeTokenOp(result_types=[op.result_token.type], location=op.location)).result


@pattern(LoadPtrTkoOp, name="LoadAll", defined_by=({1: tile_ops.ConstantOp},))
def load_all(op: LoadPtrTkoOp, rewriter: Rewriter) -> NoMatch | None:
    """Drop a mask whose elements are all true, and the padding value with it."""
    if _truth(op) is not True:
        return rewriter.no_match("the mask is not known to be true")
    rewriter.replace(op, rewriter.insert(LoadPtrTkoOp(source=op.source, **_order(op))))
    return None


@pattern(LoadPtrTkoOp, name="LoadNothing", defined_by=({1: tile_ops.ConstantOp},))
def load_nothing(op: LoadPtrTkoOp, rewriter: Rewriter) -> NoMatch | None:
    """Replace a weak load whose mask is all false by its padding value, which it must have. Uses of its token
    get its input token, or a new token if it has none.
    """
    if _truth(op) is not False or op.padding_value is None or not _is_weak(op):
        return rewriter.no_match(
            "the mask is not known to be false, there is no padding, or it orders memory"
        )
    rewriter.replace(op, [op.padding_value, _token_before(op, rewriter)])
    return None


@pattern(StorePtrTkoOp, name="StoreAll", defined_by=({2: tile_ops.ConstantOp},))
def store_all(op: StorePtrTkoOp, rewriter: Rewriter) -> NoMatch | None:
    """Remove a mask that is all true from a store."""
    if _truth(op) is not True:
        return rewriter.no_match("the mask is not known to be true")
    made = StorePtrTkoOp(destination=op.destination, value=op.value, **_order(op))
    rewriter.replace(op, rewriter.insert(made))
    return None


@pattern(StorePtrTkoOp, name="StoreNothing", defined_by=({2: tile_ops.ConstantOp},))
def store_nothing(op: StorePtrTkoOp, rewriter: Rewriter) -> NoMatch | None:
    """Erase a weak store whose mask is all false. Uses of its token get its input token, or a new token if it
    has none.
    """
    if _truth(op) is not False or not _is_weak(op):
        return rewriter.no_match("the mask is not known to be false, or the store orders memory")
    rewriter.replace(op, _token_before(op, rewriter))
    return None


@pattern(control_ops.AssertOp, name="AssertTrue", defined_by=({0: tile_ops.ConstantOp},))
def assert_true(op: control_ops.AssertOp, rewriter: Rewriter) -> NoMatch | None:
    """Erase an assertion whose condition is true."""
    if known_truth(op.condition) is not True:
        return rewriter.no_match("the condition is not known to hold")
    rewriter.erase(op)
    return None


PATTERNS: tuple[AnyPattern, ...] = (load_all, load_nothing, store_all, store_nothing, assert_true)
