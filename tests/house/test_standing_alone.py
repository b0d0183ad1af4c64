"""The repository stands alone: it names no machine it was written on and nobody who wrote it."""

from __future__ import annotations

import re

import pytest

from tests.house.tree import TEXT_SUFFIXES, files, relative

FORBIDDEN = {
    "a path of somebody's machine": r"(?<![\w.\-/])/(?:(?:work|root)/\w|(?:home|Users)/(?!user\b)\w\w)|/tmp/(?:peer|brief)\b",
    "a folder outside the repository": r"\.\./(?:\.\./)*(?:shared|seeds)\b|(?<!\]\()\.\./(?:\.\./)*reference\b",
    "documents that are not here": r"\bseeds?/\d{3}\b|(?<!\()(?<!\.\./)(?<!docs/)\breference/[\w-]+\.md\b",
    "how the text came about": r"(?i)\b(?:in this session|this session's|sub-?agents?|language model|as an ai\b)",
    "who wrote it": r"(?i)\b(?:the founder|another helper|claude|anthropic|chatgpt|copilot)\b",
}
"""What must not occur, by the reason."""

HERE = "tests/house/test_standing_alone.py"


@pytest.mark.parametrize("reason", FORBIDDEN)
def test_no_file_mentions(reason: str) -> None:
    pattern = re.compile(FORBIDDEN[reason])
    found: list[str] = []
    for path in files():
        if path.suffix not in TEXT_SUFFIXES or relative(path) == HERE:
            continue
        text = path.read_text(encoding="utf-8", errors="replace")
        for match in pattern.finditer(text):
            found.append(f"{relative(path)}:{text.count(chr(10), 0, match.start()) + 1}: {match[0]!r}")
    assert found == []


@pytest.mark.parametrize(
    ("text", "hits"),
    [
        ("see /home/me/x", 1),
        ("https://example.org/home/x", 0),
        ("../shared/design.md", 1),
        ("a `fixture(scope='session')`", 0),
        ("the founder decides", 1),
    ],
)
def test_the_patterns_can_fail(text: str, hits: int) -> None:
    assert sum(bool(re.search(pattern, text)) for pattern in FORBIDDEN.values()) == hits
