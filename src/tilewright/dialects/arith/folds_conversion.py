"""Folds of ``arith``'s conversions."""

from __future__ import annotations

from tilewright.dialects.arith import ops_conversion as arith_conversion
from tilewright.dialects.common import constant_folding
from tilewright.dialects.ub.folds import first_poison
from tilewright.ir.arithmetic import float_arithmetic
from tilewright.ir.arithmetic.float_arithmetic import RoundingDirection
from tilewright.ir.arithmetic.twos_complement import to_signed
from tilewright.ir.attribute import Attribute
from tilewright.ir.dialect import FoldTable, constant_folds, folds_of
from tilewright.ir.operation import Operation
from tilewright.ir.value import Value

Folded = Value | Attribute | None


def _compute(op: Operation, constants: constant_folding.Constants, rule: constant_folding.Unary) -> Folded:
    poison = first_poison(constants)
    return (
        poison if poison is not None else constant_folding.fold_scalars(constants, op.results[0].type, rule)
    )


def _source_width(op: Operation) -> int:
    return constant_folding.bit_width(op.operands[0].type)


def fold_zero_extension(op: Operation, constants: constant_folding.Constants) -> Folded:
    """Fold ``extui`` of a constant; poison gives poison. Return None for an operand that is not constant."""
    return _compute(op, constants, lambda pattern: pattern)


def fold_sign_extension(op: Operation, constants: constant_folding.Constants) -> Folded:
    """Fold ``extsi`` of a constant; poison gives poison. Return None for an operand that is not constant."""
    return _compute(op, constants, lambda pattern: to_signed(pattern, _source_width(op)))


def fold_trunci(op: Operation, constants: constant_folding.Constants) -> Folded:
    """Fold ``trunc(ext(x))`` to x if x has the result type, for both extensions; fold constants. Poison gives
    poison.
    """
    source, target = op.operands[0], op.results[0].type
    inner = constant_folding.defined_by(source, arith_conversion.ExtSIOp, arith_conversion.ExtUIOp)
    if inner is not None and inner.operands[0].type is target:
        return inner.operands[0]
    return _compute(op, constants, lambda pattern: pattern)


def fold_extf(op: Operation, constants: constant_folding.Constants) -> Folded:
    """Fold ``extf`` of constants. Return None for an operand that is not constant, for types without a float
    format, and for numbers that the wide type does not represent exactly.
    """
    return _convert_float(op, constants, RoundingDirection.TO_NEAREST_EVEN)


def fold_truncf(op: arith_conversion.TruncFOp, constants: constant_folding.Constants) -> Folded:
    """Fold ``truncf(extf(x))`` to x if x has the result type; fold constants that the narrow type represents
    exactly.
    """
    inner = constant_folding.defined_by(op.operands[0], arith_conversion.ExtFOp)
    if inner is not None and inner.operands[0].type is op.results[0].type:
        return inner.operands[0]
    mode = op.roundingmode
    return _convert_float(
        op,
        constants,
        RoundingDirection(mode.value) if mode is not None else RoundingDirection.TO_NEAREST_EVEN,
    )


def _convert_float(op: Operation, constants: constant_folding.Constants, mode: RoundingDirection) -> Folded:
    source, target = (
        constant_folding.float_format(op.operands[0].type),
        constant_folding.float_format(op.results[0].type),
    )
    if source is None or target is None:
        return None

    def exact(pattern: int) -> int | None:
        converted = float_arithmetic.convert(source, target, pattern, mode)
        if converted is None or not float_arithmetic.is_exactly(source, pattern, target, converted):
            return None
        return converted

    return _compute(op, constants, exact)


def fold_sitofp(op: Operation, constants: constant_folding.Constants) -> Folded:
    """Fold ``sitofp`` of constants, rounded to nearest even. Return None for other operands, and for a result
    type without a float format.
    """
    format, width = constant_folding.float_format(op.results[0].type), _source_width(op)
    if format is None:
        return None
    return _compute(op, constants, lambda p: float_arithmetic.from_integer(format, to_signed(p, width)))


