"""The layouts of a kernel as `tilewright layout` shows them: in words with tables, as a record, as a picture."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from tilewright.cli.errors import UsageError
from tilewright.cli.inputs import STDIN, SUFFIXES, read_input
from tilewright.ir.support.strings import nearest
from tilewright.layouts.description import fields, with_tables
from tilewright.layouts.grids import MAX_DRAWN, LayoutGrid
from tilewright.lowering.tileas.placements import Placement
from tilewright.targets.nvptx.drawings import DrawingKind, LayoutDrawing, drawings

Drawings = Sequence[LayoutDrawing]
"""The drawings of a kernel's layouts."""


def is_kernel(word: str) -> bool:
    """Return whether a word is ``-`` (stdin) or has the suffix of a file with a module, and so is not an
    expression.
    """
    return word == "-" or word.endswith(SUFFIXES)


def drawings_of(file: str, target: str, value: str) -> Drawings:
    """Return the layouts of a module's tiles on a target, with shared memory and fragments; of all tiles, or
    of the tiles called ``value`` (with or without ``%``). Raises `UsageError` if there is no such tile, and
    `DiagnosticError` if the target has no layouts.
    """
    from tilewright.driver.compile import compile
    from tilewright.driver.sources import read_any

    artifact = compile(read_any(read_input(file), STDIN if file == "-" else file), target=target)
    found = drawings(artifact.module("layouts"))
    name = value if value.startswith("%") or not value else f"%{value}"
    chosen = [_of_name(one, name) for one in found] if name else found
    chosen = [one for one in chosen if one.values]
    if not chosen:
        raise _nothing(name, [value.name for one in found for value in one.values])
    return chosen


def _of_name(drawing: LayoutDrawing, name: str) -> LayoutDrawing:
    """Return a drawing of only the values called `name`."""
    return replace(drawing, values=tuple(value for value in drawing.values if value.name == name))


def _nothing(name: str, known: Sequence[str]) -> UsageError:
    if not known:
        return UsageError("the module has no tiles that threads share", "scalars have no layout")
    close = nearest(name, known) or known[0]
    hint = f"take a name from the stage 'layouts' (tilewright compile --emit=layouts), such as {close}"
    return UsageError(f"no tile is called '{name}'", hint)


def drawings_text(found: Drawings) -> str:
    """Return for each layout the values that have it, one a line, then the layout in words and its tables."""
    return "\n\n".join(
        "\n".join([*map(_line, one.values), with_tables(_about(one), one.cells, one.tables)]) for one in found
    )


def _about(drawing: LayoutDrawing) -> str:
    of = "" if drawing.kind is DrawingKind.REGISTERS else f"{drawing.kind.value}: "
    return f"{of}{drawing.text}\n{drawing.words}"


def _line(one: Placement) -> str:
    return f"@{one.function} {one.name} : {one.type}{_place(one)}"


def _place(one: Placement) -> str:
    source = one.location.source
    return " at {}:{}:{}".format(*source) if source is not None else ""


def records(found: Drawings) -> dict[str, Any]:
    """Return the drawings as a JSON object: ``layouts`` of registers, and ``others`` (shared memory,
    fragments).
    """
    layouts = [
        {**fields(one.values[0].layout), "values": _values(one)}
        for one in found
        if one.kind is DrawingKind.REGISTERS
    ]
    others = [
        {"kind": one.kind.value, "text": one.text, "about": one.words, "values": _values(one)}
        for one in found
        if one.kind is not DrawingKind.REGISTERS
    ]
    return {"schema": 1, "kind": "kernel", "layouts": layouts, "others": others}


def _values(drawing: LayoutDrawing) -> list[dict[str, Any]]:
    return [
        {"function": one.function, "name": one.name, "type": one.type, "location": one.location.source}
        for one in drawing.values
    ]


def tables(found: Drawings) -> list[LayoutGrid]:
    """Return the tables of the layouts that have at most `MAX_DRAWN` cells, or of the first layout if all are
    larger.

    The titles name the values. Raises `DiagnosticError` if the layout has too many cells.
    """
    small = [one for one in found if one.cells <= MAX_DRAWN] or found[:1]
    return [
        replace(table, title=f"{', '.join(value.name for value in one.values)} {one.text} {table.title}")
        for one in small
        for table in one.tables(MAX_DRAWN)
    ]
