"""The record of findings: launches append to it when they find something, and whoever runs a program reads it.

What a program does with the exception of a launch changes nothing: the record has the finding, whether it was made on
the main thread, on another one or in a forked process.  Without an open record the exception is all there is.
"""

from __future__ import annotations

import os
import sys
from collections import Counter
from collections.abc import Callable, Generator, Hashable
from contextlib import contextmanager
from typing import Any

from tilewright.ir.attribute import Location
from tilewright.ir.diagnostic import Diagnostic, DiagnosticError
from tilewright.ir.location import FileLineColLocation
from tilewright.ir.support import ignores, locks
from tilewright.runtime.findings import ignores as findings_ignores, spool as findings_spool

VARIABLE = "TILEWRIGHT_FINDINGS"
"""The environment variable that tells processes which a program starts of the program's record."""
_GOES_ON, _STOPS = "go-on", "stop"
_NOT_THE_PROGRAMS = frozenset({"tilewright", "triton", "cuda", "contextlib", "runpy", "threading"})
"""Packages whose frames are between a launch and the line of the program that made it."""
NOT_IGNORED = "the comment at this line does not help: the kernel's behaviour after the finding is undefined"
"""The hint at a finding that the program ignores, although the launch cannot continue after it."""
Hearer = Callable[[Diagnostic], object]


class FindingRecord:
    """The findings of launches while it is open.

    - ``findings``: the findings in the order in which they were made; equal findings at one position are
    stored once.

    - ``repeats``: the numbers of further equal findings, by `key_of`.

    - ``launches``: the number of launches with checks, by the name of the kernel.

    - ``ignores``: the comments that suppressed findings, and the kernels that could have such comments.

    ``told`` is called for each stored finding, in the process that made it. With ``goes_on`` a launch with
    findings returns as though it had succeeded; otherwise it raises `DiagnosticError`.
    """

    def __init__(
        self, told: Hearer | None = None, *, goes_on: bool = False, spool: findings_spool.Spool | None = None
    ) -> None:
        self.goes_on = goes_on
        self.findings: list[Diagnostic] = []
        self.repeats: Counter[Hashable] = Counter()
        self.launches: Counter[str] = Counter()
        self.ignores = findings_ignores.Ignores()
        self._told = told
        self._spool = findings_spool.Spool.new() if spool is None else spool
        self._owner = os.getpid() if spool is None else 0
        self._lock = locks.reentrant_lock()

    @property
    def address(self) -> str:
        """The value of the environment variable `VARIABLE` for child processes."""
        return f"{_GOES_ON if self.goes_on else _STOPS}:{self._spool.path}"

    def add(self, diagnostic: Diagnostic) -> None:
        """Add a finding to the record."""
        with self._lock:
            is_new = self._keep(diagnostic)
            if is_new and self._told is not None:
                self._told(diagnostic)
            if self._owner not in (-1, os.getpid()):
                self._spool.append((diagnostic, self._told is not None))

    def count(self, kernel: str) -> None:
        """Count a launch with checks."""
        with self._lock:
            self.launches[kernel] += 1
            if self._owner not in (-1, os.getpid()):
                self._spool.append(kernel)

    def take_ignore(self, entry: findings_ignores.LaunchedLines | ignores.Ignore) -> None:
        """Record a launch's lines, or the use of an ignore."""
        with self._lock:
            if self.ignores.take(entry) and self._owner not in (-1, os.getpid()):
                self._spool.append(entry)

    def unused_ignores(self) -> list[Diagnostic]:
        """Return a warning about each comment that ignores findings, but has suppressed none."""
        self.gather()
        return [findings_ignores.warning(one) for one in self.ignores.unused()]

    def has(self, error: BaseException) -> bool:
        """Return whether all findings of an exception are in the record."""
        self.gather()
        known = {key_of(one) for one in self.findings}
        return isinstance(error, DiagnosticError) and {key_of(one) for one in error.diagnostics} <= known

    def gather(self) -> None:
        """Read the findings that other processes have written."""
        with self._lock:
            for entry in self._spool.entries() if os.getpid() == self._owner else ():
                if isinstance(entry, str):
                    self.launches[entry] += 1
                    continue
                if isinstance(entry, findings_ignores.LaunchedLines | ignores.Ignore):
                    self.ignores.take(entry)
                    continue
                diagnostic, was_told = entry
                if self._keep(diagnostic) and not was_told and self._told is not None:
                    self._told(diagnostic)

    def take(self) -> list[Diagnostic]:
        """Return the findings so far, which the record forgets."""
        self.gather()
        with self._lock:
            taken, self.findings = self.findings, []
            self.repeats.clear()
            return taken

    def close(self) -> None:
        """Gather the remaining findings, and remove the file."""
        self.gather()
        with self._lock:
            self._owner = -1  # no process writes to it any more
            self._spool.close()

    def _keep(self, diagnostic: Diagnostic) -> bool:
        """Keep a finding; return whether it is the first of its kind."""
        key = key_of(diagnostic)
        if any(key_of(one) == key for one in self.findings):
            self.repeats[key] += 1
            return False
        self.findings.append(diagnostic)
        if diagnostic.location.source is not None:
            self.ignores.stopped.add(diagnostic.location.source[:2])
        return True


