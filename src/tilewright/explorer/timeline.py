"""The thread that ran each tile block, with begin and end: a recorded launch on the CPU, or the trace of the
simulator.
"""

from __future__ import annotations

import contextlib
import io
import threading
from collections.abc import Callable, Sequence
from typing import Any

from tilewright.driver import compile as driver_compile, stages as driver_stages
from tilewright.driver.sources import Source
from tilewright.explorer.places import NOWHERE, SourcePositions
from tilewright.explorer.schema import LineWork, Page, Timeline
from tilewright.ir.support.trace_events import TraceEvents
from tilewright.ptxsim import running, trace as ptxsim_trace
from tilewright.runtime import kernel as runtime_kernel, recording

MOST_BARS = 4_000
"""The maximum number of bars on a page; bars that begin later are left out."""
_LAUNCHES = 3
_ENOUGH = 300_000_000
"""The total time of launches, in nanoseconds, after which no further launch is made."""
_RECORDED = (
    "The quickest of {launches} launches without checks, on copies of the arguments: which thread ran which tile block. "
    "A tile block takes some 50 ns longer than without the clock."
)
_TRACED = (
    "The run in the simulator: when each warp went on. A unit of time is one instruction of a warp or of several that go "
    "together; the simulator runs blocks one after the other."
)


def of_cpu(
    bytecode: Source, entry: str, grid: tuple[int, int, int], arguments: Callable[[], Sequence[Any]]
) -> Timeline:
    """Launch the kernel `entry` a few times on the CPU, without checks and with fresh results of
    ``arguments`` each time, and return the timeline of the shortest launch. Without a clock for kernels on
    this system nothing is launched, and the timeline says so. Raises `DiagnosticError` as a launch does.
    """
    if not recording.IS_POSSIBLE:
        return Timeline(about="This system has no clock that kernels could ask.")
    artifact = driver_compile.compile(bytecode, options=driver_stages.CompileOptions(record_times=True))
    kernel = artifact.kernels().kernel(entry)
    assert isinstance(kernel, runtime_kernel.LoadedKernel), "the target is the CPU, without checks"
    launches: list[list[recording.BlockTime]] = []
    with contextlib.redirect_stdout(io.StringIO()):  # the checked launch has printed
        while len(launches) < _LAUNCHES and sum(map(_span, launches)) < _ENOUGH:
            launches.append(recording.record(kernel, grid, arguments()))
    return of_blocks(min(launches, key=_span), len(launches))


def _span(blocks: Sequence[recording.BlockTime]) -> int:
    """Return the nanoseconds from the first begin to the last end of tile blocks; 0 without tile blocks."""
    return max((block.end for block in blocks), default=0) - min((block.begin for block in blocks), default=0)


def of_blocks(blocks: Sequence[recording.BlockTime], launches: int) -> Timeline:
    """Return the timeline of recorded tile blocks; `launches` is the number of launches that were made, for
    the description.

    The launching thread comes first, other threads in the order of their first blocks.
    """
    ordered = sorted(blocks, key=lambda block: (block.begin, block.number))
    main = threading.get_ident()
    threads = sorted({block.thread: None for block in ordered}, key=lambda thread: thread != main)
    lane = {thread: at for at, thread in enumerate(threads)}
    names = ["launching thread" if thread == main else f"thread {at + 1}" for thread, at in lane.items()]
    start = ordered[0].begin if ordered else 0
    bars = [(lane[b.thread], b.begin - start, b.end - start, b.number, NOWHERE) for b in ordered]
    return Timeline(
        "ns", _RECORDED.format(launches=launches), names, bars[:MOST_BARS], cut=len(bars) > MOST_BARS
    )


def of_trace(trace: ptxsim_trace.Trace, places: SourcePositions) -> Timeline:
    """Return the timeline of a simulated launch, in executed instructions: a lane for each warp, and at most
    `MOST_BARS` bars. A bar has the source position of the last instruction that its warp executed without a
    break.
    """
    lanes: dict[tuple[tuple[int, ...], int], int] = {}
    bars: list[tuple[int, int, int, int, int]] = []
    for span in trace.spans[:MOST_BARS]:
        lane = lanes.setdefault((span.place, span.warp), len(lanes))
        where = trace.place(span.last)
        place = NOWHERE if where is None else places.of(where)
        bars.append((lane, span.begin, span.end, span.block, place))
    names = [f"block {', '.join(map(str, block))}: warp {warp}" for block, warp in lanes]
    return Timeline("instructions", _TRACED, names, bars, cut=len(trace.spans) > MOST_BARS)


def work_of(report: running.SimulationReport, places: SourcePositions) -> list[LineWork]:
    """Return, for each source line, the work of the simulated threads in it."""
    return [
        LineWork(places.of(line.place), line.thread_instructions, line.waits, line.waited)
        for line in report.work
    ]


def trace_of(page: Page) -> TraceEvents:
    """Return the timelines of a page for Perfetto: a process is a kernel, and a thread is a lane."""
    events = TraceEvents()
    for process, kernel in enumerate(page.kernels):
        _add(events, process, kernel.name, kernel.timeline)
    return events


def _add(events: TraceEvents, process: int, name: str, timeline: Timeline) -> None:
    scale = 1000 if timeline.unit == "ns" else 1
    for at, lane in enumerate(timeline.lanes):
        events.name(process, at, name, lane)
    for lane, begin, end, block, _ in timeline.bars:
        events.span(process, lane, f"tile block {block}", begin / scale, (end - begin) / scale)
