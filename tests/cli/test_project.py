"""Settings of a project, in the table ``[tool.tilewright]`` of its ``pyproject.toml``, at the doors that have them."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.cli.test_commands import Answer, tilewright
from tests.cli.test_json_option import commands
from tests.house.tree import ROOT
from tilewright.cli.defaults import defaults
from tilewright.cli.main import COMMANDS, DIRECT
from tilewright.cli.project import COMMON, DOORS, PYTEST, VARIABLE, find
from tilewright.ir.diagnostic import DiagnosticError
from tilewright.pytest_plugin.defaults import KINDS

__all__ = ["tilewright"]

pytest.importorskip("cuda.tile")
Command = Callable[..., Answer]
RACE = """
import cuda.tile as ct, numpy as np

@ct.kernel
def last_one_wins(x, out):
    ct.store(out, 0, ct.load(x, ct.bid(0), shape=(1,)))

ct.launch(None, (4,), last_one_wins, (np.zeros(4, np.int32), np.zeros(1, np.int32)))
"""
KERNEL = str(ROOT / "tests" / "house" / "data" / "kernel.mlir")


@pytest.fixture(name="project")
def folder_with_a_program(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[[str], Path]:
    """Writes the settings; returns the program, in a folder below them."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv(VARIABLE, raising=False)

    def write(settings: str) -> Path:
        (tmp_path / "pyproject.toml").write_text(settings)
        program = tmp_path / "kernels" / "race.py"
        program.parent.mkdir(exist_ok=True)
        program.write_text(RACE)
        return program

    return write


def test_settings_are_defaults_of_run(tilewright: Command, project: Callable[[str], Path]) -> None:
    program = project('[tool.tilewright]\ntarget = "interp"\ncheck = ["memcheck", "racecheck"]\n')
    for words in (["run", str(program)], [str(program)], ["run", "--stop-at-first", str(program)]):
        status, _, err = tilewright(*words)
        assert status == 1
        assert "error[TW0406]" in err
        assert "(target interp, memcheck, racecheck)" in err


def test_the_command_line_wins(tilewright: Command, project: Callable[[str], Path]) -> None:
    program = project('[tool.tilewright]\ntarget = "interp"\ncheck = "racecheck"\n')
    status, _, err = tilewright("run", "--check=memcheck", str(program))
    assert (status, "(target interp, memcheck)" in err) == (0, True)


def test_the_table_of_a_command_wins(tilewright: Command, project: Callable[[str], Path]) -> None:
    program = project(
        '[tool.tilewright]\ntarget = "sim:sm_80"\ncheck = "all"\noutput-format = "github"\n'
        '[tool.tilewright.run]\ntarget = "interp"\ncheck = "racecheck"\noutput-format = "json"\nsarif = "found.sarif"\n'
    )
    status, out, _ = tilewright("run", str(program))
    assert status == 1
    assert [one["code"] for one in json.loads(out)["findings"]] == ["TW0406"]
    assert json.loads(Path("found.sarif").read_text())["runs"][0]["results"]


@pytest.mark.parametrize("target", ["cpu", "interp", "sim:sm_80"])
def test_findings_are_ignored_by_code(
    tilewright: Command, project: Callable[[str], Path], target: str
) -> None:
    program = project('[tool.tilewright]\ncheck = "racecheck"\nignore = ["TW0406", "tw1265"]\n')
    status, _, err = tilewright("run", "--target", target, str(program))
    assert (status, ", 0 findings (" in err) == (0, True)
    status, _, err = tilewright("run", "--target", target, "--ignore=TW0405", str(program))
    assert (status, ", 1 finding (" in err) == (1, True)


def test_processes_of_a_program_ignore_the_same(tilewright: Command, project: Callable[[str], Path]) -> None:
    program = project('[tool.tilewright]\ntarget = "interp"\ncheck = "racecheck"\nignore = "TW0406"\n')
    outer = program.with_name("outer.py")
    outer.write_text(
        "import subprocess, sys\nsys.exit(subprocess.call([sys.executable, 'kernels/race.py']))\n"
    )
    status, _, err = tilewright("run", str(outer))
    assert (status, "TW0406" in err) == (0, False)


def test_settings_are_defaults_of_compile(tilewright: Command, project: Callable[[str], Path]) -> None:
    project(
        '[tool.tilewright.compile]\nemit = ["tileaa", "ptx"]\ntarget = "sm_80"\noutput = "built"\njobs = 2\n'
    )
    assert tilewright("compile", KERNEL)[0] == 0
    assert sorted(path.name for path in Path().glob("built*")) == ["built.ptx", "built.tileaa.mlir"]


def test_an_executor_takes_jobs_back(project: Callable[[str], Path]) -> None:
    project("[tool.tilewright.compile]\njobs = 2\n")
    compile = dict(commands())["compile"]
    assert defaults("compile", compile, ["."]) == {"jobs": 2}
    assert defaults("compile", compile, [".", "--executor=dask://localhost:1"]) == {}


