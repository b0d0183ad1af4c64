"""Kernels with a fault each, and litmus tests: a sample of what `python -m conformance.ptx` runs."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

import pytest

from conformance.ptx import litmus, seeded
from conformance.ptx.litmus import Case, kernel, parsed, verdict
from conformance.ptx.seeded import KERNELS, LEAST, Kernel

SAMPLE = {one.name.partition(" ")[0]: one for one in KERNELS}


def test_each_class_of_faults_is_in_several_kernels() -> None:
    counts = dict[str, int]()
    for one in KERNELS:
        for fault in one.faults:
            counts[fault] = counts.get(fault, 0) + 1
    assert len(counts) >= 14
    assert min(counts.values()) >= LEAST


@pytest.mark.parametrize("one", SAMPLE.values(), ids=list(SAMPLE))
def test_a_right_kernel_is_not_reported(one: Kernel) -> None:
    assert one.attempt() == ""


@pytest.mark.parametrize(
    ("one", "fault"),
    [(one, fault) for one in SAMPLE.values() for fault in one.faults],
    ids=[f"{name}-{fault}" for name, one in SAMPLE.items() for fault in one.faults],
)
def test_a_fault_shows(one: Kernel, fault: str) -> None:
    assert one.attempt(fault) != ""


MESSAGE = """PTX message
{{ x=0; y=0; P1:r0=0; P1:r1=0; }}
 P0@cta 0,gpu 0 | P1@cta {other},gpu 0 ;
 st.{data} x, 1 | ld.acquire.{scope} r0, y ;
 st.release.{scope} y, 1 | ld.{data} r1, x ;
{question}
"""


@pytest.mark.parametrize(
    ("other", "data", "scope", "question", "expected", "found"),
    [
        (1, "weak", "gpu", "exists (P1:r0 == 1 /\\ P1:r1 == 0)", False, "agrees"),
        (0, "weak", "cta", "exists (P1:r0 == 1 /\\ P1:r1 != 1)", False, "agrees"),
        (1, "weak", "cta", "exists (P1:r0 == 1 /\\ P1:r1 == 0)", True, "told"),
        (1, "relaxed.gpu", "cta", "exists (P1:r0 == 1 /\\ P1:r1 == 0)", True, "told"),
        (1, "relaxed.gpu", "gpu", "exists (P1:r0 == 0 /\\ P1:r1 == 1)", True, "agrees"),
        (1, "relaxed.gpu", "gpu", "exists (P1:r0 == 0 /\\ P1:r1 == 1)", False, "WRONG"),
    ],
)
def test_litmus(other: int, data: str, scope: str, question: str, expected: bool, found: str) -> None:
    test = parsed(MESSAGE.format(other=other, data=data, scope=scope, question=question))
    assert kernel(test)[1:] == ((2, 32) if other else (1, 64))
    assert verdict(test, expected, 6 if found == "agrees" and not expected else 60) == found


def test_any_executor_runs_the_kernels_and_the_tests() -> None:
    question = "exists (P1:r0 == 1 /\\ P1:r1 == 0)"
    tests = [
        parsed(MESSAGE.format(other=other, data="weak", scope="cta", question=question)) for other in (0, 1)
    ]
    broken = parsed(MESSAGE.format(other=0, data="weak", scope="cta", question="exists (z == 1)"))
    work = [Case(str(at), at > 0, test, 6) for at, test in enumerate([*tests, broken])]
    with ThreadPoolExecutor(1) as executor:
        found = [
            (one.name, bool(fault), bool(message)) for fault, one, message in seeded.survey(executor, [0])
        ]
        verdicts = list(litmus.survey(work, executor))
    assert found == [(KERNELS[0].name, False, False)] + [(KERNELS[0].name, True, True)] * len(
        KERNELS[0].faults
    )
    assert verdicts == [("0", "agrees"), ("1", "told"), ("2", "out of scope")]
