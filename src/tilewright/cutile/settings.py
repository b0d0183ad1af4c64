"""How launches are made while the bridge is installed: for ``cuda.tile.launch`` and for `tilewright.cutile.launch`.

Both ask here, so what somebody wants of a program's launches holds whichever of the two the program calls.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable

from tilewright.driver.checks import check_names
from tilewright.ir.support.record import Record


class LaunchSettings(Record, frozen=True):
    """What makes launches, on which target unless a launch names one, and the checks that every one gets."""

    target: str
    check: tuple[str, ...]
    launch: Callable[..., None]

    def checks(self, named: str | Iterable[str]) -> tuple[str, ...]:
        """These checks and those that a launch names itself.  Raises `DiagnosticError` for a name of none."""
        return check_names((*self.check, *check_names(named))) if named else self.check


current: LaunchSettings | None = None
"""Those of this process; None while the bridge is not installed."""
