"""The registration graph: order, idempotence, what a context then knows."""

from __future__ import annotations

import ast
import threading
from collections.abc import Sequence

import pytest

from tests.house.tree import ROOT, nodes, run_python, trees
from tilewright.cli.commands.compile import command as compile_command
from tilewright.cli.commands.run import command as run_command
from tilewright.driver.registry import DialectEntry, OnceGuard, Registry, StagedTable, StartupStep
from tilewright.driver.stages import CompileOptions, option_values
from tilewright.driver.startup import (
    CHAIN,
    FOREIGN_DIALECTS,
    INPUT_DIALECT,
    SHARED_INTERFACES,
    STANDARD_DIALECTS,
    context,
    dialect_object,
    startup,
    steps,
)
from tilewright.driver.target import TARGETS
from tilewright.ir.context import Context
from tilewright.ir.diagnostic import DiagnosticError
from tilewright.ir.dialect import Dialect
from tilewright.reference.subjects import dialect_names


def test_every_step_names_steps_before_it() -> None:
    seen: set[str] = set()
    for step in steps():
        assert set(step.requires) <= seen, step.name
        assert step.summary
        seen.add(step.name)


def test_the_cascade_has_one_order() -> None:
    names = [step.name for step in steps()]
    cascade = names[names.index("dialect nv_tileaa") : names.index("dialect cute") + 1]
    assert cascade == [
        "dialect nv_tileaa",
        "dialect nv_tileas",
        SHARED_INTERFACES,
        "dialect cutlass",
        "dialect cute_nvgpu",
        "dialect cute",
    ]
    assert names[:3] == ["options", "type ids", "standard dialects"]
    assert names[-4:] == ["dialect cuda_tile", "passes", "patterns", "target hooks"]


@pytest.mark.parametrize("position", range(1, 6))
def test_no_link_of_the_cascade_can_be_left_out(position: int) -> None:
    graph = steps()
    first = next(number for number, step in enumerate(graph) if step.name == "dialect nv_tileaa")
    left_out = graph.pop(first + position - 1)
    with pytest.raises(DiagnosticError, match=f"needs '{left_out.name}' to run before it") as caught:
        Registry().run_all(graph)
    assert [str(d.code) for d in caught.value.diagnostics] == ["TW0507"]


def test_the_tables_say_what_the_dialects_declare() -> None:
    for name, depends_on in {**STANDARD_DIALECTS, **CHAIN, **FOREIGN_DIALECTS, INPUT_DIALECT: ()}.items():
        assert dialect_object(name).name == name
        assert dialect_object(name).depends_on == depends_on, name


def test_every_dialect_of_the_installation_is_registered() -> None:
    assert set(dialect_names()) == set(startup().dialects)


def test_a_dialect_comes_after_those_it_depends_on() -> None:
    registry = Registry()
    entry = DialectEntry("above", ("below",), lambda: Dialect("above", depends_on=("below",)))
    with pytest.raises(DiagnosticError, match="'above' registered before 'below', which it depends on"):
        registry.add_dialect(entry)
    registry.add_dialect(DialectEntry("below", (), lambda: Dialect("below")))
    registry.add_dialect(entry)
    registry.add_dialect(entry)
    with pytest.raises(DiagnosticError, match="TW0508"):
        registry.add_dialect(DialectEntry("above", ("below",), entry.load))


def test_a_step_is_done_once() -> None:
    calls: list[Registry] = []
    step = StartupStep("only", (), calls.append, "the only one")
    registry = Registry()
    registry.run_all([step, step])
    registry.run(step)
    assert (len(calls), registry.done) == (1, ["only"])


@pytest.mark.parametrize("name", ["only", SHARED_INTERFACES])
def test_a_step_is_done_once_whatever_thread_comes_first(name: str) -> None:
    calls: list[int] = []
    inside, ask = threading.Event(), threading.Event()

    def register(registry: Registry) -> None:
        calls.append(threading.get_ident())
        inside.set()
        ask.wait(0.05)

    registry, step = Registry(), StartupStep(name, (), register, "the only one")
    threads = [threading.Thread(target=registry.run, args=(step,)) for _ in range(3)]
    threads[0].start()
    assert inside.wait(10)
    for thread in threads[1:]:
        thread.start()
    for thread in threads:
        thread.join()
    assert (len(calls), registry.done) == (1, [name])


def test_options_have_defaults_and_help_and_commands_read_them() -> None:
    options = startup().options
    of_targets = ["cpu", "isolate", "record_times", "max_instructions"]
    assert list(options) == ["target", "opt-level", "verify-each", *of_targets]
    assert all(option.help and option.default is not None for option in options.values())
    rows = [row for row in startup().rows() if row[0] == "option"]
    assert rows[0] == (
        "option",
        "target",
        "Target of kernels: cpu (compiled), interp (interpreted), cuda (a GPU), sim:sm_80 (simulated) (default: cpu).",
    )
    read = [
        (parameter.default, getattr(parameter, "help", "")) == (option.default, option.page)
        for option in options.values()
        for parameter in (*compile_command.params, *run_command.params)
        if option.flag in parameter.opts and not getattr(parameter, "is_flag", False)
    ]
    assert read == [True] * 4
    assert CompileOptions().opt_level == options["opt-level"].default
    given = option_values(TARGETS["cpu"], CompileOptions())
    assert given == {name: options[name].default for name in ("cpu", "isolate", "record_times")}


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


def test_shared_interfaces_wait_for_the_first_look_up() -> None:
    registry = Registry()
    registry.run_all(steps())
    guard = registry.guards[SHARED_INTERFACES]
    assert not guard.done
    assert "LayoutTypeInterface" in registry.interfaces
    assert guard.done
    first = ["FunctionOpInterface", "SymbolTableInterface", "LoopLikeOpInterface"]
    assert list(registry.interfaces)[:3] == first


