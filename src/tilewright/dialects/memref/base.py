"""Bases of memref operations whose result types follow from their operands."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from tilewright.dialects.common.base import StandardOp
from tilewright.dialects.memref.types import metadata_types, subview_type, transposed_type
from tilewright.ir.attribute import Attribute, Type
from tilewright.ir.block import Region
from tilewright.ir.operation import Operation
from tilewright.ir.value import Value


def is_element(value: str, buffer: str) -> Callable[[Operation], bool]:
    """A rule: one field has the element type of another."""

    def holds(op: Operation) -> bool:
        (ours,), (memref,) = op.kind.field_values(op, value), op.kind.field_values(op, buffer)
        return ours.type is getattr(memref.type, "element_type", None)

    return holds


class ElementResultOp(StandardOp):
    """An operation that gives an element of its first operand."""

    @classmethod
    def infer_result_types(
        cls, operands: Sequence[Value], attributes: Mapping[str, Attribute], regions: Sequence[Region]
    ) -> Sequence[Type]:
        memref: Any = operands[0].type
        return [memref.element_type]


class SliceResultOp(StandardOp):
    """An operation that gives the slice that its static offsets, sizes and strides describe."""

    @classmethod
    def infer_result_types(
        cls, operands: Sequence[Value], attributes: Mapping[str, Attribute], regions: Sequence[Region]
    ) -> Sequence[Type]:
        source: Any = operands[0].type
        lists: list[Any] = [attributes[f"static_{name}"] for name in ("offsets", "sizes", "strides")]
        return [subview_type(source, *[numbers.values for numbers in lists])]


class TransposeResultOp(StandardOp):
    """An operation that gives its operand with permuted dimensions."""

    @classmethod
    def infer_result_types(
        cls, operands: Sequence[Value], attributes: Mapping[str, Attribute], regions: Sequence[Region]
    ) -> Sequence[Type]:
        source: Any = operands[0].type
        permutation: Any = attributes["permutation"]
        return [transposed_type(source, permutation.map)]


class MetadataResultOp(StandardOp):
    """An operation that takes a memref apart."""

    @classmethod
    def infer_result_types(
        cls, operands: Sequence[Value], attributes: Mapping[str, Attribute], regions: Sequence[Region]
    ) -> Sequence[Type]:
        return metadata_types(operands[0].type)
