"""Errors of command lines."""

from __future__ import annotations


class UsageError(Exception):
    """The command line is wrong; commands answer it with exit status 2."""

    def __init__(self, message: str, hint: str | None = None) -> None:
        super().__init__(message)
        self.hint = hint

    def __str__(self) -> str:
        text = f"error: {super().__str__()}"
        return f"{text}\nhint: {self.hint}" if self.hint else text
