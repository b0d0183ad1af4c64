"""A pytest plugin for Triton's suites: the back end, which counts its launches, and names that are missing.

The suites ask Triton about machines by functions that come and go between versions: one that is not there answers no.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Sequence
from importlib import import_module
from typing import Any

import pytest

from tilewright.driver.repeatable import LaunchEngine


class Counting:
    """Counts launches, and makes them as usual: see `tilewright.triton.launcher.LaunchWrapper`."""

    def __init__(self) -> None:
        self.engine: LaunchEngine | None = None
        self.made: dict[str, tuple[int, float]] = {}

    def make(self, name: str, grid: Any, arguments: Sequence[object], run: Callable[[], object]) -> None:
        """Make a launch."""
        count, seconds = self.made.get(name, (0, 0.0))
        self.made[name] = count + 1, seconds
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


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Item) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """Tell the launches of a case as the plugin of pytest does."""
    report = yield
    report.__dict__["tilewright"] = {"kernels": _launches.made}
    _launches.made = {}
    return report
