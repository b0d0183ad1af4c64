"""Tables that reports share: speeds by subject, and how far goals are."""

from __future__ import annotations

import statistics
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True)
class Goal:
    """Wanted speed as a multiple of the peers'; None where there is no goal."""

    xdsl: float
    mlir: float | None = None


@dataclass(frozen=True)
class Row:
    """One action on one program: thousand operations a second and ratios by subject."""

    family: str
    action: str
    operations: int
    rates: dict[str, float]
    ratios: dict[str, float]


def speed_table(rows: Sequence[Row], names: Sequence[str]) -> list[str]:
    """Markdown: thousand operations a second, and how many times faster than each peer; this project comes first."""
    lines = header("family", "action", "ops", *names, *(f"x {peer}" for peer in names[1:]))
    for row in rows:
        rates = [f"{row.rates[name]:.3g}" for name in names]
        ratios = [f"{row.ratios[peer]:.2f}" for peer in names[1:]]
        lines.append(line(row.family, row.action, str(row.operations), *rates, *ratios))
    return lines


def goal_table(rows: Sequence[Row], goals: Mapping[str, Goal]) -> list[str]:
    """Markdown: the least and the median ratio of every action against its goal."""
    lines = header("action", "peer", "goal", "least", "median", "distance")
    for action, goal in goals.items():
        for peer, wanted in (("xDSL", goal.xdsl), ("MLIR C++", goal.mlir)):
            found = [row.ratios[peer] for row in rows if row.action == action and peer in row.ratios]
            if wanted is None or not found:
                continue
            least, middle = min(found), statistics.median(found)
            cells = f"≥ {wanted}x", f"{least:.2f}x", f"{middle:.2f}x", distance(least, wanted)
            lines.append(line(action, peer, *cells))
    return lines


def distance(least: float, wanted: float) -> str:
    """Words on how far the worst case is from a goal."""
    return "met in every case" if least >= wanted else f"worst case needs {wanted / least:.2f}x more"


def publish(parts: Iterable[str], path: Path | None) -> None:
    """Print the parts of a report as they are measured, and write the report to ``path`` if that is not None."""
    shown: list[str] = []
    for part in parts:
        print(part, end="", flush=True)
        shown.append(part)
    if path is not None:
        path.parent.mkdir(exist_ok=True)
        path.write_text("".join(shown), encoding="utf-8")


def section(title: str, lines: Sequence[str]) -> str:
    """A Markdown section."""
    return f"\n## {title}\n\n" + "\n".join(lines) + "\n"


def header(*cells: str) -> list[str]:
    """The first two lines of a Markdown table."""
    return [line(*cells), line(*("---" for _ in cells))]


def line(*cells: str) -> str:
    """A line of a Markdown table."""
    return f"| {' | '.join(cells)} |"
