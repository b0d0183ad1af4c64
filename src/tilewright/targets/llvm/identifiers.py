"""Names and strings in LLVM IR."""

from __future__ import annotations

import re

from tilewright.ir.support.strings import utf8

_PLAIN = re.compile(r"[-a-zA-Z$._][-a-zA-Z$._0-9]*\Z")


def quoted(name: str) -> str:
    """Return a name without its sigil, in quotes if it needs them."""
    return name if _PLAIN.match(name) else f'"{escaped(name)}"'


def escaped(text: str | bytes) -> str:
    r"""Return the contents of a quoted string: bytes other than printable ASCII, quotation marks and
    backslashes become ``\XX``.
    """
    data = utf8(text) if isinstance(text, str) else text
    return "".join(chr(byte) if 32 <= byte < 127 and byte not in b'"\\' else f"\\{byte:02X}" for byte in data)
