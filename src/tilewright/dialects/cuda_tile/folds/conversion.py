"""Folds of conversions: constants, there and back, and twice in one direction.

Conversions that Tile IR does not define are left alone: numbers outside the range of the result (of an
integer type, or of a float type that hardware saturates to), and numbers that an assumption excludes.
"""

from __future__ import annotations

from fractions import Fraction

from tilewright.dialects.common.constant_folding import defined_by
from tilewright.dialects.cuda_tile import float_rules
from tilewright.dialects.cuda_tile.folds import common as common_folds, float as float_folds
from tilewright.dialects.cuda_tile.folds.integer import SIGNED_PROMISES, UNSIGNED_PROMISES, is_signed
from tilewright.dialects.cuda_tile.ops import conversion as conversion_ops
from tilewright.dialects.cuda_tile.rules.rounding import holds_exactly
from tilewright.ir.arithmetic.float_arithmetic import RoundingDirection
from tilewright.ir.arithmetic.float_format import FloatFormat, Specials
from tilewright.ir.arithmetic.twos_complement import to_signed
from tilewright.ir.attribute import Attribute
from tilewright.ir.builtin_types import FloatType, tf32
from tilewright.ir.dialect import FoldTable, constant_folds, folds_of
from tilewright.ir.operation import Operation
from tilewright.ir.value import Value


def _there_and_back(op: Operation, inverse: type[Operation]) -> Value | None:
    """Return the operand of the `inverse` operation that defines the operand of `op`, if it has the type of
    the result of `op`; else None.
    """
    inner = defined_by(op.operands[0], inverse)
    return inner.operands[0] if inner is not None and inner.operands[0].type is op.results[0].type else None


def fold_bitcast(op: conversion_ops.BitcastOp, constants: common_folds.Constants) -> common_folds.Folded:
    """Fold a cast to the type of its operand to the operand, a cast of a `bitcast` of ``x`` back to the type
    of ``x`` to ``x``, and constants.
    """
    if op.source.type is op.result.type:
        return op.source
    return _there_and_back(op, conversion_ops.BitcastOp) or common_folds.compute(op, constants, lambda a: a)


# --- integers


def fold_exti(op: conversion_ops.ExtIOp, constants: common_folds.Constants) -> common_folds.Folded:
    """Fold constants only; a pattern merges extensions of extensions."""
    width = common_folds.width_of(op.from_)
    return common_folds.compute(op, constants, lambda a: to_signed(a, width) if is_signed(op) else a)


def fold_trunci(op: conversion_ops.TruncIOp, constants: common_folds.Constants) -> common_folds.Folded:
    """Fold a truncation of an extension of ``x`` to ``x`` if ``x`` has the type of the result, and constants
    that satisfy the overflow assumption.
    """
    width, overflow = common_folds.width_of(op.to), op.overflow
    wide = common_folds.width_of(op.from_)

    def rule(a: int) -> int | None:
        low = a & ((1 << width) - 1)
        if overflow in SIGNED_PROMISES and to_signed(low, width) != to_signed(a, wide):
            return None
        return None if overflow in UNSIGNED_PROMISES and low != a else low

    return _there_and_back(op, conversion_ops.ExtIOp) or common_folds.compute(op, constants, rule)


# --- floats


def fold_itof(op: conversion_ops.IToFOp, constants: common_folds.Constants) -> common_folds.Folded:
    """Fold constants, rounded by the mode of the operation. A number beyond the largest one of a format
    without infinity is not folded.
    """
    target, width, signed = common_folds.float_format(op.to), common_folds.width_of(op.from_), is_signed(op)
    mode = float_rules.DIRECTIONS.get(op.rounding_mode)
    if target is None or mode is None:
        return None
    saturates = target.specials is Specials.FINITE

    def rule(a: int) -> int | None:
        number = to_signed(a, width) if signed else a
        return float_rules.from_exact(target, Fraction(number), mode, number < 0, saturates=saturates)

    return common_folds.compute(op, constants, rule)


def fold_ftoi(op: conversion_ops.FToIOp, constants: common_folds.Constants) -> common_folds.Folded:
    """Fold constants, rounded toward zero. NaN and numbers out of range are folded only if the operation
    saturates: to 0, and to the nearest limit. An i1 is true if the number is not zero; with saturation only
    zeros are folded to i1.
    """
    source, width = common_folds.float_format(op.from_), common_folds.width_of(op.to)
    if source is None:
        return None
    low, high = _integer_range(width, is_signed(op))

    def rule(a: int) -> int | None:
        value = source.decode(a)
        if width == 1:
            return _truth(value, op.saturating)
        if value != value:
            return 0 if op.saturating else None
        if low - 1 < value < high + 1:
            return int(value)
        return (high if value > 0 else low) if op.saturating else None

    return common_folds.compute(op, constants, rule)


def _integer_range(width: int, signed: bool) -> tuple[int, int]:
    half = 1 << (width - 1)
    return (-half, half - 1) if signed else (0, 2 * half - 1)


def _truth(value: float, saturating: bool) -> int | None:
    """Return 0 for zero and 1 for other finite numbers. Return None for NaN and infinities, and, if
    `saturating`, for every number but zero, since the result then depends on the sign.
    """
    if value == 0:
        return 0
    return None if saturating or value != value or abs(value) == float("inf") else 1


def fold_ftof(op: conversion_ops.FToFOp, constants: common_folds.Constants) -> common_folds.Folded:
    """Fold a conversion of ``x`` to a type that holds all its numbers and back to ``x``, if every NaN of
    ``x`` is known to be canonical. Fold constants in range.
    """
    source, target = common_folds.float_format(op.from_), common_folds.float_format(op.to)
    mode = float_rules.DIRECTIONS.get(op.rounding_mode)
    if source is None or target is None or mode is None:
        return None
    before = _there_and_back(op, conversion_ops.FToFOp)
    if before is not None and _loses_nothing(before, op.from_) and float_folds.is_canonical(before):
        return before
    return common_folds.compute(op, constants, lambda a: _converted(source, target, a, mode))


