"""The diagnostic engine: what went wrong, where, why, and the way out.

Every diagnostic has a severity, a stable code (``TW0101``), a location, a message, notes and hints.  The engine
of a context hands each one to the innermost handler that accepts it; without a handler it is printed to stderr.
"""

from __future__ import annotations

import contextlib
import sys
from collections.abc import Callable, Generator, Sequence
from enum import IntEnum
from typing import TYPE_CHECKING, Any, Self

from tilewright.ir.attribute import Location
from tilewright.ir.location import UNKNOWN, is_python
from tilewright.ir.support.record import Record, fresh

if TYPE_CHECKING:
    from types import TracebackType

SHOWN_CALLS = 8
"""The maximum number of call sites that are shown at either end of a longer chain."""
SEE_ABOVE = "see above"
"""The message in a traceback of an exception whose diagnostics are printed before the traceback."""
MAXIMUM_SOURCE_BYTES = 1 << 24
"""Larger files are not read for source frames."""


class Severity(IntEnum):
    """The severity of a diagnostic; the numbers are MLIR's."""

    NOTE = 0
    WARNING = 1
    ERROR = 2
    REMARK = 3


class DiagnosticCode(Record, frozen=True):
    """A stable diagnostic code, ``TW`` and its ``number``. ``title`` is a short phrase, ``explanation`` its
    page: the meaning, the reason and the remedy.
    """

    number: int
    title: str
    explanation: str

    def __str__(self) -> str:
        return f"TW{self.number:04}"


class Fix(Record, frozen=True):
    """A change of the source that mends a problem: the word ``replaced``, which begins at or behind the
    location of the diagnostic in its line, becomes ``text``.
    """

    replaced: str
    text: str


class Diagnostic(Record):
    """One message of the compiler, with its severity and its code, if it has one.

    ``offset`` is a byte offset for binary input, None otherwise; ``location`` a position in text or in the
    user's program. ``notes`` are further messages with locations, ``hints`` ways to mend the problem;
    ``fixes`` are the changes that programs may make by themselves.
    """

    severity: Severity
    message: str
    location: Location = UNKNOWN
    code: DiagnosticCode | None = None
    notes: list[Diagnostic] = fresh(default_factory=list["Diagnostic"])
    hints: list[str] = fresh(default_factory=list[str])
    offset: int | None = None
    fixes: list[Fix] = fresh(default_factory=list["Fix"])

    def note(self, message: str, location: Location | None = None) -> Self:
        """Attach a note, at `location` or else at the diagnostic's own location, and return the diagnostic."""
        self.notes.append(Diagnostic(Severity.NOTE, message, location or self.location))
        return self

    def hint(self, message: str) -> Self:
        """Attach a hint, a way to mend the problem, and return the diagnostic."""
        self.hints.append(message)
        return self

    def fix(self, replaced: str, text: str) -> Self:
        """Attach a certain way to mend the problem, the change of the word `replaced` in the source to
        `text`, and return the diagnostic.
        """
        self.fixes.append(Fix(replaced, text))
        return self

    def __str__(self) -> str:
        return render(self)

    def _repr_html_(self) -> str:
        """Return the HTML for notebooks: the diagnostic with its source frame."""
        return in_notebook([self])


class DiagnosticError(Exception):
    """Raised by entry points that cannot continue; carries every diagnostic collected so far.

    ``message`` is their rendered text; by default it is rendered here, with source frames from files on disk.
    ``names_launch`` says that the diagnostics contain the location of the launch, so that no traceback is
    needed.
    """

    names_launch = False

    def __new__(cls, *arguments: Any, **named: Any) -> Self:
        """Return a new exception. The first exception sets `sys.excepthook` to `_show_uncaught`, unless the
        program has a hook of its own.
        """
        if sys.excepthook is sys.__excepthook__:
            sys.excepthook = _show_uncaught
        return super().__new__(cls, *arguments, **named)

    def __init__(self, diagnostics: Sequence[Diagnostic], message: str | None = None) -> None:
        super().__init__("\n".join(map(render, diagnostics)) if message is None else message)
        self.diagnostics = list(diagnostics)

    def __reduce__(self) -> tuple[Callable[..., Any], tuple[Any, ...]]:
        return type(self), (self.diagnostics, str(self))

    def _repr_html_(self) -> str:
        """Return the HTML for notebooks: its diagnostics."""
        return in_notebook(self.diagnostics)


