"""How far long work has got, for whoever wants to show it; nobody is told unless a ``with`` block asks."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Generator

from tilewright.ir.support.entered import Entered

Reporter = Callable[[str, int, int], None]
"""``(what, done, total)``: called whenever one of ``total`` things is done."""

_REPORTERS: Entered[Reporter] = Entered("reporters of progress")


@contextlib.contextmanager
def reporting(reporter: Reporter) -> Generator[None]:
    """Tell a reporter about the work of a ``with`` block."""
    _REPORTERS.enter(reporter)
    try:
        yield
    finally:
        _REPORTERS.leave()


class Progress:
    """Work of a known number of steps."""

    def __init__(self, what: str, total: int) -> None:
        self.what = what
        self.total = total
        self.done = 0
        self._reporter = _REPORTERS.innermost

    def step(self) -> None:
        """One more step is done."""
        self.done += 1
        if self._reporter is not None:
            self._reporter(self.what, self.done, self.total)
