"""Inspections as one HTML page without scripts or outside references."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from html import escape

from tilewright.inspect.analysis import Inspection
from tilewright.inspect.binary.image import Image
from tilewright.inspect.findings import KINDS, Evidence, Finding

STYLE = """
body { font: 14px/1.4 system-ui, sans-serif; margin: 2em auto; max-width: 75em; padding: 0 1em; }
table { border-collapse: collapse; margin: .5em 0 1.5em; width: 100%; }
th, td { border-bottom: 1px solid #ccc; padding: .2em .6em; text-align: left; vertical-align: top; }
td, pre, code { overflow-wrap: anywhere; }
pre { white-space: pre-wrap; }
code, .address { font-family: ui-monospace, monospace; font-size: 13px; }
.note { background: #fff3cd; padding: .4em .8em; }
summary { cursor: pointer; }
@media (prefers-color-scheme: dark) { body { background: #181818; color: #ddd; } .note { background: #443c10; } }
"""


def to_html(inspection: Inspection) -> str:
    """The whole inspection."""
    image = inspection.image
    body = [
        f"<h1>{escape(image.name)}</h1>",
        f"<p>{escape(image.format)}, {escape(image.machine)}, {image.size} bytes</p>",
        *(f'<p class="note">{escape(str(note))}</p>' for note in inspection.notes),
        *_contents(inspection),
        *_layout(image),
    ]
    for kind in KINDS:
        findings = inspection.of_kind(kind)
        if findings:
            body.extend(_section(kind, findings, image))
    return page(image.name, body)


def page(title: str, body: Sequence[str]) -> str:
    """A page around some lines of HTML."""
    head = f'<meta charset="utf-8"><title>{escape(title)}</title><style>{STYLE}</style>'
    return (
        f'<!doctype html>\n<html lang="en"><head>{head}</head>\n<body>\n'
        + "\n".join(body)
        + "\n</body></html>\n"
    )


def table(names: Sequence[str], rows: Sequence[Sequence[str]]) -> Iterator[str]:
    """A table; cells are HTML already."""
    yield "<table><tr>" + "".join(f"<th>{escape(name)}</th>" for name in names) + "</tr>"
    for row in rows:
        yield "<tr>" + "".join(f"<td>{cell}</td>" for cell in row) + "</tr>"
    yield "</table>"


def _contents(inspection: Inspection) -> Iterator[str]:
    rows = [
        (f'<a href="#{KINDS[kind]}">{KINDS[kind].replace("_", " ")}</a>', str(count))
        for kind in KINDS
        if (count := len(inspection.of_kind(kind)))
    ]
    yield "<h2>Found</h2>"
    yield from table(("what", "number"), rows)


def _layout(image: Image) -> Iterator[str]:
    yield "<h2>Header</h2>"
    yield from table(
        ("field", "value"), [(escape(key), escape(str(value))) for key, value in image.header.items()]
    )
    yield "<h2>Sections</h2>"
    rows = [
        (escape(s.name), escape(s.kind), _address(s.address), f"{s.size:#x}", escape(s.flags))
        for s in image.sections
    ] or [(escape(r.name), r.rights, _address(r.address), f"{r.size:#x}", "") for r in image.regions]
    yield from table(("name", "kind", "address", "size", "flags"), rows)


def _section(kind: str, findings: Sequence[Finding], image: Image) -> Iterator[str]:
    key = KINDS[kind]
    yield f'<h2 id="{key}">{key.replace("_", " ").capitalize()} ({len(findings)})</h2>'
    rows = [
        (
            f"<code>{escape(finding.name)}</code>",
            "" if finding.address is None else _address(finding.address),
            f"{finding.confidence:.2f}",
            _evidence(finding.evidence, image),
        )
        for finding in findings
    ]
    yield from table(("name", "address", "confidence", "evidence"), rows)


def _evidence(evidence: Sequence[Evidence], image: Image) -> str:
    lines = [_line(one, image) for one in evidence]
    if len(lines) == 1:
        return lines[0]
    rest = "<br>".join(lines[1:])
    return f"<details><summary>{lines[0]}</summary>{rest}</details>"


def _line(evidence: Evidence, image: Image) -> str:
    if evidence.address is None:
        return escape(evidence.what)
    place = escape(image.place(evidence.address))
    return f"{escape(evidence.what)} <span class='address'>({place} {evidence.address:#x})</span>"


def _address(address: int) -> str:
    return f'<span class="address">{address:#x}</span>'
