"""Reports of passes to the last digit: times by a clock of our own, statistics, dumps and the pipelines of failures."""

from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from tests.passes.sample_passes import Fail, Mark, OpCount, fresh_context
from tests.passes.test_instrumentation import manager_with, run_to_failure
from tests.support.sample_dialect import function, table, value
from tilewright.ir.diagnostic import DiagnosticError
from tilewright.ir.operation import Operation
from tilewright.passes import timing as passes_timing
from tilewright.passes.ir_printing import (
    HEADER,
    CrashReproducer,
    IRPrinting,
    PrintingOptions,
    read_configuration,
)
from tilewright.passes.pass_ import Pass, PassFailure, PassState
from tilewright.passes.timing import Statistics, Timing
from tilewright.rewrite.pattern import NoMatch


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """A clock that goes on by a second with every look."""
    now = [0.0]

    def look() -> float:
        now[0] += 1.0
        return now[0]

    monkeypatch.setattr(passes_timing, "time", SimpleNamespace(perf_counter=look))
    return now


def counted(op: Operation, state: PassState) -> None:
    state.analysis(OpCount)


LINE = "===" + "-" * 73 + "==="


def test_times_of_passes_and_analyses(clock: list[float]) -> None:
    timing = Timing()
    manager = manager_with(fresh_context(), timing, Mark())
    manager.nest("sample.function").add(counted).add(Mark())
    manager.run(table(function("f", [value()]), function("g")))
    assert timing.report().splitlines() == [
        LINE,
        "                         ... Execution time report ...",
        LINE,
        "  Total Execution Time: 19.0000 seconds",
        "",
        "  ----Wall Time----  ----Name----",
        "   19.0000 (100.0%)  'sample.table' Pipeline",
        "    1.0000 (  5.3%)    mark",
        "   14.0000 ( 73.7%)    'sample.function' Pipeline",
        "    6.0000 ( 31.6%)      counted",
        "    2.0000 ( 10.5%)        (A) OpCount",
        "    2.0000 ( 10.5%)      mark",
        "   19.0000 (100.0%)  Total",
    ]
    assert timing.root.children["'sample.table' Pipeline"].children["mark"].runs == 1
    listed = Timing(as_list=True)
    listed.root = timing.root
    assert [line.split("  ")[-1] for line in listed.report().splitlines()[6:]] == [
        "'sample.table' Pipeline",
        "'sample.function' Pipeline",
        "counted",
        "mark",
        "(A) OpCount",
        "Total",
    ]
    assert [row[0] for row in listed._sorted_rows()] == [19.0, 14.0, 6.0, 3.0, 2.0]  # pyright: ignore[reportPrivateUsage]


def test_times_end_with_a_failure(clock: list[float]) -> None:
    timing = Timing()
    run_to_failure(manager_with(fresh_context(), timing, Mark(), Fail()), table(function("f")))
    (pipeline,) = timing.root.children.values()
    assert (pipeline.runs, pipeline.seconds) == (1, 5.0)
    assert [(child.name, child.runs, child.seconds) for child in pipeline.children.values()] == [
        ("mark", 1, 1.0),
        ("fail", 1, 1.0),
    ]


def test_no_time_at_all_is_no_division() -> None:
    assert "  Total Execution Time: 0.0000 seconds" in Timing().report()


def test_statistics_of_passes_and_patterns() -> None:
    statistics = Statistics()
    for amount in (2, 3):
        state: Any = SimpleNamespace(statistics={"num-a": amount, "num-b": 1})
        statistics.after_pass(Mark(), table(), state)
    observer = statistics.rewrite_observer(Mark())
    assert statistics.rewrite_observer(Mark()) is observer
    often, seldom = SimpleNamespace(debug_name="often"), SimpleNamespace(debug_name="seldom")
    for refused, seconds in (
        (NoMatch("no"), 0.25),
        (None, 0.5),
        (NoMatch("no"), 0.125),
        (NoMatch("yes"), 0.0),
    ):
        observer.result(often, refused, seconds)  # pyright: ignore[reportArgumentType]
    observer.result(seldom, None, 2.0)  # pyright: ignore[reportArgumentType]
    assert statistics.report().splitlines() == [
        LINE,
        "                         ... Pass statistics report ...",
        "mark",
        "  (S)        5 num-a",
        "  (S)        2 num-b",
        "  (P)        4 tries        1 matches   0.875000 s  often  (no)",
        "  (P)        1 tries        1 matches   2.000000 s  seldom",
    ]


