"""What launches find in programs: reported when it is found, and by the exit status, whatever the program does with it."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.gpu_programs.test_scripts import run, script
from tests.house.tree import ROOT, imported_from
from tilewright.ir.diagnostic import Diagnostic, DiagnosticError, Severity
from tilewright.runtime.findings import record as records
from tilewright.runtime.findings.record import recording

pytest.importorskip("cuda.tile")

HEAD = """
import atexit, os, sys, threading
import numpy as np
import cuda.tile as ct

@ct.kernel
def last_one_wins(out):
    ct.store(out, 0, ct.full((1,), ct.bid(0), ct.int32))

@ct.kernel
def look_up(x, indices, out):
    chosen = ct.load(indices, 0, shape=(4,))
    ct.store(out, 0, ct.gather(x, chosen, check_bounds=False))

def race():
    ct.launch(0, (4,), last_one_wins, (np.zeros(1, np.int32),))

def caught():
    try:
        race()
    except Exception:
        pass

def outside():
    indices = np.array([0, 1 << 27, 2, 3], np.int32)
    ct.launch(0, (1,), look_up, (np.zeros(100, np.float32), indices, np.zeros(4, np.float32)))

"""
RACE = "8:5: error[TW"
OUTSIDE = "13:22: error[TW"


@pytest.mark.parametrize("target", ["cpu", "interp", "sim:sm_80"])
def test_a_program_goes_on_behind_findings(
    target: str, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    file = script(tmp_path, HEAD + "race()\nrace()\noutside()\nprint('end')\n")
    assert run("run", "--target", target, "--check", "memcheck,racecheck", file) == 1
    out, err = capfd.readouterr()
    assert out == "end\n"
    starts = [line for line in err.splitlines() if line.startswith(file) and " error[" in line]
    first, second = starts  # each is printed once
    assert first.startswith(f"{file}:{RACE}")
    assert second.startswith(f"{file}:{OUTSIDE}")
    assert f"{file}:16:5: note: launched from here" in err
    assert "note: 1 finding at the same places as before not shown" in err
    assert f"tilewright: 2 kernels, 3 launches, 2 findings (target {target}, memcheck, racecheck), " in err


@pytest.mark.parametrize(
    "ending",
    [
        "caught()",
        "caught(); sys.exit()",
        "thread = threading.Thread(target=caught); thread.start(); thread.join()",
        "child = os.fork()\nif not child:\n    caught()\n    os._exit(0)\nos.waitpid(child, 0)",
    ],
    ids=["caught", "ended", "thread", "process"],
)
@pytest.mark.parametrize("options", [(), ("--stop-at-first",)], ids=["goes on", "stops"])
def test_what_a_program_catches_is_reported(
    ending: str, options: tuple[str, ...], tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    file = script(tmp_path, HEAD + ending + "\n")
    assert run("run", "--check", "racecheck", *options, file) == 1
    err = capfd.readouterr().err
    assert err.count(f"{file}:{RACE}0406]") == 1
    assert "1 kernel, 1 launch, 1 finding (target cpu, racecheck)" in err


def test_the_first_finding_may_end_a_program(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    file = script(tmp_path, HEAD + "race()\nprint('end')\n")
    assert run("run", "--check", "racecheck", "--stop-at-first", file) == 1
    out, err = capfd.readouterr()
    assert out == ""
    assert err.startswith(f"{file}:{RACE}0406]"), "editors look at the beginning of lines"
    assert f'File "{file}", line 16, in race' in err
    assert "DiagnosticError: see above" in err
    assert err.count("TW0406") == 1
    assert str(ROOT / "src") not in err


def test_the_programs_own_failure_follows_the_findings(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    file = script(tmp_path, HEAD + "race()\nassert False, 'mine'\n")
    assert run("run", "--check", "racecheck", file) == 1
    err = capfd.readouterr().err
    assert 0 <= err.index("TW0406") < err.index("AssertionError: mine")
    file = script(tmp_path, HEAD + "race()\nsys.exit(3)\n")
    assert run("run", "--check", "racecheck", file) == 3
    file = script(tmp_path, HEAD + "sys.exit('mine')\n")
    assert run("run", file) == 1
    assert "mine\n" in capfd.readouterr().err


def test_a_program_without_launches_has_not_been_checked(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    assert run("run", "--check", "all", script(tmp_path, "print('end')")) == 0
    err = capfd.readouterr().err
    assert "warning: no kernel was launched with checks, so nothing was checked" in err
    assert "0 kernels, 0 launches, 0 findings" in err
    assert run("run", script(tmp_path, "print('end')")) == 0
    assert capfd.readouterr().err == ""


def test_findings_in_forms_for_other_programs(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    file, sarif = script(tmp_path, HEAD + "race()\nrace()\n"), tmp_path / "out.sarif"
    words = ("--check", "racecheck", "--sarif", str(sarif))
    assert run("run", "--json", *words, file) == 1
    out, err = capfd.readouterr()
    report = json.loads(out)
    (found,) = report["findings"]
    assert (err, found["code"], found["line"], found["repeats"]) == ("", "TW0406", 8, 1)
    assert (report["kernels"], list(report["seconds"])) == ({"last_one_wins": 2}, ["program"])
    (log,) = json.loads(sarif.read_text(encoding="utf-8"))["runs"]
    assert [one["ruleId"] for one in log["results"]] == ["TW0406"]
    assert run("run", "--output-format=github", *words, file) == 1
    assert capfd.readouterr().out.startswith(f"::error file={file},line=8,col=5,title=TW0406 data race::")
    assert run("run", "--output-format=sarif", *words, file) == 1
    assert json.loads(capfd.readouterr().out) == json.loads(sarif.read_text(encoding="utf-8"))


REFUSED = """
import numpy as np
import cuda.tile as ct

