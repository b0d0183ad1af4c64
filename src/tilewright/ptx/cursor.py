"""A position in the words of a text, and the steps over them."""

from __future__ import annotations

from tilewright.ir.diagnostic import Code, Diagnostic
from tilewright.ptx import codes
from tilewright.ptx.lexer import END, Source, Token, tokens
from tilewright.ptx.model import Place

MAXIMUM_DEPTH = 100
"""So deep braces and parentheses may be nested."""


class Problem(Exception):
    """Ends the parsing of one statement."""

    def __init__(self, diagnostic: Diagnostic) -> None:
        super().__init__(diagnostic.message)
        self.diagnostic = diagnostic


class Cursor:
    """The words of a text, one of which is the next."""

    def __init__(self, source: Source) -> None:
        self.source = source
        self.tokens = tokens(source)
        self.at = 0
        self.token = self.tokens[0]

    def next(self) -> Token:
        """Step over the next word and answer it; the last one stays."""
        token = self.token
        if token.kind != END:
            self.at += 1
            self.token = self.tokens[self.at]
        return token

    def peek(self, ahead: int = 1) -> Token:
        """A word behind the next one."""
        return self.tokens[min(self.at + ahead, len(self.tokens) - 1)]

    @property
    def place(self) -> Place:
        """Where the next word stands."""
        return self.source.place(self.token.position)

    def at_a(self, kind: str) -> bool:
        """Whether the next word is of a kind."""
        return self.token.kind == kind

    def accept(self, text: str) -> bool:
        """Step over a word if it is next."""
        if self.token.text != text:
            return False
        self.next()
        return True

    def expect(self, text: str) -> None:
        """Step over a word, or raise."""
        if not self.accept(text):
            raise self.unexpected(f"'{text}'")

    def name(self) -> str:
        """Step over a name, or raise."""
        if self.token.kind != "name":
            raise self.unexpected("a name")
        return self.next().text

    def string(self) -> str:
        """Step over a string, or raise; answers what stands between its quotes."""
        if self.token.kind != "string":
            raise self.unexpected("a string")
        return self.next().text[1:-1]

    def fail(
        self, message: str, *, code: Code = codes.SYNTAX, hint: str = "", place: Place | None = None
    ) -> Problem:
        """What to raise at the next word, or at a place."""
        return Problem(self.source.problem(code, message, place or self.place, hint))

    def unexpected(self, wanted: str) -> Problem:
        """What to raise when the next word is not the one that is wanted."""
        found = "the end of the text" if self.token.kind == END else f"'{self.token.text}'"
        return self.fail(f"expected {wanted}, but found {found}")
