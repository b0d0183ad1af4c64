"""Which threads run the tile blocks of a launch, and what the words of its frame are then: decided without machine code."""

from __future__ import annotations

import ctypes
import threading
from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

import pytest

from tilewright.ir.diagnostic import DiagnosticError
from tilewright.runtime import kernel as runtime_kernel
from tilewright.runtime.context import (
    ATTENDANT,
    ATTENTION,
    BACK,
    CONTEXT_BYTES,
    COUNTER,
    END,
    FROM_BACK,
    FROM_FRONT,
    FRONT,
    LEFT_END,
    PAUSE,
    REPORT,
    REPORT_BLOCK,
    RETURNS,
    SHARE,
    STOP,
    WAITING,
)
from tilewright.runtime.kernel import LaunchFrame, LoadedKernel, PreparedLaunch
from tilewright.runtime.scratch import LINE
from tilewright.runtime.workers.pace import BlockTimes

FOR_SIGNALS = RETURNS - (1 << 64)


def word(frame: LaunchFrame, offset: int) -> int:
    """Return a word of the context of a frame, by its place in bytes."""
    return frame.words[offset // 8]


def put(frame: LaunchFrame, offset: int, value: int) -> None:
    """Write a word of the context of a frame, by its place in bytes."""
    frame.words[offset // 8] = value


def failed(error: BaseException) -> Any:
    """Return an attendant with the failure of a handler of signals."""
    return SimpleNamespace(failure=error, address=8)


# --- frames


def test_the_parts_of_a_frame_follow_each_other_on_a_line() -> None:
    frame = LaunchFrame(3)
    context, grid, arguments = (
        int(place.value or 0) for place in (frame.context, frame.grid, frame.arguments)
    )
    start = ctypes.addressof(frame.buffer)
    assert context % LINE == 0
    assert start <= context < start + LINE
    assert (grid - context, arguments - grid) == (CONTEXT_BYTES, 16)
    assert arguments + 3 * 8 <= start + len(frame.buffer)
    ctypes.memmove(grid, (ctypes.c_int32 * 3)(4, 5, 6), 12)
    assert frame.extents() == (4, 5, 6)
    put(frame, CONTEXT_BYTES - 8, 77)
    assert ctypes.c_int64.from_address(context + CONTEXT_BYTES - 8).value == 77


def test_a_frame_is_paused_and_stopped() -> None:
    frame = LaunchFrame(0)
    frame.pause()
    assert (word(frame, ATTENTION), word(frame, COUNTER), frame.is_stopped) == (PAUSE, 0, False)
    frame.stop()
    assert (word(frame, ATTENTION), word(frame, COUNTER), frame.is_stopped) == (END, STOP, True)
    frame.pause()
    assert word(frame, ATTENTION) == END
    put(frame, LEFT_END, 5)
    frame.attendant = SimpleNamespace(failure=None)  # pyright: ignore[reportAttributeAccessIssue]
    frame.renew()
    assert (word(frame, ATTENTION), word(frame, LEFT_END), frame.is_stopped) == (0, 0, False)
    assert frame.attendant is None
    frame.pause()
    assert word(frame, ATTENTION) == PAUSE


def test_a_frame_has_one_attendant() -> None:
    frame = LaunchFrame(0)
    frame.raise_failure()
    frame.attend()
    first = frame.attendant
    assert first is not None
    assert word(frame, ATTENDANT) == first.address != 0
    put(frame, ATTENDANT, 0)
    frame.attend()
    assert frame.attendant is first
    assert word(frame, ATTENDANT) == first.address
    frame.raise_failure()
    frame.attendant = failed(KeyboardInterrupt())
    with pytest.raises(KeyboardInterrupt):
        frame.raise_failure()


# --- which way


class Kernel(LoadedKernel):
    """A kernel without code, which notes what is called."""

    def __init__(
        self, *, is_apart: bool = False, may_take_long: bool = False, sites: tuple[Any, ...] = ()
    ) -> None:
        self.log: list[tuple[Any, ...]] = []
        self.image: Any = SimpleNamespace(sites=sites, checks=None, title="k")
        self._is_apart = is_apart
        self._may_take_long = may_take_long
        self._paces: dict[int, BlockTimes] = {}
        self._worth = 1.0
        self._scratch_bytes = 0
        self._may_report = bool(sites)
        self._printer = self._wait = None
        self.calls: Callable[[LaunchFrame, int], None] = lambda frame, count: None

    def call(self, frame: LaunchFrame, count: int, *memory: Any) -> None:
        self.log.append(("call", count))
        self.calls(frame, count)


def noting(kernel: Kernel, monkeypatch: pytest.MonkeyPatch, *names: str) -> None:
    """Note the calls of some methods instead of them."""
    for name in names:

        def noted(frame: LaunchFrame, *given: Any, name: str = name, **more: Any) -> None:
            kernel.log.append((name.strip("_"), *given, *more.values()))

        monkeypatch.setattr(kernel, name, noted)


@pytest.mark.parametrize(
    ("apart", "long", "count", "threads", "wanted"),
    [
        (False, False, 1, None, ("call", 1)),
        (False, False, 1, 1, ("call", 1)),
        (False, True, 1, None, ("take_part", 1)),
        (True, False, 1, None, ("run_on_threads", 1, None, 1)),
        (True, True, 1, 3, ("run_on_threads", 1, 3, 1)),
        (False, False, 2, 1, ("run_alone", 2)),
        (False, True, 2, 1, ("run_alone", 2)),
        (True, False, 2, 1, ("run_several", 2, 1)),
        (False, False, 2, None, ("run_several", 2, None)),
        (False, False, 9, 4, ("run_several", 9, 4)),
    ],
)
def test_the_way_of_a_launch(
    apart: bool, long: bool, count: int, threads: int | None, wanted: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    kernel = Kernel(is_apart=apart, may_take_long=long)
    noting(kernel, monkeypatch, "_take_part", "_run_on_threads", "_run_alone", "_run_several")
    kernel._run_all(LaunchFrame(0), count, threads)
    assert [call[: len(wanted)] for call in kernel.log] == [wanted]


@pytest.mark.parametrize(
    ("apart", "several", "used", "share"),
    [(False, False, 1, 9), (False, True, 4, 0), (True, False, 1, 9), (True, True, 4, 0)],
)
def test_several_tile_blocks_are_shared_if_it_is_worthwhile(
    apart: bool, several: bool, used: int, share: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    kernel, frame = Kernel(is_apart=apart), LaunchFrame(0)
    put(frame, SHARE, -1)
    times = iter((10.0, 14.5))
    monkeypatch.setattr(runtime_kernel, "perf_counter", lambda: next(times))
    pace = SimpleNamespace(
        rest=0,
        wants_several=lambda *given: kernel.log.append(("wants", *given)) or several,
        work=lambda count: 0.5 * count,
        took=lambda *given: kernel.log.append(("took", *given)),
    )
    kernel._paces[(9).bit_length()] = pace  # pyright: ignore[reportArgumentType]
    noting(kernel, monkeypatch, "_take_part", "_run_on_threads", "_run_together")
    kernel._run_several(frame, 9, 4)
    way: tuple[Any, ...] = ("run_on_threads", 9, 4, used) if apart else ("run_together", 9, 4, 4.5, 10.0)
    if not apart and not several:
        way = ("take_part", 9)
    asked, done, took = kernel.log
    assert (asked, done[: len(way)], took) == (("wants", 9, 1.0), way, ("took", 4.5, 9, used))
    assert word(frame, SHARE) == share


def test_no_more_threads_are_used_than_there_are_tile_blocks(monkeypatch: pytest.MonkeyPatch) -> None:
    kernel = Kernel()
    noting(kernel, monkeypatch, "_run_together")
    kernel._run_several(LaunchFrame(0), 2, 64)  # a first launch has several
    assert kernel.log[0][:3] == ("run_together", 2, 2)
    assert kernel.log[0][3] is None
    assert list(kernel._paces) == [2]
    kernel._run_several(LaunchFrame(0), 3, 64)
    assert list(kernel._paces) == [2], "a pace for numbers of as many bits"
    kernel._run_several(LaunchFrame(0), 4, 64)
    assert list(kernel._paces) == [2, 3]


def test_short_launches_are_not_timed(monkeypatch: pytest.MonkeyPatch) -> None:
    for apart in (False, True):
        kernel = Kernel(is_apart=apart)
        noting(kernel, monkeypatch, "_run_alone", "_run_on_threads")
        kernel._worth = 0.0
        pace = kernel._paces[2] = BlockTimes()
        pace.rest = 2
        for _ in range(3):
            kernel._run_several(LaunchFrame(0), 3, 1)
        assert pace.rest == (2 if apart else 0)
        assert [call[0] for call in kernel.log] == ["run_on_threads" if apart else "run_alone"] * 3


# --- on the launching thread


class Watchdog:
    """The watchdog's words."""

    def __init__(self, *, asleep: bool) -> None:
        self.launch: Any = "outer"
        self.is_asleep = asleep
        self.woken = 0

    def wake(self) -> None:
        self.woken += 1


@pytest.mark.parametrize("asleep", [True, False])
def test_the_main_thread_returns_for_signals(asleep: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    watchdog = Watchdog(asleep=asleep)
    monkeypatch.setattr(runtime_kernel, "WATCHDOG", watchdog)
    monkeypatch.setattr(runtime_kernel, "MAIN", SimpleNamespace(identity=threading.get_ident()))
    kernel, frame, seen = Kernel(), LaunchFrame(0), list[tuple[Any, int]]()
    pauses = [PAUSE, PAUSE, 0]

    def ran(given: LaunchFrame, count: int) -> None:
        seen.append((watchdog.launch, word(given, ATTENTION)))
        put(given, ATTENTION, pauses[len(seen) - 1])

    kernel.calls = ran
    kernel._take_part(frame, 7, kernel.call)
    assert kernel.log == [("call", 7 + FOR_SIGNALS)] * 3
    assert seen == [(frame, 0)] * 3
    assert (watchdog.launch, watchdog.woken) == ("outer", int(asleep))


def test_another_thread_does_not_return(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(runtime_kernel, "WATCHDOG", Watchdog(asleep=True))
    monkeypatch.setattr(runtime_kernel, "MAIN", SimpleNamespace(identity=-1))
    kernel, frame = Kernel(may_take_long=True), LaunchFrame(0)
    kernel.calls = lambda given, count: given.pause()
    kernel._take_part(frame, 7, kernel.call)
    assert kernel.log == [("call", 7)]
    assert runtime_kernel.WATCHDOG.launch == "outer"  # pyright: ignore[reportUnnecessaryComparison]


def test_long_tile_blocks_have_an_attendant_and_memory_of_their_own(monkeypatch: pytest.MonkeyPatch) -> None:
    watchdog, memories = Watchdog(asleep=False), list[Any]()
    monkeypatch.setattr(runtime_kernel, "WATCHDOG", watchdog)
    monkeypatch.setattr(runtime_kernel, "MAIN", SimpleNamespace(identity=threading.get_ident()))
    lent = object()
    scratch = SimpleNamespace(borrowed=lambda: lent, give_back=lambda one: memories.append(("back", one)))
    monkeypatch.setattr(runtime_kernel, "SCRATCH", scratch)
    kernel, frame = Kernel(may_take_long=True), LaunchFrame(0)

    def call(given: LaunchFrame, count: int, memory: Any = None) -> None:
        memories.append((count, memory, word(given, ATTENDANT) != 0, word(given, ATTENTION)))
        put(given, ATTENTION, PAUSE if len(memories) < 3 else 0)

    monkeypatch.setattr(kernel, "call", call)
    kernel._take_part(frame, 5, call)
    assert memories == [(5 + FOR_SIGNALS, lent, True, 0)] * 3 + [("back", lent)]
    assert watchdog.launch == "outer"
    frame.attendant = failed(ValueError("of a handler"))
    with pytest.raises(ValueError, match="of a handler"):
        kernel._take_part(frame, 5, call)
    assert len(memories) == 5, "it ends at once, and does not give its memory back"
    assert watchdog.launch == "outer"


def test_scratch_memory_is_that_of_the_kernel(monkeypatch: pytest.MonkeyPatch) -> None:
    given: list[Any] = []
    for size in (0, 48):
        kernel, frame = Kernel(), LaunchFrame(0)
        kernel._scratch_bytes = size
        monkeypatch.setattr(kernel, "function", lambda *words: given.append(words), raising=False)
        memory: Any = SimpleNamespace(at_least=lambda size: f"{size} bytes")
        LoadedKernel.call(kernel, frame, 3, memory)
        assert given[-1] == (frame.arguments, frame.grid, frame.context, 3, "48 bytes" if size else None)


# --- together with workers


@pytest.mark.parametrize(
    ("seconds", "start", "wakes"),
    [
        (None, 9.0, True),
        (101e-6, 9.0, True),
        (99e-6, 9.0, False),
        (99e-6, 5.0004, True),
        (99e-6, 5.0006, False),
    ],
)
def test_workers_are_woken_for_enough_work(
    seconds: float | None, start: float, wakes: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    kernel, frame = Kernel(), LaunchFrame(0)
    kernel._scratch_bytes, kernel._address = 48, 4096
    asked: list[Any] = []
    job = SimpleNamespace(
        launch=lambda *given: asked.append(("launch", *given)), finish=lambda: asked.append("finish")
    )

    def ask(work: Any, others: int, *, wakes: bool) -> Any:
        asked.append((work, others, wakes))
        return job

    pool = SimpleNamespace(ended=5.0, job=ask, give_back=lambda *given: asked.append(("back", *given)))
    monkeypatch.setattr(runtime_kernel, "workers", lambda: pool)
    monkeypatch.setattr(runtime_kernel, "MAIN", SimpleNamespace(identity=-1))
    monkeypatch.setattr(runtime_kernel, "Work", lambda *given: given)
    monkeypatch.setattr(runtime_kernel, "SCRATCH", SimpleNamespace(at_least=lambda size: size * 10))

    def begin_with_scratch(frame: LaunchFrame, count: int, begin: Any) -> None:
        begin(frame, count, runtime_kernel.SCRATCH)

    monkeypatch.setattr(kernel, "_take_part", begin_with_scratch)
    put(frame, FROM_FRONT, 3)
    put(frame, FROM_BACK, 4)
    kernel._run_together(frame, 9, 4, seconds=seconds, start=start)
    places = (frame.arguments.value, frame.grid.value, frame.context.value)
    assert asked[0] == ((4096, *places, 9 + BACK, 48), 3, wakes)
    assert asked[1] == ("launch", 9 + FRONT, 480)
    assert asked[2:] == ["finish", ("back", job, 3)]
    assert (word(frame, FROM_FRONT), word(frame, FROM_BACK)) == (0, 0)


def test_a_crew_runs_where_no_worker_can_be_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    kernel, frame, runs = Kernel(), LaunchFrame(0), list[Any]()

    def crew(work: Callable[[], None]) -> Any:
        return SimpleNamespace(run=lambda *given: (runs.append(given), work()))

    monkeypatch.setattr(runtime_kernel, "workers", lambda: None)
    monkeypatch.setattr(runtime_kernel, "Crew", crew)
    kernel._run_together(frame, 9, 4, seconds=None, start=0.0)
    assert runs == [(4, frame.stop)]
    assert kernel.log == [("call", 9)]


# --- reports and prepared launches


def test_a_report_has_its_tile_block_and_site(monkeypatch: pytest.MonkeyPatch) -> None:
    kernel, frame = Kernel(sites=("one", "two")), LaunchFrame(0)
    reports: list[Any] = []
    monkeypatch.setattr(runtime_kernel, "report_failure", lambda *given: given)
    monkeypatch.setattr(runtime_kernel, "report_findings", reports.append)
    monkeypatch.setattr(runtime_kernel, "note_place", lambda *given: reports.append(given))
    monkeypatch.setattr(kernel, "_run_all", lambda *given: None)
    put(frame, REPORT_BLOCK, 6)
    kernel.run(frame, (2, 3, 4), None)
    assert reports == []
    assert kernel.reported_block(frame) is None
    put(frame, REPORT, 2)
    assert kernel.reported_block(frame) == 6
    kernel.run(frame, (2, 3, 4), None)
    assert reports == [(kernel.image, 1, 6, (0, 0, 0))]
    error = ValueError("no")

    def fails(*given: Any) -> None:
        assert given == (frame, 24, 5)
        raise error

    monkeypatch.setattr(kernel, "_run_all", fails)
    with pytest.raises(ValueError, match="no"):
        kernel.run(frame, (2, 3, 4), 5)
    assert reports[1] == (error, kernel.image, 1, 6, (0, 0, 0))


def test_a_launch_on_another_thread_is_registered(monkeypatch: pytest.MonkeyPatch) -> None:
    kernel, frame, calls = Kernel(), LaunchFrame(0), list[Any]()
    elsewhere = SimpleNamespace(begin=lambda stop: calls.append(stop) or "key", end=calls.append)
    monkeypatch.setattr(runtime_kernel, "ELSEWHERE", elsewhere)
    monkeypatch.setattr(runtime_kernel, "MAIN", SimpleNamespace(identity=-1))
    noting(kernel, monkeypatch, "_run_all")
    kernel.run(frame, (2, 3, 4), 5)
    assert kernel.log == [("run_all", 24, 5)]
    assert calls == [frame.stop, "key"]
    frame.stop()
    with pytest.raises(runtime_kernel.ENDED):
        kernel.run(frame, (2, 3, 4), 5)
    assert calls[2:] == [frame.stop, "key"]
    monkeypatch.setattr(runtime_kernel, "MAIN", SimpleNamespace(identity=threading.get_ident()))
    kernel.run(frame, (1, 1, 1), None)
    assert len(calls) == 4


def test_kernels_that_wait_are_told_of_those_that_run(monkeypatch: pytest.MonkeyPatch) -> None:
    kernel, frame, seen = Kernel(), LaunchFrame(0), list[Any]()
    stuck: list[Any] = [None]

    def run(crew: Any, count: int, threads: int, progress: Any, stop: Any) -> Any:
        for counter in (3, 12):
            put(frame, COUNTER, counter)
            put(frame, WAITING, counter - 1)
            now = progress()
            seen.append((now.begun, now.waiting))
        seen.append((crew, count, threads, stop == frame.stop))
        return stuck[0]

    monkeypatch.setattr(runtime_kernel.waiting, "run", run)
    monkeypatch.setattr(runtime_kernel, "stuck_failure", lambda *given: DiagnosticError([]))
    reports: list[Any] = []
    monkeypatch.setattr(runtime_kernel, "report_findings", lambda error, *, is_safe: reports.append(is_safe))
    wait: Any = "a site"
    crew: Any = "a crew"
    kernel._run_waiting(frame, 10, 4, wait, crew)
    assert seen == [(3, 2), (10, 11), ("a crew", 10, 4, True)]
    assert reports == []
    stuck[0] = "stuck"
    kernel._run_waiting(frame, 10, 4, wait, crew)
    assert reports == [False]


@pytest.mark.parametrize(
    ("grid", "sites", "simple"), [((1, 1, 1), (), True), ((2, 1, 1), (), False), ((1, 1, 1), ("one",), False)]
)
def test_a_prepared_launch_begins_anew(
    grid: Any, sites: Any, simple: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    kernel, frame = Kernel(sites=sites), LaunchFrame(0)
    noting(kernel, monkeypatch, "run")
    again = PreparedLaunch(kernel, frame, grid, ["x"], 3)
    for _ in range(2):
        put(frame, COUNTER, 9)
        put(frame, REPORT, 9)
        again()
        assert word(frame, COUNTER) == 0
        assert word(frame, REPORT) == (9 if simple else 0)
    assert kernel.log == [("call", 1) if simple else ("run", grid, 3)] * 2

    def fails(*given: Any) -> None:
        frame.stop()
        raise KeyboardInterrupt

    monkeypatch.setattr(kernel, "run", fails)
    if not simple:
        with pytest.raises(KeyboardInterrupt):
            again()
        assert not frame.is_stopped
