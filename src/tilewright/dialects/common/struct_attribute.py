"""Attributes that spell their parameters as ``<name = value, ...>``."""

from __future__ import annotations

import enum
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar, Self

from tilewright.ir.attribute import Attribute
from tilewright.ir.builtin_attributes import TypeAttr
from tilewright.ir.declaration.enum_attribute import parse_case, spelling

if TYPE_CHECKING:
    from tilewright.ir.text import parser as text_parser, printer as text_printer


@dataclass(frozen=True, slots=True)
class Codec:
    """The printer and the parser of one parameter's value: ``print`` writes a value to a printer, ``parse``
    reads and returns the value.
    """

    print: Callable[[text_printer.Printer, Any], None]
    parse: Callable[[text_parser.AttributeParser], Any]


def _parse_boolean(parser: text_parser.AttributeParser) -> bool:
    word = parser.expect_keyword("'true' or 'false'")
    if word not in ("true", "false"):
        raise parser.error(f"expected 'true' or 'false', got '{word}'")
    return word == "true"


def _parse_type(parser: text_parser.AttributeParser) -> TypeAttr:
    return TypeAttr(parser.parse_type())


INTEGER = Codec(lambda printer, value: printer.write(str(value)), lambda parser: parser.parse_integer())
BOOLEAN = Codec(lambda printer, value: printer.write("true" if value else "false"), _parse_boolean)
STRING = Codec(lambda printer, value: printer.print_string(value), lambda parser: parser.parse_string())
ATTRIBUTE = Codec(
    lambda printer, value: printer.print_attribute(value), lambda parser: parser.parse_attribute()
)
TYPE = Codec(lambda printer, value: printer.print_attribute(value), _parse_type)


def word(enumeration: type[enum.Enum]) -> Codec:
    """Return the codec of a parameter that is a case of an enum, written as a bare word."""
    return Codec(
        lambda printer, value: printer.print_keyword_or_string(spelling(value)),
        lambda parser: parse_case(parser, enumeration, enumeration.__name__),
    )


def nested(attribute_class: type[Attribute]) -> Codec:
    """Return the codec of a parameter that is an attribute of a known class, written without its name. The
    full spelling and aliases are parsed, too.
    """

    def parse(parser: text_parser.AttributeParser) -> Attribute:
        if not parser.at("#"):
            return attribute_class.parse_parameters(parser)
        start = parser.position
        attribute = parser.parse_attribute()
        if not isinstance(attribute, attribute_class):
            raise parser.error(f"expected #{attribute_class.name}", start)
        return attribute

    return Codec(lambda printer, value: value.print_parameters(printer), parse)


class StructAttribute(Attribute):
    """The base of attributes whose parameters are spelt ``<name = value, ...>``. ``codecs`` has one entry per
    parameter. A parameter that has its default is omitted.
    """

    codecs: ClassVar[dict[str, Codec]]

    def print_parameters(self, printer: text_printer.Printer) -> None:
        separator = "<"
        for name, codec in self.codecs.items():
            value = getattr(self, name)
            if name in type(self).parameter_defaults and value == type(self).parameter_defaults[name]:
                continue
            printer.write(f"{separator}{name} = ")
            codec.print(printer, value)
            separator = ", "
        printer.write("<>" if separator == "<" else ">")

    @classmethod
    def parse_parameters(cls, parser: text_parser.AttributeParser) -> Self:
        values: dict[str, Any] = {}
        parser.expect("<")
        while not parser.accept(">"):
            if values:
                parser.expect(",")
            start = parser.position
            name = parser.expect_keyword()
            if name not in cls.codecs or name in values:
                raise parser.error(f"unknown or repeated parameter '{name}' of #{cls.name}", start)
            parser.expect("=")
            values[name] = cls.codecs[name].parse(parser)
        missing = [name for name in cls.codecs if name not in values and name not in cls.parameter_defaults]
        if missing:
            raise parser.error(f"#{cls.name} misses parameter '{missing[0]}'")
        return cls(**values)
