"""Runs pipelined kernels in the simulator with every number of stages, and takes their waits and barriers away.

    python -m tools.ring_faults [--orders 20] [--only TEXT] [--results FILE]

Ten kernels are compiled with 2 to 6 stages, and run with 0 to 2 S + 1 iterations, each in several orders of threads, with
all checks: the results have to be the interpreter's. Then each wait for copies, each end of a group of copies and each
barrier is taken out of a kernel by itself. The simulator tells of it, or the results differ, in one of several orders
and numbers of iterations; what it never tells of is listed as redundant: no two accesses of these runs raced.
"""

from __future__ import annotations

import argparse
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple
from unittest.mock import patch

import ml_dtypes
import numpy as np

import tilewright
from benchmarks.tables import header, line, publish, section
from tests.targets.nvptx import test_gpu_pipelines as products, test_gpu_row_pipelines as rows
from tests.targets.nvptx.tileas_to_nvvm.gpu_programs import FLOAT, HALF
from tilewright import ptxsim
from tilewright.ir.diagnostic import DiagnosticError
from tilewright.targets.nvptx import stages
from tilewright.targets.nvptx.pipelines.materialise import MaterialiseSchedule

CHIP = "sim:sm_80"
STAGES = range(2, 7)
FAULTS = re.compile(r"^\s*(cp\.async\.(?:wait_group|commit_group).*|bar\.sync.*|fence\..*);$", re.MULTILINE)
"""What is taken away."""
SEEDS = (0, 1)
JUDGES = 4
"""The orders of threads in which a kernel without one of these is run, with each seed."""
Arguments = Callable[[int], list[Any]]


class Case(NamedTuple):
    """A kernel ``k``, and its arguments for a number of iterations."""

    text: str
    arguments: Arguments


class Fault(NamedTuple):
    """What was taken out of a kernel, the number of its place, and whether the simulator tells of it."""

    kernel: str
    place: int
    instruction: str
    told: str


def _rows(count: int) -> list[Any]:
    return rows.arrays(count)


def _of(type: Any) -> Arguments:
    return lambda count: products.arrays(count, type=type)


PRODUCT = products.product()
CASES: Mapping[str, Case] = {
    "product of f16": Case(PRODUCT, _of(HALF)),
    "product of bf16": Case(products.product(element="bf16"), _of(ml_dtypes.bfloat16)),
    "product of f32 by threads": Case(products.product(element="f32"), _of(FLOAT)),
    "product with any step": Case(products.product("%c in (%zero to %n, step %s)"), _of(HALF)),
    "product that stores its sums": Case(products.storing(), _of(HALF)),
    "product behind a store": Case(products.stores_first(PRODUCT), _of(HALF)),
    "product behind views": Case(products.behind_views(), products.turned_arrays),
    "rows": Case(rows.rows(), _rows),
    "rows with padding": Case(rows.rows("neg_inf"), _rows),
    "short rows": Case(rows.rows("zero", block=64), lambda count: rows.arrays(count, 64)),
}


@cache
def ptx_of(name: str, count: int) -> str:
    """Return the PTX of a kernel with a number of stages; 0: as it is compiled."""
    usual = MaterialiseSchedule.name
    forced = stages.THREADS.replace(usual, f"{usual}{{stages={count}}}") if count else stages.THREADS
    with patch.object(stages, "THREADS", forced):
        return str(tilewright.compile(CASES[name].text, target=CHIP).asm["ptx"])


@cache
def wanted(name: str, count: int) -> tuple[bytes, ...]:
    """Return what the interpreter makes of the arguments."""
    given = CASES[name].arguments(count)
    tilewright.launch(CASES[name].text, "k", (1,), given, target="interp")
    return _bytes(given)


def _bytes(arguments: Sequence[Any]) -> tuple[bytes, ...]:
    return tuple(one.tobytes() for one in arguments if isinstance(one, np.ndarray))


def complaint(ptx: str, name: str, count: int, order: int, seed: int = 0) -> str:
    """Return the code of what the simulator finds in a run, or that it differs; empty if it is right."""
    given = CASES[name].arguments(count)
    (threads,) = re.findall(r"\.reqntid (\d+)", ptx)
    try:
        ptxsim.launch(ptx, "k", (1, 1, 1), (int(threads), 1, 1), given, schedule=order, seed=seed)
    except DiagnosticError as error:
        return str(error.diagnostics[0].code)
    return "" if _bytes(given) == wanted(name, count) else "another result"


def runs(name: str, orders: int) -> tuple[int, list[str]]:
    """Return how often a kernel was run, and what was wrong."""
    number, wrong = 0, list[str]()
    for count in STAGES:
        ptx = ptx_of(name, count)
        for trips in range(2 * count + 2):
            for order in range(orders):
                found, number = complaint(ptx, name, trips, order), number + 1
                wrong += [f"{count} stages, {trips} iterations, order {order}: {found}"] if found else []
    return number, wrong


def faults(name: str) -> Iterator[Fault]:
    """Take each wait, group and barrier out of a kernel, and yield what is told of it."""
    ptx = ptx_of(name, 0)
    for place, found in enumerate(FAULTS.finditer(ptx)):
        yield Fault(name, place, found[1].strip(), judged(ptx[: found.start()] + ptx[found.end() :], name))


def judged(ptx: str, name: str) -> str:
    """Return what is wrong with a kernel in the first run that shows it; empty if no run does."""
    for trips in (9, 1, 4, 2, 0):
        for order in range(JUDGES):
            for seed in SEEDS:
                found = complaint(ptx, name, trips, order, seed)
                if found:
                    return found
    return ""


def report(names: Sequence[str], orders: int) -> Iterator[str]:
    """Yield the parts of the document."""
    yield f"# Pipelined kernels in the simulator\n\nBy `python -m tools.ring_faults --orders {orders}`, on sm_80.\n"
    lines = header("kernel", "stages", "iterations", "orders", "runs", "wrong")
    for name in names:
        number, wrong = runs(name, orders)
        lines.append(line(name, "2 to 6", "0 to 2 S + 1", str(orders), str(number), "; ".join(wrong) or "0"))
    yield section("Right for every number of stages and iterations", lines)
    found = [one for name in names for one in faults(name)]
    told = [one for one in found if one.told]
    yield section(
        "Waits, groups and barriers that are taken away", [f"{len(told)} of {len(found)} are told."]
    )
    lines = header("kernel", "place", "taken away", "told")
    lines += [
        line(one.kernel, str(one.place), f"`{one.instruction}`", one.told or "redundant") for one in found
    ]
    yield section("Each of them", lines)


def main(arguments: Sequence[str] | None = None) -> None:
    """Run the kernels, and print or write the document."""
    parser = argparse.ArgumentParser(prog="python -m tools.ring_faults", description=__doc__)
    parser.formatter_class = argparse.RawDescriptionHelpFormatter
    parser.add_argument("--orders", type=int, default=20, help="orders of threads in each run")
    parser.add_argument("--only", default="", help="kernels with this in their names")
    parser.add_argument("--results", type=Path, help="write the document to this file")
    given = parser.parse_args(arguments)
    publish(report([name for name in CASES if given.only in name], given.orders), given.results)


if __name__ == "__main__":
    main()
