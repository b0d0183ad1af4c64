"""Formats schedules of loops as text, and as JSON. The text has a summary, a line for each unit that shows
when it is busy, and a line for each operation.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

from tilewright.ir.diagnostic import location_text
from tilewright.ir.operation import Operation
from tilewright.lowering.schedule.analysis import LoopSchedule, ScheduleAnalysis
from tilewright.lowering.schedule.units import ExecutionUnit
from tilewright.passes.pass_ import Pass, PassState


@dataclass(frozen=True)
class GenerateSchedule(Pass):
    """Computes the cycle and the pipeline stage of each operation of innermost loops, and changes nothing.

    The analysis manager keeps the result for later passes. A remark at each loop has the clocks between
    iterations, the number of stages, and the unit that binds or the reason why iterations do not overlap.
    Nothing is computed if the module names no chip.
    """

    name: ClassVar[str] = "nv-tileas-generate-schedule"

    def run(self, op: Operation, state: PassState) -> None:
        found: ScheduleAnalysis = state.analysis(ScheduleAnalysis)
        for one in found.loops:
            state.remark(one.loop, summary(one))
        state.count("num-scheduled", len(found.loops))
        state.preserve_all()


def summary(found: LoopSchedule) -> str:
    """Return a line about the schedule of a loop: ``an iteration begins every 96 clocks, in 3 stages; global
    memory binds``, or, if iterations do not overlap, ``an iteration takes 96 clocks; none overlap, as`` and
    the reason.
    """
    schedule = found.schedule
    if found.reason:
        return f"an iteration takes {schedule.interval} clocks; none overlap, as {found.reason}"
    stages = 1 + max(schedule.stages, default=0)
    return f"an iteration begins every {schedule.interval} clocks, in {stages} stages; {found.binding} binds"


COLUMNS = 64
"""The number of characters in the line of a unit; together they represent one interval."""
IDLE = "."
SHARE = 100
"""An operation is listed if it keeps a unit busy for at least 1 / `SHARE` of the interval."""


def schedule_text(found: LoopSchedule) -> str:
    """Return a loop's schedule as text: a summary, a line for each unit, and the operations in the order of
    their starts.
    """
    head = f"@{found.kernel}, loop at {location_text(found.loop.location)}:\n  {summary(found)}"
    return "\n".join([head, "", *lanes(found), "", *rows(found)])


def lanes(found: LoopSchedule) -> list[str]:
    """Return a line for each execution unit in use: a chart of one interval in `COLUMNS` characters
    (`_lane`), the busy clocks of the unit, and their share of the interval in percent.
    """
    busy, interval = found.busy, found.schedule.interval
    return [
        f"  {unit:<18}|{_lane(found, unit)}| {busy[unit]:>6} clocks, {100 * busy[unit] // interval:>3} %"
        for unit in ExecutionUnit
        if busy[unit]
    ]


def _lane(found: LoopSchedule, unit: ExecutionUnit) -> str:
    """Return the `COLUMNS` characters of a unit's line, which stand for one interval. A digit is the pipeline
    stage, modulo 10, of the operation that keeps the unit busy at that time; `IDLE` is where the unit is
    free.
    """
    interval, lane = found.schedule.interval, [IDLE] * COLUMNS
    placed = zip(found.schedule.starts, found.schedule.stages, found.costs, strict=True)
    for start, stage, cost in placed:
        first, clocks = start % interval * COLUMNS // interval, cost.busy.get(unit, 0)
        for at in range(first, first + -(-clocks * COLUMNS // interval)):
            lane[at % COLUMNS] = str(stage % 10)
    return "".join(lane)


def rows(found: LoopSchedule) -> list[str]:
    """Return a table: a header, a line for each operation that takes at least 1 / `SHARE` of the interval, in
    the order of the starts, and a line with the number of the others if there are any.
    """
    lines = ["  stage  start  clocks  latency  operation"]
    numbers = _in_order(found)
    large = [at for at in numbers if found.costs[at].clocks * SHARE >= found.schedule.interval]
    for number in large:
        op, cost, start = found.graph.operations[number], found.costs[number], found.schedule.starts[number]
        stage, at = divmod(start, found.schedule.interval)
        place = f"  {location_text(op.location)}" if op.location.source is not None else ""
        lines.append(f"  {stage:>5}  {at:>5}  {cost.clocks:>6}  {cost.latency:>7}  {op.name}{place}")
    if len(numbers) > len(large):
        lines.append(f"  and {len(numbers) - len(large)} operations of less than 1 % of the interval each")
    return lines


def _in_order(found: LoopSchedule) -> list[int]:
    """Return the indices of the operations that keep a unit busy, in the order of their starts."""
    starts = found.schedule.starts
    return sorted((at for at, cost in enumerate(found.costs) if cost.busy), key=lambda at: (starts[at], at))


def record(found: LoopSchedule) -> dict[str, Any]:
    """Return a loop's schedule as a JSON object: its kernel and location, the clocks between iterations
    (``interval``), the number of stages, what binds, the reason if it is serial or None, the lower bounds,
    the busy clocks of the units, and the operations that keep a unit busy, in the order of their starts. All
    times are clocks of one multiprocessor.
    """
    return {
        "kernel": found.kernel,
        "loop": location_text(found.loop.location),
        "interval": found.schedule.interval,
        "stages": 1 + max(found.schedule.stages, default=0),
        "binding": found.binding,
        "serial_because": found.reason or None,
        "bounds": dict(found.schedule.bounds),
        "busy": {str(unit): clocks for unit, clocks in found.busy.items() if clocks},
        "operations": [
            {
                "operation": found.graph.operations[number].name,
                "location": location_text(found.graph.operations[number].location),
                "stage": found.schedule.stages[number],
                "start": found.schedule.starts[number],
                "busy": {str(unit): clocks for unit, clocks in found.costs[number].busy.items()},
                "latency": found.costs[number].latency,
            }
            for number in _in_order(found)
        ],
    }
