"""Names of run-time checks, and the one reader of them behind every frontend and the command line."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, cast

from tilewright.driver import codes
from tilewright.ir.diagnostic import DiagnosticError, failure
from tilewright.ir.support.nearest import nearest

CHECKS = ("memcheck", "initcheck", "racecheck", "fpcheck", "promises")
"""Names of the run-time checks."""


def check_names(check: str | Iterable[str] | None) -> tuple[str, ...]:
    """Return the checks named in one or several comma-separated texts, without repetitions, in the order of
    `CHECKS`. ``all`` selects every check. Raises `DiagnosticError` for an unknown name.
    """
    names = {name.strip() for text in _texts(check) for name in text.split(",")} - {""}
    unknown = sorted(names - {*CHECKS, "all"})
    if unknown:
        near = nearest(unknown[0], (*CHECKS, "all"))
        raise _refusal(f"unknown check '{unknown[0]}'", f"did you mean '{near}'? " if near else "")
    return CHECKS if "all" in names else tuple(name for name in CHECKS if name in names)


def _texts(check: Any) -> list[str]:
    """Return the texts given; anything else than texts is refused."""
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