@pytest.mark.parametrize(
    ("options", "titles"),
    [
        ({}, []),
        ({"before": {"mark"}}, ["Before Mark (mark)"]),
        ({"before": {"fail"}}, ["Before Fail (fail)"]),
        ({"after": {"mark"}}, ["After Mark (mark)"]),
        ({"after": {"fail"}}, ["After Fail Failed (fail)"]),
        ({"before_all": True}, ["Before Mark (mark)", "Before Fail (fail)"]),
        ({"after_all": True}, ["After Mark (mark)", "After Fail Failed (fail)"]),
        ({"only_on_failure": True}, ["After Fail Failed (fail)"]),
        ({"only_on_failure": True, "after": {"mark"}}, ["After Fail Failed (fail)"]),
        ({"after": {"mark"}, "only_on_change": True}, ["After Mark (mark)"]),
    ],
)
def test_what_is_printed_of_a_pipeline_that_fails(options: dict[str, Any], titles: list[str]) -> None:
    texts: list[str] = []
    given = {name: frozenset(one) if isinstance(one, set) else one for name, one in options.items()}
    client = IRPrinting(PrintingOptions(**given), texts.append)
    run_to_failure(manager_with(fresh_context(), client, Mark(), Fail()), table(function("f")))
    assert [text.partition("IR Dump ")[2].partition(" //")[0] for text in texts] == titles
    assert all(text.startswith("// -----// IR Dump") and text.endswith("\n\n") for text in texts)


class Nothing(Pass):
    """Changes nothing."""

    name = "nothing"

    def run(self, op: Operation, state: PassState) -> None:
        """Do nothing."""


def test_only_changes_are_printed() -> None:
    texts: list[str] = []
    options = PrintingOptions(after_all=True, only_on_change=True)
    manager = manager_with(fresh_context(), IRPrinting(options, texts.append), Nothing(), Mark(), Nothing())
    manager.run(table(function("f")))
    assert ["Mark" in text for text in texts] == [True]


@pytest.mark.parametrize("local", [True, False])
def test_the_pipeline_of_a_failure_is_written(local: bool, tmp_path: Path) -> None:
    path = tmp_path / "reproducer.mlir"
    client = CrashReproducer(path, "sample.table(mark,fail)", local=local)
    module = table(function("f"))
    before = module.print()
    manager = manager_with(fresh_context(), client, Mark(), Fail())
    run_to_failure(manager, module)
    text = path.read_text()
    pipeline = "sample.table(fail)" if local else "sample.table(mark,fail)"
    first, _, rest = text.partition("\n")
    assert first == f"{HEADER}--pass-pipeline='{pipeline}'"
    assert ("mark" in rest) == local
    assert read_configuration(text) == pipeline
    assert read_configuration(rest) is None
    if not local:
        assert len(rest.splitlines()) >= len(before.splitlines())


def test_a_pass_that_only_says_that_it_failed() -> None:
    class Silent(Pass):
        name = "silent"

        def run(self, op: Operation, state: PassState) -> None:
            raise PassFailure

    module = table(function("f"))
    with pytest.raises(DiagnosticError) as caught:
        manager_with(fresh_context(), Timing(), Silent()).run(module)
    (found,) = caught.value.diagnostics
    assert found.message == "pass 'silent' failed"
    assert found.location == module.location