def _show_uncaught(kind: type[BaseException], error: BaseException, trace: TracebackType | None) -> None:
    """Print an exception as Python does, but diagnostics on lines of their own, as ``tilewright run`` does."""
    if not isinstance(error, DiagnosticError):
        sys.__excepthook__(kind, error, trace)
        return
    sys.stdout.flush()
    print(diagnostics_text(error), end="", file=sys.stderr)


def diagnostics_text(error: DiagnosticError, *, is_told: bool = False) -> str:
    """Return the diagnostics of an exception, and its traceback with the frames of the program only.

    ``is_told`` says that the diagnostics have been reported, and leaves them out. Each begins a line, where
    editors look for a file and a line. The traceback is left out for errors that state where the launch is
    (``names_launch``), unless the user requests tracebacks.
    """
    from tilewright.ir.support.option_spelling import wants_traceback
    from tilewright.ir.support.tracebacks import traceback_text  # loads modules that only failures need

    head = "" if is_told else f"{error}\n"
    if error.names_launch and not wants_traceback():
        return head
    raised = DiagnosticError([], SEE_ABOVE).with_traceback(error.__traceback__)
    raised.__cause__, raised.__context__ = error.__cause__, error.__context__
    raised.__suppress_context__ = error.__suppress_context__
    return head + traceback_text(raised)


def in_notebook(diagnostics: Sequence[Diagnostic]) -> str:
    """Return diagnostics with their source frames as HTML for the output of a cell."""
    from tilewright.pages.notebook import finding, output

    return output(finding(one.severity.name.lower(), render(one)) for one in diagnostics)


def failure(
    code: DiagnosticCode,
    message: str,
    location: Location = UNKNOWN,
    *,
    hint: str | None = None,
    offset: int | None = None,
    notes: Sequence[tuple[str, Location]] = (),
) -> DiagnosticError:
    """Return a `DiagnosticError` with one error diagnostic, to be raised. ``hint`` is a way to mend the
    problem (None: no hint), ``offset`` a byte offset in binary input; ``notes`` are pairs of a text and its
    location.
    """
    diagnostic = Diagnostic(Severity.ERROR, message, location, code, offset=offset)
    for text, place in notes:
        diagnostic.note(text, place)
    if hint:
        diagnostic.hint(hint)
    return DiagnosticError([diagnostic])


Handler = Callable[[Diagnostic], bool]
"""Returns True when it took the diagnostic, False to pass it on to the handler around it."""


class DiagnosticEngine:
    """Delivers each diagnostic to the innermost of nested handlers that accepts it; a diagnostic that no
    handler accepts is printed to stderr.
    """

    __slots__ = ("_handlers",)

    def __init__(self) -> None:
        self._handlers: list[Handler] = []

    def emit(self, diagnostic: Diagnostic) -> Diagnostic:
        """Pass a diagnostic to the innermost handler that accepts it, or print it to stderr if no handler
        does; return the diagnostic.
        """
        for handler in reversed(self._handlers):
            if handler(diagnostic):
                return diagnostic
        print(render(diagnostic), file=sys.stderr)
        return diagnostic

    @contextlib.contextmanager
    def handler(self, handler: Handler) -> Generator[Handler, None, None]:
        """Install `handler` in a ``with`` block; it is called before the handlers that were installed
        earlier. It returns True if it has handled the diagnostic, False to pass it on to them.
        """
        self._handlers.append(handler)
        try:
            yield handler
        finally:
            at = len(self._handlers) - 1 - self._handlers[::-1].index(handler)
            del self._handlers[at]

    @contextlib.contextmanager
    def collect(self) -> Generator[list[Diagnostic], None, None]:
        """Collect the diagnostics that are emitted in a ``with`` block into a list, which the block gets; no
        other handler sees them.
        """
        collected: list[Diagnostic] = []

        def take(diagnostic: Diagnostic) -> bool:
            collected.append(diagnostic)
            return True

        with self.handler(take):
            yield collected


