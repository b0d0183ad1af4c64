"""One launch on its target, in the interpreter beside exact values, in other orders, and on further targets."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace
from typing import Any, Literal

import numpy as np

from tilewright.dialects.cuda_tile.ops.control import GetNumTileBlocksOp
from tilewright.driver.comparison import judgement
from tilewright.driver.comparison.arrays import Array
from tilewright.driver.comparison.subject import (
    INTERPRETED,
    ComparedLaunch,
    Interpretation,
    LaunchComparison,
)
from tilewright.driver.launch_arguments import argument_list, normalise_grid
from tilewright.driver.repeatable import LaunchedKernel, array_of
from tilewright.driver.sources import Source
from tilewright.driver.target import DEFAULT
from tilewright.interp.memory.address_space import LaneAccess, Reached
from tilewright.interp.precision.memory import element_addresses
from tilewright.interp.values import InterpretOptions

_ORDERS: tuple[Literal["reversed", "shuffled"], ...] = ("reversed", "shuffled")
ONE_THREAD = "one thread"
FEWER = "half as many tile blocks"
_PARALLEL = DEFAULT
"""The target that runs tile blocks on several threads."""
Expected = Any
"""Expected results: an array, a list of arrays in the order of the parameters, or arrays by their names."""


def compare(
    source: Source,
    entry: str | None,
    grid: int | Sequence[int],
    flat_args: Sequence[Any],
    *,
    target: str = DEFAULT,
    also: Sequence[str] = (),
    reference: Any = None,
    memory: Sequence[Any] = (),
) -> LaunchComparison:
    """Launch a kernel as `tilewright.launch` does, and compare its results with exact values; return the
    comparison.

    The kernel runs on `target` with the given arguments, and on copies of them in the interpreter, with the exact
    value beside each float, in other orders, and on the targets in ``also``. ``reference`` has the expected
    results: an array, several in the order of the parameters that the kernel writes, or a mapping from names; or
    a function of the arguments that returns them, which is called with copies before the launch.

    Raises `DiagnosticError` for anything wrong with the module, the arguments or the run.
    """
    launched = _launched(source, entry, grid, flat_args, memory)
    made = ComparedLaunch(launched)
    expected = reference(*made.copies.arguments()) if callable(reference) else reference
    return compared(made, target, also, expected)


def _launched(
    source: Source, entry: str | None, grid: Any, flat_args: Sequence[Any], memory: Sequence[Any]
) -> LaunchedKernel:
    content: Any = source
    return LaunchedKernel(
        content, entry or "", normalise_grid(grid), argument_list(flat_args), argument_list(memory)
    )


def compared(
    made: ComparedLaunch, target: str, also: Sequence[str] = (), expected: Expected = None
) -> LaunchComparison:
    """Run a launch on `target` and on the targets `also`, and return its comparison; `expected` has the
    expected results. Only the run on `target` uses the arguments of the program, all others use copies. If
    the arguments cannot be copied, the launch only runs on `target`, and ``skipped`` of the result is the
    reason.
    """
    found = LaunchComparison(made.name, made.launched.grid, skipped=made.copies.reason)
    if found.skipped:
        _run(made, target)
        return found
    run = made.interpreted(InterpretOptions(references=True))
    found.arrays = made.compared(run)
    _reorder(made, run, target, found)
    for name in also:
        _keep(found, name, made, made.on(name))
    _run(made, target)
    _keep(found, target, made, made.launched.arguments)
    errors = run.launch.errors
    assert errors is not None, "the run has references"
    found.findings = judgement.findings(made, found, errors, expected)
    return found


def _run(made: ComparedLaunch, target: str) -> None:
    replace(made.launched, entry=made.entry.sym_name).run(target)


def _keep(found: LaunchComparison, target: str, made: ComparedLaunch, arguments: Sequence[Any]) -> None:
    """Store in `found` the results of a run on `target`: copies of the arrays in `arguments`, as the program
    may change them. The results of the interpreter are stored already.
    """
    if target == INTERPRETED:
        return
    names = {made.launched.name_of(given, at): at for at, given in enumerate(made.launched.arguments)}
    for one in found.arrays:
        one.values[target] = arguments[names[one.name]].copy()


def _reorder(made: ComparedLaunch, run: Interpretation, target: str, found: LaunchComparison) -> None:
    """Run the launch in other orders of tile blocks, on the CPU also on one thread, and with half as many
    tile blocks, and record in `found` the first element that gets other bits in each run. After an order with
    other bits no more runs follow. A launch of one tile block has no other order.
    """
    if math.prod(made.launched.grid) < 2:
        return
    for order in _ORDERS:
        again = made.interpreted(InterpretOptions(block_order=order)).arguments
        if _note_difference(made, f"tile blocks in {order} order", run.arguments, again, found):
            return
    if target == _PARALLEL:
        _note_difference(made, ONE_THREAD, made.on(target), made.on(target, 1), found)
    _halve(made, found)


class _LaterWrites:
    """Watches a launch, and collects the addresses that later tile blocks write to: those whose index along
    the dimension `axis` of `grid` is at least `first`.
    """

    def __init__(self, grid: tuple[int, int, int], axis: int, first: int) -> None:
        self._inner = math.prod(grid[:axis])
        self._extent = grid[axis]
        self._first = first
        self._addresses: list[Array] = []

    def record(self, access: LaneAccess, reached: Reached) -> None:
        """Collect the addresses of a write by one of the later tile blocks."""
        if access.writes and access.block.number // self._inner % self._extent >= self._first:
            self._addresses.append(access.addresses.reshape(-1))

    def reach(self, array: Array) -> Array:
        """Return a mask of the elements of an array that later tile blocks wrote to."""
        if not self._addresses:
            return np.zeros(array.shape, np.bool_)
        written = np.unique(np.concatenate(self._addresses))
        return np.isin(element_addresses(array), written)


def _halve(made: ComparedLaunch, found: LaunchComparison) -> None:
    """Run the first half of the tile blocks, and record the first element that they write with other bits than
    in the whole launch. Nothing is compared if the kernel asks for the number of tile blocks; elements that the
    other half writes to, too, are not compared.
    """
    if any(isinstance(op, GetNumTileBlocksOp) for op in made.entry.walk()):
        return
    grid = list(made.launched.grid)
    axis = int(np.argmax(grid))
    half = grid[axis] // 2
    later = _LaterWrites(made.launched.grid, axis, half)
    whole = made.interpreted(InterpretOptions(), watchers=[later]).arguments
    grid[axis] = half
    fewer = made.interpreted(InterpretOptions(), (grid[0], grid[1], grid[2])).arguments
    for before, one, other in zip(made.copies.arguments(), whole, fewer, strict=True):
        array = array_of(one)
        if array is not None:
            untouched = later.reach(array) | ~_different(before, other)
            other[untouched] = array[untouched]
    _note_difference(made, FEWER, whole, fewer, found)


def _note_difference(
    made: ComparedLaunch, order: str, one: Sequence[Any], other: Sequence[Any], found: LaunchComparison
) -> bool:
    """Record in `found`, under the name `order`, the first element whose bits differ between the two lists of
    arguments `one` and `other`. Return whether there is one.
    """
    for number, (first, second) in enumerate(zip(one, other, strict=True)):
        array, changed = array_of(first), array_of(second)
        if array is None or changed is None:
            continue
        different = _different(array, changed)
        if different.any():
            element = tuple(int(i) for i in np.argwhere(different)[0])
            name = made.launched.name_of(made.launched.arguments[number], number)
            found.orders[order] = name, element
            return True
    return False


def _different(one: Array, other: Array) -> Array:
    """Return a mask with the shape of both arrays: True for elements whose bits differ."""
    size = one.dtype.itemsize
    bits = [np.ascontiguousarray(array).view(np.uint8).reshape(*array.shape, size) for array in (one, other)]
    return np.asarray((bits[0] != bits[1]).any(axis=-1))
