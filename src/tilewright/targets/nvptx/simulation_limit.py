"""The limit of instructions of simulated launches, as an option of the compiler or a variable of the environment."""

from __future__ import annotations

import os

from tilewright.ir.diagnostic import failure
from tilewright.targets.nvptx import codes

VARIABLE = "TILEWRIGHT_MAX_INSTRUCTIONS"
"""The environment variable with the limit of launches that were compiled without the option."""


def limit_from_environment() -> int:
    """Return the limit in `TILEWRIGHT_MAX_INSTRUCTIONS`; 0 if the variable is empty or not set. Raises
    `DiagnosticError` unless it is a number from 1 to 2**62 - 1.
    """
    return number_of_instructions(os.environ.get(VARIABLE, ""), f"the variable '{VARIABLE}'")


def number_of_instructions(text: str, name: str) -> int:
    """Return the number of instructions in `text`, from 1 to 2**62 - 1; 0 if `text` is empty. Raises
    `DiagnosticError`, which begins with `name`, for any other text, also for 0.
    """
    if not text:
        return 0
    if not text.isascii() or not text.isdigit() or not 0 < int(text[:20]) < 1 << 62:
        raise failure(codes.BAD_LIMIT, f"{name} is a number of instructions from 1 on, not '{text}'")
    return int(text)
