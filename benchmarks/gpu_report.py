"""The document of `benchmarks.gpu_static`, from its cells."""

from __future__ import annotations

import statistics
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from benchmarks.gpu_work import CHIPS, SCHEDULERS, of_work
from benchmarks.tables import header, line

OURS, THEIRS, TRITON = "ours", "tileiras", "Triton"
COLUMNS = OURS, THEIRS, TRITON
MEASURES = "instructions", "issue", "replayed"
REASONS = 3
"""As many classes of instructions are named for a cell."""
Cell = Mapping[str, Any]
Cells = Mapping[str, Cell]
Select = Callable[[Cell], bool]


def report(cells: Cells, names: Sequence[str], chips: Sequence[str]) -> Iterator[str]:
    """The lines of the document."""
    groups = {"products and attention": is_product, "attention alone": is_attention(names), "rows": is_rows}
    yield from means(cells, names, chips, groups)
    yield from bounds(cells, names, chips)
    yield from work(cells, names, chips)
    yield from resources(cells, names, chips)
    yield from worse(cells, names, chips)
    yield from local(cells, names, chips)


def is_product(name: str, cell: Cell) -> bool:
    """Whether a kernel multiplies matrices."""
    return "multiplies" in cell


def is_rows(name: str, cell: Cell) -> bool:
    """Whether a kernel works on rows."""
    return "elements" in cell


def is_attention(names: Sequence[str]) -> Callable[[str, Cell], bool]:
    """Whether a kernel is attention."""
    return lambda name, cell: name.startswith("attention")


def cell(cells: Cells, column: str, name: str, chip: str) -> Cell | None:
    """A cell that has figures."""
    found = cells.get(f"{column}|{name}|{chip}")
    return None if found is None or "reason" in found else found


def ratio(cells: Cells, name: str, chip: str, peer: str, measure: str) -> float | None:
    """Ours over a peer's, for the same work."""
    mine, other = cell(cells, OURS, name, chip), cell(cells, peer, name, chip)
    if mine is None or other is None:
        return None
    top, bottom = of_work(mine, measure), of_work(other, measure)
    return top / bottom if top and bottom else None


def means(
    cells: Cells,
    names: Sequence[str],
    chips: Sequence[str],
    groups: Mapping[str, Callable[[str, Cell], bool]],
) -> Iterator[str]:
    """Geometric means of the ratios by chip."""
    yield from ["## Ours over a peer's, geometric means", ""]
    yield from header("kernels", "chip", "peer", "cells", *MEASURES, "fewer instructions in")
    for group, belongs in groups.items():
        for chip in chips:
            for peer in COLUMNS[1:]:
                chosen = [
                    name
                    for name in names
                    if (found := cell(cells, OURS, name, chip)) and belongs(name, found)
                ]
                yield from _mean(cells, group, chip, peer, chosen)
    yield ""


def _mean(cells: Cells, group: str, chip: str, peer: str, names: Sequence[str]) -> Iterator[str]:
    found = {
        measure: [one for name in names if (one := ratio(cells, name, chip, peer, measure))]
        for measure in MEASURES
    }
    counts = found["instructions"]
    if counts:
        shown = [f"{statistics.geometric_mean(values):.2f}" for values in found.values()]
        yield line(group, chip, peer, str(len(counts)), *shown, str(sum(one < 1 for one in counts)))


# --- which bound holds


def bounds(cells: Cells, names: Sequence[str], chips: Sequence[str]) -> Iterator[str]:
    """By chip and compiler, in how many products each lower bound of a scheduler's time is the largest."""
    yield from ["## The bound that holds", ""]
    yield "A scheduler needs, for the multiply-adds of one `mma.m16n8k16` of f16, at least the largest of: a cycle for each"
    yield "instruction (*issue*), the cycles that its matrix unit takes (*matrix*), and the replayed cycles of a warp over"
    yield "the warps that share the scheduler (*latency*).  The table counts products of f16 and bf16 whose instructions are"
    yield "those of single warps."
    yield from ["", *header("chip", "cycles of the matrix unit", "compiler", "matrix", "issue", "latency")]
    for chip in chips:
        for device, cycles in CHIPS[chip].matrix.items():
            for column in COLUMNS:
                found = [
                    bound(one, cycles)
                    for name in names
                    if "f16" in name and (one := cell(cells, column, name, chip)) and _by_warps(one)
                ]
                counts = [str(found.count(kind)) for kind in ("matrix", "issue", "latency")]
                if found:
                    yield line(chip, f"{device}: {cycles}", column, *counts)
    yield ""


def _by_warps(found: Cell) -> bool:
    return 0 < found.get("multiplies", 0) <= found.get("matrix", 0) * 2048


def bound(found: Cell, cycles: int) -> str:
    """What limits a scheduler."""
    warps = max(found["resident"] * found["workers"] / found["warps"] / SCHEDULERS, 1)
    limits = {
        "matrix": float(cycles),
        "issue": of_work(found, "instructions"),
        "latency": of_work(found, "replayed") / warps,
    }
    return max(limits, key=lambda kind: limits[kind])


