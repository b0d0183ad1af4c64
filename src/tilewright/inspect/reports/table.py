"""Inspections as text for a terminal."""

from __future__ import annotations

from collections.abc import Sequence

from tilewright.inspect.analysis import Inspection
from tilewright.inspect.binary.image import ProgramImage
from tilewright.inspect.findings import KINDS, BinaryFinding

SHOWN = 10
"""The maximum number of findings of each kind that are listed, unless all are requested."""


def to_table(inspection: Inspection, kinds: Sequence[str] = (), *, everything: bool = False) -> str:
    """Return a report as text: header, sections, a count for each kind, then the findings with their first
    evidence.

    Only findings of `kinds` are listed, all kinds if it is empty; and at most `SHOWN` of each kind, unless
    `everything` is set.
    """
    image = inspection.image
    parts = [_header(image), _sections(image), _summary(inspection)]
    for kind in kinds or KINDS:
        findings = inspection.of_kind(kind)
        if findings:
            parts.append(_findings(kind, findings, everything=everything))
    return "\n\n".join(part for part in parts if part) + "\n"


def _header(image: ProgramImage) -> str:
    lines = [f"{image.name}: {image.format}, {image.machine}, {image.size} bytes"]
    for key, value in image.header.items():
        shown = hex(value) if isinstance(value, int) and key in ("entry", "flags", "base") else value
        lines.append(f"  {key.replace('_', ' '):12} {shown}")
    return "\n".join(lines)


def _sections(image: ProgramImage) -> str:
    if image.sections:
        rows = [(s.name, s.kind, f"{s.address:#x}", f"{s.size:#x}", s.flags) for s in image.sections]
        return _columns("sections", ("name", "kind", "address", "size", "flags"), rows)
    regions = [(r.name, f"{r.address:#x}", f"{r.size:#x}", r.rights) for r in image.regions]
    return _columns("memory", ("name", "address", "size", "rights"), regions)


def _summary(inspection: Inspection) -> str:
    counts = [(KINDS[kind].replace("_", " "), str(len(inspection.of_kind(kind)))) for kind in KINDS]
    rows = [row for row in counts if row[1] != "0"]
    return _columns("found", ("what", "number"), rows) if rows else "found: nothing"


def _findings(kind: str, findings: Sequence[BinaryFinding], *, everything: bool) -> str:
    shown = findings if everything else findings[:SHOWN]
    rows = [
        (
            finding.name,
            "" if finding.address is None else f"{finding.address:#x}",
            f"{finding.confidence:.2f}",
            finding.evidence[0].what,
        )
        for finding in shown
    ]
    text = _columns(KINDS[kind].replace("_", " "), ("name", "address", "confidence", "evidence"), rows)
    left = len(findings) - len(shown)
    return f"{text}\n  ... {left} more (--all)" if left else text


def _columns(title: str, names: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    table = [tuple(names), *(tuple(row) for row in rows)]
    widths = [min(max(len(row[column]) for row in table), 60) for column in range(len(names))]
    lines = [f"{title}:"]
    for row in table:
        cells = [cell.ljust(width) for cell, width in zip(row, widths, strict=True)]
        lines.append(f"  {'  '.join(cells)}".rstrip())
    return "\n".join(lines)
