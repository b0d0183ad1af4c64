"""The predicates of `assume`."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from tilewright.dialects.cuda_tile.assumptions import is_checked_at_assume
from tilewright.dialects.cuda_tile.attributes import BoundedAttr, DivByAttr, SameElementsAttr
from tilewright.dialects.cuda_tile.ops import control, conversion, integer as integers, tile as tiles
from tilewright.dialects.cuda_tile.types import (
    PointerType,
    TensorViewType,
    TileType,
    is_power_of_two,
    tile_of,
)
from tilewright.instrument import promises_integer, views as instrument_views
from tilewright.instrument.writer import CheckInserter, Guard, GuardMaker
from tilewright.ir.attribute import Type
from tilewright.ir.block import Block, Region
from tilewright.ir.builder import InsertionPoint
from tilewright.ir.builtin_attributes import IntegerAttr, dense
from tilewright.ir.builtin_types import FloatType, IntegerType, i1, i32
from tilewright.ir.value import Value

Holding = Callable[[CheckInserter, Any], "Value | None"]
"""A function that returns the condition under which the predicate of an `assume` holds, element by element;
None if it always does.
"""


def _assumption(op: control.AssumeOp) -> Guard | None:
    return assumption_guard(op) if is_checked_at_assume(op) else None


def assumption_guard(op: control.AssumeOp) -> Guard:
    """Return the guard of an `assume`, wherever it stands. It yields the condition of the predicate with a
    message, or nothing for a predicate that always holds.
    """
    predicate = op.predicate
    message = f"{predicate.name.removeprefix('cuda_tile.')} does not hold: {_words(predicate)}"

    def guard(write: CheckInserter) -> promises_integer.Holds:
        holds = HOLDING[predicate.__class__](write, op)
        if holds is not None:
            yield holds, message

    return guard


def _words(predicate: Any) -> str:
    names: tuple[str, ...] = predicate.parameters
    parameters = [f"{name}={getattr(predicate, name)}" for name in names]
    return ", ".join(part for part in parameters if not part.endswith("=None"))


def _bounded(write: CheckInserter, op: control.AssumeOp) -> Value | None:
    predicate: Any = op.predicate
    limits = (("greater_than_or_equal", predicate.lower), ("less_than_or_equal", predicate.upper))
    kept = [write.compared(relation, op.value, limit) for relation, limit in limits if limit is not None]
    return write.both(kept) if kept else None


def _numbers(write: CheckInserter, value: Value) -> Value:
    """Return integers unchanged, and pointers converted to 64-bit integers."""
    if isinstance(tile_of(value).element_type, PointerType):
        return write(conversion.PtrToIntOp, value, type=_addresses(value))
    return value


def _addresses(value: Value) -> TileType:
    return tile_of(value).with_element_type(IntegerType(64))


# --- runs of elements


def _first_of_runs(write: CheckInserter, numbers: Value, axis: int, run: int) -> Value:
    """Return for each element the first element of its run along dimension `axis`. Runs are groups of `run`
    consecutive elements, which must divide the extent if `run` is a power of two.
    """
    shape = tile_of(numbers).shape
    if not is_power_of_two(run):
        return _last_beginning(write, numbers, axis, run)
    split = (*shape[:axis], shape[axis] // run, run, *shape[axis + 1 :])
    one = (*shape[:axis], shape[axis] // run, 1, *shape[axis + 1 :])
    element = tile_of(numbers).element_type
    zeros = [write.number(TileType((), i32), 0)] * len(split)
    first = write(tiles.ExtractOp, write.reshaped(numbers, split), zeros, type=TileType(one, element))
    return write.reshaped(write.broadcast_to(first, split), shape)


def _last_beginning(write: CheckInserter, numbers: Value, axis: int, run: int) -> Value:
    """Return for each element the first element of its run of `run` elements along `axis`.

    Works for every `run`, since it does not split the tile.
    """
    shape = tile_of(numbers).shape
    number, truth = TileType((), tile_of(numbers).element_type), TileType((), i1)
    places = _row(write, [at % run for at in range(shape[axis])], i32, axis, len(shape))
    begins = write.broadcast_to(write.compared("equal", places, 0), shape)
    body = Block([number, number, truth, truth])
    value, before, is_first, had_first = body.arguments
    inner = CheckInserter(InsertionPoint(body), write.location)
    inner.insert(
        control.YieldOp, [inner(tiles.SelectOp, is_first, value, before), inner.either([is_first, had_first])]
    )
    identities = (IntegerAttr(number.element_type, 0), IntegerAttr(i1, 0))
    made = write.insert(tiles.ScanOp, (numbers, begins), axis, False, identities, body=Region([body]))
    return made.results[0]


def _row(write: CheckInserter, numbers: Sequence[int], element: Type, axis: int, rank: int) -> Value:
    """Return a tile of rank `rank` with the constants `numbers` along dimension `axis`; its other extents are
    1.
    """
    return write.along_axis(
        write(tiles.ConstantOp, dense(TileType((len(numbers),), element), numbers)), axis, rank
    )


def _same_elements(write: CheckInserter, op: control.AssumeOp) -> Value | None:
    predicate: Any = op.predicate
    numbers = firsts = _numbers(write, op.value)
    for axis, run in enumerate(predicate.values):
        if run > 1:
            firsts = _first_of_runs(write, firsts, axis, run)
    return None if firsts is numbers else write.compared("equal", firsts, numbers)


# --- multiples


def _div_by(write: CheckInserter, op: control.AssumeOp) -> Value | None:
    predicate: Any = op.predicate
    if isinstance(op.value.type, TensorViewType):
        base = instrument_views.maker_of(op.value, op).base
        return _is_multiple(write, _numbers(write, base), predicate.divisor)
    numbers = _numbers(write, op.value)
    if predicate.every is None or predicate.along is None:
        return _is_multiple(write, numbers, predicate.divisor)
    return _counts_from_multiples(write, op, numbers)


def _is_multiple(write: CheckInserter, numbers: Value, divisor: int) -> Value | None:
    """Return a condition: which of `numbers` are multiples of `divisor`, a power of two; None if all are.

    If the type cannot represent the divisor, only 0 is a multiple.
    """
    mask = (divisor - 1) & ((1 << _width(numbers)) - 1)
    return write.compared("equal", write.masked(numbers, mask), 0) if mask else None


def _width(value: Value) -> int:
    element = tile_of(value).element_type
    assert isinstance(element, IntegerType), "addresses are integers by now"
    return element.width


def _counts_from_multiples(write: CheckInserter, op: control.AssumeOp, numbers: Value) -> Value:
    """Return a condition for a `div_by` with `every` and `along`: the first element of the group is a
    multiple of the divisor, and the element has its distance to the first one: they count up by 1, or by the
    size of the pointee.
    """
    predicate: Any = op.predicate
    shape = tile_of(numbers).shape
    along: int = predicate.along
    every: int = max(1, predicate.every)
    firsts = _first_of_runs(write, numbers, along, every) if every > 1 else numbers
    steps = [at % every * _step(op.value) for at in range(shape[along])]
    row = _row(write, steps, tile_of(numbers).element_type, along, len(shape))
    expected = write(integers.AddIOp, firsts, write.broadcast_to(row, shape))
    multiple = _is_multiple(write, firsts, predicate.divisor)
    counts = write.compared("equal", numbers, expected)
    return counts if multiple is None else write.both([multiple, counts])


def _step(value: Value) -> int:
    """Return the distance of neighbours in a run: 1 for integers, the size of the pointee in bytes for
    addresses.
    """
    element = tile_of(value).element_type
    pointee = element.pointee if isinstance(element, PointerType) else None
    if not isinstance(pointee, IntegerType | FloatType):
        return 1
    return 1 << max(0, (pointee.width - 1).bit_length() - 3)


HOLDING: dict[Any, Holding] = {BoundedAttr: _bounded, SameElementsAttr: _same_elements, DivByAttr: _div_by}
ASSUMPTIONS: dict[Any, GuardMaker] = {control.AssumeOp: _assumption}
"""The guard maker of `assume`."""
