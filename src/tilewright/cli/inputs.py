"""Inputs of commands: what stands in a file or comes through stdin."""

from __future__ import annotations

import sys

from tilewright.cli.errors import UsageError

STDIN = "<stdin>"
"""What diagnostics call the input that comes through stdin."""


def read_input(name: str) -> bytes:
    """The bytes of a file, or of stdin for ``-``.  Raises `UsageError` when it cannot be read."""
    if name == "-":
        return sys.stdin.buffer.read()
    try:
        with open(name, "rb") as file:  # `pathlib` would load as much as an empty Python does
            return file.read()
    except (OSError, ValueError) as error:  # ValueError: a name with a NUL
        reason = error.strerror if isinstance(error, OSError) else error
        raise UsageError(f"cannot read '{name}': {reason}") from error
