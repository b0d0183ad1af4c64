"""Reads the arguments and the grid of a launch of any kind, and refuses wrong ones with diagnostics.

Every way to launch (`tilewright.launch`, artifacts, cuTile, Triton, the command line, pytest) asks the same places:

- what an array is: `tilewright.host.arrays.host_array`, and which of its elements and strides a kernel that is
  written in terms of arrays takes: `tilewright.host.arrays.array_view`;
- what may be written: `tilewright.interp.memory.writes`;
- what a grid is: `tilewright.dialects.common.grid.grid_extents`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any, Self

from tilewright.dialects.common.grid import GridError, GridSize, grid_extents
from tilewright.driver import codes
from tilewright.interp.codes import BAD_ARGUMENT, READ_ONLY
from tilewright.ir.attribute import Location
from tilewright.ir.diagnostic import Diagnostic, DiagnosticCode, DiagnosticError, Severity, failure
from tilewright.ir.location import UNKNOWN
from tilewright.ir.support.sequences import is_list
from tilewright.runtime.findings.record import launch_place

if TYPE_CHECKING:
    from tilewright.interp.memory.writes import ReadOnlyError  # loads NumPy


class LaunchError(DiagnosticError, TypeError, ValueError):
    """An argument of a Python kernel or a grid that cannot be used. The class is a `TypeError` as well as a
    `ValueError`, since launchers of frontends raise either.

    ``subject`` names the argument or the grid (such as ``Invalid item #1 of kernel argument #0``), ``reason``
    says why and ``hint`` the way out. ``parameter`` is the Python parameter, where the subject is an argument
    or part of it. ``place`` is the line of the program that launches; by default it is looked up here.
    """

    names_launch = True

    def __init__(
        self,
        subject: str,
        reason: str,
        hint: str = "",
        *,
        parameter: str = "",
        code: DiagnosticCode = BAD_ARGUMENT,
        place: Location | None = None,
    ) -> None:
        location = place or launch_place() or UNKNOWN
        found = Diagnostic(Severity.ERROR, f"{subject}: {reason}", location, code)
        if parameter:
            found.note(f"this is argument '{parameter}'")
        if hint:
            found.hint(hint)
        super().__init__([found])
        self.subject = subject
        self.reason = reason
        self.hint = hint
        self.parameter = parameter
        self.code = code

    def __reduce__(self) -> tuple[Callable[..., Any], tuple[Any, ...]]:
        place = self.diagnostics[0].location
        named = partial(type(self), parameter=self.parameter, code=self.code, place=place)
        return named, (self.subject, self.reason, self.hint)

    def of_parameter(self, parameter: str) -> Self:
        """Return a copy of this error with a note that names the Python parameter, and ``Invalid`` before its
        subject.
        """
        subject = f"Invalid {self.subject}"
        return type(self)(subject, self.reason, self.hint, parameter=parameter, code=self.code)


class LaunchOverflowError(LaunchError, OverflowError):
    """A number that does not fit the width of the kernel's parameter."""


def read_only(error: ReadOnlyError, subject: str, parameter: str) -> LaunchError:
    """Return the `LaunchError` for a read-only array that a kernel would write. `subject` names the argument,
    or the part of it, that is the array, such as ``item #1 of kernel argument #0``; `parameter` is the Python
    parameter of the kernel.
    """
    reason = f"the array is read-only, and {error.reason}"
    hint = error.diagnostics[0].hints[0]
    return LaunchError(f"Invalid {subject}", reason, hint, parameter=parameter, code=READ_ONLY)


def grid_refusal(error: GridError, reason: str = "") -> LaunchError:
    """Return the error for an invalid grid; a ``reason`` that is not empty replaces the message of `error`,
    for the words of the frontend's launcher.
    """
    return LaunchError("grid", reason or str(error), error.way_out, code=codes.BAD_GRID)


def argument_list(arguments: object) -> Sequence[Any]:
    """Return the flat arguments of a launch as a sequence.  Raises `DiagnosticError` for another kind of object."""
    if is_list(arguments):
        return arguments
    message = f"the arguments of a launch are a list, got an object of type '{type(arguments).__name__}'"
    raise failure(BAD_ARGUMENT, message, hint="pass one value per parameter, such as [array, 1024]")


def normalise_grid(grid: int | Sequence[int]) -> GridSize:
    """Return a grid, which is an integer or one to three integers, as three extents, with 1 for missing
    extents. Raises `DiagnosticError` for any other object, for an extent that is not positive or too large,
    and for too many tile blocks.
    """
    try:
        return grid_extents(grid)
    except GridError as error:
        raise failure(codes.BAD_GRID, str(error), hint=error.way_out) from error