def key_of(diagnostic: Diagnostic) -> Hashable:
    """Return the key of findings of one kind at one source position; without a position it has their text."""
    location = diagnostic.location
    place = (location.source, *(caller.source for caller in location.callers))
    return str(diagnostic.code), place if location.source else diagnostic.message


_open: list[FindingRecord] = []
"""The records of this process. The innermost one receives findings; the code that opens it passes them on."""


@contextmanager
def recording(told: Hearer | None = None, *, goes_on: bool = False) -> Generator[FindingRecord]:
    """Record the findings of launches of this process, and of processes forked from it, during a ``with``
    block. ``told`` is called for each new finding. With ``goes_on`` a launch with findings returns as if it
    had succeeded; otherwise it raises `DiagnosticError`.
    """
    record = FindingRecord(told, goes_on=goes_on)
    before = os.environ.get(VARIABLE)
    os.environ[VARIABLE] = record.address
    _open.append(record)
    try:
        yield record
    finally:
        _open.remove(record)
        os.environ.pop(VARIABLE, None)
        if before is not None:
            os.environ[VARIABLE] = before
        record.close()


def inherit() -> None:
    """Send findings to the record of the program that started this process, if there is one, until the
    process ends.
    """
    record = inherited()
    if record is not None:
        _open.append(record)


def inherited() -> FindingRecord | None:
    """Return the record of the program that started this process, which is not opened."""
    mode, _, path = os.environ.get(VARIABLE, "").partition(":")
    spool = findings_spool.Spool.at(path) if path else None
    return None if spool is None else FindingRecord(goes_on=mode == _GOES_ON, spool=spool)


def begin_launch(kernel: str, launched: Callable[[], findings_ignores.LaunchedLines]) -> None:
    """Count a launch with checks in the innermost record. ``launched`` returns the lines and codes of its
    checks.
    """
    for record in _open[-1:]:
        record.count(kernel)
        record.take_ignore(launched())


def _hear(ignore: ignores.Ignore) -> None:
    """Record the use of an ignore in the innermost record."""
    for record in _open[-1:]:
        record.take_ignore(ignore)


ignores.HEARERS.append(_hear)


def tell(error: DiagnosticError, *, is_safe: bool = True) -> None:
    """Add the findings in `error` to the innermost record, if there is one, and raise `error`.

    If the record was opened with ``goes_on``, return instead, unless `is_safe` is False: then other tile
    blocks might never finish.
    """
    record = _open[-1] if _open else None
    goes_on = is_safe and record is not None and record.goes_on
    if goes_on:
        _note_launch(error)
    for diagnostic in error.diagnostics:
        if diagnostic.code is not None and ignores.is_ignored(diagnostic.code, diagnostic.location):
            diagnostic.hint(NOT_IGNORED)
        if record is not None:
            record.add(diagnostic)
    if not goes_on:
        raise error


def launch_place() -> Location | None:
    """Return the line of the program that made the current launch; None if there is no such line."""
    system: Any = sys  # `inspect` would be loaded for nothing else
    frame: Any = system._getframe(1)
    while frame is not None and _package_of(frame) in _NOT_THE_PROGRAMS:
        frame = frame.f_back
    if frame is None:
        return None
    columns = (place[2] for at, place in enumerate(frame.f_code.co_positions()) if 2 * at == frame.f_lasti)
    return FileLineColLocation.at(frame.f_code.co_filename, frame.f_lineno, 1 + (next(columns, 0) or 0))


def _note_launch(error: DiagnosticError) -> None:
    """Add the place of the launch to the diagnostics, because there will be no traceback."""
    place = launch_place()
    for diagnostic in error.diagnostics if place is not None else ():
        diagnostic.note("launched from here", place)


def _package_of(frame: Any) -> str:
    return str(frame.f_globals.get("__name__", "")).partition(".")[0]
