"""Code for GPUs, held against the interpreter in the simulator of PTX, and handed to an assembler.

    python -m conformance.gpu examples [--chip sm_80]...    # every example, as the interpreter and NumPy have it
    python -m conformance.gpu elements [--chip sm_80]...    # every operation on elements, with every type
    python -m conformance.gpu assemble [--chip sm_80]... [--seed SEED] [--generated 50]    # examples and generated programs by ptxas
    python -m conformance.gpu printers [--chip sm_80]... [--generated 50]    # their PTX by LLVM does the same, and that of elements
    python -m conformance.gpu layouts [--generated 50]      # generated programs on the processor, after every pass
    python -m conformance.gpu rows [--chip sm_80]...        # tiles of 1 x 65,536 elements: PTX of less than a megabyte
    python -m conformance.gpu products [--chip sm_80]...    # products of small matrices of every form, by ptxas
    python -m conformance.gpu samples --folder FOLDER [--chip sm_80]...    # cuTile's samples, in a checkout, by ptxas
    python -m conformance.gpu small --folder FOLDER [--chip sm_80]...      # their functions in the simulator, at small sizes

Without ``--chip`` these are the chips of `CHIPS`.  What is counted is printed at the end; a kernel that a GPU refuses counts
by the operation.  With ``--results FILE`` a run that was ended goes on where it was.  An assembler optimizes nothing (-O0)
unless ``--level`` says so: whether it takes a text does not depend on that, and it is faster.  Generated programs are run by
`python -m tests.targets.cpu.programs.generated_programs --target sim:sm_80`.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import Executor
from dataclasses import dataclass, replace
from functools import partial
from itertools import product
from pathlib import Path
from typing import Any

import tilewright
from conformance import cutile_samples
from conformance.ptx.vendor import EXAMPLES, NAMES, Peer, UnsupportedError, attempt
from tests.lowering.tileas.layout_passes import PASSES, differences
from tests.targets.cpu.elementwise.elementwise_functions import BY_NAME, TYPES
from tests.targets.cpu.elementwise.elementwise_harness import Array, Case
from tests.targets.cpu.elementwise.test_elementwise_exact import FAMILIES, inputs_of
from tests.targets.cpu.elementwise.test_elementwise_functions import inputs
from tests.targets.cpu.programs.generated_programs import (
    OPT_LEVELS,
    generated_module,
    launchpads,
    names_operation,
)
from tests.targets.nvptx import second_printer
from tests.targets.nvptx.elementwise_in_simulator import Simulated
from tests.targets.nvptx.test_gpu_elements import difference, is_bounded
from tests.targets.nvptx.tileas_to_nvvm.small_products import small_products
from tests.targets.nvptx.tileas_to_nvvm.test_gpu_large_tiles import MEGABYTE, WORKS, ptx_of, row_of_65536
from tilewright.cli.batch import add_batch_options
from tilewright.cli.progress import shown_progress
from tilewright.cutile import launch as cutile_launch
from tilewright.cutile.compiler import bind_arguments, compiled
from tilewright.dialects.cuda_tile.ops.control import ModuleOp
from tilewright.driver.loading import Kernels, UncompilableError
from tilewright.driver.stages import CompileOptions
from tilewright.driver.target import target
from tilewright.ir.attribute import Type
from tilewright.ir.diagnostic import Diagnostic, DiagnosticError
from tilewright.runtime.distribution import ResultsFile, distribute, processes
from tilewright.runtime.image import Image
from tilewright.targets.nvptx.assemble.assembling import AssembledCode, assemble
from tools.replay import example_kernels

CHIPS = ("sm_75", "sm_80", "sm_89", "sm_90a", "sm_100a", "sm_103a", "sm_110a", "sm_120a", "sm_121a")
Row = tuple[str, str]
"""What came of something in a word, and more about it."""
BAD = frozenset({"wrong", "different", "not assembled", "refused without a name", "crashed", "too long"})
SEED = "gpu"
"""The seed of the generated modules, unless another one is given."""
LIMIT = 600.0
"""Seconds that an assembler may take for a kernel."""


@dataclass(frozen=True, slots=True)
class Part:
    """One piece of work for a chip; ``name`` is that of an example or sample, or the number of a generated module.

    ``level`` is how much an assembler optimizes.
    """

    work: str
    name: str
    chip: str
    folder: str = ""
    level: int = 0
    seed: str = SEED


def refusal(name: str, found: Diagnostic, chip: str) -> Row:
    """A refusal, which has to name the operation and the chip."""
    if names_operation(found, chip):
        return "refused", found.message
    return "refused without a name", f"{name}: {found.message}"


class Simulation(Peer):
    """Launches the kernels of an example in the simulator."""

    def simulated(self, grid: tuple[int, ...], kernel: Any, args: Sequence[Any]) -> None:
        try:
            cutile_launch(grid, kernel, args, target=f"sim:{self.architecture}")
        except UncompilableError as error:
            raise UnsupportedError(error.diagnostics[0].message) from error


class BothPrinters(Peer):
    """Launches the kernels of an example in the simulator, from our PTX and from that of LLVM; ``are_same`` compares."""

    are_same = True

    def simulated(self, grid: tuple[int, ...], kernel: Any, args: Sequence[Any]) -> None:
        parameters, binding = bind_arguments(kernel, args)
        made = compiled(kernel, parameters, binding.facts)
        arrays = [view.array for view in binding.memory]
        before = [array.copy() for array in arrays]
        results: list[list[bytes]] = []
        for image in self._images(made.bytecode):
            for array, copy in zip(arrays, before, strict=True):
                array[...] = copy
            loaded = Kernels(target(f"sim:{self.architecture}").load(image))
            x, y, z = (*grid, 1, 1)[:3]
            loaded.kernel(made.symbol).launch((x, y, z), binding.flat, 1, arrays)
            results.append([array.tobytes() for array in arrays])
        self.are_same &= results[0] == results[1]

    def _images(self, bytecode: bytes) -> list[Image]:
        try:
            artifact = tilewright.compile(bytecode, target=f"sim:{self.architecture}")
            image = artifact.loader().image()
            return [image, second_printer.second_image(image, artifact.module("llvm"), self.architecture)]
        except UncompilableError as error:
            raise UnsupportedError(error.diagnostics[0].message) from error
        except second_printer.NoPrinterError as error:
            raise UnsupportedError(str(error)) from error


def examples(part: Part) -> Iterator[Row]:
    """An example in the simulator, against the interpreter and NumPy."""
    yield from _attempted(part.name, Simulation("", part.chip))


def _attempted(name: str, peer: Peer) -> Iterator[Row]:
    sys.path.insert(0, str(EXAMPLES))
    verdict, reason = attempt(name, peer)
    yield verdict, f"{name}: {reason}" if verdict != "right" else ""


def elements(part: Part) -> Iterator[Row]:
    """Operations on elements with every type against the interpreter; an elementary function within its bounds."""
    if part.name in FAMILIES:
        for exact in FAMILIES[part.name]():
            found = difference(exact, Simulated([exact.case], part.chip))
            yield ("same", "") if found is None else ("different", found)
        return
    function = BY_NAME[part.name]
    for type in TYPES:
        near = is_bounded(function, type, part.chip)
        yield ("within tolerance", "") if near else ("different", f"{function.name} of {type}")


def assembled(part: Part) -> Iterator[Row]:
    """The kernels of the examples, or of a generated module, assembled for the chip."""
    if part.name == "examples":
        made = [machine_code(name, content, part) for name, content in example_kernels()]
    else:
        made = [_generated_code(part, int(part.name))]
    for found in made:
        yield from ([found] if isinstance(found, tuple) else [("assembled", "")] * len(found.kernels))


def _generated_code(part: Part, number: int) -> AssembledCode | Row:
    """The machine code of a module of `generated_programs`, which stores the result of every operation."""
    module = generated_module(part.seed, number)
    launchpads(module, number, part.seed)
    options = CompileOptions(opt_level=OPT_LEVELS[number % len(OPT_LEVELS)])
    return machine_code(f"module {number} of seed '{part.seed}'", module, part, options)


def machine_code(
    name: str, content: bytes | ModuleOp, part: Part, options: CompileOptions | None = None
) -> AssembledCode | Row:
    """The machine code of a module for the chip of a part, or why there is none."""
    try:
        ptx = tilewright.compile(content, target=part.chip, options=options).asm["ptx"]
    except DiagnosticError as error:
        return refusal(name, error.diagnostics[0], part.chip)
    assert isinstance(ptx, str), "PTX is text"
    try:
        return assemble(ptx, part.chip, level=part.level, limit=LIMIT)
    except DiagnosticError as error:
        return "not assembled", f"{name}: {error.diagnostics[0]}"


def printers(part: Part) -> Iterator[Row]:
    """An example, operations on elements, or a generated program by two printers of PTX."""
    if part.name in FAMILIES or part.name in BY_NAME:
        for case, result, operands in _cases(part.name):
            yield second_printer.compare_elements(case, result, operands, part.chip)
        return
    if part.name in NAMES:
        peer = BothPrinters("", part.chip)
        yield from _attempted(part.name, peer)
        if not peer.are_same:
            yield "different", part.name
        return
    tally: Counter[str] = Counter()
    for found in second_printer.compare(SEED, int(part.name), part.chip, tally):
        yield "different", found
    yield from ((word, "") for word in tally.elements() if word != "different")


def _cases(name: str) -> Iterator[tuple[Case, Type, Sequence[Array]]]:
    """The operations of a family, or an elementary function of all types, with their results and operands."""
    if name in FAMILIES:
        yield from ((exact.case, exact.result, inputs_of(exact)) for exact in FAMILIES[name]())
        return
    function = BY_NAME[name]
    yield from ((function.case(type), type, inputs(function, type)) for type in TYPES)


def layouts(part: Part) -> Iterator[Row]:
    """A generated program on this processor, after each of the passes over layouts."""
    tally: Counter[str] = Counter()
    number = int(part.name)
    for found in differences(SEED, range(number, number + 1), PASSES, tally):
        yield "different", found
    yield from (("compared", "") for _ in range(tally["compared"]))


def rows(part: Part) -> Iterator[Row]:
    """A kernel with a row of 65,536 elements for the chip: how long its PTX is."""
    try:
        size = len(ptx_of(row_of_65536(part.name), part.chip))
    except DiagnosticError as error:
        yield refusal(part.name, error.diagnostics[0], part.chip)
        return
    yield "short" if size < MEGABYTE else "too long", f"{part.name}: {size:,} bytes"


def products(part: Part) -> Iterator[Row]:
    """A product of small matrices, assembled for the chip."""
    one = next(one for one in small_products() if one.name == part.name)
    found = machine_code(one.name, one.text(), part)
    yield found if isinstance(found, tuple) else ("assembled", "")


def samples(part: Part) -> Iterator[Row]:
    """The kernels of a sample of cuTile at their published sizes, assembled for the chip: seconds, and what they need."""
    for name, content in cutile_samples.kernels(Path(part.folder), part.name):
        start = time.perf_counter()
        found = machine_code(name, content, part)
        if not isinstance(found, AssembledCode):
            yield found
            continue
        seconds = time.perf_counter() - start
        for kernel in found.kernels:
            needs = replace(kernel, kernel=name)
            yield "assembled", f"{needs}, {seconds:.1f} s"


def small(part: Part) -> Iterator[Row]:
    """A function of a sample at small sizes in the simulator, against PyTorch."""
    found = cutile_samples.run(Path(part.folder), part.name, f"sim:{part.chip}")
    yield ("wrong", f"{part.name}: {found}") if found else ("right", "")


@dataclass(frozen=True, slots=True)
class Work:
    """One kind of work: what is done with a part, the names of the parts, and for which chips."""

    rows: Callable[[Part], Iterable[Row]]
    names: Callable[[int], Iterable[str]]
    chips: tuple[str, ...] = CHIPS


def _with_generated(names: Sequence[str], count: int) -> list[str]:
    return [*names, *map(str, range(count))]


WORK: dict[str, Work] = {
    "examples": Work(examples, lambda _: NAMES),
    "elements": Work(elements, lambda _: [*FAMILIES, *BY_NAME]),
    "assemble": Work(assembled, partial(_with_generated, ["examples"])),
    "printers": Work(printers, partial(_with_generated, [*NAMES, *FAMILIES, *BY_NAME])),
    "layouts": Work(layouts, partial(_with_generated, ()), ("sm_80",)),
    "rows": Work(rows, lambda _: ["addf", "exp", "sum", *WORKS]),
    "products": Work(products, lambda _: [one.name for one in small_products()]),
    "samples": Work(samples, lambda _: cutile_samples.NAMES),
    "small": Work(small, lambda _: cutile_samples.CHECKS),
}


def counted(part: Part) -> list[tuple[str, str, int]]:
    """What came of one part, and how often."""
    tally = Counter(WORK[part.work].rows(part))
    return [(word, more, count) for (word, more), count in tally.items()]


def survey(
    parts: Sequence[Part], executor: Callable[[], Executor], results: ResultsFile[Part, Any] | None
) -> Counter[tuple[str, Row]]:
    """What came of all parts, by chip.  One that raises or ends its process, as LLVM may, has crashed."""
    tally: Counter[tuple[str, Row]] = Counter()
    for done in distribute(counted, parts, executor, attempts=1, results=results, what="parts"):
        part = done.item
        if done.error is not None:
            tally[part.chip, ("crashed", f"{part.name}: {done.error!r}")] += 1
            continue
        for word, more, count in done.result():
            tally[part.chip, (word, more)] += count
    return tally


def main(arguments: Sequence[str]) -> int:
    """The command; answers 1 if something is wrong."""
    parser = argparse.ArgumentParser(prog="python -m conformance.gpu", description=__doc__)
    parser.add_argument("work", choices=WORK)
    parser.add_argument("--chip", action="append", help="a chip, such as sm_80; may be given several times")
    parser.add_argument("--generated", type=int, default=50, help="how many generated modules are taken")
    parser.add_argument("--seed", default=SEED, help="that of generated modules, for `assemble`")
    parser.add_argument(
        "--folder", default="", help="a checkout of cuTile Python's repository, for its samples"
    )
    parser.add_argument("--level", type=int, default=0, help="how much the assembler optimizes, 0 to 3")
    parser.add_argument("--only", default="", help="parts whose names contain this")
    add_batch_options(parser, jobs=1)
    parser.add_argument("--results", type=Path, help="a file with what is done: a run that was ended goes on")
    options = parser.parse_args(arguments)
    work = WORK[options.work]
    names = [name for name in work.names(options.generated) if options.only in name]
    parts = [
        Part(options.work, name, chip, options.folder, options.level, options.seed)
        for name, chip in product(names, options.chip or work.chips)
    ]
    results: ResultsFile[Part, Any] | None = None
    if options.results:
        results = ResultsFile(options.results, f"conformance.gpu {options.work}")
    with shown_progress():
        tally = survey(parts, options.executor or processes(options.jobs), results)
    for (chip, (word, more)), count in sorted(tally.items()):
        print(f"{chip:8} {count:6} {word}{': ' if more else ''}{more}")
    return int(any(word in BAD for _, (word, _) in tally))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
