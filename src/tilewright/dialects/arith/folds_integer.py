"""Folds of integer operations.

Rules compute bit patterns; the result keeps as many low bits as its type has. Undefined results (division by
zero, overflow of a signed quotient) and poison (shifts by the width or more) are left alone, as MLIR does.
"""

from __future__ import annotations

import operator
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from tilewright.dialects.arith import ops_conversion as arith_conversion, ops_integer as arith
from tilewright.dialects.arith.algebra import INTEGERS
from tilewright.dialects.arith.attributes import CmpIPredicate, IntegerOverflowFlags
from tilewright.dialects.common import constant_folding
from tilewright.dialects.ub import dialect as ub_dialect, folds as ub_folds
from tilewright.ir.arithmetic.scalar_algebra import (
    IntegerOperation,
    LawResult,
    Pattern,
    ones,
    zero,
)
from tilewright.ir.arithmetic.twos_complement import to_signed
from tilewright.ir.attribute import Attribute
from tilewright.ir.builtin_attributes import DenseElementsAttr, IntegerAttr
from tilewright.ir.builtin_types import i1
from tilewright.ir.dialect import Fold, FoldTable, OperandFold, constant_folds, folds_of
from tilewright.ir.operation import FoldResult, Operation
from tilewright.ir.value import Value

Folded = Value | Attribute | None

NSW = IntegerOverflowFlags.NSW.value
NUW = IntegerOverflowFlags.NUW.value


def unsigned(op: Operation, constants: constant_folding.Constants, rule: constant_folding.Rule) -> Folded:
    """Fold constants by ``rule``, a function of bit patterns (unsigned numbers). A poison operand gives
    poison. Return None if another operand is not constant, or if ``rule`` returns None.
    """
    poison = ub_folds.first_poison(constants)
    if poison is not None or None in constants:
        return poison
    return constant_folding.fold_scalars(constants, op.results[0].type, rule)


def signed(op: Operation, constants: constant_folding.Constants, rule: constant_folding.Binary) -> Folded:
    """Fold two constants by ``rule``, a function of two's complement numbers. A poison operand gives poison.
    Return None if another operand is not constant, or if ``rule`` returns None.
    """
    width = constant_folding.bit_width(op.operands[0].type)
    return unsigned(op, constants, lambda a, b: rule(to_signed(a, width), to_signed(b, width)))


# --- folds that derive from rows of scalar algebra


@dataclass(frozen=True, slots=True)
class Relation:
    """A fold of an operation that is tried if an operation of the class ``definer`` may define one of its
    operands. ``find`` returns the folded value, or None.
    """

    definer: type[Operation]
    find: Callable[[Operation], Folded]


def folded(row: IntegerOperation, *relations: Relation) -> Fold:
    """Return a fold that tries, in this order, the laws in ``row``, each of ``relations``, and the constants."""

    def fold(op: Operation, constants: constant_folding.Constants) -> Folded:
        found = by_laws(row, op, constants)
        for relation in relations:
            if found is not None:
                return found
            found = relation.find(op)
        return computed(row, op, constants) if found is None else found

    return fold


def by_laws(row: IntegerOperation, op: Operation, constants: constant_folding.Constants) -> Folded:
    """Fold ``x op x``, or ``x op c`` for a constant c with equal elements, to zero or an operand if ``row``
    has a law for it; else None.
    """
    lhs, rhs = op.operands
    known = row.of_same if lhs is rhs else None
    if known is None and constants[1] is not None:
        known = row.known(constant_folding.bit_width(lhs.type), constant_folding.splat_pattern(constants[1]))
    if known is LawResult.ZERO:
        return constant_folding.splat_of(op.results[0].type, 0)
    return lhs if known is LawResult.LEFT else rhs if known is LawResult.RIGHT else None


def computed(row: IntegerOperation, op: Operation, constants: constant_folding.Constants) -> Folded:
    """Return the constant that an operation computes from two constants; poison if an operand is. Return None
    if an operand is not constant or the result is undefined.
    """
    left, right = constants
    if (
        row.wraps and type(left) is IntegerAttr and type(right) is IntegerAttr
    ):  # by far the most frequent case
        total: Any = row.function(left.value, right.value, 0)
        return IntegerAttr(left.type, total)
    return unsigned(op, constants, row.on_patterns(constant_folding.bit_width(op.operands[0].type)))


