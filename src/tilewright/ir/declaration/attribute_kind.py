"""Kinds of inherent attributes: how a Python value of an op field becomes an attribute and back.

An op class shows plain Python values (``op.rounding_mode is RoundingMode.ZERO``, ``op.dim == 1``); the IR holds
uniqued attributes.  A kind is the bridge; codecs (text, bytecode) choose their encoding by the kind's class.
"""

from __future__ import annotations

import enum
from typing import TYPE_CHECKING, Any

from tilewright.ir import builtin_attributes
from tilewright.ir.attribute import Attribute, EnumAttribute, Type
from tilewright.ir.builtin_types import FloatType, FunctionType, i1, i32, i64

if TYPE_CHECKING:
    from tilewright.ir.text.parser import AttributeParser
    from tilewright.ir.text.printer import Printer


_NEVER_FIRST = ("%", "(", ":", "{", ")", ",", "^")
"""Punctuation that begins no attribute in the syntax of an operation, but may follow a missing one."""


class AttributeKind:
    """The kind of an attribute field: which attributes the field accepts, and which Python value the accessor
    shows. This base accepts any attribute, and shows the attribute itself.
    """

    description = "any attribute"

    def accepts(self, attribute: Attribute) -> bool:
        """Return whether the field may have `attribute`: the verifier's test. By default any attribute is
        accepted.
        """
        return True

    def to_attribute(self, value: Any) -> Attribute:
        """Return the attribute for a Python value as the accessor shows it. An attribute, and any other
        value, is returned unchanged and unchecked.
        """
        return value

    def from_attribute(self, attribute: Any) -> Any:
        """Return the Python value that an op's accessor returns for an attribute that the kind accepts."""
        return attribute

    def print_short(self, attribute: Any, printer: Printer) -> None:
        """Print the attribute as an assembly format shows it: as short as the kind allows."""
        printer.print_attribute(attribute)

    def parse_short(self, parser: AttributeParser) -> Attribute:
        """Parse the text that `print_short` prints, and return the attribute. Raises `DiagnosticError` for
        other text.
        """
        return parser.parse_attribute()

    def starts(self, parser: AttributeParser) -> bool:
        """Return whether the text of `print_short` may begin at the current token; used to decide whether an
        optional attribute is there. Nothing is consumed.
        """
        return not any(parser.at(mark) for mark in _NEVER_FIRST)


class InstanceKind(AttributeKind):
    """Attributes of the given classes, shown as themselves; ``description`` is for diagnostics."""

    def __init__(self, classes: type[Attribute] | tuple[type[Attribute], ...], description: str) -> None:
        self.classes = classes
        self.description = description

    def accepts(self, attribute: Attribute) -> bool:
        return isinstance(attribute, self.classes)


class EnumKind(AttributeKind):
    """The kind of attributes of the class ``attribute_class``, an `EnumAttribute`, shown as the case of its
    Python enum.
    """

    def __init__(self, attribute_class: type[EnumAttribute]) -> None:
        self.attribute_class = attribute_class
        self.description = f"one of {', '.join(attribute_class.cases())}"

    def accepts(self, attribute: Attribute) -> bool:
        return type(attribute) is self.attribute_class

    def to_attribute(self, value: Any) -> Attribute:
        return self.attribute_class(value) if isinstance(value, enum.Enum) else value

    def from_attribute(self, attribute: Any) -> Any:
        return attribute.value

    def print_short(self, attribute: Any, printer: Printer) -> None:
        attribute.print_parameters(printer)

    def parse_short(self, parser: AttributeParser) -> Attribute:
        return self.attribute_class.parse_parameters(parser)

    def starts(self, parser: AttributeParser) -> bool:
        return parser.at("<")


class IntegerKind(AttributeKind):
    """An integer attribute of one type, shown as an int; ``minimum`` is its smallest value, None for no
    limit.
    """

    def __init__(self, type: Type = i64, *, minimum: int | None = None) -> None:
        self.type = type
        self.minimum = minimum
        bits = getattr(type, "width", 64)
        self.description = f"{bits}-bit signless integer attribute"
        if minimum is not None:
            bound = "non-negative" if minimum == 0 else f"at least {minimum}"
            self.description += f" whose value is {bound}"

    def accepts(self, attribute: Attribute) -> bool:
        if not (isinstance(attribute, builtin_attributes.IntegerAttr) and attribute.type is self.type):
            return False
        return self.minimum is None or attribute.value >= self.minimum

    def to_attribute(self, value: Any) -> Attribute:
        return builtin_attributes.IntegerAttr(self.type, value) if isinstance(value, int) else value

    def from_attribute(self, attribute: Any) -> Any:
        return attribute.value

    def print_short(self, attribute: Any, printer: Printer) -> None:
        printer.print_attribute_without_type(attribute)

    def parse_short(self, parser: AttributeParser) -> Attribute:
        return parser.parse_attribute(self.type)

    def starts(self, parser: AttributeParser) -> bool:
        return super().starts(parser) and parser.peek_keyword() is None


