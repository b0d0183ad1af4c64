"""Clients of the one instrumentation protocol: order of calls, printing, timing, statistics, reproducer."""

from __future__ import annotations

import contextlib
from pathlib import Path
from typing import Any

import pytest

from tests.passes.sample_passes import REGISTRY, Fail, Mark, OpCount, fresh_context
from tests.support.sample_dialect import TableOp, function, table, value
from tilewright.driver.startup import startup
from tilewright.ir.context import Context
from tilewright.ir.diagnostic import DiagnosticError
from tilewright.ir.equality import structurally_equal
from tilewright.ir.operation import Operation
from tilewright.ir.text.parser import parse_module
from tilewright.passes.ir_printing import CrashReproducer, IRPrinting, PrintingOptions, read_configuration
from tilewright.passes.manager import PassManager
from tilewright.passes.pass_ import Instrumentation, Pass, PassState
from tilewright.passes.pipeline import parse_pipeline
from tilewright.passes.timing import Statistics, Timing
from tilewright.passes.transforms.canonicalize import Canonicalize
from tilewright.rewrite.observer import RewriteObserver, current_observer, observe

ANCHOR = "sample.table"


@pytest.fixture
def context() -> Context:
    return fresh_context()


@pytest.fixture
def module() -> TableOp:
    return table(function("f", [value()]), function("g"))


def manager_with(context: Context, client: Instrumentation, *passes: Pass) -> PassManager:
    manager = PassManager(context, ANCHOR)
    manager.instrument(client)
    for pass_ in passes:
        manager.add(pass_)
    return manager


def run_to_failure(manager: PassManager, module: Operation) -> None:
    with manager.context.diagnostics.collect(), pytest.raises(DiagnosticError):
        manager.run(module)


class Recorder(Instrumentation):
    """Writes down every call."""

    def __init__(self, name: str, log: list[str]) -> None:
        self.name = name
        self.log = log

    def before_pipeline(self, anchor: str, op: Operation) -> None:
        self.log.append(f"{self.name} pipeline {anchor}")

    def after_pipeline(self, anchor: str, op: Operation) -> None:
        self.log.append(f"{self.name} end {anchor}")

    def before_pass(self, pass_: Pass, op: Operation) -> None:
        self.log.append(f"{self.name} pass {pass_.name}")

    def after_pass(self, pass_: Pass, op: Operation, state: PassState) -> None:
        self.log.append(f"{self.name} done {pass_.name}")

    def after_pass_failed(self, pass_: Pass, op: Operation, state: PassState) -> None:
        self.log.append(f"{self.name} failed {pass_.name}")

    def before_analysis(self, name: str) -> None:
        self.log.append(f"{self.name} analysis {name}")

    def after_analysis(self, name: str) -> None:
        self.log.append(f"{self.name} analysed {name}")


def test_calls_nest(context: Context, module: TableOp) -> None:
    log: list[str] = []
    manager = PassManager(context, ANCHOR)
    manager.instrument(Recorder("1", log))
    manager.instrument(Recorder("2", log))
    manager.add(Mark())
    manager.run(module)
    assert log == [
        "1 pipeline sample.table",
        "2 pipeline sample.table",
        "1 pass mark",
        "2 pass mark",
        "2 done mark",
        "1 done mark",
        "2 end sample.table",
        "1 end sample.table",
    ]


def test_analyses_are_seen_when_computed(context: Context, module: TableOp) -> None:
    log: list[str] = []
    manager = manager_with(context, Recorder("1", log))
    manager.nest("sample.function").add(lambda op, state: state.analysis(OpCount) and state.analysis(OpCount))
    manager.run(module)
    assert log.count("1 analysis OpCount") == log.count("1 analysed OpCount") == 2


def test_failure_is_told(context: Context, module: TableOp) -> None:
    log: list[str] = []
    run_to_failure(manager_with(context, Recorder("1", log), Fail()), module)
    assert log == ["1 pipeline sample.table", "1 pass fail", "1 failed fail"]


