"""`python -m conformance.ptx removals`: take each synchronising instruction out of right programs, one at a time.

Every wait, commit, fence, arrival and barrier is a site.  A wait at an mbarrier becomes a wait that has passed; any
other instruction is left out.  The program without it runs in several orders of threads and of arriving data:

- *told*: a check of the simulator stops it in one of them;
- *redundant*: no check does, and the results are those of the whole program.  The checks keep vector clocks, so this
  shows for every pair of accesses that conflict, and for every use of what an asynchronous operation brings, that what
  is left orders them, in each of the orders.  The same orders, and more, then run without checks, where data come at
  once, late or in between, and the results must be the same again;
- *silent*: the results are wrong, and nothing was told.  The command fails.

The programs are the rings of `conformance.ptx.rings`, the kernels that this project compiles of its examples, and
the kernels of a folder, as `conformance.ptx triton --folder` and the makers of kernels fill it.
"""

from __future__ import annotations

import argparse
import importlib
import math
import sys
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from typing import Any
from unittest.mock import patch

import ml_dtypes
import numpy as np

from conformance.ptx import triton_programs
from conformance.ptx.cases import CASES
from conformance.ptx.kernel_files import kernel, kernels
from conformance.ptx.rings import RINGS, Ring
from tilewright.cli.progress import shown_progress
from tilewright.ir.diagnostic import DiagnosticError
from tilewright.ptx.checks import read
from tilewright.ptx.model import Module, PtxFunction, PtxInstruction, PtxScope, Statement
from tilewright.ptxsim import launch
from tilewright.ptxsim.host.regions import HostPointer, HostRegion

SYNCHRONISING = (
    *("bar", "barrier", "bar.warp.sync", "barrier.cluster.arrive", "barrier.cluster.wait", "membar", "fence"),
    *("fence.mbarrier_init", "fence.proxy", "fence.proxy.async", "fence.proxy.tensormap::generic"),
    *("cp.async.commit_group", "cp.async.wait_group", "cp.async.wait_all", "cp.async.mbarrier.arrive"),
    *("cp.async.bulk.commit_group", "cp.async.bulk.wait_group"),
    *("mbarrier.arrive", "mbarrier.arrive_drop", "mbarrier.expect_tx", "mbarrier.complete_tx"),
    *("wgmma.fence.sync.aligned", "wgmma.commit_group.sync.aligned", "wgmma.wait_group.sync.aligned"),
    *("tcgen05.commit", "tcgen05.wait::ld", "tcgen05.wait::st"),
    *("tcgen05.fence::before_thread_sync", "tcgen05.fence::after_thread_sync"),
)
"""Instructions that are left out."""
WAITS = ("mbarrier.try_wait", "mbarrier.test_wait")
"""Instructions whose answer becomes true."""
ORDERS = ((0, 0), (1, 1), (2, 7), (3, 23))
"""Seeds and schedules of the runs with checks."""
UNCHECKED = (*ORDERS, (4, 5), (5, 0), (6, 11), (0, 13))
"""Seeds and schedules of the runs without checks."""
LIMIT = 20_000_000
"""Instructions after which a program without a site counts as one that never ends."""
TOLERANCE = 2e-2
EXAMPLES = Path(__file__).parents[2] / "examples"
NAMES = ("layer_norm", "transpose", "convolution")
"""Examples that run as they are, with several kernels each."""
TILES = (
    *(
        (np.float16, (64, 64, 32), False),
        (np.float16, (128, 128, 64), False),
        (np.float16, (64, 64, 32), True),
    ),
    *(
        (ml_dtypes.bfloat16, (64, 128, 32), False),
        (np.float32, (32, 32, 32), False),
    ),
)
"""Types and tiles of products of ours, and whether they are persistent."""

Results = list[Any]
Run = Callable[[Module, tuple[int, int], str], Results]
Start = Callable[..., Any]
"""Launches a kernel of cuTile: of a grid, the kernel and its arguments."""


