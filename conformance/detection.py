"""How many of the faults that people make in kernels the run-time checks detect, and how often they alarm falsely.

    PYTHONPATH=. python -m conformance.detection examples/*.py path/to/cutile-python/test/test_atomic.py

runs programs as they stand, takes the first launch of each of their kernels, and launches it again: as it is, with
checks, and once for each fault of `conformance.planted_faults` and each place (at most ``--places``) where the fault can
be planted.  The interpreter judges: what it reports and compiled code does not is missed.  A fault that nothing reports
may still change results, as an index that is wrong but within the array does; a test that compares finds it then.

A program is a Python file, or a test as pytest names it: ``test_atomic.py``, ``test_atomic.py::test_cas``.  Each is work
of its own for any executor (`survey`).
"""

from __future__ import annotations

import argparse
import runpy
import sys
import traceback
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import Executor
from contextlib import contextmanager, redirect_stdout
from dataclasses import astuple, dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import tilewright
from conformance.planted_faults import FAULTS
from tilewright import cutile
from tilewright.cli.batch import add_batch_options, executor_for
from tilewright.cli.progress import shown_progress
from tilewright.cutile.compiler import bind_arguments
from tilewright.cutile.launcher import grid_extents
from tilewright.driver.mistakes.error import FrontendError
from tilewright.gpu_programs import ProgramSettings, Routing, routed
from tilewright.gpu_programs.launches import kernel_name
from tilewright.ir.diagnostic import DiagnosticError
from tilewright.runtime.distribution import Done, Here, ResultsFile, distribute

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
        function = getattr(getattr(self.kernel, "_annotated_function", None), "pyfunc", None)
        return f"{self.program}:{getattr(function, '__qualname__', kernel_name(self.kernel))}"

    @property
    def size(self) -> int:
        """Elements of all arrays times tile blocks: how much there is to interpret, roughly."""
        return sum(map(_elements, self.arguments)) + 256 * int(np.prod(self.grid))


@dataclass(frozen=True, slots=True)
class Program:
    """A program whose kernels get faults."""

    name: str
    """The path of a file, or pytest's name of a test."""
    target: str = "cpu"
    places: int = 2
    """At most so many per kernel and fault."""
    interpreted: int = 1 << 17
    """The `Launch.size` of the largest launch that is judged."""

    def __str__(self) -> str:
        return self.name


@dataclass(frozen=True, slots=True)
class Tried:
    """What became of a kernel and of the faults in it."""

    kernel: str
    is_judged: bool
    alarms: tuple[str, ...]
    """The codes that checks report about the kernel as it is."""
    faults: tuple[tuple[str, str, str], ...]
    """The fault, what became of it, and the code of the finding."""


@dataclass
class Tally:
    """What became of the faults of one kind."""

    kernels: int = 0
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
    if not hasattr(value, "untyped_storage"):
        return None
    elements = value.detach().contiguous().reshape(-1)
    found: bytes = elements.view(sys.modules["torch"].uint8).numpy().tobytes()
    return found


@contextmanager
def recorded(program: str, routing: Routing, launches: dict[str, Launch]) -> Iterator[None]:
    """Keep the first launch of each kernel that is launched in a ``with`` block, and not refused by cuTile."""
    right = routing.launches.run

    def run(grid: Any, kernel: Any, args: Sequence[Any], **options: Any) -> None:
        found = Launch(program, kernel, grid_extents(grid), tuple(map(copied, args)))
        try:
            right(grid, kernel, args, **options)
        except FrontendError:
            raise
        except DiagnosticError:
            launches.setdefault(found.name, found)
            raise
        launches.setdefault(found.name, found)

    routing.launches.run = run
    try:
        yield
    finally:
        routing.launches.run = right


def launches_of(program: str, target: str) -> dict[str, Launch]:
    """What a program launches; a program that fails has launched something before."""
    found: dict[str, Launch] = {}
    path = Path(program.partition("::")[0])
    before = sys.argv, sys.path[:]
    sys.argv, sys.path[:] = [str(path)], [str(path.resolve().parent), str(Path.cwd()), *before[1]]
    try:
        with (
            routed(ProgramSettings(target)) as routing,
            recorded(path.stem, routing, found),
            redirect_stdout(sys.stderr),
        ):
            _run(program, path)
    except SystemExit:
        pass
    except Exception:
        traceback.print_exc()
    finally:
        sys.argv, sys.path[:] = before
    return found


def _run(program: str, path: Path) -> None:
    if "::" in program or path.name.startswith("test_"):
        pytest.main(["-q", "-p", "no:cacheprovider", program])
    else:
        runpy.run_path(str(path), run_name="__main__")


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
        """The codes that checks report about the code as it is: false alarms, unless it is wrong itself."""
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


