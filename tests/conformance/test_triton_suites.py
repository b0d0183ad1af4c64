"""What the runner of Triton's suites makes of results, without Triton."""

from __future__ import annotations

from pathlib import Path

import pytest

from conformance.results import INTERRUPTED, Case, append, expectations, expected_reason, read, report
from conformance.triton.suites import EXPECTED

KNOWN = expectations(
    "# a comment\n\ntest_core::test_a[*-8]  It is large.\ntest_core::test_b*  It is of a GPU.\n"
)


def test_patterns_take_brackets_as_they_are() -> None:
    assert expected_reason("test_core::test_a[1-8]", KNOWN) == "It is large."
    assert expected_reason("test_core::test_a1", KNOWN) is None
    assert expected_reason("test_core::test_b[x]", KNOWN) == "It is of a GPU."


def test_every_expected_failure_has_a_reason() -> None:
    known = expectations(EXPECTED.read_text(encoding="utf-8"))
    assert known
    assert all("::" in pattern and reason.endswith(".") for pattern, reason in known)


def test_the_last_word_on_a_case_counts(tmp_path: Path) -> None:
    file = tmp_path / "results.jsonl"
    assert read(file) == {}
    for outcome in ("failed", "passed"):
        append(file, Case("test_core::test_c", outcome, launches=1))
    assert [case.outcome for case in read(file).values()] == ["passed"]
    append(file, Case("test_core::test_c", INTERRUPTED))
    assert read(file) == {}


def test_only_unexpected_failures_count(capsys: pytest.CaptureFixture[str]) -> None:
    cases = [
        Case("test_core::test_b[0]", "failed", refused=True),
        Case("test_core::test_c", "passed", launches=2),
        Case("test_core::test_d", "skipped"),
    ]
    assert report(cases, KNOWN) == 0
    assert "| test_core | 3 | 1 | 2 | 1 | 1 | 0 |" in capsys.readouterr().out
    assert report([*cases, Case("test_core::test_e", "failed", launches=1, reason="wrong")], KNOWN) == 1
    assert "test_core::test_e: wrong" in capsys.readouterr().out