@dataclass(frozen=True)
class Program:
    """A right program: `run` returns the arrays that it leaves, with an order and with checks or without."""

    name: str
    module: Module
    entry: str
    run: Run
    results: dict[tuple[int, int], Results] = field(default_factory=dict[tuple[int, int], Results])
    """What the whole program leaves, by order."""

    def expected(self, order: tuple[int, int]) -> Results:
        """Return what the whole program leaves in an order."""
        if order not in self.results:
            self.results[order] = self.run(self.module, order, "none")
        return self.results[order]


# --- sites


def sites(module: Module, entry: str) -> list[PtxInstruction]:
    """Return the instructions of a kernel and of its functions that are taken out."""
    found = list[PtxInstruction]()
    for function in module.functions().values():
        if function.body is not None and (not function.entry or function.name == entry):
            found += [
                one for one in _instructions(function.body) if one.form.name in (*SYNCHRONISING, *WAITS)
            ]
    return found


def _instructions(scope: PtxScope) -> Iterator[PtxInstruction]:
    for statement in scope.statements:
        if isinstance(statement, PtxInstruction):
            yield statement
        elif isinstance(statement, PtxScope):
            yield from _instructions(statement)


def without(module: Module, site: PtxInstruction) -> Module:
    """Return a module without an instruction; a wait has passed in it."""
    instead = (_passed(site),) if site.form.name in WAITS else ()
    return replace(module, statements=_replaced(module.statements, site, instead))


def _replaced(
    statements: tuple[Statement, ...], site: PtxInstruction, instead: tuple[Statement, ...]
) -> tuple[Statement, ...]:
    found = list[Statement]()
    for one in statements:
        if one is site:
            found += instead
        elif isinstance(one, PtxScope):
            found.append(replace(one, statements=_replaced(one.statements, site, instead)))
        elif isinstance(one, PtxFunction) and one.body is not None:
            body = replace(one.body, statements=_replaced(one.body.statements, site, instead))
            found.append(replace(one, body=body))
        else:
            found.append(one)
    return tuple(found)


TRUE = ".version 8.0\n.target sm_80\n.address_size 64\n.entry k() { .reg .pred %p; setp.eq.u32 %p, 0, 0; }"


def _passed(wait: PtxInstruction) -> PtxInstruction:
    """Return an instruction that sets the answer of a wait to true."""
    body = read(TRUE).functions()["k"].body
    assert body is not None
    (true,) = _instructions(body)
    return replace(true, operands=(wait.operands[0], *true.operands[1:]), guard=wait.guard, place=wait.place)


# --- verdicts


@dataclass(frozen=True)
class Verdict:
    """What the removal of a site shows: ``told``, ``redundant`` or ``silent``, and the diagnostic."""

    program: str
    instruction: str
    line: int
    outcome: str
    message: str = ""
    orders: int = 0
    """The number of orders with checks that ran before one was told."""


def _same(found: Results, expected: Results, seed: int) -> bool:
    """Compare results: bit by bit in an order with the best approximations, otherwise within a tolerance."""
    if not seed:
        return all(one.tobytes() == other.tobytes() for one, other in zip(found, expected, strict=True))
    return all(
        one.tobytes() == other.tobytes()
        or (one.dtype.kind in "fV" and float(np.abs(one.astype(np.float64) - other).max()) <= TOLERANCE)
        for one, other in zip(found, expected, strict=True)
    )


def verdict(program: Program, site: PtxInstruction) -> Verdict:
    """Run a program without a site."""
    module = without(program.module, site)
    made = partial(Verdict, program.name, site.form.name, site.place.line)
    for checks, orders in (("all", ORDERS), ("none", UNCHECKED)):
        for count, order in enumerate(orders):
            try:
                found = program.run(module, order, checks)
            except DiagnosticError as error:
                message = str(error).partition("\n")[0]
                if checks == "none":
                    return made("silent", f"without checks: {message}", count)
                return made("told", message, count)
            if not _same(found, program.expected(order), order[0]):
                return made("silent", f"wrong results with seed and schedule {order}, checks {checks}", count)
    return made("redundant", orders=len(ORDERS))


# --- programs


