"""How many of the faults that people make in kernels the run-time checks detect, and how often they alarm falsely.

    PYTHONPATH=. python -m conformance.detection examples/*.py path/to/cutile-python/samples/*.py

runs programs as they stand, takes the first launch of each of their kernels, and launches it again: as it is, with
checks, and once for each fault of `conformance.planted_faults` and each place (at most ``--places``) where the fault can
be planted.  The interpreter judges: what it reports and compiled code does not is missed.  A fault that nothing reports
may still change results, as an index that is wrong but within the array does; a test that compares finds it then.
"""

from __future__ import annotations

import argparse
import runpy
import sys
import traceback
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, redirect_stdout
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

import tilewright
from conformance.planted_faults import FAULTS
from tilewright import cutile
from tilewright.cutile.compiler import bind_arguments
from tilewright.cutile.launcher import grid_extents
from tilewright.gpu_programs import Routing, Settings, routed
from tilewright.gpu_programs.launches import kernel_name
from tilewright.ir.diagnostic import DiagnosticError

CHECKS = ("memcheck", "initcheck", "racecheck", "promises")
"""Not `fpcheck`, which reports numbers and no mistakes: a softmax of -inf is right."""
JUDGE = "interp"
REPORTED, MISSED, CHANGED, HARMLESS = "reported", "missed", "changes results only", "changes nothing"


@dataclass(frozen=True)
class Launch:
    """A launch that a program made: arguments are copies from before it."""

    program: str
    kernel: Any
    grid: tuple[int, int, int]
    arguments: tuple[Any, ...]

    @property
    def name(self) -> str:
        """The kernel's name, with the program's."""
        return f"{self.program}:{kernel_name(self.kernel)}"

    @property
    def size(self) -> int:
        """Elements of all arrays times tile blocks: how much there is to interpret, roughly."""
        return sum(map(_elements, self.arguments)) + 256 * int(np.prod(self.grid))


@dataclass
class Tally:
    """What became of the faults of one kind."""

    outcomes: Counter[str] = field(default_factory=Counter[str])
    codes: Counter[str] = field(default_factory=Counter[str])


def copied(value: Any) -> Any:
    """An argument with memory of its own, laid out as before."""
    if type(value) in (tuple, list):
        return type(value)(map(copied, value))
    if isinstance(value, np.ndarray):
        return np.copy(value, order="K")
    return value.clone() if hasattr(value, "untyped_storage") else value


def _elements(value: Any) -> int:
    if type(value) in (tuple, list):
        return sum(map(_elements, value))
    size = getattr(value, "size", 0)
    return int(value.numel()) if callable(size) else int(size)


def contents(value: Any) -> Any:
    """The bytes of an argument."""
    if type(value) in (tuple, list):
        return [contents(item) for item in value]
    if isinstance(value, np.ndarray):
        return value.tobytes()
    return bytes(value.contiguous().untyped_storage()) if hasattr(value, "untyped_storage") else None


@contextmanager
def recorded(program: str, routing: Routing, launches: dict[str, Launch]) -> Iterator[None]:
    """Keep the first launch of each kernel that is launched in a ``with`` block."""
    right = routing.launches.run

    def run(grid: Any, kernel: Any, args: Sequence[Any], **options: Any) -> None:
        found = Launch(program, kernel, grid_extents(grid), tuple(map(copied, args)))
        launches.setdefault(found.name, found)
        right(grid, kernel, args, **options)

    routing.launches.run = run
    try:
        yield
    finally:
        routing.launches.run = right


def launches_of(program: Path, target: str) -> dict[str, Launch]:
    """What a program launches; a program that fails has launched something before."""
    found: dict[str, Launch] = {}
    before = sys.argv, sys.path[:]
    sys.argv, sys.path[:] = [str(program)], [str(program.resolve().parent), str(Path.cwd()), *before[1]]
    try:
        with (
            routed(Settings(target)) as routing,
            recorded(program.stem, routing, found),
            redirect_stdout(sys.stderr),
        ):
            runpy.run_path(str(program), run_name="__main__")
    except SystemExit:
        pass
    except Exception:
        traceback.print_exc()
    finally:
        sys.argv, sys.path[:] = before
    return found


