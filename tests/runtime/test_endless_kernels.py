"""Tile blocks that never come to their end are stopped, in the middle of a loop, and nothing of them goes on."""

from __future__ import annotations

import signal
import threading
import time
from collections.abc import Callable, Generator
from functools import cache
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

import tilewright
from tests.interp.kernels import Kernel, pointer
from tests.runtime.test_interrupts import Interrupt
from tests.runtime.test_recording import loaded
from tilewright.dialects.cuda_tile.ops import control as ops_control, integer as ops_integer, tile as ops_tile
from tilewright.dialects.cuda_tile.types import tile
from tilewright.driver.stages import CompileOptions
from tilewright.ir.block import Block
from tilewright.ir.builtin_types import i32
from tilewright.runtime import interrupts
from tilewright.runtime.interrupts import WATCHDOG
from tilewright.runtime.kernel import LaunchFrame
from tilewright.runtime.recording import record
from tilewright.runtime.reports import stopped_at
from tilewright.runtime.workers.pool import workers

pytestmark = pytest.mark.skipif(not hasattr(signal, "setitimer"), reason="no timer that interrupts")
SOON = 0.03
"""Seconds until a launch is interrupted."""
LATE = 2.0
"""Seconds that nobody has to wait for the end, however busy the machine is."""
LONG = (1 << 31) - 1
SUMS = """
cuda_tile.module @m {
  entry @k(%x: tile<ptr<i32>>, %count: tile<i32>) {
    %0 = constant <i32: 0> : tile<i32>
    %1 = constant <i32: 1> : tile<i32>
    %sum = for %i in (%0 to %count, step %1) : tile<i32> iter_values(%held = %0) -> (tile<i32>) {
      %more = addi %held, %1 : tile<i32>
      continue %more : tile<i32>
    }
    %block, %by, %bz = get_tile_block_id : tile<i32>
    %place = offset %x, %block : tile<ptr<i32>>, tile<i32> -> tile<ptr<i32>>
    %stored = store_ptr_tko weak %place, %sum : tile<ptr<i32>>, tile<i32> -> token
    return
  }
}
"""
"""A kernel each of whose tile blocks counts up to a number, and stores that at the end."""


@pytest.fixture(autouse=True)
def handler(monkeypatch: pytest.MonkeyPatch) -> Generator[None]:
    def interrupt(number: int, frame: object) -> None:
        raise Interrupt

    before = signal.signal(signal.SIGALRM, interrupt)
    monkeypatch.setattr(interrupts, "INTERVAL", 0.001)
    yield
    signal.setitimer(signal.ITIMER_REAL, 0)
    signal.signal(signal.SIGALRM, before)


def add_at(kernel: Kernel, place: Any, number: int) -> None:
    old = kernel.load(place).results[0]
    kernel.store(place, kernel.add(ops_integer.AddIOp(old, kernel.i32(number))))


def place_of_block(kernel: Kernel) -> Any:
    return kernel.add(ops_tile.OffsetOp(kernel.arguments[0], kernel.block_id()))


def counted(kernel: Kernel) -> None:
    """Rounds whose number is an argument, each of which counts up."""
    kernel.for_loop(kernel.i32(0), kernel.arguments[1], kernel.i32(1), kernel.i32(0))
    add_at(kernel, place_of_block(kernel), 1)
    kernel.end_for(kernel.pending, kernel.i32(0))


def constant(kernel: Kernel) -> None:
    """As `counted`, where the number of rounds is known, and large."""
    kernel.for_loop(kernel.i32(0), kernel.i32(LONG), kernel.i32(1), kernel.i32(0))
    add_at(kernel, place_of_block(kernel), 1)
    kernel.end_for(kernel.pending, kernel.i32(0))


def forever(kernel: Kernel) -> None:
    """A loop without an end, which stores to a place of its own."""
    kernel.open(Block())
    add_at(kernel, place_of_block(kernel), 1)
    kernel.add(ops_control.ContinueOp(operands_=()))
    kernel.add(ops_control.LoopOp(init_values=(), body=kernel.close(), result_types=()))


def printing(kernel: Kernel) -> None:
    kernel.add(ops_control.PrintTkoOp(args=(), format="begins\n"))
    counted(kernel)


LOOPS = {"counted": counted, "constant": constant, "forever": forever, "printing": printing}


@cache
def compiled(loop: str, **options: Any) -> Any:
    kernel = Kernel(pointer(i32), tile(i32))
    LOOPS[loop](kernel)
    module: Any = SimpleNamespace(operation=kernel.module())
    return tilewright.compile(module, options=CompileOptions(**options))


def stopped(launch: Callable[[], object]) -> Interrupt:
    """Launch, interrupt it, and answer what got out, which comes in time."""
    start = time.monotonic()
    signal.setitimer(signal.ITIMER_REAL, SOON)
    with pytest.raises(Interrupt) as caught:
        launch()
    assert time.monotonic() - start < LATE
    return caught.value


def is_quiet(out: Any) -> bool:
    """Whether nobody writes any more."""
    before = out.copy()
    time.sleep(0.003)
    return bool((out == before).all())


@pytest.mark.parametrize("loop", LOOPS)
@pytest.mark.parametrize(("blocks", "threads"), [(1, 1), (1, 2), (3, 1), (5, 2), (40, 7)])
def test_stopped_and_launched_again(loop: str, blocks: int, threads: int) -> None:
    artifact, out = compiled(loop), np.zeros(64, np.int32)
    artifact.prepare((1, 1, 1), [out, 1])  # loads the code
    for _ in range(20):  # on a busy machine the interrupt may come before the first tile block begins
        stopped(lambda: artifact.launch((blocks, 1, 1), [out, LONG], threads=threads))
        if out.any():
            break
    assert out.any(), "what was written stays"
    assert is_quiet(out)
    assert WATCHDOG.launch is None
    if loop in ("counted", "printing"):
        out[:] = 0
        artifact.launch((blocks, 1, 1), [out, 9], threads=threads)
        assert out[:blocks].tolist() == [9] * blocks


