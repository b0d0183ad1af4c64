"""Mistakes in kernels that cuTile's frontend reports: short diagnostics that name the line and a way out, at every door."""

from __future__ import annotations

import importlib.util
import json
import os
import pickle
import subprocess
import sys
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
import pytest

from tests.support.mistakes import Mistake, check, failures_of, module_of, program_of, suite_of
from tilewright import cutile
from tilewright.cli.main import main
from tilewright.ir.diagnostic import DiagnosticError

ct: Any = pytest.importorskip("cuda.tile")

HEAD = "import numpy as np\nimport cuda.tile as ct\n\n\ndef again(one):\n    return again(one) + 1\n\n\n@ct.kernel"
MISTAKES = (
    Mistake("misspelt", "a = ct.laod(x, (0,), (16,))", "ct.laod", "TW0520", "did you mean 'load'?"),
    Mistake(
        "method",
        "a = ct.load(x, (0,), (16,)).asytpe(ct.int32)",
        "ct.load",
        "TW0520",
        "did you mean 'astype'?",
    ),
    Mistake("attribute", "a = x.shapes", "x.shapes", "TW0520", "did you mean 'shape'?"),
    Mistake(
        "variable", "result = 1\nct.store(out, (0,), reslut)", "reslut", "TW0520", "did you mean 'result'?"
    ),
    Mistake("unassigned", "ct.store(out, (0,), qqq)", "qqq", "TW0520", "assign 'qqq' before this line"),
    Mistake("thirty", "a = ct.load(x, (0,), (30,))", "ct.load", "TW0521", "the next power of two"),
    Mistake(
        "extents",
        "a = ct.load(x, (0,), (16,)) + ct.load(x, (0,), (32,))",
        "ct.load",
        "TW0521",
        "equal extents",
    ),
    Mistake(
        "rank",
        "a = ct.load(x, (0, 0), (16, 16))",
        "ct.load",
        "TW0521",
        "one index and one extent for each axis",
    ),
    Mistake("axis", "a = ct.bid(3)", "ct.bid", "TW0521", "the axes 0, 1 and 2"),
    Mistake(
        "reshape",
        "a = ct.reshape(ct.load(x, (0,), (16,)), (4, 8))",
        "ct.reshape",
        "TW0521",
        "as many elements",
    ),
    Mistake("condition", "if ct.load(x, (0,), (16,)) > 0:\n    pass", "ct.load", "TW0522", "ct.where"),
    Mistake("bits", "a = ct.load(x, (0,), (16,)) & 3", "ct.load", "TW0522", "ct.astype"),
    Mistake(
        "loop",
        "a = 1\nfor i in range(4):\n    a = ct.load(x, (i,), (16,))",
        "a = ct",
        "TW0522",
        "of the same type",
    ),
    Mistake("missing", "a = ct.load(x, (0,))", "ct.load", "TW0523", "signature"),
    Mistake("too_many", "a = ct.bid(0, 1)", "ct.bid", "TW0523", "signature"),
    Mistake("unpacked", "a, b = (1, 2, 3)", "a, b", "TW0523", "as many names"),
    Mistake(
        "caught", "try:\n    pass\nexcept Exception:\n    pass", "try:", "TW0524", "outside of the kernel"
    ),
    Mistake("numpy", "a = np.zeros(16)", "np.zeros", "TW0524", "before the launch"),
    Mistake("returned", "return 5", "return", "TW0524", "store the result"),
    Mistake("element", "a = x[0]", "x[0]", "TW0524", "ct.load or ct.gather"),
    Mistake("recursive", "again(x)", "again(one) +", "TW0524", "as a loop"),
    Mistake("varying", "a = ct.load(x, (0,), (ct.bid(0),))", "ct.load", "TW0525", "ct.Constant"),
    Mistake("asserted", "ct.static_assert(x.ndim == 3, 'three axes')", "ct.static_assert", "TW0526", "holds"),
)
TEXT = module_of(HEAD, "x, out", MISTAKES)


@pytest.fixture(scope="module")
def kernels(tmp_path_factory: pytest.TempPathFactory) -> ModuleType:
    file = tmp_path_factory.mktemp("mistakes") / "mistaken_kernels.py"
    file.write_text(TEXT, encoding="utf-8")
    spec = importlib.util.spec_from_file_location("mistaken_kernels", file)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def mistake_of(kernels: ModuleType, name: str) -> DiagnosticError:
    x = np.zeros(64, np.float32)
    with pytest.raises(DiagnosticError) as caught:
        cutile.launch(1, getattr(kernels, name), (x, x.copy()))
    return caught.value


@pytest.mark.parametrize("mistake", MISTAKES, ids=lambda one: one.name)
def test_the_message(kernels: ModuleType, mistake: Mistake) -> None:
    error = mistake_of(kernels, mistake.name)
    check(str(error), str(kernels.__file__), TEXT, mistake)
    assert isinstance(error, ct.TileError)
    assert str(error).splitlines()[-1].startswith("hint: ")
    assert "note: launched from here" in str(error)
    assert error.__cause__ is None
    assert error.__suppress_context__


def test_the_exception_is_the_frontends_too(kernels: ModuleType) -> None:
    error: Any = mistake_of(kernels, "thirty")
    assert isinstance(error, ct.TileTypeError)
    assert (
        error.message
        == 'Invalid argument "shape" of load(): Dimension #0 of shape (30,) is not a power of two'
    )
    assert error.loc.line == error.diagnostics[0].location.source[1]
    again = pickle.loads(pickle.dumps(error))
    assert (type(again), str(again)) == (type(error), str(error))


