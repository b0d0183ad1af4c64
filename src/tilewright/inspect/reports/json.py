"""Inspections as JSON.  Addresses are hexadecimal text, so that every reader keeps all 64 bits."""

from __future__ import annotations

import json
from typing import Any

from tilewright.inspect import analysis, findings as inspect_findings
from tilewright.inspect.binary.image import ProgramImage, SectionRow
from tilewright.ir.diagnostic import Diagnostic

SCHEMA = "tilewright-inspect-1"


def to_json(inspection: analysis.Inspection) -> str:
    """Return the whole inspection as JSON text; every kind of finding has its list, which may be empty."""
    return json.dumps(as_data(inspection), indent=1) + "\n"


def as_data(inspection: analysis.Inspection) -> dict[str, Any]:
    """Return the facts of the image, the notes, and for each kind of finding a list, which may be empty, as
    dictionaries and lists, which `to_json` writes. Addresses of findings, sections and regions are
    hexadecimal text.
    """
    image = inspection.image
    data: dict[str, Any] = {
        "schema": SCHEMA,
        "file": image.name,
        "format": image.format,
        "machine": image.machine,
        "size": image.size,
        "header": dict(image.header),
        "sections": [_section(row) for row in image.sections],
        "regions": _regions(image),
        "notes": [_note(note) for note in inspection.notes],
    }
    for kind, key in inspect_findings.KINDS.items():
        data[key] = [_finding(finding, image) for finding in inspection.of_kind(kind)]
    return data


def _section(row: SectionRow) -> dict[str, Any]:
    return {
        "name": row.name,
        "kind": row.kind,
        "address": hex(row.address),
        "offset": row.offset,
        "size": row.size,
        "flags": row.flags,
    }


def _regions(image: ProgramImage) -> list[dict[str, Any]]:
    return [
        {"name": region.name, "address": hex(region.address), "size": region.size, "rights": region.rights}
        for region in image.regions
    ]


def _note(note: Diagnostic) -> dict[str, Any]:
    code = str(note.code) if note.code else ""
    return {
        "severity": note.severity.name.lower(),
        "code": code,
        "message": note.message,
        "hints": list(note.hints),
    }


def _finding(finding: inspect_findings.BinaryFinding, image: ProgramImage) -> dict[str, Any]:
    return {
        "name": finding.name,
        "address": None if finding.address is None else hex(finding.address),
        "confidence": finding.confidence,
        "evidence": [_evidence(evidence, image) for evidence in finding.evidence],
        **{key.replace(" ", "_"): value for key, value in finding.details.items()},
    }


def _evidence(evidence: inspect_findings.Evidence, image: ProgramImage) -> dict[str, Any]:
    if evidence.address is None:
        return {"what": evidence.what}
    return {"what": evidence.what, "address": hex(evidence.address), "section": image.place(evidence.address)}
