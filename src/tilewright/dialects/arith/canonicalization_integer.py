"""Canonical forms of integer arithmetic."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from tilewright.dialects.arith.attributes import CmpIPredicate, IntegerOverflowFlags
from tilewright.dialects.arith.folds_integer import constant_of
from tilewright.dialects.arith.ops_conversion import ExtSIOp, ExtUIOp
from tilewright.dialects.arith.ops_integer import (
    AddIOp,
    AddUIExtendedOp,
    AndIOp,
    CmpIOp,
    ConstantOp,
    MulIOp,
    MulSIExtendedOp,
    MulUIExtendedOp,
    OrIOp,
    SubIOp,
    XOrIOp,
)
from tilewright.dialects.common.constant_folding import (
    bit_width,
    defined_by,
    fold_scalars,
    is_one,
    scalar_patterns,
    splat_of,
)
from tilewright.ir.arithmetic.twos_complement import to_signed
from tilewright.ir.attribute import Attribute, Type
from tilewright.ir.operation import Operation
from tilewright.ir.value import Value
from tilewright.rewrite.pattern import NoMatch, RewritePattern, pattern
from tilewright.rewrite.rewriter import Rewriter
from tilewright.rewrite.rules import (
    IdentityRule,
    attribute,
    computed,
    constant,
    op_pattern,
    ordered,
    rule,
    variables,
)

AnyPattern = RewritePattern[Any]
NSW, NUW = IntegerOverflowFlags.NSW, IntegerOverflowFlags.NUW


def insert_constant(rewriter: Rewriter, op: Operation, value: Attribute) -> Value:
    """Return a new ``arith.constant`` before the matched operation."""
    return rewriter.insert(ConstantOp(value, location=op.location)).result


def insert_splat(rewriter: Rewriter, op: Operation, type: Type, pattern: int) -> Value | None:
    """Return a new constant with one bit pattern in every element; None if the type has no constants."""
    value = splat_of(type, pattern & ((1 << bit_width(type)) - 1))
    return insert_constant(rewriter, op, value) if value is not None else None


Combine = Callable[[int, int], int]


def _plus(inner: int, outer: int) -> int:
    return inner + outer


def _inner_minus(inner: int, outer: int) -> int:
    return inner - outer


def _outer_minus(inner: int, outer: int) -> int:
    return outer - inner


def _times(inner: int, outer: int) -> int:
    return inner * outer


@dataclass(frozen=True)
class NestedConstants:
    """``outer(inner(x, c0), c1) = result(x, c)``: the positions of the constants, and the rule for ``c``."""

    name: str
    outer: Any
    outer_at: int
    """The index of the outer operation's constant operand."""
    inner: type[AddIOp | MulIOp | SubIOp]
    inner_at: int
    result: Any
    result_at: int
    combine: Combine


NESTED: tuple[NestedConstants, ...] = (
    NestedConstants("AddIAddConstant", AddIOp, 1, AddIOp, 1, AddIOp, 1, _plus),
    NestedConstants("AddISubConstantRHS", AddIOp, 1, SubIOp, 1, AddIOp, 1, _outer_minus),
    NestedConstants("AddISubConstantLHS", AddIOp, 1, SubIOp, 0, SubIOp, 0, _plus),
    NestedConstants("SubIRHSAddConstant", SubIOp, 1, AddIOp, 1, AddIOp, 1, _inner_minus),
    NestedConstants("SubILHSAddConstant", SubIOp, 0, AddIOp, 1, SubIOp, 0, _outer_minus),
    NestedConstants("SubIRHSSubConstantRHS", SubIOp, 1, SubIOp, 1, SubIOp, 1, _plus),
    NestedConstants("SubIRHSSubConstantLHS", SubIOp, 1, SubIOp, 0, SubIOp, 0, _inner_minus),
    NestedConstants("SubILHSSubConstantRHS", SubIOp, 0, SubIOp, 1, SubIOp, 0, _plus),
    NestedConstants("SubILHSSubConstantLHS", SubIOp, 0, SubIOp, 0, AddIOp, 1, _outer_minus),
    NestedConstants("MulIMulIConstant", MulIOp, 1, MulIOp, 1, MulIOp, 1, _times),
)
"""Sums, differences and products of a value and two constants."""


