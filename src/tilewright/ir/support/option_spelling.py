"""The spelling of an option at the user's entry point: on a command line, in Python, in pytest, in the
environment.

Hints name options by `option`, so that a hint can be typed as it is printed.
"""

from __future__ import annotations

import os
from collections.abc import Generator
from contextlib import contextmanager

PYTHON, COMMAND_LINE, NOTEBOOK, PYTEST, ENVIRONMENT = (
    "python",
    "command line",
    "notebook",
    "pytest",
    "environment",
)
OPTIONS: dict[str, dict[str, str]] = {
    "target": {
        PYTHON: 'target="{}"',
        COMMAND_LINE: "--target {}",
        NOTEBOOK: "%%tilewright --target {}",
        PYTEST: "--tilewright-target={}",
        ENVIRONMENT: "TILEWRIGHT={}",
    },
    "check": {
        PYTHON: 'check="{}"',
        COMMAND_LINE: "--check {}",
        NOTEBOOK: "%%tilewright --check {}",
        PYTEST: "--tilewright-check={}",
        ENVIRONMENT: "TILEWRIGHT_CHECK={}",
    },
    "traceback": {COMMAND_LINE: "--traceback"},
    "max_instructions": {PYTHON: 'CompileOptions(max_instructions="{}")'},
}
"""The spellings of each option, by entry point (command line, Python, notebook, ...), with ``{}`` for the
value. An entry point that is not listed uses the environment variable (`_VARIABLES`).
"""
_VARIABLES = {
    "traceback": "TILEWRIGHT_TRACEBACK={}",
    "max_instructions": "TILEWRIGHT_MAX_INSTRUCTIONS={}",
}
_doors = [PYTHON]


def option(name: str, value: object) -> str:
    """Return the option `name` with its value, as it is spelled at the entry point in use: ``--target cpu``
    on the command line. An option that the entry point does not have is spelled as an environment variable.
    Raises `KeyError` for an unknown option.
    """
    forms = OPTIONS[name]
    return (forms.get(_doors[-1]) or _VARIABLES[name]).format(value)


@contextmanager
def options_spelled_for(door: str) -> Generator[None]:
    """Spell options in hints for the entry point `door` (`COMMAND_LINE`, `PYTEST`, ...) in a ``with`` block."""
    _doors.append(door)
    try:
        yield
    finally:
        # the own entry is the last of equal ones: entry points end in reverse order
        del _doors[len(_doors) - 1 - _doors[::-1].index(door)]


def spell_options_for(door: str) -> None:
    """Spell options in hints for the entry point `door` (`COMMAND_LINE`, `PYTEST`, ...) for the rest of the
    process, outside of `options_spelled_for`.
    """
    _doors[0] = door


VARIABLE = "TILEWRIGHT_TRACEBACK"
"""The environment variable that asks for tracebacks; ``tilewright run --traceback`` sets it for the program."""


def wants_traceback() -> bool:
    """Return whether exceptions are to be shown with all their frames: the environment variable `VARIABLE` is
    set, and not 0.
    """
    return os.environ.get(VARIABLE, "") not in ("", "0")
