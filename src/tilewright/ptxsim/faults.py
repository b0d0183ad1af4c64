"""What stops a simulation."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import MappingProxyType

from tilewright.ir.diagnostic import Code, Diagnostic, DiagnosticError, Severity
from tilewright.ir.location import FileLineColLocation
from tilewright.ptx.model import Instruction, Location
from tilewright.ptxsim import codes
from tilewright.ptxsim.host.regions import Region


class Fault(Exception):
    """Something that an instruction must not do; the block adds the place.  ``address`` is one in global memory."""

    def __init__(self, code: Code, message: str, hint: str = "", address: int | None = None) -> None:
        super().__init__(message)
        self.code = code
        self.message = message
        self.hint = hint
        self.address = address
        self.earlier = 0
        """The number of the step that made the other access of a race, if it is known."""


class StoppedError(DiagnosticError):
    """A kernel was stopped at an instruction.

    ``fault`` says why, ``source`` is the line that the instruction was made from, ``other`` that of the other access of a
    race, and ``block`` the number of the block, as far as they are known.  ``regions`` are the addresses of the memory of the host.
    """

    fault: Fault | None = None
    source: FileLineColLocation | None = None
    other: FileLineColLocation | None = None
    block: tuple[int, int, int] | None = None
    regions: Mapping[Region, int] = MappingProxyType({})


class Assertion(Fault):
    """An assertion that a kernel found to fail, with its text and where its source has it."""

    def __init__(self, text: str, file: str, line: int, function: str) -> None:
        super().__init__(codes.ASSERTION, f"{file}:{line}: assertion '{text}' of '{function}' failed")
        self.text = text
        self.file = file
        self.line = line


def diagnostic(fault: Fault, at: FileLineColLocation) -> Diagnostic:
    """A fault at a place."""
    return Diagnostic(Severity.ERROR, fault.message, at, fault.code, hints=[fault.hint] if fault.hint else [])


def located(
    fault: Fault,
    file_name: str,
    instruction: Instruction,
    line: Location | None,
    notes: Sequence[str],
    files: dict[int, str] | None = None,
    earlier: tuple[Instruction, Location | None] | None = None,
) -> StoppedError:
    """A fault at an instruction, with the line of the source that the instruction was made from.

    ``earlier`` is the other access of a race.
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


def source_of(line: Location | None, files: Mapping[int, str]) -> FileLineColLocation | None:
    """The line of the source that a `.loc` names; None if there is none."""
    if line is None or not line.line:
        return None
    name = files.get(line.file, f"file {line.file}")
    return FileLineColLocation.at(name, line.line, max(line.column, 1))
