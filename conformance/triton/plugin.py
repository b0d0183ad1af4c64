"""A pytest plugin for Triton's suites: a sample of the cases, a line of results for each, and names that are missing.

The suites ask Triton about machines by functions that come and go between versions: one that is not there answers no.
"""

from __future__ import annotations

import os
import random
import zlib
from collections import defaultdict
from collections.abc import Callable, Generator, Sequence
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest

from conformance.triton.suites import RESULTS, SAMPLE, SEED, Case, append, read
from tilewright.ir.diagnostic import DiagnosticError


class Counting:
    """Counts launches, and makes them as usual: see `tilewright.triton.launcher.Around`."""

    engine = None
    made = 0

    def make(self, name: str, grid: Any, arguments: Sequence[object], run: Callable[[], object]) -> None:
        """Make a launch."""
        self.made += 1
        run()


_launches = Counting()


def pytest_configure(config: pytest.Config) -> None:
    """Choose the back end, and count its launches."""
    triton: Any = import_module("triton")
    triton.runtime.driver.set_active(triton.backends.backends["tilewright"].driver(_launches))
    testing: Any = import_module("triton._internal_testing")
    testing.is_cpu = lambda: True
    testing.__getattr__ = _absent


def _absent(name: str) -> Callable[[], bool]:
    """The answer of a function that asks for a machine."""
    if not name.startswith("is_"):
        raise AttributeError(name)
    return lambda: False


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Keep a sample of the cases of each function, less those that have results."""
    functions: dict[str, list[pytest.Item]] = defaultdict(list)
    for item in items:
        functions[getattr(item, "originalname", item.name)].append(item)
    every, done = int(os.environ[SAMPLE]), read(Path(os.environ[RESULTS]))
    kept = [item for name, cases in functions.items() for item in _sample(name, cases, every)]
    chosen = {id(item) for item in kept if case_name(item) not in done}
    config.hook.pytest_deselected(items=[item for item in items if id(item) not in chosen])
    items[:] = [item for item in items if id(item) in chosen]


def _sample(name: str, cases: list[pytest.Item], every: int) -> list[pytest.Item]:
    """One of so many cases, and at least one."""
    seed = zlib.crc32(f"{os.environ[SEED]}:{name}".encode())
    return random.Random(seed).sample(cases, -(-len(cases) // every))


def case_name(item: pytest.Item) -> str:
    """The name of a case in results: the file, and what it is called there."""
    return f"{item.path.stem}::{item.name}"


@pytest.hookimpl(wrapper=True)
def pytest_runtest_protocol(item: pytest.Item) -> Generator[None, object, object]:
    """Count the launches of a case from none on."""
    _launches.made = 0
    return (yield)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(
    item: pytest.Item, call: pytest.CallInfo[None]
) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """Write down what came of a case."""
    report = yield
    if report.when == "call" or report.outcome != "passed":
        error = call.excinfo.value if call.excinfo is not None else None
        chain = list(_causes(error))
        refused = next((one for one in chain if isinstance(one, DiagnosticError)), None)
        words = " / ".join(line.strip() for line in str(refused or error or "").splitlines() if line.strip())
        found = Case(
            case_name(item),
            report.outcome,
            round(report.duration, 3),
            _launches.made,
            refused is not None,
            f"{type(refused or error).__name__}: {words}"[:600] if error is not None else "",
        )
        append(Path(os.environ[RESULTS]), found)
    return report


def _causes(error: BaseException | None) -> Generator[BaseException]:
    """An exception, what caused it, and so on."""
    while error is not None:
        yield error
        error = error.__cause__ or error.__context__
