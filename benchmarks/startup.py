"""What it takes to start: ``python -m benchmarks.startup``.

Prints a Markdown report and writes it to ``benchmarks/results/startup.md``.  All times are those of the processor, which
a busy machine changes least.  *Whole process* is a command from start to end, output thrown away; commands take turns
(A B C, A B C, ...) with an empty Python, and a ratio is the median over rounds.  *Imports* tells of each module that a
command loads what running it took, without the modules that it imports in turn: the least of all rounds, largest first.
What an empty Python loads anyway does not count.
"""

from __future__ import annotations

import argparse
import json
import os
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from benchmarks import machine, measure
from benchmarks.tables import header, line, publish, section
from benchmarks.toolchain import KERNELS, Spent, run

RESULT = Path(__file__).parent / "results" / "startup.md"
EMPTY = "python -c pass"
GOALS = {"opt, empty module": 4.0, "disasm, kernel.fft (184 ops)": 4.0}
"""How many times the processor time of an empty Python a command may take."""
SHOWN = 40
"""So many modules have a line of their own."""

TIMED_IMPORTS = """
import importlib._bootstrap as bootstrap, sys, time
clock, own, around = time.process_time_ns, {}, []
load = bootstrap._find_and_load
def timed(name, import_):
    start = clock()
    around.append(0)
    try:
        return load(name, import_)
    finally:
        spent = clock() - start
        own[name] = own.get(name, 0) + spent - around.pop()
        if around:
            around[-1] += spent
bootstrap._find_and_load = timed
sys.argv[0] = "tilewright"
try:
    from tilewright.cli.main import main
    main()
finally:
    bootstrap._find_and_load = load
    import json
    print(json.dumps({name: spent / 1e9 for name, spent in own.items() if name in sys.modules}), file=sys.stderr)
"""
"""Runs a command line and says on stderr what every import took, in seconds of the processor."""


def arguments_of(folder: Path) -> dict[str, list[str]]:
    """Command lines by name; inputs that there are not are written into ``folder``."""
    empty = folder / "empty.mlir"
    empty.write_text("module {}\n", encoding="utf-8")
    (kernel,) = KERNELS.glob("kernel.fft@*")
    return {
        "opt, empty module": ["opt", str(empty)],
        "disasm, kernel.fft (184 ops)": ["disasm", str(kernel)],
        "translate, kernel.fft (184 ops)": ["translate", str(kernel)],
        "verify, kernel.fft (184 ops)": ["verify", str(kernel)],
        "--help": ["--help"],
    }


def environment() -> dict[str, str]:
    """That of the caller, with compiled modules kept: only the first start of an installation compiles them."""
    return {key: value for key, value in os.environ.items() if key != "PYTHONDONTWRITEBYTECODE"}


def process_seconds(lines: Mapping[str, Sequence[str]], rounds: int) -> dict[str, list[Spent]]:
    """What each command, and an empty Python, took; the first round, which fills caches, does not count."""
    commands = {EMPTY: [sys.executable, "-c", "pass"]}
    commands |= {name: [sys.executable, "-m", "tilewright", *words] for name, words in lines.items()}
    times: dict[str, list[Spent]] = {name: [] for name in commands}
    for _ in range(rounds + 1):
        for name, command in commands.items():
            times[name].append(run(command, environment()))
    return {name: spent[1:] for name, spent in times.items()}


def process_table(times: Mapping[str, Sequence[Spent]]) -> list[str]:
    """Markdown: milliseconds of the processor, and how many times those of an empty Python."""
    lines = header("command", "ms, least", "ms, median", f"x {EMPTY}", "goal")
    empty = [spent.processor for spent in times[EMPTY]]
    for name, rounds in times.items():
        spent = [one.processor for one in rounds]
        ratio = 1 / measure.ratio(spent, empty)
        goal = GOALS.get(name)
        verdict = "" if goal is None else "met" if ratio <= goal else f"{ratio / goal:.2f}x the limit"
        shown = f"at most {goal:.0f}x: {verdict}" if goal else ""
        cells = f"{min(spent) * 1e3:.1f}", f"{statistics.median(spent) * 1e3:.1f}", f"{ratio:.2f}", shown
        lines.append(line(name, *cells))
    return lines


def import_seconds(words: Sequence[str], rounds: int) -> dict[str, float]:
    """What each module took that a command line loads, the least of all rounds."""
    least: dict[str, float] = {}
    for _ in range(rounds):
        command = [sys.executable, "-c", TIMED_IMPORTS, *words]
        done = subprocess.run(command, check=True, capture_output=True, text=True, env=environment())
        found: dict[str, float] = json.loads(done.stderr.splitlines()[-1])
        for name, spent in found.items():
            least[name] = min(spent, least.get(name, spent))
    return least


def import_table(spent: Mapping[str, float]) -> list[str]:
    """Markdown: the modules that took most, largest first, then what all others and what each origin took."""
    lines = header("module", "ms", "% of all imports")
    total = sum(spent.values())
    ordered = sorted(spent, key=lambda name: (-spent[name], name))
    own = [name for name in ordered if name.partition(".")[0] == "tilewright"]
    libraries = [name for name in ordered if name.partition(".")[0] != "tilewright"]
    for name in ordered[:SHOWN]:
        lines.append(_import_line(f"`{name}`", [spent[name]], total))
    rest = ordered[SHOWN:]
    for words, names in (("further modules", rest), ("of tilewright", own), ("of others", libraries)):
        lines.append(_import_line(f"{len(names)} {words}", [spent[name] for name in names], total))
    return lines


def _import_line(name: str, spent: Sequence[float], total: float) -> str:
    return line(name, f"{sum(spent) * 1e3:.2f}", f"{100 * sum(spent) / total:.1f}")


def report(folder: Path, rounds: int) -> Iterator[str]:
    """The Markdown document, part by part as it is measured."""
    lines = arguments_of(folder)
    yield f"# Start-up\n\n{__doc__ or ''}\n{machine.description()}  Rounds: {rounds}.\n"
    yield section("Whole process", process_table(process_seconds(lines, rounds)))
    for name in GOALS:
        yield section(f"Imports of {name}", import_table(import_seconds(lines[name], rounds)))


def main() -> None:
    """Measure, print, write the result."""
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--quick", action="store_true", help="one round; writes no result")
    options.add_argument("--rounds", type=int, default=20)
    arguments = options.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        rounds = 1 if arguments.quick else arguments.rounds
        publish(report(Path(folder), rounds), None if arguments.quick else RESULT)


if __name__ == "__main__":
    main()
