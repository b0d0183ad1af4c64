"""The schedulers of loops: legal schedules, as short as z3 finds them, and within their bounds."""

from __future__ import annotations

import random
from collections.abc import Sequence
from itertools import combinations

import pytest

from tests.lowering.schedule.loops import PRODUCTS, schedule_of
from tests.lowering.schedule.shortest import in_rows, shortest, tasks_of
from tilewright.lowering.schedule.dependences import Dependence
from tilewright.lowering.schedule.modulo import IterationSchedule, Task, modulo, recurrence, serial

LOAD, CONVERT, PRODUCT = Task({0: 4}, 30), Task({1: 3}, 6), Task({2: 8}, 10)
PIPELINE = [LOAD, CONVERT, PRODUCT]
CHAIN = [Dependence(0, 1, 0), Dependence(1, 2, 0), Dependence(2, 2, 1, is_piecewise=True)]


def broken(tasks: Sequence[Task], dependences: Sequence[Dependence], found: IterationSchedule) -> list[str]:
    """Return the dependences that a schedule breaks, and the pairs of tasks that have a unit at the same time."""
    wrong = [
        str(one)
        for one in dependences
        if found.starts[one.earlier] + tasks[one.earlier].delay(one)
        > found.starts[one.later] + one.distance * found.interval
    ]
    for (a, first), (b, second) in combinations(enumerate(tasks), 2):
        for unit in first.busy.keys() & second.busy.keys():
            apart = (found.starts[b] - found.starts[a]) % found.interval
            if apart < first.busy[unit] or found.interval - apart < second.busy[unit]:
                wrong.append(f"{a} and {b} have unit {unit} at once")
    return wrong


def drawn(number: int) -> tuple[list[Task], list[Dependence]]:
    """Return the tasks and dependences of a random loop: every cycle goes through an earlier iteration."""
    chance = random.Random(number)
    count = chance.randint(3, 7)
    tasks = [Task({chance.randrange(3): chance.randint(1, 4)}, chance.randint(4, 12)) for _ in range(count)]
    pairs = list(combinations(range(count), 2))
    inside = [Dependence(a, b, 0) for a, b in chance.sample(pairs, min(len(pairs), count))]
    around = [Dependence(b, a, chance.randint(1, 2)) for a, b in chance.sample(pairs, 1)]
    return tasks, inside + around


def test_iterations_overlap_until_a_unit_is_full() -> None:
    found = modulo(PIPELINE, CHAIN)
    assert found.interval == 8
    assert found.stages == [0, 3, 4]
    assert not broken(PIPELINE, CHAIN, found)


def test_a_sum_waits_for_its_own_fragment_only() -> None:
    assert recurrence(PIPELINE, CHAIN) == 2
    whole = [*CHAIN[:2], Dependence(2, 2, 1)]
    assert modulo(PIPELINE, whole).interval == recurrence(PIPELINE, whole) == 10


def test_in_order_each_operation_waits_for_its_operands_and_for_its_unit() -> None:
    found = serial(PIPELINE, CHAIN)
    assert (found.starts, found.interval, found.is_serial) == ([0, 30, 36], 46, True)


def test_displaced_operations_are_placed_again() -> None:
    tasks = [Task({0: 2}, 2), Task({0: 2}, 9), Task({0: 2, 1: 6}, 6), Task({1: 2}, 2)]
    dependences = [Dependence(1, 2, 0), Dependence(0, 2, 0), Dependence(3, 0, 1), Dependence(2, 3, 1)]
    found = modulo(tasks, dependences)
    assert not broken(tasks, dependences, found)
    assert found.interval == shortest(tasks, dependences, at_most=40)


@pytest.mark.parametrize("number", range(60))
def test_schedules_are_legal_and_at_least_as_long_as_their_bounds(number: int) -> None:
    tasks, dependences = drawn(number)
    found = modulo(tasks, dependences)
    assert not broken(tasks, dependences, found)
    assert found.interval >= max(found.bounds.values())


def test_most_random_loops_are_as_short_as_possible() -> None:
    loops = [drawn(number) for number in range(25)]
    found = [modulo(*loop).interval for loop in loops]
    best = [shortest(*loop, at_most=interval) or 0 for loop, interval in zip(loops, found, strict=True)]
    assert sum(map(int.__eq__, found, best)) >= 23
    assert all(ours <= 1.25 * z3s for ours, z3s in zip(found, best, strict=True))


def test_the_loop_of_a_product_is_as_short_as_possible() -> None:
    """`benchmarks.shortest_schedules` compares other loops."""
    pytest.importorskip("z3")
    found = schedule_of(PRODUCTS, "sm_89")
    dependences = found.graph.dependences
    tasks, step = in_rows(tasks_of(found), dependences)
    interval = found.schedule.interval // step
    assert shortest(tasks, dependences, at_most=interval) == interval


def test_long_intervals_are_scheduled_in_steps() -> None:
    tasks = [Task({0: 9000}, 9500), Task({1: 4000}, 4100), Task({1: 3}, 9)]
    found = modulo(tasks, [Dependence(0, 1, 0), Dependence(1, 2, 0)])
    assert 9000 <= found.interval <= 9000 + 9000 // 256 + 1
    assert found.starts[1] >= 9500
