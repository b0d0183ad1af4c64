"""Canonical forms of integer arithmetic."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from tilewright.dialects.arith import ops_conversion as arith_conversion, ops_integer as arith
from tilewright.dialects.arith.attributes import CmpIPredicate, IntegerOverflowFlags
from tilewright.dialects.arith.folds_integer import constant_of
from tilewright.dialects.common import constant_folding
from tilewright.ir.arithmetic.twos_complement import to_signed
from tilewright.ir.attribute import Attribute, Type
from tilewright.ir.operation import Operation
from tilewright.ir.value import Value
from tilewright.rewrite import rules as rewrite_rules
from tilewright.rewrite.pattern import NoMatch, RewritePattern, pattern
from tilewright.rewrite.rewriter import Rewriter
from tilewright.rewrite.rules import rule

AnyPattern = RewritePattern[Any]
NSW, NUW = IntegerOverflowFlags.NSW, IntegerOverflowFlags.NUW


def insert_constant(rewriter: Rewriter, op: Operation, value: Attribute) -> Value:
    """Insert an ``arith.constant`` of ``value``, with the location of ``op``, before the matched operation;
    return its result.
    """
    return rewriter.insert(arith.ConstantOp(value, location=op.location)).result


def insert_splat(rewriter: Rewriter, op: Operation, type: Type, pattern: int) -> Value | None:
    """Return a new constant with the low bits of ``pattern`` in every element; None if the type has no
    constants, such as a shape that is not static.
    """
    value = constant_folding.splat_of(type, pattern & ((1 << constant_folding.bit_width(type)) - 1))
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
    """The rule that replaces ``outer(inner(x, c0), c1)`` with ``result(x, c)``. The fields ending in ``_at``
    are operand indices of the constants; ``combine`` computes ``c`` from ``c0`` and ``c1``.
    """

    name: str
    outer: Any
    outer_at: int
    """The index of the outer operation's constant operand."""
    inner: type[arith.AddIOp | arith.MulIOp | arith.SubIOp]
    inner_at: int
    result: Any
    result_at: int
    combine: Combine


NESTED: tuple[NestedConstants, ...] = (
    NestedConstants("AddIAddConstant", arith.AddIOp, 1, arith.AddIOp, 1, arith.AddIOp, 1, _plus),
    NestedConstants("AddISubConstantRHS", arith.AddIOp, 1, arith.SubIOp, 1, arith.AddIOp, 1, _outer_minus),
    NestedConstants("AddISubConstantLHS", arith.AddIOp, 1, arith.SubIOp, 0, arith.SubIOp, 0, _plus),
    NestedConstants("SubIRHSAddConstant", arith.SubIOp, 1, arith.AddIOp, 1, arith.AddIOp, 1, _inner_minus),
    NestedConstants("SubILHSAddConstant", arith.SubIOp, 0, arith.AddIOp, 1, arith.SubIOp, 0, _outer_minus),
    NestedConstants("SubIRHSSubConstantRHS", arith.SubIOp, 1, arith.SubIOp, 1, arith.SubIOp, 1, _plus),
    NestedConstants("SubIRHSSubConstantLHS", arith.SubIOp, 1, arith.SubIOp, 0, arith.SubIOp, 0, _inner_minus),
    NestedConstants("SubILHSSubConstantRHS", arith.SubIOp, 0, arith.SubIOp, 1, arith.SubIOp, 0, _plus),
    NestedConstants("SubILHSSubConstantLHS", arith.SubIOp, 0, arith.SubIOp, 0, arith.AddIOp, 1, _outer_minus),
    NestedConstants("MulIMulIConstant", arith.MulIOp, 1, arith.MulIOp, 1, arith.MulIOp, 1, _times),
)
"""The rules for sums, differences and products of a value and two constants."""


