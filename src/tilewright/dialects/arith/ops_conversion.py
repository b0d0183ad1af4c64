"""Conversions between number types."""

from __future__ import annotations

from tilewright.dialects.arith import attributes as arith_attributes
from tilewright.dialects.common.base import StandardOp
from tilewright.dialects.common.constraints import (
    BITCAST_TYPE,
    FIXED_WIDTH_INTEGER_LIKE,
    FLOAT_LIKE,
    INDEX_CAST_TYPE,
    element_type_or_self,
)
from tilewright.dialects.common.traits import Cast
from tilewright.ir.attribute import Type
from tilewright.ir.builtin_types import FloatType, IndexType, IntegerType
from tilewright.ir.declaration.fields import attr_def, operand_def, optional_attr_def, result_def
from tilewright.ir.declaration.traits import Pure
from tilewright.ir.value import Value

FORMAT = "$in attr-dict `:` type($in) `to` type($out)"
SOURCE = "The value to convert."
TARGET = "The converted value."
SCALE = "The scale: a power of two for each group of elements."
FLAGS = "The fast-math flags."
ROUNDING = "How an inexact result is rounded; to nearest even if it is not said."


def width(type: Type) -> int:
    """Return the number of bits of an element of a type; 0 for types without a width."""
    element = element_type_or_self(type)
    return element.width if isinstance(element, IntegerType | FloatType) else 0


def is_wider(source: Type, target: Type) -> bool:
    """Return whether the elements of `target` have more bits than the elements of `source`; a type without a
    width counts as 0 bits.
    """
    return width(target) > width(source)


def is_narrower(source: Type, target: Type) -> bool:
    """Return whether the elements of `target` have fewer bits than the elements of `source`; a type without a
    width counts as 0 bits.
    """
    return width(target) < width(source)


def has_same_width(source: Type, target: Type) -> bool:
    """Return whether the elements of both types have the same number of bits; False for types without a
    width.
    """
    return width(target) == width(source) > 0


def between_index_and_integer(source: Type, target: Type) -> bool:
    """Return whether exactly one of the types is index, or has elements of type index."""
    kinds = [isinstance(element_type_or_self(type), IndexType) for type in (source, target)]
    return kinds[0] != kinds[1]


def always(source: Type, target: Type) -> bool:
    """Return True: any pair that the operand and result constraints admit is allowed."""
    return True


class ExtUIOp(StandardOp, name="arith.extui"):
    """Makes integers wider, filling with zeros."""

    in_: Value = operand_def(FIXED_WIDTH_INTEGER_LIKE, SOURCE)
    out: Value = result_def(FIXED_WIDTH_INTEGER_LIKE, TARGET)
    assembly_format = FORMAT
    traits = (Pure(), Cast(is_wider))


class ExtSIOp(StandardOp, name="arith.extsi"):
    """Makes integers wider, filling with copies of the sign bit."""

    in_: Value = operand_def(FIXED_WIDTH_INTEGER_LIKE, SOURCE)
    out: Value = result_def(FIXED_WIDTH_INTEGER_LIKE, TARGET)
    assembly_format = FORMAT
    traits = (Pure(), Cast(is_wider))


class ExtFOp(StandardOp, name="arith.extf"):
    """Makes floats wider; every value is exact."""

    in_: Value = operand_def(FLOAT_LIKE, SOURCE)
    fastmath: arith_attributes.FastMathFlags | None = optional_attr_def(arith_attributes.FAST_MATH, FLAGS)
    out: Value = result_def(FLOAT_LIKE, TARGET)
    assembly_format = "$in (`fastmath` `` $fastmath^)? attr-dict `:` type($in) `to` type($out)"
    traits = (Pure(), Cast(is_wider))


class TruncIOp(StandardOp, name="arith.trunci"):
    """Makes integers narrower, dropping high bits. With an assumption in `overflowFlags`, the result is
    poison if the narrow integer differs from the wide one, read as signed (`nsw`) or unsigned (`nuw`).
    """

    in_: Value = operand_def(FIXED_WIDTH_INTEGER_LIKE, SOURCE)
    overflowFlags: arith_attributes.IntegerOverflowFlags = attr_def(
        arith_attributes.OVERFLOW,
        "The losses that are assumed not to happen.",
        default=arith_attributes.IntegerOverflowFlags.NONE,
    )
    out: Value = result_def(FIXED_WIDTH_INTEGER_LIKE, TARGET)
    assembly_format = "$in (`overflow` `` $overflowFlags^)? attr-dict `:` type($in) `to` type($out)"
    traits = (Pure(), Cast(is_narrower))


class TruncFOp(StandardOp, name="arith.truncf"):
    """Converts floats to a narrower type, rounded by `roundingmode`, to nearest even without it."""

    in_: Value = operand_def(FLOAT_LIKE, SOURCE)
    roundingmode: arith_attributes.RoundingMode | None = optional_attr_def(
        arith_attributes.ROUNDING_MODE, ROUNDING
    )
    fastmath: arith_attributes.FastMathFlags | None = optional_attr_def(arith_attributes.FAST_MATH, FLAGS)
    out: Value = result_def(FLOAT_LIKE, TARGET)
    assembly_format = (
        "$in ($roundingmode^)? (`fastmath` `` $fastmath^)? attr-dict `:` type($in) `to` type($out)"
    )
    traits = (Pure(), Cast(is_narrower))


