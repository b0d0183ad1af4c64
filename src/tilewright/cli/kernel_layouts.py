"""The layouts of a kernel's tiles as `tilewright layout` shows them: in words with tables, as a record, as a picture."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from tilewright.cli.errors import UsageError
from tilewright.cli.inputs import STDIN, SUFFIXES, read_input
from tilewright.ir.support.nearest import nearest
from tilewright.layouts.description import description, fields
from tilewright.layouts.grids import MAX_DRAWN, Grid, cell_count, grids
from tilewright.layouts.linear import LinearLayout
from tilewright.layouts.linear_text import linear_text
from tilewright.lowering.tileas.placements import Placement, placements

Placements = dict[LinearLayout, list[Placement]]
"""The values of a kernel by their layouts."""


def is_kernel(word: str) -> bool:
    """Whether a word names a file with a module, or stdin, and is no expression."""
    return word == "-" or word.endswith(SUFFIXES)


def placements_of(file: str, target: str, value: str) -> Placements:
    """The layouts of all tiles of a module on a target, or of those with a name.

    Raises `UsageError` if no tile has the name, and `DiagnosticError` if the target has no layouts.
    """
    from tilewright.driver.compile import compile
    from tilewright.driver.sources import read_any

    artifact = compile(read_any(read_input(file), STDIN if file == "-" else file), target=target)
    found = list(placements(artifact.module("layouts")))
    name = value if value.startswith("%") or not value else f"%{value}"
    chosen = [one for one in found if name in ("", one.name)]
    if not chosen:
        raise _nothing(name, [one.name for one in found])
    by_layout: Placements = {}
    for one in chosen:
        by_layout.setdefault(one.layout, []).append(one)
    return by_layout


def _nothing(name: str, known: Sequence[str]) -> UsageError:
    if not known:
        return UsageError("the module has no tiles that threads share", "scalars have no layout")
    close = nearest(name, known) or known[0]
    hint = f"names are those of the stage 'layouts' (tilewright compile --emit=layouts), such as {close}"
    return UsageError(f"no tile is called '{name}'", hint)


def words(found: Placements) -> str:
    """Each layout with the values that have it, and its tables."""
    return "\n\n".join(
        "\n".join([*map(_line, values), description(layout)]) for layout, values in found.items()
    )


def _line(one: Placement) -> str:
    return f"@{one.function} {one.name} : {one.type}{_place(one)}"


def _place(one: Placement) -> str:
    source = one.location.source
    return " at {}:{}:{}".format(*source) if source is not None else ""


def records(found: Placements) -> dict[str, Any]:
    """The same for other programs."""
    layouts = [{**fields(layout), "values": [*map(_fields, values)]} for layout, values in found.items()]
    return {"schema": 1, "kind": "kernel", "layouts": layouts}


def _fields(one: Placement) -> dict[str, Any]:
    return {"function": one.function, "name": one.name, "type": one.type, "location": one.location.source}


def tables(found: Placements) -> list[Grid]:
    """The tables of all layouts that are small enough to be drawn, with the values in their titles.

    Raises `DiagnosticError` if none is.
    """
    small = [layout for layout in found if cell_count(layout) <= MAX_DRAWN] or list(found)
    return [
        replace(
            table, title=f"{', '.join(one.name for one in found[layout])} {linear_text(layout)} {table.title}"
        )
        for layout in small
        for table in grids(layout, MAX_DRAWN)
    ]
