"""Diagnostics for other programs: JSON objects, SARIF and GitHub workflow commands.

The JSON form is declared in `tilewright.cli.report_shapes`; `SCHEMA_VERSION` changes when a key changes its meaning
or goes away.  Keys may be added without notice.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast
from urllib.parse import quote

from tilewright.driver.verification import VerificationFinding, VerificationReport
from tilewright.ir.attribute import Location
from tilewright.ir.diagnostic import Diagnostic, Severity, line_of_source
from tilewright.reference.subjects import codes
from tilewright.version import __version__

if TYPE_CHECKING:
    from tilewright.cli import report_shapes as shapes

SCHEMA_VERSION = 1
_COMMANDS = {
    Severity.ERROR: "error",
    Severity.WARNING: "warning",
    Severity.NOTE: "notice",
    Severity.REMARK: "notice",
}
_SARIF_LEVELS = {
    Severity.ERROR: "error",
    Severity.WARNING: "warning",
    Severity.NOTE: "note",
    Severity.REMARK: "note",
}
_DATA_ESCAPES = {"%": "%25", "\r": "%0D", "\n": "%0A"}
_PROPERTY_ESCAPES = {**_DATA_ESCAPES, ":": "%3A", ",": "%2C"}


def place(location: Location) -> shapes.PlaceReport:
    """Return the file, line and column of a location; each is null if unknown."""
    file, line, column = location.source or (None, 0, 0)
    return {"file": file, "line": line or None, "column": (column or None) if line else None}


def diagnostic_object(finding: VerificationFinding) -> shapes.DiagnosticReport:
    """Return a finding as a JSON object: its severity, code, message and position, the path of its operation,
    the call sites, the notes and the hints.
    """
    diagnostic = finding.diagnostic
    found: shapes.DiagnosticReport = {
        "severity": cast("Any", diagnostic.severity.name.lower()),
        "code": str(diagnostic.code) if diagnostic.code else None,
        "title": diagnostic.code.title if diagnostic.code else None,
        "message": diagnostic.message,
        **place(diagnostic.location),
        "offset": diagnostic.offset,
        "operation": finding.path,
        "calls": [place(caller) for caller in diagnostic.location.callers],
        "notes": [{"message": note.message, **place(note.location)} for note in diagnostic.notes],
        "hints": list(diagnostic.hints),
    }
    fixes = edits(diagnostic)
    return {**found, "fixes": fixes} if fixes else found


def edits(diagnostic: Diagnostic) -> list[shapes.EditReport]:
    """Return the fixes of a diagnostic as edits of its line. If the line has the replaced word several times,
    the occurrence at or after the location of the diagnostic is meant. A fix is left out if the line cannot
    be read, has no such word, or has several at or after the location.
    """
    file, line, column = diagnostic.location.source or ("", 0, 0)
    text = line_of_source(file, line) if line and diagnostic.fixes else None
    found: list[shapes.EditReport] = []
    for fix in diagnostic.fixes if text is not None else ():
        places = [at.start() for at in re.finditer(_word(fix.replaced), text or "")]
        behind = [at for at in places if at + 1 >= column] if len(places) > 1 else places
        if len(behind) == 1:
            begin = behind[0] + 1
            words: shapes.EditReport = {
                "file": file,
                "line": line,
                "column": begin,
                "end_column": begin + len(fix.replaced),
                "replaced": fix.replaced,
                "text": fix.text,
            }
            found.append(words)
    return found


def _word(text: str) -> str:
    """Return a regular expression for a text that is no part of a longer word."""
    return rf"(?<!\w){re.escape(text)}(?!\w)"


def report_object(report: VerificationReport) -> shapes.VerifiedInput:
    """Return the findings of one input as a JSON object."""
    return {
        "name": report.name,
        "kind": "bytecode" if report.is_bytecode else "text",
        "bytecode_version": report.version,
        "valid": not report.errors,
        "diagnostics": [diagnostic_object(finding) for finding in report.findings],
    }


def reports_object(inputs: Sequence[shapes.VerifiedInput]) -> shapes.Verification:
    """Return the findings of several inputs as a JSON object. Each of `inputs` comes from `report_object`."""
    return {"schema": SCHEMA_VERSION, "valid": all(i["valid"] for i in inputs), "inputs": [*inputs]}


def github_command(finding: VerificationFinding, report: VerificationReport) -> str:
    """Return the workflow command by which GitHub annotates a file with a diagnostic.

    Without a line, the annotation is about the input as a whole.
    """
    diagnostic = finding.diagnostic
    found = place(diagnostic.location)
    properties = {
        "file": found["file"] or report.name,
        "line": found["line"],
        "col": found["column"],
        "title": _title(diagnostic),
    }
    given = ",".join(
        f"{name}={escaped(str(value), _PROPERTY_ESCAPES)}" for name, value in properties.items() if value
    )
    text = "\n".join([_message(diagnostic), *_more(diagnostic)])
    return f"::{_COMMANDS[diagnostic.severity]} {given}::{escaped(text, _DATA_ESCAPES)}"


def shown_as(form: str, name: str, diagnostics: Sequence[Diagnostic]) -> list[str]:
    """Return the lines of diagnostics about an input called ``name``, in the form ``sarif`` or ``github``."""
    findings = [VerificationFinding(one) for one in diagnostics]
    if form == "github":
        return [github_command(one, VerificationReport(name, is_bytecode=False)) for one in findings]
    return [json.dumps(sarif_log(sarif_result(one, name) for one in findings), indent=2)]


def sarif_result(finding: VerificationFinding, name: str) -> dict[str, Any]:
    """Return a diagnostic about an input called ``name`` as a result of SARIF."""
    diagnostic = finding.diagnostic
    result: dict[str, Any] = {
        "level": _SARIF_LEVELS[diagnostic.severity],
        "message": {"text": "\n".join([_message(diagnostic), *_more(diagnostic)])},
        "locations": [_sarif_location(diagnostic.location, name)],
    }
    if diagnostic.code:
        result["ruleId"] = str(diagnostic.code)
    fixes = [_sarif_fix(edit) for edit in edits(diagnostic)]
    return {**result, "fixes": fixes} if fixes else result


def _sarif_fix(edit: shapes.EditReport) -> dict[str, Any]:
    region = {"startLine": edit["line"], "startColumn": edit["column"], "endColumn": edit["end_column"]}
    replacement = {"deletedRegion": region, "insertedContent": {"text": edit["text"]}}
    artifact = {"uri": _sarif_uri(edit["file"])}
    return {
        "description": {"text": f"replace '{edit['replaced']}' by '{edit['text']}'"},
        "artifactChanges": [{"artifactLocation": artifact, "replacements": [replacement]}],
    }


def _sarif_location(location: Location, name: str) -> dict[str, Any]:
    found = place(location)
    physical: dict[str, Any] = {"artifactLocation": {"uri": _sarif_uri(found["file"] or name)}}
    if found["line"]:
        region = {"startLine": found["line"], "startColumn": found["column"]}
        physical["region"] = {key: value for key, value in region.items() if value}
    return {"physicalLocation": physical}


def _sarif_uri(file: str) -> str:
    """Return the URI of a file. A file below the working directory has a relative URI, which viewers of
    repositories need; any other file has an absolute ``file:`` URI.
    """
    path = Path(file).absolute()
    inside = path.is_relative_to(Path.cwd())
    return quote(path.relative_to(Path.cwd()).as_posix()) if inside else path.as_uri()


def sarif_log(results: Iterable[dict[str, Any]]) -> dict[str, Any]:
    """Return a log of SARIF 2.1.0 with these results, and the pages of their codes as rules."""
    listed = list(results)
    names = sorted({result["ruleId"] for result in listed if "ruleId" in result})
    known = codes()
    rules = [
        {
            "id": name,
            "shortDescription": {"text": known[name].title},
            "fullDescription": {"text": known[name].explanation},
        }
        for name in names
    ]
    driver = {"name": "tilewright", "version": __version__, "rules": rules}
    return {
        "$schema": "https://json.schemastore.org/sarif-2.1.0.json",
        "version": "2.1.0",
        "runs": [{"tool": {"driver": driver}, "results": listed}],
    }


def _title(diagnostic: Diagnostic) -> str:
    return f"{diagnostic.code} {diagnostic.code.title}" if diagnostic.code else ""


def _message(diagnostic: Diagnostic) -> str:
    offset = f"at offset {diagnostic.offset}: " if diagnostic.offset is not None else ""
    return f"{offset}{diagnostic.message}"


def _more(diagnostic: Diagnostic) -> list[str]:
    notes = [f"note: {note.message}" for note in diagnostic.notes]
    return [*notes, *(f"hint: {hint}" for hint in diagnostic.hints)]


def escaped(text: str, escapes: dict[str, str]) -> str:
    """Return ``text`` with each character that is a key of ``escapes`` replaced by its value."""
    return "".join(escapes.get(character, character) for character in text)
