"""Tests draw few samples, and all of them where CI asks for that at night."""

from __future__ import annotations

import re

import pytest

from tests.house.tree import ROOT
from tests.support.samples import VARIABLE, samples


def test_the_variable_asks_for_all_samples(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(VARIABLE, raising=False)
    assert samples(2, of=8) == 2
    monkeypatch.setenv(VARIABLE, "all")
    assert samples(2, of=8) == 8


def test_every_file_that_draws_samples_runs_with_all_of_them_at_night() -> None:
    nightly = (ROOT / ".github" / "workflows" / "nightly.yml").read_text(encoding="utf-8")
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    assert "- run: make test-samples\n" in nightly
    assert f"test-samples: export {VARIABLE} = all\n" in makefile
    searched = re.search(r"--include='test_\*\.py' '([\w ]+)\$\$' tests\)\n", makefile)
    assert searched, "the command finds the files by what they import"
    texts = {path: path.read_text(encoding="utf-8") for path in (ROOT / "tests").rglob("test_*.py")}
    draw = [path for path, text in texts.items() if "tests.support.samples import" in text]
    assert len(draw) > 10
    others = [path for path in draw if not re.search(rf"{searched[1]}$", texts[path], re.MULTILINE)]
    assert others == [ROOT / "tests" / "support" / "test_samples.py"]