def fold_uitofp(op: Operation, constants: constant_folding.Constants) -> Folded:
    """Fold ``uitofp`` of constants, rounded to nearest even. Return None for other operands, and for a result
    type without a float format.
    """
    format = constant_folding.float_format(op.results[0].type)
    return (
        None
        if format is None
        else _compute(op, constants, lambda p: float_arithmetic.from_integer(format, p))
    )


def fold_fptosi(op: Operation, constants: constant_folding.Constants) -> Folded:
    """Fold ``fptosi`` of constants, rounded towards zero, if the integer fits the signed result type. Other
    constants, NaN included, give poison at run time and are not folded.
    """
    half = 1 << constant_folding.bit_width(op.results[0].type) >> 1
    return _to_integer(op, constants, -half, half)


def fold_fptoui(op: Operation, constants: constant_folding.Constants) -> Folded:
    """Fold ``fptoui`` of constants, rounded towards zero, if the integer fits the unsigned result type. Other
    constants, NaN included, give poison at run time and are not folded.
    """
    return _to_integer(op, constants, 0, 1 << constant_folding.bit_width(op.results[0].type))


def _to_integer(op: Operation, constants: constant_folding.Constants, lowest: int, limit: int) -> Folded:
    format = constant_folding.float_format(op.operands[0].type)
    if format is None:
        return None

    def whole(pattern: int) -> int | None:
        value = float_arithmetic.to_integer(format, pattern)
        return value if value is not None and lowest <= value < limit else None

    return _compute(op, constants, whole)


def fold_index_cast(op: Operation, constants: constant_folding.Constants) -> Folded:
    """Fold constants, and ``index_cast(index_cast(x))`` to x if the result has the type of x and the type
    between is not narrower.
    """
    return _cast_back(op, arith_conversion.IndexCastOp) or fold_sign_extension(op, constants)


def fold_index_castui(op: Operation, constants: constant_folding.Constants) -> Folded:
    """Fold constants, and ``index_castui(index_castui(x))`` to x if the result has the type of x and the type
    between is not narrower.
    """
    return _cast_back(op, arith_conversion.IndexCastUIOp) or fold_zero_extension(op, constants)


def _cast_back(op: Operation, inverse: type[Operation]) -> Value | None:
    inner = constant_folding.defined_by(op.operands[0], inverse)
    if inner is None or inner.operands[0].type is not op.results[0].type:
        return None
    # Through an integer narrower than index the way there and back loses bits (MLIR folds that, too).
    is_safe = constant_folding.bit_width(op.operands[0].type) >= constant_folding.bit_width(
        op.results[0].type
    )
    return inner.operands[0] if is_safe else None


def fold_bitcast(op: Operation, constants: constant_folding.Constants) -> Folded:
    """Fold a bitcast to the type of its operand, and constants if the elements of both types have the same
    number of bits.
    """
    source, target = op.operands[0], op.results[0].type
    if source.type is target:
        return source
    if constant_folding.bit_width(source.type) != constant_folding.bit_width(target):
        return None
    return _compute(op, constants, lambda pattern: pattern)


FOLDS: FoldTable = {
    arith_conversion.TruncIOp: folds_of(fold_trunci, arith_conversion.ExtSIOp, arith_conversion.ExtUIOp),
    arith_conversion.TruncFOp: folds_of(fold_truncf, arith_conversion.ExtFOp),
    arith_conversion.IndexCastOp: folds_of(fold_index_cast, arith_conversion.IndexCastOp),
    arith_conversion.IndexCastUIOp: folds_of(fold_index_castui, arith_conversion.IndexCastUIOp),
    arith_conversion.BitcastOp: fold_bitcast,
    **constant_folds(
        {
            arith_conversion.ExtUIOp: fold_zero_extension,
            arith_conversion.ExtSIOp: fold_sign_extension,
            arith_conversion.ExtFOp: fold_extf,
            arith_conversion.UIToFPOp: fold_uitofp,
            arith_conversion.SIToFPOp: fold_sitofp,
            arith_conversion.FPToUIOp: fold_fptoui,
            arith_conversion.FPToSIOp: fold_fptosi,
        }
    ),
}
"""Operation class -> its fold."""