class BoolKind(AttributeKind):
    """The kind of ``true`` and ``false``, attributes of the type i1, shown as a bool."""

    description = "bool attribute"

    def accepts(self, attribute: Attribute) -> bool:
        return isinstance(attribute, builtin_attributes.IntegerAttr) and attribute.type is i1

    def to_attribute(self, value: Any) -> Attribute:
        return builtin_attributes.IntegerAttr(i1, int(value)) if isinstance(value, bool) else value

    def from_attribute(self, attribute: Any) -> Any:
        return bool(attribute.value)

    def parse_short(self, parser: AttributeParser) -> Attribute:
        return parser.parse_attribute(i1)


class FloatKind(AttributeKind):
    """The kind of float attributes of one type, shown as a float; an int is accepted as a value, too."""

    def __init__(self, type: FloatType) -> None:
        self.type = type
        self.description = f"{type.width}-bit float attribute"

    def accepts(self, attribute: Attribute) -> bool:
        return isinstance(attribute, builtin_attributes.FloatAttr) and attribute.type is self.type

    def to_attribute(self, value: Any) -> Attribute:
        return (
            builtin_attributes.float_attribute(value, self.type) if isinstance(value, int | float) else value
        )

    def from_attribute(self, attribute: Any) -> Any:
        return attribute.value

    def print_short(self, attribute: Any, printer: Printer) -> None:
        printer.print_attribute_without_type(attribute)

    def parse_short(self, parser: AttributeParser) -> Attribute:
        return parser.parse_attribute(self.type)

    def starts(self, parser: AttributeParser) -> bool:
        return super().starts(parser) and parser.peek_keyword() is None


class UnitKind(AttributeKind):
    """The kind of flags, attributes that are there or not, shown as a bool."""

    description = "unit attribute"

    def accepts(self, attribute: Attribute) -> bool:
        return isinstance(attribute, builtin_attributes.UnitAttr)

    def to_attribute(self, value: Any) -> Attribute:
        return builtin_attributes.UNIT if isinstance(value, bool) else value

    def from_attribute(self, attribute: Any) -> Any:
        return attribute is not None

    def print_short(self, attribute: Any, printer: Printer) -> None:
        """Print nothing: the keyword before a flag is its text."""

    def parse_short(self, parser: AttributeParser) -> Attribute:
        return builtin_attributes.UNIT


class StringKind(AttributeKind):
    """The kind of string attributes, shown as a str."""

    description = "string attribute"

    def accepts(self, attribute: Attribute) -> bool:
        return isinstance(attribute, builtin_attributes.StringAttr)

    def to_attribute(self, value: Any) -> Attribute:
        return builtin_attributes.StringAttr(value) if isinstance(value, str) else value

    def from_attribute(self, attribute: Any) -> Any:
        return attribute.value

    def print_short(self, attribute: Any, printer: Printer) -> None:
        printer.print_attribute_without_type(attribute)

    def parse_short(self, parser: AttributeParser) -> Attribute:
        text = parser.optional_string()
        if text is None:
            raise parser.unexpected("attribute value")
        return builtin_attributes.StringAttr(text)

    def starts(self, parser: AttributeParser) -> bool:
        return parser.at('"')


class NameKind(StringKind):
    """The kind of string attributes whose text is one of ``names``, shown as a str."""

    def __init__(self, *names: str) -> None:
        self.names = names
        self.description = f"one of {', '.join(names)}"

    def accepts(self, attribute: Attribute) -> bool:
        return isinstance(attribute, builtin_attributes.StringAttr) and attribute.value in self.names


class SymbolNameKind(StringKind):
    """The name under which an operation is found in the enclosing symbol table, shown as str, and as
    ``@name`` in text.
    """

    def print_short(self, attribute: Any, printer: Printer) -> None:
        printer.print_symbol_name(attribute.value)

    def parse_short(self, parser: AttributeParser) -> Attribute:
        return builtin_attributes.StringAttr(parser.parse_symbol_name())

    def starts(self, parser: AttributeParser) -> bool:
        return parser.at("@")


class SymbolRefKind(AttributeKind):
    """A reference to a symbol. ``flat`` refuses nested paths and shows the name as str; otherwise it is shown
    as `SymbolRefAttr`.
    """

    def __init__(self, *, flat: bool = True) -> None:
        self.flat = flat
        self.description = "flat symbol reference attribute" if flat else "symbol reference attribute"

    def accepts(self, attribute: Attribute) -> bool:
        return isinstance(attribute, builtin_attributes.SymbolRefAttr) and not (
            self.flat and attribute.nested
        )

    def to_attribute(self, value: Any) -> Attribute:
        return builtin_attributes.SymbolRefAttr(value.removeprefix("@")) if isinstance(value, str) else value

    def from_attribute(self, attribute: Any) -> Any:
        return attribute.root if self.flat else attribute

    def starts(self, parser: AttributeParser) -> bool:
        return parser.at("@")


