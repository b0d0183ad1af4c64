"""Which launches get several threads, by the times of those before."""

from __future__ import annotations

from tilewright.runtime.workers.pace import LONG, REST, TRIES, BlockTimes

LEAST = 20e-6
COUNT = 10


def ran(pace: BlockTimes, launches: int, alone: float, together: float) -> list[bool]:
    """Whether launches got two threads, if they take so many seconds."""
    chosen: list[bool] = []
    for _ in range(launches):
        several = pace.wants_several(COUNT, LEAST)
        pace.took(together if several else alone, COUNT, 2 if several else 1)
        chosen.append(several)
    return chosen


def test_nothing_is_known_at_first() -> None:
    assert BlockTimes().wants_several(COUNT, LEAST)
    assert BlockTimes().work(COUNT) is None


def test_little_work_stays_on_one_thread() -> None:
    pace = BlockTimes()
    assert ran(pace, 100, 10e-6, 5e-6) == [True] + [False] * 99
    assert pace.rest == REST


def test_more_work_is_never_left_unmeasured() -> None:
    pace = BlockTimes()
    ran(pace, 10, 100e-6, 60e-6)
    assert pace.rest == 0


def test_long_launches_have_several_threads_without_a_try() -> None:
    assert all(ran(BlockTimes(), 100, 2 * LONG, LONG))


def test_the_faster_way_is_found() -> None:
    assert all(ran(BlockTimes(), 100, 100e-6, 60e-6)[2 * TRIES :])
    slower = ran(BlockTimes(), 100, 100e-6, 130e-6)
    assert not any(slower[3 * TRIES :])
    assert sum(slower) == 1 + TRIES


def test_the_other_way_is_tried_seldom() -> None:
    """Such tries cost less than 3 per cent of the time."""
    for alone, together in ((100e-6, 60e-6), (100e-6, 130e-6), (100e-6, 95e-6), (100e-6, 500e-6)):
        chosen = ran(BlockTimes(), 10_000, alone, together)
        spent = sum(together if several else alone for several in chosen)
        assert len(set(chosen[100:])) == 2
        assert spent < 1.03 * 10_000 * min(alone, together)


def test_the_way_changes_when_times_change() -> None:
    pace = BlockTimes()
    assert ran(pace, 50, 100e-6, 60e-6)[-1]
    assert not ran(pace, 50, 100e-6, 160e-6)[-1]
    assert ran(pace, 1000, 100e-6, 60e-6)[-1]


def test_accidents_change_nothing() -> None:
    """A launch that was interrupted says little about the next one."""
    pace = BlockTimes()
    ran(pace, 50, 100e-6, 60e-6)
    assert all(ran(pace, 1, 100e-6, 5e-3) + ran(pace, 50, 100e-6, 60e-6))


def test_work_is_that_of_all_threads() -> None:
    pace = BlockTimes()
    pace.took(1e-3, COUNT, 2)
    assert pace.work(COUNT) == 2e-3
    pace.took(1.5e-3, COUNT, 1)
    assert pace.work(2 * COUNT) == 3e-3
