"""Generated kernels under all checks: compiled code finds nothing where the interpreter finds nothing, and no other results."""

from __future__ import annotations

from collections import Counter

import pytest

import tilewright
from tests.support.samples import samples
from tests.targets.cpu.programs.generated_programs import MachineCode
from tilewright.driver.launch import CHECKS
from tilewright.driver.loading import Kernels
from tilewright.driver.stages import CompileOptions
from tilewright.driver.target import target
from tilewright.interp.launch import interpret
from tilewright.interp.values import InterpretOptions
from tilewright.ir.diagnostic import DiagnosticError
from tilewright.testing.execution import Launchpad, entries, observe
from tilewright.testing.strategies import sample_modules

MODULES = samples(7, of=12)
SEEDS = ("checked 0", "checked 1")
EVERYTHING = InterpretOptions(**dict.fromkeys(CHECKS, True), max_steps=20_000)
ASSERTED = {"TW0407": "TW0952"}
"""Codes of the interpreter that are others in compiled code."""
ONLY_INTERPRETED = {"TW0406", "TW0410"}
"""Races inside of one tile block, and limits: the kernels are of one tile block."""


def codes_of(error: DiagnosticError) -> set[str]:
    """What was found."""
    return {ASSERTED.get(str(found.code), str(found.code)) for found in error.diagnostics}


def interpreted(module, pad: Launchpad) -> set[str]:
    """What the interpreter finds."""
    pad.reset()
    try:
        interpret(module, pad.name, (1, 1, 1), pad.arguments, EVERYTHING)
    except DiagnosticError as error:
        return codes_of(error)
    return set()


def checked(image, pad: Launchpad) -> tuple[set[str], tuple[bytes, ...]]:
    """What compiled code finds, and what it leaves."""
    pad.reset()
    try:
        Kernels(target("cpu").load(image)).kernel(pad.name).launch((1, 1, 1), pad.arguments, 1)
    except DiagnosticError as error:
        return codes_of(error), ()
    return set(), pad.contents()


def judged(wanted: set[str], found: set[str], left: tuple[bytes, ...], code: MachineCode, pad) -> str:
    """How a kernel did, in a word: ``clean``, ``found``, or what is wrong."""
    if wanted & ONLY_INTERPRETED:
        return "only interpreted"
    if wanted or found:
        return "found" if found and found <= wanted else f"{sorted(wanted)} but {sorted(found)}"
    return "clean" if code.run(pad).buffers == left else "other results"


@pytest.mark.parametrize("seed", SEEDS)
def test_generated_kernels_under_all_checks(seed: str, monkeypatch, capfd) -> None:
    monkeypatch.setenv("TILEWRIGHT_CACHE_SIZE", "0")
    tally: Counter[str] = Counter()
    for number, module in enumerate(sample_modules(MODULES, seed=seed)):
        for kernel in entries(module):
            for op in list(kernel.walk())[1:]:
                observe(op)
        image = tilewright.compile(module, options=CompileOptions(checks=CHECKS)).loader().image()
        unchecked = MachineCode(module)
        for kernel in entries(module):
            pad = Launchpad(kernel, f"{seed}/{number}")
            wanted = interpreted(module, pad)
            tally[judged(wanted, *checked(image, pad), unchecked, pad)] += 1
    capfd.readouterr()
    assert set(tally) <= {"clean", "found", "only interpreted"}
    assert tally["clean"] >= MODULES / 2
