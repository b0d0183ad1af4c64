"""Numerical faults planted into right kernels of other authors, and whether comparisons tell them at their lines.

    python -m conformance.numerical_faults FOLDER ... [--count 20] [--seed 0]

draws kernels from launches that `conformance.launch_records` has kept, and plants one fault into each: into its Tile IR,
at an operation with a line. The exact results of the right kernel are the expected ones. A fault that leaves all results
within their tolerance is drawn again. Each line has the fault, the kernel, and the lines at which it may be told: the
line of the operation, and for an operation that is left out the lines that compute and use its value.
"""

from __future__ import annotations

import random
import re
import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from conformance.comparisons import launched
from conformance.launch_records import LaunchRecord, parser_of_folders, smallest
from tilewright.dialects.cuda_tile.ops import conversion, float as floats, memory, tile as tiles
from tilewright.dialects.cuda_tile.types import tile_of
from tilewright.driver.comparison.launch import compared
from tilewright.driver.comparison.subject import INTERPRETED, ComparedLaunch, LaunchComparison
from tilewright.driver.repeatable import LaunchedKernel
from tilewright.driver.sources import read_any
from tilewright.instrument.writer import CheckInserter
from tilewright.interp.precision import watch
from tilewright.interp.precision.reference import unit
from tilewright.interp.precision.rules import body_operation
from tilewright.interp.values import InterpretOptions, float_format
from tilewright.ir import builtin_attributes, builtin_types
from tilewright.ir.diagnostic import DiagnosticError
from tilewright.ir.operation import Operation
from tilewright.ir.value import Value

Edit = Callable[[], object]
_CLOSE = 3e-3
"""The error from which a fault shows in results, relative to the root of their mean square."""
_MOVES = (tiles.ReshapeOp, tiles.BroadcastOp, tiles.PermuteOp)

_ROUNDINGS = 2.0
"""The error that shows in results beside `_CLOSE`, in units in the last place of the array."""


@dataclass(frozen=True)
class Site:
    """A place where a fault can be planted: the lines at which it may be told, and the edit."""

    lines: frozenset[tuple[str, int]]
    edit: Edit


def _floats(entry: Operation, classes: Any, name: str = "f32") -> Iterator[Any]:
    """Yield the operations of some classes whose result is a tile of floats of a format."""
    for op in entry.walk():
        made = float_format(op.results[0].type) if isinstance(op, classes) else None
        if made is not None and made.name == name and op.location.source is not None:
            yield op


def _at(op: Operation, *others: Operation) -> frozenset[tuple[str, int]]:
    places = [one.location.source for one in (op, *others)]
    return frozenset(one[:2] for one in places if one is not None)


def _rounded(write: CheckInserter, value: Value, format: Any) -> Value:
    """Return a value that is rounded to a narrower format and converted back."""
    tile = tile_of(value)
    narrow = write(conversion.FToFOp, value, type=tile.with_element_type(format))
    return write(conversion.FToFOp, narrow, type=tile)


def _round_result(op: Operation, format: Any) -> None:
    value = op.results[0]
    users = [(user, at) for user in value.users for at, one in enumerate(user.operands) if one is value]
    made = _rounded(CheckInserter.after(value), value, format)
    for user, at in users:
        operands = list(user.operands)
        operands[at] = made
        user.set_operands(operands)


def _round_operand(op: Operation, at: int, format: Any) -> None:
    operands = list(op.operands)
    operands[at] = _rounded(CheckInserter.before(op), operands[at], format)
    op.set_operands(operands)


def narrow_accumulators(entry: Operation) -> Iterator[Site]:
    """A sum that a loop carries is rounded to f16 in each iteration."""
    for op in _floats(entry, (floats.AddFOp, floats.FmaOp, tiles.MmaFOp)):
        if watch.is_carried_sum(op):
            yield Site(_at(op), lambda op=op: _round_result(op, builtin_types.f16))


def narrow_sums(entry: Operation) -> Iterator[Site]:
    """The terms of a sum are rounded to bf16 before."""
    for op in _floats(entry, tiles.ReduceOp):
        if body_operation(op) is floats.AddFOp:
            yield Site(_at(op), lambda op=op: _round_operand(op, 0, builtin_types.bf16))


def narrow_factors(entry: Operation) -> Iterator[Site]:
    """The factors of a product of f32 are rounded to bf16."""
    for op in _floats(entry, tiles.MmaFOp):
        if float_format(op.operands[0].type).name == "f32":  # pyright: ignore
            yield Site(_at(op), lambda op=op: _round_operand(op, 0, builtin_types.bf16))


def premature_casts(entry: Operation) -> Iterator[Site]:
    """A value is rounded to bf16 in the middle of a formula."""
    for op in _floats(entry, (floats.MulFOp, floats.DivFOp, floats.RsqrtOp, floats.SubFOp, floats.ExpOp)):
        yield Site(_at(op), lambda op=op: _round_result(op, builtin_types.bf16))