WRONG = [
    ("[tool.tilewright]\n\nchekc = 'all'\n", ":3:1: error[TW0540]: [tool.tilewright] has no key 'chekc'", "did you mean 'check'?"),
    ("[tool.tilewright.rnu]\n", ":1:2: error[TW0540]: [tool.tilewright] has no key 'rnu'", "did you mean 'run'?"),
    ("[tool.tilewright.run]\nstop = true\n", ":2:1: error[TW0540]: [tool.tilewright.run] has no key 'stop'", "stop-at-first"),
    ("[tool.tilewright.run]\njson = true\n", ":2:1: error[TW0540]: [tool.tilewright.run] has no key 'json'", "output-format"),
    ("[tool.tilewright]\nrun.threads = 'x'\n", ":2:1: error[TW0540]: 'threads' is not a whole number", ""),
    ("[tool.tilewright]\nrun = 1\n", ":2:1: error[TW0540]: 'run' is not a table", ""),
    ("[tool.tilewright]\ntarget = ['cpu']\n", ":2:1: error[TW0540]: 'target' is not a text", ""),
    ("[tool.tilewright]\ncheck = ['memcheck', 1]\n", ":2:1: error[TW0540]: 'check' is not a text or a list of texts", ""),
    ("[tool.tilewright]\ntarget = 'cpuu'\n", ":2:1: error[TW0501]: unknown target 'cpuu'", "did you mean 'cpu'?"),
    ("[tool.tilewright]\ncheck = 'rececheck'\n", ":2:1: error[TW0502]: unknown check 'rececheck'", "did you mean 'racecheck'?"),
    ("[tool.tilewright]\ngpu = 'sm_1'\n", ":2:1: error[TW1301]", ""),
    ("[tool.tilewright]\nignore = 'TW9998'\n", ":2:1: error[TW0963]: 'TW9998' is no code", "TW0406,TW0411"),
    ("[tool.tilewright]\noutput-format = 'xml'\n", ":2:1: error[TW0540]: 'output-format': 'xml' is not one of", ""),
    ("[tool]\ntilewright = 3\n", ":2:1: error[TW0540]: 'tool.tilewright' is not a table", ""),
    ("[tool.tilewright]\ntarget = = 1\n", ":2:10: error[TW0540]: the file is no TOML", ""),
    ("[tool.tilewright]\nrun = {target = 'cpuu'}\n", ":2:1: error[TW0501]: unknown target", ""),
]  # fmt: skip


@pytest.mark.parametrize(("settings", "message", "hint"), WRONG, ids=range(len(WRONG)))
def test_wrong_settings_are_told_at_their_place(
    tilewright: Command, project: Callable[[str], Path], settings: str, message: str, hint: str
) -> None:
    status, out, err = tilewright("run", str(project(settings)))
    assert (status, out) == (2, "")
    assert err.startswith(f"pyproject.toml{message}")
    assert hint in err


def test_help_needs_no_settings(tilewright: Command, project: Callable[[str], Path]) -> None:
    project("[tool.tilewright]\nno = 1\n")
    assert tilewright("run", "--help")[0] == 0


def test_the_nearest_file_with_the_table_counts(
    project: Callable[[str], Path], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    folder = project('[tool.tilewright]\ntarget = "interp"\n').parent
    (folder / "pyproject.toml").write_text('[project]\nname = "tilewright-kernels"\n')
    assert (found := find(str(folder))) is not None
    assert found.table == {"target": "interp"}
    other = tmp_path / "other.toml"
    other.write_text("[tool.tilewright]\n")
    monkeypatch.setenv(VARIABLE, str(other))
    assert (found := find(str(folder))) is not None
    assert found.table == {}
    monkeypatch.setenv(VARIABLE, "")
    assert find(str(folder)) is None
    monkeypatch.setenv(VARIABLE, "missing.toml")
    with pytest.raises(DiagnosticError, match=r"there is no file 'missing.toml'\nhint: TILEWRIGHT_PROJECT"):
        find(str(folder))


def test_every_door_takes_the_common_keys_and_the_page_lists_them(project: Callable[[str], Path]) -> None:
    project("")
    page = (ROOT / "docs" / "guides" / "settings.md").read_text(encoding="utf-8")
    found = dict(commands())
    groups = {name.partition(" ")[0] for name in found if " " in name}
    assert set(DOORS) == COMMANDS.keys() - DIRECT.keys() - groups | {PYTEST}
    for key, doors in COMMON.items():
        options = {
            door: {name for one in found[door].params for name in one.opts}
            for door in doors
            if door != PYTEST
        }
        assert all(f"--{key}" in names for names in options.values())
        assert PYTEST not in doors or key in KINDS
        assert any(
            line.startswith(f"| `{key}` |")
            and line.endswith(f"| {', '.join(f'`{door}`' for door in doors)} |")
            for line in page.splitlines()
        )
    assert all(f"`{key}`" in page for key in KINDS)