def of_ring(one: Ring) -> Program:
    """Return a ring as a program."""

    def run(module: Module, order: tuple[int, int], checks: str) -> Results:
        seed, schedule = order
        options = {"seed": seed, "schedule": schedule, "checks": checks, "limit": LIMIT}
        return [one.run(module, permits=one.permits, **options)]

    return Program(f"ring: {one.name}", read(one.text), "ring", run)


def of_triton(path: Path, permits: Sequence[str]) -> Program:
    """Return a program of a folder that `conformance.ptx triton` has filled."""
    text, meta = kernel(path)

    def run(module: Module, order: tuple[int, int], checks: str) -> Results:
        work = triton_programs.work_of(meta, 1)
        triton_programs.started(module, meta, work, order, permits=permits, checks=checks, limit=LIMIT)
        return [one for one in work.arguments if isinstance(one, np.ndarray)]

    return Program(path.stem.removeprefix("triton_"), read(text), meta["entry"], run)


def of_case(path: Path) -> Program:
    """Return a kernel of a folder whose results `conformance.ptx.cases` compares with NumPy; they count as right or
    wrong.
    """
    text, meta = kernel(path)

    def run(module: Module, order: tuple[int, int], checks: str) -> Results:
        seed, schedule = order
        options = {"seed": seed, "schedule": schedule, "checks": checks, "limit": LIMIT}
        error = CASES[meta["case"]](module, {**meta, "options": options})
        return [np.array(error <= meta.get("tolerance", 1e-2))]

    return Program(path.stem, read(text), meta["entry"], run)


def of_folder(path: Path) -> Program:
    """Return a kernel of a folder as a program."""
    if "constants" not in kernel(path)[1]:
        return of_case(path)
    return of_triton(path, triton_programs.verdict(path, triton_programs.SEEDS[:1])[0])


@dataclass(frozen=True)
class Launched:
    """A launch in the simulator that this project made, and the memory before it."""

    module: Module
    entry: str
    grid: Sequence[int]
    block: Sequence[int]
    arguments: Sequence[Any]
    shared: int
    before: tuple[tuple[Any, Any], ...]
    """The arrays of the regions, with copies."""

    def run(self, module: Module, order: tuple[int, int], checks: str) -> Results:
        """Launch a module on the memory as it was."""
        for array, copy in self.before:
            array[...] = copy
        seed, schedule = order
        options = {"seed": seed, "schedule": schedule, "checks": checks, "limit": LIMIT}
        launch(module, self.entry, self.grid, self.block, self.arguments, shared=self.shared, **options)
        return [array.copy() for array, _ in self.before]


def _copied(argument: Any, regions: dict[HostRegion, HostRegion]) -> Any:
    """Return an argument with memory of its own: that of a launch is freed behind it."""
    if not isinstance(argument, HostPointer):
        return argument
    before = argument.region
    if before not in regions:
        regions[before] = HostRegion(before.data.copy(), before.skew, before.is_writeable)
        for place, target in before.pointers.items():
            regions[before].pointers[place] = _copied(target, regions)
    return HostPointer(regions[before], argument.offset)


def launches(started: Callable[[Start], None], chip: str) -> list[Launched]:
    """Return the launches of a program on a simulated chip, one of each kernel."""
    from tilewright.cutile import launch as cutile_launch
    from tilewright.targets.nvptx import simulated

    found: dict[str, Launched] = {}

    def kept(
        module: Module, entry: str, grid: Any, block: Any, arguments: Any, *, shared: int = 0, **options: Any
    ) -> Any:
        if entry not in found:
            regions: dict[HostRegion, HostRegion] = {}
            copies = [_copied(one, regions) for one in arguments]
            arrays = tuple((one.data, one.data.copy()) for one in regions.values() if one.is_writeable)
            found[entry] = Launched(module, entry, grid, block, copies, shared, arrays)
        return launch(module, entry, grid, block, arguments, shared=shared, **options)

    with patch.object(simulated, "launch", kept):
        started(partial(cutile_launch, target=f"sim:{chip}"))
    return list(found.values())


