"""Three thousand generated kernels do as machine code what they do in the interpreter."""

from __future__ import annotations

from collections import Counter

import pytest

from tests.targets.cpu.generated_programs import compare

SEEDS = [f"generated {number}" for number in range(8)]
MODULES = 270
"""A module has about one and a half kernels, most of which are defined from beginning to end."""


@pytest.mark.timeout(600)
@pytest.mark.parametrize("seed", SEEDS)
def test_machine_code_does_what_the_interpreter_does(seed: str) -> None:
    tally: Counter[str] = Counter()
    differences = [str(difference) for difference in compare(seed, MODULES, tally)]
    assert differences == []
    assert tally["same"] > MODULES, tally
    assert tally["refused"] < MODULES / 20, tally
