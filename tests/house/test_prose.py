"""Docstrings and comments are plain English: the phrases that the style guide excludes only get fewer."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

from tests.house import prose

PROGRAM = '''
def answer():
    """In order."""
    x = 1  # the size of that of which nobody knows
    # What `those of` is
'''


def test_phrases_do_not_get_more() -> None:
    """See `docs/guides/style.md`; ``python -m tests.house.prose --list PACKAGE KIND`` prints the places."""
    assert prose.risen(prose.counts(), prose.allowed()) == []


def test_numbers_follow_when_phrases_get_fewer() -> None:
    """If it fails: ``python -m tests.house.prose --lower``."""
    assert prose.fallen(prose.counts(), prose.allowed()) == []


def test_docstrings_and_comments_are_read(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(prose, "_source", lambda path: PROGRAM)
    found = list(prose.texts(Path("a.py"), ast.parse(PROGRAM)))
    assert [(text.line, text.text) for text in found] == [
        (3, "In order."),
        (4, "the size of that of which nobody knows"),
        (5, "What `those of` is"),
    ]
    assert [list(prose.kinds(text)) for text in found] == [
        ["short"],
        ["pronoun", "actor", "actor"],
        ["what"],
    ]


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("A shape and that of its tile.", "pronoun"),
        ("Whether the one that waits is the last.", "pronoun"),
        ("What both contain.", "what"),
        ("The same name.", "the-same"),
        ("Take so many lanes.", "so-many"),
        ("A buffer that nobody reads.", "actor"),
        ("The function that answers a query.", "answer"),
        ("The dimensions in front of the last.", "in-front-of"),
        ("The wish of a load, in the first round.", "private"),
    ],
)
def test_each_kind_is_counted(text: str, kind: str) -> None:
    assert kind in prose.kinds(prose.Text(Path("a.py"), 1, text, True))


@pytest.mark.parametrize(
    "text",
    [
        "Return the number of elements of `shape`, at least 1.",
        "Round to the nearest even value; so many that the sum overflows.",
        "Return whether `that of` stands in the text.",
    ],
)
def test_plain_text_is_not_counted(text: str) -> None:
    assert list(prose.kinds(prose.Text(Path("a.py"), 1, text, True))) == []


def test_numbers_are_compared_row_by_row() -> None:
    before = {("ir", "what"): 3, ("ptx", "short"): 1, ("pdl", "what"): 2}
    now = {("ir", "what"): 4, ("pdl", "what"): 1}
    assert prose.risen(now, before) == ["ir what: 4, allowed 3"]
    assert prose.fallen(now, before) == ["pdl what: 1, allowed 2", "ptx short: 0, allowed 1"]
    assert prose.lowered(now, before).splitlines()[1:] == ["ir what 3", "pdl what 1"]
