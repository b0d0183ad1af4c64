"""Canonical forms of conversions: two in a row become one."""

from __future__ import annotations

from typing import Any

from tilewright.dialects.common.constant_folding import defined_by
from tilewright.dialects.cuda_tile.enums import Signedness
from tilewright.dialects.cuda_tile.folds_common import width_of
from tilewright.dialects.cuda_tile.ops_conversion import (
    BitcastOp,
    ExtIOp,
    IntToPtrOp,
    PtrToIntOp,
    PtrToPtrOp,
    TruncIOp,
)
from tilewright.ir.operation import Operation
from tilewright.ir.value import Value
from tilewright.rewrite.pattern import NoMatch, RewritePattern, pattern
from tilewright.rewrite.rewriter import Rewriter

AnyPattern = RewritePattern[Any]


def _replace(op: Operation, made: Operation, rewriter: Rewriter) -> None:
    rewriter.replace(op, rewriter.insert(made))


@pattern(ExtIOp, name="ExtIOfExtI")
def extend_once(op: ExtIOp, rewriter: Rewriter) -> NoMatch | None:
    """Extending twice in the same way, or filling zeros first (which makes the sign positive): once."""
    inner = defined_by(op.from_, "cuda_tile.exti")
    if inner is None:
        return rewriter.no_match("the operand is not extended")
    if inner.signedness is Signedness.SIGNED and op.signedness is Signedness.UNSIGNED:
        return rewriter.no_match("the copies of the sign bit do not reach the upper part")
    _replace(op, _extended(op, inner.from_, inner.signedness), rewriter)
    return None


def _extended(op: Operation, value: Value, signedness: Signedness) -> Operation:
    return ExtIOp(value, signedness, result_types=op.result_types, location=op.location)


@pattern(TruncIOp, name="TruncIOfTruncI")
def truncate_once(op: TruncIOp, rewriter: Rewriter) -> NoMatch | None:
    """Cutting twice: once, without promises about bits in between."""
    inner = defined_by(op.from_, "cuda_tile.trunci")
    if inner is None:
        return rewriter.no_match("the operand is not cut")
    _replace(op, TruncIOp(inner.from_, result_types=op.result_types, location=op.location), rewriter)
    return None


@pattern(TruncIOp, name="TruncIOfExtI")
def truncate_extended(op: TruncIOp, rewriter: Rewriter) -> NoMatch | None:
    """Cutting what was extended: a shorter extension, or a cut of the number itself."""
    inner = defined_by(op.from_, "cuda_tile.exti")
    if inner is None:
        return rewriter.no_match("the operand is not extended")
    before, after = width_of(inner.from_), width_of(op.to)
    if before == after:
        return rewriter.no_match("this is folded")
    if before < after:
        made = _extended(op, inner.from_, inner.signedness)
    else:
        made = TruncIOp(inner.from_, result_types=op.result_types, location=op.location)
    _replace(op, made, rewriter)
    return None


@pattern(BitcastOp, name="BitcastOfBitcast")
def reinterpret_once(op: BitcastOp, rewriter: Rewriter) -> NoMatch | None:
    """The same bits under a third type."""
    return _skip(op, "cuda_tile.bitcast", BitcastOp, rewriter)


@pattern(PtrToPtrOp, name="PtrToPtrOfPtrToPtr")
def point_once(op: PtrToPtrOp, rewriter: Rewriter) -> NoMatch | None:
    """The same address under a third type."""
    return _skip(op, "cuda_tile.ptr_to_ptr", PtrToPtrOp, rewriter)


@pattern(PtrToIntOp, name="PtrToIntOfPtrToPtr")
def address_of_original(op: PtrToIntOp, rewriter: Rewriter) -> NoMatch | None:
    """The address does not depend on the type of the pointer."""
    return _skip(op, "cuda_tile.ptr_to_ptr", PtrToIntOp, rewriter)


@pattern(PtrToPtrOp, name="PtrToPtrOfIntToPtr")
def pointer_of_address(op: PtrToPtrOp, rewriter: Rewriter) -> NoMatch | None:
    """The pointer of a type that is wanted, at once."""
    return _skip(op, "cuda_tile.int_to_ptr", IntToPtrOp, rewriter)


def _skip(
    op: BitcastOp | PtrToIntOp | PtrToPtrOp, inner_name: str, made: Any, rewriter: Rewriter
) -> NoMatch | None:
    inner = defined_by(op.source, inner_name)
    if inner is None:
        return rewriter.no_match("the operand does not come from '{}'", inner_name)
    _replace(op, made(inner.source, result_types=op.result_types, location=op.location), rewriter)
    return None


PATTERNS: tuple[AnyPattern, ...] = (
    extend_once,
    truncate_once,
    truncate_extended,
    reinterpret_once,
    point_once,
    address_of_original,
    pointer_of_address,
)