class Trial:
    """One launch, again and again: with other code, and checked or not."""

    def __init__(self, launch: Launch, target: str, judged: bool) -> None:
        self._launch = launch
        self._target = target
        self._judged = judged and target != JUDGE
        self.made = cutile.compile_to_bytecode(launch.kernel, tuple(map(copied, launch.arguments)))
        self._right = self.run(self.made.bytecode, target)

    def run(self, bytecode: bytes, target: str, check: Sequence[str] = ()) -> Any:
        """The contents of all arguments afterwards, or the code of the first finding."""
        arguments = tuple(map(copied, self._launch.arguments))
        _, binding = bind_arguments(self._launch.kernel, arguments)
        memory = [view.array for view in binding.memory]
        try:
            tilewright.launch(
                bytecode,
                self.made.symbol,
                self._launch.grid,
                binding.flat,
                target=target,
                check=check,
                memory=memory,
            )
        except DiagnosticError as error:
            return error.diagnostics[0].code
        return [contents(one) for one in arguments]

    def outcome(self, bytecode: bytes) -> tuple[str, str]:
        """What becomes of faulty code, and the code of the finding, if there is one."""
        found = self.run(bytecode, self._target, CHECKS)
        if not isinstance(found, list):
            return REPORTED, str(found)
        if self._judged:
            judged = self.run(bytecode, JUDGE, CHECKS)
            if not isinstance(judged, list):
                return MISSED, str(judged)
        return (HARMLESS if found == self._right else CHANGED), ""

    def false_alarms(self) -> list[str]:
        """The codes that checks report about the code as it is."""
        targets = (self._target, JUDGE) if self._judged else (self._target,)
        found = [self.run(self.made.bytecode, target, CHECKS) for target in targets]
        return [
            f"{code} ({target})"
            for code, target in zip(found, targets, strict=True)
            if not isinstance(code, list)
        ]


def planted(source: bytes | str, fault: str, places: int) -> Iterator[bytes]:
    """Faulty forms of a kernel, at most so many, of places all over it."""
    count = len(FAULTS[fault](tilewright.Module.parse(source)))
    for number in sorted({number * count // places for number in range(places)} if count else ()):
        module = tilewright.Module.parse(source)
        FAULTS[fault](module)[number]()
        module.operation.verify()
        yield module.to_bytecode()


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command; answers 1 if a fault was missed or a right kernel accused."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("programs", nargs="+", type=Path)
    parser.add_argument("--places", type=int, default=2, help="places per kernel and fault (default: 2)")
    parser.add_argument("--interpret", type=int, default=1 << 17, help="the largest launch that is judged")
    parser.add_argument("--target", default="cpu", help="what runs kernels, checked (default: cpu)")
    options = parser.parse_args(arguments)
    tallies = {fault: Tally() for fault in FAULTS}
    alarms: dict[str, list[str]] = {}
    judged = 0
    for program in options.programs:
        for launch in launches_of(program, options.target).values():
            is_judged = launch.size <= options.interpret
            trial = Trial(launch, options.target, is_judged)
            judged += is_judged
            alarms[launch.name] = trial.false_alarms()
            print(f"{launch.name}: {launch.grid}, {alarms[launch.name] or 'no alarm'}", file=sys.stderr)
            for fault, tally in tallies.items():
                for number, bytecode in enumerate(planted(trial.made.bytecode, fault, options.places)):
                    outcome, code = trial.outcome(bytecode)
                    tally.outcomes[outcome] += 1
                    tally.codes.update([code] if code else [])
                    print(f"  {fault} {number + 1}: {outcome} {code}".rstrip(), file=sys.stderr)
    _print_report(tallies, alarms, judged)
    return int(any(alarms.values()) or any(tally.outcomes[MISSED] for tally in tallies.values()))


def _print_report(tallies: dict[str, Tally], alarms: dict[str, list[str]], judged: int) -> None:
    accused = [f"{name}: {', '.join(codes)}" for name, codes in alarms.items() if codes]
    print(
        f"Kernels: {len(alarms)}; judged by the interpreter: {judged}; accused as they are: {len(accused)}.\n"
    )
    print(*(f"- {line}" for line in accused), sep="\n", end="\n\n" if accused else "")
    columns = (REPORTED, MISSED, CHANGED, HARMLESS)
    print(f"| fault | planted | {' | '.join(columns)} | findings |")
    print("| --- " * (len(columns) + 3) + "|")
    for fault, tally in tallies.items():
        counts = " | ".join(str(tally.outcomes[column]) for column in columns)
        codes = ", ".join(f"{code} ({count})" for code, count in tally.codes.most_common())
        print(f"| {fault} | {tally.outcomes.total()} | {counts} | {codes} |")


if __name__ == "__main__":
    raise SystemExit(main())