def wrong_constants(entry: Operation) -> Iterator[Site]:
    """A constant is larger by a quarter: a scale, an epsilon, a count."""
    for op in _floats(entry, tiles.ConstantOp):
        value = float(np.frombuffer(op.value.data, np.float32)[0])
        users = list(_users(op))
        if value not in (0.0, 1.0) and np.isfinite(value) and abs(value) < 1e6 and users:
            yield Site(_at(op, *users), lambda op=op, value=value: _other_constant(op, 1.25 * value))


def _users(op: Operation) -> Iterator[Operation]:
    for user in op.results[0].users:
        if isinstance(user, _MOVES):
            yield from _users(user)
        else:
            yield user


def _other_constant(op: Any, value: float) -> None:
    made = CheckInserter.before(op)(tiles.ConstantOp, builtin_attributes.dense(op.results[0].type, [value]))
    op.results[0].replace_all_uses_with(made)


def _neighbours(op: Operation) -> Iterator[Operation]:
    """Yield the operations that compute and use the value from which an operation is left out."""
    owner = op.operands[0].owner
    yield from [owner] if isinstance(owner, Operation) else []
    yield from _users(op)


def left_out_factors(entry: Operation) -> Iterator[Site]:
    """A multiplication is left out: a scale, a rescaling of an accumulator, a weight."""
    for op in _floats(entry, floats.MulFOp):
        yield Site(
            _at(op, *_neighbours(op)), lambda op=op: op.results[0].replace_all_uses_with(op.operands[0])
        )


def left_out_terms(entry: Operation) -> Iterator[Site]:
    """A subtraction or addition of a value is left out: a mean, a bias, a residual."""
    for op in _floats(entry, (floats.AddFOp, floats.SubFOp)):
        if not watch.is_carried_sum(op) and op.operands[0].type is op.results[0].type:
            yield Site(
                _at(op, *_neighbours(op)), lambda op=op: op.results[0].replace_all_uses_with(op.operands[0])
            )


def wrong_signs(entry: Operation) -> Iterator[Site]:
    """A sum is a difference, or a difference a sum."""
    for op in _floats(entry, (floats.AddFOp, floats.SubFOp)):
        if not _in_body(op):
            yield Site(_at(op), lambda op=op: _again(op, _OTHER[type(op)], op.operands))


def exchanged_operands(entry: Operation) -> Iterator[Site]:
    """The operands of a difference or quotient are exchanged."""
    for op in _floats(entry, (floats.SubFOp, floats.DivFOp)):
        yield Site(_at(op), lambda op=op: _again(op, type(op), op.operands[::-1]))


_OTHER: dict[type[Operation], Any] = {floats.AddFOp: floats.SubFOp, floats.SubFOp: floats.AddFOp}


def _again(op: Any, made: Any, operands: Sequence[Value]) -> None:
    op.results[0].replace_all_uses_with(CheckInserter.before(op)(made, *operands, op.rounding_mode))


def _in_body(op: Operation) -> bool:
    return any(isinstance(one, tiles.ReduceOp | tiles.ScanOp) for one in op.ancestors())


def wrong_axes(entry: Operation) -> Iterator[Site]:
    """A square tile is transposed, or spread along the other axis, or summed along it."""
    for op in _floats(entry, tiles.BroadcastOp):
        given, made = tile_of(op.operands[0]).shape, tile_of(op.results[0]).shape
        if len(made) == 2 and made[0] == made[1] and sorted(given) == [1, made[0]]:
            yield Site(_at(op, *_users(op)), lambda op=op: _transposed(op))


def transposed_factors(entry: Operation) -> Iterator[Site]:
    """A square factor of a product is transposed."""
    for op in entry.walk():
        if isinstance(op, tiles.MmaFOp) and op.location.source is not None:
            shape = tile_of(op.operands[1]).shape
            if len(shape) == 2 and shape[0] == shape[1]:
                yield Site(_at(op), lambda op=op: _transpose_factor(op))


def _transposed(op: Any) -> None:
    value = op.results[0]
    users = [(user, at) for user in value.users for at, one in enumerate(user.operands) if one is value]
    made = CheckInserter.after(value)(tiles.PermuteOp, value, (1, 0), type=value.type)
    for user, at in users:
        user.set_operands([*user.operands[:at], made, *user.operands[at + 1 :]])


def _transpose_factor(op: Any) -> None:
    factor = op.operands[1]
    made = CheckInserter.before(op)(tiles.PermuteOp, factor, (1, 0), type=factor.type)
    op.set_operands([op.operands[0], made, *op.operands[2:]])


def double_roundings(entry: Operation) -> Iterator[Site]:
    """A result in bf16 is rounded to f16 before."""
    for op in _floats(entry, conversion.FToFOp, "bf16"):
        stores = all(isinstance(user, memory.StorePtrTkoOp | memory.StoreViewTkoOp) for user in _users(op))
        if float_format(op.operands[0].type).name == "f32" and stores:  # pyright: ignore
            yield Site(_at(op), lambda op=op: _round_operand(op, 0, builtin_types.f16))


