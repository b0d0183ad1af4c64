"""Schedules loops: computes the start of each operation so that a new iteration can begin every `interval`
clocks.

The modulo scheduler is Rau's (Iterative Modulo Scheduling, 1994). Operations are placed in decreasing order
of their height, the longest path to the end of the iteration. An operation that finds no free slot displaces
the operations that occupy it; after too many displacements the interval grows. The first interval is the
smallest that units and cyclic dependences allow.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import ceil
from typing import NamedTuple

from tilewright.lowering.schedule.dependences import Dependence

ROWS = 256
"""The maximum number of rows of a reservation table. In a longer interval each row represents several clocks.
"""
BUDGET = 4
"""An interval is given up after `BUDGET` times as many placements as there are operations."""
GROWTH = 64
"""The interval grows by 1 / `GROWTH` of its length, and at least by a row."""
FEWEST = 8
"""Loops with fewer operations than this keep their order."""


class Task(NamedTuple):
    """An operation to schedule. ``busy`` maps the index of a unit to the number of clocks that it is busy
    from the operation's start on; ``latency`` is the number of clocks from the start to the result.
    """

    busy: Mapping[int, int]
    latency: int

    def delay(self, dependence: Dependence) -> int:
        """Return the minimum number of clocks from the start of this operation to the start of the operation
        that depends on it by `dependence`. Its distance in iterations is not considered. It is shorter by the
        busy clocks of this operation if the dependence is piecewise.
        """
        whole = max(self.busy.values(), default=0) if dependence.is_piecewise else 0
        return max(self.latency - whole, 0)


class IterationSchedule(NamedTuple):
    """The clocks between the starts of iterations (`interval`, at least 1), and the start of each operation
    in clocks from the start of its iteration. `bounds` are the lower bounds of `interval` in clocks:
    ``units`` for the busiest unit, and ``recurrence`` for cycles of dependences. `is_serial`: no iteration
    begins before the previous one has ended.
    """

    interval: int
    starts: Sequence[int]
    bounds: Mapping[str, int]
    is_serial: bool = False

    @property
    def stages(self) -> list[int]:
        """Return the pipeline stage of each operation, its start divided by the interval: how many later
        iterations have begun by then.
        """
        return [start // self.interval for start in self.starts]


def serial(tasks: Sequence[Task], dependences: Sequence[Dependence]) -> IterationSchedule:
    """Return the schedule of operations in the order of the text. An operation begins after the results that
    it reads are available, and after all earlier operations have left their units. Results of the previous
    iteration are available from the beginning, because it has ended.
    """
    starts: list[int] = []
    for number, _ in enumerate(tasks):
        waits = [
            starts[one.earlier] + tasks[one.earlier].delay(one)
            for one in dependences
            if one.later == number and not one.distance
        ]
        free = [start + max(tasks[at].busy.values(), default=0) for at, start in enumerate(starts)]
        starts.append(max([0, *waits, *free]))
    ends = (start + task.latency for start, task in zip(starts, tasks, strict=True))
    length = max(ends, default=0)
    return IterationSchedule(max(length, 1), starts, bounds_of(tasks, dependences), is_serial=True)


def modulo(tasks: Sequence[Task], dependences: Sequence[Dependence]) -> IterationSchedule:
    """Return a schedule whose iterations overlap. Intervals are tried from the larger lower bound on, in
    steps that grow with the interval, and the first one with a schedule is taken. Times are multiples of a
    number of clocks, so that the smallest interval has at most `ROWS` rows.
    """
    bounds = bounds_of(tasks, dependences)
    least = max(1, *bounds.values())
    coarse, step = coarse_tasks(tasks, least)
    interval = ceil(least / step)
    while True:
        starts = _Attempt(coarse, dependences, interval).run()
        if starts is not None:
            return IterationSchedule(interval * step, [start * step for start in starts], bounds)
        interval += max(1, interval // GROWTH)


def coarse_tasks(tasks: Sequence[Task], least: int) -> tuple[list[Task], int]:
    """Return `tasks` with times in rows of a reservation table, and the number of clocks of a row. An
    interval of `least` clocks has at most `ROWS` rows.
    """
    step = ceil(least / ROWS)
    return [_coarse(task, step) for task in tasks], step


def _coarse(task: Task, step: int) -> Task:
    """Return a copy of a task with times in units of ``step`` clocks. Busy clocks are rounded to the nearest
    row, so that many short tasks can share a row.
    """
    rows = {unit: round(clocks / step) for unit, clocks in task.busy.items()}
    return Task({unit: count for unit, count in rows.items() if count}, ceil(task.latency / step))


def bounds_of(tasks: Sequence[Task], dependences: Sequence[Dependence]) -> dict[str, int]:
    """Return the lower bounds of the initiation interval in clocks, each at least 1: ``units``, the clocks of
    the busiest unit, and ``recurrence``, the clocks of the longest cycle of dependences for each iteration
    that it spans.
    """
    units: dict[int, int] = {}
    for task in tasks:
        for unit, clocks in task.busy.items():
            units[unit] = units.get(unit, 0) + clocks
    return {"units": max(units.values(), default=1), "recurrence": recurrence(tasks, dependences)}


def recurrence(tasks: Sequence[Task], dependences: Sequence[Dependence]) -> int:
    """Return the smallest interval that every cycle of dependences allows: the delays along a cycle fit into
    the iterations that it spans.
    """
    low, high = 1, 1 + sum(task.latency for task in tasks)
    while low < high:
        middle = (low + high) // 2
        if _heights(tasks, dependences, middle) is None:
            low = middle + 1
        else:
            high = middle
    return low


def _heights(tasks: Sequence[Task], dependences: Sequence[Dependence], interval: int) -> list[int] | None:
    """Return the height of each operation: the clocks of the longest path from its start to the end. None if
    the interval is too short for some cycle of dependences.
    """
    heights = [task.latency for task in tasks]
    for _ in range(len(tasks) + 1):
        changed = False
        for one in dependences:
            height = heights[one.later] + tasks[one.earlier].delay(one) - one.distance * interval
            if height > heights[one.earlier]:
                heights[one.earlier], changed = height, True
        if not changed:
            return heights
    return None


@dataclass
class _Table:
    """A reservation table with ``interval`` rows: for each unit a bit mask of its reserved rows. Times are
    rows, modulo the interval.
    """

    interval: int

    def __post_init__(self) -> None:
        self.all = (1 << self.interval) - 1
        self.taken: dict[int, int] = {}

    def footprint(self, start: int, clocks: int) -> int:
        """Return a mask of the `clocks` rows from `start` on, modulo the number of rows."""
        if clocks >= self.interval:
            return self.all
        rows, at = (1 << clocks) - 1, start % self.interval
        return (rows << at | rows << at >> self.interval) & self.all

    def is_free(self, start: int, task: Task) -> bool:
        """Return whether all rows of a task that begins at `start` are free."""
        return not any(
            self.taken.get(unit, 0) & self.footprint(start, clocks) for unit, clocks in task.busy.items()
        )

    def flip(self, start: int, task: Task) -> None:
        """Toggle the rows of a task that begins at `start` in the table: reserve them, or release them if
        they are reserved.
        """
        for unit, clocks in task.busy.items():
            self.taken[unit] = self.taken.get(unit, 0) ^ self.footprint(start, clocks)

    def first_free(self, start: int, task: Task) -> int | None:
        """Return the first start, among the `interval` starts from `start` on, at which all rows of a task
        are free; None if there is none.
        """
        blocked = 0
        for unit, clocks in task.busy.items():
            blocked |= self._blocked(self.taken.get(unit, 0), clocks)
        at = start % self.interval
        turned = (blocked >> at | blocked << (self.interval - at)) & self.all
        free = ~turned & self.all
        return start + (free & -free).bit_length() - 1 if free else None

    def _blocked(self, taken: int, clocks: int) -> int:
        """Return the mask of the starts at which `clocks` consecutive rows would overlap a row in `taken`.

        The number of rows that are tested together doubles in each iteration.
        """
        if not taken or not clocks:
            return 0
        if clocks >= self.interval:
            return self.all
        found, length = taken, 1
        while length < clocks:
            more = min(length, clocks - length)
            found |= (found >> more | found << (self.interval - more)) & self.all
            length += more
        return found


class _Attempt:
    """An attempt to schedule all operations at a given interval; times are rows of the table. `starts` has
    the start of each operation, None while it is not placed; `last` has its most recent start, -1 before the
    first.
    """

    def __init__(self, tasks: Sequence[Task], dependences: Sequence[Dependence], interval: int) -> None:
        self.tasks, self.interval = tasks, interval
        self.table = _Table(interval)
        self.starts: list[int | None] = [None] * len(tasks)
        self.last = [-1] * len(tasks)
        self.before: list[list[Dependence]] = [[] for _ in tasks]
        self.after: list[list[Dependence]] = [[] for _ in tasks]
        self.heights = _heights(tasks, dependences, interval)
        for one in dependences:
            self.before[one.later].append(one)
            self.after[one.earlier].append(one)

    def run(self) -> list[int] | None:
        """Return the start of each operation; None if the interval is too short, or too many operations were
        displaced.
        """
        heights = self.heights
        if heights is None or any(
            clocks > self.interval for task in self.tasks for clocks in task.busy.values()
        ):
            return None
        waiting = set(range(len(self.tasks)))
        for _ in range(BUDGET * len(self.tasks)):
            if not waiting:
                break
            number = min(waiting, key=lambda at: (-heights[at], at))
            waiting.remove(number)
            waiting |= self._place(number)
        return None if waiting else [start for start in self.starts if start is not None]

    def _place(self, number: int) -> set[int]:
        """Place operation `number` into the table; return the indices of the operations that it displaces."""
        task, earliest = self.tasks[number], self._earliest(number)
        free = self.table.first_free(earliest, task)
        start = max(earliest, self.last[number] + 1) if free is None else free
        displaced = self._too_early(number, start)
        if free is None:
            displaced |= self._in_the_way(number, start)
        for other in displaced:
            self._remove(other)
        self.table.flip(start, task)
        self.starts[number] = self.last[number] = start
        return displaced

    def _earliest(self, number: int) -> int:
        found = 0
        for one in self.before[number]:
            start = self.starts[one.earlier]
            if start is not None and one.earlier != number:
                found = max(found, start + self.tasks[one.earlier].delay(one) - one.distance * self.interval)
        return found

    def _in_the_way(self, number: int, start: int) -> set[int]:
        """Return the placed operations that occupy a unit in rows which operation `number`, started at
        `start`, needs.
        """
        footprint, found = self.table.footprint, set[int]()
        mine = {unit: footprint(start, clocks) for unit, clocks in self.tasks[number].busy.items()}
        for other, begun in enumerate(self.starts):
            if begun is not None:
                busy = self.tasks[other].busy.items()
                if any(mine.get(unit, 0) & footprint(begun, clocks) for unit, clocks in busy):
                    found.add(other)
        return found

    def _too_early(self, number: int, start: int) -> set[int]:
        """Return the placed operations that begin before the result of operation `number`, started at
        `start`, is available to them.
        """
        found = set[int]()
        for one in self.after[number]:
            begun = self.starts[one.later]
            ready = start + self.tasks[number].delay(one) - one.distance * self.interval
            if one.later != number and begun is not None and begun < ready:
                found.add(one.later)
        return found

    def _remove(self, number: int) -> None:
        start = self.starts[number]
        if start is not None:
            self.table.flip(start, self.tasks[number])
            self.starts[number] = None
