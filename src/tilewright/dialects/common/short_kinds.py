"""Attribute kinds that assembly formats spell without the name of the attribute: ``<m = 8>``, ``x``."""

from __future__ import annotations

import enum
from typing import TYPE_CHECKING, Any

from tilewright.dialects.common.kinds import IntegerEnumKind
from tilewright.ir.attribute import Attribute
from tilewright.ir.declaration.attribute_kind import InstanceKind
from tilewright.ir.declaration.enum_attribute import SpelledEnumAttribute, SpelledEnumKind, spelling
from tilewright.ir.text import lexer as text_lexer

if TYPE_CHECKING:
    from tilewright.ir.text import parser as text_parser, printer as text_printer


class StrippedKind(InstanceKind):
    """An attribute of one class, spelt by its parameters alone; the full spelling and aliases are read, too."""

    def __init__(self, attribute_class: type[Attribute], description: str) -> None:
        super().__init__(attribute_class, description)
        self.attribute_class = attribute_class

    def print_short(self, attribute: Any, printer: text_printer.Printer) -> None:
        attribute.print_parameters(printer)

    def parse_short(self, parser: text_parser.AttributeParser) -> Attribute:
        if not parser.at("#"):
            return self.attribute_class.parse_parameters(parser)
        start = parser.position
        attribute = parser.parse_attribute()
        if not self.accepts(attribute):
            raise parser.error(f"expected #{self.attribute_class.name}", start)
        return attribute

    def starts(self, parser: text_parser.AttributeParser) -> bool:
        return parser.at("<") or parser.at("#")


class ShortEnumKind(SpelledEnumKind):
    """A `SpelledEnumAttribute` spelt by its case.

    If the attribute is ``bare``, MLIR prints another blank before the word, as part of the attribute.
    """

    def __init__(self, attribute_class: type[SpelledEnumAttribute], description: str) -> None:
        super().__init__(attribute_class, description)
        self._lead = " " if attribute_class.bare else ""

    def print_short(self, attribute: Any, printer: text_printer.Printer) -> None:
        printer.write(self._lead)
        attribute.print_parameters(printer)

    def parse_short(self, parser: text_parser.AttributeParser) -> Attribute:
        if not parser.at("#"):
            return super().parse_short(parser)
        start = parser.position
        attribute = parser.parse_attribute()
        if not self.accepts(attribute):
            raise parser.error(f"expected #{self.attribute_class.name}", start)
        return attribute

    def starts(self, parser: text_parser.AttributeParser) -> bool:
        if parser.at("#"):
            return True
        return parser.peek_keyword() in self.attribute_class.cases() if self._lead else parser.at("<")


class CaseKind(IntegerEnumKind):
    """An integer whose values are the cases of an enum, spelt as the case.

    ``default`` is the case whose spelling is empty: a missing word stands for it. Without ``default`` a word
    is required.
    """

    def __init__(
        self, enumeration: type[enum.Enum], description: str, default: enum.Enum | None = None
    ) -> None:
        super().__init__(enumeration, description=description)
        self.default = default

    def print_short(self, attribute: Any, printer: text_printer.Printer) -> None:
        printer.write(spelling(self.from_attribute(attribute)))

    def parse_short(self, parser: text_parser.AttributeParser) -> Attribute:
        case = optional_case(parser, self.enumeration, self.default)
        if case is None:
            raise parser.unexpected(f"one of {', '.join(map(spelling, self.enumeration))}")
        return self.to_attribute(case)

    def starts(self, parser: text_parser.AttributeParser) -> bool:
        word = parser.peek_keyword()
        return any(spelling(case) == word for case in self.enumeration if case is not self.default)


def optional_case(
    parser: text_lexer.Scanner, enumeration: type[enum.Enum], unspelt: enum.Enum | None = None
) -> enum.Enum | None:
    """Parse the spelling of a case of an enum, if there is one, and return the case; else return ``unspelt``,
    the case that has no spelling.
    """
    word = parser.peek_keyword()
    spelt = (case for case in enumeration if case is not unspelt)
    case = next((case for case in spelt if spelling(case) == word), None)
    if case is None:
        return unspelt
    parser.expect_keyword()
    return case
