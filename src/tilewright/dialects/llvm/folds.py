"""Folds of ``llvm``'s integer arithmetic: as in ``arith``, with each constant converted to the type of its
operand.

MLIR folds only a few of these; LLVM folds them all.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from tilewright.dialects.arith import folds_conversion, folds_integer, ops_integer as integers
from tilewright.dialects.arith.attributes import CmpIPredicate
from tilewright.dialects.common import constant_folding, kinds
from tilewright.dialects.llvm.ops import aggregate as llvm_aggregate, arithmetic as llvm
from tilewright.dialects.llvm.ops.conversion import BitcastOp, SExtOp, TruncOp, ZExtOp
from tilewright.dialects.llvm.ops.memory import GEPOp
from tilewright.ir import builtin_types, dialect
from tilewright.ir.arithmetic.twos_complement import to_signed
from tilewright.ir.attribute import Attribute
from tilewright.ir.builtin_attributes import IntegerAttr
from tilewright.ir.operation import FoldResult, Operation
from tilewright.ir.value import Value

Fold = Callable[[Operation, constant_folding.Constants], Any]


def fold_own_constant(op: Operation, constants: constant_folding.Constants) -> FoldResult:
    """Fold ``llvm.mlir.constant`` to its value, if the value has the type of the result; otherwise return
    None.
    """
    value = op.held_attributes.get("value")
    return value if value is not None and kinds.attribute_type(value) is op.results[0].type else None


def in_own_type(value: Value, constant: Attribute | None) -> Attribute | None:
    """Return a constant converted to the type of the operand `value`: the value of ``llvm.mlir.constant(8 :
    index) : i64`` is an i64. Return None if there is no constant, or if the types differ and the constant or
    the operand is not a scalar integer.
    """
    if constant is None or kinds.attribute_type(constant) is value.type:
        return constant
    if isinstance(constant, IntegerAttr) and isinstance(value.type, builtin_types.IntegerType):
        return IntegerAttr(value.type, constant.value)
    return None


def own_constants(op: Operation, constants: constant_folding.Constants) -> Sequence[Attribute | None]:
    """Return, for each operand, its constant converted to the type of the operand (`in_own_type`), or None if
    it is not constant.
    """
    return [in_own_type(value, constant) for value, constant in zip(op.operands, constants, strict=True)]


def _as_in_arith(rule: Fold) -> Fold:
    def fold(op: Operation, constants: constant_folding.Constants) -> FoldResult:
        return rule(op, own_constants(op, constants))

    return fold


fold_zext = _as_in_arith(folds_conversion.fold_zero_extension)
fold_sext = _as_in_arith(folds_conversion.fold_sign_extension)


def fold_trunc(op: Operation, constants: constant_folding.Constants) -> FoldResult:
    """Fold a truncation of an extension of ``x`` to ``x`` if ``x`` has the type of the result, and a
    truncation of a constant.
    """
    inner = constant_folding.defined_by(op.operands[0], SExtOp, ZExtOp)
    if inner is not None and inner.operands[0].type is op.results[0].type:
        return inner.operands[0]
    return constant_folding.fold_scalars(
        own_constants(op, constants), op.results[0].type, lambda pattern: pattern
    )


def fold_icmp(op: llvm.ICmpOp, constants: constant_folding.Constants) -> FoldResult:
    """Fold a comparison of a value with itself, and a comparison of constant integers or vectors of integers,
    to the constant result.
    """
    is_signed, relation = folds_integer.COMPARISONS[CmpIPredicate[op.predicate.name]]
    result, width = op.results[0].type, constant_folding.bit_width(op.lhs.type)
    if op.lhs is op.rhs:
        return constant_folding.splat_of(result, int(relation(0, 0)))

    def compare(a: int, b: int) -> int:
        return int(relation(to_signed(a, width), to_signed(b, width)) if is_signed else relation(a, b))

    return constant_folding.fold_scalars(own_constants(op, constants), result, compare) if width else None


def fold_select(op: llvm.SelectOp, constants: constant_folding.Constants) -> FoldResult:
    """Fold a select whose two values are the same value, or whose condition is a constant, of the same truth
    value for all elements.
    """
    chosen = constant_folding.splat_pattern(in_own_type(op.condition, constants[0]))
    if op.trueValue is op.falseValue or chosen == 1:
        return op.trueValue
    return op.falseValue if chosen == 0 else None


def fold_getelementptr(op: GEPOp, constants: constant_folding.Constants) -> FoldResult:
    """Fold an address with the single constant index 0 to the base address, if both have one type."""
    same = op.rawConstantIndices == (0,) and op.base.type is op.res.type
    return op.base if same else None


TWINS: dict[type[Operation], type[integers.IntegerBinaryOp]] = {
    llvm.AddOp: integers.AddIOp,
    llvm.SubOp: integers.SubIOp,
    llvm.MulOp: integers.MulIOp,
    llvm.ShlOp: integers.ShLIOp,
    llvm.UDivOp: integers.DivUIOp,
    llvm.SDivOp: integers.DivSIOp,
    llvm.URemOp: integers.RemUIOp,
    llvm.SRemOp: integers.RemSIOp,
    llvm.AndOp: integers.AndIOp,
    llvm.OrOp: integers.OrIOp,
    llvm.XOrOp: integers.XOrIOp,
    llvm.LShrOp: integers.ShRUIOp,
    llvm.AShrOp: integers.ShRSIOp,
}
"""For each integer operation of ``llvm``, the operation of ``arith`` that folds in the same way."""
FOLDS: dialect.FoldTable = {
    llvm_aggregate.ConstantOp: fold_own_constant,
    **{op_class: _as_in_arith(folds_integer.ARITHMETIC[twin]) for op_class, twin in TWINS.items()},
    llvm.ICmpOp: fold_icmp,
    llvm.SelectOp: fold_select,
    TruncOp: fold_trunc,
    ZExtOp: fold_zext,
    SExtOp: fold_sext,
    BitcastOp: constant_folding.fold_same_type,
    GEPOp: fold_getelementptr,
}
"""For each class of operations, the function that folds it."""
