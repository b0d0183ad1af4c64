"""Each synchronising instruction that is taken out of a right program is told, or shown to be redundant: a sample of
what `python -m conformance.ptx removals` runs.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from conformance.ptx.removals import Program, Verdict, of_ring, sites, survey, table, verdict, without
from conformance.ptx.rings import RINGS
from tilewright.ptx.model import Module
from tilewright.ptx.printer import print_module

NAMED = {one.name: one for one in RINGS}
TWICE = NAMED["copies"].text.replace("bar.sync 0;\n    and.b32", "bar.sync 0;\n    bar.sync 0;\n    and.b32")


def test_every_removal_of_a_ring_is_told() -> None:
    found = list(survey([of_ring(NAMED["copies"])]))
    assert [one.instruction for one in found] == [
        *("cp.async.commit_group", "cp.async.commit_group", "cp.async.wait_group", "bar", "bar")
    ]
    assert {one.outcome for one in found} == {"told"}


@pytest.mark.parametrize(
    ("name", "instruction", "code"),
    [
        ("warp group", "mbarrier.try_wait", "TW12"),
        ("warp group", "wgmma.fence.sync.aligned", "TW1260"),
        ("warp group", "wgmma.wait_group.sync.aligned", "TW1260"),
        ("warp group", "bar", "TW1265"),
        ("tensor memory", "mbarrier.try_wait", "TW12"),
        ("tensor memory", "tcgen05.commit", "TW1256"),
        ("tensor memory", "tcgen05.fence::after_thread_sync", "TW1265"),
        ("tensor memory", "tcgen05.wait::ld", "TW1253"),
    ],
)
def test_removals_of_rings_are_told(name: str, instruction: str, code: str) -> None:
    program = of_ring(NAMED[name])
    chosen = [one for one in sites(program.module, "ring") if one.form.name == instruction]
    for site in chosen:
        found = verdict(program, site)
        assert found.outcome == "told"
        assert code in found.message


def test_one_of_two_barriers_is_redundant() -> None:
    program = of_ring(replace(NAMED["copies"], text=TWICE))
    _, first, second, _ = [
        one for one in sites(program.module, "ring") if one.form.name in ("bar", "cp.async.wait_group")
    ]
    assert verdict(program, first).outcome == "redundant"
    assert verdict(program, second).outcome == "redundant"


@pytest.mark.parametrize("wrong", ["all", "none"])
def test_a_wrong_result_that_nothing_tells_is_silent(wrong: str) -> None:
    def run(module: Module, order: tuple[int, int], checks: str) -> list[Any]:
        return [np.array([len(sites(module, "ring")) if order == (3, 23) and checks == wrong else 5])]

    program = Program("unchecked", of_ring(NAMED["copies"]).module, "ring", run, {(3, 23): [np.array([5])]})
    found = verdict(program, sites(program.module, "ring")[0])
    assert found.outcome == "silent"
    assert found.message == f"wrong results with seed and schedule (3, 23), checks {wrong}"


def test_a_wait_that_is_taken_out_has_passed() -> None:
    module = of_ring(NAMED["warp group"]).module
    wait = next(one for one in sites(module, "ring") if one.form.name == "mbarrier.try_wait")
    text = print_module(without(module, wait))
    assert text.count("mbarrier.try_wait") == 1
    assert text.count("setp.eq.u32 %q, 0, 0;") == 1


def test_the_table_counts_outcomes() -> None:
    found = [
        Verdict("a", "bar", 1, "told"),
        Verdict("a", "bar", 2, "redundant"),
        Verdict("a", "fence", 3, "told"),
    ]
    assert table(found).splitlines()[2:] == ["| `bar` | 1 | 1 | 0 |", "| `fence` | 1 | 0 | 0 |"]
