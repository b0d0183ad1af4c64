"""The checks that a launch in the interpreter can make."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class InterpretOptions:
    """Run-time checks and limits; everything is off by default and never changes results.

    - ``memcheck``: every access must lie in an argument, global or alloca (see code TW0402 for what holds without).
    - ``initcheck``: use of unspecified elements is an error.
    - ``racecheck``: conflicting, unordered accesses are an error.
    - ``fpcheck``: a NaN or infinity made from finite numbers is an error.
    - ``promises``: broken promises and undefined behaviour of operations are errors.
    - ``max_steps``: most operations that the launch may execute; None for no limit.
    - ``max_reports``: most assertion failures and races that are reported in full.
    """

    memcheck: bool = False
    initcheck: bool = False
    racecheck: bool = False
    fpcheck: bool = False
    promises: bool = False
    max_steps: int | None = None
    max_reports: int = 16
