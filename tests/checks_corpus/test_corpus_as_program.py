"""The corpus as a program under ``tilewright run --check all``: every mistake is in the reports, and no right kernel is.

Each target runs it, with the report in JSON and in SARIF; ``pytest tests/checks_corpus/test_corpus_as_program.py``.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("cuda.tile")

from tests.checks_corpus.cases import SIMULATED, TARGETS
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

is_right, target = sys.argv[1] == "right", sys.argv[2]
for case in CASES:
    kernel, arguments = case.right if is_right else case.faulty, case.given(right=is_right)
    if isinstance(kernel, str):  # a module, for which a program names target and checks
        tilewright.launch(kernel, "k", case.grid, arguments, target=target, check="all")
    else:
        ct.launch(None, case.grid, kernel, tuple(arguments))
"""


EACH_TARGET = pytest.mark.parametrize("target", [TARGETS[0], SIMULATED[0]])
"""The processor and one simulated chip: `test_checks_corpus` has each case on every target."""


@pytest.fixture(name="words")
def command_of_the_program(target: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    monkeypatch.chdir(ROOT)
    file = tmp_path / "program.py"
    file.write_text(PROGRAM)
    return ["run", "--check", "all", "--target", target, "--sarif", str(tmp_path / "log"), str(file)]


@EACH_TARGET
def test_every_mistake_is_reported(
    tilewright: Command, words: list[str], target: str, tmp_path: Path
) -> None:
    status, out, _ = tilewright("run", "--json", *words[1:], "faulty", target)
    report = json.loads(out[out.index("{\n") :])  # behind what a kernel prints
    jsonschema.Draft202012Validator(of_command("run", closed=True)).validate(report)
    log = json.loads((tmp_path / "log").read_text())
    jsonschema.Draft202012Validator(LOG).validate(log)
    assert status == 1
    assert sum(report["kernels"].values()) == len(CASES)
    found = report["findings"]
    for case in CASES:
        if target not in case.targets:
            continue  # the page says so
        wanted = case.expected_code(target), line_of(case)
        lines = {(one["code"], place["line"]) for one in found for place in (one, *one["notes"])}
        assert wanted in lines, case.mistake
    results = log["runs"][0]["results"]
    assert Counter(one["ruleId"] for one in results) == Counter(one["code"] for one in found)


@EACH_TARGET
def test_no_right_kernel_is(tilewright: Command, words: list[str], target: str, tmp_path: Path) -> None:
    status, _, err = tilewright(*words, "right", target)
    assert status == 0
    (line,) = err.splitlines()
    assert f" {len(CASES)} launches, 0 findings (target {target}, memcheck, initcheck, " in line
    log = json.loads((tmp_path / "log").read_text())
    jsonschema.Draft202012Validator(LOG).validate(log)
    assert log["runs"][0]["results"] == []
