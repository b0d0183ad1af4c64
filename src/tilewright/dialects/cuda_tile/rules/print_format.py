"""The format string of `print_tko`."""

from __future__ import annotations

from tilewright.ir.declaration.traits import VerifyError

CONVERSIONS = "diuoxXeEfFgGaAcsSpn%"
"""Letters that end a conversion.  ``S`` is a wide string, ``%%`` a literal percent sign."""


def count_conversions(text: str) -> int:
    """Return the number of values that a format string prints.

    A conversion starts at every percent sign, also at a percent sign that ends the conversion before it
    (except in ``%%``), as in the shipped tools. Raises `VerifyError` for a conversion without an end.
    """
    count = position = 0
    while (start := text.find("%", position)) >= 0:
        end = next((at for at in range(start + 1, len(text)) if text[at] in CONVERSIONS), None)
        if end is None:
            raise VerifyError("found unterminated format expression")
        literal = end == start + 1 and text[end] == "%"
        count += not literal
        position = start + (2 if literal else 1)
    return count


def check_format(text: str, arguments: int) -> None:
    """Raise `VerifyError` unless there is one conversion per tile."""
    expected = count_conversions(text)
    if expected != arguments:
        raise VerifyError(f"incorrect number of operands: expected {expected}, found {arguments}")
