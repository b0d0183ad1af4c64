"""What a pair of kernels is: a faulty one, the right one next to it, and what is to be reported about the faulty one."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

TARGETS = ("cpu", "interp")
CODES = {
    "memcheck": "TW0402",
    "initcheck": "TW0405",
    "racecheck": "TW0406",
    "promises": "TW0408",
    "fpcheck": "TW0411",
}
"""The usual code of a finding of each check."""


@dataclass(frozen=True)
class Case:
    """A faulty kernel and its mended twin, launched with the same grid and arguments of their own.

    ``faulty`` and ``right`` are cuTile kernels, or modules in text with one entry.  The line of the mistake ends with
    ``# fault: MISTAKE`` (``// fault: MISTAKE`` in text).  ``words`` stand in the message; ``targets`` are those that
    find it.
    """

    check: str
    mistake: str
    faulty: Any
    right: Any
    arguments: Callable[[], Sequence[Any]]
    words: str
    code: str = ""
    grid: tuple[int, ...] = (1,)
    right_arguments: Callable[[], Sequence[Any]] | None = None
    targets: tuple[str, ...] = TARGETS

    @property
    def expected_code(self) -> str:
        """The code of the finding."""
        return self.code or CODES[self.check]

    def given(self, *, right: bool) -> list[Any]:
        """Fresh arguments for one of the two kernels."""
        make = self.right_arguments if right and self.right_arguments is not None else self.arguments
        return list(make())
