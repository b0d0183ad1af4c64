"""`python -m conformance.ptx vendor`: run the PTX that NVIDIA's compiler makes of the examples, and compare.

Each launch of `examples/` is compiled to bytecode as always; an installed ``tileiras`` (PyPI: ``nvidia-cuda-tileiras``)
makes a cubin of that with ``--lineinfo``, and leaves its PTX in a section of the cubin.  The simulator runs that PTX, and
its results are compared with those of the interpreter and, by the example itself, with NumPy.  Only figures are printed:
none of the text is kept.
"""

from __future__ import annotations

import argparse
import importlib
import re
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks.cpu_compile import tileiras
from tilewright.cutile import launch as cutile_launch
from tilewright.cutile.compiler import bind_arguments, compiled
from tilewright.inspect.binary.elf import ElfFile
from tilewright.inspect.cubin.view import read_cubin
from tilewright.ir.diagnostic import DiagnosticError
from tilewright.ptx.checks import read
from tilewright.ptx.model import PtxFunction
from tilewright.ptxsim import launch

EXAMPLES = Path(__file__).parents[2] / "examples"
NAMES = (
    *("vector_add", "softmax", "layer_norm", "histogram", "transpose"),
    *("matmul", "flash_attention", "convolution", "fft"),
)
BYTECODE = "13.3"
"""The version that the compiler reads."""
SOURCES = ".nv_intermediate_source_section"
"""Opens text for debuggers that stands behind the PTX and that the ISA does not have."""
HIDDEN = re.compile(r"^\.hidden\s+(?=\.param)", re.MULTILINE)
"""Marks parameters that the launcher adds to those of the program: tensor maps."""


class UnsupportedError(Exception):
    """A kernel that cannot be launched from its PTX alone."""


def ptx_of(compiler: str, bytecode: bytes, architecture: str) -> str:
    """What the compiler makes of bytecode.  Raises `UnsupportedError` with its message if it refuses."""
    with tempfile.TemporaryDirectory() as folder:
        source, cubin = Path(folder) / "kernel.tileirbc", Path(folder) / "kernel.cubin"
        source.write_bytes(bytecode)
        command = [compiler, "--lineinfo", "--gpu-name", architecture, str(source), "-o", str(cubin)]
        made = subprocess.run(command, capture_output=True, text=True, timeout=300, check=False)
        if made.returncode:
            raise UnsupportedError(f"the compiler refuses: {made.stderr.strip()[:200]}")
        text = "\n".join(read_cubin(ElfFile(np.fromfile(cubin, np.uint8), cubin.name)).ptx)
        return HIDDEN.sub("", text.partition(f"\n{SOURCES}")[0])


def threads_of(entry: PtxFunction) -> tuple[int, ...]:
    """The block that an entry must be launched with."""
    found = entry.directive("reqntid")
    if found is None:
        raise UnsupportedError("the entry does not say how many threads it has")
    return found


class Peer:
    """Launches the kernels of an example: compiled by the peer for one architecture, run by the simulator."""

    def __init__(self, compiler: str, architecture: str) -> None:
        self.compiler, self.architecture = compiler, architecture
        self.difference, self.launches, self.instructions = 0.0, 0, 0
        self.unsupported = ""

    def __call__(self, grid: tuple[int, ...], kernel: Any, args: Sequence[Any]) -> None:
        """Run a kernel both ways; its arrays get the results of the simulator."""
        before = _arrays(kernel, args)
        copies = [array.copy() for array in before]
        cutile_launch(grid, kernel, args, target="interp")
        expected = [array.copy() for array in before]
        for array, copy in zip(before, copies, strict=True):
            array[...] = copy
        try:
            self.difference = 0.0
            self.simulated(grid, kernel, args)
        except UnsupportedError as error:
            self.unsupported = str(error)
            return
        self.difference = max(map(distance, before, expected), default=0.0)
        self.launches += 1

    def simulated(self, grid: tuple[int, ...], kernel: Any, args: Sequence[Any]) -> None:
        """Run a kernel in the simulator.  Raises `UnsupportedError`."""
        parameters, binding = bind_arguments(kernel, args)
        made = compiled(kernel, parameters, binding.facts, version=BYTECODE)
        module = read(ptx_of(self.compiler, made.bytecode, self.architecture))
        entry = module.functions()[made.symbol]
        hidden = len(entry.parameters) - len(binding.flat)
        if hidden:
            raise UnsupportedError(f"{hidden} tensor maps are added by the launcher")
        report = launch(module, made.symbol, grid, threads_of(entry), binding.flat)
        self.instructions += report.thread_instructions


def _arrays(kernel: Any, args: Sequence[Any]) -> list[Any]:
    """The arrays that a launch may touch."""
    _, binding = bind_arguments(kernel, args)
    return [view.array for view in binding.memory]


def distance(found: Any, expected: Any) -> float:
    """The largest distance, relative to ``max(1, |expected|)``; of NaN and infinity equal ones have none."""
    found, expected = np.asarray(found, np.float64), np.asarray(expected, np.float64)
    same = (found == expected) | (np.isnan(found) & np.isnan(expected))
    with np.errstate(invalid="ignore"):
        apart = np.abs(found - expected) / np.maximum(1.0, np.abs(expected))
    return float(np.where(same, 0.0, apart).max(initial=0.0))


def attempt(name: str, peer: Peer) -> tuple[str, str]:
    """Run an example; answers a verdict and the reason."""
    worst = 0.0
    try:
        for result in importlib.import_module(name).run(peer):
            if peer.unsupported:
                return "skipped", peer.unsupported
            if not result.ok or not peer.difference <= result.tolerance:
                apart = f"{result.error:.3g} from NumPy, {peer.difference:.3g} from the interpreter"
                return "wrong", f"{result.kernel}: {apart}, allowed {result.tolerance:.3g}"
            worst = max(worst, peer.difference)
    except DiagnosticError as error:
        return "wrong", "\n".join(str(error).splitlines()[:2])
    figures = f"{peer.launches} launches, {peer.instructions} thread-instructions"
    return "right", f"{figures}, at most {worst:.2g} from the interpreter"


def main(arguments: Sequence[str]) -> int:
    """The command; answers 1 if a result is wrong."""
    parser = argparse.ArgumentParser(prog="python -m conformance.ptx vendor", description=__doc__)
    parser.add_argument("--only", default="", help="examples whose names contain this")
    parser.add_argument("--gpu-name", nargs="*", default=["sm_80", "sm_90"], help="architectures")
    options = parser.parse_args(arguments)
    compiler = tileiras()
    if compiler is None:
        print("skipped: there is no tileiras here (pip install nvidia-cuda-tileiras)")
        return 0
    sys.path.insert(0, str(EXAMPLES))
    counts: dict[str, dict[str, int]] = {}
    for architecture in options.gpu_name:
        for name in NAMES:
            if options.only in name:
                start = time.perf_counter()
                verdict, reason = attempt(name, Peer(compiler, architecture))
                row = counts.setdefault(architecture, {})
                row[verdict] = row.get(verdict, 0) + 1
                seconds = time.perf_counter() - start
                print(f"{verdict:7} {seconds:6.1f} s  {architecture} {name}  {reason}", flush=True)
    for architecture, row in counts.items():
        print(f"{architecture}: " + ", ".join(f"{count} {verdict}" for verdict, count in sorted(row.items())))
    return int(any("wrong" in row for row in counts.values()))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
