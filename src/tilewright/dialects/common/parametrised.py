"""Types and attributes whose text follows from a table: ``<f32, [64, 32], layout = #x>``.

Parameters without a default come first, in order. A parameter with a default follows as ``name = value``, and
is omitted if it has the default. ``codecs`` has one entry per parameter, in the order of the declaration.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any, ClassVar, ParamSpec, Self, TypeVar

from tilewright.dialects.common.struct_attribute import (
    ATTRIBUTE,
    BOOLEAN,
    INTEGER,
    STRING,
    Codec,
    word,
)
from tilewright.ir import builtin_types, diagnostic, uniquer
from tilewright.ir.attribute import Attribute, Type

if TYPE_CHECKING:
    from tilewright.ir.text.parser import AttributeParser
    from tilewright.ir.text.printer import Printer

__all__ = [
    "ATTRIBUTE",
    "BOOLEAN",
    "DIMENSIONS",
    "EXTENTS",
    "INTEGER",
    "INTEGERS",
    "OPEN_INTEGER",
    "STRING",
    "TYPE_PARAMETER",
    "TYPE_PARAMETERS",
    "Codec",
    "Parametrised",
    "checked",
    "word",
]

_P = ParamSpec("_P")
_R = TypeVar("_R")


def checked(make: Callable[_P, _R], *arguments: _P.args, **named: _P.kwargs) -> _R:
    """Call `make` and return its result. A `DiagnosticError` that it raises becomes `InvalidParameters` with
    the same text.
    """
    try:
        return make(*arguments, **named)
    except diagnostic.DiagnosticError as error:
        raise uniquer.InvalidParameters(error.diagnostics[0].message) from None


class Parametrised(Attribute):
    """The base of types and attributes whose text follows from a table: ``<f32, [64, 32], layout = #x>``.
    ``codecs`` maps each parameter, in order, to its printer and parser. Parameters without a default come
    first, without a name; parameters that have their default are omitted, except those in ``always``.
    """

    codecs: ClassVar[Mapping[str, Codec]] = {}
    spellings: ClassVar[Mapping[str, str]] = {}
    """Names of parameters in text, where they differ from those in Python."""
    equals: ClassVar[str] = " = "
    always: ClassVar[tuple[str, ...]] = ()
    """Parameters that are printed even if they have their default."""

    def print_parameters(self, printer: Printer) -> None:
        separator = "<"
        defaults = type(self).parameter_defaults
        for name, codec in self.codecs.items():
            value: Any = getattr(self, name)
            if name in defaults and name not in self.always and value == defaults[name]:
                continue
            printer.write(separator)
            if name in defaults:
                printer.write(self.spellings.get(name, name) + self.equals)
            codec.print(printer, value)
            separator = ", "
        if separator != "<":
            printer.write(">")

    @classmethod
    def parse_parameters(cls, parser: AttributeParser) -> Self:
        values: dict[str, Any] = {}
        defaults = cls.parameter_defaults
        required = [name for name in cls.codecs if name not in defaults]
        if not required and not parser.at("<"):
            return cls()
        parser.expect("<")
        for name in required:
            if values:
                parser.expect(",")
            values[name] = cls.codecs[name].parse(parser)
        while not parser.accept(">"):
            if values:
                parser.expect(",")
            cls._parse_named(parser, values)
        return cls(**values)

    @classmethod
    def _parse_named(cls, parser: AttributeParser, values: dict[str, Any]) -> None:
        names = {cls.spellings.get(name, name): name for name in cls.codecs if name in cls.parameter_defaults}
        start = parser.position
        text = parser.expect_keyword()
        if text not in names or names[text] in values:
            hint = f"parameters: {', '.join(names) or 'none'}"
            raise parser.error(f"unknown or repeated parameter '{text}' of {cls.name}", start, hint=hint)
        parser.expect("=")
        values[names[text]] = cls.codecs[names[text]].parse(parser)


def _print_extents(printer: Printer, values: tuple[int, ...]) -> None:
    printer.write(f"[{', '.join('?' if value == builtin_types.DYNAMIC else str(value) for value in values)}]")


def _list_of(parse: Callable[[AttributeParser], Any], opening: str, closing: str) -> Callable[..., Any]:
    def parse_list(parser: AttributeParser) -> tuple[Any, ...]:
        parser.expect(opening)
        items: list[Any] = []
        while not parser.accept(closing):
            if items:
                parser.expect(",")
            items.append(parse(parser))
        return tuple(items)

    return parse_list


def _parse_extent(parser: AttributeParser) -> int:
    return builtin_types.DYNAMIC if parser.accept("?") else parser.parse_integer()


def _print_types(printer: Printer, types: tuple[Type, ...]) -> None:
    printer.write("(")
    printer.print_types(types)
    printer.write(")")


TYPE_PARAMETER = Codec(lambda printer, type: printer.print_type(type), lambda parser: parser.parse_type())
TYPE_PARAMETERS = Codec(_print_types, _list_of(lambda parser: parser.parse_type(), "(", ")"))
INTEGERS = Codec(
    lambda printer, values: printer.write(f"[{', '.join(map(str, values))}]"),
    _list_of(lambda parser: parser.parse_integer(), "[", "]"),
)
EXTENTS = Codec(_print_extents, _list_of(_parse_extent, "[", "]"))
"""A list of numbers in which ``?`` stands for `DYNAMIC`."""
OPEN_INTEGER = Codec(
    lambda printer, value: printer.write("?" if value is None else str(value)),
    lambda parser: None if parser.accept("?") else parser.parse_integer(),
)
"""A number, or ``?`` for None."""


def _print_dimensions(printer: Printer, extents: tuple[int, ...]) -> None:
    printer.write("x".join(map(str, extents)))


def _parse_dimensions(parser: AttributeParser) -> tuple[int, ...]:
    return (*parser.parse_dimension_list(), parser.parse_integer())


DIMENSIONS = Codec(_print_dimensions, _parse_dimensions)
"""Extents in the form ``16x8x16``."""
