"""Folds of integer operations.

Rules compute bit patterns; the result keeps as many low bits as its type has. Undefined results (division by
zero, overflow of a signed quotient) and poison (shifts by the width or more) are left alone, as MLIR does.
"""

from __future__ import annotations

import operator
from collections.abc import Callable
from typing import Any

from tilewright.dialects.arith.attributes import CmpIPredicate, IntegerOverflowFlags
from tilewright.dialects.arith.ops_conversion import ExtSIOp, ExtUIOp
from tilewright.dialects.arith.ops_integer import (
    AddIOp,
    AddUIExtendedOp,
    AndIOp,
    CeilDivSIOp,
    CeilDivUIOp,
    CmpIOp,
    ConstantOp,
    DivSIOp,
    DivUIOp,
    FloorDivSIOp,
    MaxSIOp,
    MaxUIOp,
    MinSIOp,
    MinUIOp,
    MulIOp,
    MulSIExtendedOp,
    MulUIExtendedOp,
    OrIOp,
    RemSIOp,
    RemUIOp,
    SelectOp,
    ShLIOp,
    ShRSIOp,
    ShRUIOp,
    SubIOp,
    XOrIOp,
)
from tilewright.dialects.common.constant_folding import (
    Binary,
    Constants,
    Rule,
    bit_width,
    defined_by,
    fold_constant,
    fold_elements,
    fold_scalars,
    held_flags,
    is_all_ones,
    is_one,
    is_zero,
    splat_of,
    splat_pattern,
    to_signed,
)
from tilewright.dialects.ub.folds import first_poison
from tilewright.dialects.ub.ops import PoisonAttr
from tilewright.ir.attribute import Attribute
from tilewright.ir.builtin_attributes import DenseElementsAttr, IntegerAttr
from tilewright.ir.builtin_types import i1
from tilewright.ir.dialect import FoldTable, constant_folds, folds_of
from tilewright.ir.operation import FoldResult, Operation
from tilewright.ir.value import Value

Folded = Value | Attribute | None
Total = Callable[[int, int], int]

NSW = IntegerOverflowFlags.NSW.value
NUW = IntegerOverflowFlags.NUW.value


def unsigned(op: Operation, constants: Constants, rule: Rule) -> Folded:
    """Fold constants by a rule on unsigned numbers."""
    poison = first_poison(constants)
    if poison is not None or None in constants:
        return poison
    return fold_scalars(constants, op.results[0].type, rule)


def wrapping(op: Operation, constants: Constants, rule: Total) -> Folded:
    """Fold two constants by a rule whose low bits depend on low bits only, however numbers are read."""
    left, right = constants
    if type(left) is IntegerAttr and type(right) is IntegerAttr:  # by far the most frequent case
        return IntegerAttr(left.type, rule(left.value, right.value))
    return unsigned(op, constants, rule)


def signed(op: Operation, constants: Constants, rule: Binary) -> Folded:
    """Fold two constants by a rule on numbers in two's complement."""
    if None in constants:
        return first_poison(constants)
    width = bit_width(op.operands[0].type)

    def on_signed(a: int, b: int) -> int | None:
        return rule(to_signed(a, width), to_signed(b, width))

    return unsigned(op, constants, on_signed)


def zero(op: Operation) -> Attribute | None:
    """Zero of the type of the result."""
    return splat_of(op.results[0].type, 0)


# --- sums and products


def fold_addi(op: Operation, constants: Constants) -> Folded:
    """``x + 0 = x``; ``(a - b) + b = a``."""
    lhs, rhs = op.operands
    if None not in constants:
        return wrapping(op, constants, operator.add)
    if is_zero(constants[1]):
        return lhs
    left, right = lhs.owner, rhs.owner
    if isinstance(left, SubIOp) and left.rhs is rhs:
        return left.lhs
    if isinstance(right, SubIOp) and right.rhs is lhs:
        return right.lhs
    return first_poison(constants)


