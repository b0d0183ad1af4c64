"""Work on executors: the order of results, bounds, lost workers, and runs that go on where an earlier one was ended."""

from __future__ import annotations

import itertools
import json
import os
import threading
import time
from concurrent.futures import BrokenExecutor, Executor, Future, ThreadPoolExecutor
from functools import partial
from multiprocessing.process import BaseProcess
from pathlib import Path
from typing import Any

import pytest

from tests.runtime.distributed_work import hangs, kills_its_process, marked, refused, squared
from tilewright.ir.diagnostic import DiagnosticError
from tilewright.ir.support.progress import Progress, reporting
from tilewright.runtime.distribution import (
    ResultsFile,
    WorkerLostError,
    distribute,
    processes,
)
from tilewright.runtime.workers.threads import available_processors

THREADS = partial(ThreadPoolExecutor, 2)


class Counting(ThreadPoolExecutor):
    """Counts what it has at a time."""

    def __init__(self) -> None:
        super().__init__(8)
        self.has = self.most = 0
        self._counting = threading.Lock()

    def submit(self, fn: Any, /, *args: Any, **kwargs: Any) -> Future[Any]:
        with self._counting:
            self.has += 1
            self.most = max(self.most, self.has)
        future = super().submit(fn, *args, **kwargs)
        future.add_done_callback(self._counted)
        return future

    def _counted(self, _: Future[Any]) -> None:
        with self._counting:
            self.has -= 1


class Breaking(ThreadPoolExecutor):
    """Is broken by the items in a list, each of which breaks one executor only."""

    def __init__(self, bad: list[int]) -> None:
        super().__init__(1)
        self.bad = bad
        self.broken = False

    def submit(self, fn: Any, /, *args: Any, **kwargs: Any) -> Future[Any]:
        if self.broken:
            raise BrokenExecutor("a worker has ended before")
        if args[1] not in self.bad:
            return super().submit(fn, *args, **kwargs)
        self.bad.remove(args[1])
        self.broken = True
        future: Future[Any] = Future()
        future.set_exception(BrokenExecutor("a worker has ended"))
        return future


def in_reverse(gates: dict[int, threading.Event], item: int) -> int:
    """Ends only after the next item has."""
    if item + 1 in gates:
        assert gates[item + 1].wait(10)
    gates[item].set()
    return item


def test_results_come_in_the_order_of_their_items() -> None:
    gates = {item: threading.Event() for item in range(6)}
    done = list(distribute(partial(in_reverse, gates), gates, partial(ThreadPoolExecutor, 6), in_flight=6))
    assert [one.item for one in done] == [one.result() for one in done] == list(range(6))


@pytest.mark.parametrize("jobs", [1, 7, None])
def test_processes_are_as_many_as_asked_for(jobs: int | None) -> None:
    with processes(jobs)() as executor:
        assert vars(executor)["_max_workers"] == (jobs or available_processors())


def test_an_executor_has_a_bounded_number_of_items() -> None:
    with Counting() as executor:
        assert [one.result() for one in distribute(squared, range(50), executor, in_flight=3)] == [
            n * n for n in range(50)
        ]
        assert executor.most == 3


def test_an_exception_is_the_answer_of_its_item_alone() -> None:
    done = list(distribute(refused, range(5), THREADS))
    assert [one.value for one in done] == [0, 1, 2, None, 4]
    with pytest.raises(ValueError, match="3 is refused"):
        done[3].result()


def test_an_exception_that_cannot_travel_is_told_in_words() -> None:
    class LocalError(Exception):
        pass

    def fails(_: int) -> None:
        raise LocalError("only here")

    (done,) = distribute(fails, [1], THREADS)
    with pytest.raises(RuntimeError, match="LocalError: only here"):
        done.result()


def test_a_broken_executor_that_was_made_is_made_again() -> None:
    bad = [2, 2, 4]
    made: list[Executor] = []

    def make() -> Executor:
        made.append(Breaking(bad))
        return made[-1]

    done = list(distribute(squared, range(6), make, in_flight=2))
    assert [one.result() for one in done] == [0, 1, 4, 9, 16, 25]
    assert len(made) == 4
    assert not bad


