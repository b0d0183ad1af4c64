"""Verifying inputs: everything that is wrong with the bytes of a file, as diagnostics with a place."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from tilewright.bytecode import MAGIC
from tilewright.bytecode.preview import FEATURES
from tilewright.driver import reading, startup as driver_startup, warnings as driver_warnings
from tilewright.ir import context as ir_context, equality, location as ir_location, verifier
from tilewright.ir.diagnostic import Diagnostic, DiagnosticError, Severity
from tilewright.ir.operation import Operation
from tilewright.ir.text.expected import split_input

if TYPE_CHECKING:
    from tilewright.dialects.cuda_tile.version import Version


@dataclass(slots=True)
class VerificationFinding:
    """A diagnostic, and the path of the operation that it is about, such as ``builtin.module > [0] func.func
    @f > [2] arith.addi``. The path is None if the operation is not known, as for text.
    """

    diagnostic: Diagnostic
    path: str | None = None


@dataclass(slots=True)
class VerificationReport:
    """The findings in the input called ``name``; ``version`` is the version of its bytecode, and None for
    text and for bytecode that could not be opened.
    """

    name: str
    is_bytecode: bool
    version: str | None = None
    findings: list[VerificationFinding] = field(default_factory=list[VerificationFinding])

    @property
    def errors(self) -> int:
        """Return the number of errors; warnings and remarks do not make an input invalid."""
        return sum(f.diagnostic.severity is Severity.ERROR for f in self.findings)


def check(
    data: bytes,
    name: str,
    *,
    version: Version | None = None,
    split: bool = False,
    allow_unregistered: bool = False,
) -> VerificationReport:
    """Read and verify an input called ``name``: bytecode or text, distinguished by the magic number.

    Every broken rule is reported, not only the first one. With ``version`` a valid module is also checked
    against that version of bytecode. ``split`` checks the pieces of a text between ``// -----`` lines one by
    one. ``allow_unregistered`` accepts operations of unknown dialects in a text; in bytecode they are always
    errors.
    """
    is_bytecode = data.startswith(MAGIC)
    report = VerificationReport(name, is_bytecode)
    checks = _Checks(report, version, allow_unregistered)
    if is_bytecode:
        checks.bytecode(data)
    else:
        checks.text(data, split)
    return report


class _Checks:
    """Checks one input and adds the diagnostics to `report`: errors of parsing or reading, errors of the
    verifier, warnings about a valid module, and, if there is a `version`, the parts that bytecode of this
    version cannot hold.
    """

    def __init__(self, report: VerificationReport, version: Version | None, allow_unregistered: bool) -> None:
        self.report = report
        self.version = version
        self.allow_unregistered = allow_unregistered

    def bytecode(self, data: bytes) -> None:
        from tilewright.bytecode import read_bytecode, read_container

        name = self.report.name
        context = driver_startup.context()
        try:
            self.report.version = str(read_container(data, name=name, preview=FEATURES).version)
            module = read_bytecode(data, context, name=name, verify=False, preview=FEATURES)
        except DiagnosticError as error:
            self._add(error.diagnostics)
            return
        self._module(context, module, _number_operations(module, name))

    def text(self, data: bytes, split: bool) -> None:
        try:
            text = reading.decoded(data, self.report.name)
        except DiagnosticError as error:
            self._add(error.diagnostics)
            return
        for piece in split_input(text) if split else [text]:
            self._piece(piece)

    def _piece(self, text: str) -> None:
        context = driver_startup.context(allow_unregistered=self.allow_unregistered)
        try:
            module = reading.parse_text(text, self.report.name, context, verify=False)
        except DiagnosticError as error:
            self._add(error.diagnostics)
            return
        self._module(context, module, [])

    def _module(self, context: ir_context.Context, module: Operation, numbered: list[Operation]) -> None:
        """Verify a module and add the diagnostics to the report. A valid module is checked for probable
        mistakes and, if there is a version, for parts that bytecode of this version cannot hold.
        """
        with context.diagnostics.collect() as emitted:
            found = verifier.verify(module, all_errors=True, dialects=context.dialects)
            if not found:
                emitted += driver_warnings.warnings_about(module)
        if not found and self.version is not None:
            found = _not_available(module, self.version)
        self._add([*emitted, *found], numbered)

    def _add(self, diagnostics: list[Diagnostic], numbered: list[Operation] | None = None) -> None:
        for diagnostic in diagnostics:
            op = _numbered_operation(diagnostic, self.report.name, numbered or [])
            path = equality.operation_path(op) if op is not None else None
            if path is not None:
                diagnostic.note(f"in {path}", ir_location.FileLineColLocation(self.report.name, 0, 0))
            self.report.findings.append(VerificationFinding(diagnostic, path))


def _number_operations(module: Operation, name: str) -> list[Operation]:
    """Assign distinct locations to the operations without a location, and return all operations of the
    module.

    Bytecode without debug information has no locations. Line 0 does not exist, so only the file is shown; the
    column is the position of the operation in the returned list, from 1.
    """
    numbered = list(module.walk())
    for number, op in enumerate(numbered):
        if op.location is ir_location.UNKNOWN:
            op.location = ir_location.FileLineColLocation(name, 0, number + 1)
    return numbered


def _numbered_operation(diagnostic: Diagnostic, name: str, numbered: list[Operation]) -> Operation | None:
    location = diagnostic.location
    if not isinstance(location, ir_location.FileLineColLocation) or location.line or location.file != name:
        return None
    return numbered[location.column - 1] if 0 < location.column <= len(numbered) else None


def _not_available(module: Operation, version: Version) -> list[Diagnostic]:
    """Return the diagnostics of writing a module as bytecode of a version; an empty list if bytecode of this
    version can hold the module.
    """
    from tilewright.bytecode import write_bytecode

    try:
        write_bytecode(module, version, verify=False)
    except DiagnosticError as error:
        return error.diagnostics
    return []