def fold_subi(op: Operation, constants: Constants) -> Folded:
    """``x - x = 0``; ``x - 0 = x``; ``(a + b) - b = a`` and ``(a + b) - a = b``."""
    lhs, rhs = op.operands
    if lhs is rhs:
        return zero(op)
    if is_zero(constants[1]):
        return lhs
    inner = defined_by(lhs, AddIOp)
    if inner is not None and rhs in inner.operands:
        return inner.lhs if inner.rhs is rhs else inner.rhs
    return wrapping(op, constants, operator.sub)


def fold_muli(op: Operation, constants: Constants) -> Folded:
    """``x * 0 = 0``; ``x * 1 = x``."""
    if is_zero(constants[1]):
        return op.operands[1]
    if is_one(constants[1]):
        return op.operands[0]
    return wrapping(op, constants, operator.mul)


def fold_addui_extended(op: Operation, constants: Constants) -> FoldResult:
    """``x + 0`` is x and does not overflow."""
    carry = op.results[1].type
    poison = first_poison(constants)
    if poison is not None:
        return poison, poison
    if is_zero(constants[1]):
        none = splat_of(carry, 0)
        return (op.operands[0], none) if none is not None else None
    width = bit_width(op.results[0].type)

    def total(a: int, b: int) -> tuple[int, int]:
        return a + b, (a + b) >> width

    return fold_elements(constants, op.result_types, total)


def fold_mulsi_extended(op: Operation, constants: Constants) -> FoldResult:
    """``x * 0`` is zero in both halves."""
    return _extended_product(op, constants, to_signed)


def fold_mului_extended(op: Operation, constants: Constants) -> FoldResult:
    """``x * 0`` is zero in both halves; ``x * 1`` is x and zero."""
    high = splat_of(op.results[1].type, 0)
    if is_one(constants[1]) and high is not None:
        return op.operands[0], high
    return _extended_product(op, constants, lambda pattern, width: pattern)


def _extended_product(op: Operation, constants: Constants, read: Callable[[int, int], int]) -> FoldResult:
    poison = first_poison(constants)
    if poison is not None:
        return poison, poison
    if is_zero(constants[1]):
        return op.operands[1], op.operands[1]
    width = bit_width(op.results[0].type)

    def product(a: int, b: int) -> tuple[int, int]:
        whole = read(a, width) * read(b, width)
        return whole, whole >> width

    return fold_elements(constants, op.result_types, product)


# --- division


def truncated_quotient(a: int, b: int) -> int:
    """``a / b`` rounded towards zero."""
    return abs(a) // abs(b) * (1 if (a < 0) == (b < 0) else -1)


def truncated_remainder(a: int, b: int) -> int:
    """Return ``a - b * truncated_quotient(a, b)``, which has the sign of ``a``."""
    return a - b * truncated_quotient(a, b)


