"""The kernels of a folder: run as they are, and without each of their synchronising instructions."""

from __future__ import annotations

import json
import re
import time
from collections.abc import Callable, Sequence
from concurrent.futures import Executor
from pathlib import Path
from typing import Any

from conformance.ptx.cases import CASES
from tilewright.ir.diagnostic import DiagnosticError
from tilewright.runtime.distribution import Here, distribute

SYNCHRONISING = re.compile(
    r"^\s*(?:@!?%\w+\s+)?(bar\.sync|barrier\.|bar\.warp|cp\.async\.\w*(?:commit|wait)|cp\.async\.bulk\.(?:commit|wait)"
    r"|fence\.proxy\.async|wgmma\.(?:fence|commit|wait)|mbarrier\.(?:init|arrive|expect))[^;]*;",
    re.MULTILINE,
)
"""What ``--faults`` takes out of a kernel, one at a time."""


def kernels(folder: Path, only: str) -> list[Path]:
    """What the maker of each kernel wrote beside its PTX."""
    return [path for path in sorted(folder.glob("*.json")) if only in path.stem]


def kernel(path: Path) -> tuple[str, dict[str, Any]]:
    """The PTX of a kernel, and what its maker wrote beside it."""
    return path.with_suffix(".ptx").read_text(encoding="utf-8"), json.loads(path.read_text())


def attempt(text: str, meta: dict[str, Any]) -> str:
    """Run a kernel; answers what is wrong, or nothing."""
    try:
        error = CASES[meta["case"]](text, meta)
    except DiagnosticError as found:
        return str(found).partition("\n")[0]
    return "" if error <= meta.get("tolerance", 1e-2) else f"results are off by {error:.3g}"


def body(text: str, entry: str) -> tuple[int, int]:
    """Where a kernel begins and ends in a text of several."""
    found = re.search(rf"\.entry\s+{re.escape(entry)}\b", text)
    start = found.start() if found else 0
    end = text.find(".entry", start + 6)
    return start, end if end > 0 else len(text)


def timed(path: Path) -> tuple[str, float]:
    """What is wrong with a kernel as it is, or nothing, and the seconds that it took."""
    start = time.perf_counter()
    return attempt(*kernel(path)), time.perf_counter() - start


def clean(paths: Sequence[Path], executor: Executor | Callable[[], Executor] = Here) -> int:
    """Run kernels as they are; answers how many are wrong."""
    wrong = 0
    for done in distribute(timed, paths, executor, what="kernels"):
        message, seconds = done.result() if done.error is None else (str(done.error), 0.0)
        wrong += bool(message)
        print(
            f"{'wrong' if message else 'right':6} {seconds:6.1f} s  {done.item.stem}  {message}", flush=True
        )
    print(f"{len(paths) - wrong} of {len(paths)} kernels give right results")
    return wrong


def without_each(path: Path) -> list[tuple[int, str, str]]:
    """The synchronising instructions of a right kernel: line, name, and what shows that the instruction is missing."""
    text, meta = kernel(path)
    if attempt(text, meta):
        return []
    return [
        (
            text.count("\n", 0, match.start()) + 1,
            match[1].rstrip("."),
            attempt(text[: match.start()] + "\n" + text[match.end() :], meta),
        )
        for match in SYNCHRONISING.finditer(text, *body(text, meta["entry"]))
    ]


def faulty(paths: Sequence[Path], executor: Executor | Callable[[], Executor] = Here) -> None:
    """Take synchronising instructions out of kernels that are right, and count what is told and what is not."""
    counts: dict[str, list[int]] = {}
    for done in distribute(without_each, paths, executor, what="kernels"):
        for line, word, message in done.result():
            row = counts.setdefault(word, [0, 0])
            row[0 if message else 1] += 1
            print(
                f"{'told' if message else 'silent':6} {done.item.stem}:{line}  {word}  {message}", flush=True
            )
    for word, (told, silent) in sorted(counts.items()):
        print(f"{word}: {told} told, {silent} not")
