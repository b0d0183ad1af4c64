"""Breakpoints: a line of a file, with a condition."""

from __future__ import annotations

import os
from collections.abc import Iterable
from dataclasses import dataclass, field

from tilewright.ir.support.strings import pattern

_SPELLED = pattern(r"(?:(?P<file>.+):)?(?P<line>\d+)(?:\s*(?:,|\bif\b)\s*(?P<condition>.+))?")


@dataclass(eq=False, slots=True)
class Breakpoint:
    """A line of a file at which kernels stop. ``file`` is a path, or the end of one, such as ``kernels.py``.
    ``condition`` is an expression in the names of the kernel; an empty text is always true. ``hits`` counts
    the stops. ``lines`` has, for files of kernels that were launched, the line at which the breakpoint stops.
    """

    number: int
    file: str
    line: int
    condition: str = ""
    hits: int = 0
    lines: dict[str, int] = field(default_factory=dict[str, int])
    """For files of kernels that were launched, the line at which the breakpoint stops."""

    @property
    def place(self) -> str:
        """The file and the line, as they were given."""
        return f"{self.file}:{self.line}"

    def is_in(self, file: str) -> bool:
        """Return whether the breakpoint is in the file with the path `file`: that path, or its absolute form,
        is the breakpoint's file, or the path ends with the breakpoint's file.
        """
        wanted, given = self.file.replace("\\", "/"), file.replace("\\", "/")
        return given == wanted or given.endswith(f"/{wanted}") or os.path.abspath(file) == wanted

    def locate(self, file: str, lines: Iterable[int]) -> None:
        """Choose the line at which the breakpoint stops in a file that can stop at `lines`: its own line, or
        the first of `lines` after it. Nothing is chosen if the breakpoint is in another file, or no line is
        left.
        """
        if self.is_in(file):
            later = [line for line in lines if line >= self.line]
            if later:
                self.lines[file] = min(later)

    def stops_at(self, file: str, line: int) -> bool:
        """Return whether the breakpoint stops at a line of a file, by what `locate` chose."""
        return self.lines.get(file) == line


def parse_breakpoint(words: str, file: str = "") -> tuple[str, int, str] | None:
    """Return the file, line and condition of a breakpoint such as ``kernels.py:17``, ``17, j == 2`` or
    ``kernels.py:17 if j == 2``; None for any other text. ``file`` is used if the text names none.
    """
    found = _SPELLED.fullmatch(words.strip())
    if found is None or not (found["file"] or file):
        return None
    return found["file"] or file, int(found["line"]), (found["condition"] or "").strip()
