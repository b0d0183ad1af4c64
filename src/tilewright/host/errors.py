"""Why the memory of an object cannot be used."""

from __future__ import annotations


class UnusableMemoryError(Exception):
    """Memory that is missing, on another device, or of unsupported elements; ``hint`` is the way out."""

    def __init__(self, reason: str, hint: str = "") -> None:
        super().__init__(reason)
        self.reason = reason
        self.hint = hint
