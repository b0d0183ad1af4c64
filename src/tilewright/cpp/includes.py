"""The headers that a C++ file includes, for the key of the cache."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from pathlib import Path

_INCLUDE = re.compile(
    r'^[ \t]*#[ \t]*include[ \t]*(?:"(?P<quoted>[^"\n]+)"|<(?P<angled>[^>\n]+)>|(?P<macro>\w+))', re.MULTILINE
)


def headers_of(text: str, folder: Path, include: Sequence[str]) -> list[Path] | None:
    """Return the headers that a text in ``folder`` may include, directly or not, in a stable order.

    Only headers in ``folder``, beside other headers, and in the folders ``include`` count; headers of CUDA and of the
    host are part of the compiler's version. Conditions are ignored, so the list may be too long. Returns None if an
    include names a macro.
    """
    found: dict[Path, None] = {}
    pending = [(text, folder)]
    while pending:
        content, place = pending.pop()
        for match in _INCLUDE.finditer(content):
            if match["macro"]:
                return None
            header = _resolved(match, place, include)
            if header is not None and header not in found:
                found[header] = None
                pending.append((header.read_text(encoding="utf-8", errors="replace"), header.parent))
    return sorted(found)


def _resolved(match: re.Match[str], place: Path, include: Sequence[str]) -> Path | None:
    for candidate in _candidates(match, place, include):
        if candidate.is_file():
            return candidate.resolve()
    return None


def _candidates(match: re.Match[str], place: Path, include: Sequence[str]) -> Iterator[Path]:
    if match["quoted"]:
        yield place / match["quoted"]
    for folder in include:
        yield Path(folder, match["quoted"] or match["angled"])
