"""Attribute kinds of the standard dialects, described in MLIR's words."""

from __future__ import annotations

import enum
from typing import TYPE_CHECKING, Any

from tilewright.ir.attribute import Attribute, BitEnumAttribute, Type
from tilewright.ir.builtin_attributes import DenseElementsAttr, FloatAttr, IntegerAttr, StringAttr
from tilewright.ir.builtin_types import IntegerType, i64, none
from tilewright.ir.declaration import attribute_kind
from tilewright.ir.declaration.enum_attribute import parse_case, spelling

if TYPE_CHECKING:
    from tilewright.ir.text import attribute_parser, printer as text_printer


class IntegerEnumKind(attribute_kind.AttributeKind):
    """The kind of an integer attribute of ``type`` whose values are the cases of a Python enum; in Python its
    value is the case. ``description`` is the text in messages, by default a list of the cases.
    """

    def __init__(self, enumeration: type[enum.Enum], type: IntegerType = i64, description: str = "") -> None:
        self.enumeration = enumeration
        self.type = type
        cases = ", ".join(str(case.value) for case in enumeration)
        self.description = description or f"allowed {type.width}-bit signless integer cases: {cases}"
        self._cases = {case.value: case for case in enumeration}
        self._by_spelling = {spelling(case): case for case in enumeration}

    def accepts(self, attribute: Attribute) -> bool:
        return (
            isinstance(attribute, IntegerAttr)
            and attribute.type is self.type
            and attribute.value in self._cases
        )

    def to_attribute(self, value: Any) -> Attribute:
        return IntegerAttr(self.type, value.value) if isinstance(value, enum.Enum) else value

    def from_attribute(self, attribute: Any) -> Any:
        return self._cases[attribute.value]

    def print_short(self, attribute: Any, printer: text_printer.Printer) -> None:
        printer.print_keyword_or_string(spelling(self._cases[attribute.value]))

    def parse_short(self, parser: attribute_parser.AttributeParser) -> Attribute:
        return self.to_attribute(parse_case(parser, self.enumeration, self.enumeration.__name__))

    def starts(self, parser: attribute_parser.AttributeParser) -> bool:
        return parser.peek_keyword() in self._by_spelling


class FlagsKind(attribute_kind.AttributeKind):
    """The kind of a `BitEnumAttribute`; in Python its value is an `enum.Flag`."""

    def __init__(self, attribute_class: type[BitEnumAttribute], description: str) -> None:
        self.attribute_class = attribute_class
        self.description = description

    def accepts(self, attribute: Attribute) -> bool:
        return type(attribute) is self.attribute_class

    def to_attribute(self, value: Any) -> Attribute:
        return self.attribute_class(value) if isinstance(value, enum.Flag) else value

    def from_attribute(self, attribute: Any) -> Any:
        return attribute.value

    def print_short(self, attribute: Any, printer: text_printer.Printer) -> None:
        attribute.print_parameters(printer)

    def parse_short(self, parser: attribute_parser.AttributeParser) -> Attribute:
        return self.attribute_class.parse_parameters(parser)


class TypedKind(attribute_kind.AttributeKind):
    """The kind of an attribute that has a type: a number, dense data or a string; in Python its value is the
    attribute.
    """

    description = "TypedAttr instance"

    def accepts(self, attribute: Attribute) -> bool:
        return attribute_type(attribute) is not None


def attribute_type(attribute: Any) -> Type | None:
    """Return the type of a number, dense data or a string; for a string without a type the type ``none``. The
    result is None for any other attribute.
    """
    if isinstance(attribute, IntegerAttr | FloatAttr | DenseElementsAttr):
        return attribute.type
    return (attribute.type or none) if isinstance(attribute, StringAttr) else None


class IntegerElementsKind(attribute_kind.AttributeKind):
    """The kind of dense data of integers, of one element type if it is given; in Python its value is the
    `DenseElementsAttr`.
    """

    def __init__(self, element_type: IntegerType | None = None) -> None:
        self.element_type = element_type
        width = f"{element_type.width}-bit signless " if element_type else ""
        self.description = f"{width}integer elements attribute"

    def accepts(self, attribute: Attribute) -> bool:
        if not isinstance(attribute, DenseElementsAttr):
            return False
        element = attribute.element_type
        return element is self.element_type if self.element_type else isinstance(element, IntegerType)


class DescribedArrayKind(attribute_kind.ArrayKind):
    """The kind of an array attribute ``[a, b]`` whose description in messages is given, not derived from its
    elements.
    """

    def __init__(self, element: attribute_kind.AttributeKind, description: str) -> None:
        super().__init__(element)
        self.description = description


DICTIONARIES = DescribedArrayKind(attribute_kind.DictionaryKind(), "Array of dictionary attributes")
STRINGS = DescribedArrayKind(attribute_kind.StringKind(), "string array attribute")
TYPES = DescribedArrayKind(attribute_kind.TypeKind(), "type array attribute")
TYPE_LISTS = DescribedArrayKind(TYPES, "type-array array attribute")
