"""Seeded faults are found by the interpreter and by compiled code: the same code at the same operation."""

import pytest

from tests.targets.cpu.checks.checked_kernels import OUTSIDE, RACES, finding


@pytest.mark.parametrize("case", [*OUTSIDE, *RACES], ids=str)
def test_compiled_code_finds_what_the_interpreter_finds(case, monkeypatch, tmp_path):
    monkeypatch.setenv("TILEWRIGHT_CACHE_DIR", str(tmp_path))
    code, place, _ = finding(case, "interp")
    assert code == case.code
    assert finding(case, "cpu")[:2] == (code, place)