class TestTable:
    """Names with what is staged for them."""

    def test_staged_things_come_in_order_and_once(self) -> None:
        calls: list[str] = []
        table = StagedTable[int]()

        def more() -> list[tuple[str, int]]:
            calls.append("more")
            return [("b", 2), ("c", 3)]

        table.add("a", 1)
        table.stage(more)
        assert calls == []
        assert dict(table) == {"a": 1, "b": 2, "c": 3}
        assert (table["c"], len(table), "d" in table, calls) == (3, 3, False, ["more"])

    def test_a_name_is_taken_once(self) -> None:
        table = StagedTable[str]()
        table.add("a", "one")
        table.add("a", "one")
        with pytest.raises(DiagnosticError, match="something else is already registered as 'a'"):
            table.add("a", "two")


class TestContext:
    """What a context of the registry knows, and when."""

    def test_contexts_are_fresh_and_know_tile_ir(self) -> None:
        first, second = context(), context(allow_unregistered=True)
        assert first is not second
        assert first.diagnostics is not second.diagnostics
        assert first.kind("cuda_tile.addf") is second.kind("cuda_tile.addf") is not None
        assert second.allow_unregistered

    def test_dialects_are_loaded_when_first_met(self) -> None:
        known = context()
        assert list(known.dialects) == []
        assert known.kind("arith.addi") is not None
        assert list(known.dialects) == ["ub", "arith"]
        assert known.type_class("cute", "layout") is not None
        assert list(known.dialects)[2:] == ["nv_tileaa", "nv_tileas", "cutlass", "cute_nvgpu", "cute"]
        assert known.attribute_class("nv_tileaa", "kernel_spec") is not None
        assert known.kind("nowhere.op") is None
        assert known.dialect("nowhere") is None
        known.load_available()
        assert set(known.dialects) == set(startup().dialects)

    def test_a_misspelt_dialect_is_still_corrected(self) -> None:
        assert context().suggestion("arth.addi") == "arith.addi"

    def test_a_package_that_cannot_be_loaded_is_asked_for_again(self) -> None:
        answers = [ImportError("not now"), Dialect("late")]

        def load() -> Dialect:
            answer = answers.pop(0)
            if isinstance(answer, Exception):
                raise answer
            return answer

        known = Context(available={"late": load})
        with pytest.raises(ImportError):
            known.dialect("late")
        assert known.dialect("late") is not None

    def test_a_dependency_that_does_not_exist(self) -> None:
        known = Context(available={"above": lambda: Dialect("above", depends_on=("below",))})
        with pytest.raises(ValueError, match="dialect 'above' needs below"):
            known.dialect("above")


PACKAGES = (
    "import sys\n"
    "print(*sorted({m.split('.')[2] for m in sys.modules if m.startswith('tilewright.dialects.')} - {'common'}))"
)


def test_making_a_context_imports_no_dialect() -> None:
    program = f"import tilewright.driver.startup as s\ns.context()\n{PACKAGES}"
    assert run_python(program).split() == []


def test_translating_imports_what_the_file_needs() -> None:
    kernel = ROOT / "tests" / "house" / "data" / "kernel.mlir"
    program = (
        "import sys, io\nfrom tilewright.driver.sources import load\nfrom pathlib import Path\n"
        f"load(Path({str(kernel)!r}))\n{PACKAGES}"
    )
    assert run_python(program).split() == ["cuda_tile"]


class TestGuard:
    """Functions that run once."""

    def test_a_guard_runs_once(self) -> None:
        calls: list[int] = []
        guard = OnceGuard(lambda: calls.append(1))
        assert not guard.done
        guard()
        guard()
        assert guard.done
        assert calls == [1]

    def test_whatever_thread_comes_first(self) -> None:
        calls: list[int] = []
        gate = threading.Barrier(4)
        guard = OnceGuard(lambda: calls.append(1))

        def run() -> None:
            gate.wait()
            guard()

        threads = [threading.Thread(target=run) for _ in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert calls == [1]


@pytest.mark.parametrize("name", startup().passes)
def test_a_pass_is_published_under_its_name(name: str) -> None:
    published = startup().passes[name]
    assert published.name == name
    assert published.manual()


@pytest.mark.parametrize("table", ["interface", "pass"])
def test_a_summary_is_a_whole_paragraph(table: str) -> None:
    """The sentence of a docstring may have several lines."""
    summaries = {name: summary for found, name, summary in startup().rows() if found == table}
    assert summaries
    assert {name: text for name, text in summaries.items() if not text.endswith(".")} == {}


def classes_below(classes: Sequence[ast.ClassDef], *names: str) -> list[ast.ClassDef]:
    """The classes that have one of these among their bases, at any distance."""
    known, found = set(names), list[ast.ClassDef]()
    while new := [c for c in classes if c.name not in known and known & {ast.unparse(b) for b in c.bases}]:
        found += new
        known |= {c.name for c in new}
    return found


def test_every_pass_of_the_sources_is_published() -> None:
    classes = [node for tree in trees("src").values() for node in nodes(tree, ast.ClassDef)]
    found = {
        ast.literal_eval(field.value)
        for node in classes_below(classes, "Pass", "PassPipeline")
        for field in node.body
        if isinstance(field, ast.AnnAssign) and ast.unparse(field.target) == "name" and field.value
    }
    assert found - {"callable"} <= set(
        startup().passes
    )  # "callable" wraps a function and has no name of its own
    assert len(found) > 30
