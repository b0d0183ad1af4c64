"""Golden files: compare with them, or rewrite them under ``--bless``."""

from __future__ import annotations

import difflib
from pathlib import Path

import pytest

SHOWN_LINES = 40


def compare(path: Path, text: str, *, bless: bool) -> None:
    """Fail with a diff when a file does not hold a text; ``bless`` writes the file instead."""
    if bless:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
        return
    expected = path.read_text(encoding="utf-8") if path.is_file() else ""
    if text == expected:
        return
    lines = difflib.unified_diff(expected.splitlines(), text.splitlines(), str(path), "now", lineterm="")
    shown = list(lines)[:SHOWN_LINES]
    pytest.fail("\n".join([*shown, "run pytest with --bless if the new text is right"]), pytrace=False)
