"""The page of a file with a kernel, or of a Python program whose launches are collected while it runs."""

from __future__ import annotations

import errno
import os
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from tilewright.cpp.options import CppOptions, is_cpp
from tilewright.driver.reading import file_bytes
from tilewright.driver.repeatable import LaunchedKernel
from tilewright.explorer import codes, collect, problems as explorer_problems, stages as explorer_stages
from tilewright.explorer.places import SourcePositions
from tilewright.explorer.schema import Kernel, Page, StageRecord
from tilewright.explorer.texts import of_assembly
from tilewright.gpu_programs import routing as gpu_programs_routing, settings as gpu_programs_settings
from tilewright.gpu_programs.script import exit_status, run_in_place
from tilewright.ir.diagnostic import DiagnosticError, failure
from tilewright.runtime.findings.record import recording

MOST_KERNELS = 12
"""The maximum number of kernels on the page of a program.

Further kernels run, and are left out of the page.
"""


class Collector:
    """Runs the launches of a program, and keeps the first launch of each kernel, up to `MOST_KERNELS`
    kernels, for a page; `finish` adds them to the page.
    """

    def __init__(self, page: Page, target: str, say: Callable[[str], object] = lambda text: None) -> None:
        """Prepare to collect launches, which run on `target`, for ``page``. ``say`` is called with the name
        of each step.
        """
        self._target = target
        self._page = page
        self._say = say
        self.places = SourcePositions(page)
        self._launches: dict[tuple[Any, str], tuple[LaunchedKernel, collect.KernelOutcome]] = {}

    def launch(self, launched: LaunchedKernel, target: str, check: Sequence[str] = ()) -> object:
        """Run a kernel as `tilewright.launch` does, and return its result. The first launch of a kernel runs
        under all checks instead of `check`, for the page, and returns None.

        At most `MOST_KERNELS` kernels are kept for the page. Raises the `DiagnosticError` of the launch.
        """
        key = launched.bytecode, launched.entry
        if key in self._launches or len(self._launches) == MOST_KERNELS:
            try:
                return launched.run(target, check)
            except DiagnosticError as error:
                self._add_findings(key, error)
                raise
        number = len(self._launches) + 1

        def say(name: str, step: str) -> None:
            self._say(f"kernel {number}, '{name}': {step}")

        outcome = collect.run(launched, target, self.places, self._page.command, say)
        self._launches[key] = launched, outcome
        if outcome.raised is not None:
            raise outcome.raised
        return None

    def _add_findings(self, key: tuple[Any, str], error: DiagnosticError) -> None:
        """Add the findings of a later launch to the page, without those that the first launch has at the same
        locations.
        """
        if key in self._launches:
            known = self._launches[key][1].findings
            found = [collect.finding(one, self.places) for one in error.diagnostics]
            places = {(one.code, one.place) for one in known}
            known += [one for one in found if (one.code, one.place) not in places]

    def finish(self) -> None:
        """Compile the kernels that were launched, and add them to the page."""
        for number, (launched, outcome) in enumerate(self._launches.values(), 1):
            self._say(f"compiling kernel {number} of {len(self._launches)}, '{outcome.name}'")
            made = collect.kernel(launched.bytecode, launched.entry, self._target, self.places, outcome)
            if launched.ttir:
                made.stages.insert(0, explorer_stages.of_triton(launched.ttir, self.places))
            self._page.kernels.append(made)


def of_script(
    script: str,
    arguments: Sequence[str],
    settings: gpu_programs_settings.ProgramSettings,
    command: str,
    say: Callable[[str], object] = lambda text: None,
) -> tuple[Page, int]:
    """Return the page of the kernels that a Python program launches, and the program's exit status.

    A status of 0 becomes 1 if launches had findings, even if the program catches the exception. The exception
    that ends a program is on the page as well. ``say`` is called with the name of each step. Raises
    `DiagnosticError` if there is no such file.
    """
    page = Page(Path(script).name, command)
    collector, problems = Collector(page, settings.target, say), explorer_problems.ProgramProblems(script)
    if Path(script).is_file():  # else it is refused
        say(f"running {script}")
    with gpu_programs_routing.routed(settings) as routing, recording() as record:
        routing.launches.engine = collector.launch
        status = exit_status(lambda: run_in_place(script, arguments, settings, problems.store))
        record.gather()
    collector.finish()
    problems.put(page, collector.places, status)
    return page, status or int(bool(record.findings))


def of_file(file: Path, target: str, command: str, cpp: CppOptions | None = None) -> Page:
    """Return the page of a file of Tile IR, bytecode or text, of CUDA C++ or of PTX. Its kernels are compiled
    for ``target`` but not run; PTX is shown as it is. ``command`` is the command line that the page shows,
    and ``cpp`` are the options for CUDA C++. Raises `DiagnosticError` if there is no such file, or it is not
    valid.
    """
    if not file.is_file():
        hint = "name a Python program, a module of Tile IR, or PTX"
        missing = FileNotFoundError(errno.ENOENT, os.strerror(errno.ENOENT), str(file))
        raise failure(codes.NOTHING_TO_EXPLORE, f"there is no file '{file}'", hint=hint) from missing
    page = Page(file.name, command)
    places = SourcePositions(page)
    if file.suffix == ".ptx":
        text, found = of_assembly(file.read_text(encoding="utf-8", errors="replace"), places)
        stage = StageRecord("ptx", "PTX, as it was given", "ptx", text, found)
        page.kernels.append(Kernel(file.stem, "ptx", stages=[stage]))
    else:
        source = file_bytes(file, cpp) if is_cpp(file.name) else file
        page.kernels.append(collect.kernel(source, file.stem, target, places, collect.KernelOutcome()))
    return page
