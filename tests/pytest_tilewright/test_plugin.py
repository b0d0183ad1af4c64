"""The pytest plugin, on a small suite of its own: each run is a process, as users start it."""

from __future__ import annotations

import json
import os
import sys
import sysconfig
import tomllib
from argparse import Namespace
from importlib import import_module
from pathlib import Path

import pytest

from tests.house.tree import ROOT, imported_from
from tilewright.gpu_programs import active
from tilewright.pytest_plugin import DEFAULTS

pytest.importorskip("cuda.tile")
SOURCE = ROOT / "src"

KERNELS = """
import cuda.tile as ct

@ct.kernel
def last_one_wins(out):
    ct.store(out, 0, ct.full((1,), ct.bid(0), ct.int32))

@ct.kernel
def spin(out, count: int):
    for i in range(count):
        ct.store(out, 0, ct.load(out, 0, (1,)) + 1)

@ct.kernel
def never(out, last: int):
    while ct.load(out, 0, (1,)).item() != last:
        ct.store(out, 0, ct.load(out, 0, (1,)) * last)
"""
SUITE = """
import cuda.tile as ct, cupy as cp, pytest
from kernels import last_one_wins, spin

def race(blocks):
    ct.launch(cp.cuda.get_current_stream(), (blocks,), last_one_wins, (cp.zeros(1, dtype=cp.int32),))

def test_clean():
    race(1)

def test_race():
    race(4)

@pytest.mark.tilewright_finds("TW0406")
def test_marked():
    race(4)

@pytest.mark.tilewright_finds("TW0402")
def test_marked_with_another():
    race(4)

@pytest.mark.tilewright_finds("TW0406")
def test_marked_in_vain():
    race(1)

def test_fixture(tilewright_findings):
    with tilewright_findings.expected("TW0406") as found:
        race(4)
    assert [str(one.code) for one in found] == ["TW0406"]

def test_capability():
    assert cp.cuda.runtime.getDeviceProperties(0)["major"] == 9
"""


@pytest.fixture(name="suite")
def small_suite(pytester: pytest.Pytester, monkeypatch: pytest.MonkeyPatch) -> pytest.Pytester:
    monkeypatch.setenv("PYTHONPATH", imported_from())
    monkeypatch.delenv("GITHUB_ACTIONS", raising=False)
    pytester.makepyfile(kernels=KERNELS, test_suite=SUITE)
    pytester.makeini("[pytest]\naddopts = --strict-markers -p no:cacheprovider")
    return pytester


def run(suite: pytest.Pytester, *words: str) -> pytest.RunResult:
    return suite.runpytest_subprocess("-p", "tilewright.pytest_plugin", *words)


CHECKED = (
    *("--tilewright", "--tilewright-target=interp"),  # which has nothing to compile
    *("--tilewright-check=racecheck", "--tilewright-gpu=sm_90"),
)