@ct.kernel
def fill(x):
    ct.store(x, (0,), ct.full((4,), 1.0, ct.float32))

x = np.ones(4, np.float32)
x.flags.writeable = False
ct.launch(0, (1,), fill, (x,))
"""


@pytest.mark.parametrize("target", ["cpu", "interp", "sim:sm_80"])
def test_a_read_only_array_is_told_at_the_launch(
    target: str, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    file = script(tmp_path, REFUSED)
    assert run("run", "--target", target, file) == 1
    first, *rest = capfd.readouterr().err.splitlines()
    assert first.startswith(f"{file}:11:1: error[TW0404]: Invalid kernel argument #0: the array is read-only")
    assert "Traceback" not in "\n".join(rest)
    assert "DiagnosticError" not in "\n".join(rest)
    assert rest[-1] == "hint: pass a writeable copy, such as numpy.array(x)"


QUOTIENT = """
import numpy as np
import cuda.tile as ct

@ct.kernel
def quotient(x, y, out):
    ct.store(out, (0,), ct.load(x, (0,), shape=(4,)) / ct.load(y, (0,), shape=(4,)))

ct.launch(0, (1,), quotient, (np.ones(4, np.float32), np.array([1, 1, 0, 1], np.float32), np.ones(4, np.float32)))
"""


@pytest.mark.parametrize("target", ["cpu", "interp", "sim:sm_80"])
def test_an_operation_is_named_in_words_of_programs(
    target: str, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    file = script(tmp_path, QUOTIENT)
    assert run("run", "--target", target, "--check", "fpcheck", file) == 1
    first = capfd.readouterr().err.splitlines()[0]
    assert first.startswith(
        f"{file}:7:25: error[TW0411]: kernel 'quotient' in tile block (0, 0, 0): division: "
    )
    assert first.endswith("finite operands gave a NaN or an infinity at element [2], from 1.0 and 0.0")


def test_other_diagnostics_begin_a_line_too(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    file = script(tmp_path, "import tilewright\ntilewright.launch(b'no bytecode', 'k', 1, [])\n")
    assert run("run", file) == 1
    first, *_, last = capfd.readouterr().err.splitlines()
    assert " error[TW" in f" {first}"
    assert not first.startswith("tilewright.")
    assert last == "tilewright.ir.diagnostic.DiagnosticError: see above"


PLAIN = """
from tilewright import cutile

def check():
    cutile.launch((4,), last_one_wins, (np.zeros(1, np.int32),), target="interp", check="racecheck")

