"""A mistake in a kernel as the exception of a launch: a diagnostic, and an exception of the frontend's own type."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import Any

from tilewright.driver.mistakes.guide import Known, MistakeRow, guide
from tilewright.ir.attribute import Location
from tilewright.ir.diagnostic import Diagnostic, DiagnosticCode, DiagnosticError, Severity, render
from tilewright.ir.location import UNKNOWN
from tilewright.ir.support.option_spelling import wants_traceback
from tilewright.runtime.findings.record import launch_place

SHOWN_CALLS = 2
"""The maximum number of call sites that are shown for a mistake in a called function."""


class FrontendError(DiagnosticError):
    """A mistake in a kernel, as a diagnostic that is also an exception of the frontend.

    An object has the type and the attributes of the frontend's exception ``origin``, so programs that catch
    that exception catch this one.
    """

    names_launch = True
    origin: BaseException

    def __str__(self) -> str:
        return str(self.args[0])

    def __reduce__(self) -> Any:
        return _from_process, (type(self.origin), self.diagnostics)


def as_diagnostic(
    error: BaseException, message: str, places: Sequence[Location], rows: Sequence[MistakeRow], known: Known
) -> FrontendError:
    """Return the exception to raise for a frontend's exception ``error`` with the text ``message``. Its
    diagnostic has notes at the calls and at the line of the launch, if they are known.

    - ``places``: the location of the mistake, the innermost first, and the calls that led there.
    - ``rows``: the guide of the frontend, which has the code and the hint.
    - ``known``: a function that returns the names that a misspelt name may have been meant to be (`Known`).
    """
    text = " ".join(message.split()) or f"the frontend gave no reason ({type(error).__name__})"
    place = places[0] if places else UNKNOWN
    diagnostic = guide(Diagnostic(Severity.ERROR, text, place), rows, known)
    _note_calls(diagnostic, places[1:])
    launch = launch_place()
    if launch is not None:
        diagnostic.note("launched from here", launch)
    return _made(error, [diagnostic])


def refused(error: BaseException, code: DiagnosticCode, message: str, hint: str) -> FrontendError:
    """Return the exception to raise for the frontend's exception ``error`` if it concerns the launch and no
    line of a kernel: a diagnostic with `code`, `message` and `hint` at the line that launches.
    """
    place = launch_place() or UNKNOWN
    return _made(error, [Diagnostic(Severity.ERROR, message, place, code).hint(hint)])


def cause_of(error: FrontendError) -> BaseException | None:
    """Return the exception to write after ``raise error from``: the frontend's exception if whole tracebacks
    are requested, else None.
    """
    return error.origin if wants_traceback() else None


def _note_calls(diagnostic: Diagnostic, calls: Sequence[Location]) -> None:
    for call in calls[:SHOWN_CALLS]:
        diagnostic.note("called from here", call)
    hidden = len(calls) - SHOWN_CALLS
    if hidden > 0:
        diagnostic.note(f"{hidden} more calls are not shown", UNKNOWN)


def _made(error: BaseException, diagnostics: list[Diagnostic]) -> FrontendError:
    """Return an exception of the types `FrontendError` and of ``error``, with its attributes.

    The frontend's constructor is not called, since its parameters are not known.
    """
    made = _with_frontend_kind(type(error)).__new__(_with_frontend_kind(type(error)))
    made.args = ("\n".join(map(render, diagnostics)),)
    vars(made).update(vars(error), diagnostics=diagnostics, origin=error)
    return made


@cache
def _with_frontend_kind(kind: type[BaseException]) -> type[FrontendError]:
    """Return a class that derives from `FrontendError` and ``kind``, with the name of ``kind``."""
    body = {"__module__": kind.__module__, "__qualname__": kind.__qualname__, "__doc__": kind.__doc__}
    return type(kind.__name__, (FrontendError, kind), body)


def _from_process(kind: type[BaseException], diagnostics: list[Diagnostic]) -> FrontendError:
    """Return a `FrontendError` with `diagnostics` that another process sent. The frontend's exception, which
    may not be picklable, is replaced by an empty one of its class `kind`.
    """
    bare = kind.__new__(kind)
    return _made(bare, diagnostics)
