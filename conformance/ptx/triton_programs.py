"""`python -m conformance.ptx triton`: run Triton's products and attention with all checks, and compare with NumPy.

The programs are compiled by `triton_products`, in the environment that `--triton` names; nothing of them is kept.  Each
runs in several orders.  If one is stopped, it runs again with as few of the named findings permitted as let it pass.
"""

from __future__ import annotations

import argparse
import math
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Executor
from dataclasses import dataclass
from itertools import combinations
from pathlib import Path
from typing import Any

import numpy as np

from conformance.ptx.kernel_files import kernel, kernels
from tilewright.cli.batch import add_batch_options, executor_for
from tilewright.cli.progress import shown_progress
from tilewright.ir.diagnostic import DiagnosticError
from tilewright.ptx.checks import read
from tilewright.ptx.model import Module
from tilewright.ptxsim import launch
from tilewright.ptxsim.codes import PERMITS
from tilewright.runtime.distribution import Here, distribute

MAKER = Path(__file__).with_name("triton_products.py")
CHIPS = (80, 90, 100, 120)
SEEDS = ((0, 0), (2, 7))
"""Seeds and schedules of the runs of a program."""
DEPTH, LENGTH, HEADS = 320, 256, 1
LETTERS = {name: name[0] for name in PERMITS}
"""How the table shows a finding that was permitted."""


@dataclass(frozen=True)
class Work:
    """The arguments of a launch, its grid, and the function that returns the largest error of the results."""

    arguments: list[Any]
    grid: tuple[int, ...]
    error: Callable[[], float]


def work_of(meta: dict[str, Any], seed: int) -> Work:
    """Return arguments for a program, and how far its results are off."""
    return heads(meta, seed) if meta["case"] == "heads" else products(meta, seed)


def products(meta: dict[str, Any], seed: int) -> Work:
    """Return a product of small integers, which is exact; a persistent program is one block."""
    m, n = 2 * meta["constants"]["BM"], meta["constants"]["BN"]
    chance = np.random.default_rng(seed)
    a, b = (chance.integers(-3, 4, shape).astype(np.float16) for shape in ((m, DEPTH), (DEPTH, n)))
    c = np.zeros((m, n), np.float16)
    blocks = 1 if meta["case"] == "persistent_products" else 2 * meta["cluster"]
    exact = a.astype(np.float64) @ b.astype(np.float64)
    return Work([a, b, c, m, n, DEPTH], (blocks, 1), lambda: float(np.abs(c - exact).max()))