class CombineConstants(RewritePattern[arith.AddIOp | arith.MulIOp | arith.SubIOp]):
    """Combines the constants of two nested operations by the rule in one row of `NESTED`."""

    def __init__(self, row: NestedConstants) -> None:
        super().__init__(root=row.outer, debug_name=row.name, generated_ops=(row.result.op_kind.name,))
        self.row = row
        self.defined_by = ({row.outer_at: arith.ConstantOp, 1 - row.outer_at: row.inner},)

    def match_and_rewrite(
        self, op: arith.AddIOp | arith.MulIOp | arith.SubIOp, rewriter: Rewriter
    ) -> NoMatch | None:
        row = self.row
        inner = constant_folding.defined_by(op.operands[1 - row.outer_at], row.inner)
        if inner is None:
            return rewriter.no_match("the other operand is not the result of {}", row.inner.op_kind.name)
        first, second = constant_of(inner.operands[row.inner_at]), constant_of(op.operands[row.outer_at])
        if first is None or second is None:
            return rewriter.no_match("there are no two constants to combine")
        value = constant_folding.fold_scalars((first, second), op.result.type, row.combine)
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
    op: arith.AddIOp | arith.MulIOp | arith.SubIOp,
    inner: Any,
    row: NestedConstants,
    first: Attribute,
    second: Attribute,
) -> IntegerOverflowFlags:
    """Return the overflow flags that both operations have, if combining the constants does not overflow
    itself. Then the new operation computes the same number as the two old ones, without overflow.
    """
    both: IntegerOverflowFlags = op.overflowFlags & inner.overflowFlags
    width = constant_folding.bit_width(op.result.type)
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
    a, b = constant_folding.scalar_patterns(first) or (), constant_folding.scalar_patterns(second) or ()
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


@pattern(arith.MulSIExtendedOp, name="MulSIExtendedRHSOne", defined_by=({1: arith.ConstantOp},))
def multiply_by_one(op: arith.MulSIExtendedOp, rewriter: Rewriter) -> NoMatch | None:
    """Replace ``x * 1`` with x as the low half, and copies of its sign bit as the high half, unless x is i1."""
    if not constant_folding.is_one(constant_of(op.rhs)) or constant_folding.bit_width(op.rhs.type) == 1:
        return rewriter.no_match("the second factor is not 1")
    zero = insert_splat(rewriter, op, op.lhs.type, 0)
    if zero is None:
        return rewriter.no_match("the shape is not known")
    negative = rewriter.insert(arith.CmpIOp(CmpIPredicate.SLT, op.lhs, zero, location=op.location))
    high = arith_conversion.ExtSIOp(negative.result, result_types=[op.lhs.type], location=op.location)
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
"""Predicate -> its negation: ``slt`` -> ``sge``."""

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
"""Predicate -> the equivalent predicate for swapped operands: ``slt`` -> ``sgt``."""

UNSIGNED: dict[CmpIPredicate, CmpIPredicate] = {
    **{predicate: predicate for predicate in CmpIPredicate},
    CmpIPredicate.SLT: CmpIPredicate.ULT,
    CmpIPredicate.SLE: CmpIPredicate.ULE,
    CmpIPredicate.SGT: CmpIPredicate.UGT,
    CmpIPredicate.SGE: CmpIPredicate.UGE,
}
"""Predicate -> the equivalent unsigned predicate for numbers that are not negative: ``slt`` -> ``ult``."""


@pattern(arith.CmpIOp, name="CmpIConstantToRight", defined_by=({0: arith.ConstantOp},))
def constant_to_right(op: arith.CmpIOp, rewriter: Rewriter) -> NoMatch | None:
    """Replace ``c < x`` with ``x > c``, for every predicate and a constant c."""
    if constant_of(op.lhs) is None or constant_of(op.rhs) is not None:
        return rewriter.no_match("the left-hand side is not the only constant")
    with rewriter.modify(op):
        op.predicate = SWAPPED[op.predicate]
        op.set_operands([op.rhs, op.lhs])
    return None


X, Y = rewrite_rules.variables("x y")
PREDICATE = rewrite_rules.attribute("predicate")

