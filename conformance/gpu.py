"""Code for GPUs, held against the interpreter in the simulator of PTX, and handed to an assembler.

    python -m conformance.gpu examples [--chip sm_80]...    # every example, as the interpreter and NumPy have it
    python -m conformance.gpu elements [--chip sm_80]...    # every operation on elements, with every type
    python -m conformance.gpu assemble [--chip sm_80]... [--generated 50]    # examples and generated programs by ptxas

Without ``--chip`` these are the chips of `CHIPS`.  What is counted is printed at the end; a kernel that a GPU refuses counts
by the operation.  Generated programs are run by `python -m tests.targets.cpu.programs.generated_programs --target sim:sm_80`.
"""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import tilewright
from conformance.ptx.vendor import EXAMPLES, NAMES, Peer, UnsupportedError, attempt
from tests.targets.cpu.elementwise.elementwise_functions import FUNCTIONS, TYPES
from tests.targets.cpu.elementwise.test_elementwise_exact import FAMILIES
from tests.targets.cpu.programs.generated_programs import names_operation
from tests.targets.nvptx.elementwise_in_simulator import Simulated
from tests.targets.nvptx.test_gpu_elements import difference, is_bounded
from tilewright.cli.progress import shown_progress
from tilewright.cutile import launch as cutile_launch
from tilewright.driver.loading import UncompilableError
from tilewright.ir.diagnostic import Diagnostic, DiagnosticError
from tilewright.runtime.distribution import Here, distribute, processes
from tilewright.targets.nvptx.assemble.assembling import assemble
from tools.replay import example_kernels, generated_kernels

CHIPS = ("sm_75", "sm_80", "sm_89", "sm_90a", "sm_100a", "sm_103a", "sm_110a", "sm_120a", "sm_121a")
Row = tuple[str, str]
"""What came of something in a word, and more about it."""
BAD = frozenset({"wrong", "different", "not assembled", "refused without a name"})


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


def examples(chip: str, generated: int) -> Iterator[Row]:
    """Every example in the simulator, against the interpreter and NumPy."""
    sys.path.insert(0, str(EXAMPLES))
    for name in NAMES:
        verdict, reason = attempt(name, Simulation("", chip))
        yield verdict, reason if verdict != "right" else ""


def elements(chip: str, generated: int) -> Iterator[Row]:
    """Every operation on elements with every type against the interpreter; elementary functions within their bounds."""
    for make in FAMILIES.values():
        for exact in make():
            found = difference(exact, Simulated([exact.case], chip))
            yield ("same", "") if found is None else ("different", found)
    for function in FUNCTIONS:
        for type in TYPES:
            near = is_bounded(function, type, chip)
            yield ("within tolerance", "") if near else ("different", f"{function.name} of {type}")


def assembled(chip: str, generated: int) -> Iterator[Row]:
    """Examples and generated programs, assembled for the chip."""
    for name, content in [*example_kernels(), *generated_kernels(generated)]:
        try:
            ptx = tilewright.compile(content, target=chip).asm["ptx"]
        except DiagnosticError as error:
            yield refusal(name, error.diagnostics[0], chip)
            continue
        assert isinstance(ptx, str), "PTX is text"
        try:
            assemble(ptx, chip, level=0)
        except DiagnosticError as error:
            yield "not assembled", f"{name}: {error.diagnostics[0]}"
        else:
            yield "assembled", ""


WORK: dict[str, Callable[[str, int], Iterator[Row]]] = {
    "examples": examples,
    "elements": elements,
    "assemble": assembled,
}


def counted(work: tuple[str, str, int]) -> Counter[Row]:
    """What came of one kind of work for a chip."""
    kind, chip, generated = work
    return Counter(WORK[kind](chip, generated))


def main(arguments: Sequence[str]) -> int:
    """The command; answers 1 if something is wrong."""
    parser = argparse.ArgumentParser(prog="python -m conformance.gpu", description=__doc__)
    parser.add_argument("work", choices=WORK)
    parser.add_argument("--chip", action="append", help="a chip, such as sm_80; may be given several times")
    parser.add_argument("--generated", type=int, default=50, help="how many generated modules are assembled")
    parser.add_argument("--jobs", type=int, default=1, help="how many processes")
    options = parser.parse_args(arguments)
    shares = [(options.work, chip, options.generated) for chip in options.chip or CHIPS]
    executor = processes(options.jobs) if options.jobs > 1 else Here
    is_bad = False
    with shown_progress():
        for done in distribute(counted, shares, executor, what="chips"):
            for (word, more), count in sorted(done.result().items()):
                print(f"{done.item[1]:8} {count:6} {word}{': ' if more else ''}{more}", flush=True)
                is_bad |= word in BAD
    return int(is_bad)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
