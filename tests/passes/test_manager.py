"""The pass manager: order, nesting, failure, analyses."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import pytest

from tests.passes.sample_passes import (
    BreakRules,
    Fail,
    KeepsItself,
    Mark,
    OnFunctions,
    OpCount,
    fresh_context,
    functions_of,
)
from tests.support.sample_dialect import TableOp, function, table, value
from tilewright.ir.context import Context
from tilewright.ir.diagnostic import Diagnostic, DiagnosticError
from tilewright.ir.equality import difference
from tilewright.ir.operation import Operation
from tilewright.passes.analysis import AnalysisManager, PreservedAnalyses
from tilewright.passes.manager import ANY_ANCHOR, PassManager
from tilewright.passes.pass_ import SOFT_FAILURE_BIT, Instrumentation, Pass, PassState

ANCHOR = "sample.table"


@pytest.fixture
def context() -> Context:
    return fresh_context()


@pytest.fixture
def module() -> TableOp:
    return table(function("f", [value()]), function("g", [value(), value()]))


def run(manager: PassManager, op: Operation) -> tuple[DiagnosticError | None, list[Diagnostic]]:
    """What a run raised and what it told the engine."""
    with manager.context.diagnostics.collect() as emitted:
        try:
            manager.run(op)
        except DiagnosticError as error:
            return error, emitted
    return None, emitted


class TestRunning:
    def test_passes_run_in_order(self, context: Context, module: TableOp) -> None:
        order: list[str] = []
        manager = PassManager(context, ANCHOR)
        for name in "abc":
            manager.add(lambda op, state, name=name: order.append(name))
        manager.run(module)
        assert order == ["a", "b", "c"]

    def test_nested_pipelines_run_on_each_match(self, context: Context, module: TableOp) -> None:
        seen: list[str] = []
        manager = PassManager(context, ANCHOR)
        manager.nest("sample.function").add(lambda op, state: seen.append(op.attributes["sym_name"].value))  # pyright: ignore
        manager.add(lambda op, state: seen.append("after"))
        manager.run(module)
        assert seen == ["f", "g", "after"]

    def test_any_anchor_takes_isolated_operations(self, context: Context, module: TableOp) -> None:
        seen: list[str] = []
        module.body.block.append(value())
        manager = PassManager(context, ANCHOR)
        manager.nest(ANY_ANCHOR).add(lambda op, state: seen.append(op.name))
        manager.run(module)
        assert seen == ["sample.function"] * 2

    def test_the_wrong_root_is_refused(self, context: Context) -> None:
        with pytest.raises(
            DiagnosticError, match=r"TW0604.*can't run 'sample.table' pass manager on 'sample"
        ):
            PassManager(context, ANCHOR).run(function("f"))

    def test_a_pass_on_the_wrong_anchor_is_refused(self, context: Context) -> None:
        with pytest.raises(DiagnosticError, match=r"hint: write sample.function\(on-functions\)"):
            PassManager(context, ANCHOR).add(OnFunctions())
        manager = PassManager(context, ANCHOR)
        manager.nest("sample.function").add(OnFunctions())
        assert str(manager) == "sample.table(sample.function(on-functions))"
        assert [type(pass_) for pass_ in manager.passes()] == [OnFunctions]

    def test_an_anchor_must_be_isolated(self, context: Context) -> None:
        with pytest.raises(DiagnosticError, match=r"'sample.nest' must be IsolatedFromAbove"):
            PassManager(context, ANCHOR).nest("sample.nest")

    def test_the_text_shows_options_that_differ(self, context: Context) -> None:
        manager = PassManager(context, ANCHOR)
        manager.add(Mark()).add(Mark(text="x", loud=True, labels=("a", "b")))
        assert str(manager) == "sample.table(mark,mark{text=x loud=true labels=a,b})"


class TestFailure:
    @pytest.mark.parametrize(
        ("how", "message"),
        [
            ("fail", "it cannot be done"),
            ("emit", "it cannot be done"),
            ("crash", "pass 'fail{how=crash}' crashed: ZeroDivisionError: division by zero"),
        ],
    )
    def test_the_module_is_as_it_was(self, context: Context, module: TableOp, how: str, message: str) -> None:
        before = module.clone()
        later: list[Operation] = []
        manager = PassManager(context, ANCHOR).add(Fail(how)).add(lambda op, state: later.append(op))
        error, _ = run(manager, module)
        assert error is not None
        assert message in str(error)
        assert difference(before, module) is None
        assert later == []

    def test_the_diagnostic_comes_first(self, context: Context, module: TableOp) -> None:
        error, emitted = run(PassManager(context, ANCHOR).add(Fail()), module)
        assert error is not None
        assert [d.message for d in emitted] == ["it cannot be done"]
        assert error.diagnostics == emitted

    def test_failing_in_a_nested_pipeline(self, context: Context, module: TableOp) -> None:
        before = module.clone()
        manager = PassManager(context, ANCHOR)
        manager.nest("sample.function").add(Fail())
        error, _ = run(manager, module)
        assert error is not None
        assert difference(before, module) is None

    def test_a_soft_failure_lets_the_rest_run(self, context: Context, module: TableOp) -> None:
        manager = PassManager(context, ANCHOR).add(Fail("soft")).add(Mark())
        error, emitted = run(manager, module)
        assert error is None
        assert [d.message for d in emitted] == ["it cannot be done"]
        assert "mark" in module.attributes
        assert manager.soft_failures == {(module, "fail"): SOFT_FAILURE_BIT}
        manager.items.pop(0)
        run(manager, module)
        assert manager.soft_failures == {}

    def test_the_verifier_runs_between_passes(self, context: Context, module: TableOp) -> None:
        before = module.clone()
        manager = PassManager(context, ANCHOR)
        manager.nest("sample.function").add(BreakRules())
        error, _ = run(manager, module)
        assert error is not None
        (diagnostic,) = error.diagnostics
        assert str(diagnostic.code) == "TW0607"
        assert (
            diagnostic.notes[0].message == "'sample.branch' op must be the last operation in the parent block"
        )
        assert difference(before, module) is None

    def test_the_verifier_may_be_switched_off(self, context: Context, module: TableOp) -> None:
        manager = PassManager(context, ANCHOR, verify_each=False)
        manager.nest("sample.function").add(BreakRules())
        assert run(manager, module)[0] is None

    def test_an_atomic_pass_is_not_undone(self, context: Context, module: TableOp) -> None:
        @dataclass(frozen=True)
        class Atomic(Fail):
            """Restores what it changed by itself (here: nothing)."""

            atomic: ClassVar[bool] = True

        run(PassManager(context, ANCHOR).add(Atomic()), module)
        assert "half-done" in module.attributes


class TestSkipping:
    @pytest.mark.parametrize("required", [False, True])
    def test_required_passes_cannot_be_skipped(
        self, context: Context, module: TableOp, required: bool
    ) -> None:
        class Skip(Instrumentation):
            def should_run(self, pass_: Pass, op: Operation) -> bool:
                return False

        class Required(Mark):
            pass

        Required.required = required
        manager = PassManager(context, ANCHOR).add(Required())
        manager.instrument(Skip())
        manager.run(module)
        assert ("mark" in module.attributes) == required


class TestAnalyses:
    def test_an_analysis_is_computed_once(self, module: TableOp) -> None:
        analyses = AnalysisManager(module)
        assert analyses.cached(OpCount) is None
        first = analyses.get(OpCount)
        assert first.count == 6
        assert analyses.get(OpCount) is first
        assert analyses.cached(OpCount) is first

    def test_what_is_not_preserved_is_dropped(self, module: TableOp) -> None:
        analyses = AnalysisManager(module)
        kept, dropped = analyses.get(KeepsItself), analyses.get(OpCount)
        analyses.invalidate(PreservedAnalyses())
        assert analyses.cached(KeepsItself) is kept
        assert analyses.get(OpCount) is not dropped

    @pytest.mark.parametrize("everything", [False, True])
    def test_what_is_preserved_stays(self, module: TableOp, everything: bool) -> None:
        analyses = AnalysisManager(module)
        found = analyses.get(OpCount)
        preserved = PreservedAnalyses()
        if everything:
            preserved.preserve_all()
        else:
            preserved.preserve(OpCount)
        analyses.invalidate(preserved)
        assert analyses.cached(OpCount) is found

    def test_passes_share_analyses_they_preserve(self, context: Context, module: TableOp) -> None:
        found: list[OpCount] = []

        def keeping(op: Operation, state: PassState) -> None:
            found.append(state.analysis(OpCount))
            state.preserve(OpCount)

        def changing(op: Operation, state: PassState) -> None:
            found.append(state.analysis(OpCount))
            next(functions_of(op)).body.block.append(value())

        manager = PassManager(context, ANCHOR).add(keeping).add(changing).add(keeping)
        manager.run(module)
        assert [analysis.count for analysis in found] == [6, 6, 7]
        assert found[0] is found[1] is not found[2]

    def test_a_nested_pass_makes_analyses_around_it_stale(self, context: Context, module: TableOp) -> None:
        found: list[int] = []

        def look(op: Operation, state: PassState) -> None:
            found.append(state.analysis(OpCount).count)
            state.preserve_all()

        manager = PassManager(context, ANCHOR).add(look)
        manager.nest("sample.function").add(lambda op, state: op.regions[0].block.append(value()) and None)
        manager.add(look).run(module)
        assert found == [6, 8]

    def test_nested_managers(self, module: TableOp) -> None:
        analyses = AnalysisManager(module)
        f = next(functions_of(module))
        nested = analyses.nest(f)
        assert analyses.nest(f) is nested
        nested.get(OpCount)
        analyses.invalidate(PreservedAnalyses())
        assert nested.cached(OpCount) is None
        analyses.clear()
        assert analyses.nest(f) is not nested
