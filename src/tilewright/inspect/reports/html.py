"""Inspections as one HTML page: the findings, in groups that fold and can be searched."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

from tilewright.inspect import analysis, findings as inspect_findings
from tilewright.inspect.binary.image import ProgramImage
from tilewright.pages.markup import Child, Markup, element, markup, table
from tilewright.pages.report import Report, RowGroup, code, folded, grouped_table

_SMALLEST_FAMILY = 2
"""The minimum number of names with a common beginning that get a heading."""


def to_html(inspection: analysis.Inspection) -> str:
    """Return an inspection as one HTML page."""
    image = inspection.image
    facts = f"{image.format}, {image.machine}, {image.size:,} bytes"
    return Report(
        image.name, facts, list(_groups(inspection)), [str(note) for note in inspection.notes]
    ).to_html()


def _groups(inspection: analysis.Inspection) -> Iterator[RowGroup]:
    for kind, key in inspect_findings.KINDS.items():
        findings = inspection.of_kind(kind)
        if findings:
            title = key.replace("_", " ").capitalize()
            yield RowGroup(key, title, _table(findings, inspection.image), len(findings))
    image = inspection.image
    fields = [(name, str(value)) for name, value in image.header.items()]
    yield RowGroup("header", "Header", table(("field", "value"), fields))
    rows = [(s.name, s.kind, _address(s.address), f"{s.size:#x}", s.flags) for s in image.sections] or [
        (r.name, r.rights, _address(r.address), f"{r.size:#x}", "") for r in image.regions
    ]
    yield RowGroup(
        "sections", "Sections", table(("name", "kind", "address", "size", "flags"), rows), len(rows)
    )


def _table(findings: Sequence[inspect_findings.BinaryFinding], image: ProgramImage) -> Markup:
    """Return the findings as a table with a heading for each dialect or namespace that has at least two of
    them.
    """
    families = Counter(_family(finding.name) for finding in findings)
    rows = [
        (family if families[family] >= _SMALLEST_FAMILY else "", _row(finding, image))
        for finding in findings
        for family in [_family(finding.name)]
    ]
    rows.sort(key=lambda one: one[0])
    return grouped_table(("name", "address", "confidence", "evidence"), rows, class_="findings")


def _family(name: str) -> str:
    """Return the part of a name before its first dot (the dialect of an operation), or the namespace of a
    class; empty for other names.
    """
    if "::" in name:
        return name.partition("<")[0].rpartition("::")[0]
    before, dot, _ = name.partition(".")
    return before if dot and before.isidentifier() else ""


def _row(finding: inspect_findings.BinaryFinding, image: ProgramImage) -> tuple[Child, ...]:
    address = "" if finding.address is None else _address(finding.address)
    first, *rest = [_line(one, image) for one in finding.evidence]
    return code(finding.name), address, f"{finding.confidence:.2f}", folded(first, rest)


def _line(evidence: inspect_findings.Evidence, image: ProgramImage) -> Markup:
    if evidence.address is None:
        return markup(evidence.what)
    place = f"({image.place(evidence.address)} {evidence.address:#x})"
    return markup(evidence.what, " ", element("span", place, class_="address"))


def _address(address: int) -> Markup:
    return element("span", f"{address:#x}", class_="address")
