"""Where kernels print: Python's `sys.stdout`, whatever that is at the time."""

from __future__ import annotations

import os
import sys
from typing import Any

STANDARD = 1
"""The file descriptor of the process's output."""


def write_out(text: str) -> None:
    """Write text of a kernel to `sys.stdout`, after all earlier output of Python.

    If that is the output of the process, all bytes of the text are written when this returns, also bytes that
    are not characters. Any other stream (a capture, a notebook) gets such bytes as escapes if it does not
    accept them.
    """
    output: Any = sys.stdout
    if output is None:  # a process without one
        return
    if _is_standard(output):
        output.flush()
        _write_bytes(text.encode("utf-8", "surrogateescape"))
        return
    try:
        output.write(text)
    except UnicodeEncodeError:
        output.write(text.encode("ascii", "backslashreplace").decode())


def _is_standard(output: Any) -> bool:
    try:
        return output.fileno() == STANDARD
    except (AttributeError, OSError, ValueError):  # it has none, or is closed
        return False


def _write_bytes(data: bytes) -> None:
    while data:
        data = data[os.write(STANDARD, data) :]
