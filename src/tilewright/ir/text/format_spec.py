"""The declarative assembly format of an operation: from its text to a tree of elements.

The notation is that of MLIR's op definitions::

    $lhs `,` $rhs (`fastmath` `` $fastmath^)? attr-dict `:` type($result)

Elements: literals in backticks (an empty pair joins what stands around it), fields (``$name``), directives
(``attr-dict``, ``type(...)``, ``functional-type(...)``, ``operands``, ``results``, ``regions``, ``custom<Name>(...)``),
optional groups ``(...)?`` with an anchor marked ``^`` and an optional else part ``: (...)``, and
``oilist(...)``.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field

_WITH_ARGUMENTS = frozenset(("type", "ref", "qualified", "functional-type"))
_WITHOUT_ARGUMENTS = frozenset(
    (
        "attr-dict",
        "attr-dict-with-keyword",
        "prop-dict",
        "operands",
        "results",
        "regions",
        "successors",
    )
)
_TOKEN = re.compile(r"\s*(`[^`]*`|\$[A-Za-z_]\w*|custom<\w+>|[A-Za-z][\w-]*|[()?:^,|])")


class FormatError(ValueError):
    """The text of an assembly format is malformed: a mistake in the declaration."""


@dataclass(slots=True)
class Element:
    """One piece of a format; ``anchor`` marks it as what decides about its optional group."""

    anchor: bool = field(default=False, kw_only=True)


@dataclass(slots=True)
class Literal(Element):
    """A keyword or punctuation."""

    text: str


@dataclass(slots=True)
class Whitespace(Element):
    """```` ` ` ```` (a blank), ```` `` ```` (no blank) or ```` `\\n` ```` (a line break)."""

    text: str


@dataclass(slots=True)
class Variable(Element):
    """A field of the operation: operand, attribute, region or successor."""

    name: str


@dataclass(slots=True)
class Directive(Element):
    """A directive without or with arguments."""

    name: str
    arguments: list[Element] = field(default_factory=list[Element])


@dataclass(slots=True)
class Custom(Element):
    """``custom<Name>(...)``: printed and parsed by the function of that name."""

    name: str
    arguments: list[Element]


@dataclass(slots=True)
class Group(Element):
    """``(elements)?`` or ``(elements) : (otherwise)``."""

    elements: list[Element]
    otherwise: list[Element]

    @property
    def anchored(self) -> Element:
        """The element that decides whether the group is there."""
        for element in self.elements:
            if element.anchor:
                return element
        raise FormatError("optional group has no anchor element")


@dataclass(slots=True)
class Clauses(Element):
    """``oilist(...)``: optional clauses in any order."""

    clauses: list[list[Element]]


def parse_format(text: str) -> list[Element]:
    """The elements of a format.  Raises `FormatError` with what was expected."""
    return _FormatParser(text).parse()


class _FormatParser:
    def __init__(self, text: str) -> None:
        self.tokens: list[str] = []
        position = 0
        while text[position:].strip():
            found = _TOKEN.match(text, position)
            if found is None:
                raise FormatError(f"unexpected '{text[position:].strip()[:10]}' in assembly format")
            self.tokens.append(found[1])
            position = found.end()
        self.position = 0

    def parse(self) -> list[Element]:
        elements = self._elements(("",))
        if self._peek():
            raise FormatError(f"unexpected '{self._peek()}' in assembly format")
        return elements

    def _peek(self) -> str:
        return self.tokens[self.position] if self.position < len(self.tokens) else ""

    def _next(self) -> str:
        token = self._peek()
        self.position += 1
        return token

    def _expect(self, token: str) -> None:
        if self._next() != token:
            raise FormatError(f"expected '{token}' in assembly format")

    def _elements(self, ends: tuple[str, ...]) -> list[Element]:
        elements: list[Element] = []
        while self._peek() not in ends:
            element = self._element()
            if self._peek() == "^":
                self._next()
                element.anchor = True
            elements.append(element)
        return elements

    def _element(self) -> Element:
        token = self._next()
        if token.startswith("`"):
            content = token[1:-1]
            return Whitespace(content) if content.strip() in ("", "\\n") else Literal(content)
        if token.startswith("$"):
            return Variable(token[1:])
        if token == "(":
            return self._group()
        if token == "oilist":
            return self._clauses()
        if token.startswith("custom<"):
            return Custom(token[7:-1], self._arguments())
        if not token or not token[0].isalpha():
            raise FormatError(f"unexpected '{token}' in assembly format")
        if token in _WITHOUT_ARGUMENTS:
            return Directive(token)
        if token not in _WITH_ARGUMENTS:
            raise FormatError(f"unknown directive '{token}' in assembly format")
        return Directive(token, self._arguments())

    def _arguments(self) -> list[Element]:
        self._expect("(")
        arguments: list[Element] = []
        while self._peek() != ")":
            if arguments:
                self._expect(",")
            arguments.append(self._element())
        self._next()
        return arguments

    def _group(self) -> Group:
        elements = self._elements((")",))
        self._expect(")")
        otherwise: list[Element] = []
        if self._peek() == ":":
            self._next()
            self._expect("(")
            otherwise = self._elements((")",))
            self._expect(")")
        self._expect("?")
        group = Group(elements, otherwise)
        _ = group.anchored  # raises if there is none
        return group

    def _clauses(self) -> Clauses:
        self._expect("(")
        clauses = [self._elements((")", "|"))]
        while self._next() == "|":
            clauses.append(self._elements((")", "|")))
        return Clauses(clauses)
