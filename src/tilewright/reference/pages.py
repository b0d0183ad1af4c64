"""All pages of the published dialects, by their paths."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Any

from tilewright.abi.documentation import pages as abi_pages
from tilewright.ir.diagnostic import DiagnosticCode
from tilewright.ir.dialect import Dialect
from tilewright.ir.operation import Operation
from tilewright.reference import markdown
from tilewright.reference.op_page import op_page, since_of
from tilewright.reference.subjects import PUBLISHED, codes, dialect, element_types
from tilewright.reference.type_page import attribute_page, element_page, type_page

GENERATED = "This page is generated: `python -m tilewright.reference docs/reference`."


def pages() -> dict[str, str]:
    """Return every page by its path below the reference's folder."""
    found = {"index.md": _index(), "diagnostics.md": _diagnostics()}
    for name in PUBLISHED:
        found |= _dialect_pages(dialect(name))
    for spelling, element in element_types().items():
        found[f"elements/{spelling}.md"] = element_page(element)
    found |= {f"abi/{name}": text for name, text in abi_pages().items()}
    return dict(sorted(found.items()))


OTHERS = ("reports.md",)
"""Pages of `docs/reference` that other tools write."""


def write_pages(folder: Path) -> list[Path]:
    """Write every page below a folder, remove all other Markdown files there except `OTHERS`, and return the
    paths of written and removed files. Files whose text is up to date are not written.
    """
    wanted = {folder / path: text for path, text in pages().items()}
    changed: list[Path] = []
    for path, text in wanted.items():
        if not path.is_file() or path.read_text(encoding="utf-8") != text:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8")
            changed.append(path)
    for stale in sorted(set(folder.rglob("*.md")) - wanted.keys() - {folder / name for name in OTHERS}):
        stale.unlink()
        changed.append(stale)
    return changed


def _dialect_pages(published: Dialect) -> dict[str, str]:
    name = published.name
    found = {f"{name}/index.md": _dialect_index(published)}
    for op_class in published.operations:
        found[f"{name}/operations/{op_class.op_kind.mnemonic}.md"] = op_page(op_class.op_kind)
    for short, type_class in published.types.items():
        found[f"{name}/types/{short}.md"] = type_page(type_class, published)
    for short, attribute_class in published.attributes.items():
        found[f"{name}/attributes/{short}.md"] = attribute_page(attribute_class, published)
    return found


def _index() -> str:
    dialects = [(markdown.link(name, f"{name}/index.md"), dialect(name).doc) for name in PUBLISHED]
    elements = ", ".join(markdown.link(name, f"elements/{name}.md") for name in element_types())
    return markdown.page(
        "Reference",
        GENERATED,
        markdown.section("Dialects", markdown.table(("dialect", "contents"), dialects)),
        markdown.section("Element types", elements),
        markdown.section("Byte layouts", "Where things lie in memory: see [byte layouts](abi/index.md)."),
        markdown.section("Diagnostics", "Every diagnostic has a code: see [diagnostics](diagnostics.md)."),
    )


def _dialect_index(published: Dialect) -> str:
    groups: dict[str, list[type[Operation]]] = {}
    for op_class in published.operations:
        groups.setdefault(getattr(op_class, "group", "Operations"), []).append(op_class)
    types = [
        (markdown.link(n, f"types/{n}.md"), markdown.documentation(c)[0]) for n, c in published.types.items()
    ]
    attributes = [
        (markdown.link(n, f"attributes/{n}.md"), _about(c)) for n, c in published.attributes.items()
    ]
    return markdown.page(
        f"Dialect {markdown.code(published.name)}",
        published.doc,
        *(markdown.section(group, _operations(classes)) for group, classes in groups.items()),
        markdown.section("Types", markdown.table(("type", "meaning"), types)),
        markdown.section("Attributes", markdown.table(("attribute", "meaning"), attributes)),
    )


def _about(attribute_class: Any) -> str:
    return markdown.documentation(getattr(attribute_class, "enumeration", attribute_class))[0]


def _operations(classes: Iterable[type[Operation]]) -> str:
    kinds = [op_class.op_kind for op_class in classes]
    rows = [
        (
            markdown.link(kind.mnemonic, f"operations/{kind.mnemonic}.md"),
            since_of(kind),
            markdown.documentation(kind.op_class)[0],
        )
        for kind in kinds
    ]
    return markdown.table(("operation", "since", "meaning"), rows)


def code_page(entry: DiagnosticCode) -> str:
    """Return the Markdown page of a diagnostic code: its title and its explanation."""
    return markdown.page(f"{entry}: {entry.title}", entry.explanation)


def _diagnostics() -> str:
    parts = [markdown.section(f"{entry}: {entry.title}", entry.explanation) for entry in codes().values()]
    return markdown.page("Diagnostics", GENERATED, *parts)
