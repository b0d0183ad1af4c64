"""Rules for the shadows of results: which elements of a result are unspecified if elements of the operands
are.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from tilewright.dialects.common.constraints import checked_type
from tilewright.dialects.cuda_tile.ops import integer as integers, memory, tile as tiles
from tilewright.dialects.cuda_tile.types import TileType, tile_of
from tilewright.instrument.views import inside
from tilewright.instrument.writer import CheckInserter
from tilewright.ir.builtin_types import i1
from tilewright.ir.operation import Operation
from tilewright.ir.value import Value


class Shadows:
    """Maps values to their shadows: tiles of i1 that are true for unspecified elements.

    ``of`` has the shadows that were emitted; the elements of a value without a shadow are all specified.
    ``doubtful`` are the values that may get a shadow.
    """

    def __init__(self, doubtful: set[Value]) -> None:
        self.doubtful = doubtful
        self.of: dict[Value, Value] = {}

    def full(self, write: CheckInserter, value: Value) -> Value:
        """Return the shadow of ``value``, or emit a tile of false if it has none."""
        found = self.of.get(value)
        return write.truth(tile_of(value).shape, False) if found is None else found

    def present(self, values: Sequence[Value]) -> list[Value]:
        """Return the shadows of those ``values`` that have one."""
        return [self.of[value] for value in values if value in self.of]


Spread = Callable[[CheckInserter, Any, Shadows], Sequence[Value | None]]
"""A function that emits the shadows of the results of an operation, after the operation."""


def everything(write: CheckInserter, op: Operation, shadows: Shadows) -> Sequence[Value | None]:
    """Emit the shadows of the results of `op`: the disjunction of the operands' shadows. An operand of
    another shape makes every element unspecified if one of its elements is. None for a result that is no
    tile, and if no operand has a shadow.
    """
    present = shadows.present(op.operands)
    return [
        _union(write, present, value) if isinstance(value.type, TileType) else None for value in op.results
    ]


def _union(write: CheckInserter, present: Sequence[Value], value: Value) -> Value | None:
    shape = tile_of(value).shape
    spread = [s if tile_of(s).shape == shape else write.broadcast_to(write.any_of(s), shape) for s in present]
    return _either(write, spread)


def _either(write: CheckInserter, spoiled: Sequence[Value]) -> Value | None:
    """Emit the disjunction of shadows; return None if there are none."""
    return write.either(spoiled) if spoiled else None


def _moved(write: CheckInserter, op: Operation, shadows: Shadows) -> Sequence[Value]:
    """Emit the shadow of an operation that only moves elements: the same operation on the shadows of its
    tiles. Indices stay as they are.
    """
    indices: Sequence[Value] = getattr(op, "indices", ())
    tiles_ = op.operands[: len(op.operands) - len(indices)]
    operands = [*(shadows.full(write, tile) for tile in tiles_), *indices]
    type = tile_of(op.results[0]).with_element_type(i1)
    attributes = dict(op.held_attributes)
    made = Operation.from_parts(op.kind, operands, [type], attributes, location=write.location)
    return write.point.insert(made).results


def _selected(write: CheckInserter, op: tiles.SelectOp, shadows: Shadows) -> Sequence[Value]:
    """Return the shadow of a `select`: an element is unspecified if the condition or the selected element is;
    the element that is not selected does not matter.
    """
    if_true, if_false = (shadows.full(write, value) for value in (op.val_if_true, op.val_if_false))
    chosen = write(tiles.SelectOp, op.cond, if_true, if_false)
    return [write.either([chosen, *shadows.present([op.cond])])]


ABSORBING: dict[Any, int] = {integers.AndIOp: 0, integers.OrIOp: -1}


def _absorbed(write: CheckInserter, op: integers.BinaryIntegerOp, shadows: Shadows) -> Sequence[Value | None]:
    """Emit the shadow of `andi` or `ori`; None if neither operand has one.

    A specified 0 in `andi` makes the result specified, as do specified ones in `ori`.
    """
    number = ABSORBING[op.__class__]
    spoiled: list[Value] = []
    for one, other in ((op.lhs, op.rhs), (op.rhs, op.lhs)):
        if one in shadows.of:
            matters = [write.compared("not_equal", other, number), *shadows.present([other])]
            spoiled.append(write.both([shadows.of[one], write.either(matters)]))
    return [_either(write, spoiled)]


def _multiplied(
    write: CheckInserter, op: tiles.MmaFOp | tiles.MmaFScaledOp | tiles.MmaIOp, shadows: Shadows
) -> Sequence[Value | None]:
    """Emit the shadow of a product: an unspecified element of the left factor or its scales makes its row of
    the result unspecified, an element of the right factor or its scales its column, and an element of the
    addend the same element. None if no operand has a shadow.
    """
    shape = tile_of(op.result).shape
    folded = {0: len(shape) - 1, 3: len(shape) - 1, 1: len(shape) - 2, 4: len(shape) - 2}
    spoiled: list[Value] = []
    for position, operand in enumerate(op.operands):
        shadow = shadows.of.get(operand)
        if shadow is not None and position in folded:
            shadow = write.broadcast_to(write.kept_any(shadow, folded[position]), shape)
        spoiled += [shadow] if shadow is not None else []
    return [_either(write, spoiled)]


def _folded(write: CheckInserter, op: tiles.ReduceOp | tiles.ScanOp, shadows: Shadows) -> Sequence[Value]:
    """Emit the shadows of a reduction or a scan, equal for all results: an unspecified element of any operand
    makes the result of its row unspecified; in a scan, only the elements at and after it.
    """
    union = write.either(shadows.present(op.operands))
    if isinstance(op, tiles.ScanOp):
        return [write.any_before(union, op.dim, reverse=op.reverse)] * len(op.results)
    return [write.any_along(union, op.dim)] * len(op.results)


# --- where unspecified elements come from


def _loaded(write: CheckInserter, op: memory.LoadPtrTkoOp, shadows: Shadows) -> Sequence[Value | None]:
    """Emit the shadow of a load through pointers with a mask: the masked-off elements; if there is a padding
    value, only those at which it is unspecified, and None if it has no shadow.
    """
    assert op.mask is not None, "only accesses with a mask hold something back"
    if op.padding_value is None:
        return [write.negated(op.mask)]
    padding = shadows.of.get(op.padding_value)
    return [None if padding is None else write.both([write.negated(op.mask), padding])]


def _updated(write: CheckInserter, op: memory.AtomicRMWTkoOp, shadows: Shadows) -> Sequence[Value]:
    assert op.mask is not None, "only accesses with a mask hold something back"
    return [write.negated(op.mask)]


def _loaded_from_view(
    write: CheckInserter, op: memory.LoadViewTkoOp | memory.MultimemLoadReduceViewTkoOp, shadows: Shadows
) -> Sequence[Value | None]:
    whole = inside(write, op.view, op.index, op)
    return [None if whole is None else write.negated(whole)]


def _masked(op: memory.AtomicRMWTkoOp | memory.LoadPtrTkoOp) -> Sequence[Value]:
    """Return the results in which an operation leaves elements unspecified: the first one, if it has a mask
    and no padding value. Return nothing otherwise.
    """
    return () if op.mask is None or getattr(op, "padding_value", None) is not None else (op.results[0],)


def _unpadded(op: memory.LoadViewTkoOp | memory.MultimemLoadReduceViewTkoOp) -> Sequence[Value]:
    return () if checked_type(op.view).padding is not None else (op.results[0],)


SOURCES: dict[Any, Callable[[Any], Sequence[Value]]] = {
    memory.LoadPtrTkoOp: _masked,
    memory.AtomicRMWTkoOp: _masked,
    memory.LoadViewTkoOp: _unpadded,
    memory.MultimemLoadReduceViewTkoOp: _unpadded,
}
"""Operations that leave elements unspecified, and the results in which they do."""

SPREADS: dict[Any, Spread] = {
    **dict.fromkeys(
        (
            tiles.BroadcastOp,
            tiles.ReshapeOp,
            tiles.PermuteOp,
            tiles.CatOp,
            tiles.ExtractOp,
            tiles.InsertOp,
        ),
        _moved,
    ),
    tiles.SelectOp: _selected,
    **dict.fromkeys(ABSORBING, _absorbed),
    **dict.fromkeys((tiles.MmaFOp, tiles.MmaIOp, tiles.MmaFScaledOp), _multiplied),
    **dict.fromkeys((tiles.ReduceOp, tiles.ScanOp), _folded),
    memory.LoadPtrTkoOp: _loaded,
    memory.AtomicRMWTkoOp: _updated,
    memory.LoadViewTkoOp: _loaded_from_view,
    memory.MultimemLoadReduceViewTkoOp: _loaded_from_view,
}
"""The spread rules of operations whose results depend on some elements of the operands only."""
