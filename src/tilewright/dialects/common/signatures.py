"""Signatures of functions and calls in custom syntax: parameters and results with their attributes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from tilewright.ir.attribute import Attribute, Type
from tilewright.ir.block import Block
from tilewright.ir.builtin_attributes import ArrayAttr, DictionaryAttr
from tilewright.ir.builtin_types import FunctionType
from tilewright.ir.declaration.fields import MISSING
from tilewright.ir.text.hooks import RegionArgument

if TYPE_CHECKING:
    from tilewright.ir.text.parser import Parser
    from tilewright.ir.text.printer import Printer

Named = Mapping[str, Attribute]


@dataclass(slots=True)
class TypeList:
    """The parsed parameters or results of a signature: their types, and the attributes of each. ``arguments``
    are the named parameters; ``variadic`` is true if the parameters end in ``...``.
    """

    types: list[Type] = field(default_factory=list[Type])
    attributes: list[Named] = field(default_factory=list[Named])
    arguments: list[RegionArgument] = field(default_factory=list[RegionArgument])
    variadic: bool = False

    def store(self, attributes: dict[str, Attribute], name: str) -> None:
        """Add the attributes of all types to `attributes` as the array `name`, unless all are empty."""
        if any(self.attributes):
            attributes[name] = ArrayAttr(tuple(map(DictionaryAttr.of, self.attributes)))


def dictionaries(attribute: Any, count: int) -> Sequence[Named]:
    """Return the attributes of each of ``count`` parameters or results by name, from the array of
    dictionaries `attribute`; None stands for empty dictionaries.
    """
    if attribute is None:
        nothing: Named = {}
        return [nothing] * count
    return [dict(dictionary.entries) for dictionary in attribute.elements]


def print_parameters(
    printer: Printer, types: Sequence[Type], attributes: Any, block: Block | None, *, variadic: bool = False
) -> None:
    """Print the parameters of a signature: ``(%x: i32 {a}, ...)``. ``attributes`` is the array of their
    dictionaries or None. Without a ``block``, whose arguments the parameters are, the names are omitted. With
    ``variadic``, the list ends in ``...``.
    """
    printer.write("(")
    for number, (type, named) in enumerate(zip(types, dictionaries(attributes, len(types)), strict=True)):
        printer.write(", " if number else "")
        if block is not None:
            printer.print_value(block.arguments[number])
            printer.write(": ")
        printer.print_type(type)
        printer.print_attribute_dictionary(named)
        if block is not None:
            printer.print_location(block.argument_location(number))
    if variadic:
        printer.write(", ..." if types else "...")
    printer.write(")")


def print_results(
    printer: Printer, types: Sequence[Type], attributes: Any, *, print_empty: bool = False
) -> None:
    """Print the results of a signature: `` -> (i32 {a})``. Without results nothing is printed, unless
    ``print_empty``.
    """
    if not types:
        printer.write(" -> ()" if print_empty else "")
        return
    named = dictionaries(attributes, len(types))
    bare = len(types) == 1 and not named[0] and not isinstance(types[0], FunctionType)
    printer.write(" -> " if bare else " -> (")
    for number, type in enumerate(types):
        printer.write(", " if number else "")
        printer.print_type(type)
        printer.print_attribute_dictionary(named[number])
    printer.write("" if bare else ")")


def parse_parameters(parser: Parser, *, allow_variadic: bool = False) -> TypeList:
    """Parse the parameters of a signature, ``(%x: i32 {a})`` or without names ``(i32)``. With
    ``allow_variadic``, the list may end in ``...``.
    """
    found = TypeList()
    parser.expect("(")
    while not parser.accept(")"):
        if found.types or found.variadic:
            parser.expect(",")
        if allow_variadic and parser.accept("..."):
            found.variadic = True
            parser.expect(")")
            break
        _parse_parameter(parser, found)
    return found


def _parse_parameter(parser: Parser, found: TypeList) -> None:
    use = parser.optional_operand()
    if use is not None:
        parser.expect(":")
    type = parser.parse_type()
    found.types.append(type)
    found.attributes.append(parser.optional_attribute_dictionary())
    location = parser.optional_location()
    if use is not None:
        found.arguments.append(RegionArgument(use, type, location))


def parse_results(parser: Parser) -> TypeList:
    """Parse the results of a signature, `` -> (i32 {a}, f32)`` or for one result `` -> i32``. The result is
    empty if there is no arrow.
    """
    found = TypeList()
    if not parser.accept("->"):
        return found
    if not parser.accept("("):
        return TypeList([parser.parse_type()], [{}])
    while not parser.accept(")"):
        if found.types:
            parser.expect(",")
        found.types.append(parser.parse_type())
        found.attributes.append(parser.optional_attribute_dictionary())
    return found


def with_defaults(kind: Any, attributes: dict[str, Attribute]) -> dict[str, Attribute]:
    """Add the default values of missing attributes of an operation ``kind`` to ``attributes``, and return
    this dictionary. An attribute whose default is None stays missing.
    """
    for declared in kind.attributes:
        if declared.default is not MISSING and declared.default is not None:
            attributes.setdefault(declared.ir_name, declared.default)
    return attributes
