"""The options that commands and the Python interface share: name, default and help, as data in one place.

The registry publishes them (`tilewright registry`), command lines and signatures read their defaults here.
"""

from __future__ import annotations

from typing import Any, Generic, TypeVar

from tilewright.driver.target import DEFAULT
from tilewright.ir.support.record import Record

_T = TypeVar("_T")


class Option(Record, Generic[_T], frozen=True):
    """An option by the name that users write, without dashes; its default; one sentence for the help page."""

    name: str
    default: _T
    help: str

    @property
    def flag(self) -> str:
        """The long flag of a command line."""
        return f"--{self.name}"

    @property
    def shown_default(self) -> str:
        """The default as users write it."""
        return str(self.default).lower() if isinstance(self.default, bool) else str(self.default)

    @property
    def page(self) -> str:
        """The help with the default, for help pages and lists."""
        return f"{self.help} (default: {self.shown_default})."


TARGET = Option(
    "target",
    DEFAULT,
    "Target of kernels: cpu (compiled), interp (interpreted), cuda (a GPU), sim:sm_80 (simulated)",
)
OPT_LEVEL = Option("opt-level", 3, "Optimization level, 0 to 3; results do not depend on it")
VERIFY_EACH = Option("verify-each", True, "Verify after each pass of a pipeline")

OPTIONS: tuple[Option[Any], ...] = (TARGET, OPT_LEVEL, VERIFY_EACH)
"""The options that belong to no target, in the order of lists."""