SUMS: tuple[rewrite_rules.IdentityRule, ...] = (
    rule(
        "AddIMulNegativeOne",
        rewrite_rules.op_pattern(
            arith.AddIOp,
            X,
            rewrite_rules.ordered(rewrite_rules.op_pattern(arith.MulIOp, Y, rewrite_rules.constant(-1))),
        ),
        rewrite_rules.op_pattern(arith.SubIOp, X, Y),
    ),
    rule(
        "SubISubILHSRHSLHS",
        rewrite_rules.op_pattern(arith.SubIOp, rewrite_rules.op_pattern(arith.SubIOp, X, Y), X),
        rewrite_rules.op_pattern(arith.SubIOp, rewrite_rules.constant(0), Y),
    ),
)
"""Replace ``x + y * -1`` with ``x - y``, and ``(x - y) - x`` with ``0 - y``."""

NOT_CMPI = rule(
    "XOrINotCmpI",
    rewrite_rules.ordered(
        rewrite_rules.op_pattern(
            arith.XOrIOp,
            rewrite_rules.op_pattern(arith.CmpIOp, X, Y, predicate=PREDICATE),
            rewrite_rules.constant(-1),
        )
    ),
    rewrite_rules.op_pattern(
        arith.CmpIOp, X, Y, predicate=rewrite_rules.computed(INVERSE.__getitem__, PREDICATE)
    ),
)
"""Replace ``not (x < y)`` with ``x >= y``, for every predicate."""

BITS_OF_EXTENDED: tuple[rewrite_rules.IdentityRule, ...] = tuple(
    rule(
        name,
        rewrite_rules.ordered(
            rewrite_rules.op_pattern(
                root, rewrite_rules.op_pattern(extension, X), rewrite_rules.op_pattern(extension, Y)
            )
        ),
        rewrite_rules.op_pattern(extension, rewrite_rules.op_pattern(root, X, Y)),
    )
    for name, root, extension in (
        ("AndOfExtUI", arith.AndIOp, arith_conversion.ExtUIOp),
        ("AndOfExtSI", arith.AndIOp, arith_conversion.ExtSIOp),
        ("OrOfExtUI", arith.OrIOp, arith_conversion.ExtUIOp),
        ("OrOfExtSI", arith.OrIOp, arith_conversion.ExtSIOp),
        ("XOrIOfExtUI", arith.XOrIOp, arith_conversion.ExtUIOp),
        ("XOrIOfExtSI", arith.XOrIOp, arith_conversion.ExtSIOp),
    )
)
"""Replace ``ext(x) op ext(y)`` with ``ext(x op y)`` for bitwise operations."""

COMPARED_EXTENDED: tuple[rewrite_rules.IdentityRule, ...] = (
    rule(
        "CmpIExtSI",
        rewrite_rules.op_pattern(
            arith.CmpIOp,
            rewrite_rules.op_pattern(arith_conversion.ExtSIOp, X),
            rewrite_rules.op_pattern(arith_conversion.ExtSIOp, Y),
            predicate=PREDICATE,
        ),
        rewrite_rules.op_pattern(arith.CmpIOp, X, Y, predicate=PREDICATE),
    ),
    rule(
        "CmpIExtUI",
        rewrite_rules.op_pattern(
            arith.CmpIOp,
            rewrite_rules.op_pattern(arith_conversion.ExtUIOp, X),
            rewrite_rules.op_pattern(arith_conversion.ExtUIOp, Y),
            predicate=PREDICATE,
        ),
        rewrite_rules.op_pattern(
            arith.CmpIOp, X, Y, predicate=rewrite_rules.computed(UNSIGNED.__getitem__, PREDICATE)
        ),
    ),
)
"""Replace ``ext(x) < ext(y)`` with ``x < y``, for every predicate."""


def patterns() -> list[AnyPattern]:
    """Return all patterns of this module."""
    return [
        *map(CombineConstants, NESTED),
        *SUMS,
        _without_second_result(arith.AddUIExtendedOp, arith.AddIOp, "AddUIExtendedToAddI"),
        _without_second_result(arith.MulSIExtendedOp, arith.MulIOp, "MulSIExtendedToMulI"),
        _without_second_result(arith.MulUIExtendedOp, arith.MulIOp, "MulUIExtendedToMulI"),
        multiply_by_one,
        NOT_CMPI,
        *BITS_OF_EXTENDED,
        constant_to_right,
        *COMPARED_EXTENDED,
    ]
