"""Comments that suppress the findings of a source line: ``# tilewright: ignore[TW0406] reason``.

Whatever looks for mistakes asks `is_ignored` about a finding before it tells of the finding, and goes on if it may.
`ignoring` does for all lines what a comment does for its own.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterable, Iterator
from contextlib import contextmanager

from tilewright.ir.attribute import Location
from tilewright.ir.diagnostic import DiagnosticCode, line_of_source
from tilewright.ir.location import FileLineColLocation
from tilewright.ir.support.record import Record
from tilewright.ir.support.strings import pattern

_COMMENT = pattern(r"(?:#|//)\s*tilewright:\s*ignore\[([^\]]*)\]")


class Ignore(Record, frozen=True):
    """One code that a comment names, in capitals, with the file, the line, and the column of the comment,
    counted from 1.
    """

    file: str
    line: int
    column: int
    code: str

    @property
    def location(self) -> Location:
        """The location of the comment."""
        return FileLineColLocation.at(self.file, self.line, self.column)


HEARERS: list[Callable[[Ignore], object]] = []
"""The functions that `is_ignored` calls with each comment that suppresses a finding."""


_everywhere: list[frozenset[str]] = []
"""For each active `ignoring` block, the codes that it ignores at every line."""


@contextmanager
def ignoring(codes: Iterable[str]) -> Generator[None]:
    """Ignore findings of these codes, such as ``TW0406``, at every line during a ``with`` block."""
    added = frozenset(codes)
    _everywhere.append(added)
    try:
        yield
    finally:
        _everywhere.remove(added)


def ignores_in(file: str, lines: Iterable[tuple[int, str]]) -> Iterator[Ignore]:
    """Yield an `Ignore` for each code in the comments of `lines`, pairs of line number and text, of the file
    `file`.
    """
    for number, text in lines:
        for found in _COMMENT.finditer(text) if "tilewright" in text else ():
            for name in found[1].split(","):
                yield Ignore(file, number, found.start() + 1, name.strip().upper())


def is_ignored(code: DiagnosticCode, *locations: Location) -> bool:
    """True if a comment in the line of one of `locations`, or an `ignoring` block, ignores the code of a
    finding. `HEARERS` are called with the comment, also if the code is ignored everywhere.

    The first location is the finding's own; a race has a second, as either access may come second.
    """
    found = next((one for place in locations for one in _ignores_at(place) if one.code == str(code)), None)
    if found is None:
        return any(str(code) in codes for codes in _everywhere)
    for hear in HEARERS:
        hear(found)
    return True


def _ignores_at(location: Location) -> Iterator[Ignore]:
    file, line, _ = location.source or ("", 0, 0)
    text = line_of_source(file, line) if line else None
    return ignores_in(file, [(line, text)] if text else ())
