"""Strings: regular expressions are compiled when they are first used; summaries are first paragraphs."""

from __future__ import annotations

import re

import pytest

from tilewright.ir.support.strings import first_paragraph, pattern


def test_a_pattern_is_compiled_at_its_first_use(monkeypatch: pytest.MonkeyPatch) -> None:
    compiled: list[str] = []
    monkeypatch.setattr(
        re, "compile", lambda text, flags, make=re.compile: compiled.append(text) or make(text, flags)
    )
    word = pattern(r"[a-z]+", re.IGNORECASE)
    assert compiled == []
    assert word.match("Ab1") is not None
    assert word.fullmatch("Ab1") is None
    assert word.findall("a B") == ["a", "B"]
    assert compiled == [r"[a-z]+"]


def test_every_method_works_at_the_first_use() -> None:
    expected = re.compile(r"(\d)")
    for method in ("findall", "match", "search", "fullmatch", "split"):
        found, known = getattr(pattern(r"(\d)"), method)("1a2"), getattr(expected, method)("1a2")
        assert str(found) == str(known)
    assert pattern(r"\d").sub("#", "1a2") == "#a#"
    assert [match.end() for match in pattern(rb"\d").finditer(b"1a2")] == [1, 3]


def test_a_text_that_is_no_regular_expression_raises_when_it_is_used() -> None:
    wrong = pattern("(")
    with pytest.raises(re.error):
        wrong.match("a")


@pytest.mark.parametrize(
    ("docstring", "expected"),
    [
        (None, ""),
        ("  ", ""),
        ("One line.", "One line."),
        ("A sentence of\n    two lines.\n    ", "A sentence of two lines."),
        ("\n    The summary.\n\n    The description.\n", "The summary."),
    ],
)
def test_the_first_paragraph_is_one_line(docstring: str | None, expected: str) -> None:
    assert first_paragraph(docstring) == expected
