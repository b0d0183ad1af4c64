"""Traits on element types."""

from __future__ import annotations

from tilewright.dialects.common.constraints import element_type_or_self
from tilewright.ir.declaration.traits import Matching, Trait, VerifyError
from tilewright.ir.operation import Operation


class SameOperandsElementType(Trait):
    """All operands have the same element type."""

    def verify(self, op: Operation) -> None:
        if len({element_type_or_self(operand.type) for operand in op.operands}) > 1:
            raise VerifyError("requires the same element type for all operands")


def same_element_type(*fields: str) -> Matching:
    """Return the rule that all named operands and results have the same element type."""
    return Matching("same element type", element_type_or_self, *fields)
