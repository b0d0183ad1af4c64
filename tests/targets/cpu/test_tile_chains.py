"""Chains of tile operations: the machine code of each does what the interpreter does."""

from __future__ import annotations

from itertools import islice
from typing import Any

import pytest

from tests.targets.cpu.tile_chains import SINKS, STEPS, compared, drawn
from tilewright.ir.builtin_types import f32, i1, i32

FOUND: list[tuple[Any, tuple[int, ...], tuple[str, ...]]] = [
    (f32, (2, 4, 8), ("_shaped_by_view", "_transpose", "_extract", "_store_view")),
    (i32, (16, 16), ("_shaped_by_pointers", "_transpose", "_extract_some_row", "_store_view")),
    (i32, (4, 8), ("_scattered_pointers", "_extract_column", "_store_places")),
    (i1, (16, 16), ("_gathered", "_extract_column", "_store_places")),
    (i1, (2, 4, 8), ("_shaped_by_pointers", "_extract_column", "_store_strided")),
    (i32, (2, 4, 8), ("_spread_row", "_transpose", "_store_released")),
    (f32, (32, 1), ("_spread_row", "_thin", "_add_to_view")),
    (i32, (4, 8), ("_spread_row", "_old_values", "_update")),
    (f32, (64,), ("_shaped_by_padded_view", "_broadcast", "_store_relaxed")),
    (i32, (4, 8), ("_pointers", "_carry", "_load_pointees", "_store_view")),
    (f32, (64,), ("_pointers", "_swap", "_load_pointees", "_store_view")),
    (f32, (16, 16), ("_scattered_pointers", "_repeat", "_store_places")),
    (i32, (16,), ("_pointers", "_branch", "_store_places")),
]
"""Chains that could not be compiled once."""
SEEDS = 6
CHAINS = 30


@pytest.mark.parametrize("opt_level", [0, 3])
@pytest.mark.parametrize("chain", FOUND, ids=lambda chain: " ".join(chain[2]))
def test_chains_that_could_not_be_compiled(
    chain: tuple[Any, tuple[int, ...], tuple[str, ...]], opt_level: int
) -> None:
    assert compared(*chain, opt_level) == ""


@pytest.mark.parametrize("seed", range(SEEDS))
def test_drawn_chains(seed: int) -> None:
    """Half of them with two operations."""
    wrong: list[str] = []
    for length in (1, 2):
        for at, (element, shape, names) in enumerate(islice(drawn(length, CHAINS, str(seed)), CHAINS)):
            found = compared(element, shape, names, 3 if at % 2 else 0)
            if found:
                wrong.append(f"{element} {shape} {' '.join(names)}: {found}")
    assert wrong == []


def test_every_operation_is_drawn() -> None:
    seen = {name for at in range(SEEDS) for _, _, names in drawn(2, 2 * CHAINS, str(at)) for name in names}
    assert seen >= {*STEPS, *SINKS}
