"""Errors that stop a simulation."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import MappingProxyType

from tilewright.ir.diagnostic import Diagnostic, DiagnosticCode, DiagnosticError, Severity
from tilewright.ir.location import FileLineColLocation
from tilewright.ptx.model import LocDirective, PtxInstruction
from tilewright.ptxsim import codes
from tilewright.ptxsim.host.regions import HostRegion


class Fault(Exception):
    """A forbidden operation of an instruction: its diagnostic code, message and hint; the block adds the
    source position. `address` is an address of global memory, None if the fault has none.
    """

    def __init__(
        self, code: DiagnosticCode, message: str, hint: str = "", address: int | None = None
    ) -> None:
        super().__init__(message)
        self.code = code
        self.message = message
        self.hint = hint
        self.address = address
        self.earlier = 0
        """The number of the step with the other access of a race; 0 if it is unknown."""


class StoppedError(DiagnosticError):
    """A kernel was stopped at an instruction.

    `fault` is the reason, `source` the source line of the instruction, `other` the source line of the other
    access of a race, and `block` the index of the block; each is `None` if unknown. `regions` maps the
    regions of the host to their addresses in global memory.
    """

    fault: Fault | None = None
    source: FileLineColLocation | None = None
    other: FileLineColLocation | None = None
    block: tuple[int, int, int] | None = None
    regions: Mapping[HostRegion, int] = MappingProxyType({})


class Assertion(Fault):
    """A failed assertion of a kernel, with its text, its file and line, and the function that it is in.
    ``values`` are integers that the thread printed with an empty text just before.
    """

    def __init__(self, text: str, file: str, line: int, function: str, values: Sequence[int] = ()) -> None:
        super().__init__(codes.ASSERTION, f"{file}:{line}: assertion '{text}' of '{function}' failed")
        self.text = text
        self.file = file
        self.line = line
        self.values = values


def diagnostic(fault: Fault, at: FileLineColLocation) -> Diagnostic:
    """Return an error at the place `at` with the code, the message and the hint of `fault`."""
    return Diagnostic(Severity.ERROR, fault.message, at, fault.code, hints=[fault.hint] if fault.hint else [])


def located(
    fault: Fault,
    file_name: str,
    instruction: PtxInstruction,
    line: LocDirective | None,
    notes: Sequence[str],
    files: dict[int, str] | None = None,
    earlier: tuple[PtxInstruction, LocDirective | None] | None = None,
) -> StoppedError:
    """Return the exception for `fault` at an instruction of the PTX file `file_name`. `line` is the source
    line of the instruction, `notes` are texts to add, `files` maps the numbers of source files to their
    names, and `earlier` is the other access of a race.
    """
    found = diagnostic(fault, FileLineColLocation.at(file_name, *instruction.place))
    for text in notes:
        found.note(text)
    source = source_of(line, files or {})
    if source is not None:
        found.note("the instruction was made from this line", source)
    other = None
    if earlier is not None:
        other = source_of(earlier[1], files or {})
        place = FileLineColLocation.at(file_name, *earlier[0].place)
        found.note("the other access is here", other or place)
    error = StoppedError([found])
    error.fault, error.source, error.other = fault, source, other
    return error


def source_of(line: LocDirective | None, files: Mapping[int, str]) -> FileLineColLocation | None:
    """Return the source line of a `.loc`; `None` without a `.loc`, and for line 0. `files` maps the numbers
    of files to their names; a file N without a name is called ``file N``.
    """
    if line is None or not line.line:
        return None
    name = files.get(line.file, f"file {line.file}")
    return FileLineColLocation.at(name, line.line, max(line.column, 1))
