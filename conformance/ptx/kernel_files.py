"""The kernels of a folder: run as they are."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Sequence
from concurrent.futures import Executor
from pathlib import Path
from typing import Any

from conformance.ptx.cases import CASES
from tilewright.ir.diagnostic import DiagnosticError
from tilewright.runtime.distribution import Here, distribute


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
