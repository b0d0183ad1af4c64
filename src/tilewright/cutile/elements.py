"""Names of element types in cuTile."""

from __future__ import annotations

from tilewright.host.elements import ELEMENTS, ArrayElement


def cutile_name(element: ArrayElement) -> str:
    """Return the name of an element type in ``cuda.tile``, such as ``float32`` or ``bool_``."""
    return "bool_" if element.numpy == "bool" else element.numpy


BY_CUTILE_NAME = {cutile_name(element): element for element in ELEMENTS}