check()
"""


@pytest.mark.parametrize("hook", ["", "print('hook of', sys.excepthook.__module__)\n"], ids=["", "shown"])
def test_python_alone_shows_a_finding_as_the_command_does(hook: str, tmp_path: Path) -> None:
    file = script(tmp_path, HEAD + hook + PLAIN)
    done = plain(file)
    assert done.returncode == 1
    first, *_, last = done.stderr.splitlines()
    assert first.startswith(f"{file}:{RACE}0406]"), "editors look at the beginning of lines"
    assert ", in <module>" in done.stderr
    assert ", in check" in done.stderr
    assert last == "tilewright.ir.diagnostic.DiagnosticError: see above"
    assert done.stderr.count("TW0406") == 1
    assert str(ROOT / "src") not in done.stderr
    if hook:
        assert done.stdout == "hook of sys\n", "nothing is installed before something fails"


@pytest.mark.parametrize(
    ("program", "shown"),
    [
        (
            "tilewright.launch(b'no bytecode', 'k', 1, [])",
            "tilewright.ir.diagnostic.DiagnosticError: see above",
        ),
        ("tilewright.compile('nowhere.mlir')", "tilewright.ir.diagnostic.DiagnosticError: see above"),
        ("raise failed from ValueError('mine')", "tilewright.ir.diagnostic.DiagnosticError: see above"),
        ("raise KeyError('other')", "KeyError: 'other'"),
        ("sys.excepthook = lambda kind, error, trace: print('hook', file=sys.stderr); raise failed", "hook"),
    ],
)
def test_python_alone_shows_what_is_uncaught(program: str, shown: str, tmp_path: Path) -> None:
    head = "import sys\nimport tilewright\nfailed = tilewright.DiagnosticError([], 'error: words')\n"
    done = plain(script(tmp_path, f"{head}{program}\n"))
    assert done.returncode == 1
    assert done.stderr.splitlines()[-1] == shown
    assert str(ROOT / "src") not in done.stderr
    assert not done.stderr.startswith("tilewright.")
    assert ("error" in done.stderr.splitlines()[0]) == shown.startswith("tilewright.")
    assert ("line 4, in <module>" in done.stderr) == (shown != "hook")


def test_a_hook_that_the_program_has_set_before_stays(tmp_path: Path) -> None:
    text = "import sys\nsys.excepthook = lambda kind, error, trace: print(kind.__name__)\nimport tilewright\n"
    done = plain(script(tmp_path, f"{text}tilewright.launch(b'no bytecode', 'k', 1, [])\n"))
    assert (done.stdout, done.stderr) == ("DiagnosticError\n", "")


def plain(file: str) -> subprocess.CompletedProcess[str]:
    """Run a program with Python alone."""
    environment = {**os.environ, "PYTHONPATH": imported_from()}
    return subprocess.run(
        [sys.executable, file], capture_output=True, text=True, timeout=120, check=False, env=environment
    )


def test_records_nest_and_the_innermost_is_told() -> None:
    def find(place: str) -> None:
        records.report_findings(DiagnosticError([records_finding(place)]))

    def records_finding(text: str) -> Diagnostic:
        return Diagnostic(Severity.ERROR, text)

    with recording() as outer:
        with recording(goes_on=True) as inner:
            find("a")
            find("a")
        assert (len(inner.findings), sum(inner.repeats.values())) == (1, 1)
        assert [one.message for one in inner.take()] == ["a"]
        assert (len(inner.findings), sum(inner.repeats.values())) == (0, 0)
        with pytest.raises(DiagnosticError, match="b"):
            find("b")
    assert [one.message for one in outer.findings] == ["b"]
    assert records.VARIABLE not in os.environ
    with pytest.raises(DiagnosticError):
        find("c")


def test_started_processes_tell_the_programs_record(monkeypatch: pytest.MonkeyPatch) -> None:
    """What `interpreter_start` does in a process that was not forked; here it is this one."""
    monkeypatch.setattr(records, "_open", [])
    with recording() as record:
        monkeypatch.setattr(records, "_open", [])
        records.inherit()
        with pytest.raises(DiagnosticError):
            records.report_findings(DiagnosticError([Diagnostic(Severity.ERROR, "far")]))
        records._open[0].close()
        monkeypatch.setattr(records, "_open", [record])
        record.gather()
        assert [one.message for one in record.findings] == ["far"]
    monkeypatch.setenv(records.VARIABLE, "stop:/proc/0/fd/0")
    monkeypatch.setattr(records, "_open", [])
    records.inherit()
    assert records._open == []


LATE = """
from tilewright import cutile

def late():
    cutile.launch((4,), last_one_wins, (np.zeros(1, np.int32),), check="racecheck", target="interp")

atexit.register(late)
print("end")
"""


def test_what_is_found_at_exit_decides_the_status(tmp_path: Path) -> None:
    file = script(tmp_path, HEAD + LATE)
    words = [sys.executable, "-m", "tilewright", "run", "--check", "racecheck", file]
    ended = subprocess.run(words, capture_output=True, text=True, check=False)
    assert (ended.returncode, ended.stdout) == (1, "end\n")
    assert ended.stderr.count(f"{file}:{RACE}0406]") == 1
