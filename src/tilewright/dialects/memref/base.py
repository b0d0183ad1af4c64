"""Bases of memref operations whose result types follow from their operands."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, ClassVar

from tilewright.dialects.common.base import StandardOp
from tilewright.dialects.memref.types import metadata_types, subview_type, transposed_type
from tilewright.ir.attribute import Attribute, Type
from tilewright.ir.block import Region
from tilewright.ir.operation import Operation
from tilewright.ir.text.hooks import hints_follow_from
from tilewright.ir.value import Value


def is_element(value: str, buffer: str) -> Callable[[Operation], bool]:
    """Return a predicate: True if the type of field ``value`` is the element type of field ``buffer``."""

    def holds(op: Operation) -> bool:
        (ours,), (memref,) = op.kind.field_values(op, value), op.kind.field_values(op, buffer)
        return ours.type is getattr(memref.type, "element_type", None)

    return holds


class NamedResultOp(StandardOp):
    """The base of operations with one result that suggest a name for it in printed IR."""

    result_hint: ClassVar[str]
    """The suggested name, the same as in MLIR."""

    @hints_follow_from("fields")
    def result_name_hints(self) -> Sequence[str | None]:
        """Return the name hint of the only result."""
        return (self.result_hint,)


class ElementResultOp(StandardOp):
    """The base of operations whose result has the element type of their first operand, a buffer."""

    @classmethod
    def infer_result_types(
        cls, operands: Sequence[Value], attributes: Mapping[str, Attribute], regions: Sequence[Region]
    ) -> Sequence[Type]:
        memref: Any = operands[0].type
        return [memref.element_type]


class ElementOperandOp(StandardOp):
    """The base of operations whose operand ``value`` has the element type of the operand ``memref``; the text
    does not spell the type.
    """

    @classmethod
    def infer_operand_types(cls, parsing: Any, known: Mapping[str, Sequence[Type]]) -> dict[str, list[Type]]:
        (memref,) = known["memref"]
        element = getattr(memref, "element_type", None)
        return {} if element is None else {"value": [element]}


class SameTypesOp(StandardOp):
    """The base of operations with one result for each operand, of the operand's type."""

    @classmethod
    def infer_result_types(
        cls, operands: Sequence[Value], attributes: Mapping[str, Attribute], regions: Sequence[Region]
    ) -> Sequence[Type]:
        return [operand.type for operand in operands]

    @hints_follow_from("fields")
    def result_name_hints(self) -> Sequence[str | None]:
        """Return no hints: the results are numbered."""
        return ()


class SliceResultOp(NamedResultOp):
    """The base of operations whose result has the type of a slice of their first operand, which the
    attributes ``static_offsets``, ``static_sizes`` and ``static_strides`` describe.
    """

    @classmethod
    def infer_result_types(
        cls, operands: Sequence[Value], attributes: Mapping[str, Attribute], regions: Sequence[Region]
    ) -> Sequence[Type]:
        source: Any = operands[0].type
        lists: list[Any] = [attributes[f"static_{name}"] for name in ("offsets", "sizes", "strides")]
        return [subview_type(source, *[numbers.values for numbers in lists])]


class TransposeResultOp(NamedResultOp):
    """The base of operations whose result has the type of the operand with its dimensions permuted by the map
    ``permutation``.
    """

    @classmethod
    def infer_result_types(
        cls, operands: Sequence[Value], attributes: Mapping[str, Attribute], regions: Sequence[Region]
    ) -> Sequence[Type]:
        source: Any = operands[0].type
        permutation: Any = attributes["permutation"]
        return [transposed_type(source, permutation.map)]


class MetadataResultOp(StandardOp):
    """The base of operations whose results are the base buffer of the operand, its offset, its sizes and its
    strides, in this order.
    """

    @classmethod
    def infer_result_types(
        cls, operands: Sequence[Value], attributes: Mapping[str, Attribute], regions: Sequence[Region]
    ) -> Sequence[Type]:
        return metadata_types(operands[0].type)
