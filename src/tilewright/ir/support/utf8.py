"""Bytes of strings that may not be valid UTF-8."""

from __future__ import annotations


def utf8(text: str) -> bytes:
    """Return the bytes of a string; surrogate escapes stand for raw bytes."""
    try:
        return text.encode("utf-8", "surrogateescape")
    except UnicodeEncodeError:  # a lone surrogate that stands for no byte
        return text.encode("utf-8", "surrogatepass")
