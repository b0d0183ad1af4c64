"""Short words for what the patterns of this conversion emit again and again."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from tilewright.dialects.arith.ops_conversion import ExtSIOp, ExtUIOp, TruncIOp
from tilewright.dialects.arith.ops_integer import ConstantOp
from tilewright.dialects.nv_tileaa.constraints import element_of, shape_of
from tilewright.dialects.nv_tileaa.ops_structure import SplatOp
from tilewright.ir.attribute import Attribute, Location, Type
from tilewright.ir.builtin_attributes import IntegerAttr
from tilewright.ir.builtin_types import IntegerType, RankedTensorType
from tilewright.ir.kind import OperationKind
from tilewright.ir.location import LazyLocation
from tilewright.ir.operation import Operation
from tilewright.ir.value import Value
from tilewright.rewrite.conversion.rewriter import ConversionRewriter


class Emitter:
    """Inserts operations where the operation that is converted stands, at its location.

    ``emit(AddIOp, a, b)`` makes and inserts an operation and answers its first result.
    """

    __slots__ = ("location", "rewriter")

    def __init__(self, rewriter: ConversionRewriter, location: Location | LazyLocation) -> None:
        self.rewriter = rewriter
        self.location = location

    def insert(self, op_class: Any, *arguments: Any, **named: Any) -> Any:
        """Make an operation, insert it, and answer it."""
        return self.rewriter.insert(op_class(*arguments, location=self.location, **named))

    def __call__(self, op_class: Any, *arguments: Any, type: Type | None = None, **named: Any) -> Value:
        """Make an operation whose first result is of ``type``, unless that follows from the operands."""
        if type is not None:
            named["result_types"] = [type]
        made: Operation = self.insert(op_class, *arguments, **named)
        return made.results[0]

    def plain(
        self,
        kind: OperationKind,
        operands: Sequence[Value],
        types: Sequence[Type],
        attributes: dict[str, Attribute] | None = None,
    ) -> Operation:
        """Insert an operation made of its parts."""
        made = Operation.from_parts(kind, operands, types, attributes or {}, location=self.location)
        return self.rewriter.insert(made)

    # --- integers

    def integer(self, value: int, type: Type) -> Value:
        """A constant integer, or a tile of one."""
        if not isinstance(type, RankedTensorType):
            return self(ConstantOp, IntegerAttr(type, value))
        return self(SplatOp, value=IntegerAttr(type.element_type, value), type=type)

    def resized(self, value: Value, type: Type, *, signed: bool) -> Value:
        """An integer, or tile of integers, widened or cut to the width of ``type`` (an element type)."""
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
