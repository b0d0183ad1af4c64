"""Folds of ``llvm``'s integer arithmetic: as in ``arith``, on constants of the operand's own type.

MLIR folds only a few of these; LLVM folds them all.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from tilewright.dialects.arith import folds_conversion, folds_integer, ops_integer as integers
from tilewright.dialects.arith.attributes import CmpIPredicate
from tilewright.dialects.common.constant_folding import (
    Constants,
    bit_width,
    defined_by,
    fold_same_type,
    fold_scalars,
    splat_of,
    splat_pattern,
)
from tilewright.dialects.common.kinds import attribute_type
from tilewright.dialects.llvm.ops.aggregate import ConstantOp
from tilewright.dialects.llvm.ops.arithmetic import (
    AddOp,
    AndOp,
    AShrOp,
    ICmpOp,
    LShrOp,
    MulOp,
    OrOp,
    SDivOp,
    SelectOp,
    ShlOp,
    SRemOp,
    SubOp,
    UDivOp,
    URemOp,
    XOrOp,
)
from tilewright.dialects.llvm.ops.conversion import BitcastOp, SExtOp, TruncOp, ZExtOp
from tilewright.dialects.llvm.ops.memory import GEPOp
from tilewright.ir.arithmetic.twos_complement import to_signed
from tilewright.ir.attribute import Attribute
from tilewright.ir.builtin_attributes import IntegerAttr
from tilewright.ir.builtin_types import IntegerType
from tilewright.ir.dialect import FoldTable
from tilewright.ir.operation import FoldResult, Operation
from tilewright.ir.value import Value

Fold = Callable[[Operation, Constants], Any]


def fold_own_constant(op: Operation, constants: Constants) -> FoldResult:
    """``llvm.mlir.constant``: its value, if that is of the type of the result."""
    value = op.held_attributes.get("value")
    return value if value is not None and attribute_type(value) is op.results[0].type else None


def in_own_type(value: Value, constant: Attribute | None) -> Attribute | None:
    """Return a constant in the type of the operand: ``llvm.mlir.constant(8 : index) : i64`` is an i64."""
    if constant is None or attribute_type(constant) is value.type:
        return constant
    if isinstance(constant, IntegerAttr) and isinstance(value.type, IntegerType):
        return IntegerAttr(value.type, constant.value)
    return None


def own_constants(op: Operation, constants: Constants) -> Sequence[Attribute | None]:
    """Return all constants in the types of the operands."""
    return [in_own_type(value, constant) for value, constant in zip(op.operands, constants, strict=True)]


def _as_in_arith(rule: Fold) -> Fold:
    def fold(op: Operation, constants: Constants) -> FoldResult:
        return rule(op, own_constants(op, constants))

    return fold


fold_zext = _as_in_arith(folds_conversion.fold_zero_extension)
fold_sext = _as_in_arith(folds_conversion.fold_sign_extension)


def fold_trunc(op: Operation, constants: Constants) -> FoldResult:
    """``trunc(ext(x)) = x`` if the types are the same; constants."""
    inner = defined_by(op.operands[0], SExtOp, ZExtOp)
    if inner is not None and inner.operands[0].type is op.results[0].type:
        return inner.operands[0]
    return fold_scalars(own_constants(op, constants), op.results[0].type, lambda pattern: pattern)


def fold_icmp(op: ICmpOp, constants: Constants) -> FoldResult:
    """``x ? x`` is known; constants."""
    is_signed, relation = folds_integer.COMPARISONS[CmpIPredicate[op.predicate.name]]
    result, width = op.results[0].type, bit_width(op.lhs.type)
    if op.lhs is op.rhs:
        return splat_of(result, int(relation(0, 0)))

    def compare(a: int, b: int) -> int:
        return int(relation(to_signed(a, width), to_signed(b, width)) if is_signed else relation(a, b))

    return fold_scalars(own_constants(op, constants), result, compare) if width else None


def fold_select(op: SelectOp, constants: Constants) -> FoldResult:
    """Fold a select of equal values, or with a known condition."""
    chosen = splat_pattern(in_own_type(op.condition, constants[0]))
    if op.trueValue is op.falseValue or chosen == 1:
        return op.trueValue
    return op.falseValue if chosen == 0 else None


def fold_getelementptr(op: GEPOp, constants: Constants) -> FoldResult:
    """Fold the address of element 0 to the base address."""
    same = op.rawConstantIndices == (0,) and op.base.type is op.res.type
    return op.base if same else None


TWINS: dict[type[Operation], type[integers.IntegerBinaryOp]] = {
    AddOp: integers.AddIOp,
    SubOp: integers.SubIOp,
    MulOp: integers.MulIOp,
    ShlOp: integers.ShLIOp,
    UDivOp: integers.DivUIOp,
    SDivOp: integers.DivSIOp,
    URemOp: integers.RemUIOp,
    SRemOp: integers.RemSIOp,
    AndOp: integers.AndIOp,
    OrOp: integers.OrIOp,
    XOrOp: integers.XOrIOp,
    LShrOp: integers.ShRUIOp,
    AShrOp: integers.ShRSIOp,
}
"""The operation of ``arith`` that folds as an operation of ``llvm`` does."""
FOLDS: FoldTable = {
    ConstantOp: fold_own_constant,
    **{op_class: _as_in_arith(folds_integer.ARITHMETIC[twin]) for op_class, twin in TWINS.items()},
    ICmpOp: fold_icmp,
    SelectOp: fold_select,
    TruncOp: fold_trunc,
    ZExtOp: fold_zext,
    SExtOp: fold_sext,
    BitcastOp: fold_same_type,
    GEPOp: fold_getelementptr,
}
"""By the class of an operation, how it folds."""
