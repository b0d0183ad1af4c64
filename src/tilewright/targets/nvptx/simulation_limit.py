"""The limit of instructions of simulated launches, as an option of the compiler or a variable of the environment."""

from __future__ import annotations

import os

from tilewright.ir.diagnostic import failure
from tilewright.targets.nvptx import codes

VARIABLE = "TILEWRIGHT_MAX_INSTRUCTIONS"
"""The environment variable with the limit of launches that were compiled without the option."""


def limit_from_environment() -> int:
    """Return the limit of the environment, 0 if it has none.  Raises `DiagnosticError` if it is no number."""
    return number_of_instructions(os.environ.get(VARIABLE, ""), f"the variable '{VARIABLE}'")


def number_of_instructions(text: str, name: str) -> int:
    """Return the number that an option or variable states, 0 if it is empty.

    Raises `DiagnosticError` if it is not a number.
    """
    if not text:
        return 0
    if not text.isascii() or not text.isdigit() or not 0 < int(text[:20]) < 1 << 62:
        raise failure(codes.BAD_LIMIT, f"{name} is a number of instructions from 1 on, not '{text}'")
    return int(text)
