"""Settings of launches while the bridge is installed.

``cuda.tile.launch`` and `tilewright.cutile.launch` both read them, so the target and the checks of a
program's launches are the same for both functions.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable

from tilewright.driver.options import check_names
from tilewright.ir.support.record import Record


class LaunchSettings(Record, frozen=True):
    """The settings of all launches while the bridge is installed: the default target, the names of the checks
    (``check``), and ``launch``, the function that makes launches. It is called as ``launch(grid, kernel,
    args, target=..., check=..., stream=...)``.
    """

    target: str
    check: tuple[str, ...]
    launch: Callable[..., None]

    def checks(self, named: str | Iterable[str]) -> tuple[str, ...]:
        """Return the installed checks and those in `named`. Raises `DiagnosticError` for an unknown name."""
        return check_names((*self.check, *check_names(named))) if named else self.check


current: LaunchSettings | None = None
"""The settings of this process; None while the bridge is not installed."""
