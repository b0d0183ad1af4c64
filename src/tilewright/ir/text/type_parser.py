"""Parsing of types: builtin types by a table, types of dialects by their classes."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from typing import Any

from tilewright.ir import codes
from tilewright.ir.arithmetic.float_format import FLOAT_FORMATS
from tilewright.ir.attribute import Attribute, Type
from tilewright.ir.builtin_attributes import TypeAttr
from tilewright.ir.builtin_types import (
    DYNAMIC,
    ComplexType,
    FloatType,
    FunctionType,
    IntegerType,
    MemRefLayout,
    MemRefType,
    OpaqueType,
    RankedTensorType,
    TupleType,
    UnrankedMemRefType,
    UnrankedTensorType,
    VectorType,
    index,
    none,
)
from tilewright.ir.context import Context
from tilewright.ir.support.strings import nearest, pattern
from tilewright.ir.text.lexer import SUFFIX, ParseError, Scanner, SourceText
from tilewright.ir.text.names import body_end
from tilewright.ir.uniquer import InvalidParameters

MAX_NESTING = 100
"""The maximum nesting depth of types and attributes in text."""

_SLICE = pattern(r"!?[A-Za-z_][\w$.]*+(?:<[^<>\n]*(?:<[^<>\n]*>[^<>\n]*)*>|(?!\s*<))", re.ASCII)
_DIMENSION = pattern(r"(\d+|\?)\s*x\s*")
_UNRANKED = pattern(r"\*\s*x\s*")
_SCALABLE_DIMENSION = pattern(r"(?:(\d+)|\[\s*(\d+)\s*\])\s*x\s*")
_INTEGER_TYPE = pattern(r"([su]?)i(\d+)", re.ASCII)
_SYMBOL = pattern(rf"[!#]({SUFFIX})", re.ASCII)
_SIGIL = pattern("[!#]")
_SIGNEDNESS = {"": "signless", "s": "signed", "u": "unsigned"}


class TypeParser(Scanner):
    """Parses types; `AttributeParser` adds attributes."""

    def __init__(self, context: Context, source: SourceText) -> None:
        super().__init__(source)
        self.context = context
        self._depth = 0
        self._types: dict[str, Type] = {}
        self._short_types: dict[tuple[str, str], Type] = {}
        """Parsed types, by dialect and text, for types in the syntax of a dialect. Types spelled with aliases
        are left out, as ``_expanded`` counts aliases.
        """
        self._sizes: dict[str, int] = {}
        self._expanded = 0
        """The number of aliases that the text read so far expands to. ``_sizes`` has this number for each
        cached type.
        """

    def parse_type(self) -> Type:
        """Parse a type; raises `ParseError` if there is none."""
        type = self.optional_type()
        if type is None:
            raise self.unexpected("non-function type")
        return type

    def optional_type(self) -> Type | None:
        """Parse a type if one is next; else return None, with the position unchanged. Raises `ParseError` for
        a type that begins but has a mistake.
        """
        start = self.position
        match = _SLICE.match(self.text, start)
        if match is not None:
            known = self._types.get(match[0])
            if known is not None:
                self.move_to(match.end())
                self._expanded += self._sizes.get(match[0], 0)
                return known
        before = self._expanded
        type = self.guarded(self._type, start)
        if type is not None and match is not None and self._ends_at(match.end()):
            self._types[match[0]] = type
            if self._expanded > before:
                self._sizes[match[0]] = self._expanded - before
        return type

    def _ends_at(self, end: int) -> bool:
        """Return whether ``end`` is the end of the last token: only white space is between it and the current
        position.
        """
        return end <= self.position and not self.text[end : self.position].strip()

    def guarded(self, parse: Callable[[], Any], start: int) -> Any:
        """Return the result of ``parse``, called for a nested type or attribute. Raises `ParseError` if the
        nesting is deeper than `MAX_NESTING`, and, at ``start``, for invalid parameters.
        """
        self._depth += 1
        if self._depth > MAX_NESTING:
            raise self.error(f"types and attributes are nested more than {MAX_NESTING} deep")
        try:
            return parse()
        except InvalidParameters as problem:
            raise self.error(str(problem), start, code=codes.INVALID_PARAMETERS) from problem
        finally:
            self._depth -= 1

    def parse_type_list(self, closing: str) -> list[Type]:
        """Parse types separated by commas up to and including ``closing``; possibly none."""
        types: list[Type] = []
        if self.accept(closing):
            return types
        while True:
            types.append(self.parse_type())
            if not self.accept(","):
                break
        self.expect(closing)
        return types

    def parse_types(self) -> list[Type]:
        """Parse one or more types separated by commas."""
        types = [self.parse_type()]
        while self.accept(","):
            types.append(self.parse_type())
        return types

    def parse_colon_type(self) -> Type:
        """Parse ``: type`` and return the type."""
        self.expect(":")
        return self.parse_type()

    def parse_functional_type(self) -> tuple[list[Type], list[Type]]:
        """Parse ``(inputs) -> results``; return both lists."""
        self.expect("(")
        inputs = self.parse_type_list(")")
        self.expect("->")
        return inputs, self.parse_result_types()

    def parse_result_types(self) -> list[Type]:
        """Parse the types after an arrow: one type, or any number in parentheses."""
        return self.parse_type_list(")") if self.accept("(") else [self.parse_type()]

    def parse_type_short(self, dialect: str) -> Type:
        """Parse a type inside the syntax of ``dialect``, whose own types need no ``!dialect.`` prefix. Raises
        `ParseError` if there is none.
        """
        start = self.position
        match = _SLICE.match(self.text, start)
        known = self._short_types.get((dialect, match[0])) if match is not None else None
        if match is not None and known is not None:
            self.move_to(match.end())
            return known
        keyword = self.peek_keyword()
        type_class = self.context.type_class(dialect, keyword) if keyword else None
        if type_class is None:
            type = self.optional_type()
            return self._no_type(dialect) if type is None else type
        self.expect_keyword()
        type = self.guarded(lambda: type_class.parse_parameters(self._as_attribute_parser()), start)
        if match is not None and _SIGIL.search(match[0]) is None and self._ends_at(match.end()):
            self._short_types[dialect, match[0]] = type
        return type

    def _no_type(self, dialect: str) -> Type:
        """Raise `ParseError` for a next token that names no type of ``dialect``, with a hint at a similar
        name; never returns.
        """
        start, word = self.position, self.expect_keyword()
        loaded = self.context.dialect(dialect)
        close = nearest(word, loaded.types if loaded else ())
        problem = self.operation_error(f"unknown type: {word}", start)
        if close:
            problem.diagnostic.hint(f"did you mean '{close}'?").fix(word, close)
        raise problem

    def parse_dimension_list(self) -> list[int]:
        """Parse extents, each followed by an ``x``: ``4x?x``. `DYNAMIC` is returned for ``?``; the list may
        be empty. Raises `ParseError` for an extent of ``2**63`` or more.
        """
        shape: list[int] = []
        while (match := _DIMENSION.match(self.text, self.position)) is not None:
            shape.append(DYNAMIC if match[1] == "?" else self._extent(match[1]))
            self.move_to(match.end())
        return shape

    def _extent(self, digits: str) -> int:
        extent = self._integer(digits)
        if extent >= 1 << 63:
            raise self.error("invalid dimension: larger than 2^63 - 1")
        return extent

    def parse_attribute(self, expected_type: Type | None = None) -> Attribute:
        """Parse an attribute and return it; with ``expected_type`` a number or string is of that type.
        `AttributeParser` implements it; a plain `TypeParser` raises `NotImplementedError`.
        """
        raise NotImplementedError

    def _as_attribute_parser(self) -> Any:
        """Return this parser as an `AttributeParser`, which every parser of dialect types is."""
        return self

    def _type(self) -> Type | None:
        start = self.position
        if self.text.startswith("(", start):
            inputs, results = self.parse_functional_type()
            return FunctionType(tuple(inputs), tuple(results))
        if self.text.startswith("!", start):
            return self._sigil_type()
        keyword = self.optional_keyword()
        if keyword is None:
            return None
        type = self._keyword_type(keyword)
        if type is None:
            self.position = start
        return type

    def _keyword_type(self, keyword: str) -> Type | None:
        if keyword in _PLAIN_TYPES:
            return _PLAIN_TYPES[keyword]
        if keyword in _PARAMETRIC_TYPES and self.accept("<"):
            return _PARAMETRIC_TYPES[keyword](self)
        match = _INTEGER_TYPE.fullmatch(keyword)
        return None if match is None else IntegerType(self._integer(match[2]), _SIGNEDNESS[match[1]])

    def _sigil_type(self) -> Type:
        start = self.position
        try:
            type = self.parse_sigil()
        except ParseError as problem:
            problem.of_operation = False  # the type says it, wherever it stands
            raise
        if isinstance(type, TypeAttr):
            return type.type
        if not isinstance(type, Type):
            raise self.error("this alias does not stand for a type", start)
        return type

    def parse_sigil(self) -> Attribute:
        """Parse ``!dialect.mnemonic<...>``, ``#dialect<...>`` or an alias, and return the type or attribute.
        A name of a dialect that is not loaded gives an opaque one if the context allows it. Raises
        `ParseError` for an unknown name.
        """
        match = _SYMBOL.match(self.text, self.position)
        if match is None:
            raise self.unexpected("the name of a dialect or alias")
        dialect, dot, mnemonic = match[1].partition(".")
        if not dot and not self.text.startswith("<", match.end()):
            return self.alias_value(match[0])
        is_type = match[0][0] == "!"
        if self.context.dialect(dialect) is None:
            return self._opaque(match, is_type)
        start = self.position
        self.move_to(match.end())
        if dot:
            return self._of_dialect(dialect, mnemonic, is_type, start)
        self.expect("<")
        value = self._of_dialect(dialect, self.expect_keyword(), is_type, start)
        self.expect(">")
        return value

    def alias_value(self, name: str) -> Attribute:
        """Step over the alias called `name`, with its sigil, at the current position and return its value.
        Raises `ParseError` if it is not defined. `AttributeParser` implements it; for a plain `TypeParser` no
        alias is defined.
        """
        raise self.error(f"undefined symbol alias id '{name[1:]}'", code=codes.UNKNOWN_NAME)

    def _of_dialect(self, dialect: str, mnemonic: str, is_type: bool, start: int) -> Attribute:
        context, parser = self.context, self._as_attribute_parser()
        find: Callable[[str, str], type[Attribute] | None]
        find = context.type_class if is_type else context.attribute_class
        found = find(dialect, mnemonic)
        if found is not None:
            return found.parse_parameters(parser)
        loaded = context.dialects[dialect]
        parse = loaded.parse_type if is_type else loaded.parse_attribute
        value = parse(parser, mnemonic) if parse is not None else None
        if value is None:
            known = loaded.types if is_type else loaded.attributes
            raise self.unknown(
                "type" if is_type else "attribute", f"{dialect}.{mnemonic}", start, known, dialect
            )
        return value

    def unknown(
        self, what: str, name: str, start: int, known: Iterable[str], dialect: str = ""
    ) -> ParseError:
        """Return the error that ``name``, of the kind ``what``, is not registered, to be raised at the
        position ``start``, with a hint at the nearest of the ``known`` names. With ``dialect``, the known
        names lack its prefix.
        """
        prefix = f"{dialect}." if dialect else ""
        close = nearest(name.removeprefix(prefix), known)
        hint = f"did you mean '{prefix}{close}'?" if close else None
        problem = self.error(f"unknown {what} '{name}'", start, code=codes.UNKNOWN_NAME, hint=hint)
        if close:
            problem.diagnostic.fix(name, f"{prefix}{close}")
        return problem

    def _opaque(self, match: re.Match[str], is_type: bool) -> Attribute:
        """Parse the body after the name `match`, of a dialect that is not loaded, as text, and return an
        opaque type if `is_type`, else an opaque attribute. Raises `ParseError` if the context does not allow
        unregistered names, or brackets do not balance.
        """
        from tilewright.ir.builtin_attributes import OpaqueAttr

        dialect, _, text = match[1].partition(".")
        if not self.context.allow_unregistered:
            raise self.error(
                f"dialect '{dialect}' of {'type' if is_type else 'attribute'} '{match[0]}' is not loaded",
                code=codes.UNKNOWN_NAME,
                hint="load the dialect, or allow unregistered dialects",
            )
        end = match.end()
        if self.text.startswith("<", end):
            closed = body_end(self.text, end)
            if closed is None:
                raise self.error("brackets do not balance in the body of this name", end)
            body = self.text[end:closed]
            text, end = (text + body) if text else body[1:-1], closed
        self.move_to(end)
        return (OpaqueType if is_type else OpaqueAttr)(dialect, text)


def _vector(parser: TypeParser) -> Type:
    shape: list[int] = []
    scalable: list[bool] = []
    while (match := _SCALABLE_DIMENSION.match(parser.text, parser.position)) is not None:
        shape.append(int(match[1] or match[2]))
        scalable.append(match[1] is None)
        parser.move_to(match.end())
    element_type = parser.parse_type()
    parser.expect(">")
    return VectorType(tuple(shape), element_type, tuple(scalable))


def _unranked(parser: TypeParser) -> bool:
    """Step over ``*x`` if it is next; return whether it was."""
    match = _UNRANKED.match(parser.text, parser.position)
    if match is not None:
        parser.move_to(match.end())
    return match is not None


def _tensor(parser: TypeParser) -> Type:
    if _unranked(parser):
        element_type = parser.parse_type()
        parser.expect(">")
        return UnrankedTensorType(element_type)
    shape = parser.parse_dimension_list()
    element_type = parser.parse_type()
    encoding = parser.parse_attribute() if parser.accept(",") else None
    parser.expect(">")
    return RankedTensorType(tuple(shape), element_type, encoding)


def _memref(parser: TypeParser) -> Type:
    if _unranked(parser):
        element_type = parser.parse_type()
        space = parser.parse_attribute() if parser.accept(",") else None
        parser.expect(">")
        return UnrankedMemRefType(element_type, space)
    shape = parser.parse_dimension_list()
    element_type = parser.parse_type()
    extras: list[Attribute] = []
    while len(extras) < 2 and parser.accept(","):
        extras.append(parser.parse_attribute())
    parser.expect(">")
    layout = extras.pop(0) if len(extras) == 2 or (extras and isinstance(extras[0], MemRefLayout)) else None
    return MemRefType(tuple(shape), element_type, layout, extras[0] if extras else None)


def _tuple(parser: TypeParser) -> Type:
    return TupleType(tuple(parser.parse_type_list(">")))


def _complex(parser: TypeParser) -> Type:
    element_type = parser.parse_type()
    parser.expect(">")
    return ComplexType(element_type)


_PLAIN_TYPES: dict[str, Type] = {
    "index": index,
    "none": none,
    **{name: FloatType(name) for name in FLOAT_FORMATS},
}

_PARAMETRIC_TYPES: dict[str, Callable[[TypeParser], Type]] = {
    "vector": _vector,
    "tensor": _tensor,
    "memref": _memref,
    "tuple": _tuple,
    "complex": _complex,
}
