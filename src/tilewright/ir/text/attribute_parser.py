"""Parsing of attributes, locations and aliases."""

from __future__ import annotations

import re
from collections.abc import Callable

from tilewright.ir import codes
from tilewright.ir.attribute import Attribute, Location, Type
from tilewright.ir.builtin_attributes import (
    UNIT,
    ArrayAttr,
    DictionaryAttr,
    FloatAttr,
    IntegerAttr,
    StringAttr,
    SymbolRefAttr,
    TypeAttr,
    boolean,
)
from tilewright.ir.builtin_types import FloatType, IndexType, IntegerType, NoneType, f64, i64
from tilewright.ir.context import Context
from tilewright.ir.location import (
    UNKNOWN,
    CallSiteLocation,
    FileLineColLocation,
    FusedLocation,
    NameLocation,
)
from tilewright.ir.support.strings import pattern
from tilewright.ir.text.dense_parser import DenseLiteral, parse_dense, parse_dense_array, parse_literal
from tilewright.ir.text.lexer import SUFFIX, ParseError, SourceText
from tilewright.ir.text.type_parser import TypeParser

_ALIAS_DEFINITION = pattern(rf"^[ \t]*([#!]{SUFFIX})[ \t]*=", re.MULTILINE | re.ASCII)

MAXIMUM_EXPANSION = 1 << 18
"""The maximum number of aliases in the expansion of an alias, each counted as often as it would be written. A
few aliases that each use the one before twice could expand to more text than fits in memory.
"""

_ENTRY = pattern(r"([A-Za-z_][\w$.]*)\s*=", re.ASCII)
_FILE_LOCATION = pattern(r'loc\("([^"\\\n]*)":(\d{1,9}):(\d{1,9})\)')
_TYPED_NUMBER = pattern(
    r"(-?)(\d+\.\d*(?:[eE][-+]?\d+)?|0x[0-9a-fA-F]+|\d+)\s*:\s*([A-Za-z]\w*)(?![\w$.<])", re.ASCII
)


