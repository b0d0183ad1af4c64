"""The last runs and proofs of programs, as far as they are about a document, at the lines of its present text."""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping, Sequence
from difflib import SequenceMatcher
from functools import cached_property
from typing import Any

from tilewright.ir.support.record import Record
from tilewright.language_server.documents import CharacterRange
from tilewright.language_server.kernels import RunKernels
from tilewright.runtime import last_runs
from tilewright.runtime.last_runs import LastRun


class LastRuns:
    """The records of the last runs. `refresh` reads those that are new."""

    def __init__(self) -> None:
        self._records: dict[str, tuple[float, LastRun]] = {}
        self._kernels: dict[str, tuple[float, RunKernels]] = {}

    def refresh(self) -> bool:
        """Read new records, and forget those that were deleted; return whether any record was added, replaced
        or deleted.
        """
        before = {key: at for key, (at, _) in self._records.items()}
        self._records = last_runs.read_all(self._records)
        return before != {key: at for key, (at, _) in self._records.items()}

    def newest(self, kind: str, path: str) -> LastRun | None:
        """Return the newest record of a kind, `RUN` or `PROOFS`, whose program has the file at the absolute
        path `path`; None if there is none.
        """
        every = (run for _, run in self._records.values() if run.kind == kind and path in run.sources)
        return max(every, key=lambda run: run.began, default=None)

    def kernels(self, run: LastRun) -> RunKernels:
        """Return the kernels of a run; they are read at the first call, and again if the record of the run
        was replaced.
        """
        found = self._kernels.get(run.key)
        if found is None or found[0] != run.began:
            found = self._kernels[run.key] = run.began, RunKernels(run)
        return found[1]


def clock(run: LastRun) -> str:
    """Return the time of a run in words, such as ``14:05:09`` of today's runs and ``2026-03-01 14:05`` of others."""
    began, today = time.localtime(run.began), time.localtime()
    form = "%H:%M:%S" if began[:3] == today[:3] else "%Y-%m-%d %H:%M"
    return time.strftime(form, began)


class SourceLines:
    """The lines of a file as it was when a program ran, and where they are in its present text. Lines count
    from 1 as in findings; lines of the present text count from 0 as in the Language Server Protocol.
    """

    def __init__(self, before: str, now: str) -> None:
        self.before = before.split("\n")
        self.now = now.split("\n")

    @cached_property
    def _places(self) -> Mapping[int, int]:
        if self.before == self.now:
            return {at: at for at in range(len(self.now))}
        matcher = SequenceMatcher(None, self.before, self.now, autojunk=False)
        return {one.a + at: one.b + at for one in matcher.get_matching_blocks() for at in range(one.size)}

    @cached_property
    def _origins(self) -> Mapping[int, int]:
        return {now: before for before, now in self._places.items()}

    def place(self, line: int) -> int | None:
        """Return the present number, from 0, of the line that was number `line`, from 1, when the program
        ran; None if it was changed or removed.
        """
        return self._places.get(line - 1)

    def origin(self, line: int) -> int | None:
        """Return the number, from 1, that the present line `line`, from 0, had when the program ran; None if
        it is new or changed.
        """
        found = self._origins.get(line)
        return None if found is None else found + 1

    def character(self, line: int, column: int, *, is_python: bool) -> int:
        """Return the character, from 0, at a column, from 1, of the line that was number `line`, from 1, when
        the program ran. Columns of Python files count bytes of UTF-8.
        """
        text = self.before[line - 1]
        if not is_python:
            return min(column - 1, len(text))
        return len(text.encode(errors="surrogatepass")[: column - 1].decode(errors="ignore"))

    def column(self, line: int, character: int, *, is_python: bool) -> int:
        """Return the column, from 1, of a character, from 0, of the line that was number `line`, from 1, when
        the program ran. Columns of Python files count bytes of UTF-8.
        """
        text = self.before[line - 1][:character]
        return 1 + (len(text.encode(errors="surrogatepass")) if is_python else len(text))


