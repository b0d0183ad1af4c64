"""Builders for operations that the patterns of this conversion emit often."""

from __future__ import annotations

from tilewright.dialects.arith.ops_conversion import ExtSIOp, ExtUIOp, TruncIOp
from tilewright.dialects.arith.ops_integer import ConstantOp
from tilewright.dialects.nv_tileaa.constraints import element_of, shape_of
from tilewright.dialects.nv_tileaa.ops.structure import SplatOp
from tilewright.ir.attribute import Type
from tilewright.ir.builtin_attributes import IntegerAttr
from tilewright.ir.builtin_types import IntegerType, RankedTensorType
from tilewright.ir.value import Value
from tilewright.lowering.inserting import RewritingInserter
from tilewright.rewrite.conversion.rewriter import ConversionRewriter


class TileAAEmitter(RewritingInserter[ConversionRewriter]):
    """Inserts operations before the operation that is converted, at its location."""

    __slots__ = ()

    # --- integers

    def integer(self, value: int, type: Type) -> Value:
        """Return a constant integer, or a tile of one."""
        if not isinstance(type, RankedTensorType):
            return self(ConstantOp, IntegerAttr(type, value))
        return self(SplatOp, value=IntegerAttr(type.element_type, value), type=type)

    def resized(self, value: Value, type: Type, *, signed: bool) -> Value:
        """Return an integer, or tile of integers, widened or cut to the width of ``type`` (an element type)."""
        element, target = element_of(value.type), type
        assert isinstance(element, IntegerType), "callers hand in integers"
        assert isinstance(target, IntegerType), "callers ask for integers"
        if element is target:
            return value
        shape = shape_of(value.type)
        wanted = RankedTensorType(shape, target) if shape else target
        if target.width < element.width:
            return self(TruncIOp, value, type=wanted)
        return self(ExtSIOp if signed else ExtUIOp, value, type=wanted)