class AttributeParser(TypeParser):
    """The parser of attributes, as `Attribute.parse_parameters` and the hooks of dialects use it.

    ``expect...``, ``accept...`` and ``peek...`` handle single tokens. ``parse_...`` parse a construct or
    raise `ParseError`; ``optional_...`` return None if the construct is not next. Hooks refuse text by
    ``raise parser.error(message)``.
    """

    def __init__(self, context: Context, source: SourceText) -> None:
        super().__init__(context, source)
        self.aliases: dict[str, Attribute] = {}
        self.errors: list[ParseError] = []
        self._alias_ends: dict[int, int] = {}
        self._alias_sizes: dict[str, int] = {}
        self._looked_ahead = False

    def parse_attribute(self, expected_type: Type | None = None) -> Attribute:
        """Parse an attribute and return it; with ``expected_type`` a number or string is of that type and has
        no ``: type`` of its own. Raises `ParseError` if none is next.
        """
        attribute = self.optional_attribute(expected_type)
        if attribute is None:
            raise self.unexpected("attribute value")
        return attribute

    def optional_attribute(self, expected_type: Type | None = None) -> Attribute | None:
        """Parse an attribute if one is next, and return it; else return None. With ``expected_type`` a number
        or string is of that type and has no ``: type`` of its own.
        """
        return self.guarded(lambda: self._attribute(expected_type), self.position)

    def parse_dictionary(self) -> DictionaryAttr:
        """Parse a dictionary attribute: ``{a = 1, b}``."""
        return DictionaryAttr.of(self.parse_attribute_dictionary())

    def parse_attribute_dictionary(self) -> dict[str, Attribute]:
        """Parse ``{a = 1, b}`` and return it as a Python dictionary; a name alone has a unit attribute.
        Raises `ParseError` for a repeated name.
        """
        entries: dict[str, Attribute] = {}
        self.expect("{")
        while not self.at("}"):
            start = self.position
            match = _ENTRY.match(self.text, start)
            if match is not None:
                self.move_to(match.end())
            name = self.parse_keyword_or_string("attribute name") if match is None else match[1]
            if "." in name:  # whoever verifies the attribute finds its dialect
                self.context.dialect(name.partition(".")[0])
            if name in entries:
                raise self.error(f"duplicate key '{name}' in dictionary attribute", start)
            entries[name] = UNIT if match is None and not self.accept("=") else self.parse_attribute()
            if not self.accept(","):
                break
        self.expect("}")
        return entries

    def optional_attribute_dictionary(self) -> dict[str, Attribute]:
        """Parse ``{...}`` if it is next; else return an empty dictionary."""
        return self.parse_attribute_dictionary() if self.at("{") else {}

    def parse_symbol_ref(self) -> SymbolRefAttr:
        """Parse a symbol reference: ``@root::@nested``."""
        names = [self.parse_symbol_name()]
        while self.accept("::"):
            names.append(self.parse_symbol_name())
        return SymbolRefAttr(names[0], tuple(names[1:]))

    def parse_dense_literal(self) -> DenseLiteral:
        """Parse a number, ``true``, ``false``, nested lists of them, or a hexadecimal string, and return it
        without a type, which `DenseLiteral.to_attribute` adds. The result is empty if none of these is next.
        """
        return parse_literal(self)

    def parse_integer_attribute(self, kind: Type) -> IntegerAttr:
        """Parse an integer literal, without ``: type``, as an attribute of the integer type ``kind``. Raises
        `ParseError` for another attribute, and for a number out of range.
        """
        start = self.position
        attribute = self.parse_attribute(kind)
        if not isinstance(attribute, IntegerAttr):
            raise self.error("expected integer value", start)
        return attribute

    def number(self, kind: Type, negative: bool, literal: str, position: int) -> IntegerAttr | FloatAttr:
        """Return the number with the text ``literal``, which has no sign, negated if ``negative``, as an
        attribute of the type ``kind``. Raises `ParseError`, at ``position``, if it does not fit the type.
        """
        if isinstance(kind, FloatType):
            return FloatAttr(kind, self._float_bits(kind, negative, literal, position))
        if not isinstance(kind, IntegerType | IndexType):
            raise self.error(f"a number cannot be of type '{kind}'", position)
        if "." in literal:
            raise self.error(
                f"expected integer value for type '{kind}', got a floating-point literal", position
            )
        value = self._integer(literal)
        self._check_range(kind, -value if negative else value, position)
        return IntegerAttr(kind, -value if negative else value)

    def _check_range(self, kind: IntegerType | IndexType, value: int, position: int) -> None:
        width = kind.width if isinstance(kind, IntegerType) else 64
        signedness = kind.signedness if isinstance(kind, IntegerType) else "signless"
        if value < 0 and signedness == "unsigned":
            raise self.error("negative integer literal not valid for unsigned integer type", position)
        highest = (1 << (max(width, 1) - 1 if signedness == "signed" else width)) - 1
        lowest = -(1 << (width - 1)) if width else 0
        if not lowest <= value <= highest:
            raise self.error("integer constant out of range for attribute", position)

    def _float_bits(self, kind: FloatType, negative: bool, literal: str, position: int) -> int:
        if "." in literal:
            return kind.format.encode(-float(literal) if negative else float(literal))
        if not literal.startswith("0x"):
            problem = self.error("unexpected decimal integer literal for a floating point value", position)
            problem.diagnostic.note("add a trailing dot to make the literal a float")
            raise problem
        if negative:
            raise self.error("hexadecimal float literal should not have a leading minus", position)
        bits = int(literal, 16)
        if bits >> kind.width:
            raise self.error("hexadecimal float constant out of range for type", position)
        return bits

    def _attribute(self, expected_type: Type | None) -> Attribute | None:
        character = self.text[self.position : self.position + 1]
        if character in _BY_CHARACTER:
            return _BY_CHARACTER[character](self)
        if character == '"':
            return self._string(expected_type)
        if character.isdigit() or character == "-":
            return self._number(expected_type)
        keyword = self.peek_keyword()
        if keyword in _BY_KEYWORD:
            return _BY_KEYWORD[keyword](self)
        if keyword in _UNSUPPORTED:
            raise self.error(f"'{keyword}' attributes are not supported", hint=_UNSUPPORTED[keyword])
        type = self.optional_type()
        return None if type is None else TypeAttr(type)

    def _string(self, expected_type: Type | None) -> Attribute:
        text = self.parse_string()
        if expected_type is not None:
            return StringAttr(text, None if isinstance(expected_type, NoneType) else expected_type)
        return StringAttr(text, self.parse_type() if self.accept(":") else None)

    def _number(self, kind: Type | None) -> Attribute:
        start = self.position
        match = _TYPED_NUMBER.match(self.text, start) if kind is None else None
        if match is not None and match[3] in self._types:  # nearly always
            self.move_to(match.end())
            return self.number(self._types[match[3]], bool(match[1]), match[2], start)
        negative = self.accept("-")
        literal = self.optional_number()
        if literal is None:
            raise self.unexpected("integer or floating-point literal")
        if kind is None:
            default = f64 if "." in literal else i64
            kind = self.parse_type() if self.accept(":") else default
        return self.number(kind, negative, literal, start)

    def _array(self) -> Attribute:
        self.expect("[")
        elements: list[Attribute] = []
        while not self.at("]"):
            elements.append(self.parse_attribute())
            if not self.accept(","):
                break
        self.expect("]")
        return ArrayAttr(tuple(elements))

    def _sigil_attribute(self) -> Attribute:
        value = self.parse_sigil()
        return TypeAttr(value) if isinstance(value, Type) else value

    def _type_attribute(self) -> Attribute:
        return TypeAttr(self.parse_type())

    def parse_location(self) -> Location:
        """Parse a location, ``loc(...)``, and return it. Raises `ParseError` if none is next."""
        match = _FILE_LOCATION.match(self.text, self.position)
        if match is not None:
            self.move_to(match.end())
            return FileLineColLocation(match[1], int(match[2]), int(match[3]))
        if not self.accept_keyword("loc"):
            raise self.unexpected("'loc'")
        self.expect("(")
        location = self.parse_bare_location()
        self.expect(")")
        return location

    def optional_location(self) -> Location | None:
        """Parse ``loc(...)`` if it is next; else return None."""
        return (
            self.parse_location()
            if self.text.startswith("loc", self.position) and self._at_location()
            else None
        )

    def _at_location(self) -> bool:
        return self.peek_keyword() == "loc"

    def parse_bare_location(self) -> Location:
        """Parse a location as it is spelled inside ``loc(...)`` or another location, without ``loc``, or its
        alias; return it. Raises `ParseError` for other text.
        """
        return self.guarded(self._bare_location, self.position)

    def _bare_location(self) -> Location:
        start = self.position
        if self.at('"'):
            return self._file_or_name()
        if self.at("#"):
            value = self.parse_sigil()
            if isinstance(value, Location):
                return value
            raise self.error(
                f"expected location, but found '{self.text[start : self.position].strip()}'", start
            )
        if self.accept_keyword("unknown"):
            return UNKNOWN
        if self.accept_keyword("callsite"):
            return self._call_site()
        if self.accept_keyword("fused"):
            return self._fused()
        raise self.unexpected("location")

    def _file_or_name(self) -> Location:
        text = self.parse_string()
        if not self.accept(":"):
            if not self.accept("("):
                return NameLocation(text)
            child = self.parse_bare_location()
            self.expect(")")
            return NameLocation(text, child)
        line = self.parse_integer()
        self.expect(":")
        column = self.parse_integer()
        if self.peek_keyword() == "to":
            raise self.error(
                "locations that span a range are not supported", hint="keep the start, drop 'to ...'"
            )
        return FileLineColLocation(text, line, column)

    def _call_site(self) -> Location:
        self.expect("(")
        callee = self.parse_bare_location()
        if not self.accept_keyword("at"):
            raise self.unexpected("'at' in callsite location")
        caller = self.parse_bare_location()
        self.expect(")")
        return CallSiteLocation(callee, caller)

    def _fused(self) -> Location:
        metadata: Attribute | None = None
        if self.accept("<"):
            metadata = self.parse_attribute()
            self.expect(">")
        self.expect("[")
        locations: list[Location] = []
        while not self.at("]"):
            locations.append(self.parse_bare_location())
            if not self.accept(","):
                break
        self.expect("]")
        return FusedLocation(tuple(locations), metadata)

    def alias_value(self, name: str) -> Attribute:
        if name not in self.aliases and not self._looked_ahead:
            self._look_ahead()
        if name not in self.aliases:
            return super().alias_value(name)
        self.move_to(self.position + len(name))
        self._expanded += self._alias_sizes.get(name, 1)
        return self.aliases[name]

    def _look_ahead(self) -> None:
        """Parse all remaining alias definitions, in order; errors are added to ``errors``, and the position
        stays.

        MLIR defines the locations of operations after the operations; a location that is used before its
        definition is found this way.
        """
        self._looked_ahead = True
        here, depth = self.position, self._depth
        for match in _ALIAS_DEFINITION.finditer(self.text, here):
            self._depth = 0
            self.move_to(match.start())
            start = self.position
            try:
                self.parse_alias_definition()
            except ParseError as problem:
                self.errors.append(problem)
                self.aliases.setdefault(match[1], UNKNOWN)
                end = self.text.find("\n", self.position)
                self.position = len(self.text) if end < 0 else end
            self._alias_ends[start] = self.position
        self.position, self._depth = here, depth

    def optional_alias_definition(self) -> bool:
        """Parse ``#alias = attribute`` or ``!alias = type`` if it is next, and record the alias; return
        whether it was.
        """
        match = _ALIAS_DEFINITION.match(self.text, self.position)
        if match is None:
            return False
        end = self._alias_ends.get(self.position)
        if end is not None:
            self.move_to(end)
        else:
            self.parse_alias_definition()
        return True

    def parse_alias_definition(self) -> None:
        """Parse ``#alias = attribute`` or ``!alias = type`` and record the alias. Raises `ParseError` for a
        name that is defined already, and for an alias that expands to more than `MAXIMUM_EXPANSION` aliases.
        """
        start = self.position
        name = self.peek()
        self.move_to(start + len(name))
        self.expect("=")
        around, self._expanded = self._expanded, 1
        value = self.parse_type() if name.startswith("!") else self.parse_attribute()
        self._alias_sizes[name], self._expanded = self._expanded, around
        if self._alias_sizes[name] > MAXIMUM_EXPANSION:
            self.aliases[name], self._alias_sizes[name] = value, 1  # said once
            message = f"alias '{name}' stands for more than {MAXIMUM_EXPANSION} aliases, written out"
            raise self.error(message, start, code=codes.SYNTAX)
        if name in self.aliases:
            kind = "type" if name.startswith("!") else "attribute"
            raise self.error(f"redefinition of {kind} alias id '{name[1:]}'", start, code=codes.SYNTAX)
        self.aliases[name] = value


