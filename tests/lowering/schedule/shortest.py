"""The shortest interval of a loop's iterations, by z3: what schedules are compared with."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations
from typing import Any

import pytest

from tilewright.lowering.schedule.analysis import LoopSchedule
from tilewright.lowering.schedule.dependences import Dependence
from tilewright.lowering.schedule.modulo import Task, bounds_of, coarse_tasks
from tilewright.lowering.schedule.units import ExecutionUnit


def tasks_of(found: LoopSchedule) -> list[Task]:
    """Return the tasks of a scheduled loop."""
    units = list(ExecutionUnit)
    return [
        Task({units.index(unit): clocks for unit, clocks in cost.busy.items()}, cost.latency)
        for cost in found.costs
    ]


def in_rows(tasks: Sequence[Task], dependences: Sequence[Dependence]) -> tuple[list[Task], int]:
    """Return tasks with their times in rows, as the scheduler sees them, and the clocks of a row."""
    return coarse_tasks(tasks, max(1, *bounds_of(tasks, dependences).values()))


def shortest(
    tasks: Sequence[Task], dependences: Sequence[Dependence], at_most: int, milliseconds: int = 0
) -> int | None:
    """Return the smallest interval for which z3 finds a schedule, `at_most` if there is none below; None if z3 does not
    know within `milliseconds` for an interval (0: any time).
    """
    z3: Any = pytest.importorskip("z3")
    for interval in range(max(1, *bounds_of(tasks, dependences).values()), at_most):
        solver = z3.Solver()
        if milliseconds:
            solver.set("timeout", milliseconds)
        solver.add(conditions(z3, tasks, dependences, interval))
        answer = solver.check()
        if answer != z3.unsat:
            return interval if answer == z3.sat else None
    return at_most


def conditions(z3: Any, tasks: Sequence[Task], dependences: Sequence[Dependence], interval: int) -> list[Any]:
    """Return the conditions for a schedule with an interval: each task has a row of the interval and a stage."""
    rows, stages = ([z3.Int(f"{name}{at}") for at in range(len(tasks))] for name in ("row", "stage"))
    found = [condition for row in rows for condition in (row >= 0, row < interval)]
    found += [stage >= 0 for stage in stages]
    for one in dependences:
        ready = rows[one.earlier] + stages[one.earlier] * interval + tasks[one.earlier].delay(one)
        found.append(ready <= rows[one.later] + (stages[one.later] + one.distance) * interval)
    found += [z3.BoolVal(clocks <= interval) for task in tasks for clocks in task.busy.values()]
    for (a, first), (b, second) in combinations(enumerate(tasks), 2):
        for unit in first.busy.keys() & second.busy.keys():
            mine, other, apart = first.busy[unit], second.busy[unit], rows[b] - rows[a]
            after = z3.And(apart >= mine, apart <= interval - other)
            before = z3.And(-apart >= other, -apart <= interval - mine)
            found.append(z3.Or(after, before))
    return found
