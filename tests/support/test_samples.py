"""Tests draw few samples, and all of them where CI asks for that at night."""

from __future__ import annotations

import pytest

from tests.house.tree import ROOT
from tests.support import samples


def test_few_samples_are_drawn_unless_all_are_asked_for(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(samples, "draws_all", False)
    assert samples.samples(2, of=8) == 2
    monkeypatch.setattr(samples, "draws_all", True)
    assert samples.samples(2, of=8) == 8


def test_all_samples_are_drawn_at_night() -> None:
    assert "- run: make whole\n" in (ROOT / ".github" / "workflows" / "nightly.yml").read_text(
        encoding="utf-8"
    )
    assert "-m pytest --whole " in (ROOT / "Makefile").read_text(encoding="utf-8")
