"""Whether somebody asked for tracebacks: they hold frames of tilewright and of frontends, which say little to users."""

from __future__ import annotations

import os

VARIABLE = "TILEWRIGHT_TRACEBACK"
"""The environment variable that asks for tracebacks; ``tilewright run --traceback`` sets it for the program."""


def wants_traceback() -> bool:
    """Whether exceptions are to be shown with all their frames."""
    return os.environ.get(VARIABLE, "") not in ("", "0")
