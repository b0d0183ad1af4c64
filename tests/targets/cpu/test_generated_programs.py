"""Of 3,205 generated kernels those that are defined do as machine code what they do in the interpreter."""

from __future__ import annotations

import multiprocessing
import os
from collections import Counter
from concurrent.futures import ProcessPoolExecutor
from functools import cache

import pytest

from tests.targets.cpu.generated_programs import compare

SEEDS = tuple(f"generated {number}" for number in range(8))
MODULES = 270
"""A module has about one and a half kernels, most of which are defined from beginning to end."""


def compared(seed: str) -> tuple[list[str], Counter[str]]:
    """The differences found with a seed, and what became of its kernels."""
    tally: Counter[str] = Counter()
    return [str(difference) for difference in compare(seed, MODULES, tally)], tally


@cache
def all_compared() -> dict[str, tuple[list[str], Counter[str]]]:
    """What all seeds gave, on all processors; fresh processes, so that one that dies is noticed."""
    fresh = multiprocessing.get_context("spawn")
    with ProcessPoolExecutor(os.cpu_count(), mp_context=fresh) as pool:
        return dict(zip(SEEDS, pool.map(compared, SEEDS), strict=True))


@pytest.mark.timeout(900)
@pytest.mark.parametrize("seed", SEEDS)
def test_machine_code_does_what_the_interpreter_does(seed: str) -> None:
    differences, tally = all_compared()[seed]
    assert differences == []
    assert tally["same"] > MODULES, tally
    assert tally["refused"] < MODULES / 20, tally
