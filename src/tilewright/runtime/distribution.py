"""Independent work on any `concurrent.futures.Executor`: bounded, retried, resumable, and in one order.

`distribute` is what batches, campaigns and conformance runs stand on.  Processes of this machine are `processes`;
executors of Dask, Ray and others work as well (`executor_at`).  A worker that is killed takes nothing with it but the work it was at,
and that is done again.
"""

from __future__ import annotations

import contextlib
import json
import multiprocessing
import os
import pickle
from collections import deque
from collections.abc import Callable, Generator, Iterable, Mapping, Sequence
from concurrent.futures import (
    FIRST_COMPLETED,
    BrokenExecutor,
    CancelledError,
    Executor,
    Future,
    ProcessPoolExecutor,
    wait,
)
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any, Generic, TypeVar, cast

from tilewright.ir.diagnostic import failure
from tilewright.ir.support.progress import Progress
from tilewright.runtime import codes
from tilewright.runtime.workers.schedulers import ClusterExecutor
from tilewright.runtime.workers.threads import available_processors

_T = TypeVar("_T")
_R = TypeVar("_R")

ATTEMPTS = 3
"""The number of lost workers after which a piece of work is given up."""
IN_FLIGHT = 2
"""Pieces of work that an executor has at a time, for each processor that works for it, unless the caller says."""

LOOK = 1.0
"""The seconds of silence after which an executor is tested for being broken."""

GRACE = 2.0
"""The seconds that work in flight may continue after the run has ended by an exception."""


class WorkerLostError(Exception):
    """The worker of a piece of work ended each time that the work was tried; the cause is what the executor said."""


@dataclass(frozen=True, slots=True)
class Done(Generic[_T, _R]):
    """The outcome of a piece of work: ``result`` raises what the function raised, or `WorkerLostError`."""

    item: _T
    value: Any = None
    error: BaseException | None = None

    def result(self) -> _R:
        """Return the result of the function; raises its exception."""
        if self.error is not None:
            raise self.error
        value: _R = self.value
        return value


def processes(
    jobs: int | None = None, *, preload: Sequence[str] = (), tasks_of_a_process: int | None = None
) -> Callable[[], Executor]:
    """Return a function that makes executors with ``jobs`` processes (default: one for each processor).

    The processes are forked from a server that has imported the modules ``preload`` once, and end after
    `tasks_of_a_process` tasks (default: with the executor).
    """
    context = multiprocessing.get_context("forkserver" if hasattr(os, "fork") else "spawn")
    if preload and hasattr(os, "fork"):
        context.set_forkserver_preload([*preload])
    return partial(
        ProcessPoolExecutor,
        jobs or available_processors(),
        mp_context=context,
        max_tasks_per_child=tasks_of_a_process,
    )


class Here(Executor):
    """Runs work in this process when it is submitted: for work that is too small for another process."""

    def submit(self, fn: Callable[..., _R], /, *args: Any, **kwargs: Any) -> Future[_R]:
        future: Future[_R] = Future()
        try:
            future.set_result(fn(*args, **kwargs))
        except Exception as error:
            future.set_exception(error)
        return future


class ResultsFile(Generic[_T, _R]):
    """Finished work on disk, one JSON object in a line, so that an interrupted run can be continued.

    - ``work`` describes the work, such as the command line; a file of other work is refused (`DiagnosticError`).
    - ``key`` is the name of an item, which no other item has.
    - ``encode`` and ``decode`` turn results into values of JSON and back.

    A last line that was cut off when its process was killed is dropped.  Errors are not kept: they are tried again.
    """

    def __init__(
        self,
        path: Path,
        work: str,
        *,
        key: Callable[[_T], str] = str,
        encode: Callable[[_R], Any] = lambda result: result,
        decode: Callable[[Any], _R] = lambda value: value,
    ) -> None:
        self.path = path
        self.work = work
        self.key = key
        self._encode = encode
        self._decode = decode
        self._kept = self._read()

    def _read(self) -> dict[str, Any]:
        """Return the values by key; leaves a file that ends after a whole line."""
        lines = self.path.read_bytes().splitlines(keepends=True) if self.path.exists() else []
        if lines and not lines[-1].endswith(b"\n"):
            lines.pop()
        if not lines:
            self._write([])
            return {}
        head, *rows = [_object(line) for line in lines]
        if head.get("work") != self.work or any("key" not in row for row in rows):
            message = f"'{self.path}' holds results of other work, not of '{self.work}'"
            raise failure(codes.OTHER_RESULTS, message, hint="name another file, or remove this one")
        kept = {row["key"]: row.get("value") for row in rows}
        self._write(kept.items())
        return kept

    def _write(self, rows: Iterable[tuple[str, Any]]) -> None:
        """Replace the file as a whole, or not at all."""
        lines = [{"work": self.work}, *({"key": key, "value": value} for key, value in rows)]
        beside = self.path.with_name(self.path.name + ".new")
        beside.write_text("".join(json.dumps(line) + "\n" for line in lines), encoding="utf-8")
        beside.replace(self.path)

    def __contains__(self, item: _T) -> bool:
        return self.key(item) in self._kept

    def __getitem__(self, item: _T) -> _R:
        return self._decode(self._kept[self.key(item)])

    def add(self, item: _T, result: _R) -> None:
        """Store the result of an item."""
        key, value = self.key(item), self._encode(result)
        self._kept[key] = value
        with self.path.open("a", encoding="utf-8") as file:
            file.write(json.dumps({"key": key, "value": value}) + "\n")

    def sort(self, items: Iterable[_T]) -> None:
        """Sort the results by the order of their items: the same work gives the same bytes."""
        order = {self.key(item): at for at, item in enumerate(items)}
        self._write(sorted(self._kept.items(), key=lambda row: order.get(row[0], len(order))))


