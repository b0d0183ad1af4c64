"""The text of attributes and types whose dialect is not loaded: it is kept as it is, as long as it is balanced."""

from __future__ import annotations

import re

from tilewright.ir.support.regular_expression import pattern

_PIECE = pattern(r'"(?:[^"\\\n]|\\.)*"|->|[^<>()\[\]{}"\-]+|[\s\S]')
_PRETTY = pattern(r"[A-Za-z][\w.]*", re.ASCII)
_CLOSING = {"<": ">", "(": ")", "[": "]", "{": "}"}


def body_end(text: str, start: int) -> int | None:
    """Return the position after the bracket that closes the bracket at ``start``; None if brackets do not
    balance.
    """
    expected: list[str] = []
    for match in _PIECE.finditer(text, start):
        piece = match[0]
        if piece in _CLOSING:
            expected.append(_CLOSING[piece])
        elif piece in (">", ")", "]", "}"):
            if expected.pop() != piece:
                return None
            if not expected:
                return match.end()
    return None


def is_pretty(text: str) -> bool:
    """Return whether ``text`` may follow ``!dialect.`` directly: a name and nothing, or a name and one bracketed body."""
    match = _PRETTY.match(text)
    if match is None:
        return False
    rest = match.end()
    return rest == len(text) or (text[rest] == "<" and body_end(text, rest) == len(text))
