"""A position in the tokens of a text, and functions that advance it."""

from __future__ import annotations

from tilewright.ir.diagnostic import Diagnostic, DiagnosticCode
from tilewright.ptx import codes, lexer, model

MAXIMUM_DEPTH = 100
"""The maximum nesting depth of braces and parentheses."""


class ParsingProblem(Exception):
    """An error that ends the parsing of a statement; `diagnostic` describes it."""

    def __init__(self, diagnostic: Diagnostic) -> None:
        super().__init__(diagnostic.message)
        self.diagnostic = diagnostic


class WordCursor:
    """The tokens of the text `source`, and the index of the next token. The constructor raises
    `DiagnosticError` for a character that begins no token.
    """

    def __init__(self, source: lexer.PtxSource) -> None:
        self.source = source
        self.tokens = lexer.tokens(source)
        self.at = 0
        self.token = self.tokens[0]

    def next(self) -> lexer.PtxToken:
        """Return the next token and advance past it. At the last token the position stays."""
        token = self.token
        if token.kind != lexer.END:
            self.at += 1
            self.token = self.tokens[self.at]
        return token

    def peek(self, ahead: int = 1) -> lexer.PtxToken:
        """Return the token `ahead` positions after the next one; the last token if there are fewer."""
        return self.tokens[min(self.at + ahead, len(self.tokens) - 1)]

    @property
    def place(self) -> model.LineColumn:
        """Return the line and column of the next token."""
        return self.source.place(self.token.position)

    def at_a(self, kind: str) -> bool:
        """Return whether the next token is of the kind `kind`."""
        return self.token.kind == kind

    def accept(self, text: str) -> bool:
        """Step over the next token if its text is `text`. Return whether it was."""
        if self.token.text != text:
            return False
        self.next()
        return True

    def expect(self, text: str) -> None:
        """Step over the token `text`. Raises `ParsingProblem` for another token."""
        if not self.accept(text):
            raise self.unexpected(f"'{text}'")

    def name(self) -> str:
        """Step over a name and return it. Raises `ParsingProblem` for another token."""
        if self.token.kind != "name":
            raise self.unexpected("a name")
        return self.next().text

    def string(self) -> str:
        """Step over a string and return the text between its quotes. Raises `ParsingProblem` for another token."""
        if self.token.kind != "string":
            raise self.unexpected("a string")
        return self.next().text[1:-1]

    def fail(
        self,
        message: str,
        *,
        code: DiagnosticCode = codes.SYNTAX,
        hint: str = "",
        place: model.LineColumn | None = None,
    ) -> ParsingProblem:
        """Return (do not raise) a problem at `place`; at the next token if it is None."""
        return ParsingProblem(self.source.problem(code, message, place or self.place, hint))

    def unexpected(self, wanted: str) -> ParsingProblem:
        """Return (do not raise) a problem at the next token, which is not what `wanted` describes."""
        found = "the end of the text" if self.token.kind == lexer.END else f"'{self.token.text}'"
        return self.fail(f"expected {wanted}, but found {found}")
