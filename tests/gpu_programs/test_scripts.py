"""Python programs on the command line: `tilewright run script.py`, and what is refused."""

from __future__ import annotations

import os
import runpy
import sys
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest

from tests.house.tree import ROOT, run_python
from tilewright.cli.color import take_option
from tilewright.cli.main import main
from tilewright.cli.program import split_at_script
from tilewright.gpu_programs import ProgramSettings, active, routed
from tilewright.gpu_programs.frontend_answers import answer_for_compiler
from tilewright.gpu_programs.patches import Patches
from tilewright.ir.diagnostic import DiagnosticError
from tilewright.targets.nvptx import simulated

KERNEL = """
import sys
import numpy as np
import cuda.tile as ct
from cuda.tile import launch

@ct.kernel
def last_one_wins(out):
    ct.store(out, 0, ct.full((1,), ct.bid(0), ct.int32))

def start():
    out = np.zeros(1, np.int32)
    launch(0, (4,), last_one_wins, (out,))
    print(sys.argv[1:], 0 <= out[0] < 4)

if __name__ == "__main__":
    start()
"""


def run(*words: str) -> int:
    with pytest.raises(SystemExit) as end:
        main(list(words))
    assert active() is None
    return int(end.value.code or 0)


def script(folder: Path, text: str) -> str:
    path = folder / "program.py"
    path.write_text(text, encoding="utf-8")
    return str(path)


