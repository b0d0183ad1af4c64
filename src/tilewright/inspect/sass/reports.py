"""Figures of machine code as a table and as JSON, of one cubin or of two side by side."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass, replace
from itertools import zip_longest
from typing import Any

from tilewright.inspect.sass.figures import CodeFigures, InstructionCounts, KernelFigures, LoopFigures
from tilewright.inspect.sass.units import Unit

SCHEMA = "tilewright-sass-1"
Value = int | str | None


@dataclass(frozen=True, slots=True)
class Figures:
    """A file and the figures of its kernels."""

    file: str
    kernels: tuple[KernelFigures, ...]


def to_json(figures: Figures, against: Figures | None = None) -> str:
    """Return all figures as JSON; the figures of a second cubin are the value of ``against``."""
    data = {"schema": SCHEMA, **_data(figures)}
    if against is not None:
        data["against"] = _data(against)
    return json.dumps(data, indent=1) + "\n"


def _data(figures: Figures) -> dict[str, Any]:
    return {"file": figures.file, "kernels": [_kernel_data(kernel) for kernel in figures.kernels]}


def _kernel_data(kernel: KernelFigures) -> dict[str, Any]:
    code = kernel.code
    facts = asdict(replace(kernel, code=None))
    del facts["code"]
    if code is not None:
        loops = [_loop_data(loop) for loop in code.loops]
        hot = None if code.hot is None else code.hot.address
        agents = [loop.address for loop in code.agents]
        executed = code.executed.instructions
        facts["code"] = {
            **_mix_data(code.mix),
            "executed": executed,
            "loops": loops,
            "hot_loop": hot,
            "agents": agents,
        }
    return facts


def _loop_data(loop: LoopFigures) -> dict[str, Any]:
    cycles = None if loop.cycles is None else asdict(loop.cycles)
    return {
        "address": loop.address,
        "depth": loop.depth,
        "waits_only": loop.waits_only,
        "calls": loop.calls,
        "cycles": cycles,
        **_mix_data(loop.mix),
    }


def _mix_data(mix: InstructionCounts) -> dict[str, Any]:
    return {**asdict(mix), "units": {str(unit): count for unit, count in mix.units.items()}}


# --- tables


def to_table(figures: Figures, against: Figures | None = None) -> str:
    """Return a table of figures for each kernel. With `against`, kernels of the same name are put into two
    columns, with a third for the differences.
    """
    pairs = _pairs(figures, against)
    parts = [
        _table(first, second, figures.file, None if against is None else against.file)
        for first, second in pairs
    ]
    return "\n\n".join(parts or [f"{figures.file}: no kernels"]) + "\n"


def _pairs(
    figures: Figures, against: Figures | None
) -> list[tuple[KernelFigures | None, KernelFigures | None]]:
    """Return pairs of kernels with the same name; a kernel without a partner, or any kernel without
    `against`, is paired with None.

    If both sides have exactly one kernel, these two are a pair whatever their names are.
    """
    first, second = figures.kernels, () if against is None else against.kernels
    if against is None or (len(first) == 1 and len(second) == 1):
        return list(zip_longest(first, second))
    others = {kernel.name: kernel for kernel in second}
    paired = [(kernel, others.pop(kernel.name, None)) for kernel in first]
    return [*paired, *((None, kernel) for kernel in others.values())]


def _table(first: KernelFigures | None, second: KernelFigures | None, file: str, against: str | None) -> str:
    kernels = [first] if against is None else [first, second]
    names = dict.fromkeys(kernel.name for kernel in kernels if kernel is not None)
    head = ["kernel " + ", ".join(names), file, *([against, "difference"] if against is not None else [])]
    columns = [dict(_rows(kernel)) if kernel else {} for kernel in kernels]
    labels = list(dict.fromkeys(label for label in _order(columns)))
    rows = [head]
    for label in labels:
        values = [column.get(label) for column in columns]
        row = [label, *map(_shown, values)]
        if against is not None:
            row.append(_difference([column.get(label, 0) for column in columns]) if all(columns) else "")
        rows.append(row)
    return _aligned(rows)


def _order(columns: Sequence[dict[str, Value]]) -> list[str]:
    """Return the labels of all columns, each once, in the order of the first column.

    A label that only a later column has follows its predecessor of that column.
    """
    order = list(columns[0])
    for column in columns[1:]:
        at = 0
        for label in column:
            if label in order:
                at = order.index(label) + 1
            else:
                order.insert(at, label)
                at += 1
    return order


def _rows(kernel: KernelFigures) -> Iterator[tuple[str, Value]]:
    yield "architecture", kernel.architecture
    yield "registers", kernel.registers
    yield "stack bytes", kernel.stack
    yield "shared bytes", kernel.shared
    yield "constant bytes", kernel.constants
    yield "barriers", kernel.barriers
    yield "parameters", kernel.parameters
    yield "parameter bytes", kernel.parameter_bytes
    yield "code bytes", kernel.code_bytes
    if kernel.code is not None:
        yield from _code_rows(kernel.code)


def _code_rows(code: CodeFigures) -> Iterator[tuple[str, Value]]:
    yield "instructions", code.mix.instructions
    yield "with functions at each call", code.executed.instructions
    yield from _unit_rows(code.mix, "  ")
    yield "local load bytes", code.mix.local_load_bytes
    yield "local store bytes", code.mix.local_store_bytes
    yield "loops", len(code.loops)
    yield "local accesses in loops", code.local_in_loops
    hot = code.hot
    if hot is not None:
        yield "hot loop at", f"{hot.address:#06x}"
        yield "  depth", hot.depth
        yield "  instructions", hot.mix.instructions
        yield "  calls of functions", hot.calls
        yield from _unit_rows(hot.mix, "    ")
        if hot.cycles is not None:
            yield "  issue cycles", hot.cycles.issue
            yield "  replayed cycles", hot.cycles.replayed
            yield "  waits for barriers", hot.cycles.waits
    for number, agent in enumerate(code.agents, 1):
        yield f"loop of other warps {number} at", f"{agent.address:#06x}"
        yield f"  instructions of {number}", agent.mix.instructions
        if agent.cycles is not None:
            yield f"  issue cycles of {number}", agent.cycles.issue


def _unit_rows(mix: InstructionCounts, indent: str) -> Iterator[tuple[str, Value]]:
    for unit in Unit:
        if unit in mix.units:
            yield f"{indent}{unit}", mix.units[unit]


def _shown(value: Value) -> str:
    return "-" if value is None else str(value)


def _difference(values: Sequence[Value]) -> str:
    """Return the second of two values minus the first, with its sign; an empty text if they are equal, or one
    of them is no number.
    """
    first, second = values
    if not isinstance(first, int) or not isinstance(second, int) or first == second:
        return ""
    return f"{second - first:+}"


def _aligned(rows: Sequence[Sequence[str]]) -> str:
    """Return rows as columns of equal width, the first left-aligned and the others right-aligned."""
    widths = [max(len(row[column]) for row in rows) for column in range(len(rows[0]))]
    lines: list[str] = []
    for row in rows:
        cells = [cell.rjust(width) for cell, width in zip(row[1:], widths[1:], strict=True)]
        lines.append("  ".join([row[0].ljust(widths[0]), *cells]).rstrip())
    return "\n".join(lines)
