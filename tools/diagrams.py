"""The diagrams of `docs/concepts/architecture.md`, as SVG; ``pytest tests/house/test_diagrams.py --bless`` writes them.

The floors are read from the page's table, so that the page and its diagram agree.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from html import escape

PATH = (
    ("bytecode", ""),
    ("cuda_tile", "bytecode"),
    ("nv_tileaa", "lowering"),
    ("nv_tileas", "lowering"),
    ("plan", "targets/cpu/planning"),
    ("llvm", "targets/cpu"),
    ("LLVM IR", "targets/llvm"),
    ("object", "targets/cpu/machine"),
    ("launch", "runtime"),
)
"""The forms of a compiled kernel, each with the package that makes it from the form before."""
INSIDE = {"cuda_tile": ("optimizer", "instrument")}
"""Packages that rewrite a form and keep its dialect."""

WIDTH, LINE, GAP, BOX, CHARACTER = 760, 44, 10, 30, 7.8
"""Lengths in pixels: of the picture, a floor, a gap, a box's height, and one character of 13-pixel type."""
STYLE = (
    "text{font:13px ui-monospace,monospace;fill:#1c2b39;text-anchor:middle}"
    ".floor{fill:#5a6b7b;text-anchor:start}.how{font-size:11px;fill:#5a6b7b}"
    "rect{fill:#e8f1fa;stroke:#5b8db8;rx:5px}.back{fill:#fff;stroke:none}"
    "path{stroke:#5a6b7b;fill:none;marker-end:url(#tip)}marker path{fill:#5a6b7b;marker-end:none}"
)
_ROW = re.compile(r"^\| (\d) \| ((?:`[\w/]+`(?:, )?)+) \|", re.MULTILINE)


def floors(page: str) -> dict[str, int]:
    """Packages and their floors, in the order of the page's table."""
    rows = _ROW.findall(page)
    return {name: int(floor) for floor, names in rows for name in re.findall(r"[\w/]+", names)}


def floors_svg(packages: dict[str, int]) -> str:
    """One line for each floor, the highest at the top."""
    parts: list[str] = []
    levels = sorted(set(packages.values()), reverse=True)
    for row, level in enumerate(levels):
        names = [name for name, floor in packages.items() if floor == level]
        y = GAP + row * LINE
        parts.append(_text(GAP * 2, y + 20, str(level), "floor"))
        parts += _boxes(names, 50, y)
    return _svg(WIDTH, GAP + len(levels) * LINE, parts)


def _boxes(names: Iterable[str], x: float, y: float) -> list[str]:
    parts: list[str] = []
    for name in names:
        width = round(len(name) * CHARACTER + 2 * GAP)
        parts.append(_box(x, y, width, name))
        x += width + GAP
    return parts


def path_svg() -> str:
    """Forms from left to right in two lines, each arrow with the package that it stands for."""
    half = len(PATH) // 2
    step, height = WIDTH / half, 110
    parts: list[str] = []
    for number, (form, maker) in enumerate(PATH):
        row, column = divmod(number, half)
        x, y = column * step + 70, row * height + 30
        if maker:
            parts.append(_arrow(x - 90 if column else 6, x - 1, y + BOX / 2))
            parts.append(_text(x - 45 if column else x - 30, y - 8, maker, "how"))
        parts.append(_box(x, y, 100, form))
        parts += [
            _text(x + 50, y + BOX + 16 + 14 * at, name, "how") for at, name in enumerate(INSIDE.get(form, ()))
        ]
    return _svg(WIDTH, 2 * height, parts)


def _box(x: float, y: float, width: float, name: str) -> str:
    return f'<rect x="{x:g}" y="{y:g}" width="{width:g}" height="{BOX}"/>\n' + _text(
        x + width / 2, y + 20, name
    )


def _text(x: float, y: float, text: str, kind: str = "") -> str:
    named = f' class="{kind}"' if kind else ""
    return f'<text x="{x:g}" y="{y:g}"{named}>{escape(text)}</text>'


def _arrow(start: float, end: float, y: float) -> str:
    return f'<path d="M{start:g} {y:g}H{end:g}"/>'


def _svg(width: float, height: float, parts: Sequence[str]) -> str:
    tip = (
        '<marker id="tip" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="7" markerHeight="7" orient="auto">'
    )
    head = f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width:g} {height:g}" width="{width:g}">'
    defs = f'<defs><style>{STYLE}</style>{tip}<path d="M0 0L8 4L0 8z"/></marker></defs>'
    back = f'<rect class="back" width="{width:g}" height="{height:g}"/>'
    return "\n".join([head, defs, back, *parts, "</svg>"]) + "\n"