def undone(op_class: type[arith.IntegerBinaryOp], inverse: type[arith.IntegerBinaryOp]) -> Relation:
    """Return the fold of ``op_class`` on the result of its inverse:

    ``(a - b) + b`` and ``b + (a - b)`` to a; ``(a + b) - b`` to a, and ``(a + b) - a`` to b.
    """
    is_symmetric, commutes = INTEGERS[op_class].commutes, INTEGERS[inverse].commutes

    def find(op: Operation) -> Value | None:
        lhs, rhs = op.operands
        for value, other in ((lhs, rhs), (rhs, lhs)) if is_symmetric else ((lhs, rhs),):
            inner = constant_folding.defined_by(value, inverse)
            if inner is not None and inner.rhs is other:
                return inner.lhs
            if inner is not None and commutes and inner.lhs is other:
                return inner.rhs
        return None

    return Relation(inverse, find)


def undone_product(flag: int) -> Relation:
    """Return the fold of ``(a * b) / b`` to a, and of ``(a * b) / a`` to b, for a product that has the
    overflow flag ``flag``.
    """

    def find(op: Operation) -> Value | None:
        lhs, rhs = op.operands
        product = constant_folding.defined_by(lhs, arith.MulIOp)
        if (
            product is None
            or rhs not in product.operands
            or not constant_folding.held_flags(product, "overflowFlags") & flag
        ):
            return None
        return product.lhs if product.rhs is rhs else product.rhs

    return Relation(arith.MulIOp, find)


def is_complement(value: Value, other: Value) -> bool:
    """Return whether ``other`` is ``value ^ -1``, with the constant as the right operand."""
    inner = constant_folding.defined_by(other, arith.XOrIOp)
    return inner is not None and inner.lhs is value and constant_folding.is_all_ones(constant_of(inner.rhs))


def constant_of(value: Value) -> Attribute | None:
    """Return the value of the ``arith.constant`` that defines ``value``; None if another operation does."""
    constant = constant_folding.defined_by(value, arith.ConstantOp)
    return constant.value if constant is not None else None


def complementary(absorbing: Pattern) -> Relation:
    """Return the fold of ``x op ~x`` to the constant that ``absorbing`` gives for a bit width: ``x & ~x`` to
    0, ``x | ~x`` to -1.
    """

    def find(op: Operation) -> Attribute | None:
        lhs, rhs = op.operands
        if not (is_complement(lhs, rhs) or is_complement(rhs, lhs)):
            return None
        return constant_folding.splat_of(op.results[0].type, absorbing(constant_folding.bit_width(lhs.type)))

    return Relation(arith.XOrIOp, find)


def absorbed(op_class: type[Operation]) -> Relation:
    """Return the fold of ``x op (x op y)``, with the operands in any order, to ``x op y`` for ``op_class``:
    ``x & (x & y)`` to ``x & y``.
    """

    def find(op: Operation) -> Value | None:
        lhs, rhs = op.operands
        for inner_value, other in ((lhs, rhs), (rhs, lhs)):
            inner = constant_folding.defined_by(inner_value, type(op))
            if inner is not None and other in inner.operands:
                return inner_value
        return None

    return Relation(op_class, find)


RELATIONS: dict[type[arith.IntegerBinaryOp], tuple[Relation, ...]] = {
    arith.AddIOp: (undone(arith.AddIOp, arith.SubIOp),),
    arith.SubIOp: (undone(arith.SubIOp, arith.AddIOp),),
    arith.XOrIOp: (undone(arith.XOrIOp, arith.XOrIOp),),
    arith.AndIOp: (complementary(zero), absorbed(arith.AndIOp)),
    arith.OrIOp: (complementary(ones), absorbed(arith.OrIOp)),
    arith.DivUIOp: (undone_product(NUW),),
    arith.DivSIOp: (undone_product(NSW),),
}
"""Operation class -> its folds that depend on the operations defining its operands."""
ARITHMETIC: dict[type[arith.IntegerBinaryOp], Fold] = {
    op_class: folded(row, *RELATIONS.get(op_class, ())) for op_class, row in INTEGERS.items()
}
"""Class of a binary integer operation -> its fold."""


