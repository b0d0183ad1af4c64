"""The declarative assembly format of an operation: from its text to a tree of elements.

The notation is the one in MLIR's op definitions::

    $lhs `,` $rhs (`fastmath` `` $fastmath^)? attr-dict `:` type($result)

Elements: literals in backticks (an empty pair joins its neighbours), fields (``$name``), directives
(``attr-dict``, ``type(...)``, ``functional-type(...)``, ``operands``, ``results``, ``regions``,
``custom<Name>(...)``), optional groups ``(...)?`` with an anchor marked ``^`` and an optional else part ``:
(...)``, and ``oilist(...)``.
"""

from __future__ import annotations

from tilewright.ir.support.record import Record, fresh
from tilewright.ir.support.strings import pattern

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
_TOKEN = pattern(r"\s*(`[^`]*`|\$[A-Za-z_]\w*|custom<\w+>|[A-Za-z][\w-]*|[()?:^,|])")


class FormatError(ValueError):
    """The text of an assembly format is malformed: a mistake in the declaration."""


class FormatElement(Record):
    """Base of the elements of a format."""


class Literal(FormatElement):
    """A keyword or punctuation, written in backticks."""

    text: str


class Whitespace(FormatElement):
    """```` ` ` ```` (a blank), ```` `` ```` (no blank) or ```` `\\n` ```` (a line break)."""

    text: str


class FieldElement(FormatElement):
    """A field of the operation: operand, result, attribute, region or successor. ``name`` is without the
    ``$``.
    """

    name: str


class Directive(FormatElement):
    """A directive without or with arguments, such as ``attr-dict`` or ``type($value)``."""

    name: str
    arguments: list[FormatElement] = fresh(default_factory=list[FormatElement])


class Custom(FormatElement):
    """``custom<Name>(...)``: printed and parsed by the directive of that name, which the op class supplies
    and which gets the arguments.
    """

    name: str
    arguments: list[FormatElement]


class FormatGroup(FormatElement):
    """``(elements)?`` or ``(elements) : (otherwise)?``: printed if the element ``anchored``, which is marked
    with ``^``, is present; ``otherwise`` is empty if the group has no else part.
    """

    elements: list[FormatElement]
    otherwise: list[FormatElement]
    anchored: FormatElement
    """The element marked with ``^``: the group is printed if it is present."""


class Clauses(FormatElement):
    """``oilist(...)``: optional clauses, separated by ``|``, that the text may have in any order."""

    clauses: list[list[FormatElement]]


def parse_format(text: str) -> list[FormatElement]:
    """Return the elements of the text of a format. Raises `FormatError` for malformed text, unknown
    directives, and optional groups without an anchor; names of fields are not checked.
    """
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
        self.anchored: list[FormatElement] = []
        """The elements of the current group that were marked so far."""

    def parse(self) -> list[FormatElement]:
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

    def _elements(self, ends: tuple[str, ...]) -> list[FormatElement]:
        elements: list[FormatElement] = []
        while self._peek() not in ends:
            element = self._element()
            if self._peek() == "^":
                self._next()
                self.anchored.append(element)
            elements.append(element)
        return elements

    def _element(self) -> FormatElement:
        token = self._next()
        if token.startswith("`"):
            content = token[1:-1]
            return Whitespace(content) if content.strip() in ("", "\\n") else Literal(content)
        if token.startswith("$"):
            return FieldElement(token[1:])
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

    def _arguments(self) -> list[FormatElement]:
        self._expect("(")
        arguments: list[FormatElement] = []
        while self._peek() != ")":
            if arguments:
                self._expect(",")
            arguments.append(self._element())
        self._next()
        return arguments

    def _group(self) -> FormatGroup:
        around, self.anchored = self.anchored, []
        elements = self._elements((")",))
        anchored = self.anchored[:1]
        self._expect(")")
        otherwise: list[FormatElement] = []
        if self._peek() == ":":
            self._next()
            self._expect("(")
            otherwise = self._elements((")",))
            self._expect(")")
        self._expect("?")
        if not anchored:
            raise FormatError("optional group has no anchor element")
        self.anchored = around
        return FormatGroup(elements, otherwise, anchored[0])

    def _clauses(self) -> Clauses:
        self._expect("(")
        clauses = [self._elements((")", "|"))]
        while self._next() == "|":
            clauses.append(self._elements((")", "|")))
        return Clauses(clauses)
