"""Of 75 generated kernels, at night of 300, those that are defined do as machine code what they do in the interpreter."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest

from tests.support.samples import samples
from tests.targets.cpu.programs.campaign import Modules, in_a_process
from tests.targets.cpu.programs.generated_programs import agree, compare
from tilewright.ir.builtin_types import f32, i8
from tilewright.targets.llvm import split

PIECE = 40
"""So few instructions a function has here at most."""
SPLIT = range(5, 16 * samples(4, of=12), 16)
"""Modules that are compared with checks, too."""
SEEDS = tuple(f"generated {number}" for number in range(samples(2, of=8)))
MODULES = 20
"""A module has about one and a half kernels, most of which are defined from beginning to end; some run twice."""


@pytest.mark.timeout(900)
@pytest.mark.parametrize("seed", SEEDS)
def test_machine_code_does_what_the_interpreter_does(seed: str) -> None:
    """In a process of its own: code that brings it down fails one test, and the module is named."""
    differences, tally = in_a_process(Modules(seed, 0, MODULES))
    assert [str(difference) for difference in differences] == []
    assert tally["same"] > MODULES, tally
    assert not tally["refused"], tally


def test_pieces_of_long_functions_do_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    """Without checks and with them."""
    pieces_of = split.split_long_functions
    monkeypatch.setattr(split, "split_long_functions", lambda module, _: pieces_of(module, PIECE))
    tally: Counter[str] = Counter()
    assert [str(found) for number in SPLIT for found in compare("pieces", 1, tally, start=number)] == []
    assert tally["same"] > len(SPLIT) // 2, tally
    assert tally["checked: same"] > len(SPLIT) // 2, tally


@pytest.mark.parametrize(
    ("wanted", "given", "is_same"),
    [(0x7FC00000, 0xFFFFFFFE, True), (0x7FC00000, 0x7F800000, False), (0x3F800000, 0x3F800001, False)],
    ids=["both are NaN", "one is NaN", "numbers"],
)
def test_nans_may_have_any_bits_in_each_array_that_sees_them(wanted: int, given: int, is_same: bool) -> None:
    """An array of 8-bit integers lies 4 bytes behind the begin of an array of floats."""
    whole = [np.array([1, bits, 2], np.uint32).tobytes() for bits in (wanted, given)]
    buffers = [(floats, floats[4:]) for floats in whole]
    assert agree([f32, i8], [64, 68], *buffers) is is_same
    assert not agree([f32, i8], [64, 128], *buffers), "the integers lie somewhere else"
