"""Chains of tile operations: the machine code of each does what the interpreter does."""

from __future__ import annotations

from contextlib import nullcontext
from types import SimpleNamespace
from typing import Any

import pytest

import tilewright
from tests.interp.kernels import SIGNED
from tests.support.samples import samples
from tests.targets.cpu.programs.tile_chain_kernels import Chain
from tests.targets.cpu.programs.tile_chains import SINKS, STEPS, arrays, compared, drawn, made
from tilewright.dialects.cuda_tile.ops.conversion import ExtIOp
from tilewright.dialects.cuda_tile.types import tile
from tilewright.ir.builtin_types import f32, i1, i32, i64
from tilewright.ir.diagnostic import DiagnosticError

FOUND: list[tuple[Any, tuple[int, ...], tuple[str, ...]]] = [
    (f32, (16, 16), ("_shaped_by_view", "_transpose", "_extract", "_store_view")),
    (i32, (16, 16), ("_shaped_by_pointers", "_transpose", "_extract_some_row", "_store_view")),
    (i32, (4, 8), ("_scattered_pointers", "_extract_column", "_store_places")),
    (i1, (16, 16), ("_gathered", "_extract_column", "_store_places")),
    (i1, (2, 4, 8), ("_shaped_by_pointers", "_extract_column", "_store_strided")),
    (i32, (2, 4, 8), ("_spread_row", "_transpose", "_store_released")),
    (f32, (32, 1), ("_spread_row", "_thin", "_add_to_view")),
    (i32, (4, 8), ("_spread_row", "_old_values", "_update")),
    (f32, (64,), ("_shaped_by_padded_view", "_broadcast", "_store_relaxed")),
    (i32, (4, 8), ("_pointers", "_walk", "_store_view")),
    (f32, (64,), ("_pointers", "_alternate", "_store_view")),
    (f32, (16, 16), ("_scattered_pointers", "_walk", "_store_view")),
    (f32, (64,), ("_pointers", "_walk", "_add_to_view")),
]
"""Chains that could not be compiled once."""
SEEDS = samples(2, of=6)
CHAINS = 30


@pytest.mark.parametrize("opt_level", [0, 3])
@pytest.mark.parametrize("chain", FOUND, ids=lambda chain: " ".join(chain[2]))
def test_chains_that_could_not_be_compiled(
    chain: tuple[Any, tuple[int, ...], tuple[str, ...]], opt_level: int
) -> None:
    assert compared(*chain, opt_level) == ""


def test_pointers_that_a_loop_moves_stay_vectors() -> None:
    """No element has an address of its own: the first pointers lie side by side, and all of them move as far."""
    chain = Chain(f32)
    numbers = chain.add(ExtIOp(chain.iota(64), SIGNED, result_types=[tile(64, i64)]))
    total = STEPS["_walk"](chain, chain.pointers(chain.source, numbers))
    SINKS["_store_view"](chain, total)
    compiled = tilewright.compile(SimpleNamespace(operation=chain.module()), target="cpu")
    assert "masked.gather" not in str(compiled.asm["llvm"])


@pytest.mark.parametrize("check", ["memcheck", "racecheck"])
@pytest.mark.parametrize("opt_level", [0, 3])
def test_pointers_that_a_loop_moves_are_checked(check: str, opt_level: int) -> None:
    chain = made(i32, (16,), ("_pointers", "_walk", "_store_view"))
    assert chain is not None
    options = tilewright.CompileOptions(opt_level=opt_level)
    compiled = tilewright.compile(SimpleNamespace(operation=chain.module()), target="cpu", options=options)
    given = arrays(i32)
    compiled.launch((1, 1, 1), given, check=check)
    with pytest.raises(DiagnosticError) if check == "memcheck" else nullcontext():
        compiled.launch((1, 1, 1), [given[0][:20], *given[1:]], check=check)


@pytest.mark.parametrize("seed", range(SEEDS))
def test_drawn_chains(seed: int) -> None:
    """Half of them with two operations."""
    wrong: list[str] = []
    for at, (element, shape, names) in enumerate(chains_of(seed)):
        found = compared(element, shape, names, 3 if at % 2 else 0)
        if found:
            wrong.append(f"{element} {shape} {' '.join(names)}: {found}")
    assert wrong == []


def chains_of(seed: int) -> list[tuple[Any, tuple[int, ...], tuple[str, ...]]]:
    """The chains that are compared for a seed."""
    return [chain for length in (1, 2) for chain in drawn(length, CHAINS, str(seed))]


def test_every_operation_is_drawn() -> None:
    seen = {name for seed in range(SEEDS) for _, _, names in chains_of(seed) for name in names}
    assert seen >= {*STEPS, *SINKS}
