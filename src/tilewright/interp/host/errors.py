"""Why the memory of an object cannot be used."""

from __future__ import annotations


class UnusableMemoryError(Exception):
    """Memory that is missing, elsewhere, or of elements that nobody here knows; ``hint`` is the way out."""

    def __init__(self, reason: str, hint: str = "") -> None:
        super().__init__(reason)
        self.reason = reason
        self.hint = hint
