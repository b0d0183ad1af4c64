"""Targets are values: what code is made for, never taken from the machine unless asked."""

from __future__ import annotations

import difflib
from dataclasses import dataclass

from tilewright.driver import codes
from tilewright.ir.diagnostic import failure


@dataclass(frozen=True, slots=True)
class Target:
    """Something a kernel can run on.

    ``name`` is what users write; ``needs`` names what the target depends on (see `dependencies`); ``interprets`` says that
    kernels are interpreted and not compiled.
    """

    name: str
    summary: str = ""
    needs: str = ""
    interprets: bool = False

    def __str__(self) -> str:
        return self.name


TARGETS: dict[str, Target] = {
    target.name: target
    for target in (
        Target("cpu", "this machine's processor, through LLVM", "cpu"),
        Target("interp", "the reference interpreter: slow, exact, checked", "interp", interprets=True),
    )
}
"""Every known target by name."""


def target(target: str | Target) -> Target:
    """The target of that name.  Raises `DiagnosticError` for an unknown one."""
    if isinstance(target, Target):
        return target
    found = TARGETS.get(str(target))
    if found is not None:
        return found
    close = difflib.get_close_matches(str(target), TARGETS, n=1)
    hint = f"did you mean '{close[0]}'?" if close else f"known targets: {', '.join(TARGETS)}"
    raise failure(codes.UNKNOWN_TARGET, f"unknown target '{target}'", hint=hint)
