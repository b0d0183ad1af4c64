"""A pytest plugin: suites written for GPUs run on the CPU, and what checks find are failures of tests.

    pytest --tilewright --tilewright-check=memcheck,racecheck --tilewright-gpu=sm_90

Options that are left out have the values of ``[tool.tilewright]`` in ``pyproject.toml`` (`pytest_plugin.defaults`).
The package declares this module to pytest, which loads it in every run.  Without ``--tilewright`` nothing else of
tilewright is imported, and tests run as they always did: the marker and the fixture are there, and accept nothing.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from contextlib import AbstractContextManager, nullcontext
from importlib.abc import MetaPathFinder
from importlib.machinery import ModuleSpec, PathFinder
from types import ModuleType
from typing import Any

import pytest

NAME = "pytest_tilewright_run"
"""The name under which the working part is registered with pytest, if ``--tilewright`` was given."""
MARKER = "tilewright_finds"
DEFAULTS: dict[str, Any] = {
    "target": "cpu",
    "check": "",
    "gpu": "",
    "ignore": "",
    "timeout": 300.0,
    "sarif": "",
}
"""Options that say how kernels run, with the values that they have if neither the user nor the project gives any."""
COMPARE = "tilewright_compare"
"""The name of the option that compares results, which has no setting in the project."""
PREFIX = "tilewright_"
"""The prefix of the names of these options in a configuration."""


def pytest_addoption(parser: pytest.Parser) -> None:
    """Declare the options of the plugin."""
    group = parser.getgroup("tilewright", "tile kernels on the CPU")
    add = group.addoption
    add("--tilewright", action="store_true", help="Run kernels of cuTile and Triton on the CPU.")
    where = "Where kernels run: cpu (the default), interp, or sim:sm_80 and the like, which simulate a GPU."
    add("--tilewright-target", help=where)
    add("--tilewright-check", help="Run-time checks, such as memcheck,racecheck or all.")
    add("--tilewright-gpu", help="The GPU that tests see, such as sm_90.")
    add("--tilewright-ignore", metavar="CODES", help="Findings that are not told, such as TW0411,TW0405.")
    limit = "Seconds that a test may take, unless it has a time limit of its own (default: 300; 0: any time)."
    add("--tilewright-timeout", type=float, help=limit)
    stop = "Enter the debugger of kernels at findings and at breakpoint(); kernels run in the interpreter."
    add("--tilewright-pdb", action="store_true", default=None, help=stop)
    compare = "Compare the results of launches with exact values: lost digits are findings."
    add("--tilewright-compare", action="store_true", help=compare)
    add("--tilewright-sarif", metavar="FILE", help="Write findings to FILE as SARIF.")


class AsItStands(MetaPathFinder):
    """Imports modules of tilewright before pytest does, so that pytest does not rewrite their assertions.
    pytest rewrites every module of a distribution that has a plugin: the whole compiler would be compiled
    anew in each process that cannot cache it, and would run slower.
    """

    def find_spec(
        self, fullname: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        """Find a module of tilewright as Python does without pytest; return None for any other module."""
        return PathFinder.find_spec(fullname, path, target) if fullname.startswith("tilewright.") else None


def _warn_of_vain_options(config: pytest.Config) -> None:
    """Warn about the plugin's options on the command line, which have no effect without ``--tilewright``.
    Nothing is warned of if there are none.
    """
    given = vars(config.known_args_namespace)
    vain = [name for name in (*DEFAULTS, "pdb") if given.get(PREFIX + name) is not None]
    vain += ["compare"] if given.get(COMPARE) else []
    if vain:
        options = ", ".join(f"--tilewright-{name}" for name in vain)
        text = f"without --tilewright nothing comes of {options}"
        config.issue_config_time_warning(pytest.PytestConfigWarning(text), stacklevel=2)


@pytest.hookimpl(tryfirst=True)
def pytest_load_initial_conftests(early_config: pytest.Config) -> None:
    """Install `AsItStands`, and register the `SuiteRun` if ``--tilewright`` is given; else warn about options
    that have no effect. It runs before the suite's own configuration is imported, which may import PyTorch.
    """
    finder = AsItStands()
    sys.meta_path.insert(0, finder)
    early_config.add_cleanup(lambda: sys.meta_path.remove(finder))
    options = early_config.known_args_namespace
    if not options.tilewright:
        _warn_of_vain_options(early_config)
    else:
        from tilewright.pytest_plugin.running import SuiteRun

        early_config.pluginmanager.register(SuiteRun(options, str(early_config.rootpath)), NAME)


def pytest_configure(config: pytest.Config) -> None:
    """Declare the marker ``tilewright_finds``, which names the codes of the findings that a test expects."""
    text = (
        f"{MARKER}(code, ...): with --tilewright the test passes if checks find just these, such as TW0406."
    )
    config.addinivalue_line("markers", text)


class Findings:
    """The value of the fixture ``tilewright_findings``: its method `expected` accepts findings in a ``with``
    block.
    """

    def __init__(self, run: Any) -> None:
        self._run = run

    def expected(self, *codes: str) -> AbstractContextManager[list[Any]]:
        """Return a context manager that accepts findings with these codes, and yields a list which has their
        diagnostics at the end. The test fails if one of the codes is not found, or a finding has another
        code. The first finding that a launch raises ends the block. Without ``--tilewright`` the list stays
        empty, and nothing fails.
        """
        return nullcontext([]) if self._run is None else self._run.expected(codes)


@pytest.fixture
def tilewright_findings(request: pytest.FixtureRequest) -> Findings:
    """Return the object that accepts findings: ``with tilewright_findings.expected("TW0406") as found: ...``."""
    return Findings(request.config.pluginmanager.get_plugin(NAME))