class CombineConstants(RewritePattern[AddIOp | MulIOp | SubIOp]):
    """Combines the constants of two nested operations by one row of `NESTED`."""

    def __init__(self, row: NestedConstants) -> None:
        super().__init__(root=row.outer, debug_name=row.name, generated_ops=(row.result.op_kind.name,))
        self.row = row
        self.defined_by = ({row.outer_at: ConstantOp, 1 - row.outer_at: row.inner},)

    def match_and_rewrite(self, op: AddIOp | MulIOp | SubIOp, rewriter: Rewriter) -> NoMatch | None:
        row = self.row
        inner = defined_by(op.operands[1 - row.outer_at], row.inner)
        if inner is None:
            return rewriter.no_match("the other operand is not the result of {}", row.inner.op_kind.name)
        first, second = constant_of(inner.operands[row.inner_at]), constant_of(op.operands[row.outer_at])
        if first is None or second is None:
            return rewriter.no_match("there are no two constants to combine")
        value = fold_scalars((first, second), op.result.type, row.combine)
        if value is None:
            return rewriter.no_match("the constants cannot be combined")
        operands = [inner.operands[1 - row.inner_at]] * 2
        operands[row.result_at] = insert_constant(rewriter, op, value)
        flags = _kept_flags(op, inner, row, first, second)
        rewriter.replace(
            op, rewriter.insert(row.result(*operands, overflowFlags=flags, location=op.location))
        )
        return None


def _kept_flags(
    op: AddIOp | MulIOp | SubIOp, inner: Any, row: NestedConstants, first: Attribute, second: Attribute
) -> IntegerOverflowFlags:
    """Return the overflow flags that both operations have, if combining the constants does not overflow
    itself. Then the new operation computes the same number as the two old ones, without overflow.
    """
    both: IntegerOverflowFlags = op.overflowFlags & inner.overflowFlags
    width = bit_width(op.result.type)
    pairs = list(_pairs(first, second))
    half = 1 << width >> 1
    kept = IntegerOverflowFlags.NONE
    if NSW in both and all(
        -half <= row.combine(to_signed(a, width), to_signed(b, width)) < half for a, b in pairs
    ):
        kept |= NSW
    if NUW in both and all(0 <= row.combine(a, b) < 2 * half for a, b in pairs):
        kept |= NUW
    return kept


def _pairs(first: Attribute, second: Attribute) -> list[tuple[int, int]]:
    a, b = scalar_patterns(first) or (), scalar_patterns(second) or ()
    length = max(len(a), len(b))
    spread = [[*column] * length if len(column) == 1 else column for column in (a, b)]
    return list(zip(*spread, strict=True))


def _without_second_result(root: Any, narrow: Any, name: str) -> AnyPattern:
    """Return the pattern that replaces an operation ``root`` by the operation ``narrow`` with one result, if
    the second result is unused.
    """

    @pattern(root, name=name)
    def rule(op: Operation, rewriter: Rewriter) -> NoMatch | None:
        first, second = op.results
        if second.has_uses:
            return rewriter.no_match("the second result is used")
        made = rewriter.insert(narrow(*op.operands, location=op.location))
        rewriter.replace_all_uses(first, made.result)
        rewriter.erase(op)
        return None

    return rule


@pattern(MulSIExtendedOp, name="MulSIExtendedRHSOne", defined_by=({1: ConstantOp},))
def multiply_by_one(op: MulSIExtendedOp, rewriter: Rewriter) -> NoMatch | None:
    """``x * 1``: x, and its sign in every bit of the high half."""
    if not is_one(constant_of(op.rhs)) or bit_width(op.rhs.type) == 1:
        return rewriter.no_match("the second factor is not 1")
    zero = insert_splat(rewriter, op, op.lhs.type, 0)
    if zero is None:
        return rewriter.no_match("the shape is not known")
    negative = rewriter.insert(CmpIOp(CmpIPredicate.SLT, op.lhs, zero, location=op.location))
    high = ExtSIOp(negative.result, result_types=[op.lhs.type], location=op.location)
    rewriter.replace(op, [op.lhs, rewriter.insert(high).out])
    return None


# --- bits

INVERSE: dict[CmpIPredicate, CmpIPredicate] = {
    CmpIPredicate.EQ: CmpIPredicate.NE,
    CmpIPredicate.NE: CmpIPredicate.EQ,
    CmpIPredicate.SLT: CmpIPredicate.SGE,
    CmpIPredicate.SLE: CmpIPredicate.SGT,
    CmpIPredicate.SGT: CmpIPredicate.SLE,
    CmpIPredicate.SGE: CmpIPredicate.SLT,
    CmpIPredicate.ULT: CmpIPredicate.UGE,
    CmpIPredicate.ULE: CmpIPredicate.UGT,
    CmpIPredicate.UGT: CmpIPredicate.ULE,
    CmpIPredicate.UGE: CmpIPredicate.ULT,
}
"""The negation of each predicate."""

