"""Threads that run tile blocks for launches of others: awake for a moment after a launch, then asleep.

They wait in machine code (see `code`).  A launch offers its job to those that have nothing to do, runs tile blocks
itself, takes the offer back from those that have not begun by then, and waits for the others.  So it never waits for a
thread that the system has not woken up yet, and a launch within a launch finds other workers, or does all the work.
"""

from __future__ import annotations

import atexit
import contextlib
import ctypes
import os
import struct
import time
from collections import deque
from functools import cache
from time import perf_counter
from typing import Any, NamedTuple

from tilewright.ir.support.locks import PlainThread, reentrant_lock
from tilewright.runtime import engine, scratch as runtime_scratch
from tilewright.runtime.workers import code as workers_code

SPARE = 4
"""The maximum number of workers for each thread of a launch: several launches may run at once."""
COMING = 0.002
"""The maximum time in seconds that a launch waits for threads that it has just started."""
GOING = 1.0
"""The maximum time in seconds that the end of the process waits for a worker to leave the machine code."""

HAS_WORKERS = workers_code.machine() is not None
"""Whether there is code for workers of this system."""

_FIELDS = struct.Struct("<12q")
_OWN_FIELDS = struct.Struct("<2q")
_LACKING = struct.Struct("<q")


class PoolFunctions:
    """The functions of the workers' machine code for `machine`, a key of `MACHINES`, as ctypes functions:
    ``work``, the loop of a worker, and ``close`` take the address of a pool, ``launch`` and ``finish`` the
    address of a job. Python's lock is free while they run.
    """

    def __init__(self, machine: str) -> None:
        library = engine.own_library(
            workers_code.text(machine, workers_code.Patience()), ("work", "launch", "finish", "close")
        )
        self._library = library  # its memory holds the code
        pool, job = ctypes.CFUNCTYPE(None, ctypes.c_void_p), ctypes.CFUNCTYPE(ctypes.c_int64, ctypes.c_void_p)
        self.work: Any = pool(library.addresses["work"])
        self.close: Any = pool(library.addresses["close"])
        self.launch: Any = job(library.addresses["launch"])
        self.finish: Any = job(library.addresses["finish"])


@cache
def code() -> PoolFunctions | None:
    """Return the functions of the workers' machine code, which are made once in each process; None on systems
    without such code.
    """
    name = workers_code.machine()
    return None if name is None else PoolFunctions(name)


class Work(NamedTuple):
    """Tile blocks for several threads: the addresses of the kernel's function, of its arguments, and of grid
    and launch context; the argument ``count`` of workers, which holds the number of tile blocks and flags
    (`tile_blocks`); and the scratch memory of each thread in bytes.
    """

    function: int
    arguments: int
    grid: int
    context: int
    tile_blocks: int
    scratch_bytes: int