def _example(name: str) -> Any:
    """Return the module of an example."""
    if str(EXAMPLES) not in sys.path:
        sys.path.insert(0, str(EXAMPLES))
    return importlib.import_module(name)


def _example_runs(name: str, started: Start) -> None:
    for _ in _example(name).run(started):
        pass


def _product(kind: Any, tile: tuple[int, int, int], persistent: bool, started: Start) -> None:
    """Launch a product of two tiles of rows, of six steps."""
    (m, n, k), chance = tile, np.random.default_rng(3)
    a, b = (chance.integers(-3, 4, shape).astype(kind) for shape in ((2 * m, 6 * k), (6 * k, n)))
    kernels = _example("matmul")
    kernel = kernels.persistent_matmul if persistent else kernels.matmul
    c = np.zeros((2 * m, n), kind)
    started((1 if persistent else 2,), kernel, (a, b, c, *tile))


def _heads(causal: bool, started: Start) -> None:
    """Launch attention of one head of 64 numbers."""
    q, k, v = (
        np.random.default_rng(at).standard_normal((1, 1, 128, 64)).astype(np.float16) for at in range(3)
    )
    scale = math.log2(math.e) / 8
    started(
        (2, 1),
        _example("flash_attention").attention,
        (q, k, v, np.zeros_like(q), scale, 1, causal, 64, 64, 32),
    )


def ours(chip: str, only: str = "") -> list[Program]:
    """Return the kernels that this project compiles for a chip as programs."""
    starts: dict[str, Callable[[Start], None]] = {name: partial(_example_runs, name) for name in NAMES}
    for kind, tile, persistent in TILES:
        name = f"product {np.dtype(kind)} {'x'.join(map(str, tile))}{' persistent' if persistent else ''}"
        starts[name] = partial(_product, kind, tile, persistent)
    for causal in (False, True):
        starts[f"attention{' causal' if causal else ''}"] = partial(_heads, causal)
    return [
        Program(f"ours: {name} {number} {chip}", one.module, one.entry, one.run)
        for name, start in starts.items()
        if only in f"ours: {name}"
        for number, one in enumerate(launches(start, chip), 1)
    ]


def survey(programs: Iterable[Program]) -> Iterator[Verdict]:
    """Yield the verdict on each site of each program."""
    for one in programs:
        for site in sites(one.module, one.entry):
            yield verdict(one, site)


def table(found: Sequence[Verdict]) -> str:
    """Return the counts by instruction."""
    counts = Counter((one.instruction, one.outcome) for one in found)
    lines = ["| instruction | told | redundant | silent |", "| --- | --- | --- | --- |"]
    for name in sorted({one.instruction for one in found}):
        row = " | ".join(str(counts[name, outcome]) for outcome in ("told", "redundant", "silent"))
        lines.append(f"| `{name}` | {row} |")
    return "\n".join(lines)


def main(arguments: Sequence[str]) -> int:
    """Run the command; returns 1 if a removal is silent."""
    parser = argparse.ArgumentParser(prog="python -m conformance.ptx removals", description=__doc__)
    parser.add_argument("--folder", type=Path, help="kernels with what their maker wrote beside them")
    parser.add_argument("--only", default="", help="programs whose names contain this")
    parser.add_argument("--examples", nargs="*", default=NAMES, help="examples of this project")
    parser.add_argument(
        "--chips", nargs="*", default=["sm_80"], help="chips that the examples are compiled for"
    )
    options = parser.parse_args(arguments)
    programs = [of_ring(one) for one in RINGS]
    for chip in options.chips:
        programs += ours(chip, options.only)
    for path in kernels(options.folder, options.only) if options.folder else ():
        programs.append(of_folder(path))
    programs = [one for one in programs if options.only in one.name]
    found = list[Verdict]()
    with shown_progress():
        for one in survey(programs):
            found.append(one)
            print(f"{one.outcome:9} {one.program}:{one.line}  {one.instruction}  {one.message}", flush=True)
    print(table(found))
    outcomes = Counter(one.outcome for one in found)
    print(f"{len(found)} removals of {len(programs)} programs: {dict(outcomes)}")
    return min(outcomes["silent"], 1)