def test_a_traceback_has_one_frame_of_ours_unless_somebody_asks(
    kernels: ModuleType, monkeypatch: pytest.MonkeyPatch
) -> None:
    trace: Any = mistake_of(kernels, "misspelt").__traceback__
    assert trace.tb_next.tb_next is None
    monkeypatch.setenv("TILEWRIGHT_TRACEBACK", "1")
    cause = mistake_of(kernels, "misspelt").__cause__
    assert isinstance(cause, ct.TileTypeError)
    assert not isinstance(cause, DiagnosticError)


LAUNCH = """
def launch(kernel):
    x = np.zeros(64, np.float32)
    ct.launch(0, (1,), kernel, (x, x.copy()))
"""


def test_run_shows_every_mistake_so(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "mistaken_program.py"
    file.write_text(program_of(TEXT, LAUNCH), encoding="utf-8")
    for mistake in MISTAKES:
        assert run("run", str(file), mistake.name) == 1
        check(capfd.readouterr().err, str(file), TEXT, mistake)


def test_pytest_shows_every_mistake_so(tmp_path: Path) -> None:
    file = tmp_path / "test_mistaken_suite.py"
    file.write_text(suite_of(TEXT, LAUNCH, MISTAKES), encoding="utf-8")
    shown = failures_of(file)
    assert list(shown) == [mistake.name for mistake in MISTAKES]
    for mistake in MISTAKES:
        check(shown[mistake.name], str(file), TEXT, mistake)


PROGRAM = """
import numpy as np
import cuda.tile as ct

@ct.kernel
def kernel(x):
    ct.stroe(x, 0, 1.0)

def test_it():
    ct.launch(0, (1,), kernel, (np.zeros(1, np.float32),))

if __name__ == "__main__":
    test_it()
"""


@pytest.fixture
def program(tmp_path: Path) -> str:
    file = tmp_path / "test_program.py"
    file.write_text(PROGRAM, encoding="utf-8")
    return str(file)


def run(*words: str) -> int:
    with pytest.raises(SystemExit) as ended:
        main(list(words))
    assert isinstance(ended.value.code, int)
    return ended.value.code


def test_run_shows_the_message_alone(program: str, capfd: pytest.CaptureFixture[str]) -> None:
    assert run("run", program) == 1
    lines = capfd.readouterr().err.splitlines()
    assert lines[0] == f"{program}:7:5: error[TW0520]: Module 'cuda.tile' has no attribute 'stroe'"
    assert lines[-2:] == [f"{program}:10:5: note: launched from here", "hint: did you mean 'store'?"]
    assert len(lines) <= 8
    assert run("run", "--traceback", program) == 1
    err = capfd.readouterr().err
    assert "cuda/tile" in err
    assert "Traceback" in err


def test_run_reports_it_to_other_programs(
    program: str, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    assert run("run", "--json", "--sarif", str(tmp_path / "out"), program) == 1
    out, err = capfd.readouterr()
    (found,) = json.loads(out)["findings"]
    assert (err, found["code"], found["line"], found["hints"]) == ("", "TW0520", 7, ["did you mean 'store'?"])
    (log,) = json.loads((tmp_path / "out").read_text(encoding="utf-8"))["runs"]
    assert [one["ruleId"] for one in log["results"]] == ["TW0520"]
    assert run("run", "--output-format=github", program) == 1
    assert capfd.readouterr().out.startswith(f"::error file={program},line=7,col=5,title=TW0520")


def test_a_program_that_catches_it_ends_well(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "program.py"
    caught = PROGRAM.replace(
        "    test_it()\n", "    try:\n        test_it()\n    except ct.TileTypeError:\n        print('no')\n"
    )
    file.write_text(caught, encoding="utf-8")
    assert run("run", "--check", "all", str(file)) == 0
    assert capfd.readouterr().out == "no\n"


def test_python_shows_it_so_where_the_environment_asks_for_tilewright(program: str) -> None:
    begin = "import sys, runpy; from tilewright.gpu_programs.pytorch.saving import begin; begin(); "
    words = [sys.executable, "-c", f"{begin}runpy.run_path({program!r}, run_name='__main__')"]
    ended = subprocess.run(
        words, env={**os.environ, "TILEWRIGHT": "cpu"}, capture_output=True, text=True, check=False
    )
    assert ended.returncode == 1
    assert ended.stderr.startswith(f"{program}:7:5: error[TW0520]")
    assert len(ended.stderr.splitlines()) <= 8


@pytest.mark.parametrize("target", ["cpu", "interp"])
def test_a_kernel_without_a_file_is_told_so(target: str) -> None:
    """Python keeps no text of what is typed at its prompt or made by `exec`."""
    made: dict[str, Any] = {"ct": ct}
    text = "@ct.kernel\ndef typed(x):\n    ct.store(x, (0,), ct.load(x, (0,), (4,)))\n"
    # Python 3.13 keeps the text of `python -c`, which starts processes of pytest-xdist, as that of ``<string>``.
    exec(compile(text, "<typed>", "exec"), made)
    with pytest.raises(DiagnosticError) as caught:
        cutile.launch(1, made["typed"], [np.zeros(4, np.float32)], target=target)
    (found,) = caught.value.diagnostics
    assert str(found.code) == "TW0528"
    assert found.hints == ["write the kernel into a file or a cell of a notebook"]