def test_findings_are_failures_at_the_line_of_the_kernel(
    suite: pytest.Pytester, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("GITHUB_ACTIONS", "true")
    result = run(suite, *CHECKED, "--tilewright-sarif=out.sarif", "-n", "2")
    result.assert_outcomes(passed=4, failed=3)
    shown = result.stdout.str()
    kernels = suite.path / "kernels.py"
    assert "\nkernels.py:5: TW0406" in shown
    assert "FAILED test_suite.py::test_race - TW0406: kernel 'last_one_wins'" in shown
    assert "tilewright found nothing of TW0406" in shown
    assert str(ROOT / "src") not in shown
    assert "1 kernel, 4 launches, 1 finding " in shown
    assert f"::error file={kernels},line=5,col=5,title=TW0406" in shown
    _check_sarif(suite.path / "out.sarif")


def test_settings_of_the_project_are_defaults(suite: pytest.Pytester) -> None:
    """In workers, too; options win, and a wrong setting is a wrong command line."""
    settings = suite.path / "pyproject.toml"
    settings.write_text(
        '[tool.tilewright]\ntarget = "interp"\ngpu = "sm_90"\ncheck = "fpcheck"\n'
        '[tool.tilewright.pytest]\ncheck = ["racecheck", "memcheck"]\nsarif = "out.sarif"\ntimeout = 100\n'
    )
    result = run(suite, "--tilewright", "-n", "1")
    result.assert_outcomes(passed=4, failed=3)
    assert "4 launches, 1 finding (target interp, memcheck, racecheck)" in result.stdout.str()
    _check_sarif(suite.path / "out.sarif")
    result = run(suite, "--tilewright", "--tilewright-check=memcheck", "-k", "test_race")
    assert "0 findings (target interp, memcheck)" in result.stdout.str()
    result = run(suite, "--tilewright", "--tilewright-ignore=TW0406", "-k", "test_race")
    result.assert_outcomes(passed=1)
    settings.write_text("[tool.tilewright.pytest]\ntimeuot = 3\n")
    result = run(suite, "--tilewright")
    assert result.ret == pytest.ExitCode.USAGE_ERROR
    said = result.stderr.str()
    assert "pyproject.toml:2:1: error[TW0540]: [tool.tilewright.pytest] has no key 'timeuot'" in said
    assert "did you mean 'timeout'?" in said


def test_ignores_of_all_workers_count(suite: pytest.Pytester) -> None:
    """A finding that is ignored fails no test; an ignore is unused if no worker needed it."""
    suite.makepyfile(
        test_suite="""
        import cuda.tile as ct, cupy as cp, pytest

        @ct.kernel
        def last_one_wins(out):
            ct.store(out, 0, ct.full((1,), ct.bid(0), ct.int32))  # tilewright: ignore[TW0406]

        @ct.kernel
        def right(out):
            ct.store(out, ct.bid(0), ct.full((1,), 1, ct.int32))  # tilewright: ignore[TW0406]

        @pytest.mark.parametrize("blocks", [1, 4, 1, 4])
        def test_it(blocks):
            ct.launch(0, (blocks,), last_one_wins, (cp.zeros(1, dtype=cp.int32),))
            ct.launch(0, (blocks,), right, (cp.zeros(4, dtype=cp.int32),))
        """
    )
    result = run(suite, *CHECKED, "-n", "2")
    result.assert_outcomes(passed=4)
    shown = result.stdout.str()
    place = f"{suite.path / 'test_suite.py'}:9:59"
    assert f"{place}: warning[TW0962]: nothing was found here that is ignored as TW0406" in shown
    assert shown.count("TW0962") == 1


def _check_sarif(path: Path) -> None:
    (log,) = json.loads(path.read_text(encoding="utf-8"))["runs"]
    assert [rule["id"] for rule in log["tool"]["driver"]["rules"]] == ["TW0406"]
    places = {
        (place["artifactLocation"]["uri"], place["region"]["startLine"])
        for result in log["results"]
        for place in (one["physicalLocation"] for one in result["locations"])
    }
    assert places == {("kernels.py", 5)}


def test_kernels_may_run_in_the_simulator(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """In this process: what the plugin does with its options once pytest has started."""
    options = dict.fromkeys(DEFAULTS) | {"target": "sim:sm_90a", "timeout": 0.0}
    given = Namespace(**{f"tilewright_{name}": value for name, value in options.items()})
    run = import_module("tilewright.pytest_plugin.running").SuiteRun(given, str(tmp_path))
    try:
        routing = active()
        assert routing is not None
        assert (routing.settings.target, routing.settings.gpu) == ("sim:sm_90a", "sm_90")
        assert os.environ["TILEWRIGHT"] == "sim:sm_90a", "for processes that tests start"
    finally:
        run.pytest_unconfigure()


def test_a_time_limit_ends_kernels(suite: pytest.Pytester) -> None:
    suite.makepyfile(
        test_suite="""
        import cuda.tile as ct, cupy as cp
        from kernels import spin

        ct.launch(0, (1,), spin, (cp.zeros(1, dtype=cp.int32), 2))  # the first one of all takes longer

        def test_long():
            ct.launch(0, (1,), spin, (cp.zeros(1, dtype=cp.int32), 2**31 - 1))
        """
    )
    result = run(suite, "--tilewright", "--tilewright-target=interp", "--tilewright-timeout=1")
    result.assert_outcomes(failed=1)
    result.stdout.fnmatch_lines(["*tests in sizes of a GPU take long on a CPU*"])


def test_a_time_limit_ends_the_loop_of_a_kernel(suite: pytest.Pytester) -> None:
    """The message names the loop, has nothing of the runtime, and the next test runs."""
    suite.makepyfile(
        test_suite="""
        import cuda.tile as ct, cupy as cp
        from kernels import never

        def launch(last):
            ct.launch(0, (1,), never, (cp.zeros(1, dtype=cp.int32), last))

        launch(0)  # compiles, which no limit is for

        def test_first():
            launch(0)

        def test_long():
            launch(1)

        def test_next():
            launch(0)
        """
    )
    result = run(suite, "--tilewright", "--tilewright-timeout=1")
    result.assert_outcomes(passed=2, failed=1)
    result.stdout.fnmatch_lines(
        [
            "*it ended kernel 'never' in tile block (0, 0, 0), in the loop at *kernels.py:14",
            "*kernels.py:14: TimeLimit",
        ]
    )
    shown = result.stdout.str() + result.stderr.str()
    assert "watchdog" not in shown
    assert "sizes of a GPU" not in shown, "the loop is known"
    assert "runtime/kernel.py" not in shown


def test_a_time_limit_of_a_test_without_launches_speaks_of_no_sizes(suite: pytest.Pytester) -> None:
    suite.makepyfile(test_suite="import time\n\ndef test_long():\n    time.sleep(60)\n")
    result = run(suite, "--tilewright", "--tilewright-timeout=0.2")
    result.assert_outcomes(failed=1)
    assert "sizes of a GPU" not in result.stdout.str()


@pytest.mark.parametrize("target", ["cpu", "interp", "sim:sm_80"])
def test_a_finding_tells_element_and_operands(target: str, suite: pytest.Pytester) -> None:
    suite.makepyfile(
        test_suite="""
        import cuda.tile as ct
        import numpy as np

        @ct.kernel
        def quotient(x, y, out):
            ct.store(out, (0,), ct.load(x, (0,), shape=(4,)) / ct.load(y, (0,), shape=(4,)))

        def test_quotient():
            y = np.array([1, 1, 0, 1], np.float32)
            ct.launch(0, (1,), quotient, (np.ones(4, np.float32), y, np.ones(4, np.float32)))
        """
    )
    result = run(suite, "--tilewright", f"--tilewright-target={target}", "--tilewright-check=fpcheck")
    result.assert_outcomes(failed=1)
    result.stdout.fnmatch_lines(["*: division: * at element [[]2], from 1.0 and 0.0*"])


def test_a_time_limit_ends_simulated_kernels(suite: pytest.Pytester) -> None:
    suite.makepyfile(
        test_suite="""
        import cuda.tile as ct, cupy as cp
        from kernels import spin

        ct.launch(0, (1,), spin, (cp.zeros(1, dtype=cp.int32), 2))  # compiles, which no limit is for

        def test_long():
            ct.launch(0, (1,), spin, (cp.zeros(1, dtype=cp.int32), 2**31 - 1))

        def test_next():
            ct.launch(0, (1,), spin, (cp.zeros(1, dtype=cp.int32), 2))
        """
    )
    result = run(suite, "--tilewright", "--tilewright-target=sim:sm_80", "--tilewright-timeout=1")
    result.assert_outcomes(failed=1, passed=1)
    result.stdout.fnmatch_lines(["*tests in sizes of a GPU take long on a CPU*"])


def test_wrong_options_are_told(suite: pytest.Pytester) -> None:
    result = run(suite, "--tilewright", "--tilewright-gpu=sm_1")
    assert result.ret == pytest.ExitCode.USAGE_ERROR
    result.stderr.fnmatch_lines(["*TW1301*unknown GPU 'sm_1'*"])


UNASKED = """
import sys, pytest

@pytest.mark.tilewright_finds("TW0406")
def test_marked(tilewright_findings):
    with tilewright_findings.expected("TW0402") as found:
        pass
    assert found == []
    loaded = {name for name in sys.modules if name.partition(".")[0] == "tilewright"}
    assert loaded == {"tilewright", "tilewright.version", "tilewright.pytest_plugin"}
"""
ASKED = """
from importlib.machinery import SourceFileLoader

def test_no_assertion_of_the_compiler_is_rewritten(request):
    import tilewright.driver.launch, tilewright.ir.verifier
    for module in (tilewright.driver.launch, tilewright.ir.verifier):
        assert type(module.__loader__) is SourceFileLoader
    hook = request.config.pluginmanager.rewrite_hook
    assert "tilewright" in hook._must_rewrite, "pytest would rewrite them"
"""
METADATA = "Metadata-Version: 2.1\nName: tilewright\nVersion: 0.1.0\n"


@pytest.fixture(name="installed")
def installed_plugin(suite: pytest.Pytester, monkeypatch: pytest.MonkeyPatch) -> pytest.Pytester:
    """The suite, in an environment that has this checkout's plugin as pip installs it: pytest finds its entry point.

    The environment is the one that tests run in, without what is installed of tilewright there.  The package stands in
    it, as pip puts it: from Python 3.12 on, a distribution has only those files of its record that exist.
    """
    packages = suite.mkdir("packages")
    for path in Path(sysconfig.get_path("purelib")).iterdir():
        if "tilewright" not in path.name:
            (packages / path.name).symlink_to(path)
    (packages / "tilewright").symlink_to(SOURCE / "tilewright")
    folder = packages / "tilewright-0.1.0.dist-info"
    folder.mkdir()
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    points = [f"{name} = {value}" for name, value in project["entry-points"]["pytest11"].items()]
    files = [path.relative_to(SOURCE).as_posix() for path in (SOURCE / "tilewright").rglob("*.py")]
    (folder / "METADATA").write_text(METADATA, encoding="utf-8")
    (folder / "entry_points.txt").write_text("\n".join(["[pytest11]", *points]), encoding="utf-8")
    (folder / "RECORD").write_text("".join(f"{file},,\n" for file in files), encoding="utf-8")
    monkeypatch.setenv("PYTHONPATH", str(packages))
    return suite


def run_installed(suite: pytest.Pytester, *words: str) -> pytest.RunResult:
    return suite.run(
        sys.executable, "-S", "-m", "pytest", *words
    )  # -S: the environment's own packages are not found


def test_it_costs_nothing_unless_it_is_asked_for(installed: pytest.Pytester) -> None:
    installed.makepyfile(test_suite=UNASKED)
    result = run_installed(installed, "test_suite.py")
    result.assert_outcomes(passed=1)
    assert "tilewright" not in result.stdout.str().splitlines()[-1]


def test_asked_for_it_leaves_the_compilers_assertions_alone(installed: pytest.Pytester) -> None:
    installed.makepyfile(test_suite=ASKED)
    result = run_installed(installed, "--tilewright", "test_suite.py")
    result.assert_outcomes(passed=1)
    result.stdout.fnmatch_lines(["0 kernels, 0 launches, 0 findings*"])


@pytest.mark.parametrize("option", ["--tilewright-check=all", "--tilewright-timeout=5"])
def test_options_without_the_switch_are_warned_of(suite: pytest.Pytester, option: str) -> None:
    suite.makepyfile(test_suite="def test_nothing(): pass")
    result = run(suite, option)
    result.assert_outcomes(passed=1, warnings=1)
    name = option.partition("=")[0]
    result.stdout.fnmatch_lines([f"*PytestConfigWarning: without --tilewright nothing comes of {name}"])


CAUGHT = """
import os, threading
import cuda.tile as ct, cupy as cp, pytest
from kernels import last_one_wins

def race():
    try:
        ct.launch(0, (4,), last_one_wins, (cp.zeros(1, dtype=cp.int32),))
    except Exception:
        pass

def test_caught():
    race()

def test_on_a_thread():
    thread = threading.Thread(target=race)
    thread.start()
    thread.join()

def test_in_a_process():
    child = os.fork()
    if child == 0:
        race()
        os._exit(0)
    os.waitpid(child, 0)

def test_then_skipped():
    race()
    pytest.skip("it is wrong")

@pytest.mark.tilewright_finds("TW0406")
def test_marked():
    race()

def test_fixture(tilewright_findings):
    with tilewright_findings.expected("TW0406") as found:
        race()
    assert [str(one.code) for one in found] == ["TW0406"]

@pytest.fixture
def racing():
    race()

def test_set_up(racing):
    pass
"""


def test_what_a_test_catches_fails_it(suite: pytest.Pytester) -> None:
    """Also on another thread, in a forked process and in a fixture; what is expected may be caught."""
    suite.makepyfile(test_suite=CAUGHT)
    result = run(suite, *CHECKED, "--tilewright-sarif=out.sarif", "--junit-xml=out.xml")
    result.assert_outcomes(passed=2, failed=4, errors=1)
    shown = result.stdout.str()
    kernels = suite.path / "kernels.py"
    for name in ("test_caught", "test_on_a_thread", "test_in_a_process", "test_then_skipped"):
        assert f"FAILED test_suite.py::{name} - TW0406: kernel 'last_one_wins'" in shown
    assert f"\n{kernels}:5:5: error[TW0406]" in shown
    assert "ERROR test_suite.py::test_set_up - TW0406" in shown
    assert "after the last test" not in shown
    assert (suite.path / "out.xml").read_text(encoding="utf-8").count("TW0406: kernel") == 5
    _check_sarif(suite.path / "out.sarif")


def test_a_mistake_in_a_kernel_is_shown_without_frames(suite: pytest.Pytester) -> None:
    suite.makepyfile(
        test_mistake="""
        import cuda.tile as ct, cupy as cp

        @ct.kernel
        def mistaken(x):
            ct.stroe(x, 0, 1)

        def test_mistake():
            ct.launch(None, (1,), mistaken, (cp.zeros(1, dtype=cp.int32),))
        """
    )
    words = (
        "--tilewright",
        "--tilewright-sarif=out.sarif",
        "test_mistake.py",
        "-p",
        "tilewright.pytest_plugin",
    )
    done = suite.runpytest_subprocess(*words)
    assert done.ret == 1
    shown = done.outlines[
        done.outlines.index(next(one for one in done.outlines if "= FAILURES" in one)) + 2 :
    ]
    shown = shown[: next(at for at, one in enumerate(shown) if one.startswith("="))]
    assert shown[0].endswith(
        "test_mistake.py:5:5: error[TW0520]: Module 'cuda.tile' has no attribute 'stroe'"
    )
    assert shown[-1] == "hint: did you mean 'store'?"
    assert len(shown) <= 8
    (log,) = json.loads((suite.path / "out.sarif").read_text(encoding="utf-8"))["runs"]
    assert [one["ruleId"] for one in log["results"]] == ["TW0520"]