def _converted(source: FloatFormat, target: FloatFormat, operand: int, mode: RoundingDirection) -> int | None:
    return float_rules.to_format(source, target, operand, mode)


def _loses_nothing(narrow: Value, wide: Value) -> bool:
    """Return whether the type of `wide` can represent all numbers of the type of `narrow`."""
    first, second = common_folds.element_type(narrow), common_folds.element_type(wide)
    return isinstance(first, FloatType) and isinstance(second, FloatType) and holds_exactly(first, second)


# --- pointers


def fold_int_to_ptr(op: conversion_ops.IntToPtrOp, constants: common_folds.Constants) -> common_folds.Folded:
    """Fold the conversion of a pointer to an integer and back to the pointer, if the result has the type of
    the pointer.
    """
    return _there_and_back(op, conversion_ops.PtrToIntOp)


def fold_ptr_to_int(op: conversion_ops.PtrToIntOp, constants: common_folds.Constants) -> common_folds.Folded:
    """Fold the conversion of an integer to a pointer and back to the integer, if the result has the type of
    the integer.
    """
    return _there_and_back(op, conversion_ops.IntToPtrOp)


def fold_ptr_to_ptr(op: conversion_ops.PtrToPtrOp, constants: common_folds.Constants) -> common_folds.Folded:
    """Fold a cast to the type of its operand to the operand, and a cast of a cast of ``x`` back to the type
    of ``x`` to ``x``.
    """
    return op.source if op.source.type is op.result.type else _there_and_back(op, conversion_ops.PtrToPtrOp)


# --- bytes

TF32_UNUSED_BITS = 13
"""The number of low bits, among the 32 bits of a tf32, that are zero."""


def _stored(value: Value) -> tuple[int, int]:
    """Return the number of bits that an element of a packed tile takes, and the number of unused low bits
    below its value.
    """
    return (
        (32, TF32_UNUSED_BITS)
        if common_folds.element_type(value) is tf32
        else (common_folds.width_of(value), 0)
    )


def fold_pack(op: conversion_ops.PackOp, constants: common_folds.Constants) -> common_folds.Folded:
    """Fold the pack of the result of an `unpack` to its bytes (not of tf32, which has unused bits), and
    constants.
    """
    inner = defined_by(op.source, conversion_ops.UnpackOp)
    if (
        inner is not None
        and inner.source.type is op.result.type
        and common_folds.element_type(op.source) is not tf32
    ):
        return inner.source
    bits, shift = _stored(op.source)
    return _regrouped(op, constants, bits, shift, 8, 0)


def fold_unpack(op: conversion_ops.UnpackOp, constants: common_folds.Constants) -> common_folds.Folded:
    """Fold the unpack of the result of a `pack` to its elements, if the types are equal, and constants."""
    before = _there_and_back(op, conversion_ops.PackOp)
    if before is not None:
        return before
    bits, shift = _stored(op.result)
    folded = _regrouped(op, constants, 8, 0, bits, shift)
    return None if _has_cut_nan(op, folded) else folded


def _regrouped(
    op: Operation, constants: common_folds.Constants, bits: int, shift: int, new_bits: int, new_shift: int
) -> Attribute | None:
    """Return the constant of the result type whose elements are cut from the bits of a constant operand, the
    lowest bits first.

    An element of the operand takes ``bits`` bits, and its lowest ``shift`` bits are unused; an element of the
    result takes ``new_bits`` and ``new_shift``. Returns None if the operand is no constant or too large.
    """
    patterns = common_folds.every_pattern(constants[0])
    if patterns is None or len(patterns) * bits > common_folds.MAXIMUM_ELEMENTS * new_bits:
        return None
    row = "".join(f"{pattern << shift:0{bits}b}" for pattern in reversed(patterns))
    ends = range(len(row), 0, -new_bits)
    pieces = [int(row[end - new_bits : end], 2) >> new_shift for end in ends]
    return common_folds.make_constant(op.results[0].type, pieces)


def _has_cut_nan(op: conversion_ops.UnpackOp, folded: Attribute | None) -> bool:
    """Return whether `op` unpacks tf32 elements and one element became infinite: the unused bits that were
    dropped may have made a NaN an infinity.
    """
    if common_folds.element_type(op.result) is not tf32:
        return False
    format = tf32.format
    return any(format.is_infinite(pattern) for pattern in common_folds.every_pattern(folded) or ())


FOLDS: FoldTable = {
    conversion_ops.BitcastOp: fold_bitcast,
    conversion_ops.TruncIOp: folds_of(fold_trunci, conversion_ops.ExtIOp),
    conversion_ops.FToFOp: folds_of(fold_ftof, conversion_ops.FToFOp),
    conversion_ops.IntToPtrOp: folds_of(fold_int_to_ptr, conversion_ops.PtrToIntOp),
    conversion_ops.PtrToIntOp: folds_of(fold_ptr_to_int, conversion_ops.IntToPtrOp),
    conversion_ops.PtrToPtrOp: fold_ptr_to_ptr,
    conversion_ops.PackOp: folds_of(fold_pack, conversion_ops.UnpackOp),
    conversion_ops.UnpackOp: folds_of(fold_unpack, conversion_ops.PackOp),
    **constant_folds(
        {
            conversion_ops.ExtIOp: fold_exti,
            conversion_ops.IToFOp: fold_itof,
            conversion_ops.FToIOp: fold_ftoi,
        }
    ),
}
"""For each class of operations, the function that folds it."""
