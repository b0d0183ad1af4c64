"""The results of tools: findings as objects, taken from the reports of commands, and as text."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any, TypedDict

from tilewright.ir.diagnostic import DiagnosticError
from tilewright.tool_server.child import CommandResult

Finding = dict[str, Any]
"""A diagnostic as reports in JSON have it: severity, code, message, file, line, column, notes, hints, fixes."""


class Result(TypedDict):
    """The result of a tool: the exit status of its command, its findings, and its output."""

    status: int
    findings: list[Finding]
    output: str


def of_outcome(outcome: CommandResult, *, has_report: bool) -> Result:
    """Return the result of a command, whose output is stdout and then stderr. With ``has_report``, the
    findings come from the report in JSON at the end of stdout, which is removed from the output; without one,
    there are no findings.
    """
    said, findings = _split(outcome.out) if has_report else (outcome.out, [])
    output = "\n".join(text.rstrip() for text in (said, outcome.err) if text.strip())
    return {"status": outcome.status, "findings": findings, "output": output}


def of_error(error: DiagnosticError) -> Result:
    """Return the result of a call that was refused or stopped: status 2, the diagnostics of the error as
    findings without positions, and no output.
    """
    findings = [
        {
            "severity": one.severity.name.lower(),
            "code": str(one.code) if one.code else None,
            "message": one.message,
            "hints": list(one.hints),
        }
        for one in error.diagnostics
    ]
    return {"status": 2, "findings": findings, "output": ""}


def _split(text: str) -> tuple[str, list[Finding]]:
    """Return the text before the report in JSON, which begins at a line of its own, and the findings in the
    report. Without a complete report, return the whole text and no findings.
    """
    at = text.rfind("\n{\n") + 1
    try:
        report: dict[str, Any] = json.loads(text[at:])
    except ValueError:  # there is none, or a part of it was left out
        return text, []
    inputs: list[dict[str, Any]] = report.get("inputs", [])
    return text[:at], [
        *report.get("findings", []),
        *(one for given in inputs for one in given["diagnostics"]),
    ]


def text_of(result: Result) -> str:
    """Return a result as text: the exit status and the number of findings, each finding with its notes, hints
    and fixes, and the output.
    """
    findings, output = result["findings"], result["output"]
    count = f"{len(findings)} finding{'s'[len(findings) == 1 :]}"
    lines = [f"exit status {result['status']}, {count}"]
    for one in findings:
        lines += _lines(one)
    return "\n".join([*lines, *(["output:", output] if output else [])])


def _lines(finding: Finding) -> Iterator[str]:
    code = f"[{finding['code']}]" if finding.get("code") else ""
    yield f"{_place(finding)}{finding['severity']}{code}: {finding['message']}"
    for note in finding.get("notes", ()):
        yield f"{_place(note)}note: {note['message']}"
    yield from (f"hint: {hint}" for hint in finding.get("hints", ()))
    for fix in finding.get("fixes", ()):
        yield f"{_place(fix)}fix: replace {fix['replaced']!r} by {fix['text']!r}"


def _place(found: Finding) -> str:
    words = [str(found[key]) for key in ("file", "line", "column") if found.get(key)]
    return f"{':'.join(words)}: " if words else ""
