"""The corpus as a program under ``tilewright run --check all``: every mistake is in the reports, and no right kernel is."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("cuda.tile")

from tests.checks_corpus.test_checks_corpus import CASES, line_of
from tests.cli.test_commands import Answer, tilewright
from tests.house.tree import ROOT
from tests.support.sarif import LOG
from tools.report_schema import of_command

__all__ = ["tilewright"]

jsonschema: Any = pytest.importorskip("jsonschema")
Command = Callable[..., Answer]
PROGRAM = """
import sys
import cuda.tile as ct
import tilewright
from tests.checks_corpus.test_checks_corpus import CASES

is_right = sys.argv[1] == "right"
for case in CASES:
    kernel, arguments = case.right if is_right else case.faulty, case.given(right=is_right)
    if isinstance(kernel, str):  # a module, for which a program names target and checks
        tilewright.launch(kernel, "k", case.grid, arguments, target="interp", check="all")
    else:
        ct.launch(None, case.grid, kernel, tuple(arguments))
"""


@pytest.fixture(name="words")
def command_of_the_program(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    monkeypatch.chdir(ROOT)
    file = tmp_path / "program.py"
    file.write_text(PROGRAM)
    return ["run", "--check", "all", "--target", "interp", "--sarif", str(tmp_path / "log"), str(file)]


def test_every_mistake_is_reported(tilewright: Command, words: list[str], tmp_path: Path) -> None:
    status, out, _ = tilewright("run", "--json", *words[1:], "faulty")
    report = json.loads(out[out.index("{\n") :])  # behind what a kernel prints
    jsonschema.Draft202012Validator(of_command("run", closed=True)).validate(report)
    log = json.loads((tmp_path / "log").read_text())
    jsonschema.Draft202012Validator(LOG).validate(log)
    assert status == 1
    assert sum(report["kernels"].values()) == len(CASES)
    found = report["findings"]
    for case in CASES:
        wanted = case.expected_code("interp"), line_of(case)
        lines = {(one["code"], place["line"]) for one in found for place in (one, *one["notes"])}
        assert wanted in lines, case.mistake
    results = log["runs"][0]["results"]
    assert Counter(one["ruleId"] for one in results) == Counter(one["code"] for one in found)


def test_no_right_kernel_is(tilewright: Command, words: list[str], tmp_path: Path) -> None:
    status, _, err = tilewright(*words, "right")
    assert status == 0
    (line,) = err.splitlines()
    assert f" {len(CASES)} launches, 0 findings (target interp, memcheck, initcheck, " in line
    log = json.loads((tmp_path / "log").read_text())
    jsonschema.Draft202012Validator(LOG).validate(log)
    assert log["runs"][0]["results"] == []
