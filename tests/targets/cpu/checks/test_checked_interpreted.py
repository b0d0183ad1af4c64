"""The tests of the interpreter's checks, with checks in machine code in the place of the interpreter.

The interpreter always checks the memory of arrays; here that is asked for.
"""

from types import SimpleNamespace
from typing import Any

import pytest

import tilewright
from tests.interp import test_interp_checks
from tests.interp.kernels import Kernel

ONE_TILE_BLOCK = "races inside of a tile block, which only tokens order"
WORDS = "the message counts further elements, or has numbers of the run"
ONLY_INTERPRETED = {
    "test_a_race_names_both_places": ONE_TILE_BLOCK,
    "test_tokens_are_followed_through_loops": ONE_TILE_BLOCK,
    "test_plain_write_races_with_atomic": ONE_TILE_BLOCK,
    "test_access_past_the_end_names_the_lane_and_the_buffer": WORDS,
    "test_undefined_elements_reach_sums_and_products": WORDS,
    "test_two_tile_blocks_write_the_same_element": WORDS,
    "test_indices": WORDS,
    "test_operands_of_a_broken_promise": WORDS,
    "test_access_through_a_view_that_is_larger_than_the_array": "nobody needs what is loaded, so nothing is",
    "test_memcheck_refuses_memory_known_only_by_address": "it launches without memcheck, too",
}
"""Tests that stay with the interpreter, and why."""


def _launch(self: Any, *arguments: Any, grid: Any = (1, 1, 1), **options: bool) -> None:
    checks = {"memcheck", *(name for name, wanted in options.items() if wanted)}
    if getattr(self, "built", None) is None:
        self.built = self.module()
    module: Any = SimpleNamespace(operation=self.built)
    tilewright.launch(module, None, grid, list(arguments), target="cpu", check=sorted(checks), threads=1)


@pytest.fixture(autouse=True)
def machine_code(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TILEWRIGHT_CACHE_SIZE", "0")
    monkeypatch.setattr(Kernel, "run", _launch)


def test_what_stays_exists() -> None:
    assert set(ONLY_INTERPRETED) <= set(vars(test_interp_checks))


globals().update(
    {
        name: value
        for name, value in vars(test_interp_checks).items()
        if name.startswith("test_") and name not in ONLY_INTERPRETED
    }
)
