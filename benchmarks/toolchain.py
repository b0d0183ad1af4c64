"""The chain of text and bytecode against NVIDIA's disassembler: ``python -m benchmarks.toolchain``.

Prints a Markdown report and writes it to ``benchmarks/results/toolchain.md``.  *Whole process* is a command from start
to end, output thrown away; commands take turns (A B C, A B C, ...), and a ratio is the median over rounds.  *In process*
is warm (the same call has run before) and in time of the processor.  The real kernels are those of ``examples`` as cuTile Python writes them; the
long program is made of copies of them, without locations (a position belongs to one kernel).  Further files may be
named on the command line.
"""

from __future__ import annotations

import argparse
import gc
import importlib.util
import os
import resource
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from benchmarks import machine, measure
from benchmarks.tables import header, line, publish, section
from tilewright.bytecode import read_bytecode, write_bytecode
from tilewright.dialects.cuda_tile.syntax.disassembly import disassemble
from tilewright.driver.startup import context
from tilewright.ir.builtin_attributes import StringAttr
from tilewright.ir.location import UNKNOWN
from tilewright.ir.operation import Operation
from tilewright.ir.text.parser import parse_module
from tilewright.ir.verifier import verify_or_raise

RESULT = Path(__file__).parent / "results" / "toolchain.md"
KERNELS = Path(__file__).parent.parent / "tests" / "bytecode" / "fixtures"
LONG = 30_000
PEER = "tileirdisasm"
_WARM_UP = 160
"""Calls on a short program until everything is made that is made after a while."""
PROCESS_GOAL, DECODE_GOAL = 2.0, 200.0


class Program(NamedTuple):
    """A file of bytecode."""

    name: str
    path: Path
    operations: int


def load(path: Path) -> Operation:
    """A module, verified."""
    return read_bytecode(path.read_bytes(), context(), name=str(path))


def program(path: Path, name: str = "") -> Program:
    """What is measured of a file."""
    return Program(name or path.name.partition("@")[0], path, operations(load(path)))


def operations(module: Operation) -> int:
    """How many operations there are."""
    return sum(1 for _ in module.walk())


