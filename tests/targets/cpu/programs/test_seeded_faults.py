"""The generated programs find a fault of each class that is planted into the compiler."""

from __future__ import annotations

import pytest

from tests.targets.cpu.programs.campaign import Modules, compared, kernels_until_found
from tests.targets.cpu.programs.seeded_faults import FAULTS

pytest.importorskip("llvmlite")

SEEDS: dict[str, tuple[str, int]] = {"flushed subnormal": ("s1", 60)}
"""A seed, and the number of its module to begin with, for faults that few modules show: tests take seconds."""


@pytest.mark.timeout(300)
@pytest.mark.parametrize("fault", FAULTS)
def test_a_seeded_fault_is_found(fault: str) -> None:
    seed, start = SEEDS.get(fault, ("s1", 0))
    assert kernels_until_found(fault, seed, 100, start) is not None


def test_nothing_is_found_without_a_fault() -> None:
    found, tally = compared(Modules("s1", 0, 4))
    assert found == []
    assert tally["same"] >= 4