def _object(line: bytes) -> Mapping[str, Any]:
    try:
        found = json.loads(line)
    except ValueError:
        return {}
    return cast("dict[str, Any]", found) if isinstance(found, dict) else {}


def distribute(
    function: Callable[[_T], _R],
    items: Iterable[_T],
    executor: Executor | Callable[[], Executor],
    *,
    in_flight: int | None = None,
    attempts: int = ATTEMPTS,
    results: ResultsFile[_T, _R] | None = None,
    what: str = "done",
) -> Generator[Done[_T, _R]]:
    """Call a function with each item on the workers of an executor; yield their outcomes in the order of the items.

    - ``executor`` is one that the caller shuts down, or a function that makes one, such as `processes()`.  A made one is
      made again when the loss of a worker has broken it.
    - ``in_flight`` is the number of items that the executor may have at a time.
    - ``attempts`` is the number of times that an item is tried if its worker is lost. Once a worker was lost, items
      that may have been the cause run alone: other items are not given up because of them.
    - ``results`` are the results of an interrupted run; its items are not done again, and new results are added.
    - ``what`` names the work to `tilewright.ir.support.progress`.

    An exception of the function is its outcome (see `Done`), and is not tried again.
    """
    run = _DistributionRun(function, list(items), executor, in_flight, attempts, results, what)
    with contextlib.closing(run.finished()) as finished:
        yield from finished
    if results is not None:
        results.sort(run.items)


def _answer(function: Callable[[_T], _R], item: _T) -> tuple[_R | None, BaseException | None]:
    """Run the function in the worker; its exceptions are returned, so that they differ from the executor's."""
    try:
        return function(item), None
    except Exception as error:
        return None, _portable(error)


def _portable(error: Exception) -> Exception:
    """Return an exception that can be sent to another process."""
    try:
        pickle.loads(pickle.dumps(error))
    except Exception:
        return RuntimeError(f"{type(error).__name__}: {error}")
    return error


