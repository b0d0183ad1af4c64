"""What a pair of kernels is: a faulty one, the right one next to it, and what is to be reported about the faulty one."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

SIMULATED = ("sim:sm_80", "sim:sm_90a")
TARGETS = ("cpu", "interp", *SIMULATED)
CODES = {
    "memcheck": "TW0402",
    "initcheck": "TW0405",
    "racecheck": "TW0406",
    "promises": "TW0408",
    "fpcheck": "TW0411",
}
"""The usual code of a finding of each check."""
CODES_OF_SIMULATOR = {**CODES, "memcheck": "TW1254", "racecheck": "TW1265"}
"""The same for simulated GPUs, where the simulator watches accesses itself."""


@dataclass(frozen=True)
class Case:
    """A faulty kernel and its mended twin, launched with the same grid and arguments of their own.

    ``faulty`` and ``right`` are cuTile kernels, or modules in text with one entry.  The line of the mistake ends with
    ``# fault: MISTAKE`` (``// fault: MISTAKE`` in text).  ``words`` stand in the message; ``targets`` are those that
    find it.  ``simulated`` and ``simulated_code`` are the words and the code on simulated GPUs, which know addresses and
    threads, but not the elements of arrays, if they are other ones.
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
    simulated: str = ""
    simulated_code: str = ""

    def expected_code(self, target: str) -> str:
        """The code of the finding on a target."""
        if target in SIMULATED:
            return self.simulated_code or self.code or CODES_OF_SIMULATOR[self.check]
        return self.code or CODES[self.check]

    def expected_words(self, target: str) -> str:
        """Words of the finding's message on a target."""
        return (self.simulated if target in SIMULATED else "") or self.words

    def given(self, *, right: bool) -> list[Any]:
        """Fresh arguments for one of the two kernels."""
        make = self.right_arguments if right and self.right_arguments is not None else self.arguments
        return list(make())