def test_an_item_that_always_loses_its_worker_is_given_up() -> None:
    done = list(distribute(squared, range(4), lambda: Breaking([1] * 100), in_flight=2, attempts=2))
    assert [one.value for one in done] == [0, None, 4, 9]
    with pytest.raises(WorkerLostError, match="ended 2 times: a worker has ended"):
        done[1].result()


def test_a_broken_executor_of_the_caller_is_the_callers() -> None:
    executor = Breaking([1] * 9)
    with executor, pytest.raises(BrokenExecutor):
        list(distribute(squared, range(4), executor))


def test_a_run_that_was_ended_goes_on(tmp_path: Path) -> None:
    places = [str(tmp_path / f"item{n}") for n in range(6)]
    file = tmp_path / "results.jsonl"
    begun = distribute(marked, places, THREADS, in_flight=1, results=ResultsFile(file, "mark"))
    assert [one.result() for one in itertools.islice(begun, 3)] == ["item0", "item1", "item2"]
    begun.close()
    with file.open("ab") as stream:
        stream.write(b'{"key": "' + places[3].encode())  # a process that was killed while it wrote
    results: ResultsFile[str, str] = ResultsFile(file, "mark")
    assert [one.result() for one in distribute(marked, places, THREADS, results=results)] == [
        Path(place).name for place in places
    ]
    assert [Path(place).read_bytes() for place in places] == [b"x"] * 6
    rows = [json.loads(line) for line in file.read_text().splitlines()]
    assert [row.get("key") for row in rows] == [None, *places]


def test_results_of_other_work_are_refused(tmp_path: Path) -> None:
    file = tmp_path / "results.jsonl"
    ResultsFile(file, "mark")
    before = file.read_bytes()
    with pytest.raises(DiagnosticError, match=r"TW0959.*holds results of other work, not of 'square'"):
        ResultsFile(file, "square")
    file.write_bytes(before + b"not JSON\n")
    with pytest.raises(DiagnosticError, match="TW0959"):
        ResultsFile(file, "mark")


class Listener:
    """Notes what it hears of work."""

    def __init__(self) -> None:
        self.begun: list[tuple[str, int, int]] = []
        self.ended: list[tuple[str, int, int]] = []

    def begin(self, work: Progress) -> None:
        self.begun.append((work.what, work.done, work.total))

    def end(self, work: Progress) -> None:
        self.ended.append((work.what, work.done, work.total))


def test_progress_is_reported() -> None:
    listener = Listener()
    with reporting(listener):
        list(distribute(squared, range(3), THREADS, what="squares"))
    assert (listener.begun, listener.ended) == ([("squares", 0, 3)], [("squares", 3, 3)])


def is_gone(process: int) -> bool:
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return True
    return False