def _ceiling_quotient(a: int, b: int) -> int:
    return -(-a // b)


def _by_zero_unknown(rule: Binary) -> Binary:
    return lambda a, b: rule(a, b) if b else None


def _quotient_fits(width: int, rule: Binary) -> Binary:
    """Return the rule of a division: None for a zero divisor and for the quotient that does not fit."""
    lowest = -(1 << width >> 1)
    return lambda a, b: None if b == 0 or (a == lowest and b == -1) else rule(a, b)


def fold_divui(op: Operation, constants: Constants) -> Folded:
    """``x / 1 = x``; ``(a * b) / b = a`` if the product does not overflow."""
    return _quotient(op, constants, NUW, unsigned, _by_zero_unknown(lambda a, b: a // b))


def fold_divsi(op: Operation, constants: Constants) -> Folded:
    """``x / 1 = x``; ``(a * b) / b = a`` if the product does not overflow."""
    rule = _quotient_fits(bit_width(op.operands[0].type), truncated_quotient)
    return _quotient(op, constants, NSW, signed, rule)


def _quotient(op: Operation, constants: Constants, flag: int, compute: Any, rule: Rule) -> Folded:
    lhs, rhs = op.operands
    if is_one(constants[1]):
        return lhs
    product = defined_by(lhs, MulIOp)
    if product is not None and rhs in product.operands and held_flags(product, "overflowFlags") & flag:
        return product.lhs if product.rhs is rhs else product.rhs
    return compute(op, constants, rule)


def fold_ceildivui(op: Operation, constants: Constants) -> Folded:
    """``x / 1 = x``."""
    rule = _by_zero_unknown(_ceiling_quotient)
    return op.operands[0] if is_one(constants[1]) else unsigned(op, constants, rule)


def fold_ceildivsi(op: Operation, constants: Constants) -> Folded:
    """``x / 1 = x``."""
    rule = _quotient_fits(bit_width(op.operands[0].type), _ceiling_quotient)
    return op.operands[0] if is_one(constants[1]) else signed(op, constants, rule)


def fold_floordivsi(op: Operation, constants: Constants) -> Folded:
    """``x / 1 = x``."""
    rule = _quotient_fits(bit_width(op.operands[0].type), lambda a, b: a // b)
    return op.operands[0] if is_one(constants[1]) else signed(op, constants, rule)


def fold_remui(op: Operation, constants: Constants) -> Folded:
    """``x % 1 = 0``."""
    return zero(op) if is_one(constants[1]) else unsigned(op, constants, _by_zero_unknown(lambda a, b: a % b))


def fold_remsi(op: Operation, constants: Constants) -> Folded:
    """``x % 1 = 0``."""
    return zero(op) if is_one(constants[1]) else signed(op, constants, _by_zero_unknown(truncated_remainder))


# --- shifts


def fold_shli(op: Operation, constants: Constants) -> Folded:
    """``x << 0 = x``."""
    return _shift(op, constants, lambda a, b: a << b)


def fold_shrui(op: Operation, constants: Constants) -> Folded:
    """``x >> 0 = x``."""
    return _shift(op, constants, lambda a, b: a >> b)


def fold_shrsi(op: Operation, constants: Constants) -> Folded:
    """``x >> 0 = x``."""
    width = bit_width(op.operands[0].type)
    return _shift(op, constants, lambda a, b: to_signed(a, width) >> b)


def _shift(op: Operation, constants: Constants, rule: Binary) -> Folded:
    if is_zero(constants[1]):
        return op.operands[0]
    width = bit_width(op.operands[0].type)
    return unsigned(op, constants, lambda a, b: rule(a, b) if b < width else None)


# --- bits


def is_complement(value: Value, other: Value) -> bool:
    """Return whether ``other`` is ``value ^ -1``."""
    inner = defined_by(other, XOrIOp)
    return inner is not None and inner.lhs is value and is_all_ones(constant_of(inner.rhs))


def constant_of(value: Value) -> Attribute | None:
    """Return the value of an ``arith.constant``."""
    constant = defined_by(value, ConstantOp)
    return constant.value if constant is not None else None


def fold_andi(op: Operation, constants: Constants) -> Folded:
    """``x & 0 = 0``; ``x & -1 = x``; ``x & ~x = 0``; ``x & x = x``; ``x & (x & y) = x & y``."""
    lhs, rhs = op.operands
    if is_zero(constants[1]):
        return rhs
    if is_all_ones(constants[1]) or lhs is rhs:
        return lhs
    if is_complement(lhs, rhs) or is_complement(rhs, lhs):
        return zero(op)
    return _absorbed(op) or unsigned(op, constants, lambda a, b: a & b)


def fold_ori(op: Operation, constants: Constants) -> Folded:
    """``x | 0 = x``; ``x | -1 = -1``; ``x | ~x = -1``; ``x | x = x``; ``x | (x | y) = x | y``."""
    lhs, rhs = op.operands
    if is_zero(constants[1]) or lhs is rhs:
        return lhs
    if is_all_ones(constants[1]):
        return rhs
    if is_complement(lhs, rhs) or is_complement(rhs, lhs):
        return splat_of(op.results[0].type, -1 & ((1 << bit_width(lhs.type)) - 1))
    return _absorbed(op) or unsigned(op, constants, lambda a, b: a | b)


def _absorbed(op: Operation) -> Value | None:
    """Return the operand that is the same operation on the other operand and something else."""
    lhs, rhs = op.operands
    for inner_value, other in ((lhs, rhs), (rhs, lhs)):
        inner = defined_by(inner_value, type(op))
        if inner is not None and other in inner.operands:
            return inner_value
    return None


def fold_xori(op: Operation, constants: Constants) -> Folded:
    """``x ^ 0 = x``; ``x ^ x = 0``; ``(a ^ b) ^ b = a``."""
    lhs, rhs = op.operands
    if is_zero(constants[1]):
        return lhs
    if lhs is rhs:
        return zero(op)
    for inner_value, other in ((lhs, rhs), (rhs, lhs)):
        inner = defined_by(inner_value, XOrIOp)
        if inner is not None and other in inner.operands:
            return inner.lhs if inner.rhs is other else inner.rhs
    return unsigned(op, constants, lambda a, b: a ^ b)


# --- minima and maxima


def fold_maxsi(op: Operation, constants: Constants) -> Folded:
    """``max(x, x) = x``; the largest number absorbs, the smallest one is neutral."""
    highest = (1 << bit_width(op.operands[0].type) >> 1) - 1
    return _extremum(op, constants, signed, max, absorbing=highest, neutral=highest + 1)


def fold_maxui(op: Operation, constants: Constants) -> Folded:
    """``max(x, x) = x``; the largest number absorbs, the smallest one is neutral."""
    highest = (1 << bit_width(op.operands[0].type)) - 1
    return _extremum(op, constants, unsigned, max, absorbing=highest, neutral=0)


def fold_minsi(op: Operation, constants: Constants) -> Folded:
    """``min(x, x) = x``; the smallest number absorbs, the largest one is neutral."""
    highest = (1 << bit_width(op.operands[0].type) >> 1) - 1
    return _extremum(op, constants, signed, min, absorbing=highest + 1, neutral=highest)


def fold_minui(op: Operation, constants: Constants) -> Folded:
    """``min(x, x) = x``; the smallest number absorbs, the largest one is neutral."""
    highest = (1 << bit_width(op.operands[0].type)) - 1
    return _extremum(op, constants, unsigned, min, absorbing=0, neutral=highest)


def _extremum(
    op: Operation, constants: Constants, compute: Any, rule: Any, *, absorbing: int, neutral: int
) -> Folded:
    lhs, rhs = op.operands
    limit = splat_pattern(constants[1])
    if lhs is rhs or limit == neutral:
        return lhs
    return rhs if limit == absorbing else compute(op, constants, rule)


# --- comparison and selection

Relation = Callable[[Any, Any], bool]

RELATIONS: dict[CmpIPredicate, tuple[bool, Relation]] = {
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
"""For each predicate whether it reads numbers as signed, and the relation."""


def fold_cmpi(op: CmpIOp, constants: Constants) -> Folded:
    """``x ? x`` is known; ``ext(b) != 0`` and ``b != false`` are b; ``b == true`` is b."""
    is_signed, relation = RELATIONS[op.predicate]
    if op.lhs is op.rhs:
        return splat_of(op.result.type, int(relation(0, 0)))
    same = _truth_itself(op, constants[1])
    if same is not None:
        return same
    compute = signed if is_signed else unsigned
    return compute(op, constants, lambda a, b: int(relation(a, b)))


def _truth_itself(op: CmpIOp, right: Attribute | None) -> Value | None:
    """Return the i1 value that a comparison with zero or true gives back."""
    if op.predicate is CmpIPredicate.NE and is_zero(right):
        extension = defined_by(op.lhs, ExtSIOp, ExtUIOp)
        inner: Value = extension.operands[0] if extension is not None else op.lhs
        return inner if bit_width(inner.type) == 1 else None
    if op.predicate is CmpIPredicate.EQ and is_one(right) and bit_width(op.lhs.type) == 1:
        return op.lhs
    return None


def fold_select(op: SelectOp, constants: Constants) -> Folded:
    """Fold known conditions, equal or poisoned values, ``c ? true : false``, and ``x == y ? x : y``."""
    condition, first, second = op.operands
    decided = _decided(op, constants)
    if decided is not None:
        return decided
    if isinstance(constants[0], PoisonAttr):
        return constants[0]
    if isinstance(constants[1], PoisonAttr):
        return second
    if isinstance(constants[2], PoisonAttr):
        return first
    if _is_truth(op.result, constants[1], constants[2]) and condition.type is op.result.type:
        return condition
    return _selected_equal(condition, first, second) or _selected_elements(op, constants)


def _decided(op: SelectOp, constants: Constants) -> Value | None:
    """Return the selected value if the condition is constant or the values are equal; else None."""
    chosen = splat_pattern(constants[0])
    if op.true_value is op.false_value or chosen == 1:
        return op.true_value
    return op.false_value if chosen == 0 else None


def _is_truth(result: Value, first: Attribute | None, second: Attribute | None) -> bool:
    return splat_pattern(first) == 1 and is_zero(second) and bit_width(result.type) == 1


def _selected_equal(condition: Value, first: Value, second: Value) -> Value | None:
    comparison = defined_by(condition, CmpIOp)
    if comparison is None or {comparison.lhs, comparison.rhs} != {first, second}:
        return None
    if comparison.predicate is CmpIPredicate.EQ:
        return second
    return first if comparison.predicate is CmpIPredicate.NE else None


def _selected_elements(op: SelectOp, constants: Constants) -> Attribute | None:
    """Fold a select of constants, element by element."""
    if not isinstance(constants[0], DenseElementsAttr):
        return None
    return fold_scalars(constants, op.result.type, lambda c, a, b: a if c else b)


def known_truth(constant: Attribute | None) -> bool | None:
    """Return the value of an i1 constant."""
    known = splat_pattern(constant) if getattr(constant, "type", None) is i1 else None
    return None if known is None else bool(known)


FOLDS: FoldTable = {
    ConstantOp: fold_constant,
    AddIOp: folds_of(fold_addi, SubIOp),
    SubIOp: fold_subi,
    DivUIOp: folds_of(fold_divui, MulIOp),
    DivSIOp: folds_of(fold_divsi, MulIOp),
    AndIOp: fold_andi,
    OrIOp: fold_ori,
    XOrIOp: fold_xori,
    MaxSIOp: fold_maxsi,
    MaxUIOp: fold_maxui,
    MinSIOp: fold_minsi,
    MinUIOp: fold_minui,
    CmpIOp: fold_cmpi,
    SelectOp: fold_select,
    **constant_folds(
        {
            MulIOp: fold_muli,
            ShLIOp: fold_shli,
            CeilDivUIOp: fold_ceildivui,
            CeilDivSIOp: fold_ceildivsi,
            FloorDivSIOp: fold_floordivsi,
            RemUIOp: fold_remui,
            RemSIOp: fold_remsi,
            ShRUIOp: fold_shrui,
            ShRSIOp: fold_shrsi,
            AddUIExtendedOp: fold_addui_extended,
            MulSIExtendedOp: fold_mulsi_extended,
            MulUIExtendedOp: fold_mului_extended,
        }
    ),
}
"""By the class of an operation, how it folds."""
