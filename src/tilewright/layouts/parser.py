"""Reads the notation of CuTe: trees, layouts, swizzles, composed layouts and tilers."""

from __future__ import annotations

import re
from fractions import Fraction

from tilewright.ir.diagnostic import DiagnosticError, failure
from tilewright.layouts import codes as layouts_codes, trees

_TOKEN = re.compile(r"\s*(?:(-?\d+)|([(),@/?_:;=+<>\[\]])|(\{[^{}]*\})|([A-Za-z][\w.]*)|$)", re.ASCII)
_UNKNOWN = re.compile(r"\{\s*(?:(i32|i64))?\s*(?:div=(\d+))?\s*\}", re.ASCII)
MAX_DIGITS = 20
"""The maximum number of digits of a number: enough for addresses, which have 64 bits."""


class LayoutParser:
    """A recursive-descent parser of ``text``: each method parses the construct at the current position.
    ``token`` is the next token, empty at the end of the text; ``position`` is the index after it. All methods
    raise `DiagnosticError` for other text; nesting is bounded by `MAX_DEPTH`.
    """

    def __init__(self, text: str) -> None:
        self.text = text
        self.position = 0
        self.token = ""
        self.advance()

    def advance(self) -> str:
        """Step to the next token, which is empty at the end of the text; return the previous one. Raises
        `DiagnosticError` for a character that begins no token.
        """
        left = self.token
        found = _TOKEN.match(self.text, self.position)
        if found is None:
            character = self.text[self.position :].strip()[:1]
            raise self.error(f"unexpected '{character}' in '{self._shown()}'")
        self.position = found.end()
        self.token = found[0].strip()
        return left

    def accept(self, token: str) -> bool:
        """Return whether the next token is `token`; if so, step over it."""
        if self.token != token:
            return False
        self.advance()
        return True

    def expect(self, token: str) -> None:
        """Step over `token`; raises `DiagnosticError` if another token is next."""
        if not self.accept(token):
            raise self.unexpected(f"'{token}'")

    def end(self) -> None:
        """Raise `DiagnosticError` unless the text ends here."""
        if self.token:
            raise self.unexpected("the end")

    def tree(self, depth: int = 0) -> trees.Tree:
        """Parse a tree: a leaf, or trees in parentheses, separated by commas. `depth` is the number of
        parentheses around it.
        """
        if depth > trees.MAX_DEPTH:
            raise self.error(f"trees are nested more than {trees.MAX_DEPTH} deep")
        if not self.accept("("):
            return self.leaf()
        items: list[trees.Tree] = []
        while not self.accept(")"):
            if items and not self.accept(","):
                raise self.unexpected("',' or ')'")
            items.append(self.tree(depth + 1))
        return tuple(items)

    def leaf(self) -> trees.Leaf:
        """Parse a leaf: a number, a fraction, a basis element, an unknown number or ``_``."""
        if self.accept("_"):
            return trees.Wildcard.ANY
        if self.accept("?"):
            return self._unknown()
        count: int | Fraction = self.number()
        if self.accept("/"):
            denominator = self.number()
            if denominator <= 0:
                raise self.error(f"expected a positive denominator in '{self._shown()}'")
            fraction = Fraction(count, denominator)
            count = fraction.numerator if fraction.denominator == 1 else fraction
        path: list[int] = []
        while self.accept("@"):
            path.append(self.number())
        return trees.Basis(count, tuple(path)) if path else count

    def number(self) -> int:
        """Parse an integer, which may be negative, of at most `MAX_DIGITS` digits."""
        digits = self.token.lstrip("-")
        if not digits.isdigit():
            raise self.unexpected("a number")
        if len(digits) > MAX_DIGITS:
            raise self.error(f"expected a number of at most {MAX_DIGITS} digits, got {len(digits)}")
        return int(self.advance())

    def swizzle(self) -> tuple[int, int, int]:
        """Parse a swizzle such as ``S<3,4,3>``: return bits, base and shift."""
        numbers: list[int] = []
        if not self.accept("S"):
            raise self.unexpected("a swizzle such as S<3,4,3>")
        self.expect("<")
        for punctuation in ",,>":
            numbers.append(self.number())
            self.expect(punctuation)
        bits, base, shift = numbers
        return bits, base, shift

    def shape_and_stride(self) -> tuple[trees.Tree, trees.Tree]:
        """Parse a layout such as ``(4,8):(1,4)``: return the trees of the shape and of the stride."""
        shape = self.tree()
        if not self.accept(":"):
            raise self.unexpected("SHAPE:STRIDE")
        return shape, self.tree()

    def _unknown(self) -> trees.Unknown:
        if not self.token.startswith("{"):
            return trees.Unknown()
        found = _UNKNOWN.fullmatch(self.token)
        if found is None or len(found[2] or "") > MAX_DIGITS or found[2] == "0":
            raise self.error(f"expected a width and a divisor, got '{self.token}'")
        self.advance()
        return trees.Unknown(64 if found[1] == "i64" else 32, int(found[2] or 1))

    def unexpected(self, expected: str) -> DiagnosticError:
        """Return the error that another token than ``expected`` is next, to be raised."""
        return self.error(f"expected {expected} in '{self._shown()}', got '{self.token or 'its end'}'")

    def error(self, message: str) -> DiagnosticError:
        """Return the error that the text is not a layout, with ``message``, to be raised."""
        return failure(layouts_codes.SYNTAX, message, hint="layouts are written as ((2,4),8):((1,16),2)")

    def _shown(self) -> str:
        return self.text if len(self.text) <= 80 else f"{self.text[:77]}..."


def parse_tree(text: str) -> trees.Tree:
    """Parse a text that is a tree as a whole, such as ``(4,(8,?))``. Raises `DiagnosticError`, which points
    into the text.
    """
    parser = LayoutParser(text)
    found = parser.tree()
    parser.end()
    return found


def parse_shape_and_stride(text: str) -> tuple[trees.Tree, trees.Tree]:
    """Parse the text of a layout such as ``(4,8):(1,4)``, and return the trees of its shape and stride.
    Raises `DiagnosticError`, which points into the text.
    """
    parser = LayoutParser(text)
    found = parser.shape_and_stride()
    parser.end()
    return found


def parse_swizzle(text: str) -> tuple[int, int, int]:
    """Parse the text of a swizzle such as ``S<3,4,3>``, and return its bits, base and shift. Raises
    `DiagnosticError`, which points into the text.
    """
    parser = LayoutParser(text)
    found = parser.swizzle()
    parser.end()
    return found