class ScalingExtFOp(StandardOp, name="arith.scaling_extf"):
    """Makes floats wider and multiplies them by scales, as in the OCP microscaling formats."""

    in_: Value = operand_def(FLOAT_LIKE, SOURCE)
    scale: Value = operand_def(FLOAT_LIKE, SCALE)
    fastmath: arith_attributes.FastMathFlags | None = optional_attr_def(arith_attributes.FAST_MATH, FLAGS)
    out: Value = result_def(FLOAT_LIKE, TARGET)
    assembly_format = (
        "$in `,` $scale (`fastmath` `` $fastmath^)? attr-dict `:` type($in) `,` type($scale) `to` type($out)"
    )
    traits = (Pure(), Cast(is_wider, same_shape=False))


class ScalingTruncFOp(StandardOp, name="arith.scaling_truncf"):
    """Divides floats by scales and makes them narrower, as in the OCP microscaling formats."""

    in_: Value = operand_def(FLOAT_LIKE, SOURCE)
    scale: Value = operand_def(FLOAT_LIKE, SCALE)
    roundingmode: arith_attributes.RoundingMode | None = optional_attr_def(
        arith_attributes.ROUNDING_MODE, ROUNDING
    )
    fastmath: arith_attributes.FastMathFlags | None = optional_attr_def(arith_attributes.FAST_MATH, FLAGS)
    out: Value = result_def(FLOAT_LIKE, TARGET)
    assembly_format = (
        "$in `,` $scale ($roundingmode^)? (`fastmath` `` $fastmath^)? attr-dict `:` "
        "type($in) `,` type($scale) `to` type($out)"
    )
    traits = (Pure(), Cast(is_narrower, same_shape=False))


class UIToFPOp(StandardOp, name="arith.uitofp"):
    """Converts unsigned integers to floats, rounding to nearest even."""

    in_: Value = operand_def(FIXED_WIDTH_INTEGER_LIKE, SOURCE)
    out: Value = result_def(FLOAT_LIKE, TARGET)
    assembly_format = FORMAT
    traits = (Pure(), Cast(always))


class SIToFPOp(StandardOp, name="arith.sitofp"):
    """Converts signed integers to floats, rounding to nearest even."""

    in_: Value = operand_def(FIXED_WIDTH_INTEGER_LIKE, SOURCE)
    out: Value = result_def(FLOAT_LIKE, TARGET)
    assembly_format = FORMAT
    traits = (Pure(), Cast(always))


class FPToUIOp(StandardOp, name="arith.fptoui"):
    """Converts floats to unsigned integers, rounding towards zero; numbers out of range give poison."""

    in_: Value = operand_def(FLOAT_LIKE, SOURCE)
    out: Value = result_def(FIXED_WIDTH_INTEGER_LIKE, TARGET)
    assembly_format = FORMAT
    traits = (Pure(), Cast(always))


class FPToSIOp(StandardOp, name="arith.fptosi"):
    """Converts floats to signed integers, rounding towards zero; numbers out of range give poison."""

    in_: Value = operand_def(FLOAT_LIKE, SOURCE)
    out: Value = result_def(FIXED_WIDTH_INTEGER_LIKE, TARGET)
    assembly_format = FORMAT
    traits = (Pure(), Cast(always))


class IndexCastOp(StandardOp, name="arith.index_cast"):
    """Converts between index and integers of a fixed width: copies the sign into a wider type, and drops high
    bits for a narrower one.
    """

    in_: Value = operand_def(INDEX_CAST_TYPE, SOURCE)
    out: Value = result_def(INDEX_CAST_TYPE, TARGET)
    assembly_format = FORMAT
    traits = (Pure(), Cast(between_index_and_integer))


class IndexCastUIOp(StandardOp, name="arith.index_castui"):
    """Converts between index and integers of a fixed width: fills a wider type with zeros, and drops high
    bits for a narrower one.
    """

    in_: Value = operand_def(INDEX_CAST_TYPE, SOURCE)
    out: Value = result_def(INDEX_CAST_TYPE, TARGET)
    assembly_format = FORMAT
    traits = (Pure(), Cast(between_index_and_integer))


class BitcastOp(StandardOp, name="arith.bitcast"):
    """Reads the bits of a value as another type of the same width."""

    in_: Value = operand_def(BITCAST_TYPE, SOURCE)
    out: Value = result_def(BITCAST_TYPE, TARGET)
    assembly_format = FORMAT
    traits = (Pure(), Cast(has_same_width))


OPERATIONS = (
    ExtUIOp,
    ExtSIOp,
    ExtFOp,
    TruncIOp,
    TruncFOp,
    ScalingExtFOp,
    ScalingTruncFOp,
    UIToFPOp,
    SIToFPOp,
    FPToUIOp,
    FPToSIOp,
    IndexCastOp,
    IndexCastUIOp,
    BitcastOp,
)
