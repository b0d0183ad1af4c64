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
    """Return `vector` with its last extent multiplied by `numerator` and divided by `denominator`, rounded
    down. Scalable dimensions stay scalable.
    """
    last = vector.shape[-1] * numerator // denominator
    return VectorType((*vector.shape[:-1], last), vector.element_type, vector.scalable)


class PartResultOp(StandardOp):
    """The base of operations whose result type is the type of the first operand without its leading
    dimensions, one for each entry of ``static_position``.
    """

    @classmethod
    def infer_result_types(
        cls, operands: Sequence[Value], attributes: Mapping[str, Attribute], regions: Sequence[Region]
    ) -> Sequence[Type]:
        vector: Any = operands[0].type
        position: Any = attributes["static_position"]
        return [part_type(vector, len(position.values))]


class InterleavedResultOp(StandardOp):
    """The base of operations whose result type is the type of the first operand with twice the last extent."""

    @classmethod
    def infer_result_types(
        cls, operands: Sequence[Value], attributes: Mapping[str, Attribute], regions: Sequence[Region]
    ) -> Sequence[Type]:
        vector: Any = operands[0].type
        return [scaled_type(vector, 2, 1)]


class HalvedResultOp(StandardOp):
    """The base of operations with two results, both of the type of the operand with half the last extent."""

    @classmethod
    def infer_result_types(
        cls, operands: Sequence[Value], attributes: Mapping[str, Attribute], regions: Sequence[Region]
    ) -> Sequence[Type]:
        vector: Any = operands[0].type
        return [scaled_type(vector, 1, 2)] * 2


class TransposedResultOp(StandardOp):
    """The base of operations whose result type is the type of the operand with the dimensions in the order of
    ``permutation``.
    """

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
    """The base of operations with one scalar result for each element of their operand."""

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
    """The base of operations whose result is a scalar of the element type of the first operand."""

    @classmethod
    def infer_result_types(
        cls, operands: Sequence[Value], attributes: Mapping[str, Attribute], regions: Sequence[Region]
    ) -> Sequence[Type]:
        vector: Any = operands[0].type
        return [vector.element_type]


class AccumulatorResultOp(StandardOp):
    """The base of operations whose result has the type of the last operand, the accumulator."""

    @classmethod
    def infer_result_types(
        cls, operands: Sequence[Value], attributes: Mapping[str, Attribute], regions: Sequence[Region]
    ) -> Sequence[Type]:
        return [operands[-1].type]


class ShuffledResultOp(StandardOp):
    """The base of operations whose result is a vector of fixed length: the type of the first operand with the
    length of ``mask`` as first extent. An operand of rank 0 gives rank 1.
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
