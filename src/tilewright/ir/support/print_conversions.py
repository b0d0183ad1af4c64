"""Conversions of C format strings, as every part of tilewright that prints shows numbers by them."""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

_CONVERSION = re.compile(
    r"%(?P<flags>[-+ #0']*)(?P<width>\d*)(?:\.(?P<precision>\d*))?(?P<length>hh|h|ll|l|j|z|t|L|q)?"
    r"(?P<letter>[A-Za-z%])"
)
SIGNED, UNSIGNED, FLOAT = frozenset("di"), frozenset("uoxXp"), frozenset("fFeEgGaA")
TEXT = "s"


@dataclass(frozen=True, slots=True)
class Conversion:
    """One conversion of a format string: its flags, its width (0 if none), its precision (None if none), its
    letter and its length modifier.
    """

    flags: str
    width: int
    precision: int | None
    letter: str
    length: str = ""

    @property
    def printf(self) -> str:
        """The conversion without its letter, as Python's ``%`` operator takes it."""
        precision = "" if self.precision is None else f".{self.precision}"
        return f"%{self.flags.replace(chr(39), '')}{self.width or ''}{precision}"

    def pad(self, text: str) -> str:
        """Return `text` padded with blanks to the width of the conversion, on the left, or on the right with
        the flag ``-``. A longer text is unchanged.
        """
        return text.ljust(self.width) if "-" in self.flags else text.rjust(self.width)


Piece = str | Conversion
PRINTABLE = "use d, i, u, o, x, X, c, p for integers and f, e, g, a for floats"
"""The hint for a format with which no tile can be printed."""


def parse_format(format: str, *, has_texts: bool = False) -> list[Piece]:
    """Return a format string as literal text and conversions; ``%%`` is the text ``%``. With ``has_texts``,
    the conversion ``%s`` is allowed.

    Raises `ValueError` for a conversion by which no element of a tile can be printed.
    """
    pieces: list[Piece] = []
    position = 0
    while position < len(format):
        start = format.find("%", position)
        if start < 0:
            start = len(format)
        if start > position:
            pieces.append(format[position:start])
        if start == len(format):
            break
        match = _CONVERSION.match(format, start)
        if match is None:
            raise ValueError(f"'{format[start:]}' does not start with a conversion")
        pieces.append("%" if match["letter"] == "%" else _conversion(match, has_texts))
        position = match.end()
    return pieces


def _conversion(match: re.Match[str], has_texts: bool) -> Conversion:
    letter = match["letter"]
    if letter not in SIGNED | UNSIGNED | FLOAT | {"c"} and not (has_texts and letter == TEXT):
        raise ValueError(f"conversion '{match[0]}' cannot print the elements of a tile")
    precision = match["precision"]
    return Conversion(
        match["flags"],
        int(match["width"] or 0),
        None if precision is None else int(precision or 0),
        letter,
        match["length"] or "",
    )


def element_text(conversion: Conversion, bits: int) -> Callable[[Any], str]:
    """Return the function that formats an element by `conversion`. An unsigned conversion shows the low
    `bits` bits of an integer, ``c`` the character of the low 8 bits.
    """
    letter = conversion.letter
    if letter in FLOAT:
        return lambda value: _float_text(conversion, float(value))
    if letter == "c":
        return lambda value: conversion.pad(chr(int(value) & 0xFF))
    mask = (1 << bits) - 1
    if letter in SIGNED:
        return lambda value: f"{conversion.printf}d" % _whole(value)
    return lambda value: _unsigned_text(conversion, _whole(value) & mask)


def _whole(value: Any) -> int:
    """Return an element as an integer, truncated; non-finite floats, undefined in C, as 0."""
    return int(value) if value == value and abs(value) != float("inf") else 0


def _unsigned_text(conversion: Conversion, value: int) -> str:
    if conversion.letter == "p":
        return conversion.pad(f"{value:#x}")
    if conversion.letter == "o" and "#" in conversion.flags:
        return conversion.pad(f"0{value:o}" if value else "0")
    return f"{conversion.printf}{conversion.letter}".replace("u", "d") % value


def _float_text(conversion: Conversion, value: float) -> str:
    if conversion.letter not in "aA":
        return f"{conversion.printf}{conversion.letter}" % value
    text = re.sub(r"\.?0*p", "p", value.hex(), count=1)
    return conversion.pad(text.upper() if conversion.letter == "A" else text)


STANDARD = 1
"""The file descriptor of the process's output."""


def write_out(text: str) -> None:
    """Write text of a kernel to `sys.stdout`, after all earlier output of Python. Surrogate escapes in the
    text stand for bytes. If `sys.stdout` is the output of the process, all bytes are written when this
    returns, also bytes that are not characters; any other stream (a capture, a notebook) gets such bytes as
    escapes if it does not accept them. Without a standard output, nothing is written.
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