def test_a_program_runs_with_its_own_arguments(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    pytest.importorskip("cuda.tile")
    before = sys.argv, sys.path[:], dict(os.environ)
    assert run("run", script(tmp_path, KERNEL), "--check", "mine", "--color", "blue") == 0
    assert capfd.readouterr().out == "['--check', 'mine', '--color', 'blue'] True\n"
    assert (sys.argv, sys.path, dict(os.environ)) == before


def test_the_command_may_be_left_out(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    assert run(script(tmp_path, "import sys\nprint(__name__, sys.argv[1:])"), "--help") == 0
    assert capfd.readouterr().out == "__main__ ['--help']\n"


def test_a_finding_is_shown_with_the_programs_lines_only(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    pytest.importorskip("cuda.tile")
    file = script(tmp_path, KERNEL)
    assert run("run", "--check", "racecheck", "--stop-at-first", file) == 1
    shown = capfd.readouterr().err
    assert f'File "{file}", line 13, in start' in shown
    assert f"{file}:9:5: error[TW0406]" in shown
    assert str(ROOT / "src") not in shown


@pytest.mark.parametrize("named", ["", ', target="cpu", check="fpcheck"'])
def test_launches_through_the_bridge_are_checked_as_those_of_the_frontend(
    named: str, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    pytest.importorskip("cuda.tile")
    bridge = KERNEL.replace("from cuda.tile import launch", "from tilewright.cutile import launch")
    file = script(
        tmp_path,
        bridge.replace("launch(0, (4,), last_one_wins, (out,)", f"launch((4,), last_one_wins, (out,){named}"),
    )
    assert run("run", file) == 0
    assert run("run", "--check", "racecheck", file) == 1
    assert f"{file}:9:5: error[TW0406]" in capfd.readouterr().err


SIMULATED = """
import numpy as np
import cuda.tile as ct
import cupy

@ct.kernel
def numbers(out):
    ct.store(out, ct.bid(0), ct.full((1,), ct.bid(0), ct.int32))

out = np.zeros(4, np.int32)
ct.launch(0, (4,), numbers, (out,))
print(out, cupy.cuda.runtime.getDeviceProperties(0)["major"])
"""


@pytest.mark.parametrize("named", ["on the command line", "in the environment"])
def test_a_program_runs_in_the_simulator(
    named: str, tmp_path: Path, capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its launches are those of code for the GPU, which it is told of, too."""
    pytest.importorskip("cuda.tile")
    ran: list[tuple[str, ...]] = []
    launch = simulated.launch

    def seen(module: Any, *arguments: Any, **named: Any) -> Any:
        ran.append(module.target)
        return launch(module, *arguments, **named)

    monkeypatch.setattr(simulated, "launch", seen)
    file = script(tmp_path, SIMULATED)
    if named == "on the command line":
        assert run("run", "--target", "sim:sm_90a", file) == 0
    else:
        with routed(ProgramSettings.from_environment({"TILEWRIGHT": "sim:sm_90a"})):
            runpy.run_path(file)
    assert capfd.readouterr().out == "[0 1 2 3] 9\n"
    assert ran == [("sm_90a",)]


def test_errors_of_the_program_are_shown_as_python_does(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    file = script(tmp_path, "def f():\n    assert False, 'mine'\nf()\n")
    assert run("run", file) == 1
    lines = capfd.readouterr().err.splitlines()
    assert (lines[0], lines[-1]) == ("Traceback (most recent call last):", "AssertionError: mine")
    assert sum("File" in line for line in lines) == 2


def test_the_exit_status_is_the_programs(tmp_path: Path) -> None:
    assert run("run", script(tmp_path, "raise SystemExit(7)")) == 7


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["run", "nowhere.py"], "TW1303"),
        (["run", "--gpu", "sm_1", "nowhere.py"], "TW1301"),
        (["run", "--target", "moon", "nowhere.py"], "TW0501"),
        (["run", "--grid", "4", "nowhere.py"], "--grid is for files with a kernel"),
    ],
)
def test_what_cannot_be_run_is_refused(
    words: list[str], said: str, capfd: pytest.CaptureFixture[str]
) -> None:
    assert run(*words) == 2
    assert said in capfd.readouterr().err


def test_words_behind_a_program_are_the_programs() -> None:
    assert split_at_script(["--gpu", "sm_90", "a.py", "b.py", "-x"]) == (
        ["--gpu", "sm_90", "a.py"],
        ["b.py", "-x"],
    )
    assert take_option(["run", "--color", "never", "a.py", "--color", "blue"]) == (
        ["run", "a.py", "--color", "blue"],
        "never",
    )


def test_settings_are_told_to_processes_that_the_program_starts() -> None:
    settings = ProgramSettings.of("interp", "memcheck,racecheck", "sm_90")
    assert ProgramSettings.from_environment(settings.environment()) == settings
    assert ProgramSettings.from_environment({}) == ProgramSettings()
    told = {"sim:sm_75": "sm_80", "sim:sm_80": "sm_80", "sim:sm_90a": "sm_90", "sim:sm_103a": "sm_100"}
    assert {target: ProgramSettings.of(target).gpu for target in told} == told
    assert ProgramSettings.of("sim:sm_80", gpu="sm_120").gpu == "sm_120"
    with pytest.raises(DiagnosticError, match="TW0502"):
        ProgramSettings.from_environment({"TILEWRIGHT_CHECK": "luck"})


START = """
import site, sys
site.addsitedir(sys.argv[1])  # reads tilewright.pth, as Python does with its site-packages when it starts
print(sorted(name for name in sys.modules if name.startswith("tilewright.gpu_programs")) != [])
from tilewright import gpu_programs
print(gpu_programs.active() and gpu_programs.active().settings.checks)
"""


@pytest.mark.parametrize(
    ("value", "said"), [("cpu", "True ('memcheck',)"), ("", "False None"), ("0", "True None")]
)
def test_pythons_start_reads_the_environment(value: str, said: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TILEWRIGHT", value)
    monkeypatch.setenv("TILEWRIGHT_CHECK", "memcheck")
    assert run_python(START, arguments=[str(ROOT / "src")]).split("\n")[:2] == said.split(" ", 1)


def test_starting_imports_no_library_of_the_program() -> None:
    program = "import sys\nfrom tilewright.gpu_programs import ProgramSettings, routed\nwith routed(ProgramSettings()): pass\n"
    program += "print(sorted({'numpy', 'torch', 'cuda', 'llvmlite', 'cupy'} & set(sys.modules)))"
    assert run_python(program).strip() == "[]"


def test_routings_nest_and_modules_are_changed_when_they_are_imported() -> None:
    with routed(ProgramSettings(gpu="sm_80")) as outer:
        with routed(ProgramSettings(gpu="sm_90")):
            found = import_module("cupy").cuda.runtime.getDeviceProperties(0)
        after = active()
        assert after is not None
        assert after.settings == outer.settings
    assert found["major"] == 9
    assert active() is None


class VendorsCompiler:
    """What the frontend has of the vendor's compiler, where it is not installed."""

    _SUPPORTED_VERSIONS = ("13.1", "13.4")

    def __init__(self) -> None:
        self.searches = 0
        self._get_max_supported_bytecode_version = self._newest
        self._find_compiler_bin = self._search

    def _newest(self, folder: str) -> str:
        raise AssertionError("there is no compiler to ask")

    def _search(self) -> str:
        self.searches += 1
        raise FileNotFoundError("not installed")


def test_the_vendors_compiler_is_looked_for_when_somebody_asks() -> None:
    compiler, patches = VendorsCompiler(), Patches()
    answer_for_compiler(compiler, patches)
    assert compiler.searches == 0
    assert compiler._get_max_supported_bytecode_version("folder") == "13.4"
    assert compiler._find_compiler_bin().path == "not installed"
    with pytest.raises(FileNotFoundError, match="not installed"):
        compiler._find_compiler_bin().run()
    assert compiler.searches == 1
    patches.undo()
    with pytest.raises(FileNotFoundError):
        compiler._find_compiler_bin()


LATE = """
import atexit, sys, threading, time
import torch

def late(where):
    print(where, torch.zeros(1, device="cuda").device, sys.argv[1:], flush=True)

def thread():
    threading.main_thread().join(0.2)
    late("thread")

atexit.register(late, "atexit")
threading.Thread(target=thread).start()
"""


def test_threads_and_functions_of_the_end_still_find_the_gpu(tmp_path: Path) -> None:
    """The command as a process: what it changed stays until Python ends."""
    pytest.importorskip("torch")
    program = "import sys\nfrom tilewright.cli.main import main\nsys.argv[0] = 'tilewright'\nmain()\n"
    said = run_python(program, arguments=("run", script(tmp_path, LATE), "mine"))
    assert said.splitlines() == ["thread cuda:0 ['mine']", "atexit cuda:0 ['mine']"]


def test_the_programs_own_hook_gets_its_exception(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    text = "import sys\nsys.excepthook = lambda kind, error, trace: print(kind.__name__, trace.tb_frame.f_code.co_name)\n"
    before = sys.excepthook
    sys.excepthook = sys.__excepthook__
    try:
        assert run("run", script(tmp_path, text + "def f():\n    1 / 0\nf()\n")) == 1
        assert capfd.readouterr() == ("ZeroDivisionError <module>\n", "")
        assert run("run", script(tmp_path, "import sys\nsys.excepthook = lambda *a: 1 / 0\n{}[3]\n")) == 1
    finally:
        sys.excepthook = before
    shown = capfd.readouterr().err
    assert shown.startswith("Error in sys.excepthook:\n")
    assert (
        shown.index("ZeroDivisionError") < shown.index("Original exception was:") < shown.index("KeyError: 3")
    )


@pytest.fixture
def package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder of a package that is run as a program, from which the test runs."""
    folder = tmp_path / "packed_program"
    folder.mkdir()
    (folder / "__init__.py").write_text("")
    (folder / "values.py").write_text("VALUE = 3\n")
    (folder / "other.py").write_text("print(__name__, __package__)\n")
    (folder / "__main__.py").write_text(
        "import sys\nfrom .values import VALUE\nprint(__name__, VALUE, sys.argv[0][-11:], sys.argv[1:])\n"
    )
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_a_module_runs_as_with_python(package: Path, capfd: pytest.CaptureFixture[str]) -> None:
    before = sys.argv, sys.path[:]
    assert run("run", "--gpu", "sm_90", "-m", "packed_program", "a.py", "--check", "b", "--color", "c") == 0
    words = "['a.py', '--check', 'b', '--color', 'c']"
    assert capfd.readouterr().out == f"__main__ 3 __main__.py {words}\n"
    assert (sys.argv, sys.path) == before
    assert run("run", "-m", "packed_program.other") == 0
    assert capfd.readouterr().out == "__main__ packed_program\n"


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["-m", "nowhere_at_all"], "there is no module 'nowhere_at_all'"),
        (["-m", "nowhere_at_all.inner"], "there is no module 'nowhere_at_all.inner'"),
        (["-m", "empty_package"], "the package 'empty_package' has no module __main__"),
        (["-m"], "-m"),
        ([], "Missing argument 'FILE'"),
    ],
)
def test_modules_that_cannot_be_run_are_refused(
    words: list[str], said: str, package: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    (package / "empty_package").mkdir()
    (package / "empty_package" / "__init__.py").write_text("")
    assert run("run", *words) == 2
    assert said in capfd.readouterr().err
