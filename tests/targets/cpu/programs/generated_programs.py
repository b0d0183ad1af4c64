"""Generated kernels, run by the interpreter and as machine code: the same bits.

The result of every operation is stored, so that each of them is seen.  As a command this runs as many as one likes:

    python -m tests.targets.cpu.programs.generated_programs SEED COUNT [ELEMENTS] [--start NUMBER] [--jobs PROCESSES]

where COUNT modules, of about one and a half kernels each, follow from their numbers; ELEMENTS is how many the largest
tiles have.  ``--target sim:sm_80 --target cpu`` names what kernels are compiled for, the processor unless it is given;
a GPU may refuse a kernel, but has to name the operation and the chip.  ``--fault NAME`` plants a fault into the compiler (`seeded_faults`) and says after how many kernels it is
found.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import redirect_stdout
from dataclasses import dataclass, replace
from functools import cached_property
from io import StringIO
from typing import Any, get_args
from unittest.mock import patch

import numpy as np

import tilewright
from tests.targets.cpu.programs.defined_programs import (
    has_broken_promise,
    leave_out,
    names_no_tile,
    number_operations,
)
from tilewright.dialects.cuda_tile.ops.control import EntryOp, ModuleOp
from tilewright.dialects.cuda_tile.ops.conversion import PtrToIntOp
from tilewright.dialects.cuda_tile.ops.memory import ViewAccess
from tilewright.dialects.cuda_tile.ops.tile import ReduceOp, ScanOp
from tilewright.dialects.cuda_tile.types import PointerType, TokenType
from tilewright.driver.launch import CHECKS
from tilewright.driver.loading import Kernels
from tilewright.driver.stages import CompileOptions
from tilewright.driver.target import DEFAULT, target
from tilewright.interp.checks import promises as check_promises, tracking
from tilewright.interp.memory.address_space import LaneAccess, LaunchMemory
from tilewright.interp.numerics.convert import decode_memory
from tilewright.interp.numerics.element import FORMATS, decode, to_bits
from tilewright.interp.values import InterpretOptions
from tilewright.ir.attribute import Type
from tilewright.ir.builtin_types import FloatType
from tilewright.ir.diagnostic import Diagnostic, DiagnosticError
from tilewright.ir.operation import Operation
from tilewright.passes.codes import PASS_CRASHED
from tilewright.ptxsim.codes import RACE
from tilewright.runtime.image import Image
from tilewright.testing import execution
from tilewright.testing.execution import ONE_BLOCK, Launchpad, Outcome, entries, observe
from tilewright.testing.strategies import sample_module
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
EVERYTHING = InterpretOptions(**dict.fromkeys(CHECKS, True), max_steps=20_000)
"""All checks: machine code with checks is compared where these find nothing."""
OPERATION = re.compile(r"'(cuda_tile|nv_tileaa|nv_tileas)\.\w+'")
"""How the messages of refusals name operations."""
GRIDS = ((3, 1, 1), (2, 3, 1), (2, 2, 2))
SIMULATED_RACE = f"[{RACE}]"
"""How the simulator says that threads race."""
CHECKED = 16
"""One of so many modules is compared with checks in the code, too."""


@dataclass(frozen=True, slots=True)
class Difference:
    """A kernel that did something else, and how to make it again."""

    seed: str
    number: int
    kernel: str
    what: str

    def __str__(self) -> str:
        return f"module {self.number} of seed '{self.seed}', kernel '{self.kernel}': {self.what}"


@dataclass(frozen=True, slots=True)
class Variant:
    """How the kernels of a module are made and launched; it follows from the number of the module."""

    past_edges: bool
    grid: tuple[int, int, int]
    overlap: bool
    checked: bool

    @classmethod
    def of(cls, number: int) -> Variant:
        """Half of the modules have indices past every edge, and half of these run on grids; some arrays overlap."""
        on_grid = number % 4 == 3
        grid = GRIDS[number // 4 % len(GRIDS)] if on_grid else ONE_BLOCK
        return cls(number % 2 == 1, grid, number % 4 == 1, number % CHECKED == 5)


def compare(
    seed: str,
    count: int,
    tally: Counter[str],
    largest: int = MAXIMUM_ELEMENTS,
    start: int = 0,
    targets: Sequence[str] = (DEFAULT,),
) -> Iterator[Difference]:
    """Compare the kernels of ``count`` modules from number ``start`` on; ``tally`` counts what became of them."""
    for number in range(start, start + count):
        module = generated_module(seed, number, largest)
        for kernel, what in _compare_module(module, number, f"{seed}/{number}", tally, targets):
            yield Difference(seed, number, kernel, what)


def generated_module(seed: str, number: int, largest: int = MAXIMUM_ELEMENTS) -> ModuleOp:
    """Return the module that follows from a seed and a number, with tiles of at most ``largest`` elements."""
    return sample_module(number, seed=seed, largest=largest, past_edges=Variant.of(number).past_edges)


def _compare_module(
    module: ModuleOp, number: int, seed: str, tally: Counter[str], targets: Sequence[str]
) -> Iterator[tuple[str, str]]:
    """The kernels of a module that differ, and how."""
    variant, pads = Variant.of(number), launchpads(module, number, seed)
    outcomes = defined([pad for _, pad in pads], module, tally)
    codes = [MachineCode(module, OPT_LEVELS[number % len(OPT_LEVELS)], name=name) for name in targets]
    if variant.checked and DEFAULT in targets:
        codes.append(MachineCode(module, 3, CHECKS))
    for (kernel, pad), wanted in zip(pads, outcomes, strict=True):
        what = _compared(codes, kernel, pad, wanted, tally)
        if what is not None:
            yield kernel.sym_name, what


def launchpads(module: ModuleOp, number: int, seed: str) -> list[tuple[EntryOp, Launchpad]]:
    """The kernels of a module with launches of them; every result of an operation is stored."""
    variant, kernels = Variant.of(number), entries(module)
    for kernel in kernels:
        for op in list(kernel.walk())[1:]:
            observe(op, on_grid=variant.grid != ONE_BLOCK)
    return [
        (kernel, Launchpad(kernel, seed, grid=variant.grid, overlap=overlap))
        for kernel in kernels
        for overlap in ((False, True) if variant.overlap else (False,))
    ]


class MachineCode:
    """The machine code of a module: made when it is first needed, and loaded anew for each run."""

    def __init__(
        self, module: ModuleOp, opt_level: int = 3, checks: tuple[str, ...] = (), name: str = DEFAULT
    ) -> None:
        self.module = module
        self.options = CompileOptions(opt_level=opt_level, checks=checks)
        self.target = target(name)

    @property
    def label(self) -> str:
        """Stands before what is counted, unless it is the code of the default target without checks."""
        if self.options.checks:
            return "checked: "
        return "" if self.target.name == DEFAULT else f"{self.target}: "

    @cached_property
    def _made(self) -> Image | DiagnosticError:
        try:
            return tilewright.compile(self.module, target=self.target, options=self.options).loader().image()
        except DiagnosticError as error:
            return error

    @property
    def image(self) -> Image:
        """What is loaded.  Raises `DiagnosticError`."""
        if isinstance(self._made, DiagnosticError):
            raise self._made
        return self._made

    @property
    def is_for_gpu(self) -> bool:
        """Whether the code is for a GPU: which may not have everything, and runs the elements of a tile in any order."""
        return self.target.capability != target(DEFAULT).capability

    def refusal(self) -> Diagnostic | None:
        """Why there is no code, if the target may say so."""
        if not self.is_for_gpu or not isinstance(self._made, DiagnosticError):
            return None
        return self._made.diagnostics[0]

    def run(self, pad: Launchpad) -> Outcome:
        """What a kernel does, from the first contents of its buffers and of the globals."""
        kernel = Kernels(self.target.load(self.image)).kernel(pad.name)
        pad.reset()
        with redirect_stdout(StringIO()) as printed:
            kernel.launch(pad.grid, pad.arguments, 1)
        return Outcome(pad.contents(), printed.getvalue())


def _compared(
    codes: Sequence[MachineCode], kernel: EntryOp, pad: Launchpad, wanted: Outcome, tally: Counter[str]
) -> str | None:
    """How the machine code of a kernel differs from the interpreter: for each target, and with checks."""
    if wanted.problem is not None:
        tally["undefined"] += 1
        return None
    for code in codes:
        if code.options.checks and interpreted(pad, code.module, EVERYTHING).problem is not None:
            continue
        kind, what = _judged(code, kernel, pad, wanted)
        reason = _reason(code, kind, what, kernel, pad)
        kind, what = (reason, None) if reason else (kind, what)
        tally[f"{code.label}{kind}"] += 1
        if what is not None:
            return f"{code.label}{what}"
    return None


def _reason(code: MachineCode, kind: str, what: str | None, kernel: EntryOp, pad: Launchpad) -> str:
    """Return why code may do what the interpreter does not; empty if it may not, or if there is no difference.

    Every target may write elements of one access that meet at an address in an order of its own.
    """
    if what is None:
        return ""
    if kind == "different" and not code.is_for_gpu:
        return "in another order" if is_unordered(pad, code.module) else ""
    if not code.is_for_gpu:
        return ""
    return excuse(kernel, pad, code.module) if kind == "different" else excuse_of_race(what, pad, code.module)


def _judged(code: MachineCode, kernel: EntryOp, pad: Launchpad, wanted: Outcome) -> tuple[str, str | None]:
    """What became of a kernel in a word, and how it differs."""
    try:
        refusal = code.refusal()
        if refusal is not None and names_operation(refusal, code.target.capability):
            return f"without a form: {refusal.message}", None
        given = code.run(pad)
    except DiagnosticError as error:
        first = error.diagnostics[0]
        return "crashed" if str(first.code) == str(PASS_CRASHED) else "refused", str(first)
    except Exception as error:  # whatever is no diagnostic is a crash
        return "crashed", repr(error)
    if not pad.is_guarded:
        return "touched", "bytes outside of its arrays"
    if given.printed == wanted.printed and agree(
        pointees(kernel), pad.addresses, wanted.buffers, given.buffers
    ):
        return "same", None
    if any(is_inexact(op) for op in kernel.walk()):
        return "inexact", None
    return "different", "other bits" if given.printed == wanted.printed else "other text"


def names_operation(refusal: Diagnostic, chip: str) -> bool:
    """Whether a refusal names an operation, and the chip that has no form for it."""
    return bool(OPERATION.search(refusal.message)) and chip in refusal.message


def pointees(kernel: EntryOp) -> list[Type]:
    """The element types of the arrays that a kernel is given."""
    types: list[Any] = [parameter.type for parameter in kernel.body.block.arguments]
    return [type.element_type.pointee for type in types if isinstance(type.element_type, PointerType)]


def agree(
    elements: Sequence[Type], addresses: Sequence[int], wanted: Sequence[bytes], given: Sequence[bytes]
) -> bool:
    """Whether buffers hold the same, but for the bits of NaNs: an operation that computes may answer any.

    Arrays that overlap see each other's NaNs, an array of integers those of an array of floats, too.
    """
    if wanted == given:
        return True
    buffers = list(zip(elements, addresses, wanted, given, strict=True))
    differing = np.concatenate([start + _differing_bytes(*contents) for _, start, *contents in buffers])
    is_same = np.zeros(len(differing), np.bool_)
    for element, start, *contents in buffers:
        inside = np.flatnonzero((differing >= start) & (differing < start + len(contents[0])))
        if len(inside):
            is_same[inside] |= _are_same_bytes(element, *contents)[differing[inside] - start]
    return bool(is_same.all())


def _differing_bytes(wanted: bytes, given: bytes) -> Any:
    """The places, in bytes, at which two buffers differ."""
    return np.flatnonzero(np.frombuffer(wanted, np.uint8) != np.frombuffer(given, np.uint8))


def _are_same_bytes(element: Type, wanted: bytes, given: bytes) -> Any:
    """For each byte whether it is one of a float that is the same number in two buffers, or a NaN in both."""
    same = same_numbers(element, wanted, given)
    return np.repeat(same, len(wanted) // len(same))


def same_numbers(element: Type, wanted: bytes, given: bytes) -> Any:
    """For each element whether it is the same number in two buffers, or a NaN in both; for integers False."""
    if not isinstance(element, FloatType):
        return np.zeros(1, np.bool_)
    format = FORMATS[element.spelling]
    first, second = (decode_memory(np.frombuffer(data, np.uint8), format) for data in (wanted, given))
    are_nan = np.isnan(decode(first, format)) & np.isnan(decode(second, format))
    return are_nan | (to_bits(first, format) == to_bits(second, format))


def is_inexact(op: Operation) -> bool:
    """Whether an operation may answer something else in the last places."""
    is_fold = isinstance(op, ReduceOp | ScanOp)
    return op.kind.mnemonic in INEXACT or (
        is_fold and any(inner.kind.mnemonic in ORDERED for inner in op.walk())
    )


def defined(pads: Sequence[Launchpad], module: ModuleOp, tally: Counter[str]) -> list[Outcome]:
    """What the interpreter does in each launch, after what makes launches undefined has been left out of the module.

    A broken promise has the result of the operation without it.
    """
    numbered = number_operations(module)
    outcomes = [interpreted(pad, module) for pad in pads]
    tally["launches: broke a promise"] += sum(has_broken_promise(outcome.found) for outcome in outcomes)
    while leave_out(numbered, [diagnostic for outcome in outcomes for diagnostic in outcome.found]):
        outcomes = [interpreted(pad, module) for pad in pads]
    return [
        replace(outcome, found=tuple(one for one in outcome.found if not names_no_tile(one)))
        for outcome in outcomes
    ]


def excuse(kernel: EntryOp, pad: Launchpad, module: ModuleOp) -> str:
    """Why code that runs in another memory, with threads in any order, may do something else; empty if it must not."""
    if any(isinstance(op, PtrToIntOp) for op in kernel.walk()):
        return "with other addresses"
    return "in another order" if is_unordered(pad, module) else ""


def excuse_of_race(found: str, pad: Launchpad, module: ModuleOp) -> str:
    """Why threads may race where the interpreter finds no race; empty if they must not.

    Of weak accesses without a token between them Tile IR says nothing; the interpreter counts the flow of data, too.
    """
    if SIMULATED_RACE not in found:
        return ""
    with patch.object(tracking, "ordering", _tokens):
        return "ordered by data alone" if interpreted(pad, module).problem is not None else ""


def _tokens(instruction: Any) -> list[int]:
    operands = zip(instruction.operands, instruction.op.operands, strict=True)
    return [slot for slot, operand in operands if isinstance(operand.type, TokenType)]


def is_unordered(pad: Launchpad, module: ModuleOp) -> bool:
    """Whether elements of one access that writes meet at an address: nothing says which of them comes first."""
    met: list[bool] = []

    def noting(method: Callable[..., Any]) -> Callable[..., Any]:
        def noted(space: LaunchMemory, access: LaneAccess, *values: Any) -> Any:
            met.append(len(np.unique(access.addresses)) < access.addresses.size)
            return method(space, access, *values)

        return noted

    writes, updates = noting(LaunchMemory.write), noting(LaunchMemory.update)
    with patch.object(LaunchMemory, "write", writes), patch.object(LaunchMemory, "update", updates):
        interpreted(pad, module)
    return any(met)


def interpreted(pad: Launchpad, module: ModuleOp, options: InterpretOptions | None = None) -> Outcome:
    """What the interpreter does, with every check of what Tile IR leaves undefined unless there are ``options``.

    An index outside of the index space has a meaning here: a tile without elements.
    """
    kept, execution.OPTIONS = execution.OPTIONS, options or STRICT
    harmless = dict.fromkeys(get_args(ViewAccess), check_promises.promised_bounds)
    try:
        with patch.dict(check_promises.GUARDS, {} if options else harmless):
            return pad.run(module)
    finally:
        execution.OPTIONS = kept


if __name__ == "__main__":
    from tests.targets.cpu.programs.campaign import main

    main()
