"""Enum attributes with free spellings.

`tilewright.ir.attribute.EnumAttribute` suits enums whose text is the lower-case member name in angle brackets.  The
dialects of MLIR also spell cases with dots, dashes and capitals, and leave the brackets out.
"""

from __future__ import annotations

import enum
from typing import TYPE_CHECKING, ClassVar, Self

from tilewright.ir.attribute import EnumAttribute
from tilewright.ir.declaration.attribute_kind import EnumKind

if TYPE_CHECKING:
    from tilewright.ir.text import parser as text_parser, printer as text_printer


class SpelledEnum(enum.Enum):
    """An enum whose cases have a number and a spelling.

    ``ASYNC_SHARED = 4, "async.shared"``; without a spelling it is the lower-case member name: ``ADD = 0``.
    """

    _spelling: str

    def __new__(cls, number: int, spelling: str = "") -> Self:
        case = object.__new__(cls)
        case._value_ = number
        case._spelling = spelling
        return case

    @property
    def spelling(self) -> str:
        """The text of the case: the spelling in its declaration, or else its name in lower case."""
        return self._spelling or self.name.lower()


class SpelledEnumAttribute(EnumAttribute):
    """One case of a `SpelledEnum`: ``#name<spelling>``, or ``#dialect<mnemonic spelling>`` if ``bare``. An
    enum of another class has the lower-case member names as spellings.

    In the custom syntax of an operation, a ``bare`` attribute is printed as its spelling alone, others in
    ``<>``.
    """

    bare: ClassVar[bool] = False

    @classmethod
    def case(cls, text: str) -> enum.Enum | None:
        return next((case for case in cls.enumeration if spelling(case) == text), None)

    @classmethod
    def cases(cls) -> list[str]:
        return [spelling(case) for case in cls.enumeration]

    @property
    def text(self) -> str:
        return spelling(self.value)

    def print_parameters(self, printer: text_printer.Printer) -> None:
        printer.write("" if self.bare else "<")
        printer.print_keyword_or_string(self.text)
        printer.write("" if self.bare else ">")

    @classmethod
    def parse_parameters(cls, parser: text_parser.AttributeParser) -> Self:
        if not cls.bare:
            parser.expect("<")
        value = parse_case(parser, cls.enumeration, f"#{cls.name}")
        if not cls.bare:
            parser.expect(">")
        return cls(value)


class SpelledEnumKind(EnumKind):
    """The kind of an operation's attribute that is a `SpelledEnumAttribute`. ``description`` is for
    diagnostics; if it is empty, all spellings are listed.
    """

    def __init__(self, attribute_class: type[SpelledEnumAttribute], description: str = "") -> None:
        super().__init__(attribute_class)
        self.description = description or self.description
        self.bare = attribute_class.bare
        self._spellings = frozenset(attribute_class.cases())

    def starts(self, parser: text_parser.AttributeParser) -> bool:
        return parser.peek_keyword() in self._spellings if self.bare else super().starts(parser)


def spelling(case: enum.Enum) -> str:
    """Return the text of an enum case: its spelling in a `SpelledEnum`, else its name in lower case."""
    return case.spelling if isinstance(case, SpelledEnum) else case.name.lower()


def parse_case(parser: text_parser.AttributeParser, enumeration: type[enum.Enum], what: str) -> enum.Enum:
    """Parse the spelling of a case, a word, or a string if it is not an identifier, and return the case.
    ``what`` names the enum in the error; raises `DiagnosticError` for any other text.
    """
    start = parser.position
    cases = {spelling(case): case for case in enumeration}
    text = parser.parse_keyword_or_string(f"one of {', '.join(cases)}")
    if text not in cases:
        raise parser.error(f"expected one of {', '.join(cases)} for {what}, got '{text}'", start)
    return cases[text]