def printed(context: Context, module: Operation, passes: list[Pass], **options: Any) -> list[str]:
    """The headers that a run prints."""
    texts: list[str] = []
    client = IRPrinting(PrintingOptions(**options), texts.append)
    manager = manager_with(context, client, *passes)
    with context.diagnostics.collect(), contextlib.suppress(DiagnosticError):
        manager.run(module)
    for text in texts:
        assert text.endswith("\n\n")
        assert "sample.table" in text
    return [text.partition("\n")[0] for text in texts]


class TestPrinting:
    def test_nothing_unless_asked(self, context: Context, module: TableOp) -> None:
        assert printed(context, module, [Mark()]) == []

    def test_before_and_after(self, context: Context, module: TableOp) -> None:
        assert printed(context, module, [Mark()], before_all=True, after=frozenset({"mark"})) == [
            "// -----// IR Dump Before Mark (mark) //----- //",
            "// -----// IR Dump After Mark (mark) //----- //",
        ]

    def test_only_on_change(self, context: Context, module: TableOp) -> None:
        headers = printed(
            context, module, [Mark("a"), Mark("a"), Mark("b")], after_all=True, only_on_change=True
        )
        assert len(headers) == 2

    def test_only_on_failure(self, context: Context, module: TableOp) -> None:
        headers = printed(context, module, [Mark(), Fail("emit")], after_all=True, only_on_failure=True)
        assert headers == ["// -----// IR Dump After Fail Failed (fail) //----- //"]

    @pytest.mark.parametrize(("after", "count"), [("fail", 1), ("mark", 0), ("", 0)])
    def test_a_pass_that_fails_is_printed_where_it_is_named(
        self, context: Context, module: TableOp, after: str, count: int
    ) -> None:
        headers = printed(context, module, [Fail("emit")], after=frozenset({after}))
        assert headers == ["// -----// IR Dump After Fail Failed (fail) //----- //"] * count

    def test_module_scope(self, context: Context, module: TableOp) -> None:
        texts: list[str] = []
        manager = manager_with(
            context, IRPrinting(PrintingOptions(after_all=True, module_scope=True), texts.append)
        )
        manager.nest("sample.function").add(Mark())
        manager.run(module)
        assert texts[0].partition("\n")[0] == (
            "// -----// IR Dump After Mark (mark) ('sample.function' operation: @f) //----- //"
        )
        assert all('"sample.table"' in text for text in texts)

    def test_a_tree_of_files(self, context: Context, module: TableOp, tmp_path: Path) -> None:
        client = IRPrinting(PrintingOptions(after_all=True, tree_directory=tmp_path))
        manager = manager_with(context, client, Mark())
        manager.nest("sample.function").add(Mark())
        manager.run(module)
        files = sorted(str(p.relative_to(tmp_path)) for p in tmp_path.rglob("*.mlir"))
        assert files == [
            "sample_table_no-symbol-name/0_mark.mlir",
            "sample_table_no-symbol-name/sample_function_f/1_mark.mlir",
            "sample_table_no-symbol-name/sample_function_g/2_mark.mlir",
        ]


class TestTiming:
    def test_the_tree(self, context: Context, module: TableOp) -> None:
        timing = Timing()
        manager = manager_with(context, timing, Mark())
        manager.nest("sample.function").add(Mark())
        manager.run(module)
        lines = timing.report().splitlines()
        names = [line.partition(")  ")[2] for line in lines if "%)" in line]
        assert names == [
            "'sample.table' Pipeline",
            "  mark",
            "  'sample.function' Pipeline",
            "    mark",
            "Total",
        ]

    def test_it_survives_failure(self, context: Context, module: TableOp) -> None:
        timing = Timing()
        run_to_failure(manager_with(context, timing, Fail()), module)
        assert "fail" in timing.report()


def test_statistics_add_up(context: Context, module: TableOp) -> None:
    statistics = Statistics()
    manager = manager_with(context, statistics, Mark(times=2))
    manager.nest("sample.function").add(Mark(times=5))
    manager.run(module)
    assert statistics.counts == {"mark": {"marks": 12}}
    assert "(S)       12 marks" in statistics.report()


