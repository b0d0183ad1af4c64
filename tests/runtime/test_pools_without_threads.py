"""Pools of workers and crews that wait: how many threads are asked for, and what the words of a job are."""

from __future__ import annotations

import ctypes
import struct
from collections.abc import Iterator
from types import SimpleNamespace
from typing import Any

import pytest

from tilewright.runtime.scratch import LINE
from tilewright.runtime.workers import code as workers_code, pool as workers_pool, waiting
from tilewright.runtime.workers.pool import SPARE, LaunchJob, Work, WorkerPool
from tilewright.runtime.workers.threads import MAXIMUM
from tilewright.runtime.workers.waiting import INTERVAL, PATIENCE, LaunchProgress, Stuck

WORK = Work(11, 12, 13, 14, 15, 0)


class Code:
    """The functions of the machine code."""

    def __init__(self) -> None:
        self.log: list[tuple[str, int]] = []
        self.goes_on = 2

    def work(self, address: int) -> None:
        self.log.append(("work", address))

    def close(self, address: int) -> None:
        self.log.append(("close", address))

    def launch(self, address: int) -> int:
        self.log.append(("launch", address))
        return self.goes_on

    def finish(self, address: int) -> int:
        self.log.append(("finish", address))
        self.goes_on -= 1
        return self.goes_on


def job() -> tuple[Any, Any]:
    """Return a job and its code."""
    code: Any = Code()
    return LaunchJob(code), code


def words(made: Any, count: int = 12) -> list[int]:
    """Return the first words of a job, as workers read them."""
    return list(struct.unpack_from(f"<{count}q", ctypes.string_at(made._address, 8 * count)))


@pytest.mark.parametrize("wakes", [True, False])
def test_a_job_is_described_to_workers(wakes: bool) -> None:
    made, _ = job()
    assert made._address % LINE == 0
    made.describe(99, WORK, 3, wakes=wakes)
    assert words(made) == [99, 11, 12, 13, 14, 15, 3, int(wakes), 0, 0, 0, 0]


def test_each_worker_has_scratch_memory_apart_from_that_of_others() -> None:
    apart = workers_code.APART
    for size, stride in ((1, apart), (apart, apart), (apart + 1, 2 * apart)):
        made, _ = job()
        asked: list[Any] = []
        made._scratch = SimpleNamespace(at_least=lambda *given, asked=asked: asked.append(given) or 4096)
        made.describe(99, WORK._replace(scratch_bytes=size), 3, wakes=True)
        assert words(made)[8:10] == [4096, stride]
        assert asked == [(stride, 3)]


def test_a_job_is_finished_until_no_worker_is_left() -> None:
    made, code = job()
    made.finish()
    assert code.log == []
    made.launch(7, None)
    made.finish()
    assert code.log == [("launch", made._address), ("finish", made._address), ("finish", made._address)]
    made.finish()
    assert len(code.log) == 3
    at = workers_code.JobField.OWN_COUNT // 8
    assert words(made, at + 2)[at:] == [7, 0]
    made.launch(8, 64)
    assert words(made, at + 2)[at:] == [8, 64]


@pytest.fixture
def pool(monkeypatch: pytest.MonkeyPatch) -> Iterator[Any]:
    """A pool whose threads are only counted."""
    monkeypatch.setattr(
        workers_pool, "PlainThread", lambda work: SimpleNamespace(work=work, is_alive=lambda: False)
    )
    monkeypatch.setattr(workers_pool.atexit, "register", lambda function: None)
    code: Any = Code()
    return WorkerPool(code)