class LaunchJob:
    """The work that a launch offers to workers, and their scratch memory; reused for other launches."""

    def __init__(self, code: PoolFunctions) -> None:
        self._code = code
        self._buffer: Any = (ctypes.c_char * (workers_code.JOB_BYTES + runtime_scratch.LINE))()
        base = ctypes.addressof(self._buffer)
        self._offset = -base % runtime_scratch.LINE
        self._address = base + self._offset
        self._scratch = runtime_scratch.Scratch()
        self._goes_on = False

    def describe(self, pool: int, work: Work, workers: int, *, wakes: bool) -> None:
        """Write the work to the memory that workers read: for ``workers`` workers of the pool at the address
        `pool`.

        ``wakes``: sleeping workers are woken. Raises `DiagnosticError` if there is not enough scratch memory.
        """
        stride = -(-work.scratch_bytes // workers_code.APART) * workers_code.APART
        scratch = self._scratch.at_least(stride, workers) if stride else 0
        _FIELDS.pack_into(
            self._buffer,
            self._offset,
            pool,
            work.function,
            work.arguments,
            work.grid,
            work.context,
            work.tile_blocks,
            workers,
            wakes,
            scratch,
            stride,
            0,
            0,
        )

    def launch(self, count: int, scratch: int | None) -> None:
        """Offer the job to the workers, run it on this thread as well, with ``count`` as the number of tile
        blocks and scratch memory at the address `scratch` (None: none), and wait for the workers. It returns
        early if the launch is to pause, or if a worker takes long; `finish` waits for the rest.
        """
        _OWN_FIELDS.pack_into(
            self._buffer, self._offset + workers_code.JobField.OWN_COUNT, count, scratch or 0
        )
        self._goes_on = True
        self._goes_on = bool(self._code.launch(self._address))

    def finish(self) -> None:
        """Let no further worker begin, and wait for running ones. May be called again after an interrupt."""
        while self._goes_on:
            self._goes_on = bool(self._code.finish(self._address))

    @property
    def lacking(self) -> int:
        """The number of requested workers that were not idle."""
        return _LACKING.unpack_from(self._buffer, self._offset + workers_code.JobField.LACKING)[0]


class WorkerPool:
    """Workers that are started when they are first needed.

    Several threads may launch at once: each takes idle workers, and others are started if there are fewer
    than a launch may have. The launching thread may be interrupted anywhere: it holds no worker.
    """

    def __init__(self, code: PoolFunctions) -> None:
        self._code = code
        self._memory: Any = (ctypes.c_char * (workers_code.POOL_BYTES + workers_code.APART))()
        base = ctypes.addressof(self._memory)
        self._address = -(-base // workers_code.APART) * workers_code.APART
        self._present = ctypes.c_int64.from_address(self._address)
        """The number of workers that have started and wait in the machine code."""
        self.threads: list[PlainThread] = []
        self._jobs: deque[LaunchJob] = deque()
        self._is_open = True
        self.ended = 0.0
        """When the last launch came to its end, by `perf_counter`."""
        atexit.register(self.close)

    def job(self, work: Work, workers: int, *, wakes: bool) -> LaunchJob:
        """Return a job for ``workers`` workers. If ``wakes``, missing workers are started, which takes at
        most a moment, and sleeping ones will be woken up. Hand the job back with `give_back`. Raises
        `DiagnosticError` if there is not enough scratch memory.
        """
        if wakes and self._present.value < workers:
            self._start(workers - self._present.value, workers)
            self._await(min(workers, len(self.threads)))
        job = self._jobs.pop() if self._jobs else LaunchJob(self._code)
        job.describe(self._address, work, workers, wakes=wakes)
        return job

    def give_back(self, job: LaunchJob, workers: int) -> None:
        """Take back the job of a finished launch with ``workers`` workers. If too few workers were idle,
        start one more, unless there are enough for several such launches.
        """
        if job.lacking:
            self._start(1, workers)
        self._jobs.append(job)
        self.ended = perf_counter()

    def _start(self, more: int, workers: int) -> None:
        """Start `more` workers, at most `SPARE` for each thread of a launch with ``workers`` workers in all.
        Fewer are started if the system has no more threads, and none once the pool is closed.
        """
        more = min(more, SPARE * (workers + 1) - len(self.threads)) if self._is_open else 0
        with contextlib.suppress(RuntimeError):  # the system has no more threads: then fewer do the work
            for _ in range(more):
                self.threads.append(PlainThread(self._work))

    def _await(self, workers: int) -> None:
        """Wait until ``workers`` workers have started, at most `COMING` seconds."""
        end = time.monotonic() + COMING
        while self._present.value < workers and time.monotonic() < end:
            time.sleep(0)

    def _work(self) -> None:
        self._code.work(self._address)

    def states(self) -> list[int]:
        """Return the word of each worker: `AWAKE`, `ASLEEP`, `LEAVES` or `ABSENT`, or the address of a job
        plus flags. The module `tilewright.runtime.workers.code` defines these words.
        """
        words = range(
            self._address + workers_code.APART,
            self._address + workers_code.APART * (1 + self._present.value),
            workers_code.APART,
        )
        return [ctypes.c_int64.from_address(word).value for word in words]

    def close(self) -> None:
        """Let all workers return from the code, which is unloaded when the process ends, and wait at most
        `GOING` seconds for each. No workers are started afterwards.
        """
        self._is_open = False
        self._code.close(self._address)
        for thread in self.threads:
            if thread.is_alive():
                thread.join(GOING)


class _Process:
    """The holder of the workers of this process, which has none until they are needed."""

    def __init__(self) -> None:
        self.pool: WorkerPool | None = None

    def forget(self) -> None:
        """Drop the pool in a child process, where the threads of the parent do not exist."""
        self.pool = None


_PROCESS = _Process()
_STARTING = reentrant_lock()

if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_PROCESS.forget)


def workers() -> WorkerPool | None:
    """Return the pool of this process, which is made at the first call; None on systems without `code`."""
    if _PROCESS.pool is None:
        with _STARTING:
            found = code()
            if _PROCESS.pool is None and found is not None:
                _PROCESS.pool = WorkerPool(found)
    return _PROCESS.pool
