"""Bases of vector operations whose result types follow from their operands."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from tilewright.dialects.common.base import StandardOp
from tilewright.dialects.common.kinds import DescribedArrayKind
from tilewright.dialects.vector.enums import CombiningKindAttr, IteratorTypeAttr, PrintPunctuationAttr
from tilewright.ir.arithmetic.affine import AffineMapAttr
from tilewright.ir.attribute import Attribute, Type
from tilewright.ir.block import Region
from tilewright.ir.builtin_types import VectorType, i64
from tilewright.ir.declaration.attribute_kind import BoolKind, InstanceKind, IntegerKind, StringKind
from tilewright.ir.declaration.enum_attribute import SpelledEnumKind
from tilewright.ir.value import Value


def part_type(vector: VectorType, depth: int) -> Type:
    """Return the type of a part of a vector below its ``depth`` leading dimensions; a scalar below all of them."""
    if depth >= len(vector.shape):
        return vector.element_type
    scalable = vector.scalable[depth:] if vector.scalable else ()
    return VectorType(vector.shape[depth:], vector.element_type, scalable)


def scaled_type(vector: VectorType, numerator: int, denominator: int) -> VectorType:
    """Return a vector type with the last extent multiplied and divided."""
    last = vector.shape[-1] * numerator // denominator
    return VectorType((*vector.shape[:-1], last), vector.element_type, vector.scalable)


class PartResultOp(StandardOp):
    """An operation whose result is the part of its first operand at its static position."""

    @classmethod
    def infer_result_types(
        cls, operands: Sequence[Value], attributes: Mapping[str, Attribute], regions: Sequence[Region]
    ) -> Sequence[Type]:
        vector: Any = operands[0].type
        position: Any = attributes["static_position"]
        return [part_type(vector, len(position.values))]


class InterleavedResultOp(StandardOp):
    """An operation whose result is twice as long as its first operand."""

    @classmethod
    def infer_result_types(
        cls, operands: Sequence[Value], attributes: Mapping[str, Attribute], regions: Sequence[Region]
    ) -> Sequence[Type]:
        vector: Any = operands[0].type
        return [scaled_type(vector, 2, 1)]


class HalvedResultOp(StandardOp):
    """An operation whose two results are half as long as its operand."""

    @classmethod
    def infer_result_types(
        cls, operands: Sequence[Value], attributes: Mapping[str, Attribute], regions: Sequence[Region]
    ) -> Sequence[Type]:
        vector: Any = operands[0].type
        return [scaled_type(vector, 1, 2)] * 2


class TransposedResultOp(StandardOp):
    """An operation that gives its operand with permuted dimensions."""

    @classmethod
    def infer_result_types(
        cls, operands: Sequence[Value], attributes: Mapping[str, Attribute], regions: Sequence[Region]
    ) -> Sequence[Type]:
        vector: Any = operands[0].type
        permutation: Any = attributes["permutation"]
        shape = tuple(vector.shape[position] for position in permutation.values)
        scalable = (
            tuple(vector.scalable[position] for position in permutation.values) if vector.scalable else ()
        )
        return [VectorType(shape, vector.element_type, scalable)]


class ElementsResultOp(StandardOp):
    """An operation whose results are all elements of its operand."""

    @classmethod
    def infer_result_types(
        cls, operands: Sequence[Value], attributes: Mapping[str, Attribute], regions: Sequence[Region]
    ) -> Sequence[Type]:
        vector: Any = operands[0].type
        count = 1
        for extent in vector.shape:
            count *= extent
        return [vector.element_type] * count


class ReducedResultOp(StandardOp):
    """An operation whose result has the element type of its first operand."""

    @classmethod
    def infer_result_types(
        cls, operands: Sequence[Value], attributes: Mapping[str, Attribute], regions: Sequence[Region]
    ) -> Sequence[Type]:
        vector: Any = operands[0].type
        return [vector.element_type]


class AccumulatorResultOp(StandardOp):
    """An operation whose result has the type of its accumulator, its last operand."""

    @classmethod
    def infer_result_types(
        cls, operands: Sequence[Value], attributes: Mapping[str, Attribute], regions: Sequence[Region]
    ) -> Sequence[Type]:
        return [operands[-1].type]


class ShuffledResultOp(StandardOp):
    """An operation whose result has as many parts of its first operand as its mask has entries."""

    @classmethod
    def infer_result_types(
        cls, operands: Sequence[Value], attributes: Mapping[str, Attribute], regions: Sequence[Region]
    ) -> Sequence[Type]:
        vector: Any = operands[0].type
        mask: Any = attributes["mask"]
        return [VectorType((len(mask.values), *vector.shape[1:]), vector.element_type)]


class VectorYieldRole(StandardOp):
    """`vector.yield` for the syntax, whose modules come before the operations."""


COMBINING_KIND = SpelledEnumKind(
    CombiningKindAttr, "Kind of combining function for contractions and reductions"
)
PUNCTUATION = SpelledEnumKind(PrintPunctuationAttr, "Punctuation for separating vectors or vector elements")
ITERATOR_TYPES = DescribedArrayKind(SpelledEnumKind(IteratorTypeAttr), "Iterator type should be an enum.")
AFFINE_MAP = InstanceKind(AffineMapAttr, "AffineMap attribute")
AFFINE_MAPS = DescribedArrayKind(InstanceKind(AffineMapAttr, "AffineMap attribute"), "array attribute")
INTEGERS = DescribedArrayKind(IntegerKind(i64), "64-bit integer array attribute")
BOOLEANS = DescribedArrayKind(BoolKind(), "1-bit boolean array attribute")


class LiteralKind(StringKind):
    """A string to print, shown as str."""

    description = "An Attribute containing a string"


LITERAL = LiteralKind()
