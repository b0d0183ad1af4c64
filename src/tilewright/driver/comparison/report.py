"""Comparisons of launches as text and as JSON objects."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from tilewright.driver.comparison.arrays import ComparedArray, ErrorFigures
from tilewright.driver.comparison.launch import LaunchComparison

if TYPE_CHECKING:
    from tilewright.cli import report_shapes as shapes

_HEAD = f"  {'':12} {'largest':>9} {'relative':>9} {'median':>9} {'beyond':>8}  element"


def comparison_text(found: LaunchComparison) -> str:
    """Return a comparison as a table: for each array and target the largest error in units in the last place, its
    relative size and its element, the median, and the share of elements beyond the promise of the operations.
    """
    grid = " x ".join(map(str, found.grid))
    lines = [f"kernel '{found.kernel}', grid {grid}"]
    if found.skipped:
        return f"{lines[0]}: not compared. {found.skipped}"
    for array in found.arrays:
        shape = ", ".join(map(str, array.written.shape))
        lines += [f"  {array.name}: {array.format.name}[{shape}]", _HEAD]
        lines += [_row(target, figures) for target, figures in array.targets.items()]
    if not found.arrays:
        lines.append("  no array of floats was written")
    lines += [f"  with {order}: other bits in {_element(*where)}" for order, where in found.orders.items()]
    return "\n".join(lines)


def _row(target: str, figures: ErrorFigures) -> str:
    numbers = f"{figures.units:9.3g} {figures.relative:9.2g} {figures.median:9.3g} {figures.beyond:8.1%}"
    return f"  {target:12} {numbers}  {list(figures.element)}"


def _element(name: str, element: tuple[int, ...]) -> str:
    return f"{name}{list(element)}" if element else name


def comparison_object(found: LaunchComparison) -> shapes.ComparedLaunch:
    """Return a comparison as a JSON object; a number that is not finite is null."""
    return {
        "kernel": found.kernel,
        "grid": list(found.grid),
        "skipped": found.skipped or None,
        "arrays": [_array(one) for one in found.arrays],
        "orders": [
            {"order": order, "array": name, "element": list(element)}
            for order, (name, element) in found.orders.items()
        ],
    }


def _array(array: ComparedArray) -> shapes.ComparedArray:
    return {
        "name": array.name,
        "element": array.format.name,
        "shape": [int(extent) for extent in array.written.shape],
        "written": int(array.written.sum()),
        "targets": {
            target: {
                "units": _finite(figures.units),
                "relative": _finite(figures.relative),
                "element": list(figures.element),
                "median": _finite(figures.median),
                "beyond": figures.beyond,
            }
            for target, figures in array.targets.items()
        },
    }


def _finite(number: float) -> float | None:
    return number if math.isfinite(number) else None