class TypeKind(AttributeKind):
    """A type, shown as `Type`; only instances of ``type_class`` are accepted."""

    def __init__(self, type_class: type[Type] = Type) -> None:
        self.type_class = type_class
        self.description = (
            "type attribute of function type" if type_class is FunctionType else "any type attribute"
        )

    def accepts(self, attribute: Attribute) -> bool:
        return isinstance(attribute, builtin_attributes.TypeAttr) and isinstance(
            attribute.type, self.type_class
        )

    def to_attribute(self, value: Any) -> Attribute:
        return builtin_attributes.TypeAttr(value) if isinstance(value, Type) else value

    def from_attribute(self, attribute: Any) -> Any:
        return attribute.type

    def print_short(self, attribute: Any, printer: Printer) -> None:
        printer.print_type(attribute.type)

    def parse_short(self, parser: AttributeParser) -> Attribute:
        return builtin_attributes.TypeAttr(parser.parse_type())


class DenseArrayKind(AttributeKind):
    """A dense array of integers of the type ``element_type``, ``array<i32: ...>``, shown as a tuple of ints;
    of bools for i1.
    """

    def __init__(self, element_type: Type = i32) -> None:
        self.element_type = element_type
        self.description = f"{getattr(element_type, 'spelling', '')} dense array attribute"

    def accepts(self, attribute: Attribute) -> bool:
        return (
            isinstance(attribute, builtin_attributes.DenseArrayAttr)
            and attribute.element_type is self.element_type
        )

    def to_attribute(self, value: Any) -> Attribute:
        if isinstance(value, Attribute):
            return value
        return builtin_attributes.DenseArrayAttr(self.element_type, tuple(value))

    def from_attribute(self, attribute: Any) -> Any:
        return tuple(map(bool, attribute.values)) if self.element_type is i1 else attribute.values

    def print_short(self, attribute: Any, printer: Printer) -> None:
        words = [_dense_word(self.element_type, value) for value in attribute.values]
        printer.write(f"[{', '.join(words)}]")

    def parse_short(self, parser: AttributeParser) -> Attribute:
        parser.expect("[")
        values: list[int] = []
        while not parser.accept("]"):
            if values:
                parser.expect(",")
            if self.element_type is i1:
                values.append(int(_parse_bool(parser)))
            else:
                values.append(parser.parse_integer())
        return builtin_attributes.DenseArrayAttr(self.element_type, tuple(values))

    def starts(self, parser: AttributeParser) -> bool:
        return parser.at("[")


def _dense_word(element_type: Type, value: int) -> str:
    return ("false", "true")[value] if element_type is i1 else str(value)


def _parse_bool(parser: AttributeParser) -> bool:
    word = parser.expect_keyword("'true' or 'false'")
    if word not in ("true", "false"):
        raise parser.error(f"expected 'true' or 'false', got '{word}'")
    return word == "true"


class ElementsKind(AttributeKind):
    """Dense constant data, shown as `DenseElementsAttr`."""

    description = "dense elements attribute"

    def accepts(self, attribute: Attribute) -> bool:
        return isinstance(attribute, builtin_attributes.DenseElementsAttr)


class ArrayKind(AttributeKind):
    """``[a, b]``, shown as a tuple of the values that ``element`` shows; each attribute must be of the kind
    ``element`` (None: any attribute).
    """

    def __init__(self, element: AttributeKind | None = None) -> None:
        self.element = element or AttributeKind()
        self.description = "array attribute" if element is None else f"array of {element.description}"

    def accepts(self, attribute: Attribute) -> bool:
        return isinstance(attribute, builtin_attributes.ArrayAttr) and all(
            map(self.element.accepts, attribute.elements)
        )

    def to_attribute(self, value: Any) -> Attribute:
        if isinstance(value, Attribute):
            return value
        return builtin_attributes.ArrayAttr(tuple(self.element.to_attribute(item) for item in value))

    def from_attribute(self, attribute: Any) -> Any:
        return tuple(self.element.from_attribute(item) for item in attribute.elements)

    def starts(self, parser: AttributeParser) -> bool:
        return parser.at("[")


class DictionaryKind(AttributeKind):
    """``{a = 1}``, shown as `DictionaryAttr`; a Python mapping of names to attributes is accepted as a value."""

    description = "dictionary attribute"

    def accepts(self, attribute: Attribute) -> bool:
        return isinstance(attribute, builtin_attributes.DictionaryAttr)

    def to_attribute(self, value: Any) -> Attribute:
        return (
            value if isinstance(value, Attribute) else builtin_attributes.DictionaryAttr(tuple(value.items()))
        )
