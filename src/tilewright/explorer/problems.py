"""Why a program ended: the exception that left it, as a page shows it."""

from __future__ import annotations

import traceback
from collections.abc import Callable
from pathlib import Path

from tilewright.explorer import collect, places as explorer_places, schema
from tilewright.ir.diagnostic import DiagnosticError, Severity
from tilewright.ir.support.tracebacks import of_program_only

_ERROR = Severity.ERROR.name.lower()


class ProgramProblems:
    """Records the exception that ends the program `script`, for the page."""

    def __init__(self, script: str) -> None:
        self._script = script
        self._raised: BaseException | None = None

    def store(self, error: BaseException) -> bool:
        """Store an exception. Return False: the caller still has to show it on the terminal."""
        self._raised = error
        return False

    def put(self, page: schema.Page, places: explorer_places.SourcePositions, status: int) -> None:
        """Add the exception that ended the program to a page, unless the findings of its kernels include it.
        Without an exception, a `status` other than 0, the exit status of the program, is added.
        """
        if isinstance(self._raised, DiagnosticError):
            known = {(one.code, one.place) for kernel in page.kernels for one in kernel.findings}
            found = [collect.finding(one, places) for one in self._raised.diagnostics]
            page.problems += [one for one in found if (one.code, one.place) not in known]
        elif self._raised is not None:
            page.problems.append(_of_exception(self._raised, self._script, places.at))
        elif status:
            text = f"The program ended with status {status}."
            page.problems.append(schema.Finding("", _ERROR, text, text, explorer_places.NOWHERE))


def _of_exception(error: BaseException, script: str, at: Callable[[str, int, int], int]) -> schema.Finding:
    """Return the finding for an exception, with the traceback of the program, at the innermost line of the
    program, which is the code in the folder of ``script``. ``at`` returns the number of a place for a file, a
    line and a column.
    """
    shown = of_program_only(error)
    message = "".join(shown.format_exception_only()).strip().split("\n")[-1]
    return schema.Finding("", _ERROR, message, "".join(shown.format()), at(*_place(error, shown, script)))


def _place(error: BaseException, shown: traceback.TracebackException, script: str) -> tuple[str, int, int]:
    """Return the file, line and column, which count from 1, of the innermost frame in the program's folder,
    or of a `SyntaxError` in its text; ``("", 0, 0)`` if there is none.
    """
    if isinstance(error, SyntaxError):
        return error.filename or "", error.lineno or 0, error.offset or 1
    folder = Path(script).resolve().parent
    own = [frame for frame in shown.stack if _is_own(frame.filename, folder)]
    return (own[-1].filename, own[-1].lineno or 0, (own[-1].colno or 0) + 1) if own else ("", 0, 0)


def _is_own(file: str, folder: Path) -> bool:
    """Return whether a file belongs to the program, and not to a package installed below its folder."""
    path = Path(file).resolve()
    return path.is_relative_to(folder) and "site-packages" not in path.parts
