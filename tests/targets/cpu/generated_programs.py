"""Generated kernels, run by the interpreter and as machine code: the same bits.

The result of every operation is stored, so that each of them is seen.  As a command this runs as many as one likes:

    python -m tests.targets.cpu.generated_programs SEED COUNT [ELEMENTS]

where the last number is that of the elements of the largest tiles.
"""

from __future__ import annotations

import os
import sys
import tempfile
from collections import Counter
from collections.abc import Generator, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

import tilewright
from tilewright.dialects.cuda_tile.ops_control import EntryOp, ModuleOp
from tilewright.dialects.cuda_tile.ops_tile import ReduceOp, ScanOp
from tilewright.dialects.cuda_tile.types import PointerType
from tilewright.driver.native import Native, native_image
from tilewright.driver.stages import CompileOptions
from tilewright.interp.numerics.convert import decode_memory
from tilewright.interp.numerics.element import FORMATS, decode, to_bits
from tilewright.interp.options import InterpretOptions
from tilewright.ir.attribute import Type
from tilewright.ir.builtin_types import FloatType
from tilewright.ir.diagnostic import DiagnosticError
from tilewright.ir.operation import Operation
from tilewright.runtime.image import Image
from tilewright.testing import execution
from tilewright.testing.execution import Launchpad, Outcome, entries, observe
from tilewright.testing.strategies import sample_modules
from tilewright.testing.tile_types import MAXIMUM_ELEMENTS

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
    ]
)
"""Operations whose result may differ in the last places: kernels with one of them may differ."""
ORDERED = frozenset(["addf", "mulf", "maxf", "minf"])
"""The same of operations that reductions and scans combine by: of these the order counts, or the zero or NaN found."""
OPT_LEVELS = (3, 3, 0)
"""How much the optimizer does, module by module; without it there is code that nobody needs."""
STRICT = InterpretOptions(memcheck=True, initcheck=True, racecheck=True, promises=True, max_steps=20_000)
"""What Tile IR leaves undefined is a diagnostic: such kernels are not compared."""


@dataclass(frozen=True, slots=True)
class Difference:
    """A kernel that did something else, and how to make it again."""

    seed: str
    number: int
    kernel: str
    what: str

    def __str__(self) -> str:
        return f"module {self.number} of seed '{self.seed}', kernel '{self.kernel}': {self.what}"


def compare(
    seed: str, count: int, tally: Counter[str], largest: int = MAXIMUM_ELEMENTS
) -> Iterator[Difference]:
    """Compare the kernels of ``count`` modules; ``tally`` counts what became of them."""
    for number, module in enumerate(sample_modules(count, seed=seed, largest=largest)):
        kernels = entries(module)
        for kernel in kernels:
            for op in list(kernel.walk())[1:]:
                observe(op)
        code = MachineCode(module, OPT_LEVELS[number % len(OPT_LEVELS)])
        for kernel in kernels:
            what = _compared(code, kernel, f"{seed}/{number}", tally)
            if what is not None:
                yield Difference(seed, number, kernel.sym_name, what)


class MachineCode:
    """The machine code of a module: made when it is first needed, and loaded anew for each run."""

    def __init__(self, module: ModuleOp, opt_level: int = 3) -> None:
        self.module = module
        self.options = CompileOptions(opt_level=opt_level)

    @cached_property
    def image(self) -> Image:
        """What is loaded.  Raises `DiagnosticError`."""
        return native_image(tilewright.compile(self.module, target="cpu", options=self.options))

    def run(self, pad: Launchpad) -> Outcome:
        """What a kernel does, from the first contents of its buffers and of the globals."""
        kernel = Native(self.image).kernel(pad.name)
        pad.reset()
        with standard_output() as printed:
            kernel.launch((1, 1, 1), pad.arguments)
        return Outcome(pad.contents(), printed[0], None)


@contextmanager
def standard_output() -> Generator[list[str]]:
    """The text that is written to file descriptor 1 meanwhile, put into the list at the end."""
    found: list[str] = []
    sys.stdout.flush()
    with tempfile.TemporaryFile() as file:
        kept = os.dup(1)
        os.dup2(file.fileno(), 1)
        try:
            yield found
        finally:
            os.dup2(kept, 1)
            os.close(kept)
        file.seek(0)
        found.append(file.read().decode())


def _compared(code: MachineCode, kernel: EntryOp, seed: str, tally: Counter[str]) -> str | None:
    """How the machine code of a kernel differs from the interpreter."""
    pad = Launchpad(kernel, seed)
    wanted = interpreted(pad, code.module)
    if wanted.problem is not None:
        tally["undefined"] += 1
        return None
    try:
        given = code.run(pad)
    except DiagnosticError as error:
        tally["refused"] += 1
        return str(error.diagnostics[0])
    if given.printed == wanted.printed and _agree(kernel, wanted.buffers, given.buffers):
        tally["same"] += 1
        return None
    inexact = any(is_inexact(op) for op in kernel.walk())
    tally["inexact" if inexact else "different"] += 1
    return None if inexact else ("other bits" if given.printed == wanted.printed else "other text")


def _agree(kernel: EntryOp, wanted: Sequence[bytes], given: Sequence[bytes]) -> bool:
    """Whether buffers hold the same, but for the bits of NaNs: an operation that computes may answer any."""
    types: list[Any] = [parameter.type for parameter in kernel.body.block.arguments]
    pointers = [type.element_type for type in types if isinstance(type.element_type, PointerType)]
    return all(
        expected == found or _same_numbers(pointer.pointee, expected, found)
        for pointer, expected, found in zip(pointers, wanted, given, strict=True)
    )


def _same_numbers(element: Type, wanted: bytes, given: bytes) -> bool:
    if not isinstance(element, FloatType):
        return False
    format = FORMATS[element.spelling]
    first, second = (decode_memory(np.frombuffer(data, np.uint8), format) for data in (wanted, given))
    are_nan = np.isnan(decode(first, format)) & np.isnan(decode(second, format))
    return bool(np.all(are_nan | (to_bits(first, format) == to_bits(second, format))))


def is_inexact(op: Operation) -> bool:
    """Whether an operation may answer something else in the last places."""
    is_fold = isinstance(op, ReduceOp | ScanOp)
    return op.kind.mnemonic in INEXACT or (
        is_fold and any(inner.kind.mnemonic in ORDERED for inner in op.walk())
    )


def interpreted(pad: Launchpad, module: ModuleOp) -> Outcome:
    """What the interpreter does, with every check."""
    kept, execution.OPTIONS = execution.OPTIONS, STRICT
    try:
        return pad.run(module)
    finally:
        execution.OPTIONS = kept


if __name__ == "__main__":
    counted: Counter[str] = Counter()
    for difference in compare(sys.argv[1], int(sys.argv[2]), counted, *map(int, sys.argv[3:])):
        print(difference, flush=True)
    print(dict(counted))