@pytest.mark.timeout(60)
def test_a_run_that_is_ended_does_not_wait_for_a_hung_process(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tilewright.runtime.distribution.GRACE", 0.0)
    places = [str(tmp_path / name) for name in ("quick", "hung")]
    made = processes(2, preload=["tests.runtime.distributed_work", "tilewright.runtime.distribution"])
    run = distribute(hangs, places, made)
    assert next(run).result() == "quick"
    hung = tmp_path / "hung"
    while not hung.exists():
        time.sleep(0.01)
    run.close()
    while not is_gone(int(hung.read_text())):
        time.sleep(0.01)


@pytest.mark.timeout(60)
def test_a_hung_thread_is_left_to_itself(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tilewright.runtime.distribution.GRACE", 0.0)
    begun, free = threading.Event(), threading.Event()

    def waits(number: int) -> int:
        if number:
            begun.set()
            free.wait()
        return number

    run = distribute(waits, range(5), THREADS)
    assert next(run).result() == 0
    assert begun.wait(30)
    run.close()
    assert not free.is_set()
    free.set()


def test_a_killed_process_loses_nothing_but_what_kills_it_each_time(tmp_path: Path) -> None:
    places = [str(tmp_path / name) for name in ("a", "once", "b", "always", "c")]
    made = processes(2, preload=["tests.runtime.distributed_work", "tilewright.runtime.distribution"])
    done = list(distribute(kills_its_process, places, made, in_flight=4, attempts=2))
    assert [one.value for one in done] == ["a", "once", "b", None, "c"]
    assert isinstance(done[3].error, WorkerLostError)


@pytest.mark.timeout(60)
@pytest.mark.parametrize("when", ["before", "after"])
def test_a_process_that_begins_while_its_pool_breaks_is_not_waited_for(
    when: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The pool has ended all processes that it knows before it knows the second one, which begins meanwhile."""
    started: list[BaseProcess] = []
    start = BaseProcess.start

    def break_pool(now: str) -> None:
        if when == now and len(started) == 1:
            started[0].join(10)
            time.sleep(0.5)

    def late(process: BaseProcess) -> None:
        break_pool("before")
        start(process)
        break_pool("after")
        started.append(process)

    monkeypatch.setattr(BaseProcess, "start", late)
    places = [str(tmp_path / name) for name in ("once", "a", "b")]
    made = processes(2, preload=["tests.runtime.distributed_work", "tilewright.runtime.distribution"])
    done = distribute(kills_its_process, places, made, in_flight=3)
    assert [one.result() for one in done] == ["once", "a", "b"]
    assert len(started) >= 2
    assert not any(process.is_alive() for process in started)


class Forgetful(ThreadPoolExecutor):
    """A broken pool that never tells the fate of work, but for some of it when the next piece is submitted."""

    def __init__(self, tells: int) -> None:
        super().__init__(1)
        self._broken = "a process has ended"
        self.tells = tells
        self.given: list[Future[Any]] = []

    def submit(self, fn: Any, /, *args: Any, **kwargs: Any) -> Future[Any]:
        if len(self.given) == 2:
            raise BrokenExecutor(self._broken)
        self.given.append(Future())
        for future in self.given[: self.tells - len(self.given) + 1]:
            future.set_exception(BrokenExecutor(self._broken))
        return self.given[-1]


@pytest.mark.timeout(60)
@pytest.mark.parametrize("tells", [0, 1])
@pytest.mark.parametrize("items", [1, 2, 3])
def test_work_that_a_broken_pool_forgets_is_done_again(
    tells: int, items: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tilewright.runtime.distribution.LOOK", 0.01)
    pools = iter([Forgetful(tells), ThreadPoolExecutor(1)])
    done = distribute(squared, range(items), pools.__next__, in_flight=3)
    assert [one.result() for one in done] == [n * n for n in range(items)]


def test_dask(tmp_path: Path) -> None:
    distributed = pytest.importorskip("distributed")
    cluster = distributed.LocalCluster(2, threads_per_worker=1, dashboard_address=None, processes=True)
    with cluster, distributed.Client(cluster) as client:
        assert_work_is_done(client.get_executor(), tmp_path)
        client.wait_for_workers(2)  # closing waits long for one that has just begun


class RayExecutor(Executor):
    """Ray has no executor of its own: this is the whole of one."""

    def submit(self, fn: Any, /, *args: Any, **kwargs: Any) -> Future[Any]:
        ray = pytest.importorskip("ray")
        found: Future[Any] = ray.remote(max_retries=0)(fn).remote(*args, **kwargs).future()
        return found


def test_ray(tmp_path: Path) -> None:
    ray = pytest.importorskip("ray")
    ray.init(num_cpus=2, include_dashboard=False, log_to_driver=False)
    try:
        assert_work_is_done(RayExecutor(), tmp_path)
    finally:
        ray.shutdown()


def assert_work_is_done(executor: Executor, folder: Path) -> None:
    """An executor of other processes does work in order, keeps it, and does it again when it kills a process."""
    results: ResultsFile[int, int] = ResultsFile(folder / "results.jsonl", "square")
    done = distribute(squared, range(20), executor, in_flight=4, results=results)
    assert [one.result() for one in done] == [n * n for n in range(20)]
    places = [str(folder / name) for name in ("a", "once", "b")]
    again = distribute(kills_its_process, places, executor, in_flight=2)
    assert [one.result() for one in again] == ["a", "once", "b"]
