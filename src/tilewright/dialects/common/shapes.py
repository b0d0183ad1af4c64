"""Types made from the shape of other types."""

from __future__ import annotations

from tilewright.dialects.common.constraints import VALUE_SHAPED
from tilewright.ir.attribute import Type
from tilewright.ir.builtin_types import i1
from tilewright.ir.operation import Operation


def i1_of_same_shape(type: Type) -> Type:
    """``i1``, or a vector or tensor of ``i1`` with the shape of ``type``."""
    return type.replace(element_type=i1) if isinstance(type, VALUE_SHAPED) else i1


def is_comparison(op: Operation) -> bool:
    """Return whether the result type is `i1_of_same_shape` of the first operand's type."""
    return op.results[0].type is i1_of_same_shape(op.operands[0].type)


COMPARISON_WORDS = "result type has i1 element type and same shape as operands"