class PlacedFinding(Record, frozen=True):
    """A finding of a run, or the result of a proof, at its range in a document. ``severity`` and ``code`` are
    as in `DocumentDiagnostic`. ``related`` are the notes at positions: a file, a line and a column, from 1,
    and the text.
    """

    span: CharacterRange
    severity: str
    code: str
    message: str
    related: Sequence[tuple[str, int, int, str]] = ()
    fixes: Sequence[tuple[CharacterRange, str, str]] = ()
    """Certain fixes: the replaced range, its text, and the text that replaces it."""


class FileOfRun:
    """The file `path` of a run, placed in the present text `text` of its document."""

    def __init__(self, run: LastRun, path: str, text: str) -> None:
        self.run = run
        self.path = path
        self.lines = SourceLines(run.sources[path], text)
        self.is_python = path.endswith(".py")

    def findings(self) -> Iterator[PlacedFinding]:
        """Yield the findings of the run in the file whose lines have not changed since."""
        for one in self.run.report["findings"]:
            span = self._span(one)
            if span is not None:
                yield self._placed(one, span)

    def _placed(self, found: Mapping[str, Any], span: CharacterRange) -> PlacedFinding:
        notes = [one for one in found["notes"] if one["line"]]
        words = [one["message"] for one in found["notes"] if not one["line"]]
        hints = [f"hint: {hint}" for hint in found["hints"]]
        related = [
            (self.run.path_of(one["file"]), one["line"], one["column"] or 1, one["message"]) for one in notes
        ]
        related += [
            (self.run.path_of(one["file"]), one["line"], one["column"] or 1, "called from here")
            for one in found["calls"]
            if one["line"]
        ]
        fixes = [
            (place, fix["replaced"], fix["text"])
            for fix in found.get("fixes", ())
            if (place := self.range(fix["file"], fix["line"], fix["column"], fix["end_column"]))
        ]
        message = "\n".join([found["message"], *words, *hints])
        return PlacedFinding(span, found["severity"], found["code"] or "", message, related, fixes)

    def _span(self, found: Mapping[str, Any]) -> CharacterRange | None:
        """Return the range of a report's position in the present text: from its column to the end of the
        expression that begins there. Return None if the position has no line, is in another file, or its line
        has changed.
        """
        if not found["line"]:
            return None
        return self.range(found["file"], found["line"], found["column"] or 1, None)

    def range(self, file: str, line: int, column: int, end: int | None) -> CharacterRange | None:
        """Return the range in the present text from `column` to `end` (exclusive) of the line that was `line`
        of `file` when the program ran. Lines and columns count from 1; columns of Python files count bytes of
        UTF-8. Without an `end` the range ends where the expression at `column` ends. Return None for another
        file, and for a line that has changed.
        """
        place = self.lines.place(line) if self.run.path_of(file) == self.path else None
        if place is None:
            return None
        begin = self.lines.character(line, column, is_python=self.is_python)
        text = self.lines.now[place].rstrip()
        if end is not None:
            return CharacterRange(place, begin, self.lines.character(line, end, is_python=self.is_python))
        return CharacterRange(place, begin, max(_end_of_expression(text, begin), min(begin + 1, len(text))))


_CLOSING = {"(": ")", "[": "]", "{": "}"}


def _end_of_expression(text: str, begin: int) -> int:
    """Return the index after the name, call or subscript that begins at index `begin` of a line: after its
    brackets, or the length of the line if a bracket is not closed in it.
    """
    at, open_ = begin, list[str]()
    while at < len(text):
        one = text[at]
        if one in _CLOSING:
            open_.append(_CLOSING[one])
        elif open_:
            if one == open_[-1]:
                open_.pop()
        elif not (one.isalnum() or one in "_."):
            break
        at += 1
    return at
