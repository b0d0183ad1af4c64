"""The findings of `tilewright run`: printed at once to stderr, or written at the end in forms for other
programs.
"""

from __future__ import annotations

import atexit
import json
import os
import sys
import time
from collections import Counter
from collections.abc import Generator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from functools import partial
from typing import IO, TYPE_CHECKING, Any

from tilewright.cli.kept_runs import ProgramCommand, keep
from tilewright.ir.diagnostic import Diagnostic, DiagnosticError, render
from tilewright.ir.support.record import Record
from tilewright.runtime.findings.record import FindingRecord, key_of, recording
from tilewright.runtime.last_runs import RUN

if TYPE_CHECKING:
    from tilewright.cli import report_shapes as shapes
    from tilewright.gpu_programs import ProgramSettings

TEXT, JSON, SARIF, GITHUB = FORMS = ("text", "json", "sarif", "github")
"""The forms of findings; text goes to stderr."""


class Wanted(Record, frozen=True):
    """How findings are reported: the format (``form``: text, json, sarif or github), the path of a SARIF file
    (``sarif``; empty: none), and whether the first finding ends the program.
    """

    form: str = TEXT
    sarif: str = ""
    stop_at_first: bool = False


@contextmanager
def reported(
    program: ProgramCommand, settings: ProgramSettings, wanted: Wanted, *, lasting: bool = False
) -> Generator[FindingRecord]:
    """Yield a record of the findings of launches in a ``with`` block, in which a program runs; report them as
    `wanted` says, as text at once, otherwise at the end of the block. ``lasting`` is for a process that ends
    with the program: functions of `atexit` may have findings, too.
    """
    stream = sys.stderr

    def told(found: Diagnostic) -> None:
        sys.stdout.flush()
        _write(stream, f"{render(found)}\n")

    begin = time.perf_counter()
    goes_on = bool(settings.checks) and not wanted.stop_at_first
    with ExitStack() as stack:
        record = stack.enter_context(recording(told if wanted.form == TEXT else None, goes_on=goes_on))
        late = _LateFindings(record)
        if lasting:  # before the program registers functions, so it is called behind them
            atexit.register(late)
        try:
            yield record
        finally:
            record.gather()
            late.known = len(record.findings)
            _report(program, record, settings, wanted, time.perf_counter() - begin)
            if lasting:
                late.open = stack.pop_all()


class _LateFindings:
    """A function for `atexit`: it ends the process with status 1 if findings came after the report.

    They are printed when they are made. ``known`` is the number of findings in the report.
    """

    def __init__(self, record: FindingRecord) -> None:
        self._record = record
        self.known = 0
        self.open: ExitStack | None = None
        """The context that keeps the record open; it is never closed, because the process ends before."""

    def __call__(self) -> None:
        self._record.gather()
        if not self.known < len(self._record.findings):
            return
        sys.stdout.flush()
        sys.stderr.flush()
        # Python has fixed another status, and no function that is called later can change it.
        os._exit(1)


def _report(
    program: ProgramCommand, record: FindingRecord, settings: ProgramSettings, wanted: Wanted, seconds: float
) -> None:
    """Write the report at the end of a program, in the form that `wanted` selects. As text: to stderr,
    warnings of comments that ignore nothing, and with checks a summary of launches and findings; the findings
    themselves were printed at once. In other forms: to stdout, with all findings. A SARIF file is also
    written if `wanted` names one; ``seconds`` is the run time of the program. Editors read the last report.
    """
    sys.stdout.flush()
    about: dict[str, Any] = {
        "kernels": record.launches,
        "repeats": [record.repeats[key_of(one)] for one in record.findings],
    }
    unused = record.unused_ignores()
    for one in unused if wanted.form == TEXT else ():
        _write(sys.stderr, f"{render(one)}\n")
    findings, times = [*record.findings, *unused], {"program": seconds}
    show(program.name, findings, wanted, times, **about)
    keep(
        RUN, program, seconds, partial(_object, findings, times, (), about), settings.target, settings.checks
    )
    if settings.checks and wanted.form == TEXT:
        for line in _summary(record, settings, seconds):
            _write(sys.stderr, f"{line}\n")


