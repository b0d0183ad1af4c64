"""Compile time: bytecode of the examples to machine code, against NVIDIA's compiler on the same bytecode.

Ours runs in a warm process and stops at an object file for this processor; ``tileiras`` is a program, so its time is
that of a process, and stops at a cubin for a GPU.  They take turns.  Nothing is cached.
"""

from __future__ import annotations

import gc
import importlib
import re
import statistics
import subprocess
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from shutil import which
from typing import Any

from tilewright import cutile
from tilewright.driver.compile import compile

EXAMPLES = Path(__file__).parent.parent / "examples"
_NOT_EXAMPLES = ("__init__", "checking", "demo")
_SYMBOL = re.compile(r"(\w+?)_Kt\d_(?:T\d)?A\d([a-z]+\d+)_")
GPU = "sm_90"
GOAL = 0.35
"""At most so much of tileiras' time, geometric mean."""


def kernels() -> dict[str, bytes]:
    """The bytecode of every kernel of the examples as the frontend writes it, by name."""
    seen: dict[str, bytes] = {}

    def launch(grid: tuple[int, ...], kernel: Any, args: Sequence[Any]) -> None:
        made = cutile.compile_to_bytecode(kernel, args)
        seen.setdefault(made.symbol, made.bytecode)

    for path in sorted(EXAMPLES.glob("*.py")):
        if path.stem not in _NOT_EXAMPLES:
            for _ in importlib.import_module(f"examples.{path.stem}").run(launch):
                pass
    return _short_names(seen)


def _short_names(by_symbol: dict[str, bytes]) -> dict[str, bytes]:
    """Kernels by function and first element type instead of by mangled symbol, numbered where that is not enough."""
    found: dict[str, bytes] = {}
    for symbol, bytecode in by_symbol.items():
        match = _SYMBOL.match(symbol)
        name = " ".join(match.groups()) if match else symbol
        same = sum(other == name or other.startswith(f"{name} #") for other in found)
        found[f"{name} #{same + 1}" if same else name] = bytecode
    return found


def tileiras() -> str | None:
    """The peer: on the PATH, or in the installed package."""
    found = which("tileiras")
    if found:
        return found
    try:
        import nvidia
    except ModuleNotFoundError:
        return None
    places = [path for place in nvidia.__path__ for path in Path(place).glob("*/bin/tileiras")]
    return str(places[0]) if places else None


def measured(rounds: int) -> Iterator[dict[str, Any]]:
    """For each kernel: seconds of both by turns, or why there are none."""
    peer = tileiras()
    for name, bytecode in kernels().items():
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "kernel.tileirbc"
            path.write_bytes(bytecode)
            yield {"kernel": name, **_compare(path, peer, rounds)}


def _compare(path: Path, peer: str | None, rounds: int) -> dict[str, Any]:
    try:
        _ours(path)  # warm
    except Exception as error:  # reported in the table
        return {"failed": f"{type(error).__name__}: {error}"}
    times: dict[str, list[float]] = {"tilewright": [], "tileiras": []}
    for _ in range(rounds):
        times["tilewright"].append(_seconds(lambda: _ours(path)))
        if peer is not None:
            times["tileiras"].append(_seconds(lambda: _theirs(peer, path)))
    return times


def _seconds(action: Callable[[], Any]) -> float:
    gc.collect()
    start = time.perf_counter()
    action()
    return time.perf_counter() - start


def _ours(path: Path) -> Any:
    return compile(path, target="cpu").asm["object"]  # a path is read each time


def _theirs(peer: str, path: Path) -> None:
    command = [peer, "-O3", "--gpu-name", GPU, str(path), "-o", str(path.with_suffix(".cubin"))]
    subprocess.run(command, check=True, capture_output=True)


def ratios(rows: Sequence[dict[str, Any]]) -> dict[str, float]:
    """Our time over tileiras', the median over rounds, by kernel."""
    return {
        row["kernel"]: statistics.median(
            a / b for a, b in zip(row["tilewright"], row["tileiras"], strict=True)
        )
        for row in rows
        if row.get("tileiras")
    }
