"""The action for GitHub: its inputs and steps, and what its steps run, run on the sample suites."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from importlib.metadata import entry_points
from pathlib import Path
from typing import Any

import pytest

from tests.house.tree import ROOT, imported_from

yaml = pytest.importorskip("yaml")
ACTION: dict[str, Any] = yaml.safe_load((ROOT / "action.yml").read_text(encoding="utf-8"))
STEPS: list[dict[str, Any]] = ACTION["runs"]["steps"]
RACE = """
import cuda.tile as ct, cupy as cp

@ct.kernel
def last_one_wins(out):
    ct.store(out, 0, ct.full((1,), ct.bid(0), ct.int32))

def test_race():
    ct.launch(None, (4,), last_one_wins, (cp.zeros(1, dtype=cp.int32),))

def test_capability():
    assert cp.cuda.runtime.getDeviceProperties(0)["major"] == 9
"""
needs_bash = pytest.mark.skipif(shutil.which("bash") is None, reason="the action runs bash")


def step(name: str) -> dict[str, Any]:
    return next(one for one in STEPS if one["name"] == name)


def test_its_inputs_are_those_that_its_steps_use() -> None:
    assert set(re.findall(r"inputs\.([\w-]+)", json.dumps(STEPS))) == set(ACTION["inputs"])


@pytest.mark.parametrize("one", [one for one in STEPS if "run" in one], ids=lambda one: one["name"])
def test_no_step_puts_inputs_into_a_script(one: dict[str, Any]) -> None:
    """They go through the environment: what stands in them is data, and not commands of the shell."""
    assert "${{" not in one["run"]
    used = set(re.findall(r"\$\{?([A-Z_]+)", one["run"]))
    given = {*one.get("env", {}), "GITHUB_ACTION_PATH", "GITHUB_OUTPUT", "HOME", "TILEWRIGHT_CACHE_DIR"}
    assert used <= given


def variables_of(name: str, folder: Path, **inputs: str) -> dict[str, str]:
    """The environment of a step; `python` is the Python of this test, and the plugin is there."""
    values = {word: str(row["default"]) for word, row in ACTION["inputs"].items()} | inputs
    env = {word: _filled(text, values) for word, text in step(name).get("env", {}).items()}
    python = folder / "bin" / "python"
    python.parent.mkdir(exist_ok=True)
    python.write_text(f'#!/bin/sh\nexec "{sys.executable}" "$@"\n', encoding="utf-8")
    python.chmod(0o755)
    before = [os.environ["PYTHONPATH"]] if "PYTHONPATH" in os.environ else []
    return {
        **os.environ,
        "PATH": os.pathsep.join((str(python.parent), os.environ["PATH"])),
        "PYTHONPATH": os.pathsep.join([imported_from(), *before]),
        "PYTEST_PLUGINS": "tilewright.pytest_plugin",
        "HOME": str(folder),
        "GITHUB_ACTIONS": "true",
        "GITHUB_ACTION_PATH": str(ROOT),
        "GITHUB_OUTPUT": str(folder / "output"),
        **env,
    }


def _filled(text: str, values: dict[str, str]) -> str:
    return re.sub(r"\$\{\{ inputs\.([\w-]+) \}\}", lambda match: values[match[1]], text)


def done(name: str, folder: Path, **inputs: str) -> subprocess.CompletedProcess[str]:
    """Run the script of a step as GitHub does."""
    return subprocess.run(
        ["bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", step(name)["run"]],
        capture_output=True,
        text=True,
        env=variables_of(name, folder, **inputs),
        cwd=folder,
        check=False,
    )


def rules(folder: Path) -> list[str]:
    (log,) = json.loads((folder / "tilewright.sarif").read_text(encoding="utf-8"))["runs"]
    return [result["ruleId"] for result in log["results"]]


@needs_bash
def test_findings_become_annotations_and_sarif(tmp_path: Path) -> None:
    pytest.importorskip("cuda.tile")
    (tmp_path / "test_suite.py").write_text(RACE, encoding="utf-8")
    ran = done("Run", tmp_path, check="racecheck", gpu="sm_90", arguments="test_suite.py -p no:cacheprovider")
    assert ran.returncode == 1, ran.stdout + ran.stderr
    assert "1 failed, 1 passed" in ran.stdout
    assert "::error file=" in ran.stdout
    assert rules(tmp_path) == ["TW0406"]
    assert (tmp_path / ".cache" / "tilewright-action").stat().st_mode & 0o777 == 0o700


@needs_bash
def test_the_suite_of_cutile_passes(tmp_path: Path) -> None:
    pytest.importorskip("cuda.tile")
    suite = ROOT / "examples" / "ci_cutile"
    ran = done("Run", tmp_path, arguments=f"{suite} -p no:cacheprovider")
    assert (ran.returncode, "2 passed" in ran.stdout) == (0, True), ran.stdout + ran.stderr


@needs_bash
def test_the_suite_of_triton_passes(tmp_path: Path) -> None:
    pytest.importorskip("triton.language")
    if not entry_points(group="triton.backends", name="tilewright"):
        pytest.skip("the installed tilewright has no entry point yet")
    suite = ROOT / "examples" / "ci_triton"
    ran = done("Run", tmp_path, arguments=f"{suite} -p no:cacheprovider", frontends="triton")
    assert (ran.returncode, "2 passed" in ran.stdout) == (0, True), ran.stdout + ran.stderr


@needs_bash
def test_a_program_runs_with_the_checks(tmp_path: Path) -> None:
    pytest.importorskip("cuda.tile")
    right = ROOT / "examples" / "ci_cutile" / "program.py"
    ran = done("Run", tmp_path, program=str(right), check="all")
    assert (ran.returncode, ran.stdout.splitlines()[:1]) == (0, ["128.0"]), ran.stderr
    wrong = tmp_path / "wrong.py"
    wrong.write_text(right.read_text(encoding="utf-8").replace("(4,)", "(5,)"), encoding="utf-8")
    ran = done("Run", tmp_path, program="wrong.py", check="all")
    assert (ran.returncode, "::error file=" in ran.stdout) == (1, True), ran.stdout + ran.stderr
    assert rules(tmp_path)


@needs_bash
def test_wrong_inputs_are_told(tmp_path: Path) -> None:
    for inputs, words in (
        ({"frontends": "cuda"}, "frontends: 'cuda' is none of"),
        ({"upload": "mail"}, "upload: 'mail' is none of"),
    ):
        ran = done("Look at what is asked for", tmp_path, **inputs)
        assert (ran.returncode, words in ran.stdout) == (2, True)


@needs_bash
def test_the_key_of_the_cache_names_version_python_and_frontends(tmp_path: Path) -> None:
    if subprocess.run(
        [sys.executable, "-m", "pip", "--version"], capture_output=True, check=False
    ).returncode:
        pytest.skip("this environment has no pip")
    ran = done("Look at what is asked for", tmp_path, frontends="cutile,triton")
    assert ran.returncode == 0, ran.stdout + ran.stderr
    version = "{}.{}".format(*sys.version_info)
    key, packages = (tmp_path / "output").read_text(encoding="utf-8").splitlines()
    assert re.fullmatch(rf"key=tilewright-[0-9a-f]{{16}}-python{version}-cutile,triton", key)
    assert packages.startswith("packages=/")