def long_module(paths: Sequence[Path], size: int) -> Operation:
    """One module of about ``size`` operations: copies of all kernels, under other names."""
    modules = [load(path) for path in paths]
    kernels = [op for module in modules for op in module.regions[0].block.ops]
    once = sum(map(operations, kernels))
    body = modules[0].regions[0].block
    for op in body.ops:
        body.remove(op)
    for number in range(max(size // once, 1) * len(kernels)):
        body.append(_renamed(kernels[number % len(kernels)].clone(), f"kernel_{number}"))
    return modules[0]


def _renamed(kernel: Operation, name: str) -> Operation:
    kernel.attributes["sym_name"] = StringAttr(name)
    for op in kernel.walk():
        op.location = UNKNOWN
    return kernel


# --- whole processes


def peer_path() -> str | None:
    """NVIDIA's disassembler, from its package or the PATH."""
    spec = importlib.util.find_spec("nvidia") if "nvidia" not in sys.modules else None
    roots = list(spec.submodule_search_locations or ()) if spec else []
    found = [path for root in roots for path in sorted(Path(root).glob(f"*/bin/{PEER}"))]
    return str(found[0]) if found else shutil.which(PEER)


def commands(path: Path) -> dict[str, list[str]]:
    """The commands that take turns; an empty Python shows what no program in Python goes below."""
    own, peer = [sys.executable, "-m", "tilewright"], peer_path()
    found = {
        "tilewright disasm": [*own, "disasm", str(path)],
        "tilewright translate": [*own, "translate", str(path)],
    }
    found["python -c pass"] = [sys.executable, "-c", "pass"]
    return ({PEER: [peer, str(path)]} if peer else {}) | found


class Spent(NamedTuple):
    """Seconds of one run of a command: on the clock, and of the processor."""

    wall: float
    processor: float


def run(command: Sequence[str], environment: dict[str, str]) -> Spent:
    """Run a command to its end."""
    start, before = time.perf_counter(), resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL, env=environment)
    wall, after = time.perf_counter() - start, resource.getrusage(resource.RUSAGE_CHILDREN)
    return Spent(wall, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime)


def process_seconds(path: Path, rounds: int) -> dict[str, list[Spent]]:
    """What each command took; the first round, which fills caches, does not count."""
    environment = {key: value for key, value in os.environ.items() if key != "PYTHONDONTWRITEBYTECODE"}
    times: dict[str, list[Spent]] = {name: [] for name in commands(path)}
    for _ in range(rounds + 1):
        for name, command in commands(path).items():
            times[name].append(run(command, environment))
    return {name: spent[1:] for name, spent in times.items()}


def process_table(programs: Sequence[Program], rounds: int) -> list[str]:
    """Markdown: milliseconds from start to end, and how many times those of the peer."""
    goal = f"goal: at most {PROCESS_GOAL}x"
    cells = "ms, median", "ms of the processor, median", f"x {PEER}", f"x {PEER}, processor", goal
    lines = header("program", "ops", "command", *cells)
    for subject in programs:
        print(f"{subject.name} processes", file=sys.stderr)
        times = process_seconds(subject.path, rounds)
        for name, spent in times.items():
            wall, processor = (statistics.median(column) * 1e3 for column in zip(*spent, strict=True))
            figures = f"{wall:.1f}", f"{processor:.1f}", *_verdict(name, times)
            lines.append(line(subject.name, str(subject.operations), name, *figures))
    return lines


def _verdict(name: str, times: dict[str, list[Spent]]) -> tuple[str, str, str]:
    if PEER not in times or name == PEER:
        return "", "", ""
    columns = zip(zip(*times[PEER], strict=True), zip(*times[name], strict=True), strict=True)
    wall, processor = (1 / measure.ratio(own, peer) if min(peer) else 0 for peer, own in columns)
    met = "met" if wall <= PROCESS_GOAL else f"{wall / PROCESS_GOAL:.1f}x the limit"
    verdict = met if name.startswith("tilewright") else "the floor of Python"
    return f"{wall:.1f}", f"{processor:.1f}", verdict


# --- in process


def actions(subject: Program) -> dict[str, Callable[[], Any]]:
    """What is timed on a file, by name."""
    data, shared = subject.path.read_bytes(), context()
    module = load(subject.path)
    text = str(module)
    return {
        "decode": lambda: read_bytecode(data, shared, verify=False),
        "decode and verify": lambda: read_bytecode(data, shared),
        "verify": lambda: verify_or_raise(module),
        "print as tileirdisasm": lambda: disassemble(module),
        "print": lambda: str(module),
        "parse": lambda: parse_module(shared, text),
        "write": lambda: write_bytecode(module, verify=False),
    }


def processor_seconds(calls: dict[str, Callable[[], Any]], rounds: int) -> dict[str, list[float]]:
    """Seconds of the processor by name, by turns: on a machine that others use, too, the clock would tell of them."""
    times: dict[str, list[float]] = {name: [] for name in calls}
    for _ in range(rounds):
        for name, call in calls.items():
            gc.collect()
            start = time.process_time()
            call()
            times[name].append(time.process_time() - start)
    return times


def warm_table(programs: Sequence[Program], rounds: int) -> list[str]:
    """Markdown: thousand operations a second of every action."""
    lines = header("program", "ops", "action", "us an op", "thousand ops/s", "goal")
    for subject in programs:
        print(f"{subject.name} in process", file=sys.stderr)
        calls = actions(subject)
        for call in calls.values():
            for _ in range(_WARM_UP if subject.operations < LONG // 10 else 1):
                call()
        for name, spent in processor_seconds(calls, rounds).items():
            rate = subject.operations / statistics.median(spent) / 1e3
            cells = (
                str(subject.operations),
                name,
                f"{1e3 / rate:.2f}",
                f"{rate:.0f}",
                _decode_verdict(name, rate),
            )
            lines.append(line(subject.name, *cells))
    return lines


def _decode_verdict(name: str, rate: float) -> str:
    if name != "decode":
        return ""
    return f"{DECODE_GOAL:.0f}: {'met' if rate >= DECODE_GOAL else f'needs {DECODE_GOAL / rate:.2f}x more'}"


# --- the report


def report(programs: Sequence[Program], rounds: int) -> Iterator[str]:
    """The Markdown document, part by part as it is measured."""
    yield f"# Tool chain\n\n{__doc__ or ''}\n{machine.description()}  Rounds: {rounds}.\n"
    if peer_path() is None:
        yield f"\n{PEER} is not installed.\n"
    yield section("Whole process", process_table(programs, rounds))
    yield section("In process, warm", warm_table(programs, max(rounds // 4, 1)))


def subjects(folder: Path, named: Sequence[Path], long: int) -> list[Program]:
    """The largest real kernel (or the files named) and the long program, which is written into ``folder``."""
    kernels = sorted(KERNELS.glob("kernel.*.tileirbc"))
    largest = max(map(program, kernels), key=lambda found: found.operations)
    path = folder / "long.tileirbc"
    path.write_bytes(write_bytecode(long_module(kernels, long)))
    return [*(map(program, named) if named else [largest]), program(path, "copies of all kernels")]


def main() -> None:
    """Measure, print, write the result."""
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--quick", action="store_true", help="one round, a short program; writes no result")
    options.add_argument("--rounds", type=int, default=20)
    options.add_argument("files", nargs="*", type=Path, help="bytecode files instead of the largest example")
    arguments = options.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        long, rounds = (1_000, 1) if arguments.quick else (LONG, arguments.rounds)
        found = subjects(Path(folder), arguments.files, long)
        publish(report(found, rounds), None if arguments.quick else RESULT)


if __name__ == "__main__":
    main()
