"""The registration graph: order, idempotence, what a context then knows."""

from __future__ import annotations

import pytest

from tilewright.driver.registry import OnceGuard, Registry, Step
from tilewright.driver.startup import context, startup, steps
from tilewright.ir.diagnostic import DiagnosticError


def test_every_step_names_steps_before_it() -> None:
    seen: set[str] = set()
    for step in steps():
        assert set(step.requires) <= seen, step.name
        assert step.summary
        seen.add(step.name)


def test_a_step_is_done_once() -> None:
    calls: list[Registry] = []
    step = Step("only", (), calls.append, "the only one")
    registry = Registry()
    registry.run_all([step, step])
    registry.run(step)
    assert (len(calls), registry.done) == (1, ["only"])


def test_running_the_whole_graph_twice_changes_nothing() -> None:
    registry = Registry()
    registry.run_all(steps())
    rows = list(registry.rows())
    registry.run_all(steps())
    assert list(registry.rows()) == rows
    assert rows == list(startup().rows())


def test_each_step_refuses_to_run_first() -> None:
    for step in steps():
        if step.requires:
            with pytest.raises(DiagnosticError, match=f"'{step.name}' needs '{step.requires[0]}'"):
                Registry().run(step)


def test_contexts_are_fresh_and_know_tile_ir() -> None:
    first, second = context(), context(allow_unregistered=True)
    assert first is not second
    assert first.diagnostics is not second.diagnostics
    assert first.kind("cuda_tile.addf") is second.kind("cuda_tile.addf") is not None
    assert list(first.dialects) == list(startup().dialects)
    assert second.allow_unregistered


def test_a_guard_runs_once() -> None:
    calls: list[int] = []
    guard = OnceGuard(lambda: calls.append(1))
    assert not guard.done
    guard()
    guard()
    assert guard.done
    assert calls == [1]
