"""What stops a simulation."""

from __future__ import annotations

from collections.abc import Sequence

from tilewright.ir.diagnostic import Code, Diagnostic, DiagnosticError, Severity
from tilewright.ir.location import FileLineColLocation
from tilewright.ptx.model import Instruction, Location
from tilewright.ptxsim import codes


class Fault(Exception):
    """Something that an instruction must not do; the block adds the place."""

    def __init__(self, code: Code, message: str, hint: str = "") -> None:
        super().__init__(message)
        self.code = code
        self.message = message
        self.hint = hint


class Assertion(Fault):
    """An assertion that a kernel found to fail, with its text and where its source has it."""

    def __init__(self, text: str, file: str, line: int, function: str) -> None:
        super().__init__(codes.ASSERTION, f"{file}:{line}: assertion '{text}' of '{function}' failed")
        self.text = text
        self.file = file
        self.line = line


class FailedAssertion(DiagnosticError):
    """What a launch raises for an assertion: whose it is, and in which block it failed, by its number in the grid."""

    def __init__(self, error: DiagnosticError, fault: Assertion, block: int) -> None:
        super().__init__(error.diagnostics)
        self.fault = fault
        self.block = block


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
) -> DiagnosticError:
    """A fault at an instruction, with the line of the source that the instruction was made from."""
    found = diagnostic(fault, FileLineColLocation.at(file_name, *instruction.place))
    for text in notes:
        found.note(text)
    if line is not None and line.line:
        name = (files or {}).get(line.file, f"file {line.file}")
        found.note(
            "the instruction was made from this line",
            FileLineColLocation.at(name, line.line, max(line.column, 1)),
        )
    return DiagnosticError([found])
