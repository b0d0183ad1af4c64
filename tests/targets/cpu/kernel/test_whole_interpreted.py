"""The interpreter's tests of memory, tiles and atomics, with machine code in the place of the interpreter.

What they expect is what the interpreter is held to.  Left out are tests of what only the interpreter promises: checks
of addresses, lifetimes and loop steps, reports of launches.
"""

from types import ModuleType, SimpleNamespace
from typing import Any

import pytest

import tilewright
from tests.interp import test_interp_atomic, test_interp_control, test_interp_memory, test_interp_tile
from tests.interp.kernels import Kernel

MODULES = (test_interp_atomic, test_interp_control, test_interp_memory, test_interp_tile)
ONLY_INTERPRETED = {
    "test_step_must_be_positive",
    "test_a_loop_without_end_is_stopped_by_the_limit",
    "test_nesting_is_limited_by_memory_only",
    "test_grid_positions",
    "test_runs_are_deterministic",
    "test_alloca_is_gone_after_its_round",
    "test_constant_globals_are_read_only",
    "test_pointer_tables_reach_arrays_known_only_by_address",
    "test_wrong_addresses_never_crash",
}
ELSEWHERE = {
    "test_matrix_multiplication": "sums are made in another order",
}


def _compile_and_launch(self: Any, *arguments: Any, grid: Any = (1, 1, 1), **options: Any) -> None:
    if getattr(self, "artifact", None) is None:
        self.artifact = tilewright.compile(SimpleNamespace(operation=self.module()))
    self.artifact.launch(grid, list(arguments))


@pytest.fixture(autouse=True)
def machine_code(monkeypatch, tmp_path):
    monkeypatch.setenv("TILEWRIGHT_CACHE_DIR", str(tmp_path))
    monkeypatch.setattr(Kernel, "run", _compile_and_launch)


def _tests(module: ModuleType) -> dict[str, Any]:
    names = [name for name in vars(module) if name.startswith("test_") and name not in ONLY_INTERPRETED]
    return {name: getattr(module, name) for name in names if name not in ELSEWHERE}


for _module in MODULES:
    globals().update(_tests(_module))