def as_it_applies(op_class: type[arith.IntegerBinaryOp]) -> Fold | OperandFold:
    """Return the fold of an operation class and the condition on which drivers try it.

    A fold with a law for equal operands is always tried; others only if an operand is constant or is defined
    by an operation in `RELATIONS`.
    """
    fold = ARITHMETIC[op_class]
    if INTEGERS[op_class].of_same is not None:
        return fold
    return folds_of(fold, *[relation.definer for relation in RELATIONS.get(op_class, ())])


# --- operations with two results


def fold_addui_extended(op: Operation, constants: constant_folding.Constants) -> FoldResult:
    """Fold ``x + 0`` to x and no overflow; fold constants. A poison operand makes both results poison."""
    carry = op.results[1].type
    poison = ub_folds.first_poison(constants)
    if poison is not None:
        return poison, poison
    if constant_folding.is_zero(constants[1]):
        none = constant_folding.splat_of(carry, 0)
        return (op.operands[0], none) if none is not None else None
    width = constant_folding.bit_width(op.results[0].type)

    def total(a: int, b: int) -> tuple[int, int]:
        return a + b, (a + b) >> width

    return constant_folding.fold_elements(constants, op.result_types, total)


def fold_mulsi_extended(op: Operation, constants: constant_folding.Constants) -> FoldResult:
    """Fold ``x * 0`` to zero in both halves; fold constants. A poison operand makes both halves poison."""
    return _extended_product(op, constants, to_signed)


def fold_mului_extended(op: Operation, constants: constant_folding.Constants) -> FoldResult:
    """Fold ``x * 0`` to zero in both halves, and ``x * 1`` to x and zero; fold constants. A poison operand
    makes both halves poison.
    """
    high = constant_folding.splat_of(op.results[1].type, 0)
    if constant_folding.is_one(constants[1]) and high is not None:
        return op.operands[0], high
    return _extended_product(op, constants, lambda pattern, width: pattern)


def _extended_product(
    op: Operation, constants: constant_folding.Constants, read: Callable[[int, int], int]
) -> FoldResult:
    poison = ub_folds.first_poison(constants)
    if poison is not None:
        return poison, poison
    if constant_folding.is_zero(constants[1]):
        return op.operands[1], op.operands[1]
    width = constant_folding.bit_width(op.results[0].type)

    def product(a: int, b: int) -> tuple[int, int]:
        whole = read(a, width) * read(b, width)
        return whole, whole >> width

    return constant_folding.fold_elements(constants, op.result_types, product)


# --- comparison and selection

COMPARISONS: dict[CmpIPredicate, tuple[bool, Callable[[Any, Any], bool]]] = {
    CmpIPredicate.EQ: (False, operator.eq),
    CmpIPredicate.NE: (False, operator.ne),
    CmpIPredicate.SLT: (True, operator.lt),
    CmpIPredicate.SLE: (True, operator.le),
    CmpIPredicate.SGT: (True, operator.gt),
    CmpIPredicate.SGE: (True, operator.ge),
    CmpIPredicate.ULT: (False, operator.lt),
    CmpIPredicate.ULE: (False, operator.le),
    CmpIPredicate.UGT: (False, operator.gt),
    CmpIPredicate.UGE: (False, operator.ge),
}
"""Predicate -> True if it reads numbers as signed, and the relation between the two numbers."""


def fold_cmpi(op: arith.CmpIOp, constants: constant_folding.Constants) -> Folded:
    """Fold a comparison of a value with itself to a constant; ``ext(b) != 0``, ``b != false`` and ``b ==
    true`` to the i1 value b; and constants.
    """
    is_signed, relation = COMPARISONS[op.predicate]
    if op.lhs is op.rhs:
        return constant_folding.splat_of(op.result.type, int(relation(0, 0)))
    same = _truth_itself(op, constants[1])
    if same is not None:
        return same
    compute = signed if is_signed else unsigned
    return compute(op, constants, lambda a, b: int(relation(a, b)))


