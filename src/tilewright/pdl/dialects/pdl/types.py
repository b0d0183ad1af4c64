"""The types of ``pdl``: handles to the parts of the IR that a pattern matches, and the constraints on them."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar, Self

from tilewright.ir.attribute import Type
from tilewright.ir.declaration.constraint import IsClass, OneOf
from tilewright.ir.uniquer import InvalidParameters

if TYPE_CHECKING:
    from tilewright.ir.text import parser as text_parser, printer as text_printer


class PDLType(Type):
    """Base of the types of ``pdl``."""


class AttributeType(PDLType):
    """``!pdl.attribute``: a handle to an attribute."""

    name: ClassVar[str] = "pdl.attribute"


class OperationType(PDLType):
    """``!pdl.operation``: a handle to an operation."""

    name: ClassVar[str] = "pdl.operation"


class TypeType(PDLType):
    """``!pdl.type``: a handle to a type."""

    name: ClassVar[str] = "pdl.type"


class ValueType(PDLType):
    """``!pdl.value``: a handle to a value."""

    name: ClassVar[str] = "pdl.value"


class RangeType(PDLType):
    """``!pdl.range<value>``: a handle to any number of values, types, attributes or operations. The element
    type is another type of ``pdl``, but not a range.
    """

    name: ClassVar[str] = "pdl.range"
    element_type: Type

    def verify_parameters(self) -> None:
        if not isinstance(self.element_type, PDLType) or isinstance(self.element_type, RangeType):
            raise InvalidParameters(
                "expected element of pdl.range to be one of [!pdl.attribute, !pdl.operation, !pdl.type, "
                f"!pdl.value], but got {self.element_type}"
            )

    def print_parameters(self, printer: text_printer.Printer) -> None:
        printer.write("<")
        printer.print_type_short(self.element_type, "pdl")
        printer.write(">")

    @classmethod
    def parse_parameters(cls, parser: text_parser.AttributeParser) -> Self:
        parser.expect("<")
        element_type = parser.parse_type_short("pdl")
        parser.expect(">")
        return cls(element_type)


TYPES = (AttributeType, OperationType, RangeType, TypeType, ValueType)


def element_type_or_self(type: Type) -> Type:
    """Return the element type of a range; other types are their own element type."""
    return type.element_type if isinstance(type, RangeType) else type


OPERATION_WORDS = "PDL handle to an `mlir::Operation *`"
TYPE_WORDS = "PDL handle to an `mlir::Type`"
VALUE_WORDS = "PDL handle for an `mlir::Value`"

ANY = IsClass(PDLType, "pdl type")
ANY_RANGE = IsClass(RangeType, "range of pdl type values")
ATTRIBUTE = OneOf((AttributeType(),), "PDL handle to an `mlir::Attribute`")
OPERATION = OneOf((OperationType(),), OPERATION_WORDS)
OPERATIONS = OneOf((RangeType(OperationType()),), f"range of {OPERATION_WORDS} values")
TYPE = OneOf((TypeType(),), TYPE_WORDS)
TYPE_RANGE = OneOf((RangeType(TypeType()),), f"range of {TYPE_WORDS} values")
TYPE_OR_RANGE = OneOf((TypeType(), RangeType(TypeType())), f"single element or range of {TYPE_WORDS}")
VALUE = OneOf((ValueType(),), VALUE_WORDS)
VALUE_RANGE = OneOf((RangeType(ValueType()),), f"range of {VALUE_WORDS} values")
VALUE_OR_RANGE = OneOf((ValueType(), RangeType(ValueType())), f"single element or range of {VALUE_WORDS}")
TYPE_OR_VALUE_RANGE = OneOf(
    (RangeType(TypeType()), RangeType(ValueType())), f"range of {TYPE_WORDS} or {VALUE_WORDS} values"
)
