"""`nv-tileas-generate-schedule`: the schedules of loops, as an analysis."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from tilewright.ir.operation import Operation
from tilewright.lowering.schedule.analysis import LoopSchedule, ScheduleAnalysis
from tilewright.passes.pass_ import Pass, PassState


@dataclass(frozen=True)
class GenerateSchedule(Pass):
    """Computes the cycle and the pipeline stage of each operation of innermost loops, and changes nothing.

    The analysis manager keeps the result for later passes. A remark at each loop has the clocks between iterations,
    the number of stages, and the unit that binds or the reason why iterations do not overlap.
    """

    name: ClassVar[str] = "nv-tileas-generate-schedule"

    def run(self, op: Operation, state: PassState) -> None:
        found: ScheduleAnalysis = state.analysis(ScheduleAnalysis)
        for one in found.loops:
            state.remark(one.loop, summary(one))
        state.count("num-scheduled", len(found.loops))
        state.preserve_all()


def summary(found: LoopSchedule) -> str:
    """Return a line about the schedule of a loop."""
    schedule = found.schedule
    if found.reason:
        return f"an iteration takes {schedule.interval} clocks; none overlap, as {found.reason}"
    stages = 1 + max(schedule.stages, default=0)
    return f"an iteration begins every {schedule.interval} clocks, in {stages} stages; {found.binding} binds"
