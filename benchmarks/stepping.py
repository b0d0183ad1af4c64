"""The processor time of each step of the debugger in kernels with tiles of 64 x 64 elements.

    python -m benchmarks.stepping

steps by `n` and by `s` through the first tile block of `matmul` and `attention` of ``examples``, and shows all names by
`vars` at each step. It prints the number of the commands, and their median and largest processor time in milliseconds.
"""

from __future__ import annotations

import io
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from importlib import import_module
from pathlib import Path
from typing import Any

import numpy as np

from tilewright.cutile.launcher import run
from tilewright.debugger.console import Console
from tilewright.debugger.session import QuitDebuggerError, Session
from tilewright.driver.debugging import attached

EXAMPLES = Path(__file__).parents[1] / "examples"
STEPS = 60
"""The number of steps in a kernel."""


class _Typed(io.StringIO):
    """Commands for the debugger; it keeps the processor time at which each was read."""

    def __init__(self, commands: list[str]) -> None:
        super().__init__("".join(f"{one}\n" for one in commands))
        self.times: list[float] = []

    def readline(self, size: int | None = -1, /) -> str:
        self.times.append(time.process_time())
        return super().readline()


def normal(*shape: int) -> Any:
    return np.random.default_rng(0).standard_normal(shape).astype(np.float32)


def launches() -> Iterator[tuple[str, Callable[[], object]]]:
    """Yield launches of kernels with tiles of 64 x 64 elements, with their names."""
    sys.path.insert(0, str(EXAMPLES))
    matmul, attention = import_module("matmul").matmul, import_module("flash_attention").attention
    a, b, c = normal(128, 256), normal(256, 128), np.zeros((128, 128), np.float32)
    yield "matmul", lambda: run((4,), matmul, (a, b, c, 64, 64, 64), target="interp", check="")
    q, k, v = (normal(1, 1, 256, 64) for _ in range(3))
    out = np.zeros_like(q)
    given = (q, k, v, out, 0.125, 1, False, 64, 64, 64)
    yield "attention", lambda: run((4, 1), attention, given, target="interp", check="")


def stepped(launch: Callable[[], object], commands: list[str]) -> list[float]:
    """Return the processor time of each command in a debugged launch, in milliseconds."""
    typed = _Typed([*commands, "q"])
    session = Session(Console(typed, io.StringIO()), blocks=[(0, 0, 0)])
    with attached(session), suppress(QuitDebuggerError):
        launch()
    return [1e3 * (after - before) for before, after in zip(typed.times, typed.times[1:], strict=False)]


def main() -> int:
    """Print a line for each kernel."""
    for name, launch in launches():
        launch()  # compiles the kernel
        shown = stepped(launch, ["s", "vars"] * STEPS)
        plain = [stepped(launch, [command] * STEPS) for command in ("n", "s")]
        for words, found in (("n", plain[0]), ("s", plain[1]), ("vars", shown[1::2])):
            print(
                f"{name}: {len(found)} x {words}: median {np.median(found):.1f} ms, largest {max(found):.1f} ms"
            )
    return 0


if __name__ == "__main__":
    sys.exit(main())
