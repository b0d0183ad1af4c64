"""The base of all operations of the standard dialects."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import ClassVar

from tilewright.ir.attribute import Attribute, Type
from tilewright.ir.block import Region
from tilewright.ir.operation import Operation
from tilewright.ir.value import Value


class StandardOp(Operation):
    """An operation of a dialect of MLIR.

    Fields have the names they have in MLIR.  ``assembly_format`` is the custom syntax in the notation of MLIR's op
    definitions; classes whose syntax is written by hand leave it unset.
    """

    assembly_format: ClassVar[str]


class SameTypeOp(StandardOp):
    """An operation all of whose results have the type of the first operand."""

    @classmethod
    def infer_result_types(
        cls, operands: Sequence[Value], attributes: Mapping[str, Attribute], regions: Sequence[Region]
    ) -> Sequence[Type]:
        return [operands[0].type] * len(cls.op_kind.results)
