"""A launch that is compared, and the outcome of the comparison."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from tilewright.dialects.cuda_tile.attributes import function_name
from tilewright.dialects.cuda_tile.ops.control import EntryOp
from tilewright.driver.comparison.arrays import ComparedArray, ErrorFigures
from tilewright.driver.compile import compile
from tilewright.driver.launch import launch
from tilewright.driver.repeatable import ArgumentCopies, LaunchedKernel, array_of
from tilewright.driver.stages import CompileOptions
from tilewright.interp.launch import InterpretedLaunch, LoadedModule, SilentSink
from tilewright.interp.memory.address_space import AccessWatcher
from tilewright.interp.values import InterpretOptions
from tilewright.ir.diagnostic import Diagnostic, Severity

INTERPRETED = "interp"
"""The target whose results are kept beside their exact values."""
_HEAD = f"  {'':12} {'largest':>9} {'relative':>9} {'median':>9} {'beyond':>8}  element"


@dataclass(slots=True)
class Interpretation:
    """A finished run in the interpreter: the copies of the arguments that it used and wrote, and the launch."""

    arguments: list[Any]
    launch: InterpretedLaunch


@dataclass(slots=True)
class LaunchComparison:
    """The outcome of a compared launch: the name of its kernel, the grid, the arrays of floats that it wrote, and
    the findings. ``orders`` has the orders of tile blocks with which other bits were stored, each with the name of
    the array and the first element that differs. ``skipped`` is the reason if nothing was compared.
    """

    kernel: str
    grid: tuple[int, int, int]
    arrays: list[ComparedArray] = field(default_factory=list[ComparedArray])
    findings: list[Diagnostic] = field(default_factory=list[Diagnostic])
    orders: dict[str, tuple[str, tuple[int, ...]]] = field(
        default_factory=dict[str, tuple[str, tuple[int, ...]]]
    )
    skipped: str = ""

    @property
    def warnings(self) -> list[Diagnostic]:
        """Return the findings about choices of the kernel: factors of matrix products in a narrow format."""
        return [one for one in self.findings if one.severity is Severity.WARNING]

    def __str__(self) -> str:
        return comparison_text(self)


class ComparedLaunch:
    """A launch that is being compared: `launched` is the launched kernel, `entry` its operation and `name`
    its name in messages, and `copies` makes copies of its arguments. Without a name in `launched`, the kernel
    is the first of the module.
    """

    def __init__(self, launched: LaunchedKernel) -> None:
        module = compile(launched.bytecode, options=CompileOptions(debug_info=True)).module("tileir")
        self.launched = launched
        self.entry = next(
            op for op in module.walk() if isinstance(op, EntryOp) and launched.entry in ("", op.sym_name)
        )
        self.name = function_name(self.entry.location, self.entry.sym_name)
        self.copies = ArgumentCopies(launched)

    def lines(self) -> frozenset[tuple[str, int]]:
        """Return the source lines of the kernel's operations, as (file name, line number)."""
        places = (op.location.source for op in self.entry.walk())
        return frozenset(one[:2] for one in places if one)

    def interpreted(
        self,
        options: InterpretOptions,
        grid: tuple[int, int, int] | None = None,
        watchers: Sequence[AccessWatcher] = (),
    ) -> Interpretation:
        """Run the launch in the interpreter on copies of its arguments, on its grid or another `grid`; return
        the copies and the finished launch. ``watchers`` receive every access. Raises `DiagnosticError` if the
        run fails.
        """
        arguments = self.copies.arguments()
        assert self.entry.parent_op is not None, "entries are in modules"
        module = LoadedModule(self.entry.parent_op)
        made = module.begin(
            self.entry.sym_name,
            grid or self.launched.grid,
            arguments,
            options,
            stdout=SilentSink(),
            watchers=watchers,
        )
        made.run()
        return Interpretation(arguments, made)

    def on(self, target: str, threads: int | None = None) -> list[Any]:
        """Run the launch on `target`, on copies of its arguments, and return the copies. ``threads`` is the
        maximum number of threads; None stands for the default of `tilewright.launch`.
        """
        arguments = self.copies.arguments()
        one = self.launched
        launch(one.bytecode, self.entry.sym_name, one.grid, arguments, target=target, threads=threads)
        return arguments

    def compared(self, run: Interpretation) -> list[ComparedArray]:
        """Return the arrays of floats that `run`, an interpreted run with references, wrote, in the order of
        the parameters.
        """
        errors = run.launch.errors
        assert errors is not None, "the run has references"
        found: list[ComparedArray] = []
        for number, (given, made) in enumerate(zip(self.launched.arguments, run.arguments, strict=True)):
            array = array_of(made)
            known = None if array is None else errors.memory.of_array(array)
            if known is not None and array is not None:
                name = self.launched.name_of(given, number)
                found.append(ComparedArray(name, *known, {INTERPRETED: array}))
        return found


def comparison_text(found: LaunchComparison) -> str:
    """Return a comparison as a table: for each array and target the largest error in units in the last place, its
    relative size and its element, the median, and the share of elements beyond the promise of the operations.
    """
    grid = " x ".join(map(str, found.grid))
    lines = [f"kernel '{found.kernel}', grid {grid}"]
    if found.skipped:
        return f"{lines[0]}: not compared. {found.skipped}"
    for array in found.arrays:
        shape = ", ".join(map(str, array.written.shape))
        lines += [f"  {array.name}: {array.format.name}[{shape}]", _HEAD]
        lines += [_row(target, figures) for target, figures in array.targets.items()]
    if not found.arrays:
        lines.append("  no array of floats was written")
    lines += [f"  with {order}: other bits in {_element(*where)}" for order, where in found.orders.items()]
    return "\n".join(lines)


def _row(target: str, figures: ErrorFigures) -> str:
    numbers = f"{figures.units:9.3g} {figures.relative:9.2g} {figures.median:9.3g} {figures.beyond:8.1%}"
    return f"  {target:12} {numbers}  {list(figures.element)}"


def _element(name: str, element: tuple[int, ...]) -> str:
    return f"{name}{list(element)}" if element else name