def location_text(location: Location) -> str:
    """Return ``file:line:column``, only the file if the line is 0, or an empty string for an unknown
    location.
    """
    source = location.source
    if source is None:
        return ""
    file, line, column = source
    return f"{file}:{line}:{column}" if line else file


def render(diagnostic: Diagnostic, source_line: Callable[[str, int], str | None] | None = None) -> str:
    """Return the text of a diagnostic: a machine-readable first line, such as ``a.mlir:3:7: error[TW0101]:
    message``, source frame, call sites, notes, hints. ``source_line(file, line)`` returns the text of a line
    for the frame, or None; by default files are read from disk.
    """
    lines = [_headline(diagnostic), *_frame(diagnostic.location, source_line or line_of_source)]
    lines.extend(_calls(diagnostic.location.callers, source_line or line_of_source))
    for note in diagnostic.notes:
        lines.append(_headline(note))
    lines.extend(f"hint: {hint}" for hint in diagnostic.hints)
    return "\n".join(lines)


def _calls(callers: Sequence[Location], source_line: Callable[[str, int], str | None]) -> list[str]:
    """Return the lines for the call sites with their source frames. A chain of more than twice `SHOWN_CALLS`
    call sites has only the first `SHOWN_CALLS`, a note with the number of hidden ones, and the last
    `SHOWN_CALLS`.
    """
    hidden = max(0, len(callers) - 2 * SHOWN_CALLS)
    lines: list[str] = []
    for position, caller in enumerate(callers):
        if hidden and position == SHOWN_CALLS:
            lines.append(f"note: {hidden} more calls are not shown")
        if not hidden or not SHOWN_CALLS <= position < SHOWN_CALLS + hidden:
            lines.append(f"{location_text(caller) or '<unknown>'}: note: called from here")
            lines.extend(_frame(caller, source_line))
    return lines


def _headline(diagnostic: Diagnostic) -> str:
    place = location_text(diagnostic.location)
    code = f"[{diagnostic.code}]" if diagnostic.code else ""
    offset = f" at offset {diagnostic.offset}" if diagnostic.offset is not None else ""
    prefix = f"{place}: " if place else ""
    return f"{prefix}{diagnostic.severity.name.lower()}{code}{offset}: {diagnostic.message}"


def _frame(location: Location, source_line: Callable[[str, int], str | None]) -> list[str]:
    source = location.source
    if source is None or not source[1]:
        return []
    file, line, column = source
    text = source_line(file, line)
    if text is None:
        return []
    number = str(line)
    frame = [f"  {number} | {text}"]
    if column and is_python(file) and not text.isascii():  # Python counts the bytes of UTF-8
        column = len(text.encode()[: column - 1].decode(errors="ignore")) + 1
    if 0 < column <= len(text) + 1:
        lead = "".join("\t" if character == "\t" else " " for character in text[: column - 1])
        frame.append(f"  {' ' * len(number)} | {lead}^")
    return frame


def line_of_source(file: str, line: int) -> str | None:
    """Return line number ``line``, from 1, of a source file, without its end; None if it cannot be read.
    Names of files come from debug information: they may be anything.
    """
    import linecache

    if not _is_readable_source(file) and file not in linecache.cache:
        return None
    text = linecache.getline(file, line)
    return text.rstrip("\n") if text else None


def _is_readable_source(file: str) -> bool:
    """Return whether `file` names an ordinary file (no device, no pipe) of at most `MAXIMUM_SOURCE_BYTES`."""
    import os
    import stat

    try:
        status = os.stat(file)
    except (OSError, ValueError):
        return False
    return stat.S_ISREG(status.st_mode) and status.st_size <= MAXIMUM_SOURCE_BYTES
