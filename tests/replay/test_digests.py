"""Digests of replayed texts: what differs first is named, and blessing keeps what other members have."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.replay.digests import compare, kept, of_no_member

TEXTS = (("plan", "a"), ("llvm", "b"))


@pytest.fixture
def path(tmp_path: Path) -> Path:
    path = tmp_path / "digests.txt"
    for name in ("two", "one"):
        compare(path, name, TEXTS, bless=True)
    return path


def test_the_same_texts_pass(path: Path) -> None:
    for name in ("one", "two"):
        compare(path, name, TEXTS, bless=False)
    assert [line.split()[:2] for line in path.read_text().splitlines()] == [
        [name, label] for name in ("one", "two") for label in ("plan", "llvm")
    ]


@pytest.mark.parametrize(
    ("texts", "message"),
    [
        ((("plan", "a"), ("llvm", "c"), ("ptx", "d")), "one: 'llvm' is another text than before"),
        ((("plan", "a"), ("llvm", "b"), ("ptx", "d")), "one: 'ptx' is another text than before"),
        ((("plan", "a"),), "one: there is no 'llvm' any more"),
    ],
)
def test_the_first_difference_is_named(path: Path, texts: tuple[tuple[str, str], ...], message: str) -> None:
    with pytest.raises(pytest.fail.Exception, match=message) as caught:
        compare(path, "one", texts, bless=False)
    assert "python -m tests.replay.replaying one" in str(caught.value)
    assert "pytest tests/replay --bless" in str(caught.value)


def test_a_blessed_member_leaves_the_others(path: Path) -> None:
    other = kept(path)["two"]
    compare(path, "one", TEXTS[:1], bless=True)
    kept.cache_clear()
    assert kept(path)["two"] == other
    assert list(kept(path)["one"]) == ["plan"]
    assert of_no_member(path, ["one"]) == ["two"]
