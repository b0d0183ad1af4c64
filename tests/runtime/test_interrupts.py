"""Launches that are interrupted: they end between tile blocks, and nothing of them goes on."""

from __future__ import annotations

import random
import signal
import sys
import threading
import time
from collections.abc import Callable, Generator
from contextlib import suppress
from functools import cache, partial
from itertools import count
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

import tilewright
from tests.interp.kernels import Kernel, pointer
from tests.targets.cpu.kernel.test_waiting import wait_until
from tests.targets.cpu.programs.seeded_faults import FAULTS
from tilewright.dialects.cuda_tile.ops import control as ops_control, integer as ops_integer, tile as ops_tile
from tilewright.dialects.cuda_tile.types import tile
from tilewright.ir.builtin_types import i32
from tilewright.runtime import interrupts
from tilewright.runtime.interrupts import WATCHDOG, completed
from tilewright.runtime.workers import waiting
from tilewright.runtime.workers.threads import Crew

pytestmark = pytest.mark.skipif(not hasattr(signal, "setitimer"), reason="no timer that interrupts")
ROUNDS = 5_000
"""So many rounds take a tile block some microseconds."""


INTERRUPTS = SimpleNamespace(are_awaited=True)
"""Whether the handler of the timer raises."""


class Interrupt(BaseException):
    """What the handler of the timer raises: not only Ctrl-C ends a launch."""


@pytest.fixture(autouse=True)
def handler(monkeypatch: pytest.MonkeyPatch) -> Generator[None]:
    def interrupt(number: int, frame: object) -> None:
        if INTERRUPTS.are_awaited:
            raise Interrupt

    before = signal.signal(signal.SIGALRM, interrupt)
    monkeypatch.setattr(interrupts, "INTERVAL", 0.001)
    monkeypatch.setattr(INTERRUPTS, "are_awaited", True)
    yield
    signal.setitimer(signal.ITIMER_REAL, 0)
    signal.signal(signal.SIGALRM, before)


def interrupted(seconds: float, call: Callable[[], object]) -> None:
    """Call something, and interrupt it after so many seconds, if it takes so long.

    No context manager: an interrupt that comes between its entry and the block would get out.  Nor does it suffice to
    stop the timer: a signal that another thread has taken may reach this one later.
    """
    with suppress(Interrupt):
        INTERRUPTS.are_awaited = True
        signal.setitimer(signal.ITIMER_REAL, seconds)
        call()
        signal.setitimer(signal.ITIMER_REAL, 0)
        INTERRUPTS.are_awaited = False


def work(kernel: Kernel, rounds: Any) -> Any:
    """A number that depends on the tile block, and takes some rounds to compute."""
    header = kernel.for_loop(kernel.i32(0), rounds, kernel.i32(1), kernel.block_id())
    counter, value = header.arguments
    product = kernel.add(ops_integer.MulIOp(value, kernel.i32(1664525)))
    return kernel.end_for(kernel.pending, kernel.add(ops_integer.AddIOp(product, counter))).results[0]


def store(kernel: Kernel, value: Any) -> None:
    """Add a number to the element of the tile block."""
    place = kernel.add(ops_tile.OffsetOp(kernel.arguments[0], kernel.block_id()))
    old = kernel.load(place).results[0]
    kernel.store(place, kernel.add(ops_integer.AddIOp(old, value)))


@cache
def computing() -> Any:
    kernel = Kernel(pointer(i32), tile(i32))
    store(kernel, work(kernel, kernel.arguments[1]))
    return compiled(kernel)


@cache
def printing() -> Any:
    kernel = Kernel(pointer(i32), tile(i32))
    value = work(kernel, kernel.arguments[1])
    kernel.add(ops_control.PrintTkoOp(args=(value,), format="%d\n"))
    store(kernel, value)
    return compiled(kernel)


@cache
def spinning() -> Any:
    """Tile blocks wait for something that never comes, the first one of them after having said so."""
    kernel = Kernel(pointer(i32), tile(i32))
    store(kernel, kernel.i32(1))
    wait_until(kernel, kernel.arguments[0], kernel.i32(1 << 30))
    return compiled(kernel)


def compiled(kernel: Kernel) -> Any:
    module: Any = SimpleNamespace(operation=kernel.module())
    return tilewright.compile(module)


@cache
def expected(count: int) -> Any:
    """What each tile block adds."""
    counters, values = range(ROUNDS), np.arange(count, dtype=np.uint32)
    for counter in counters:
        values = values * np.uint32(1664525) + np.uint32(counter)
    return values.astype(np.int32)


def run(artifact: Any, count: int, **more: Any) -> Any:
    out = np.zeros(count, np.int32)
    artifact.launch((count, 1, 1), [out, ROUNDS], **more)
    return out


KINDS: dict[str, tuple[Callable[[], Any], dict[str, Any]]] = {
    "one thread": (computing, {"threads": 1}),
    "two threads": (computing, {"threads": 2}),
    "many threads": (computing, {"threads": 7}),
    "checks": (computing, {"check": "memcheck", "threads": 2}),
    "prints": (printing, {"threads": 2}),
}


