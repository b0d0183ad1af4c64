"""Distribute independent calls over the workers of a `concurrent.futures.Executor`, with retries.

`distribute` calls one function with many items: a bounded number at a time, again if a worker is lost, and
with the results in the order of the items. An interrupted run can be continued (`ResultsFile`). `processes`
makes executors of this machine; `executor_at` connects to a cluster.
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
"""The number of times that an item is tried if its worker is lost each time."""
IN_FLIGHT = 2
"""The default number of items that are submitted at a time, for each processor of the executor."""

LOOK = 1.0
"""The seconds without a finished item after which an executor is tested for being broken."""

GRACE = 2.0
"""The seconds that calls in flight may continue after the run has ended by an exception."""


class WorkerLostError(Exception):
    """An item has no result, because its worker ended at each attempt.

    The cause is the executor's exception.
    """


@dataclass(frozen=True, slots=True)
class Done(Generic[_T, _R]):
    """The outcome of one call of `distribute`: the item, and the value or the exception of the function.

    ``error`` is a `WorkerLostError` if the worker was lost at each attempt.
    """

    item: _T
    value: Any = None
    error: BaseException | None = None

    def result(self) -> _R:
        """Return the value of the function, or raise ``error``."""
        if self.error is not None:
            raise self.error
        value: _R = self.value
        return value


def processes(
    jobs: int | None = None, *, preload: Sequence[str] = (), tasks_of_a_process: int | None = None
) -> Callable[[], Executor]:
    """Return a function that makes executors with ``jobs`` processes (default: one for each processor). The
    processes are forked from a server that has imported the modules ``preload`` once; systems without
    ``fork`` start them anew, without ``preload``. Each ends after `tasks_of_a_process` tasks (default: with
    the executor).
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
    """An executor that runs each call in this process when it is submitted, for calls that are too short for
    others.
    """

    def submit(self, fn: Callable[..., _R], /, *args: Any, **kwargs: Any) -> Future[_R]:
        future: Future[_R] = Future()
        try:
            future.set_result(fn(*args, **kwargs))
        except Exception as error:
            future.set_exception(error)
        return future


