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
    """Return the type of ``vector`` without its first ``depth`` dimensions; the element type if no dimension
    is left.
    """
    if depth >= len(vector.shape):
        return vector.element_type
    scalable = vector.scalable[depth:] if vector.scalable else ()
    return VectorType(vector.shape[depth:], vector.element_type, scalable)


def scaled_type(vector: VectorType, numerator: int, denominator: int) -> VectorType:
    """Return ``vector`` with its last extent multiplied by ``numerator`` and divided by ``denominator``,
    rounded down.
    """
    last = vector.shape[-1] * numerator // denominator
    return VectorType((*vector.shape[:-1], last), vector.element_type, vector.scalable)


class PartResultOp(StandardOp):
    """An operation whose result type is its first operand's without as many leading dimensions as
    ``static_position`` has entries.
    """

    @classmethod
    def infer_result_types(
        cls, operands: Sequence[Value], attributes: Mapping[str, Attribute], regions: Sequence[Region]
    ) -> Sequence[Type]:
        vector: Any = operands[0].type
        position: Any = attributes["static_position"]
        return [part_type(vector, len(position.values))]


class InterleavedResultOp(StandardOp):
    """An operation whose result type is its first operand's with twice the last extent."""

    @classmethod
    def infer_result_types(
        cls, operands: Sequence[Value], attributes: Mapping[str, Attribute], regions: Sequence[Region]
    ) -> Sequence[Type]:
        vector: Any = operands[0].type
        return [scaled_type(vector, 2, 1)]


class HalvedResultOp(StandardOp):
    """An operation with two results, each of the operand's type with half the last extent."""

    @classmethod
    def infer_result_types(
        cls, operands: Sequence[Value], attributes: Mapping[str, Attribute], regions: Sequence[Region]
    ) -> Sequence[Type]:
        vector: Any = operands[0].type
        return [scaled_type(vector, 1, 2)] * 2


class TransposedResultOp(StandardOp):
    """An operation whose result type is its operand's with the dimensions in the order of ``permutation``."""

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
    """An operation with one scalar result for each element of its operand."""

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
    """An operation whose result is a scalar of its first operand's element type."""

    @classmethod
    def infer_result_types(
        cls, operands: Sequence[Value], attributes: Mapping[str, Attribute], regions: Sequence[Region]
    ) -> Sequence[Type]:
        vector: Any = operands[0].type
        return [vector.element_type]


class AccumulatorResultOp(StandardOp):
    """An operation whose result has the type of its last operand, the accumulator."""

    @classmethod
    def infer_result_types(
        cls, operands: Sequence[Value], attributes: Mapping[str, Attribute], regions: Sequence[Region]
    ) -> Sequence[Type]:
        return [operands[-1].type]


class ShuffledResultOp(StandardOp):
    """An operation whose result type is its first operand's with a leading extent equal to the length of
    ``mask``.
    """

    @classmethod
    def infer_result_types(
        cls, operands: Sequence[Value], attributes: Mapping[str, Attribute], regions: Sequence[Region]
    ) -> Sequence[Type]:
        vector: Any = operands[0].type
        mask: Any = attributes["mask"]
        return [VectorType((len(mask.values), *vector.shape[1:]), vector.element_type)]


class VectorYieldRole(StandardOp):
    """The base class of `vector.yield`, by which modules recognise it that are imported before the
    operations.
    """


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
    """A string attribute with text to print; read and set as a `str`."""

    description = "An Attribute containing a string"


LITERAL = LiteralKind()