def tried(program: Program) -> list[Tried]:
    """Plant faults into all kernels of a program."""
    launches = launches_of(program.name, program.target).values()
    return [_tried(launch, program) for launch in launches]


def _tried(launch: Launch, program: Program) -> Tried:
    is_judged = launch.size <= program.interpreted
    trial = Trial(launch, program.target, is_judged)
    alarms = tuple(trial.false_alarms())
    faults = tuple(
        (fault, *trial.outcome(bytecode))
        for fault in (
            () if alarms else FAULTS
        )  # whatever is planted into an accused kernel, it stays accused
        for bytecode in planted(trial.made.bytecode, fault, program.places)
    )
    return Tried(f"{launch.name}: {launch.grid}", is_judged, alarms, faults)


def survey(
    programs: Iterable[Program],
    executor: Executor | Callable[[], Executor] = Here,
    results: ResultsFile[Program, list[Tried]] | None = None,
) -> Iterator[Done[Program, list[Tried]]]:
    """`tried` for each program on an executor, in order."""
    return distribute(tried, programs, executor, results=results, what="programs")


def kept_in(path: Path) -> ResultsFile[Program, list[Tried]]:
    """The file of a run that can be resumed."""

    def decoded(value: Any) -> list[Tried]:
        return [
            Tried(kernel, is_judged, tuple(alarms), tuple(tuple(fault) for fault in faults))
            for kernel, is_judged, alarms, faults in value
        ]

    return ResultsFile(
        path, "planted faults", key=repr, encode=lambda found: [astuple(one) for one in found], decode=decoded
    )


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command; answers 1 if a fault was missed, a right kernel accused, or a program not done."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("programs", nargs="+")
    parser.add_argument("--places", type=int, default=2, help="places per kernel and fault (default: 2)")
    parser.add_argument("--interpret", type=int, default=1 << 17, help="the largest launch that is judged")
    parser.add_argument("--target", default="cpu", help="what runs kernels, checked (default: cpu)")
    add_batch_options(parser)
    parser.add_argument("--results", type=Path, help="a file with what is done: a run that was ended goes on")
    given = parser.parse_args(arguments)
    programs = [Program(name, given.target, given.places, given.interpret) for name in given.programs]
    results = kept_in(given.results) if given.results else None
    kernels: list[Tried] = []
    failed = 0
    with shown_progress():
        for done in survey(programs, executor_for(len(programs), given.jobs, given.executor), results):
            failed += done.error is not None
            found = [] if done.error else done.result()
            _print_kernels(found)
            kernels += found
            if done.error:
                print(f"{done.item}: {done.error}", file=sys.stderr)
    tallies = tallied(kernels)
    _print_report(tallies, kernels)
    is_wrong = any(one.alarms for one in kernels) or any(tally.outcomes[MISSED] for tally in tallies.values())
    return int(is_wrong or failed > 0)


def tallied(kernels: Iterable[Tried]) -> dict[str, Tally]:
    """What became of the faults, by kind."""
    tallies = {fault: Tally() for fault in FAULTS}
    for kernel in kernels:
        for fault in {fault for fault, _, _ in kernel.faults}:
            tallies[fault].kernels += 1
        for fault, outcome, code in kernel.faults:
            tallies[fault].outcomes[outcome] += 1
            tallies[fault].codes.update([code] if code else [])
    return tallies


def _print_kernels(kernels: Iterable[Tried]) -> None:
    for kernel in kernels:
        print(f"{kernel.kernel}, {', '.join(kernel.alarms) or 'no alarm'}", file=sys.stderr)
        numbers: Counter[str] = Counter()
        for fault, outcome, code in kernel.faults:
            numbers[fault] += 1
            print(f"  {fault} {numbers[fault]}: {outcome} {code}".rstrip(), file=sys.stderr)


def _print_report(tallies: dict[str, Tally], kernels: Sequence[Tried]) -> None:
    accused = [f"{one.kernel}: {', '.join(one.alarms)}" for one in kernels if one.alarms]
    judged = sum(one.is_judged for one in kernels)
    print(
        f"Kernels: {len(kernels)}; judged by the interpreter: {judged}; accused as they are: {len(accused)}.\n"
    )
    print(*(f"- {line}" for line in accused), sep="\n", end="\n\n" if accused else "")
    columns = (REPORTED, MISSED, CHANGED, HARMLESS)
    print(f"| fault | kernels | planted | {' | '.join(columns)} | findings |")
    print("| --- " * (len(columns) + 4) + "|")
    for fault, tally in tallies.items():
        counts = " | ".join(str(tally.outcomes[column]) for column in columns)
        codes = ", ".join(f"{code} ({count})" for code, count in tally.codes.most_common())
        print(f"| {fault} | {tally.kernels} | {tally.outcomes.total()} | {counts} | {codes} |")


if __name__ == "__main__":
    raise SystemExit(main())
