"""Every declared layout by name."""

from __future__ import annotations

import difflib

from tilewright.abi.codes import UNKNOWN_LAYOUT
from tilewright.abi.layout import AbiLayout, Profile, Struct
from tilewright.abi.layouts import (
    async_value,
    containers,
    descriptors,
    diagnostic,
    operation,
    patterns,
    uniquer,
    walk,
)
from tilewright.ir.diagnostic import failure

CATALOGUE: dict[str, AbiLayout] = {
    layout.name: layout
    for family in (
        operation.LAYOUTS,
        walk.LAYOUTS,
        patterns.LAYOUTS,
        containers.LAYOUTS,
        uniquer.LAYOUTS,
        async_value.LAYOUTS,
        diagnostic.LAYOUTS,
        descriptors.LAYOUTS,
        patterns.REGISTER_CLASS_LAYOUTS,
    )
    for layout in family
}
"""Maps the name of each declared layout to the layout, in the order of families."""


def families() -> dict[str, list[AbiLayout]]:
    """Return the layouts of each family, by the name of the family."""
    found: dict[str, list[AbiLayout]] = {}
    for layout in CATALOGUE.values():
        found.setdefault(layout.family, []).append(layout)
    return found


def layout(name: str) -> AbiLayout:
    """Return the layout called ``name``. Raises `DiagnosticError`, which suggests similar names, if there is
    none.
    """
    found = CATALOGUE.get(name)
    if found is None:
        close = difflib.get_close_matches(name, CATALOGUE, n=3)
        hint = f"did you mean {' or '.join(close)}?" if close else "`tilewright abi list` shows all names"
        raise failure(UNKNOWN_LAYOUT, f"no layout is called '{name}'", hint=hint)
    return found


def struct(name: str, profile: Profile) -> Struct:
    """Return the struct of the layout called ``name`` in a profile. Raises `DiagnosticError` if there is no
    such layout, or if it does not exist in this profile.
    """
    held = layout(name)
    if profile not in held.structs:
        others = ", ".join(str(other) for other in held.structs)
        raise failure(
            UNKNOWN_LAYOUT, f"'{name}' does not exist in profile {profile}", hint=f"it exists in {others}"
        )
    return held.structs[profile]
