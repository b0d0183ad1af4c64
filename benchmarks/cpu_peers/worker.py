"""The process of one peer: ``python -m benchmarks.cpu_peers.worker PEER THREADS PROCESSOR,...``.

Reads requests as lines of JSON and answers each with a line of JSON; whatever else is printed goes to standard error.
"""

from __future__ import annotations

import gc
import importlib
import json
import os
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from typing import Any

from benchmarks.cpu_peers import MODULES

Answer = dict[str, Any]
_MAXIMUM_CALLS = 1 << 20
CLOCKS: dict[str, Callable[[], float]] = {"wall": time.perf_counter, "processor": time.process_time}
"""What times are: of the clock on the wall, or of the processor, which other programs on it do not count for."""


def limit(threads: int, processors: list[int]) -> None:
    """Pin the process, and tell every library that may be loaded how many threads it has."""
    os.sched_setaffinity(0, processors)
    names = "OMP_NUM_THREADS OPENBLAS_NUM_THREADS MKL_NUM_THREADS NUMBA_NUM_THREADS TILEWRIGHT_THREADS"
    for name in names.split():
        os.environ[name] = str(threads)
    if threads == 1:  # XLA's pool of threads on one processor would only get in its own way
        os.environ["XLA_FLAGS"] = "--xla_cpu_multi_thread_eigen=false"


class Worker:
    """Answers requests about one peer."""

    def __init__(self, name: str) -> None:
        self.peer = importlib.import_module(MODULES[name]).make()
        self.call: Callable[[], Any] | None = None

    def handle(self, request: dict[str, Any]) -> Answer:
        """The answer to a request: ``prepare``, ``measure`` or ``version``."""
        return getattr(self, f"_{request.pop('do')}")(**request)

    def _version(self) -> Answer:
        return {"version": self.peer.version}

    def _prepare(self, case: str, small: bool) -> Answer:
        """Make the inputs, call once, check the result: seconds of the first call and the error over what is allowed."""
        from benchmarks import cpu_cases

        self.call = None
        gc.collect()
        made = cpu_cases.case(case).made(small)
        start = time.perf_counter()
        call = self.peer.call(made)
        if call is None:
            return {"missing": "not an operation of this library"}
        value = call()
        first = time.perf_counter() - start
        self.call = call
        return {"first": first, "error": made.error(self.peer.array(value))}

    def _measure(self, seconds: float, clock: str) -> Answer:
        """Seconds a call, the mean of as many calls as fit into that time."""
        assert self.call is not None
        count, call, now = 1, self.call, CLOCKS[clock]
        while True:
            spent = _seconds(call, count, now)
            if spent >= seconds or count >= _MAXIMUM_CALLS:
                return {"seconds": spent / count}
            count = max(count * 2, min(_MAXIMUM_CALLS, int(count * seconds / max(spent, 1e-9) * 1.1)))

    def _drop(self) -> Answer:
        """Forget the case: its memory is for the others."""
        self.call = None
        gc.collect()
        return {}


def _seconds(call: Callable[[], Any], count: int, now: Callable[[], float]) -> float:
    gc.disable()
    try:
        start = now()
        for _ in range(count):
            call()
        return now() - start
    finally:
        gc.enable()


def answers(name: str) -> Iterator[Answer]:
    """An answer to every request on standard input; the first tells whether the library is there."""
    try:
        worker = Worker(name)
    except ImportError as error:
        yield {"missing": f"not installed ({error})"}
        return
    yield {"ready": True}
    for request in sys.stdin:
        try:
            yield worker.handle(json.loads(request))
        except Exception as error:  # reported: one case that fails must not end the others
            yield {"failed": f"{type(error).__name__}: {error}"}


def main() -> None:
    """Answer until the input ends."""
    _, name, threads, processors = sys.argv
    limit(int(threads), list(map(int, processors.split(","))))
    channel = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(2, 1)
    with suppress(BrokenPipeError):
        for answer in answers(name):
            channel.write(json.dumps(answer) + "\n")
            channel.flush()


if __name__ == "__main__":
    main()
