"""A trace of a launch in the format of Perfetto: when each warp went on, and what it waited for.

A unit of time is one instruction of a fragment; fragments go on one after the other.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from tilewright.ptxsim.code import Step
from tilewright.ptxsim.values import Array

MAXIMUM_EVENTS = 1_000_000


class Trace:
    """Events so far; a process is a block, and a thread of it is a warp."""

    def __init__(self) -> None:
        self.now = 0
        self.events: list[dict[str, Any]] = []
        self._named: set[tuple[int, int]] = set()

    def span(
        self, block: tuple[int, Sequence[int]], lanes: Array, steps: tuple[Step, Step], count: int, state: str
    ) -> None:
        """Threads executed so many instructions, from the first step to the last, and are in a state behind them."""
        start, self.now = self.now, self.now + count
        if len(self.events) > MAXIMUM_EVENTS:
            return
        first, last = (one.instruction.place.line for one in steps)
        name = f"line {first}" if first == last else f"lines {first} to {last}"
        for warp in sorted({int(lane) >> 5 for lane in lanes}):
            self._name(block, warp)
            at = {"pid": block[0], "tid": warp}
            details = {"threads": int((lanes >> 5 == warp).sum()), "last": steps[1].instruction.spelling}
            self.events.append({"name": name, "ph": "X", "ts": start, "dur": count, **at, "args": details})
            if state:
                self.events.append({"name": state, "ph": "i", "ts": self.now, "s": "t", **at})

    def _name(self, block: tuple[int, Sequence[int]], warp: int) -> None:
        if (block[0], warp) not in self._named:
            self._named.add((block[0], warp))
            for kind, text in (("process", f"block {tuple(block[1])}"), ("thread", f"warp {warp}")):
                event = {
                    "name": f"{kind}_name",
                    "ph": "M",
                    "pid": block[0],
                    "tid": warp,
                    "args": {"name": text},
                }
                self.events.append(event)

    def write(self, path: Path) -> None:
        """Write the file that https://ui.perfetto.dev opens."""
        path.write_text(json.dumps({"traceEvents": self.events, "displayTimeUnit": "ns"}), encoding="utf-8")
