"""Messages of checks with placeholders for values that are known at the launch only."""

from __future__ import annotations

from collections.abc import Sequence

HAS_VALUES = "{0}"
"""The mark of a message with placeholders for values."""
UNKNOWN_VALUES = ("", "", "the array")


def operand_words(operands: Sequence[object]) -> str:
    """Return a phrase for the operands of a checked operation: ``, from 1.0 and 0.0``; empty without
    operands.
    """
    return f", from {' and '.join(map(str, operands))}" if operands else ""


def with_values(words: str, values: Sequence[object] = UNKNOWN_VALUES) -> str:
    """Return the message `words` of a check with the placeholders ``{0}``, ``{1}``, ... replaced by `values`.
    An empty string drops its placeholder and the blank after it. By default ``{0}`` and ``{1}`` are dropped,
    and ``{2}`` becomes ``the array``.
    """
    for number, value in enumerate(values):
        place = f"{{{number}}}"
        words = words.replace(place if value != "" else f"{place} ", str(value))
    return words
