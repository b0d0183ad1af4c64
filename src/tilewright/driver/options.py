"""The options that commands and the Python interface share: name, default and help, as data in one place.

The registry publishes them (`tilewright registry`), command lines and signatures read their defaults here.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Generic, TypeVar, cast

from tilewright.driver import codes, target as driver_target
from tilewright.ir.diagnostic import DiagnosticError, failure
from tilewright.ir.support.record import Record
from tilewright.ir.support.strings import nearest

_T = TypeVar("_T")


class Option(Record, Generic[_T], frozen=True):
    """An option by the name that users write, without dashes; its default; one sentence for the help page."""

    name: str
    default: _T
    help: str

    @property
    def flag(self) -> str:
        """Return the long flag of a command line, such as ``--target``."""
        return f"--{self.name}"

    @property
    def shown_default(self) -> str:
        """Return the default as users write it: booleans as ``true`` and ``false``."""
        return str(self.default).lower() if isinstance(self.default, bool) else str(self.default)

    @property
    def page(self) -> str:
        """Return the help text with the default, for help pages and lists."""
        return f"{self.help} (default: {self.shown_default})."


TARGET = Option(
    "target",
    driver_target.DEFAULT,
    "Target of kernels: cpu (compiled), interp (interpreted), cuda (a GPU), sim:sm_80 (simulated)",
)
OPT_LEVEL = Option("opt-level", 3, "Optimization level, 0 to 3; results do not depend on it")
VERIFY_EACH = Option("verify-each", True, "Verify after each pass of a pipeline")

OPTIONS: tuple[Option[Any], ...] = (TARGET, OPT_LEVEL, VERIFY_EACH)
"""The options that belong to no target, in the order of lists."""


CHECKS = ("memcheck", "initcheck", "racecheck", "fpcheck", "promises")
"""Names of the run-time checks."""


def check_names(check: str | Iterable[str] | None) -> tuple[str, ...]:
    """Return the checks named in one or several comma-separated texts, without repetitions, in the order of
    `CHECKS`; none for None and the empty text. ``all`` selects every check. Raises `DiagnosticError` for an
    unknown name.
    """
    names = {name.strip() for text in _texts(check) for name in text.split(",")} - {""}
    unknown = sorted(names - {*CHECKS, "all"})
    if unknown:
        near = nearest(unknown[0], (*CHECKS, "all"))
        raise _refusal(f"unknown check '{unknown[0]}'", f"did you mean '{near}'? " if near else "")
    return CHECKS if "all" in names else tuple(name for name in CHECKS if name in names)


def _texts(check: Any) -> list[str]:
    """Return `check`, a text or several, as a list. None and the empty text give the empty list. Raises
    `DiagnosticError` for any other object.
    """
    if check is None or isinstance(check, str):
        return [check] if check else []
    if not isinstance(check, Iterable) or isinstance(check, bytes):
        raise _refusal(f"checks are named by a text or several, got {check!r}")
    texts = list(cast("Iterable[Any]", check))
    wrong = next((text for text in texts if not isinstance(text, str)), None)
    if wrong is not None:
        raise _refusal(f"checks are named by a text or several, got {wrong!r}")
    return texts


def _refusal(message: str, meant: str = "") -> DiagnosticError:
    return failure(codes.UNKNOWN_CHECK, message, hint=f"{meant}known checks: {', '.join(CHECKS)}, all")
