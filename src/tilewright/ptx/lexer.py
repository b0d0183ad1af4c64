"""Tokens of PTX text, with their places."""

from __future__ import annotations

import re
from bisect import bisect_right
from typing import NamedTuple

from tilewright.ir.codes import DiagnosticCode
from tilewright.ir.diagnostic import Diagnostic, DiagnosticError, Severity, render
from tilewright.ir.location import FileLineColLocation
from tilewright.ptx import codes
from tilewright.ptx.model import LineColumn

_TOKEN = re.compile(
    r"""(?P<space>(?:[ \t\r\n\f\v]+|//[^\n]*|/\*.*?\*/)+)
    |(?P<string>"(?:[^"\\\n]|\\.)*")
    |(?P<float>0[fF][0-9a-fA-F]{8}\b|0[dD][0-9a-fA-F]{16}\b|\d+\.\d*(?:[eE][-+]?\d+)?|\d+[eE][-+]?\d+)
    |(?P<integer>(?:0[xX][0-9a-fA-F]+|0[bB][01]+|\d+)U?)
    |(?P<modifier>\.\w+(?:::\w+)*)
    |(?P<name>[A-Za-z_$][\w$]*|%[\w$]+)
    |(?P<punctuation><<|>>|<=|>=|==|!=|&&|\|\||[-+*/%&|^~!?:;,@(){}<>=\[\]])""",
    re.VERBOSE | re.ASCII | re.DOTALL,
)
END = "end"


class PtxToken(NamedTuple):
    """A token: its kind (``name``, ``modifier``, ``integer``, ``float``, ``string``, ``punctuation`` or
    `END`), its text, and its position in the text in characters.
    """

    kind: str
    text: str
    position: int


class PtxSource:
    """A text with its name; it converts positions to lines and columns, and makes diagnostics at these."""

    def __init__(self, text: str, file_name: str) -> None:
        self.text = text
        self.file_name = file_name
        self._starts = [0, *(match.end() for match in re.finditer("\n", text))]

    def place(self, position: int) -> LineColumn:
        """Return the line and column, both from 1, of the character at the offset `position`."""
        line = bisect_right(self._starts, position)
        return LineColumn(line, position - self._starts[line - 1] + 1)

    def line(self, file_name: str, number: int) -> str | None:
        """Return line `number`, counted from 1, for the source excerpt of a diagnostic; None for another file
        or if there is no such line.
        """
        if file_name != self.file_name or not 0 < number <= len(self._starts):
            return None
        start = self._starts[number - 1]
        end = self.text.find("\n", start)
        return self.text[start : len(self.text) if end < 0 else end].rstrip("\r")

    def problem(self, code: DiagnosticCode, message: str, place: LineColumn, hint: str = "") -> Diagnostic:
        """Return an error with `code` and `message` at the line and column `place` of this text; with `hint`,
        unless it is empty.
        """
        at = FileLineColLocation.at(self.file_name, *place)
        return Diagnostic(Severity.ERROR, message, at, code, hints=[hint] if hint else [])

    def error(self, problems: list[Diagnostic]) -> DiagnosticError:
        """Return (do not raise) the error of `problems`, with source excerpts."""
        return DiagnosticError(problems, "\n".join(render(problem, self.line) for problem in problems))


def tokens(source: PtxSource) -> list[PtxToken]:
    """Return all tokens of a text, with an `END` token at the end. Raises `DiagnosticError` for a character
    that begins no token.
    """
    found: list[PtxToken] = []
    position, text = 0, source.text
    while position < len(text):
        match = _TOKEN.match(text, position)
        if match is None:
            place = source.place(position)
            raise source.error([source.problem(codes.SYNTAX, f"unexpected {text[position]!r}", place)])
        kind = match.lastgroup
        if kind != "space" and kind is not None:
            found.append(PtxToken(kind, match[0], position))
        position = match.end()
    found.append(PtxToken(END, "", len(text)))
    return found