@pytest.mark.parametrize(
    ("present", "asked", "wakes", "started"),
    [(0, 3, True, 3), (2, 3, True, 1), (3, 3, True, 0), (5, 3, True, 0), (0, 3, False, 0)],
)
def test_workers_are_started_where_too_few_wait(
    present: int, asked: int, wakes: bool, started: int, pool: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    pool._present.value = present
    awaited: list[int] = []
    monkeypatch.setattr(pool, "_await", awaited.append)
    made = pool.job(WORK, asked, wakes=wakes)
    assert len(pool.threads) == started
    assert awaited == ([min(asked, started)] if started else [])
    assert words(made)[0] == pool._address
    assert words(made)[6:8] == [asked, int(wakes)]
    assert pool._address % workers_code.APART == 0


def test_jobs_are_used_again(pool: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(workers_pool, "perf_counter", lambda: 12.5)
    first = pool.job(WORK, 2, wakes=False)
    second = pool.job(WORK, 2, wakes=False)
    assert first is not second
    pool.give_back(first, 2)
    assert (pool.ended, pool.threads) == (12.5, [])
    assert pool.job(WORK, 2, wakes=False) is first
    lacking = workers_code.JobField.LACKING
    ctypes.c_int64.from_address(first._address + lacking).value = 1
    assert first.lacking == 1
    pool.give_back(first, 2)
    assert len(pool.threads) == 1


def test_there_are_not_more_workers_than_launches_may_have(
    pool: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    pool._start(100, 2)
    assert len(pool.threads) == SPARE * 3
    pool._start(1, 2)
    assert len(pool.threads) == SPARE * 3
    pool._start(2, 3)
    assert len(pool.threads) == SPARE * 3 + 2
    pool.threads[0].work()
    assert pool._code.log == [("work", pool._address)]
    joined: list[float] = []
    pool.threads[1] = SimpleNamespace(is_alive=lambda: True, join=joined.append)
    pool.close()
    assert pool._code.log[1:] == [("close", pool._address)]
    assert joined == [workers_pool.GOING]
    pool._start(1, 9)
    assert len(pool.threads) == SPARE * 3 + 2


def test_where_no_thread_can_be_started_fewer_do_the_work(pool: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    def refused(work: Any) -> Any:
        if len(pool.threads) == 2:
            raise RuntimeError("can't start new thread")
        return SimpleNamespace()

    monkeypatch.setattr(workers_pool, "PlainThread", refused)
    pool._start(5, 4)
    assert len(pool.threads) == 2


def test_a_launch_waits_for_a_moment_for_workers(pool: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    now, naps = [10.0], list[float]()

    def sleep(seconds: float) -> None:
        naps.append(seconds)
        now[0] += workers_pool.COMING / 4
        if len(naps) == 3:
            pool._present.value += 1

    monkeypatch.setattr(workers_pool, "time", SimpleNamespace(monotonic=lambda: now[0], sleep=sleep))
    pool._await(1)
    assert len(naps) == 3
    pool._await(1)
    assert len(naps) == 3
    pool._await(2)
    assert 6 <= len(naps) <= 8
    assert pool._present.value == 1


def test_the_words_of_workers(pool: Any) -> None:
    pool._present.value = 2
    for number in (1, 2, 3):
        ctypes.c_int64.from_address(pool._address + number * workers_code.APART).value = 10 * number
    assert pool.states() == [10, 20]


# --- crews that wait


class Crew:
    """A crew whose threads all run until a number of looks."""

    def __init__(self, looks: int, clock: list[float]) -> None:
        self.looks = looks
        self.clock = clock
        self.count = 0
        self.added: list[int] = []

    def add(self, count: int) -> None:
        self.count += count
        self.added.append(count)

    def has_ended(self, interval: float) -> bool:
        assert interval == INTERVAL
        self.clock[0] += 1.0
        self.looks -= 1
        return self.looks < 0

    def finish(self) -> None:
        """Nothing is left to wait for."""


def watched(
    monkeypatch: pytest.MonkeyPatch, count: int, threads: int, looks: int, progress: Any
) -> tuple[Stuck | None, list[int], int]:
    """Return how a launch ends, the threads that were added, and the number of stops."""
    clock, stops = [0.0], list[int]()
    crew: Any = Crew(looks, clock)
    monkeypatch.setattr(waiting, "time", SimpleNamespace(monotonic=lambda: clock[0]))
    found = waiting.run(crew, count, threads, lambda: progress(crew), lambda: stops.append(1))
    return found, crew.added, len(stops)


def all_wait(crew: Any) -> LaunchProgress:
    """All threads have begun a tile block, which waits."""
    return LaunchProgress(crew.count, crew.count)


def test_threads_are_added_while_all_wait(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each time twice as many, one look after those before have begun, and not more than tile blocks."""
    assert watched(monkeypatch, 11, 2, 8, all_wait) == (None, [2, 2, 4, 3], 0)


def test_no_thread_is_added_while_one_works(monkeypatch: pytest.MonkeyPatch) -> None:
    found = watched(monkeypatch, 11, 2, 30, lambda crew: LaunchProgress(crew.count, crew.count - 1))
    assert found == (None, [2], 0)


def test_a_launch_in_which_all_wait_for_long_is_stuck(monkeypatch: pytest.MonkeyPatch) -> None:
    found, added, stops = watched(monkeypatch, 3, 3, 30, all_wait)
    assert (found, added, stops) == (Stuck(3, 0), [3], 1)
    looks = int(PATIENCE) + 2
    assert watched(monkeypatch, 3, 3, looks - 1, all_wait)[0] is None
    found, added, stops = watched(monkeypatch, 3 * MAXIMUM, MAXIMUM, 30, all_wait)
    assert (found, added, stops) == (Stuck(MAXIMUM, 2 * MAXIMUM), [MAXIMUM], 1)


def test_a_launch_that_goes_on_is_not_stuck(monkeypatch: pytest.MonkeyPatch) -> None:
    looks = [0]

    def slowly(crew: Any) -> LaunchProgress:
        looks[0] += 1
        return LaunchProgress(looks[0] // 4, crew.count)

    assert watched(monkeypatch, 100, MAXIMUM, 40, slowly)[0] is None


def test_a_crew_without_threads_waits_for_none(monkeypatch: pytest.MonkeyPatch) -> None:
    def none(crew: Any) -> LaunchProgress:
        crew.count = 0
        return LaunchProgress(0, 0)

    assert watched(monkeypatch, 5, 2, 30, none) == (None, [2], 0)