@dataclass(slots=True)
class _DistributionRun(Generic[_T, _R]):
    """The state of one call of `distribute`; items are known by their positions."""

    function: Callable[[_T], _R]
    items: list[_T]
    executor: Executor | Callable[[], Executor]
    in_flight: int | None
    attempts: int
    results: ResultsFile[_T, _R] | None
    what: str
    waiting: deque[int] = field(default_factory=deque[int])
    suspects: deque[int] = field(default_factory=deque[int])
    tried: dict[int, int] = field(default_factory=dict[int, int])
    flying: dict[Future[Any], int] = field(default_factory=dict[Future[Any], int])
    done: dict[int, Done[_T, _R]] = field(default_factory=dict[int, Done[_T, _R]])
    made: Executor | None = None

    def finished(self) -> Generator[Done[_T, _R]]:
        """Yield all outcomes in the order of the items."""
        try:
            with Progress(self.what, len(self.items)) as progress:
                self._recall(progress)
                for at in range(len(self.items)):
                    while at not in self.done:
                        before = len(self.done)
                        self._fill()
                        self._take(self._ready())
                        for _ in range(len(self.done) - before):
                            progress.step()
                    yield self.done.pop(at)
        finally:
            self._close()

    def _recall(self, progress: Progress) -> None:
        """Read the results of an earlier run."""
        for at, item in enumerate(self.items):
            if self.results is not None and item in self.results:
                self.done[at] = Done(item, self.results[item])
                progress.step()
            else:
                self.waiting.append(at)

    def _fill(self) -> None:
        """Submit as many items as may be in flight.

        A suspect, whose process has crashed before, runs alone.
        """
        room = self.in_flight or IN_FLIGHT * _processors(self._current())
        while len(self.flying) < room:
            if self.suspects and not self.flying:
                self._submit(self.suspects.popleft())
                return
            if self.suspects or not self.waiting:
                return
            self._submit(self.waiting.popleft())

    def _submit(self, at: int) -> None:
        try:
            future = self._current().submit(_answer, self.function, self.items[at])
        except Exception as error:
            # a pool that breaks meanwhile may fail in any way: Python 3.11 closes what a new process is to be given
            broken = isinstance(error, BrokenExecutor) or _is_broken(self._current())
            if not broken or not callable(self.executor):  # no other one can be made
                raise
            self._take(set(self.flying))
            self._close()
            future = self._current().submit(_answer, self.function, self.items[at])
        self.flying[future] = at

    def _current(self) -> Executor:
        if isinstance(self.executor, Executor):
            return self.executor
        if self.made is None:
            self.made = self.executor()
        return self.made

    def _ready(self) -> set[Future[Any]]:
        """Wait for work that is done or lost.

        A broken executor does none of its work any more, but may not report that for work submitted while it broke.
        """
        while True:
            ready, others = wait(self.flying, LOOK, FIRST_COMPLETED)
            if any(isinstance(_loss(future), BrokenExecutor) for future in ready) or _is_broken(
                self._current()
            ):
                return ready | others
            if ready:
                return ready

    def _take(self, ready: set[Future[Any]]) -> None:
        """Keep finished results; work that was lost with its worker is tried again."""
        alone = len(self.flying) == 1
        for future in sorted(ready, key=self.flying.__getitem__):
            at = self.flying.pop(future)
            lost = _loss(future)
            if lost is not None:
                self._lost(at, alone, lost)
            else:
                self._keep(at, *future.result())

    def _lost(self, at: int, alone: bool, cause: BaseException) -> None:
        """Handle the loss of an item's worker.

        An item that ran beside others is only suspected, and tried again alone.
        """
        self.tried[at] = self.tried.get(at, 0) + alone
        if self.tried[at] < self.attempts:
            self.suspects.append(at)
            return
        error = WorkerLostError(f"the worker ended {self.attempts} times: {cause}")
        error.__cause__ = cause
        self.done[at] = Done(self.items[at], error=error)

    def _keep(self, at: int, value: _R, error: BaseException | None) -> None:
        self.done[at] = Done(self.items[at], value, error)
        if self.results is not None and error is None:
            self.results.add(self.items[at], value)

    def _close(self) -> None:
        """Shut down an executor that was made here.

        Work that has not begun is cancelled, and running work is abandoned.
        """
        made, self.made = self.made, None
        running = [future for future in self.flying if not future.cancel()]
        if made is not None:
            _shut_down(made, running)


def _processors(executor: Executor) -> int:
    """Return the number of items that an executor runs at a time."""
    return executor.processors() if isinstance(executor, ClusterExecutor) else available_processors()


def _loss(future: Future[Any]) -> BaseException | None:
    """Return why a piece of work has no result; None if its worker has returned one."""
    if not future.done():
        return BrokenExecutor("the executor broke while the work was submitted")
    return CancelledError() if future.cancelled() else future.exception()


def _is_broken(executor: Executor) -> bool:
    """Return whether a pool has lost a process, and does no work any more."""
    return bool(getattr(executor, "_broken", False))


def _shut_down(executor: Executor, running: Sequence[Future[Any]]) -> None:
    """Shut down an executor.

    Work that runs longer than `GRACE` seconds is killed with its process, or abandoned.

    Also a broken pool keeps no processes: Python 3.11 waits for ever for a process that started while the
    pool broke, since it is never told to end.
    """
    _, hung = wait(running, GRACE)
    if isinstance(executor, ProcessPoolExecutor) and (hung or _is_broken(executor)):
        workers: Mapping[int, Any] = getattr(executor, "_processes", None) or {}  # public from Python 3.14 on
        for worker in list(workers.values()):
            worker.kill()
    executor.shutdown(wait=not hung, cancel_futures=True)
