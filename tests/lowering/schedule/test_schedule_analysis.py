"""Schedules of real kernels: dependences and costs are read off the IR, and the analysis manager keeps the result."""

from __future__ import annotations

import pytest

from tests.lowering.schedule.loops import COUNTED, PRODUCTS, layouts_of, schedule_of
from tests.lowering.schedule.shortest import tasks_of
from tests.lowering.schedule.test_modulo import broken
from tilewright.dialects.common.chips import CAPABILITIES
from tilewright.dialects.nv_tileas.ops_memory import LoadOp
from tilewright.dialects.nv_tileas.ops_tile import ConvertLayoutOp, DotOp
from tilewright.ir.context import Context
from tilewright.ir.diagnostic import Severity
from tilewright.ir.operation import Operation
from tilewright.lowering.schedule.analysis import LoopSchedule, ScheduleAnalysis
from tilewright.lowering.schedule.drawing import GenerateSchedule
from tilewright.lowering.schedule.units import RATES, ExecutionUnit
from tilewright.passes.manager import PassManager


def numbers(found: LoopSchedule, kind: type[Operation]) -> list[int]:
    return [at for at, op in enumerate(found.graph.operations) if isinstance(op, kind)]


def test_a_product_waits_for_its_tiles_and_adds_to_the_sum_of_the_iteration_before() -> None:
    found = schedule_of(PRODUCTS)
    (product,) = numbers(found, DotOp)
    conversions, loads = numbers(found, ConvertLayoutOp), numbers(found, LoadOp)
    assert {(one.earlier, one.distance) for one in found.graph.dependences if one.later == product} == {
        *((at, 0) for at in conversions),
        (product, 1),
    }
    for conversion, load in zip(conversions, loads, strict=True):
        assert (load, conversion, 0, False) in [tuple(one) for one in found.graph.dependences]


def test_loads_run_ahead_of_the_product_that_reads_them() -> None:
    found = schedule_of(PRODUCTS)
    stages = found.schedule.stages
    (product,) = numbers(found, DotOp)
    assert all(stages[load] < stages[product] for load in numbers(found, LoadOp))
    assert found.reason == ""


def test_each_unit_has_the_clocks_of_its_work() -> None:
    """64 x 64 x 64 multiply-adds, and two tiles of 8 KiB, which shared memory takes in, gives out and lets through."""
    found = schedule_of(PRODUCTS)
    assert found.busy[ExecutionUnit.MATRIX] == 64 * 64 * 64 // 1024
    assert found.busy[ExecutionUnit.GLOBAL] == 2 * 8192 // 64
    assert found.busy[ExecutionUnit.SHARED] == 2 * 3 * 8192 // 128
    assert found.binding == ExecutionUnit.SHARED


@pytest.mark.parametrize(("units", "recurrence"), [(7, 3), (3, 7), (5, 5)])
def test_the_binding_bound_is_the_larger_one_and_a_unit_if_they_tie(units: int, recurrence: int) -> None:
    found = schedule_of(PRODUCTS)
    bounds = {"units": units, "recurrence": recurrence}
    binding = found._replace(schedule=found.schedule._replace(bounds=bounds)).binding
    assert binding == ("recurrence" if recurrence > units else ExecutionUnit.SHARED)


def test_rates_are_those_of_the_chip() -> None:
    assert (
        schedule_of(PRODUCTS, "sm_89").busy[ExecutionUnit.MATRIX]
        == 2 * schedule_of(PRODUCTS).busy[ExecutionUnit.MATRIX]
    )
    assert RATES.keys() == CAPABILITIES


def test_the_schedule_keeps_to_dependences_and_units() -> None:
    found = schedule_of(PRODUCTS)
    wrong = broken(tasks_of(found), found.graph.dependences, found.schedule)
    assert not [one for one in wrong if "at once" not in one]


def test_a_loop_that_waits_for_nothing_stays_in_order() -> None:
    found = schedule_of(COUNTED)
    assert found.schedule.is_serial
    assert found.reason == "the loop has fewer than 8 operations"


def test_the_manager_keeps_the_analysis_and_the_pass_changes_nothing() -> None:
    module = layouts_of(PRODUCTS)
    before = str(module)
    made: list[str] = []
    context = Context(())
    manager = PassManager(context).add(GenerateSchedule()).add(GenerateSchedule())
    original = ScheduleAnalysis.__init__

    def noted(self: ScheduleAnalysis, module: Operation) -> None:
        made.append(module.name)
        original(self, module)

    with context.diagnostics.collect() as remarks:
        ScheduleAnalysis.__init__ = noted
        try:
            manager.run(module)
        finally:
            ScheduleAnalysis.__init__ = original
    assert str(module) == before
    assert made == ["builtin.module"]
    assert [one.severity for one in remarks] == [Severity.REMARK] * 2
    assert "an iteration begins every" in remarks[0].message
