"""Random programs run in the interpreter: every value is what was claimed of it."""

from __future__ import annotations

import random
from typing import Any

import pytest

from tests.optimizer.analysis.observing import Watch, watch_run
from tests.optimizer.analysis.programs import launch_arguments, program
from tests.support.samples import samples
from tilewright.dialects.cuda_tile.ops import control as ops_control, integer as ops_integer
from tilewright.driver.startup import context
from tilewright.ir.operation import Operation
from tilewright.ir.text.parser import parse_module
from tilewright.ir.verifier import verify_or_raise
from tilewright.optimizer.analysis import dataflow, rules_control
from tilewright.optimizer.analysis.facts import ValueFacts
from tilewright.optimizer.analysis.query import ValueFactsAnalysis
from tilewright.optimizer.analysis.rules import FactRule
from tilewright.testing.execution import Launchpad, entries
from tilewright.testing.strategies import sample_modules

PROGRAMS = samples(80, of=250)
MODULES = samples(25, of=80)


def kernel(seed: str) -> Operation:
    module = parse_module(context(), program(random.Random(seed)))
    verify_or_raise(module)
    return module


def watched(seed: str) -> Watch:
    """A program of `programs`, run with arguments from the same seed."""
    module = kernel(seed)
    arguments = launch_arguments(random.Random(f"{seed} arguments"))
    (entry,) = entries(module)
    return watch_run(module, entry, arguments, ValueFactsAnalysis(module), (2, 1, 1))


def test_facts_hold_in_programs_of_integers() -> None:
    seen = 0
    for number in range(PROGRAMS):
        watch = watched(f"integers {number}")
        assert watch.wrong == []
        seen += watch.seen
    assert seen > 20 * PROGRAMS


def test_facts_hold_in_programs_of_every_operation() -> None:
    seen = 0
    for module in sample_modules(MODULES, seed="facts", statements=10):
        facts = ValueFactsAnalysis(module)
        for entry in entries(module):
            watch = watch_run(module, entry, Launchpad(entry, "facts").arguments, facts)
            assert watch.wrong == []
            seen += watch.seen
    assert seen > 12 * MODULES


def forgetful(flow: Any, op: Any) -> None:
    """A `continue` that does not feed the loop."""


def unaligned_start(lower: ValueFacts, upper: ValueFacts, step: ValueFacts, op: Any) -> ValueFacts:
    return RIGHT_COUNTER(lower, upper, step, op).changed(divisor=step.divisor)


RIGHT_COUNTER = rules_control.counter_facts


def test_a_forgotten_edge_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(rules_control.FLOWS, ops_control.ContinueOp, forgetful)
    assert any(watched(f"integers {number}").wrong for number in range(PROGRAMS))


def test_a_wrong_counter_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rules_control, "counter_facts", unaligned_start)
    assert any(watched(f"integers {number}").wrong for number in range(PROGRAMS))


def test_a_wrong_rule_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    wrong = FactRule(lambda op, lhs, rhs: lhs, "wrong")
    monkeypatch.setitem(dataflow.RULES, ops_integer.AddIOp, wrong)
    assert any(watched(f"integers {number}").wrong for number in range(PROGRAMS))


def test_stopping_too_early_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    def join(self: dataflow.Dataflow, value: Any, facts: ValueFacts) -> None:
        if value not in self.values:
            self.values[value] = facts
            for user in value.uses:
                self._queue(user)

    monkeypatch.setattr(dataflow.Dataflow, "join", join)
    assert any(watched(f"integers {number}").wrong for number in range(PROGRAMS))
