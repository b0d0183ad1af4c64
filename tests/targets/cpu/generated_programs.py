"""Generated kernels, run by the interpreter and as machine code: the same bits.

The result of every operation is stored, so that each of them is seen.  As a command this runs as many as one likes:

    python -m tests.targets.cpu.generated_programs SEED COUNT
"""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass

import tilewright
from tilewright.dialects.cuda_tile.ops_control import EntryOp, ModuleOp
from tilewright.interp.options import InterpretOptions
from tilewright.ir.diagnostic import DiagnosticError
from tilewright.testing import execution
from tilewright.testing.execution import Launchpad, Outcome, entries, observe
from tilewright.testing.strategies import sample_modules

INEXACT = frozenset(
    [
        "exp",
        "exp2",
        "log",
        "log2",
        "sin",
        "cos",
        "tan",
        "sinh",
        "cosh",
        "tanh",
        "pow",
        "fpowi",
        "rsqrt",
        "atan2",
        "mmaf",
        "mmaf_scaled",
        "reduce",
        "scan",
    ]
)
"""Operations whose result may differ in the last places: kernels with one of them may differ."""
STRICT = InterpretOptions(memcheck=True, initcheck=True, racecheck=True, promises=True, max_steps=20_000)
"""What Tile IR leaves undefined is a diagnostic: such kernels are not compared."""
KNOWN_REFUSALS = ("two of which share a byte",)
"""Diagnostics of what the CPU is known to lack."""


@dataclass(frozen=True, slots=True)
class Difference:
    """A kernel that did something else, and how to make it again."""

    seed: str
    number: int
    kernel: str
    what: str

    def __str__(self) -> str:
        return f"module {self.number} of seed '{self.seed}', kernel '{self.kernel}': {self.what}"


def compare(seed: str, count: int, tally: Counter[str]) -> Iterator[Difference]:
    """Compare the kernels of ``count`` modules; ``tally`` counts what became of them."""
    for number, module in enumerate(sample_modules(count, seed=seed)):
        kernels = entries(module)
        for kernel in kernels:
            for op in list(kernel.walk())[1:]:
                observe(op)
        for kernel in kernels:
            what = _compared(module, kernel, f"{seed}/{number}", tally)
            if what is not None:
                yield Difference(seed, number, kernel.sym_name, what)


def _compared(module: ModuleOp, kernel: EntryOp, seed: str, tally: Counter[str]) -> str | None:
    """How the machine code of a kernel differs from the interpreter."""
    pad = Launchpad(kernel, seed)
    wanted = interpreted(pad, module)
    if wanted.problem is not None:
        tally["undefined"] += 1
        return None
    try:
        given = compiled(pad, module)
    except DiagnosticError as error:
        known = any(word in str(error) for word in KNOWN_REFUSALS)
        tally["refused"] += 1
        return None if known else str(error.diagnostics[0])
    if given == wanted.buffers:
        tally["same"] += 1
        return None
    inexact = any(op.kind.mnemonic in INEXACT for op in kernel.walk())
    tally["inexact" if inexact else "different"] += 1
    return None if inexact else "other bits"


def interpreted(pad: Launchpad, module: ModuleOp) -> Outcome:
    """What the interpreter does, with every check."""
    kept, execution.OPTIONS = execution.OPTIONS, STRICT
    try:
        return pad.run(module)
    finally:
        execution.OPTIONS = kept


def compiled(pad: Launchpad, module: ModuleOp) -> tuple[bytes, ...]:
    """What machine code leaves in the buffers, from the same first contents."""
    artifact = tilewright.compile(module, target="cpu")
    pad.reset()
    artifact.launch((1, 1, 1), pad.arguments, entry=pad.name)
    return pad.contents()


if __name__ == "__main__":
    counted: Counter[str] = Counter()
    for difference in compare(sys.argv[1], int(sys.argv[2]), counted):
        print(difference, flush=True)
    print(dict(counted))
