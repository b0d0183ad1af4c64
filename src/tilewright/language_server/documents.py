"""The queries of an editor about a text of MLIR: errors, meanings of words, definitions of names, structure.

Lines and characters count from 0, as in the Language Server Protocol.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from tilewright.driver.verification import check
from tilewright.ir.diagnostic import Diagnostic
from tilewright.reference import explain


@dataclass(frozen=True, slots=True)
class CharacterRange:
    """Characters ``begin`` to ``end`` (which is not among them) of the line with number ``line``. All count
    from 0, and characters are code points.
    """

    line: int
    begin: int
    end: int


@dataclass(frozen=True, slots=True)
class DocumentDiagnostic:
    """A diagnostic with its range in the text. ``severity`` is the name of a `Severity` in lower case, and
    ``code`` is empty if the diagnostic has none. Notes and hints are lines of ``message``.
    """

    span: CharacterRange
    severity: str
    code: str
    message: str


def problems(text: str, name: str) -> list[DocumentDiagnostic]:
    """Return the errors and warnings of the parser and the verifier for the text of a document called
    ``name``. The pieces between ``// -----`` lines are checked one by one. A finding without a position in
    the document is reported at its beginning.
    """
    lines = text.split("\n")
    findings = check(text.encode("utf-8", "surrogatepass"), name, split=True).findings
    return [_problem(finding.diagnostic, name, lines) for finding in findings]


def _problem(found: Diagnostic, name: str, lines: list[str]) -> DocumentDiagnostic:
    source = found.location.source
    at = (source[1] - 1, source[2] - 1) if source is not None and source[0] == name else (0, 0)
    line = min(max(at[0], 0), len(lines) - 1)
    more = [note.message for note in found.notes] + [f"hint: {hint}" for hint in found.hints]
    return DocumentDiagnostic(
        span=word_at(lines, line, max(at[1], 0)) or CharacterRange(line, 0, len(lines[line])),
        severity=found.severity.name.lower(),
        code="" if found.code is None else str(found.code),
        message="\n".join([found.message, *more]),
    )


_WORD = re.compile(r"[%@^!#]?[\w$][\w$.-]*")


def word_at(lines: list[str], line: int, character: int) -> CharacterRange | None:
    """Return the range of the name, keyword or number that a character belongs to, with its prefix (``%``,
    ``@``, ``^``, ``!`` or ``#``). Return None if the character is outside of the text or of such words.
    ``line`` and ``character`` count from 0.
    """
    if line >= len(lines):
        return None
    words = _WORD.finditer(lines[line])
    return next(
        (CharacterRange(line, *word.span()) for word in words if word.start() <= character < word.end()), None
    )


def meaning(text: str, line: int, character: int) -> str | None:
    """Return the reference page of the operation, type or attribute under a character, as Markdown. Return
    None for values, symbols, blocks, and words without a page. ``line`` and ``character`` count from 0.
    """
    lines = text.split("\n")
    span = word_at(lines, line, character)
    if span is None:
        return None
    word = lines[line][span.begin : span.end].lstrip("!#")
    return None if word[:1] in ("%", "@", "^") else explain(word)


_DEFINED = re.compile(r"\s*(?P<names>%[\w$.-]+(?::\d+)?(?:\s*,\s*%[\w$.-]+(?::\d+)?)*)\s*=")
_ARGUMENT = re.compile(r"(%[\w$.-]+)(?::\s|\s*=|\s+in\b)")
_SYMBOL = re.compile(r"^\s*(?:[\w$.]+\s+)+(@[\w$.-]+)")
_BLOCK = re.compile(r"^\s*(\^[\w$.-]+)\s*[:(]")


def definition(text: str, line: int, character: int) -> CharacterRange | None:
    """Return the range where the value, block or symbol under a character is defined; None if it is not
    defined in the text, or another word is there. ``line`` and ``character`` count from 0.

    Scopes are ignored. If several definitions have the name, it is the last before the position for a value,
    and the first in the text for blocks and symbols.
    """
    lines = text.split("\n")
    span = word_at(lines, line, character)
    if span is None:
        return None
    name = lines[line][span.begin : span.end].partition("#")[0]
    if name[:1] not in ("%", "@", "^"):
        return None
    found = [place for at, one in enumerate(lines) for place, word in _definitions(one, at) if word == name]
    before = [place for place in found if (place.line, place.begin) <= (line, character)]
    return before[-1] if before and name[0] == "%" else next(iter(found), None)


def _definitions(text: str, line: int) -> Iterator[tuple[CharacterRange, str]]:
    """Yield the values, symbols and blocks that the line ``text`` defines: the range of the name, with
    ``line`` as its line number, and the name with its prefix.
    """
    results = _DEFINED.match(text)
    if results:
        begin = results.start("names")
        for word in re.finditer(r"%[\w$.-]+", results["names"]):
            yield CharacterRange(line, begin + word.start(), begin + word.end()), word[0]
    for pattern in (_ARGUMENT, _SYMBOL, _BLOCK):
        for word in pattern.finditer(text, results.end() if results else 0):
            yield CharacterRange(line, *word.span(1)), word[1]


_STEP = "  "
_APART = re.compile(r'"(?:[^"\\]|\\.)*"|//.*|([{}])')
"""Texts and comments, in which braces mean nothing, and braces."""


def formatted(text: str) -> str:
    """Return a text with its lines indented by two blanks for each brace around them, and without trailing
    blanks. Names, comments and line breaks are kept; the printer would not keep them, since it chooses its
    own names.
    """
    depth, lines = 0, list[str]()
    for line in text.split("\n"):
        words, end = line.strip(), "\r" if line.endswith("\r") else ""
        braces = "".join(match[1] or "" for match in _APART.finditer(words))
        closed = len(words) - len(words.lstrip("}"))
        lines.append(_STEP * max(depth - closed, 0) + words + end if words else end)
        depth = max(depth + braces.count("{") - braces.count("}"), 0)
    return "\n".join(lines)
