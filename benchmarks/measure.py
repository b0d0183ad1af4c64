"""How things are measured: round-robin, medians, the collector on."""

from __future__ import annotations

import gc
import re
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
import tracemalloc
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import Any

from benchmarks.subjects import Subject

Timing = Callable[[], Any]
Prepared = tuple[Callable[[], Any], Callable[[Any], Any]]
"""What makes the object of a call, untimed, and the call."""


def seconds(action: Timing) -> float:
    """Wall time of one call.  Garbage of earlier calls is gone before; the call's own collections count."""
    gc.collect()
    start = time.perf_counter()
    result = action()
    elapsed = time.perf_counter() - start
    del result
    return elapsed


def round_robin(actions: dict[str, Timing], rounds: int) -> dict[str, list[float]]:
    """Seconds by name: A B C, A B C, ..."""
    times: dict[str, list[float]] = {name: [] for name in actions}
    for _ in range(rounds):
        for name, action in actions.items():
            times[name].append(seconds(action))
    return times


def round_robin_prepared(actions: dict[str, Prepared], rounds: int) -> dict[str, list[float]]:
    """Seconds by name, as `round_robin`, of calls that use up what they are given."""
    times: dict[str, list[float]] = {name: [] for name in actions}
    for _ in range(rounds):
        for name, (prepare, action) in actions.items():
            times[name].append(seconds(partial(action, prepare())))
    return times


def ratio(times: Sequence[float], peer: Sequence[float]) -> float:
    """How many times faster than the peer: the median over rounds of the ratio within a round."""
    return statistics.median(theirs / ours for ours, theirs in zip(times, peer, strict=True))


def bytes_per_operation(subject: Subject, text: str, count: int) -> float:
    """Memory that a parsed module holds, as `tracemalloc` sees it, in bytes an operation."""
    warm = subject.parse(text, "warm.mlir")
    del warm
    gc.collect()
    tracemalloc.start()
    try:
        before = tracemalloc.get_traced_memory()[0]
        module = subject.parse(text, "measured.mlir")
        gc.collect()
        held = tracemalloc.get_traced_memory()[0] - before
        del module
    finally:
        tracemalloc.stop()
    return held / count


def import_seconds(lines: dict[str, str], rounds: int) -> dict[str, list[float]]:
    """Wall time of fresh processes that run one import each, less that of an empty one in the same round."""
    times: dict[str, list[float]] = {name: [] for name in lines}
    for _ in range(rounds):
        empty = _process_seconds("pass")
        for name, line in lines.items():
            times[name].append(_process_seconds(line) - empty)
    return times


def _process_seconds(program: str) -> float:
    start = time.perf_counter()
    subprocess.run([sys.executable, "-c", program], check=True, capture_output=True)
    return time.perf_counter() - start


_TIMER = re.compile(r"^\s*([\d.]+) \([^)]*\)\s+(\w+)$", re.MULTILINE)


def mlir_opt_path() -> str | None:
    """``mlir-opt`` on the PATH or inside the installed MLIR package."""
    found = shutil.which("mlir-opt")
    if found:
        return found
    try:
        import mlir
    except ModuleNotFoundError:
        return None
    candidates = [Path(place) / "bin" / "mlir-opt" for place in mlir.__path__]
    return next((str(path) for path in candidates if path.exists()), None)


def mlir_opt_seconds(executable: str, text: str) -> dict[str, float]:
    """Seconds that ``mlir-opt`` says it spent on parsing (with verification) and on printing generic text."""
    return _mlir_opt_timers(executable, text, "--mlir-print-op-generic")


def mlir_opt_pass_seconds(executable: str, text: str, pipeline: str, name: str) -> float:
    """Seconds that ``mlir-opt`` says it spent on one pass; ``name`` is what its timers call the pass."""
    return _mlir_opt_timers(executable, text, f"--{pipeline}", "--verify-each=0")[name]


def _mlir_opt_timers(executable: str, text: str, *flags: str) -> dict[str, float]:
    with tempfile.TemporaryDirectory() as folder:
        source = Path(folder) / "bench.mlir"
        source.write_text(text, encoding="utf-8")
        timing = ["--mlir-timing", "--mlir-timing-display=list", "--mlir-disable-threading"]
        command = [executable, *timing, *flags, str(source), "-o", "/dev/null"]
        done = subprocess.run(command, check=True, capture_output=True, text=True)
    return {stage: float(spent) for spent, stage in _TIMER.findall(done.stderr)}