def _boolean(value: bool) -> Callable[[AttributeParser], Attribute]:
    def parse(parser: AttributeParser) -> Attribute:
        parser.expect_keyword()
        return boolean(value)

    return parse


def _unit(parser: AttributeParser) -> Attribute:
    parser.expect_keyword()
    return UNIT


def _affine_map(parser: AttributeParser) -> Attribute:
    # Few texts have an affine map, and loading the parser takes 3 % of the start of `opt`.
    from tilewright.ir.text.affine_parser import parse_affine_map

    return parse_affine_map(parser)


def _strided_layout(parser: AttributeParser) -> Attribute:
    from tilewright.ir.text.affine_parser import parse_strided_layout  # as above

    return parse_strided_layout(parser)


# pyright: reportPrivateUsage=false
_BY_CHARACTER: dict[str, Callable[[AttributeParser], Attribute]] = {
    "[": AttributeParser._array,
    "{": AttributeParser.parse_dictionary,
    "@": AttributeParser.parse_symbol_ref,
    "#": AttributeParser._sigil_attribute,
    "!": AttributeParser._type_attribute,
    "(": AttributeParser._type_attribute,
}

_BY_KEYWORD: dict[str | None, Callable[[AttributeParser], Attribute]] = {
    "true": _boolean(True),
    "false": _boolean(False),
    "unit": _unit,
    "dense": parse_dense,
    "array": parse_dense_array,
    "loc": AttributeParser.parse_location,
    "affine_map": _affine_map,
    "strided": _strided_layout,
}

_UNSUPPORTED: dict[str | None, str] = {
    "affine_set": "express the condition with operations",
    "dense_resource": "write the data in place with 'dense<...>'",
    "sparse": "write the data in place with 'dense<...>'",
    "distinct": "use a plain attribute",
}
