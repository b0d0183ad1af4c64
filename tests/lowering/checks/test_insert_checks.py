"""Checks as operations find what the interpreter finds, and nothing else."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

import numpy as np
import pytest

from tests.lowering.checks.checked_modules import (
    CODES,
    MAXIMUM_STEPS,
    checked,
    found_by_assertion,
    operation_named,
    parsed,
    said,
)
from tests.lowering.cuda_tile_to_tileaa.lowered import kernel
from tests.support.samples import samples
from tilewright.driver.startup import context, startup
from tilewright.instrument.insert import InsertChecks
from tilewright.ir.diagnostic import Diagnostic, DiagnosticError
from tilewright.ir.operation import Operation
from tilewright.passes.manager import PassManager
from tilewright.passes.pipeline import parse_pipeline
from tilewright.testing.execution import Launchpad, entries, observe
from tilewright.testing.strategies import sample_modules

MODULES = {"fpcheck": samples(15, of=40), "initcheck": samples(40, of=100), "promises": samples(15, of=40)}
"""How many modules are compared; few of them use what is unspecified."""
STEPS_OF_CHECKS = 100
"""So many operations a checked kernel may execute for one of the program."""


def observed(seed: str, count: int) -> Iterator[Operation]:
    """Generated modules all of whose results are stored."""
    for module in sample_modules(count, seed=seed):
        for entry in entries(module):
            for op in list(entry.walk())[1:]:
                observe(op)
        yield module


def _first(diagnostics: list[Diagnostic], code: str) -> str | None:
    """The operation that the first diagnostic of a code is about."""
    return next((operation_named(found) for found in diagnostics if str(found.code) == code), None)


@pytest.mark.parametrize("check", sorted(CODES))
def test_generated_kernels(check: str) -> None:
    """The interpreter finds the same in a kernel by itself and through the assertions that were put into it."""
    tally: Counter[str] = Counter()
    for number, module in enumerate(observed(f"checks/{check}", MODULES[check])):
        with_checks = _checked_or_refused(module, check)
        if with_checks is None:
            tally["refused"] += 1
            continue
        for entry in entries(module):
            tally[_compared(module, with_checks, Launchpad(entry, f"{check}/{number}"), check)] += 1
    assert tally["found"] >= 1
    assert tally["clean"] > tally["found"]
    assert tally["refused"] <= MODULES[check] // 10


def _checked_or_refused(module: Operation, *checks: str) -> Operation | None:
    try:
        return checked(module, *checks)
    except DiagnosticError as error:
        if str(error.diagnostics[0].code) != "TW0830":
            raise
        return None


def _compared(module: Operation, with_checks: Operation, pad: Launchpad, check: str) -> str:
    pad.reset()
    wanted = said(module, pad.name, pad.arguments, **{check: True})
    buffers = pad.contents()
    if any(str(found.code) == "TW0410" for found in wanted):
        return "too long"
    pad.reset()
    given = said(with_checks, pad.name, pad.arguments, MAXIMUM_STEPS * STEPS_OF_CHECKS)
    expected = _first(wanted, CODES[check])
    found = next((name for name in map(found_by_assertion, given) if name), None)
    if expected is None and wanted and found is not None:
        return "something else first"  # a failed access ends the interpreter's run
    assert found == expected
    if not wanted:
        assert pad.contents() == buffers
    return "clean" if expected is None else "found"


def test_all_checks_at_once_change_nothing() -> None:
    compared = 0
    for number, module in enumerate(observed("checks/all", 20)):
        with_checks = _checked_or_refused(module, *CODES)
        for entry in entries(module) if with_checks is not None else ():
            pad = Launchpad(entry, str(number))
            pad.reset()
            if said(module, pad.name, pad.arguments, **dict.fromkeys(CODES, True)):
                continue
            wanted = pad.contents()
            pad.reset()
            assert with_checks is not None
            assert said(with_checks, pad.name, pad.arguments, MAXIMUM_STEPS * STEPS_OF_CHECKS) == []
            assert pad.contents() == wanted
            compared += 1
    assert compared > 5


ADDITION = kernel(" %s = addi %m, %m overflow<no_wrap> : tile<i32>", "%m: tile<i32>")


def test_the_pass_has_a_name_and_options() -> None:
    module = parsed(ADDITION)
    text = "cuda_tile.module(cuda_tile.entry(insert-checks{checks=fpcheck,promises,memcheck}))"
    parse_pipeline(text, context(), startup().passes).run(module)
    assert str(module).count("nv_tileaa.check") == 2


def test_checks_of_back_ends_are_left_to_them() -> None:
    module = parsed(ADDITION)
    assert str(checked(module, "memcheck", "racecheck")) == str(module)


def test_an_unknown_check_is_refused() -> None:
    with pytest.raises(DiagnosticError) as caught:
        checked(parsed(ADDITION), "spellcheck")
    diagnostic = caught.value.diagnostics[0]
    assert str(diagnostic.code) == "TW0830"
    assert "no check 'spellcheck'" in diagnostic.message
    assert "fpcheck" in diagnostic.hints[0]


def test_what_no_operation_tells_is_refused_with_a_way_out() -> None:
    body = """
 %x = iota : tile<8xi32>
 %s = reduce %x dim=0 identities=[0 : i32] : tile<8xi32> -> tile<i32>
 (%e: tile<i32>, %acc: tile<i32>) {
   %one = iota : tile<4xi32>
   %two = addi %one, %one overflow<no_wrap> : tile<4xi32>
   yield %acc : tile<i32>
 }
"""
    module = parsed(kernel(body))
    before = str(module)
    manager = PassManager(context(), module.name)
    manager.nest("cuda_tile.entry").add(InsertChecks(("promises",)))
    with pytest.raises(DiagnosticError) as caught:
        manager.run(module)
    diagnostic = caught.value.diagnostics[0]
    assert str(diagnostic.code) == "TW0830"
    assert "promises about elements only" in diagnostic.message
    assert 'target="interp"' in diagnostic.hints[0]
    assert str(module) == before, "a pass that fails changes nothing"


@pytest.mark.parametrize(("smallest", "found"), [(1, None), (-3, "array")])
def test_promises_of_views_in_the_body_of_a_reduction(smallest: int, found: str | None) -> None:
    """A view has no element of its own; its extents are elements of the reduction."""
    body = f"""
 %i = iota : tile<8xi32>
 %c = constant <i32: {smallest}> : tile<8xi32>
 %x = addi %i, %c : tile<8xi32>
 %s = reduce %x dim=0 identities=[0 : i32] : tile<8xi32> -> tile<i32>
 (%e: tile<i32>, %acc: tile<i32>) {{
   %v = make_tensor_view %p, shape = [%e], strides = [1] : tile<i32> -> tensor_view<?xf32, strides=[1]>
   yield %acc : tile<i32>
 }}
"""
    module = parsed(kernel(body, "%p: tile<ptr<f32>>"))
    array = np.zeros(16, np.float32)
    assert _first(said(module, "k", [array], promises=True), CODES["promises"]) == found
    names = map(found_by_assertion, said(checked(module, "promises"), "k", [array]))
    assert next(names, None) == found