def _truth_itself(op: arith.CmpIOp, right: Attribute | None) -> Value | None:
    """Return the i1 value b if a comparison is ``b != false``, ``ext(b) != 0`` or ``b == true``; else None.
    ``right`` is its constant right operand.
    """
    if op.predicate is CmpIPredicate.NE and constant_folding.is_zero(right):
        extension = constant_folding.defined_by(op.lhs, arith_conversion.ExtSIOp, arith_conversion.ExtUIOp)
        inner: Value = extension.operands[0] if extension is not None else op.lhs
        return inner if constant_folding.bit_width(inner.type) == 1 else None
    if (
        op.predicate is CmpIPredicate.EQ
        and constant_folding.is_one(right)
        and constant_folding.bit_width(op.lhs.type) == 1
    ):
        return op.lhs
    return None


def fold_select(op: arith.SelectOp, constants: constant_folding.Constants) -> Folded:
    """Fold a select with a constant condition or with equal values to the selected value; ``c ? true :
    false`` to c; ``x == y ? x : y`` to y, and ``x != y ? x : y`` to x. A poison condition gives poison, a
    poison value gives the other value. Constants are selected element by element.
    """
    condition, first, second = op.operands
    decided = _decided(op, constants)
    if decided is not None:
        return decided
    if isinstance(constants[0], ub_dialect.PoisonAttr):
        return constants[0]
    if isinstance(constants[1], ub_dialect.PoisonAttr):
        return second
    if isinstance(constants[2], ub_dialect.PoisonAttr):
        return first
    if _is_truth(op.result, constants[1], constants[2]) and condition.type is op.result.type:
        return condition
    return _selected_equal(condition, first, second) or _selected_elements(op, constants)


def _decided(op: arith.SelectOp, constants: constant_folding.Constants) -> Value | None:
    """Return the selected value if all elements of the condition are the same constant, or if the two values
    are the same; else None.
    """
    chosen = constant_folding.splat_pattern(constants[0])
    if op.true_value is op.false_value or chosen == 1:
        return op.true_value
    return op.false_value if chosen == 0 else None


def _is_truth(result: Value, first: Attribute | None, second: Attribute | None) -> bool:
    return (
        constant_folding.splat_pattern(first) == 1
        and constant_folding.is_zero(second)
        and constant_folding.bit_width(result.type) == 1
    )


def _selected_equal(condition: Value, first: Value, second: Value) -> Value | None:
    comparison = constant_folding.defined_by(condition, arith.CmpIOp)
    if comparison is None or {comparison.lhs, comparison.rhs} != {first, second}:
        return None
    if comparison.predicate is CmpIPredicate.EQ:
        return second
    return first if comparison.predicate is CmpIPredicate.NE else None


def _selected_elements(op: arith.SelectOp, constants: constant_folding.Constants) -> Attribute | None:
    """Fold a select of three constants element by element; None unless the condition is a constant with
    several elements and the values are constants.
    """
    if not isinstance(constants[0], DenseElementsAttr):
        return None
    return constant_folding.fold_scalars(constants, op.result.type, lambda c, a, b: a if c else b)


def known_truth(constant: Attribute | None) -> bool | None:
    """Return the truth value of a constant of type i1. Return None for None, and for constants of other
    types, also vectors of i1.
    """
    known = constant_folding.splat_pattern(constant) if getattr(constant, "type", None) is i1 else None
    return None if known is None else bool(known)


FOLDS: FoldTable = {
    arith.ConstantOp: constant_folding.fold_constant,
    arith.CmpIOp: fold_cmpi,
    arith.SelectOp: fold_select,
    **{op_class: as_it_applies(op_class) for op_class in INTEGERS},
    **constant_folds(
        {
            arith.AddUIExtendedOp: fold_addui_extended,
            arith.MulSIExtendedOp: fold_mulsi_extended,
            arith.MulUIExtendedOp: fold_mului_extended,
        }
    ),
}
"""Operation class -> its fold."""
