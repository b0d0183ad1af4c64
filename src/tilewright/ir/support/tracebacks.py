"""The setting for tracebacks. Without it they are hidden: they hold frames of tilewright and of frontends."""

from __future__ import annotations

import os

VARIABLE = "TILEWRIGHT_TRACEBACK"
"""The environment variable that asks for tracebacks; ``tilewright run --traceback`` sets it for the program."""


def wants_traceback() -> bool:
    """Return whether exceptions are to be shown with all their frames."""
    return os.environ.get(VARIABLE, "") not in ("", "0")
