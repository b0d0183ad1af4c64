"""The base of all operations of ``tt``."""

from __future__ import annotations

from tilewright.dialects.common.base import SameTypeOp, StandardOp
from tilewright.dialects.common.traits import (
    ElementwiseMappable,
    SameOperandsAndResultShape,
    SameOperandsAndResultType,
)
from tilewright.dialects.tt.traits import SameEncoding, TensorSize, WritesMemory
from tilewright.ir.declaration.traits import Pure

TENSOR_SIZE = TensorSize()
"""Every operation of the dialect has this trait; it is checked after its others."""
CAST = (ElementwiseMappable(), SameOperandsAndResultShape(), SameEncoding(), Pure(), TENSOR_SIZE)
"""The traits of operations that turn each element into one of another type."""
SAME_TYPE = (ElementwiseMappable(), SameOperandsAndResultType(), Pure(), TENSOR_SIZE)
"""The traits of operations on elements whose operands and result have one type."""


class TritonOp(StandardOp):
    """An operation of ``tt``.  Fields have the names that they have in Triton."""

    def writes_memory(self) -> bool:
        """Return whether the operation may change memory or the world outside."""
        return self.kind.has_trait(WritesMemory)


class TritonSameTypeOp(SameTypeOp):
    """An operation of ``tt`` whose result has the type of its operands."""
