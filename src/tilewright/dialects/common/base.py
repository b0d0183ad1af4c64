"""The base of all operations of the standard dialects."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, ClassVar

from tilewright.dialects.common.traits import SameOperandsAndResultType, SameTypeOperands
from tilewright.ir.attribute import Attribute, Type
from tilewright.ir.block import Region
from tilewright.ir.operation import Operation
from tilewright.ir.text.hooks import hints_follow_from
from tilewright.ir.value import Value


class StandardOp(Operation):
    """The base of operations of MLIR's dialects. Fields have the names they have in MLIR. ``assembly_format``
    is the custom syntax in the notation of MLIR's op definitions; classes whose syntax is written by hand
    leave it unset.
    """

    assembly_format: ClassVar[str]
    format_absent: ClassVar[tuple[str, ...]] = ()
    """Attributes with a default that stay away when the custom form does not spell them."""

    @classmethod
    def infer_operand_types(cls, parsing: Any, known: Mapping[str, Sequence[Type]]) -> dict[str, list[Type]]:
        """Return the operand types that a custom form omits, by field: if a trait says that the operands have
        one type, the first of the ``known`` types (by field) that it covers. Otherwise the result is empty.
        ``parsing.uses`` has the operands that were read for each field.
        """
        kind = cls.op_kind
        sources = [field.name for field in kind.operands] if kind.has_trait(SameTypeOperands) else []
        if kind.has_trait(SameOperandsAndResultType):
            sources = list(known)
        found = next((known[name][0] for name in sources if known.get(name)), None)
        if found is None:
            return {}
        return {field.name: [found] * len(parsing.uses.get(field.name, ())) for field in kind.operands}

    @hints_follow_from("fields")
    def result_name_hints(self) -> Sequence[str | None]:
        """Return name hints for the results: with two or more result fields the names of the fields,
        otherwise none, as in MLIR.
        """
        if len(self.kind.results) < 2:
            return ()
        hints: list[str | None] = []
        for field, size in zip(self.kind.results, self.kind.result_sizes(self), strict=True):
            hints.extend([field.name, *[None] * (size - 1)][:size])
        return hints


class SameTypeOp(StandardOp):
    """The base of operations whose results all have the type of the first operand."""

    @classmethod
    def infer_result_types(
        cls, operands: Sequence[Value], attributes: Mapping[str, Attribute], regions: Sequence[Region]
    ) -> Sequence[Type]:
        return [operands[0].type] * len(cls.op_kind.results)
