"""The action for GitHub: what its last step runs, run on a small suite."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys

import pytest

from tests.house.tree import ROOT

pytest.importorskip("cuda.tile")
ACTION = (ROOT / "action.yml").read_text(encoding="utf-8")
SUITE = """
import cuda.tile as ct, cupy as cp

@ct.kernel
def last_one_wins(out):
    ct.store(out, 0, ct.full((1,), ct.bid(0), ct.int32))

def test_race():
    ct.launch(None, (4,), last_one_wins, (cp.zeros(1, dtype=cp.int32),))

def test_capability():
    assert cp.cuda.runtime.getDeviceProperties(0)["major"] == 9
"""


def last_step() -> str:
    return re.findall(r"^ +run: (python .*)$", ACTION, re.MULTILINE)[-1]


def test_it_is_short() -> None:
    assert len(ACTION.splitlines()) <= 13
    assert set(re.findall(r"inputs\.(\w+)", ACTION)) == set(
        re.findall(r"^  (\w+): \{ description", ACTION, re.MULTILINE)
    )


@pytest.mark.skipif(shutil.which("bash") is None, reason="the action runs bash")
def test_its_command_reports_findings(pytester: pytest.Pytester) -> None:
    pytester.makepyfile(test_suite=SUITE)
    variables = {
        **os.environ,
        "PATH": os.pathsep.join((str(pytester.path), os.environ["PATH"])),
        "PYTHONPATH": str(ROOT / "src"),
        "PYTEST_PLUGINS": "tilewright.pytest_plugin",
        **{"CHECK": "racecheck", "GPU": "sm_90", "ARGUMENTS": "test_suite.py -p no:cacheprovider"},
        "GITHUB_ACTIONS": "true",
    }
    python = pytester.path / "python"
    python.write_text(f'#!/bin/sh\nexec "{sys.executable}" "$@"\n', encoding="utf-8")
    python.chmod(0o755)
    done = subprocess.run(
        ["bash", "-c", last_step()],
        capture_output=True,
        text=True,
        env=variables,
        cwd=pytester.path,
        check=False,
    )
    assert done.returncode == 1, done.stdout + done.stderr
    assert "1 failed, 1 passed" in done.stdout
    assert "::error file=" in done.stdout
    (log,) = json.loads((pytester.path / "tilewright.sarif").read_text(encoding="utf-8"))["runs"]
    assert [result["ruleId"] for result in log["results"]] == ["TW0406"]
