"""A pytest plugin for suites written for CUDA tensors: they run on the CPU, through `tilewright.gpu_programs`.

    pytest -p conformance.torch_on_cpu path/to/cutile-python/test

Nothing in the suite is edited.  The plugin adds what concerns cuTile's own suite only: names that it expects and that
the installed packages do not have.
"""

from __future__ import annotations

import contextlib
import os
import types
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tilewright.gpu_programs import Settings, routed


@contextlib.contextmanager
def everything_on_cpu() -> Iterator[None]:
    """Run code written for CUDA tensors on the CPU, as the environment says."""
    with routed(Settings.from_environment()):
        _provide_renamed()
        yield


def _provide_renamed() -> None:
    """Names that suites older than the installed cuda-tile import and that have been renamed since."""
    from cuda.tile import _datatype
    from cuda.tile._bytecode.type import SimpleType

    names: Any = _datatype
    if not hasattr(names, "_DTypePromotionImpl"):
        names._DTypePromotionImpl = types.SimpleNamespace(_order=list(names._promotion_table_short_names))
    simple: Any = SimpleType
    if not hasattr(simple, "F8E5M3FNU"):
        simple.F8E5M3FNU = simple.FNV8E5M3FNU


class BenchmarkHooks:
    """Hooks of pytest-benchmark that the suite's configuration implements, for where that is not installed."""

    def pytest_benchmark_update_json(self, config: Any, benchmarks: Any, output_json: Any) -> None:
        """Called with the results of benchmarks, of which there are none."""

    def pytest_benchmark_update_machine_info(self, config: Any, machine_info: Any) -> None:
        """Called with what a report of benchmarks says of the machine."""


_ACTIVE = contextlib.ExitStack()


@pytest.hookimpl(tryfirst=True)
def pytest_load_initial_conftests(early_config: Any) -> None:
    """Install everything before the suite's own configuration is imported, in processes it starts too."""
    here = Path(__file__).parent
    path = [str(here / "children"), str(here.parent), *filter(None, [os.environ.get("PYTHONPATH")])]
    os.environ["PYTHONPATH"] = os.pathsep.join(path)
    if not early_config.pluginmanager.hasplugin("benchmark"):
        early_config.pluginmanager.add_hookspecs(BenchmarkHooks)
    _ACTIVE.enter_context(everything_on_cpu())


def pytest_unconfigure(config: Any) -> None:
    """Take it back."""
    _ACTIVE.close()
