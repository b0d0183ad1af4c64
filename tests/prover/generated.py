"""Generated kernels against their proofs: no access that is proved may be reported in any run."""

from __future__ import annotations

import random
import re
from collections import Counter
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from tests.prover import seeded
from tilewright.dialects.cuda_tile.ops.control import EntryOp
from tilewright.driver.sources import read_any
from tilewright.interp import launch as interp_launch, values
from tilewright.interp.codes import BROKEN_PROMISE, DATA_RACE, OUT_OF_BOUNDS
from tilewright.ir.diagnostic import DiagnosticError
from tilewright.prover.kernels import BOUNDS, PROVED, KernelProver
from tilewright.prover.symbols import ObservedLaunch
from tilewright.testing.execution import Launchpad
from tilewright.testing.strategies import sample_module

RELATIONS = ("less_than", "less_than_or_equal")
BLOCK = re.compile(r"in tile block (\([\d, ]+\))")
STEPS = 20_000


@dataclass
class Tally:
    """What became of generated kernels."""

    kernels: int = 0
    statuses: Counter[str] = field(default_factory=Counter)
    faults: int = 0
    contradictions: list[str] = field(default_factory=list)


class Nobody:
    def write(self, text: str) -> None:
        """Print nothing."""


def check(name: str, prover: KernelProver, tally: Tally) -> None:
    """Prove the accesses of a kernel, run its launch under the checks, and compare."""
    launch = prover.launches[0]
    results = prover.results()
    tally.kernels += 1
    tally.statuses.update(one.status for one in results)
    proved = {(one.op.location.source, one.subject) for one in results if one.status == PROVED}
    options = values.InterpretOptions(memcheck=True, racecheck=True, promises=True, max_steps=STEPS)
    module = interp_launch.LoadedModule(prover.module)
    try:
        module.begin(prover.entry.sym_name, launch.grid, launch.arguments, options, Nobody()).run()
    except DiagnosticError as error:
        if any(one.code is BROKEN_PROMISE and "lies outside" not in one.message for one in error.diagnostics):
            return
        for one in error.diagnostics:
            blocks = BLOCK.findall(one.message)
            is_race = one.code is DATA_RACE and len(set(blocks)) > 1
            if one.code is OUT_OF_BOUNDS or is_race:
                tally.faults += 1
                places = [one.location.source, *(note.location.source for note in one.notes)]
                subject = BOUNDS if one.code is OUT_OF_BOUNDS else "races"
                if (places[0], subject) in proved or (is_race and (places[-1], subject) in proved):
                    tally.contradictions.append(f"{name}: {one}")


def sampled(number: int, tally: Tally) -> None:
    """Check the kernels of a module that is drawn from all operations."""
    module: Any = sample_module(number, seed="proofs", past_edges=number % 2 == 0, largest=64)
    source = random.Random(number)
    for at, entry in enumerate(op for op in module.walk() if isinstance(op, EntryOp)):
        grid = source.choice([(1, 1, 1), (3, 1, 1), (2, 2, 1)])
        pad = Launchpad(entry, f"{number}", grid=grid)
        launch = ObservedLaunch(grid, pad.arguments)
        check(f"sampled {number}", seeded.prover_of(module, [launch], at), tally)


def drawn(number: int, tally: Tally) -> None:
    """Check a kernel of the shapes of `seeded`, with random constants, extents and grid."""
    source = random.Random(f"drawn {number}")
    tile, shift = 1 << source.randrange(1, 6), source.choice((0, 0, 0, 1, -1, 2, 5, 1 << 30))
    count, rows, store = source.randrange(1, 4 * tile), source.randrange(1, 6), source.random() < 0.5
    relation, other = source.choice(RELATIONS), source.choice(RELATIONS)
    texts = (
        (seeded.masked_vector(tile, shift, relation, store=store), (count,)),
        (seeded.viewed_vector(tile, shift, store=store), (count,)),
        (seeded.looped_rows(tile, source.choice((0, 1, -1)), source.choice((0, 0, -1, 1))), (rows, count)),
        (seeded.strided_rows(tile, relation, other), (rows, count)),
        (
            seeded.advanced_pointers(tile, source.choice((0, 1)), tile + source.choice((0, 0, 1, -1))),
            (count,),
        ),
    )
    text, extents = source.choice(texts)
    grid = (source.choice((1, rows, -(-count // tile), 1 + count // tile)), source.choice((1, 1, 2)), 1)
    arguments = list(seeded.array(extents))
    if source.random() < 0.3:  # every other element, or rows that overlap
        wide = np.ones((*extents[:-1], 2 * extents[-1]), np.float32)[..., ::2]
        arguments = [wide, *wide.shape, *(stride // 4 for stride in wide.strides)]
    module: Any = read_any(text.encode(), "drawn")
    check(f"drawn {number}", seeded.prover_of(module, [ObservedLaunch(grid, arguments)]), tally)