# Python drops an interrupt that arrives in the callback of a weak reference, and reports it; that is no fault of ours.
@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")
@pytest.mark.parametrize("kind", KINDS)
def test_interrupted_at_random_times(kind: str, capsys: pytest.CaptureFixture[str]) -> None:
    """Whatever has been reached, nothing is written afterwards, and the next launch is right."""
    make, options = KINDS[kind]
    artifact, choice, ends = make(), random.Random(kind), 0
    run(artifact, 64, **options)
    for _ in range(40):
        out = np.zeros(600, np.int32)
        launch = partial(artifact.launch, (600, 1, 1), [out, ROUNDS], **options)
        interrupted(choice.uniform(0.0001, 0.004), launch)
        left = out.copy()
        ends += (left == expected(600)).all()
        assert np.isin(left, (0, *expected(600))).all()
        assert (run(artifact, 64, **options) == expected(64)).all()
        assert (out == left).all()
    assert ends < 40
    assert WATCHDOG.launch is None


def test_a_handler_that_raises_nothing_disturbs_nothing() -> None:
    seen: list[int] = []
    signal.signal(signal.SIGALRM, lambda number, frame: seen.append(number))
    run(computing(), 64)
    signal.setitimer(signal.ITIMER_REAL, 0.001, 0.001)
    while len(seen) < 5:
        for threads in (1, 2):
            assert (run(computing(), 600, threads=threads) == expected(600)).all()


def test_a_handler_may_launch() -> None:
    inner: list[Any] = []
    signal.signal(signal.SIGALRM, lambda number, frame: inner.append(run(computing(), 64, threads=1)))
    signal.setitimer(signal.ITIMER_REAL, 0.002, 0.01)
    for threads in (1, 2):
        assert (run(computing(), 600, threads=threads) == expected(600)).all()
    signal.setitimer(signal.ITIMER_REAL, 0)
    assert inner
    assert all((out == expected(64)).all() for out in inner)


def test_prepared_launches_begin_anew() -> None:
    out = np.zeros(600, np.int32)
    again = computing().prepare((600, 1, 1), [out, ROUNDS], threads=2)
    for _ in range(5):
        interrupted(0.003, again)
        out[:] = 0
        again()
        assert (out == expected(600)).all()


def test_tile_blocks_that_wait_end() -> None:
    """They would be taken to be stuck after seconds."""
    for threads in (1, 3):
        out = np.zeros(8, np.int32)
        again = spinning().prepare((8, 1, 1), [out, 0], threads=threads)
        start = time.monotonic()
        signal.setitimer(signal.ITIMER_REAL, 0.02)
        with pytest.raises(Interrupt):
            again()
        assert time.monotonic() - start < waiting.PATIENCE
        assert out.any()


def test_a_stale_context_loses_tile_blocks() -> None:
    """The seeded fault of that name does what it says."""
    with FAULTS["stale context"]():
        assert (run(computing(), 64) != expected(64)).any()
    assert (run(computing(), 64) == expected(64)).all()


def test_other_threads_launch_undisturbed() -> None:
    wrong: list[int] = []

    def go() -> None:
        for _ in range(10):
            wrong.append(int((run(computing(), 500, threads=2) != expected(500)).sum()))

    run(computing(), 64)
    other = threading.Thread(target=go)
    other.start()
    for _ in range(20):
        interrupted(0.002, partial(run, computing(), 600, threads=2))
    other.join()
    assert wrong == [0] * 10


def test_everything_ends_before_an_exception_gets_out() -> None:
    """A second exception while the end is waited for changes nothing."""
    told: list[str] = []

    def wait() -> None:
        told.append("wait")
        if len(told) < 6:
            raise Interrupt

    def fail() -> None:
        raise ValueError("first")

    with pytest.raises((ValueError, Interrupt)):
        completed(fail, wait, lambda: told.append("stop"))
    assert told == ["stop", "wait", "stop", "wait", "stop", "wait"]


def interrupted_at(place: int, call: Callable[[], object], counted: str = "opcode") -> bool:
    """Interrupt a call at its instruction of number ``place``, or at that event; return whether it has as many."""
    passed = 0

    def trace(frame: Any, event: str, argument: object) -> Any:
        nonlocal passed
        frame.f_trace_opcodes = True
        passed += event == counted
        if passed > place:
            raise Interrupt
        return trace

    before = sys.gettrace()
    sys._getframe().f_trace_opcodes = (
        True  # Python 3.12 traces opcodes if a frame wants it when tracing begins
    )
    with suppress(Interrupt):
        sys.settrace(trace)
        try:
            call()
        finally:
            sys.settrace(before)
    return passed > place


def test_threads_can_ask_for_more_after_an_interrupt_at_any_place() -> None:
    """What the caller of a crew and its threads share stays free, wherever the caller was interrupted."""
    for place in count():
        crew = Crew(lambda: None)
        crew.call_in_launcher(lambda: None)
        goes_on = interrupted_at(place, crew.has_ended)
        later = threading.Thread(target=lambda crew=crew: crew.call_in_launcher(lambda: None), daemon=True)
        later.start()
        later.join(5)
        assert not later.is_alive()
        if not goes_on:
            break
    assert place > 20


def test_only_the_interrupt_gets_out_of_threads_that_begin() -> None:
    """Wherever the caller was, the interrupt reaches it, and all threads have ended.

    Python runs handlers of signals at the beginning of each function.
    """
    for place in count():
        crew = Crew(lambda: None)
        goes_on = interrupted_at(place, partial(crew.run, 2, lambda: None), "call")
        assert crew.count == 0
        if not goes_on:
            break
    assert place > 5