class TestReproducer:
    @pytest.mark.parametrize("local", [False, True])
    def test_the_file_fails_again(
        self, context: Context, module: TableOp, tmp_path: Path, local: bool
    ) -> None:
        path = tmp_path / "crash.mlir"
        pipeline = "sample.table(mark{text=early},fail{how=emit})"
        manager = parse_pipeline(pipeline, context, REGISTRY)
        manager.instrument(CrashReproducer(path, pipeline, local=local))
        before = module.clone()
        run_to_failure(manager, module)
        text = path.read_text()
        again = read_configuration(text)
        assert again == ("sample.table(fail{how=emit})" if local else pipeline)
        kept = parse_module(context, text)
        assert structurally_equal(kept, module if local else before)
        run_to_failure(parse_pipeline(again, context, REGISTRY), kept)

    def test_a_second_run_keeps_its_own_start(
        self, context: Context, module: TableOp, tmp_path: Path
    ) -> None:
        path = tmp_path / "crash.mlir"
        manager = manager_with(context, CrashReproducer(path, "sample.table(fail)"), Fail())
        run_to_failure(manager, module)
        other = table(function("other"))
        run_to_failure(manager, other)
        assert "other" in path.read_text()

    def test_no_failure_no_file(self, context: Context, module: TableOp, tmp_path: Path) -> None:
        path = tmp_path / "crash.mlir"
        manager_with(context, CrashReproducer(path, "x"), Mark()).run(module)
        assert not path.exists()

    def test_other_files_have_no_configuration(self) -> None:
        assert read_configuration("// a comment\n") is None


class TestObserve:
    """`observe` around a run hears of the patterns that passes apply."""

    TEXT = "func.func @f(%x: i32) -> i32 {\n  %0 = arith.constant 0 : i32\n  %1 = arith.addi %x, %0 : i32\n  return %1 : i32\n}"

    def run(self, *clients: Instrumentation) -> list[str]:
        """Names of the operations that an observer around the run saw erased."""
        ctx = startup().context()
        erased: list[str] = []

        class Erased(RewriteObserver):
            def erased(self, op: Operation) -> None:
                erased.append(op.name)

        manager = PassManager(ctx).add(Canonicalize())
        for client in clients:
            manager.instrument(client)
        with observe(Erased()):
            manager.run(parse_module(ctx, self.TEXT, implicit_module=True))
            assert isinstance(current_observer(), Erased)
        return erased

    def test_it_sees_inside_of_passes(self) -> None:
        assert sorted(self.run()) == ["arith.addi", "arith.constant"]

    def test_beside_an_instrumentation_that_observes(self) -> None:
        statistics = Statistics()
        assert sorted(self.run(statistics)) == ["arith.addi", "arith.constant"]
        assert list(statistics.patterns) == ["canonicalize"]


def test_functions_used_as_passes_are_named_by_their_names(context: Context, module: TableOp) -> None:
    def tidy_up(op: Operation, state: PassState) -> None:
        state.count("seen")

    text: list[str] = []
    timing, statistics = Timing(), Statistics()
    manager = PassManager(context, ANCHOR).add(tidy_up)
    for client in (
        timing,
        statistics,
        IRPrinting(PrintingOptions(after=frozenset({"tidy_up"})), text.append),
    ):
        manager.instrument(client)
    manager.run(module)
    assert statistics.counts == {"tidy_up": {"seen": 1}}
    assert timing.report().count("  tidy_up\n") == 1
    assert "".join(text).startswith("// -----// IR Dump After tidy_up (tidy_up) //----- //\n")


def test_reports_name_passes_as_pipelines_do(context: Context, module: TableOp) -> None:
    timing, statistics = Timing(), Statistics()
    manager = manager_with(context, timing, Mark())
    manager.instrument(statistics)
    manager.run(module)
    assert list(statistics.counts) == ["mark"]
    assert "  mark\n" in timing.report()
