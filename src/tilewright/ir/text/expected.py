"""``--verify-diagnostics``: compares the diagnostics of a text with the ``expected-*`` comments in it.

``// expected-error@+1 {{text}}`` expects an error whose message contains the text one line below.  Places: none (this
line), ``@+N``, ``@-N``, ``@above``, ``@below`` (past comment lines of the same kind), ``@unknown``.  ``expected-error-re``
takes regular expressions between double braces inside the text.  Severities: error, warning, remark, note.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from tilewright.ir.diagnostic import Diagnostic, Severity
from tilewright.ir.support.record import Record
from tilewright.ir.support.strings import pattern

_EXPECTED = pattern(
    r"expected-(error|note|remark|warning)(-re)?\s*(?:@([+-]\d+|above|below|unknown))?\s*(\d+)?\s*\{\{((?(2).*|.*?))\}\}(?!\})"
)


class Expectation(Record):
    """One expected diagnostic: its severity, and a ``text`` in its message, with regular expressions between
    double braces if ``is_regex``. ``line`` is its line number, from 1; None for a diagnostic without a known
    line. ``comment_line`` is the line of the comment. ``met`` is set when a diagnostic has matched.
    """

    severity: Severity
    text: str
    line: int | None
    comment_line: int
    is_regex: bool = False
    met: bool = False

    def matches(self, diagnostic: Diagnostic, line: int | None) -> bool:
        """Return whether a diagnostic at line `line` has the severity, the line, and the text or regular
        expression somewhere in its message.
        """
        if diagnostic.severity is not self.severity or self.line != line:
            return False
        if self.is_regex:
            return re.search(_regex(self.text), diagnostic.message) is not None
        return self.text in diagnostic.message


def _regex(text: str) -> str:
    """Return the regular expression of literal text with regular expressions between ``{{`` and ``}}``."""
    pieces = re.split(r"\{\{(.*?)\}\}", text)
    return "".join(piece if number % 2 else re.escape(piece) for number, piece in enumerate(pieces))


def expectations(text: str) -> list[Expectation]:
    """Return the expectations written in a text, in order, with the numbers of the lines that they refer to
    (from 1). A comment with a count gives this number of equal expectations.
    """
    lines = text.split("\n")
    has_comment = [bool(_EXPECTED.search(line)) for line in lines]
    found: list[Expectation] = []
    for index, line in enumerate(lines):
        for match in _EXPECTED.finditer(line):
            severity, regex, place, count, message = match.groups()
            target = _target(index, place, has_comment)
            for _ in range(int(count or 1)):
                found.append(Expectation(Severity[severity.upper()], message, target, index + 1, bool(regex)))
    return found


def _target(index: int, place: str | None, has_comment: list[bool]) -> int | None:
    if place is None:
        return index + 1
    if place == "unknown":
        return None
    if place in ("above", "below"):
        step = -1 if place == "above" else 1
        index += step
        while 0 <= index < len(has_comment) and has_comment[index]:
            index += step
        return index + 1
    return index + 1 + int(place)


def mismatches(
    text: str, diagnostics: Iterable[Diagnostic], file_name: str, *, only_expected: bool = False
) -> list[str]:
    """Return a message for each diagnostic that is not expected, and for each expectation that was not met,
    such as ``a.mlir:3: error: unexpected warning: ...``; empty if all agree. Locations count if they are in
    ``file_name``. Every diagnostic, notes too, must be expected, unless ``only_expected`` is set: then
    further diagnostics are allowed.
    """
    expected = expectations(text)
    problems: list[str] = []
    for diagnostic in _flattened(diagnostics):
        line = _line(diagnostic, file_name)
        match = next((e for e in expected if not e.met and e.matches(diagnostic, line)), None)
        if match is not None:
            match.met = True
        elif not only_expected:
            kind = diagnostic.severity.name.lower()
            problems.append(f"{file_name}:{line or '?'}: error: unexpected {kind}: {diagnostic.message}")
    problems.extend(
        f'{file_name}:{e.comment_line}: error: expected {e.severity.name.lower()} "{e.text}" was not produced'
        for e in expected
        if not e.met
    )
    return problems


def _flattened(diagnostics: Iterable[Diagnostic]) -> Iterator[Diagnostic]:
    for diagnostic in diagnostics:
        yield diagnostic
        yield from diagnostic.notes


def _line(diagnostic: Diagnostic, file_name: str) -> int | None:
    source = diagnostic.location.source
    return source[1] if source is not None and source[0] == file_name else None


def split_input(text: str) -> list[str]:
    """Return the parts of a text between ``// -----`` lines. Each part begins with as many empty lines as
    precede it, so that the numbers of its lines are those in the whole text.
    """
    pieces: list[list[str]] = [[]]
    for number, line in enumerate(text.split("\n")):
        if line.startswith("// -----") and not line.strip("/- \r"):
            pieces.append([""] * (number + 1))
        else:
            pieces[-1].append(line)
    return ["\n".join(piece) for piece in pieces]