SWAPPED: dict[CmpIPredicate, CmpIPredicate] = {
    CmpIPredicate.EQ: CmpIPredicate.EQ,
    CmpIPredicate.NE: CmpIPredicate.NE,
    CmpIPredicate.SLT: CmpIPredicate.SGT,
    CmpIPredicate.SLE: CmpIPredicate.SGE,
    CmpIPredicate.SGT: CmpIPredicate.SLT,
    CmpIPredicate.SGE: CmpIPredicate.SLE,
    CmpIPredicate.ULT: CmpIPredicate.UGT,
    CmpIPredicate.ULE: CmpIPredicate.UGE,
    CmpIPredicate.UGT: CmpIPredicate.ULT,
    CmpIPredicate.UGE: CmpIPredicate.ULE,
}
"""The predicate for the operands the other way round."""

UNSIGNED: dict[CmpIPredicate, CmpIPredicate] = {
    **{predicate: predicate for predicate in CmpIPredicate},
    CmpIPredicate.SLT: CmpIPredicate.ULT,
    CmpIPredicate.SLE: CmpIPredicate.ULE,
    CmpIPredicate.SGT: CmpIPredicate.UGT,
    CmpIPredicate.SGE: CmpIPredicate.UGE,
}
"""The predicate for numbers that are known not to be negative, read without sign."""


@pattern(CmpIOp, name="CmpIConstantToRight", defined_by=({0: ConstantOp},))
def constant_to_right(op: CmpIOp, rewriter: Rewriter) -> NoMatch | None:
    """``c < x = x > c``."""
    if constant_of(op.lhs) is None or constant_of(op.rhs) is not None:
        return rewriter.no_match("the left-hand side is not the only constant")
    with rewriter.modify(op):
        op.predicate = SWAPPED[op.predicate]
        op.set_operands([op.rhs, op.lhs])
    return None


X, Y = variables("x y")
PREDICATE = attribute("predicate")

SUMS: tuple[IdentityRule, ...] = (
    rule(
        "AddIMulNegativeOne",
        op_pattern(AddIOp, X, ordered(op_pattern(MulIOp, Y, constant(-1)))),
        op_pattern(SubIOp, X, Y),
    ),
    rule(
        "SubISubILHSRHSLHS",
        op_pattern(SubIOp, op_pattern(SubIOp, X, Y), X),
        op_pattern(SubIOp, constant(0), Y),
    ),
)
"""``x + y * -1 = x - y``; ``(x - y) - x = 0 - y``."""

NOT_CMPI = rule(
    "XOrINotCmpI",
    ordered(op_pattern(XOrIOp, op_pattern(CmpIOp, X, Y, predicate=PREDICATE), constant(-1))),
    op_pattern(CmpIOp, X, Y, predicate=computed(INVERSE.__getitem__, PREDICATE)),
)
"""``not (x < y) = x >= y``."""

BITS_OF_EXTENDED: tuple[IdentityRule, ...] = tuple(
    rule(
        name,
        ordered(op_pattern(root, op_pattern(extension, X), op_pattern(extension, Y))),
        op_pattern(extension, op_pattern(root, X, Y)),
    )
    for name, root, extension in (
        ("AndOfExtUI", AndIOp, ExtUIOp),
        ("AndOfExtSI", AndIOp, ExtSIOp),
        ("OrOfExtUI", OrIOp, ExtUIOp),
        ("OrOfExtSI", OrIOp, ExtSIOp),
        ("XOrIOfExtUI", XOrIOp, ExtUIOp),
        ("XOrIOfExtSI", XOrIOp, ExtSIOp),
    )
)
"""``ext(x) op ext(y) = ext(x op y)`` for operations on bits."""

COMPARED_EXTENDED: tuple[IdentityRule, ...] = (
    rule(
        "CmpIExtSI",
        op_pattern(CmpIOp, op_pattern(ExtSIOp, X), op_pattern(ExtSIOp, Y), predicate=PREDICATE),
        op_pattern(CmpIOp, X, Y, predicate=PREDICATE),
    ),
    rule(
        "CmpIExtUI",
        op_pattern(CmpIOp, op_pattern(ExtUIOp, X), op_pattern(ExtUIOp, Y), predicate=PREDICATE),
        op_pattern(CmpIOp, X, Y, predicate=computed(UNSIGNED.__getitem__, PREDICATE)),
    ),
)
"""``ext(x) < ext(y) = x < y``."""


def patterns() -> list[AnyPattern]:
    """Return all patterns of this module."""
    return [
        *map(CombineConstants, NESTED),
        *SUMS,
        _without_second_result(AddUIExtendedOp, AddIOp, "AddUIExtendedToAddI"),
        _without_second_result(MulSIExtendedOp, MulIOp, "MulSIExtendedToMulI"),
        _without_second_result(MulUIExtendedOp, MulIOp, "MulUIExtendedToMulI"),
        multiply_by_one,
        NOT_CMPI,
        *BITS_OF_EXTENDED,
        constant_to_right,
        *COMPARED_EXTENDED,
    ]
