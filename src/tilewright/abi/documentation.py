"""Reference pages of the layouts, derived from their declarations."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from tilewright.abi.catalogue import families
from tilewright.abi.layout import AbiLayout, LayoutField, Profile, Struct
from tilewright.abi.table_shapes import TABLE_SHAPES, TableShape

GENERATED = "This page is generated: `pytest tests/abi/test_documentation.py --bless`."
TABLES_PAGE = "tables.md"


def pages() -> dict[str, str]:
    """Return the text of every page, as Markdown, by its file name: the index, a page for each family of
    layouts, and the page of the tables of code pointers.
    """
    found = {"index.md": _index(), TABLES_PAGE: _tables_page()}
    for family, layouts in families().items():
        body = "\n".join(layout_text(layout) for layout in layouts)
        found[file_name(family)] = f"# Layouts: {family}\n\n{GENERATED}\n\n{body}"
    return found


def file_name(family: str) -> str:
    """Return the file name of a family's page, such as ``async_values.md``."""
    return family.replace(" ", "_") + ".md"


def layout_text(layout: AbiLayout, profiles: Sequence[Profile] = tuple(Profile)) -> str:
    """Return a layout as Markdown, one section for each of `profiles` that has it; profiles with the same
    struct share a section.
    """
    parts = [f"## `{layout.name}`\n"]
    shown: dict[int, list[Profile]] = {}
    for profile in profiles:
        if profile in layout.structs:
            shown.setdefault(id(layout.structs[profile]), []).append(profile)
    for held in shown.values():
        struct = layout.structs[held[0]]
        parts.append(f"### {' and '.join(f'`{profile}`' for profile in held)}\n\n{struct_text(struct)}")
    return "\n".join(parts)


def struct_text(struct: Struct) -> str:
    """Return a struct as Markdown: its name and size, its fields, the data that follows it, and doubtful points."""
    parts = [f"`{struct.name}`, {struct.size} ({struct.size:#x}) bytes. {struct.doc}\n"]
    parts.append(_table(("offset", "width", "field", "meaning", "source"), map(_row, _ordered(struct))))
    if struct.trailing:
        parts.append(f"Followed by: `{struct.trailing}`.\n")
    parts += [f"- {note}\n" for note in struct.notes]
    return "\n".join(parts)


def _ordered(struct: Struct) -> list[LayoutField]:
    return sorted(struct.fields, key=lambda f: (f.offset, f.view, f.bits.shift if f.bits else 0))


def _row(field: LayoutField) -> tuple[str, ...]:
    name = f"`{field.name}`" + (" (view)" if field.view else "")
    return f"`{field.offset:#05x}`", f"`{field.width}`", name, field.meaning, field.source


def table_text(shape: TableShape) -> str:
    """Return a table of code pointers as Markdown: its slots, and the words before them."""
    prefix = "the first two slots are" if shape.counts_prefix else "in front of slot 0 lie"
    head = (
        f"### `{shape.name}`, `{shape.profile}`\n\n{shape.doc} {len(shape.slots)} slots; {prefix} the two Itanium words; "
        f"tables side by side repeat every {shape.stride:#x} bytes. Source: {shape.source}.\n"
    )
    rows = [
        (str(number), f"`{shape.offset(name):#x}`", f"`{name}`", _slot_note(shape, number))
        for number, name in enumerate(shape.slots)
    ]
    return head + "\n" + _table(("slot", "offset", "name", "in every table"), rows)


def _slot_note(shape: TableShape, number: int) -> str:
    if number in shape.invariant:
        return "the same address"
    return "may be null" if number in shape.nullable else ""


def _tables_page() -> str:
    return f"# Tables of code pointers\n\n{GENERATED}\n\n" + "\n".join(map(table_text, TABLE_SHAPES))


def _index() -> str:
    rows = [
        (f"[{family}]({file_name(family)})", ", ".join(f"`{layout.name}`" for layout in layouts))
        for family, layouts in families().items()
    ]
    rows.append(
        (
            f"[tables of code pointers]({TABLES_PAGE})",
            ", ".join(sorted({f"`{s.name}`" for s in TABLE_SHAPES})),
        )
    )
    intro = (
        "Byte layouts by family. `tileiras-13.1` is what published notes on that program state; `mlir-upstream` is MLIR of "
        "LLVM 22 on 64-bit Itanium machines, compared with a running MLIR by the tests. Fields whose source is 'chosen here' "
        "are described nowhere; images need them."
    )
    return f"# Byte layouts\n\n{GENERATED}\n\n{intro}\n\n{_table(('family', 'layouts'), rows)}"


def _table(header: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    lines = [_cells(header), _cells(["---"] * len(header)), *map(_cells, rows)]
    return "\n".join(lines) + "\n"


def _cells(cells: Sequence[str]) -> str:
    return "| " + " | ".join(cell.replace("|", "\\|") for cell in cells) + " |"
