"""Workers: they take part in launches, are waited for, fall asleep, and leave."""

from __future__ import annotations

import ctypes
import threading
import time
from collections.abc import Callable, Generator
from functools import cache
from typing import Any

import pytest

pytest.importorskip("llvmlite")

from tilewright.runtime.context import CONTEXT_BYTES
from tilewright.runtime.engine import machine_code
from tilewright.runtime.interrupts import completed
from tilewright.runtime.llvm import initialise_all_targets
from tilewright.runtime.workers.code import ASLEEP, AWAKE, MACHINES, Patience, machine, text
from tilewright.runtime.workers.pool import SPARE, LaunchJob, Work, WorkerPool, code

needs_code = pytest.mark.skipif(machine() is None, reason="there is no code for workers of this system")
PATIENCE = 10.0
Kernel = ctypes.CFUNCTYPE(None, *[ctypes.c_void_p] * 3, ctypes.c_int64, ctypes.c_void_p)
CONTEXT = ctypes.create_string_buffer(CONTEXT_BYTES)


@pytest.fixture
def pool() -> Generator[WorkerPool]:
    found = code()
    assert found is not None
    made = WorkerPool(found)
    yield made
    made.close()


def nothing() -> None:
    """Work that ends by itself needs nothing to be stopped."""


def run(pool: WorkerPool, body: Callable[[], object], threads: int = 2, *, wakes: bool = True) -> None:
    """Call something on so many threads, this one among them."""
    job, function = job_for(pool, body, threads, wakes=wakes)
    completed(lambda: job.launch(1, None), job.finish, nothing)
    pool.give_back(job, threads - 1)
    del function


def job_for(
    pool: WorkerPool, body: Callable[[], object], threads: int, *, wakes: bool = True
) -> tuple[LaunchJob, Any]:
    function = Kernel(lambda *_: body())
    address = ctypes.cast(function, ctypes.c_void_p).value
    assert address is not None
    work = Work(address, 0, 0, ctypes.addressof(CONTEXT), 1, 0)
    return pool.job(work, threads - 1, wakes=wakes), function


def comes(condition: Callable[[], bool]) -> bool:
    """Whether something becomes true, in a time in which it must."""
    end = time.monotonic() + PATIENCE
    while not condition() and time.monotonic() < end:
        time.sleep(0.001)
    return condition()


@needs_code
class TestPool:
    def test_workers_are_kept(self, pool: WorkerPool) -> None:
        seen = set[int]()
        for _ in range(50):
            together = threading.Barrier(2, timeout=PATIENCE)

            def work(together: threading.Barrier = together) -> None:
                seen.add(threading.get_ident())
                together.wait()

            run(pool, work)
        assert 2 <= len(seen) <= 1 + SPARE * 2

    def test_workers_fall_asleep_and_are_woken_up(self, pool: WorkerPool) -> None:
        for _ in range(5):
            together = threading.Barrier(2, timeout=PATIENCE)
            run(pool, together.wait)
            assert comes(lambda: set(pool.states()) == {ASLEEP})

    def test_workers_that_sleep_are_left_alone_by_little_work(self, pool: WorkerPool) -> None:
        run(pool, nothing)
        assert comes(lambda: set(pool.states()) == {ASLEEP})
        run(pool, nothing, wakes=False)
        assert set(pool.states()) == {ASLEEP}

    def test_a_launch_waits_for_those_who_have_begun(self, pool: WorkerPool) -> None:
        """They take longer than a launch stays awake, and than it stays away from Python."""
        done: list[int] = []
        begun = threading.Event()
        caller = threading.get_ident()

        def work() -> None:
            if threading.get_ident() == caller:
                assert begun.wait(PATIENCE)
                return
            begun.set()
            time.sleep(0.12)
            done.append(1)

        for count in range(1, 4):
            begun.clear()
            run(pool, work)
            assert len(done) == count

    def test_offers_are_taken_back(self, pool: WorkerPool) -> None:
        """A worker that comes after everything has been done does not begin."""
        run(pool, nothing)
        assert comes(lambda: set(pool.states()) == {ASLEEP})
        for _ in range(200):
            over, late = threading.Event(), list[bool]()

            def work(over: threading.Event = over, late: list[bool] = late) -> None:
                late.append(over.is_set())

            run(pool, work)
            over.set()
            assert not any(late)
        assert comes(lambda: set(pool.states()) <= {ASLEEP, AWAKE})

    def test_a_launch_in_a_launch(self, pool: WorkerPool) -> None:
        inner: list[int] = []
        together = threading.Barrier(2, timeout=PATIENCE)

        def work() -> None:
            together.wait()
            run(pool, lambda: inner.append(threading.get_ident()))

        for _ in range(10):
            run(pool, work)
        assert len(inner) >= 20

    def test_failures_of_the_launching_thread_stop_the_workers(self, pool: WorkerPool) -> None:
        stopped, begun, caller = threading.Event(), threading.Event(), threading.get_ident()
        ended: list[bool] = []

        def work() -> None:
            if threading.get_ident() == caller:
                assert begun.wait(PATIENCE)
            else:
                begun.set()
                ended.append(stopped.wait(PATIENCE))

        job, function = job_for(pool, work, 2)

        def launch() -> None:
            job.launch(1, None)
            raise ValueError("here")

        with pytest.raises(ValueError, match="here"):
            completed(launch, job.finish, stopped.set)
        assert ended == [True]
        del function

    def test_workers_leave(self, pool: WorkerPool) -> None:
        together = threading.Barrier(3, timeout=PATIENCE)
        run(pool, together.wait, 3)
        threads = list(pool.threads)
        assert len(threads) == 2
        pool.close()
        assert not any(thread.is_alive() for thread in threads)
        run(pool, nothing, 3)
        assert pool.threads == threads


@cache
def all_targets() -> None:
    initialise_all_targets()


@pytest.mark.parametrize("name", MACHINES)
def test_there_is_code_for_each_machine(name: str) -> None:
    all_targets()
    assert machine_code(text(name, Patience()), f"{name}-unknown-linux-gnu").startswith(b"\x7fELF")
