"""Errors of command lines, and the handler of every exception that ends a command: no input shows a
traceback.
"""

from __future__ import annotations

import os
import sys
from typing import TYPE_CHECKING

from tilewright.ir.support.option_spelling import VARIABLE, wants_traceback

if TYPE_CHECKING:
    from pathlib import Path

    from tilewright.ir.diagnostic import DiagnosticError

USAGE_CODES = frozenset({501, 502, 505, 509, 515, 540, 951, 960, 961, 963, 1301, 1303})
"""Codes of diagnostics about a word of the command line: targets, checks, grids, stages, extensions, threads, executors, GPUs, programs, settings."""
INTERRUPTED = 130
"""The exit status of a command that the user interrupted, as shells have it."""
STATUSES: dict[int, str] = {
    0: "all went well",
    1: "something is wrong with an input, or was found in it",
    2: "the command line is wrong, or a file cannot be read or written",
    INTERRUPTED: "the user interrupted the command",
}
"""Exit statuses of commands, and their meanings."""


class UsageError(Exception):
    """An error in the command line, with a hint if there is one; the exit status is 2."""

    def __init__(self, message: str, hint: str | None = None) -> None:
        super().__init__(message)
        self.hint = hint

    def __str__(self) -> str:
        text = f"error: {super().__str__()}"
        return f"{text}\nhint: {self.hint}" if self.hint else text


def report(error: BaseException) -> int:
    """Print to stderr the error that ended a command; for an interrupt, only its notes. Return the exit
    status: 1 for an error of the input, too little memory, or an internal error; 2 for an error of the
    command line, or a file that cannot be read or written; `INTERRUPTED` for an interrupt. Raises an internal
    error again if tracebacks are enabled.
    """
    from tilewright.ir.diagnostic import DiagnosticError

    if isinstance(error, KeyboardInterrupt):
        notes = getattr(error, "__notes__", ())
        if notes:  # the kernel that it ended, and the place
            print("KeyboardInterrupt", *notes, sep="\n", file=sys.stderr)
        return INTERRUPTED
    if isinstance(error, DiagnosticError):
        print(error, file=sys.stderr)
        return 2 if _is_about_usage(error) else 1
    if isinstance(error, UsageError):
        print(error, file=sys.stderr)
        return 2
    if isinstance(error, OSError):
        print(UsageError(f"cannot use '{error.filename}': {error.strerror or error}"), file=sys.stderr)
        return 2
    if isinstance(error, MemoryError):
        print(UsageError("there is not enough memory for this input"), file=sys.stderr)
        return 1
    return _internal(error)


def _is_about_usage(error: DiagnosticError) -> bool:
    """Return whether an error is about the command line, or about a file that could not be read or written."""
    if isinstance(error.__cause__, OSError):
        return True
    codes = [found.code for found in error.diagnostics]
    return all(code is not None and code.number in USAGE_CODES for code in codes)


def _internal(error: BaseException) -> int:
    if wants_traceback():
        raise error
    words = f"internal error: {type(error).__name__}: {error}"
    print(UsageError(words, f"please report this; {VARIABLE}=1 shows where it happened"), file=sys.stderr)
    return 1


def refuse_terminal() -> None:
    """Raise `UsageError` if stdout is a terminal, which binary data would disturb."""
    if sys.stdout.isatty():
        raise UsageError("binary data are not for a terminal", "name a file with -o, or write `> FILE`")


def check_output(destination: str | Path) -> None:
    """Check that a file can be written, before long work begins: open it to append, and remove it again if it
    did not exist. Raises `UsageError` if it cannot be opened.
    """
    existed = os.path.lexists(destination)
    try:
        with open(destination, "ab"):
            pass
        if not existed:
            os.unlink(destination)
    except (OSError, ValueError) as error:  # ValueError: a name with a NUL
        reason = error.strerror if isinstance(error, OSError) else error
        raise UsageError(f"cannot write '{destination}': {reason}") from error