FAULTS: dict[str, Callable[[Operation], Iterator[Site]]] = {
    made.__name__.replace("_", " "): made
    for made in (
        *(narrow_accumulators, narrow_sums, narrow_factors, premature_casts, wrong_constants),
        *(left_out_factors, left_out_terms, wrong_signs, exchanged_operands, wrong_axes),
        *(transposed_factors, double_roundings),
    )
}
"""The faults by name: functions that yield the places of a kernel for one."""


@dataclass(frozen=True)
class RightResults:
    """The results of a right kernel by the names of its arrays: the exact ones, and those of the interpreter."""

    exact: dict[str, Any]
    rounded: dict[str, Any]


def expected(record: LaunchRecord) -> RightResults | None:
    """Return the results of a right kernel; None if it cannot be run again, or lasts too long."""
    made = ComparedLaunch(launched(record))
    if made.copies.reason:
        return None
    try:
        run = made.interpreted(InterpretOptions(references=True, max_steps=20_000))
    except DiagnosticError:
        return None
    arrays = made.compared(run)
    return RightResults(
        {one.name: np.where(one.written, one.references.exact, 0.0) for one in arrays},
        {one.name: one.values[INTERPRETED].astype(np.float64) for one in arrays},
    )


def told(record: LaunchRecord, module: Any, right: RightResults) -> LaunchComparison:
    """Return the comparison of a launch whose kernel has been changed with the expected results."""
    one = launched(record)
    changed = LaunchedKernel(module, one.entry, one.grid, one.arguments, one.memory)
    return compared(ComparedLaunch(changed), INTERPRETED, (), right.exact)


def shows(found: LaunchComparison, right: RightResults) -> bool:
    """Return whether the results of a kernel are so far from those of the right one that a test would fail."""
    for one in found.arrays:
        wanted = right.rounded[one.name][one.written]
        with np.errstate(all="ignore"):
            given = one.values[INTERPRETED].astype(np.float64)[one.written]
            wrong = np.abs(given - wanted)
            size = np.sqrt(np.nanmean(np.square(wanted)))
            close = _CLOSE * size + _ROUNDINGS * unit(wanted, one.format)
            is_same = (given == wanted) | (np.isnan(given) & np.isnan(wanted)) | (wrong <= close)
        if not np.all(is_same):
            return True
    return False


def draw(
    records: Sequence[LaunchRecord], source: random.Random
) -> Iterator[tuple[str, str, Site, LaunchComparison]]:
    """Yield faults without end, each drawn by its name and then by its kernel, with the comparison."""
    right: dict[int, Any] = {}
    while True:
        name, at = source.choice(sorted(FAULTS)), source.randrange(len(records))
        record = records[at]
        module: Any = read_any(record.content, record.entry)
        entry = next(op for op in module.walk() if getattr(op, "sym_name", "") == record.entry)
        sites = list(FAULTS[name](entry))
        if not sites:
            continue
        if at not in right:
            right[at] = expected(record)
        site = source.choice(sites)
        if right[at] is None:
            continue
        site.edit()
        try:
            found = told(record, module, right[at])
        except DiagnosticError:
            continue  # the fault is no kernel
        if name == "double roundings" or shows(found, right[at]):
            yield name, record.entry, site, found


def main(arguments: Sequence[str] | None = None) -> int:
    """Plant faults, and print which are told."""
    parser = parser_of_folders("numerical_faults", __doc__)
    parser.add_argument("--count", type=int, default=20, help="the number of faults")
    parser.add_argument("--seed", type=int, default=0, help="of the faults that are drawn")
    given = parser.parse_args(arguments)
    records = [one[0] for folder in given.folders for one in smallest(folder).values()]
    right = beside = 0
    for number, (name, kernel, site, found) in zip(
        range(given.count), draw(records, random.Random(given.seed)), strict=False
    ):
        places = [one.location.source[:2] for one in found.findings if one.location.source]
        hints = " ".join(hint for one in found.findings for hint in one.hints)
        is_told = bool(places) and places[0] in site.lines
        is_other = any(re.search(rf"of line {line}\b", hints) for _, line in site.lines)
        right += is_told
        beside += is_other and not is_told
        where = ", ".join(f"{Path(file).name}:{line}" for file, line in sorted(site.lines))
        print(
            f"{number + 1} {name}, {kernel}, {where}: {'told' if is_told else 'named beside another' if is_other else 'NOT TOLD'}",
            flush=True,
        )
        for one in () if is_told else found.findings[:2]:
            print(f"    {one}", flush=True)
    print(f"{right} of {given.count} faults are told at their lines, {beside} are named beside another line")
    return 0


if __name__ == "__main__":
    sys.exit(main())
