"""The CPU benchmark: its kernels compute what they say, its report says what was measured."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from benchmarks import cpu_report
from benchmarks.cpu_cases import BRIDGE, CALL, Case, Goal, cases
from benchmarks.cpu_peers import OURS

LIMITS = sorted({name for names in cpu_report.LIMITS.values() for name in names})
ALL = (*cases(), CALL, BRIDGE)
MACHINE = {
    "machine": "Machine: a test.",
    "rounds": 3,
    "clock": "wall",
    "versions": {"tilewright": "tilewright 1"},
    "missing": {"jax": "not installed"},
    "ceilings": [
        {"name": name, "rates": {1: 10.0, 2: 20.0}, "unit": "GB/s"} for name in ("f32 FMA", *LIMITS)
    ],
}


def answers(ours: float, **peers: float) -> dict[str, Any]:
    """What processes answer: seconds a call by peer."""
    times = {OURS: ours, **peers}
    return {name: {"first": 0.1, "error": 0.5, "seconds": [spent] * 3} for name, spent in times.items()}


@pytest.mark.parametrize("case", ALL, ids=lambda case: case.name)
def test_kernels_are_right(case: Case) -> None:
    pytest.importorskip("cuda.tile")
    from benchmarks.cpu_kernels import launch_of
    from tilewright import cutile

    made = case.made(small=True)
    out = made.out()
    launch = launch_of(made, out)
    cutile.launch(launch.grid, launch.kernel, launch.arguments, target="interp")
    assert made.error(out) <= 1


@pytest.mark.parametrize("case", cases(), ids=lambda case: case.name)
def test_numpy_is_right_and_a_wrong_result_is_seen(case: Case) -> None:
    from benchmarks.cpu_peers import numpy_peer

    made = case.made(small=True)
    call = numpy_peer.make().call(made)
    if call is None:
        pytest.skip("not an operation of NumPy")
    found = np.array(call())
    assert made.error(found) <= 1
    found[-1] += 1
    assert made.error(found) > 1


def test_inputs_are_the_same_in_every_process() -> None:
    first, second = (cases()[0].made(small=True).inputs for _ in range(2))
    for a, b in zip(first, second, strict=True):
        np.testing.assert_array_equal(a, b)


def test_best_peer_is_the_one_with_the_least_ratio() -> None:
    found = cpu_report.ratios(answers(1.0, numpy=3.0, torch=2.0))
    assert found == {"numpy": 3.0, "torch": 2.0, "best": 2.0}


def test_wrong_results_have_no_times() -> None:
    found = answers(1.0, numpy=0.5, torch=2.0)
    found["numpy"]["error"] = 1.5
    assert cpu_report.ratios(found)["best"] == 2.0


@pytest.mark.parametrize("case", cases(), ids=lambda case: case.name)
def test_every_case_has_a_reason_ready(case: Case) -> None:
    assert any(case.name.startswith(start) for start in cpu_report.WHY)


def test_goals_that_were_not_measured_do_not_count() -> None:
    assert cpu_report.met([Goal("jax", 2.0), Goal("torch", 1.0)], {"torch": 1.5})
    assert not cpu_report.met([Goal("torch", 2.0)], {"torch": 1.5})


def test_report() -> None:
    name = "add f32 16M"
    measured = {name: answers(0.5, numpy=1.0), CALL.name: answers(1e-6, numpy=1e-6)}
    failed = {name: {OURS: {"failed": "Error: no | such\nthing"}, "numpy": answers(1.0)[OURS]}}
    rows = [{"kernel": "k", "tilewright": [0.1], "tileiras": [0.5]}, {"kernel": "l", "failed": "Error"}]
    found = {**MACHINE, "threads": {"1": measured, "2": failed}, "cold": {}, "compile": rows}
    text = cpu_report.report(found)
    assert "jax is missing: not installed." in text
    assert "1 of 1 cases: 2.00" in text
    assert "Error: no / such thing" in text
    assert "Geometric mean over 1 kernels: 0.20" in text