# --- all cells


def work(cells: Cells, names: Sequence[str], chips: Sequence[str]) -> Iterator[str]:
    """Instructions / issue cycles / replayed cycles for a unit of work."""
    yield from ["## Instructions / issue cycles / replayed cycles for a unit of work", ""]
    yield from header("kernel", "chip", *COLUMNS, "ours : tileiras", "ours : Triton")
    for name in names:
        for chip in chips:
            shown = [_work(cells.get(f"{column}|{name}|{chip}")) for column in COLUMNS]
            ratios = [_two(cells, name, chip, peer) for peer in COLUMNS[1:]]
            yield line(name, chip, *shown, *ratios)
    yield ""


def _work(found: Cell | None) -> str:
    if found is None:
        return ""
    if "reason" in found:
        return found["reason"][:60]
    return " / ".join(f"{of_work(found, measure):.3g}" for measure in MEASURES)


def _two(cells: Cells, name: str, chip: str, peer: str) -> str:
    found = [ratio(cells, name, chip, peer, measure) for measure in MEASURES[:2]]
    return ", ".join(f"{one:.2f}" for one in found if one is not None)


def resources(cells: Cells, names: Sequence[str], chips: Sequence[str]) -> Iterator[str]:
    """What a kernel takes, and how it meets memory."""
    yield from ["## Resources", ""]
    yield "Registers / bytes of stack / bytes of shared memory; warps of a block / of a scheduler that have room; accesses of"
    yield "local memory in loops; in a turn (the whole kernel, if it has no loop): instructions of each loop, calls, barriers,"
    yield "asynchronous copies, bytes asked for by a block, and loads and stores of global memory, each count x bytes of a"
    yield "thread."
    yield ""
    titles = (
        "registers",
        "warps",
        "local",
        "loops",
        "calls",
        "barriers",
        "asynchronous",
        "bytes",
        "loads",
        "stores",
    )
    yield from header("kernel", "chip", "compiler", *titles)
    for name in names:
        for chip in chips:
            for column in COLUMNS:
                found = cell(cells, column, name, chip)
                if found is not None:
                    yield line(name, chip, column, *_resources(found))
    yield ""


def _resources(found: Cell) -> Iterator[str]:
    yield f"{found['registers']} / {found['stack']} / {found['shared']}"
    yield f"{found['warps']} / {found['resident'] / SCHEDULERS:g}"
    yield str(found["local_in_loops"])
    yield " + ".join(map(str, found["loops"])) or str(found["executed"])
    yield str(found["calls"])
    yield str(found["barriers"])
    yield str(found["asynchronous"])
    yield str(found["bytes"])
    yield _widths(found["loads"])
    yield _widths(found["stores"])


def _widths(counts: Mapping[str, int]) -> str:
    return ", ".join(f"{count} x {size}" for size, count in counts.items())


def worse(cells: Cells, names: Sequence[str], chips: Sequence[str]) -> Iterator[str]:
    """Cells where ours executes more than a peer, and the classes of instructions that make the difference."""
    yield from ["## Where ours is worse than NVIDIA's", ""]
    yield from header("kernel", "chip", "instructions", "classes with more, for a unit of work")
    for name in names:
        for chip in chips:
            found = ratio(cells, name, chip, THEIRS, "instructions")
            if found is not None and found > 1:
                yield line(name, chip, f"{found:.2f}", _reasons(cells, name, chip))
    yield ""


def _reasons(cells: Cells, name: str, chip: str) -> str:
    mine, other = (cells[f"{column}|{name}|{chip}"] for column in (OURS, THEIRS))
    scales = [of_work(one, "instructions") / one["turn"]["instructions"] for one in (mine, other)]
    more = {
        unit: mine["units"].get(unit, 0) * scales[0] - other["units"].get(unit, 0) * scales[1]
        for unit in mine["units"]
    }
    ranked = sorted(more.items(), key=lambda item: -item[1])[:REASONS]
    return ", ".join(f"{unit} +{count:.2g}" for unit, count in ranked if count > 0)


def local(cells: Cells, names: Sequence[str], chips: Sequence[str]) -> Iterator[str]:
    """Cells where loops of ours access local memory, or call a function, and loops of NVIDIA's compiler do not."""
    yield from ["## Local memory and calls in loops, which NVIDIA's compiler does without", ""]
    found = [
        (name, chip, count)
        for name in names
        for chip in chips
        if any(count := _in_loops(cells, OURS, name, chip)) and not any(_in_loops(cells, THEIRS, name, chip))
    ]
    if not found:
        yield from ["None.", ""]
        return
    yield from header("kernel", "chip", "accesses of local memory in loops", "calls in a turn")
    for name, chip, count in found:
        yield line(name, chip, *map(str, count))
    yield ""


def _in_loops(cells: Cells, column: str, name: str, chip: str) -> tuple[int, int]:
    found = cell(cells, column, name, chip) or {}
    return found.get("local_in_loops", 0), found.get("calls", 0) if found.get("loops") else 0