class ResultsFile(Generic[_T, _R]):
    """The results of an interrupted run in a file of JSON lines, so that the run can be continued.

    - ``work`` is a text that describes the run, such as its command line. The file of another run is refused
      with `DiagnosticError`.
    - ``key`` returns the unique name of an item.
    - ``encode`` and ``decode`` convert a result to a JSON value and back.

    A last line that was cut off when its process was killed is dropped. Exceptions are not stored: these
    items are tried again.
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
        """Return the stored JSON values by key, and rewrite the file without an incomplete last line.

        A missing file is created. Raises `DiagnosticError` for the file of another run.
        """
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
        """Replace the whole file by the rows (key, value), atomically."""
        lines = [{"work": self.work}, *({"key": key, "value": value} for key, value in rows)]
        beside = self.path.with_name(self.path.name + ".new")
        beside.write_text("".join(json.dumps(line) + "\n" for line in lines), encoding="utf-8")
        beside.replace(self.path)

    def __contains__(self, item: _T) -> bool:
        return self.key(item) in self._kept

    def __getitem__(self, item: _T) -> _R:
        return self._decode(self._kept[self.key(item)])

    def add(self, item: _T, result: _R) -> None:
        """Append the result of an item to the file."""
        key, value = self.key(item), self._encode(result)
        self._kept[key] = value
        with self.path.open("a", encoding="utf-8") as file:
            file.write(json.dumps({"key": key, "value": value}) + "\n")

    def sort(self, items: Iterable[_T]) -> None:
        """Rewrite the file in the order of `items`, so that equal runs give equal files. Results of other
        items come last.
        """
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
    """Call a function with each item on the workers of an executor; yield the outcomes in the order of the
    items.

    - ``executor`` is an executor, which the caller shuts down, or a function that makes one, such as
      `processes()`. The function is called again if the loss of a worker has broken its executor.
    - ``in_flight`` is the maximum number of items that are submitted and not finished; None means
      `IN_FLIGHT` for each processor of the executor.
    - ``attempts`` is the number of times that an item is tried if its worker is lost. After a loss, the items
      that were in flight run alone, so that an item that ends its worker does not make others fail.
    - ``results`` are the results of an interrupted run. Its items are not computed again, and new results are
      added; at the end the file is sorted in the order of the items.
    - ``what`` is the label of the progress display.

    An exception of the function is its outcome (see `Done`), and is not tried again.
    """
    run = _DistributionRun(function, list(items), executor, in_flight, attempts, results, what)
    with contextlib.closing(run.finished()) as finished:
        yield from finished
    if results is not None:
        results.sort(run.items)


def _answer(function: Callable[[_T], _R], item: _T) -> tuple[_R | None, BaseException | None]:
    """Call the function in the worker; return (result, None) or (None, its exception).

    Exceptions of the executor, such as a lost worker, are raised instead, and so can be distinguished.
    """
    try:
        return function(item), None
    except Exception as error:
        return None, _portable(error)


def _portable(error: Exception) -> Exception:
    """Return the exception, or a `RuntimeError` with its text if it cannot be pickled."""
    try:
        pickle.loads(pickle.dumps(error))
    except Exception:
        return RuntimeError(f"{type(error).__name__}: {error}")
    return error


@dataclass(slots=True)
class _DistributionRun(Generic[_T, _R]):
    """The state of one call of `distribute`; items are represented by their positions.

    ``waiting`` are not submitted yet, ``suspects`` lost their worker and run alone, ``tried`` counts the lost
    workers of an item that ran alone, ``flying`` are submitted, ``done`` finished. ``made`` is an executor
    that this call made.
    """

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
        """Take the outcomes of the items in ``results`` from there, each a step of `progress`; all other
        items become waiting.
        """
        for at, item in enumerate(self.items):
            if self.results is not None and item in self.results:
                self.done[at] = Done(item, self.results[item])
                progress.step()
            else:
                self.waiting.append(at)

    def _fill(self) -> None:
        """Submit waiting items until the maximum number is in flight.

        While there are suspects, submit nothing else; a suspect is submitted when nothing is in flight.
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
        """Wait for finished items, and return their futures; all futures if the executor is broken.

        A broken executor may leave the futures of items unfinished that were submitted while it broke.
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
        """Store the outcomes of the items of `ready`, which are no longer in flight. An item whose worker was
        lost is tried again, or has a `WorkerLostError`.
        """
        alone = len(self.flying) == 1
        for future in sorted(ready, key=self.flying.__getitem__):
            at = self.flying.pop(future)
            lost = _loss(future)
            if lost is not None:
                self._lost(at, alone, lost)
            else:
                self._keep(at, *future.result())

    def _lost(self, at: int, alone: bool, cause: BaseException) -> None:
        """Make an item whose worker was lost a suspect, or store a `WorkerLostError` after the last attempt.

        Only losses of an item that ran alone (``alone``) count as attempts: another item may have ended the
        worker.
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
        """Shut down an executor that this call made; cancel items that have not begun."""
        made, self.made = self.made, None
        running = [future for future in self.flying if not future.cancel()]
        if made is not None:
            _shut_down(made, running)


def _processors(executor: Executor) -> int:
    """Return the number of items that an executor runs at a time."""
    return executor.processors() if isinstance(executor, ClusterExecutor) else available_processors()


def _loss(future: Future[Any]) -> BaseException | None:
    """Return the exception by which the executor lost an item; None if the function has returned or raised."""
    if not future.done():
        return BrokenExecutor("the executor broke while the work was submitted")
    return CancelledError() if future.cancelled() else future.exception()


def _is_broken(executor: Executor) -> bool:
    """Return whether a pool of processes has lost a process, and so rejects all further items."""
    return bool(getattr(executor, "_broken", False))


def _shut_down(executor: Executor, running: Sequence[Future[Any]]) -> None:
    """Shut down an executor; kill its processes if a call runs longer than `GRACE` seconds.

    The processes of a broken pool are killed, too: Python 3.11 waits for ever for a process that started
    while the pool broke. A call that is not in a process of this machine is abandoned.
    """
    _, hung = wait(running, GRACE)
    if isinstance(executor, ProcessPoolExecutor) and (hung or _is_broken(executor)):
        workers: Mapping[int, Any] = getattr(executor, "_processes", None) or {}  # public from Python 3.14 on
        for worker in list(workers.values()):
            worker.kill()
    executor.shutdown(wait=not hung, cancel_futures=True)