@pytest.mark.parametrize("check", ["memcheck", "all"])
def test_checked_kernels_are_stopped(check: str) -> None:
    for blocks, threads in ((1, 1), (4, 3)):
        out = np.zeros(8, np.int32)
        launch = compiled("counted").launch
        launch((blocks, 1, 1), [out, 3], threads=threads, check=check)
        stopped(lambda: launch((blocks, 1, 1), [out, LONG], threads=threads, check=check))  # noqa: B023
        assert is_quiet(out)
        out[:] = 0
        launch((blocks, 1, 1), [out, 3], threads=threads, check=check)
        assert out[:blocks].tolist() == [3] * blocks


@cache
def carried_out(target: str) -> Any:
    """A kernel that Python carries out."""
    return tilewright.compile(SUMS, target=target)


@pytest.mark.parametrize("target", ["interp", "sim:sm_80"])
def test_kernels_that_python_carries_out_are_stopped(target: str) -> None:
    out = np.zeros(8, np.int32)
    artifact = carried_out(target)
    artifact.launch((1, 1, 1), [out, 3])
    stopped(lambda: artifact.launch((2, 1, 1), [out, LONG]))
    assert is_quiet(out)


def test_recorded_kernels_are_stopped() -> None:
    artifact, out = compiled("counted", record_times=True), np.zeros(8, np.int32)
    kernel = loaded(artifact)
    stopped(lambda: record(kernel, (2, 1, 1), [out, LONG], 2))
    assert is_quiet(out)
    assert len(record(kernel, (2, 1, 1), [out, 3], 2)) == 2


def test_prepared_launches_begin_anew() -> None:
    out = np.zeros(8, np.int32)
    again = compiled("counted").prepare((2, 1, 1), [out, 200_000_000], threads=2)
    for _ in range(3):
        stopped(again)
        assert is_quiet(out)


def test_the_note_says_which_loop_it_was() -> None:
    error = stopped(lambda: compiled("forever").launch((1, 1, 1), [np.zeros(1, np.int32), 0]))
    (note,) = error.__notes__
    assert note.startswith("it ended kernel 'k' in tile block (0, 0, 0)")
    assert stopped_at(error) is not None


def test_a_handler_that_raises_nothing_disturbs_nothing() -> None:
    """It runs in the middle of the tile block, which goes on."""
    seen: list[int] = []
    signal.signal(signal.SIGALRM, lambda number, frame: seen.append(number))
    out = np.zeros(1, np.int32)
    launch = compiled("counted").prepare((1, 1, 1), [out, 20_000_000])
    signal.setitimer(signal.ITIMER_REAL, 0.001, 0.002)
    rounds = 0
    while len(seen) < 3:
        launch()
        rounds += 1
    assert out.tolist() == [rounds * 20_000_000]


def test_a_handler_may_launch_in_the_middle_of_a_tile_block() -> None:
    inner, out = np.zeros(1, np.int32), np.zeros(1, np.int32)
    launch = compiled("counted").launch
    signal.signal(signal.SIGALRM, lambda number, frame: launch((1, 1, 1), [inner, 5]))
    signal.setitimer(signal.ITIMER_REAL, 0.002)
    rounds = 0
    while not inner.any():
        launch((1, 1, 1), [out, 20_000_000])
        rounds += 1
    assert inner.tolist() == [5]
    assert out.tolist() == [rounds * 20_000_000]


def test_what_a_second_handler_raises_gets_out_as_well() -> None:
    """Two signals at once: neither is lost, and the next launch is right."""
    before = signal.signal(signal.SIGUSR1, signal.getsignal(signal.SIGALRM))
    out = np.zeros(1, np.int32)

    def both() -> None:
        timer = threading.Timer(SOON, lambda: [signal.raise_signal(one) for one in (signal.SIGUSR1,)])
        timer.start()
        try:
            compiled("counted").launch((1, 1, 1), [out, LONG])
        finally:
            timer.join()

    try:
        stopped(both)
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGUSR1, before)
    assert is_quiet(out)


def test_launches_of_other_threads_go_on() -> None:
    launch, wrong = compiled("counted").launch, list[Any]()

    def go() -> None:
        for _ in range(20):
            out = np.zeros(4, np.int32)
            launch((4, 1, 1), [out, 1000], threads=2)
            wrong.append(out.tolist() != [1000] * 4)

    launch((1, 1, 1), [np.zeros(1, np.int32), 1])
    other = threading.Thread(target=go)
    other.start()
    stopped(lambda: launch((2, 1, 1), [np.zeros(2, np.int32), LONG], threads=2))
    other.join()
    assert wrong == [False] * 20


def test_a_stop_outlives_a_pause() -> None:
    """The watchdog may ask for a pause when the launch has just been stopped."""
    frame = LaunchFrame(1)
    frame.stop()
    before = list(frame.words)
    frame.pause()
    assert list(frame.words) == before


def test_workers_are_idle_after_a_stop() -> None:
    pool = workers()
    if pool is None:
        pytest.skip("no workers here")
    out = np.zeros(8, np.int32)
    for _ in range(3):
        stopped(lambda: compiled("forever").launch((8, 1, 1), [out, 0], threads=3))
    assert all(state in (0, 2, 4) for state in pool.states())