def heads(meta: dict[str, Any], seed: int) -> Work:
    """Return attention of one head."""
    constants, chance = meta["constants"], np.random.default_rng(seed)
    depth = constants["D"]
    q, k, v = (chance.standard_normal((HEADS, LENGTH, depth)).astype(np.float16) for _ in range(3))
    o, scale = np.zeros_like(q), math.log2(math.e) / math.sqrt(depth)
    scores = np.einsum("hld,hmd->hlm", q.astype(float), k.astype(float)) * scale
    if constants["CAUSAL"]:
        scores = np.where(np.tril(np.ones((LENGTH, LENGTH), np.bool_)), scores, -np.inf)
    powers = np.exp2(scores - scores.max(-1, keepdims=True))
    expected = powers @ v.astype(float) / powers.sum(-1, keepdims=True)
    grid = (LENGTH // constants["BM"], HEADS)
    return Work([q, k, v, o, LENGTH, scale], grid, lambda: float(np.abs(o - expected).max()))


def started(
    module: Module, meta: dict[str, Any], work: Work, order: tuple[int, int] = (0, 0), **options: Any
) -> None:
    """Launch a program with a seed and a schedule. Raises `DiagnosticError`."""
    seed, schedule = order
    scratch = [np.zeros(1 << 16, np.uint8) for _ in range(meta["scratch"])]
    launch(
        module,
        meta["entry"],
        work.grid,
        (meta["threads"],),
        [*work.arguments, *scratch],
        shared=meta["shared"],
        cluster=(meta["cluster"],),
        seed=seed,
        schedule=schedule,
        **options,
    )


def attempt(module: Module, meta: dict[str, Any], order: tuple[int, int], permits: Sequence[str]) -> str:
    """Run a program; returns what is wrong, or the empty string."""
    work = work_of(meta, order[0])
    try:
        started(module, meta, work, order, permits=permits)
    except DiagnosticError as found:
        return str(found).partition("\n")[0]
    error = work.error()
    return "" if error <= 2e-2 else f"results are off by {error:.3g}"


def verdict(path: Path, orders: Sequence[tuple[int, int]] = SEEDS) -> tuple[tuple[str, ...], str]:
    """Return the findings that must be permitted for a program to be right in all orders, and what is wrong
    otherwise.
    """
    text, meta = kernel(path)
    module, message = read(text), ""
    for count in range(len(PERMITS) + 1):
        for permits in combinations(PERMITS, count):
            found = next(filter(None, (attempt(module, meta, order, permits) for order in orders)), "")
            if not found:
                return permits, ""
            message = found
    return (), message


@dataclass(frozen=True)
class Row:
    """A program for a chip, with its verdict; `refusal` is Triton's."""

    program: str
    chip: int
    permits: tuple[str, ...] = ()
    message: str = ""
    refusal: str = ""

    def cell(self) -> str:
        """Return the verdict as a cell of the table."""
        if self.refusal:
            return "refused by Triton"
        if self.message:
            return "**wrong**"
        letters = "".join(LETTERS[name] for name in self.permits)
        return f"right ({letters})" if letters else "right"


def names(path: Path) -> tuple[str, int]:
    """Return the program and the chip of a file."""
    program, _, chip = path.stem.removeprefix("triton_").rpartition("_sm")
    return program, int(chip)


def survey(folder: Path, only: str, executor: Executor | Callable[[], Executor] = Here) -> Iterator[Row]:
    """Yield the verdict on each program of a folder."""
    for path in sorted(folder.glob("*.refused")):
        yield Row(*names(path), refusal=path.read_text(encoding="utf-8"))
    for done in distribute(verdict, kernels(folder, only), executor, what="programs"):
        permits, message = done.result() if done.error is None else ((), str(done.error))
        yield Row(*names(done.item), permits, message)


def table(rows: Sequence[Row]) -> str:
    """Return the verdicts as a table: programs down, chips across."""
    cells = {(row.program, row.chip): row.cell() for row in rows}
    programs = list(dict.fromkeys(row.program for row in sorted(rows, key=lambda row: row.program)))
    lines = [
        "| program | " + " | ".join(f"sm_{chip}" for chip in CHIPS) + " |",
        "| --- |" + " --- |" * len(CHIPS),
    ]
    for program in programs:
        found = " | ".join(cells.get((program, chip), "-") for chip in CHIPS)
        lines.append(f"| {program.replace('_', ' ')} | {found} |")
    return "\n".join(lines)


def compile_with(python: str, folder: Path, only: str) -> None:
    """Compile the programs by Triton in the environment of `python`. Raises `CalledProcessError`."""
    subprocess.run([python, str(MAKER), str(folder), only], check=True)


def main(arguments: Sequence[str]) -> int:
    """Run the command; returns 1 if a program is wrong."""
    parser = argparse.ArgumentParser(prog="python -m conformance.ptx triton", description=__doc__)
    parser.add_argument("--triton", default=sys.executable, help="a Python that has Triton")
    parser.add_argument(
        "--folder", type=Path, help="keep the compiled programs here, and use those that are there"
    )
    parser.add_argument("--only", default="", help="programs whose names contain this")
    add_batch_options(parser)
    options = parser.parse_args(arguments)
    with tempfile.TemporaryDirectory() as scratch, shown_progress():
        folder = options.folder or Path(scratch)
        if not kernels(folder, options.only):
            compile_with(options.triton, folder, options.only)
        count = len(kernels(folder, options.only))
        rows = list[Row]()
        for row in survey(folder, options.only, executor_for(count, options.jobs, options.executor)):
            rows.append(row)
            print(f"{row.program}_sm{row.chip}: {row.cell()} {row.message}{row.refusal}", flush=True)
    print(table(rows))
    wrong = [row for row in rows if row.message]
    print(f"{len(rows) - len(wrong)} of {len(rows)} programs are right")
    return min(len(wrong), 1)
