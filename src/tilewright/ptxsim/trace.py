"""A trace of a launch: when each warp executed, and the reasons of its waits.

The unit of time is an instruction of a fragment; fragments execute one after the other.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from tilewright.ir.location import FileLineColLocation
from tilewright.ir.support.trace_events import TraceEvents
from tilewright.ptx.model import LocDirective
from tilewright.ptxsim import code as ptxsim_code, faults, values as ptxsim_values

MAXIMUM_SPANS = 500_000


class WarpTrace(NamedTuple):
    """Instructions that a warp executed without a break: the first and the last of them, and the number of
    threads that executed them. The times `begin` and `end` count the instructions that fragments of blocks
    executed since the launch began. `block` is the number of the block and `place` its index; `state` is the
    reason of the wait after the instructions, or empty.
    """

    block: int
    place: tuple[int, ...]
    warp: int
    begin: int
    end: int
    threads: int
    first: ptxsim_code.SimulatedStep
    last: ptxsim_code.SimulatedStep
    state: str

    @property
    def name(self) -> str:
        """Return the lines of the PTX text that the span executed, such as ``lines 12 to 17``."""
        first, last = (step.instruction.place.line for step in (self.first, self.last))
        return f"line {first}" if first == last else f"lines {first} to {last}"


class WaitCounts(NamedTuple):
    """The number of waits of warps for others, and their total duration in instructions that others executed."""

    times: int
    instructions: int


class Trace:
    """The recorded spans of a launch, and its waits by source line. Spans after the first `MAXIMUM_SPANS` are
    dropped; waits are counted to the end.
    """

    def __init__(self) -> None:
        self.now = 0
        self.spans: list[WarpTrace] = []
        self.waits: dict[LocDirective, WaitCounts] = {}
        """Waits by source line."""
        self.files: Mapping[int, str] = {}
        """The names of source files by their number in PTX."""
        self._waiting: dict[tuple[int, int], tuple[int, LocDirective | None]] = {}

    def span(
        self,
        block: tuple[int, Sequence[int]],
        lanes: ptxsim_values.Array,
        steps: tuple[ptxsim_code.SimulatedStep, ptxsim_code.SimulatedStep],
        count: int,
        state: str,
    ) -> None:
        """Record that the threads `lanes` of a block executed `count` instructions, from the first to the
        second of `steps`. `block` is the number and the index of the block; `state` is the reason of the wait
        after them, or empty.
        """
        start, self.now = self.now, self.now + count
        for warp in sorted({int(lane) >> 5 for lane in lanes}):
            self._end_wait(block[0], warp, start)
            if state:
                self._waiting[block[0], warp] = self.now, steps[1].line
            if len(self.spans) < MAXIMUM_SPANS:
                threads = int((lanes >> 5 == warp).sum())
                self.spans.append(
                    WarpTrace(block[0], tuple(block[1]), warp, start, self.now, threads, *steps, state)
                )

    def _end_wait(self, block: int, warp: int, now: int) -> None:
        since, line = self._waiting.pop((block, warp), (now, None))
        if line is not None:
            known = self.waits.get(line, WaitCounts(0, 0))
            self.waits[line] = WaitCounts(known.times + 1, known.instructions + now - since)

    def place(self, step: ptxsim_code.SimulatedStep) -> FileLineColLocation | None:
        """Return the source line of a step; None without `.loc`."""
        return faults.source_of(step.line, self.files)

    def events(self) -> TraceEvents:
        """Return the recorded spans as trace events: a process is a block, a thread of it is a warp, and a
        unit of time is an instruction.
        """
        made, named = TraceEvents(), set[tuple[int, int]]()
        for span in self.spans:
            at = span.block, span.warp
            if at not in named:
                named.add(at)
                made.name(*at, f"block {span.place}", f"warp {span.warp}")
            last = span.last.instruction.spelling
            made.span(*at, span.name, span.begin, span.end - span.begin, threads=span.threads, last=last)
            if span.state:
                made.instant(*at, span.state, span.end)
        return made

    def write(self, path: Path) -> None:
        """Write the events to the file `path`, which https://ui.perfetto.dev shows."""
        self.events().write(path)
