"""Collect the findings of launches: a program opens a record, launches append to it, and the program reads
it.

The record has every finding, even if the program catches the exception of a launch, or launches on another
thread or in a child process. Without an open record, a finding is only raised.
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
"""The environment variable by which a program passes its record to the processes that it starts."""
_GOES_ON, _STOPS = "go-on", "stop"
_NOT_THE_PROGRAMS = frozenset({"tilewright", "triton", "cuda", "contextlib", "runpy", "threading"})
"""Packages whose stack frames are skipped in the search for the line of the program that made a launch."""
NOT_IGNORED = "the comment at this line does not help: the kernel's behaviour after the finding is undefined"
"""The hint for a finding that a comment of the program ignores, although the launch cannot continue after it.
"""
Hearer = Callable[[Diagnostic], object]


class FindingRecord:
    """The findings of the launches that were made while the record is open.

    - ``findings``: in the order in which they were made; equal findings at one source position are stored
      once.
    - ``repeats``: the number of further equal findings, by `key_of`.
    - ``launches``: the number of launches with checks, by the name of the kernel.
    - ``ignores``: the comments that suppressed findings, and the kernels that could have such comments.

    ``told`` is called with each finding that is stored, in the process that made the finding. With
    ``goes_on`` a launch with findings returns as though it had succeeded; otherwise it raises
    `DiagnosticError`. ``spool`` is the file of the process that opened the record, for a record of another
    process; None makes a new file.
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
        """Return the value of the environment variable `VARIABLE` by which child processes find this record."""
        return f"{_GOES_ON if self.goes_on else _STOPS}:{self._spool.path}"

    def add(self, diagnostic: Diagnostic) -> None:
        """Add a finding to the record, and call ``told`` if it is new. A forked or inherited record also
        sends it to the process that opened the record.
        """
        with self._lock:
            is_new = self._keep(diagnostic)
            if is_new and self._told is not None:
                self._told(diagnostic)
            if self._owner not in (-1, os.getpid()):
                self._spool.append((diagnostic, self._told is not None))

    def count(self, kernel: str) -> None:
        """Count one launch with checks of the kernel called `kernel`, here and, for a forked or inherited
        record, also in the process that opened the record.
        """
        with self._lock:
            self.launches[kernel] += 1
            if self._owner not in (-1, os.getpid()):
                self._spool.append(kernel)

    def take_ignore(self, entry: findings_ignores.LaunchedLines | ignores.Ignore) -> None:
        """Record the lines of a launched kernel, or a comment that suppressed a finding. A forked or
        inherited record also sends a new entry to the process that opened the record.
        """
        with self._lock:
            if self.ignores.take(entry) and self._owner not in (-1, os.getpid()):
                self._spool.append(entry)

    def unused_ignores(self) -> list[Diagnostic]:
        """Return a warning for each comment that should ignore findings, but has suppressed none, neither
        here nor in a process that sent its entries to this record.
        """
        self.gather()
        return [findings_ignores.warning(one) for one in self.ignores.unused()]

    def has(self, error: BaseException) -> bool:
        """Return whether `error` is a `DiagnosticError` whose findings are all in the record."""
        self.gather()
        known = {key_of(one) for one in self.findings}
        return isinstance(error, DiagnosticError) and {key_of(one) for one in error.diagnostics} <= known

    def gather(self) -> None:
        """Add what other processes have sent since the last call, and call ``told`` for new findings that it
        was not called with there. Only the process that opened the record does so.
        """
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
        """Return the findings so far, and remove them from the record."""
        self.gather()
        with self._lock:
            taken, self.findings = self.findings, []
            self.repeats.clear()
            return taken

    def close(self) -> None:
        """Add what other processes have sent, if this process opened the record, and close the file through
        which they sent it (`Spool.close`). To be called once.
        """
        self.gather()
        with self._lock:
            self._owner = -1  # no process writes to it any more
            self._spool.close()

    def _keep(self, diagnostic: Diagnostic) -> bool:
        """Store a finding, or count it as a repetition; return whether it was stored."""
        key = key_of(diagnostic)
        if any(key_of(one) == key for one in self.findings):
            self.repeats[key] += 1
            return False
        self.findings.append(diagnostic)
        if diagnostic.location.source is not None:
            self.ignores.stopped.add(diagnostic.location.source[:2])
        return True


def key_of(diagnostic: Diagnostic) -> Hashable:
    """Return a key that equal findings share: the code and the source position, or the message without a
    position.
    """
    location = diagnostic.location
    place = (location.source, *(caller.source for caller in location.callers))
    return str(diagnostic.code), place if location.source else diagnostic.message


_open: list[FindingRecord] = []
"""The open records of this process, the innermost last. Only the innermost record receives findings."""


@contextmanager
def recording(told: Hearer | None = None, *, goes_on: bool = False) -> Generator[FindingRecord]:
    """Record the findings of launches during a ``with`` block, and yield the record. It receives the findings
    of this process and of its child processes. ``told``, if it is not None, is called for each new finding.
    With ``goes_on`` a launch with findings returns as if it had succeeded; otherwise it raises
    `DiagnosticError`.
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


def gather_open() -> None:
    """Add what other processes have sent to the innermost open record."""
    for record in _open[-1:]:
        record.gather()


def goes_on() -> bool:
    """Return whether the program continues after a finding, as the innermost open record says; False if no
    record is open.
    """
    return bool(_open) and _open[-1].goes_on


def inherit() -> None:
    """Send the findings of this process to the record of the program that started it, if there is one."""
    record = inherited()
    if record is not None:
        _open.append(record)


def inherited(address: str | None = None) -> FindingRecord | None:
    """Return the record of the program that started this process, connected to the file of that record; it
    does not become an open record of this process. None without an address, or if that program has ended. The
    address is `address`, by default the one in the environment.
    """
    mode, _, path = (os.environ.get(VARIABLE, "") if address is None else address).partition(":")
    spool = findings_spool.Spool.at(path) if path else None
    return None if spool is None else FindingRecord(goes_on=mode == _GOES_ON, spool=spool)


def begin_launch(kernel: str, launched: Callable[[], findings_ignores.LaunchedLines]) -> None:
    """Count a launch with checks of the kernel called `kernel` in the innermost record, and record its lines.
    ``launched`` returns the lines of the kernel and the codes of its checks; it is only called if there is a
    record.
    """
    for record in _open[-1:]:
        record.count(kernel)
        record.take_ignore(launched())


def _hear(ignore: ignores.Ignore) -> None:
    """Record a comment that suppressed a finding in the innermost record."""
    for record in _open[-1:]:
        record.take_ignore(ignore)


ignores.HEARERS.append(_hear)


def report_findings(error: DiagnosticError, *, is_safe: bool = True) -> None:
    """Add the findings in `error` to the innermost record, if there is one, and raise `error`.

    A record that was opened with ``goes_on`` makes it return instead, so that the launch continues. If
    `is_safe` is False it raises even then: other tile blocks might never finish.
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
    """Add a note with the line of the program that made the launch to each diagnostic of `error`.

    It replaces the traceback, which is missing because the error is not raised.
    """
    place = launch_place()
    for diagnostic in error.diagnostics if place is not None else ():
        diagnostic.note("launched from here", place)


def _package_of(frame: Any) -> str:
    return str(frame.f_globals.get("__name__", "")).partition(".")[0]