def _summary(record: FindingRecord, settings: ProgramSettings, seconds: float) -> Generator[str]:
    repeats = sum(record.repeats.values())
    if repeats:
        yield f"note: {counted(repeats, 'finding')} at the same places as before not shown"
    if not record.launches:
        yield "warning: no kernel was launched with checks, so nothing was checked"
    yield f"tilewright: {headline(record.launches, len(record.findings), settings)}, {seconds:.2f} s"


@contextmanager
def kept(file: str, target: str, checks: Sequence[str]) -> Generator[None]:
    """Record the run of a kernel of `file`, which a ``with`` block makes on `target` with `checks`, for
    editors: its time, and its findings if it ends with `DiagnosticError`, which is raised again.
    """
    begin, findings = time.perf_counter(), list[Diagnostic]()
    try:
        yield
    except DiagnosticError as error:
        findings = error.diagnostics
        raise
    finally:
        seconds = time.perf_counter() - begin
        report = partial(_object, findings, {"launch": seconds}, (), {})
        keep(RUN, ProgramCommand(file, sys.argv[2:]), seconds, report, target, checks)


def headline(launches: Mapping[str, float], findings: int, settings: ProgramSettings) -> str:
    """Return a line such as ``2 kernels, 5 launches, 1 finding (target cpu, memcheck)``. ``launches`` has the
    number of launches of each kernel.
    """
    checks = ", ".join(settings.checks) or "no checks"
    counts = [
        counted(len(launches), "kernel"),
        counted(int(sum(launches.values())), "launch", "launches"),
        counted(findings, "finding"),
    ]
    return f"{', '.join(counts)} (target {settings.target}, {checks})"


def counted(count: int, one: str, many: str = "") -> str:
    """Return a number with its noun, such as `2 files`. ``many`` is the plural of `one`; empty: `one` with an
    s.
    """
    return f"{count} {one if count == 1 else many or one + 's'}"


def show(
    name: str,
    findings: Sequence[Diagnostic],
    wanted: Wanted,
    seconds: Mapping[str, float],
    results: Sequence[Any] = (),
    **more: Any,
) -> None:
    """Write findings about an input called ``name``: to stdout in the selected format, unless it is text, and
    to the SARIF file, if there is one. ``seconds``, ``results`` and ``more`` (``kernels`` and ``repeats``)
    are for JSON only.
    """
    if wanted.form == JSON:
        print(json.dumps(_object(findings, seconds, results, more), indent=2))
    elif wanted.form != TEXT:
        from tilewright.cli.diagnostic_formats import shown_as

        for line in shown_as(wanted.form, name, findings):
            print(line)
    if wanted.sarif:
        _write_sarif(wanted.sarif, name, findings)


def _object(
    findings: Sequence[Diagnostic],
    seconds: Mapping[str, float],
    results: Sequence[Any],
    more: Mapping[str, Any],
) -> shapes.Run:
    """Return the report of a run as JSON. ``more`` may have ``kernels``, the number of launches by kernel,
    and ``repeats``, a number for each finding.
    """
    from tilewright.cli.diagnostic_formats import SCHEMA_VERSION, diagnostic_object
    from tilewright.driver.verification import VerificationFinding

    found = [diagnostic_object(VerificationFinding(one)) for one in findings]
    repeats: Sequence[int] = more.get("repeats", ())
    for one, count in zip(found, repeats, strict=False):
        one["repeats"] = count
    kernels: Counter[str] | None = more.get("kernels")
    made: shapes.Run = {
        "schema": SCHEMA_VERSION,
        "findings": found,
        "seconds": dict(seconds),
        "results": list(results),
    }
    if kernels is not None:
        made["kernels"] = dict(kernels)
    return made


def _write_sarif(file: str, name: str, findings: Sequence[Diagnostic]) -> None:
    from tilewright.cli.diagnostic_formats import shown_as

    with open(file, "w", encoding="utf-8") as written:
        written.writelines(f"{line}\n" for line in shown_as(SARIF, name, findings))


def _write(stream: IO[str], text: str) -> None:
    """Write a text by one call, since several threads and processes may write at a time."""
    stream.write(text)
    stream.flush()
