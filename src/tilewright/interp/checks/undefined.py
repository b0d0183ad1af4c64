"""How undefined elements spread through operations, and where using one is an error (``--check initcheck``).

Loads make elements undefined where Tile IR leaves them unspecified.  Computing with them is fine as long as no
result of it is stored, used as an address or an index, decides a branch, is printed or asserted.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, TypeAlias

import numpy as np

from tilewright.dialects.common.constraints import checked_type
from tilewright.dialects.cuda_tile.operation_phrases import MASKED_OPERANDS
from tilewright.dialects.cuda_tile.ops import (
    control as ops_control,
    integer as ops_integer,
    memory as ops_memory,
    tile as ops_tile,
    view as ops_view,
)
from tilewright.dialects.cuda_tile.types import TileType
from tilewright.interp.memory.addressing import tile_region
from tilewright.interp.numerics.element import BoolArray, NumpyArray
from tilewright.interp.rules.rule import OperandPositions, pick
from tilewright.interp.rules.rule_set import ALL_RULES
from tilewright.ir.operation import Operation

Mask: TypeAlias = "BoolArray | None"
Spread = Callable[[Any, Sequence[Mask], Sequence[Any]], Sequence[Mask]]
"""A function of the tile block, the masks of the operands, and the operands.

It returns a mask of undefined elements for each result.
"""
Uses = Callable[[Sequence[Any]], list[tuple[int, str, Mask]]]
"""A function of the operands.

It returns the operands that must be defined: position, description, and a mask of the lanes that matter
(None: all).
"""

SPREADS: dict[type[Operation], Callable[[Any], Spread]] = {}
USES: dict[type[Operation], Callable[[Any], Uses]] = {}


def result_masks(op: Operation) -> Spread:
    """Return the function that computes the masks of undefined elements of the results of ``op`` from the
    masks of its operands; None stands for a mask without undefined elements.
    """
    return SPREADS.get(type(op), _everything)(op)


def uses(op: Operation) -> Uses | None:
    """Return the function that lists the operands of ``op`` that must be defined, or None if the operation
    may use undefined elements in all of them.
    """
    make = USES.get(type(op))
    return make(op) if make is not None else None


def _spreads(*op_classes: type[Operation]) -> Callable[[Callable[[Any], Spread]], Callable[[Any], Spread]]:
    def enter(make: Callable[[Any], Spread]) -> Callable[[Any], Spread]:
        SPREADS.update(dict.fromkeys(op_classes, make))
        return make

    return enter


def _uses(*op_classes: type[Operation]) -> Callable[[Callable[[Any], Uses]], Callable[[Any], Uses]]:
    def enter(make: Callable[[Any], Uses]) -> Callable[[Any], Uses]:
        USES.update(dict.fromkeys(op_classes, make))
        return make

    return enter


def _everything(op: Operation) -> Spread:
    """Return the default rule: the result has the undefined elements of all operands of its shape, and is
    undefined throughout if an operand of another shape has an undefined element. Results that are no tiles
    have no mask.
    """
    shapes = [r.type.shape if isinstance(r.type, TileType) else None for r in op.results]

    def spread(block: Any, masks: Sequence[Mask], operands: Sequence[Any]) -> Sequence[Mask]:
        present = [mask for mask in masks if mask is not None]
        if not present:
            return [None] * len(shapes)
        return [None if shape is None else _union(present, shape) for shape in shapes]

    return spread


def _union(masks: Sequence[BoolArray], shape: tuple[int, ...]) -> BoolArray:
    union = np.zeros(shape, np.bool_)
    for mask in masks:
        union |= mask if mask.shape == shape else mask.any()
    return union


def _full(mask: Mask, like: NumpyArray) -> BoolArray:
    return np.zeros(like.shape, np.bool_) if mask is None else mask


@_spreads(
    ops_tile.BroadcastOp,
    ops_tile.ReshapeOp,
    ops_tile.PermuteOp,
    ops_tile.CatOp,
    ops_tile.ExtractOp,
    ops_tile.InsertOp,
)
def _moved(op: Operation) -> Spread:
    """Return the rule of an operation that only moves elements: it moves their masks in the same way."""
    evaluate = ALL_RULES.rules[type(op)](op)
    at = OperandPositions(op)
    has_indices = isinstance(op, ops_tile.ExtractOp | ops_tile.InsertOp)
    tiles = at.group("indices").start if has_indices else len(op.operands)

    def spread(block: Any, masks: Sequence[Mask], operands: Sequence[Any]) -> Sequence[Mask]:
        if all(mask is None for mask in masks):
            return (None,)
        moved = [_full(mask, tile) for mask, tile in zip(masks[:tiles], operands[:tiles], strict=True)]
        return (evaluate(block, *moved, *operands[tiles:]),)

    return spread


@_spreads(ops_tile.SelectOp)
def _selected(op: ops_tile.SelectOp) -> Spread:
    """Return the rule of `select`: an element of the result is undefined if the condition, or the chosen
    element, is undefined.
    """

    def spread(block: Any, masks: Sequence[Mask], operands: Sequence[Any]) -> Sequence[Mask]:
        condition, if_true, if_false = [
            _full(mask, value) for mask, value in zip(masks, operands, strict=True)
        ]
        return (np.asarray(np.where(operands[0], if_true, if_false) | condition),)

    return spread


@_spreads(ops_integer.AndIOp, ops_integer.OrIOp)
def _absorbed(op: ops_integer.AndIOp | ops_integer.OrIOp) -> Spread:
    """Return the rule of `andi` or `ori`: a defined 0 in `andi`, or defined ones in `ori`, make the result
    defined.
    """
    absorbing = 0 if isinstance(op, ops_integer.AndIOp) else -1

    def spread(block: Any, masks: Sequence[Mask], operands: Sequence[Any]) -> Sequence[Mask]:
        left, right = [_full(mask, value) for mask, value in zip(masks, operands, strict=True)]
        fixed = [value == value.dtype.type(absorbing) for value in operands]
        return (np.asarray((left & ~(~right & fixed[1])) | (right & ~(~left & fixed[0]))),)

    return spread


@_spreads(ops_tile.MmaFOp, ops_tile.MmaIOp, ops_tile.MmaFScaledOp)
def _multiplied(op: ops_tile.MmaFOp | ops_tile.MmaFScaledOp | ops_tile.MmaIOp) -> Spread:
    """Return the rule of a matrix product: an undefined element of the left operand, or of its scales, makes
    its row of the result undefined. An element of the right operand does so for its column, and an element
    of the accumulator for the same element of the result.
    """

    def spread(block: Any, masks: Sequence[Mask], operands: Sequence[Any]) -> Sequence[Mask]:
        spoiled = _full(masks[2], operands[2])
        for position, mask in enumerate(masks):
            if mask is not None and position in (0, 3):
                spoiled = spoiled | np.any(mask, axis=-1, keepdims=True)
            elif mask is not None and position in (1, 4):
                spoiled = spoiled | np.any(mask, axis=-2, keepdims=True)
        return (np.asarray(spoiled),)

    return spread


@_spreads(ops_tile.ReduceOp, ops_tile.ScanOp)
def _folded(op: ops_tile.ReduceOp | ops_tile.ScanOp) -> Spread:
    """Return the rule of a reduction or a scan, equal for all results: an undefined element of any operand
    makes the result of its row undefined; in a scan, only the elements at and after it in the order of the
    scan.
    """
    axis, is_scan = op.dim, isinstance(op, ops_tile.ScanOp)
    reverse = isinstance(op, ops_tile.ScanOp) and op.reverse

    def spread(block: Any, masks: Sequence[Mask], operands: Sequence[Any]) -> Sequence[Mask]:
        present = [mask for mask in masks if mask is not None]
        if not present:
            return [None] * len(op.results)
        union = _union(present, operands[0].shape)
        if not is_scan:
            return [np.asarray(union.any(axis=axis))] * len(op.results)
        ordered = np.flip(union, axis=axis) if reverse else union
        prefix = np.logical_or.accumulate(ordered, axis=axis)
        return [np.flip(prefix, axis=axis) if reverse else prefix] * len(op.results)

    return spread


@_spreads(ops_memory.LoadPtrTkoOp)
def _loaded_through_pointers(op: ops_memory.LoadPtrTkoOp) -> Spread:
    at = OperandPositions(op)
    mask_at, padding_at = at.optional("mask"), at.optional("padding_value")

    def spread(block: Any, masks: Sequence[Mask], operands: Sequence[Any]) -> Sequence[Mask]:
        mask = pick(operands, mask_at)
        if mask is None:
            return None, None
        padding = ~mask if padding_at is None else ~mask & _full(masks[padding_at], mask)
        return padding, None

    return spread


@_spreads(ops_memory.AtomicRMWTkoOp)
def _updated_through_pointers(op: ops_memory.AtomicRMWTkoOp) -> Spread:
    mask_at = OperandPositions(op).optional("mask")

    def spread(block: Any, masks: Sequence[Mask], operands: Sequence[Any]) -> Sequence[Mask]:
        mask = pick(operands, mask_at)
        return (None if mask is None else ~mask), None

    return spread


@_spreads(ops_memory.LoadViewTkoOp, ops_memory.MultimemLoadReduceViewTkoOp)
def _loaded_from_view(op: ops_memory.LoadViewTkoOp | ops_memory.MultimemLoadReduceViewTkoOp) -> Spread:
    at = OperandPositions(op)
    view_at, index = at.one("view"), at.group("index")
    padded = checked_type(op.view).padding is not None

    def spread(block: Any, masks: Sequence[Mask], operands: Sequence[Any]) -> Sequence[Mask]:
        if padded:
            return None, None
        return tile_region(operands[view_at], operands[index]).outside(), None

    return spread


@_uses(
    ops_memory.LoadPtrTkoOp,
    ops_memory.StorePtrTkoOp,
    ops_memory.AtomicRMWTkoOp,
    ops_memory.AtomicCASTkoOp,
)
def _pointer_operands(
    op: ops_memory.AtomicCASTkoOp
    | ops_memory.AtomicRMWTkoOp
    | ops_memory.LoadPtrTkoOp
    | ops_memory.StorePtrTkoOp,
) -> Uses:
    """Return the rule for an access through pointers: its mask must be defined, and, in the lanes that the
    mask selects, all operands except the padding value.
    """
    at = OperandPositions(op)
    mask_at = at.optional("mask")
    named = [
        (at.one(field.name), MASKED_OPERANDS[field.name])
        for field in op.kind.operands
        if field.name in MASKED_OPERANDS
    ]

    def used(operands: Sequence[Any]) -> list[tuple[int, str, Mask]]:
        mask = pick(operands, mask_at)
        found = [(position, what, mask) for position, what in named]
        return found if mask_at is None else [(mask_at, "the mask", None), *found]

    return used


@_uses(
    ops_memory.LoadViewTkoOp,
    ops_memory.StoreViewTkoOp,
    ops_memory.AtomicRedViewTkoOp,
    ops_memory.MultimemLoadReduceViewTkoOp,
    ops_memory.MultimemReduceViewTkoOp,
    ops_memory.MultimemStoreViewTkoOp,
)
def _view_operands(op: Operation) -> Uses:
    """Return the rule for an access to a view: the indices must be defined, and, of a stored or combined
    tile, the elements inside the tensor.
    """
    at = OperandPositions(op)
    view_at, index = at.one("view"), at.group("index")
    tile = next((at.one(f.name) for f in op.kind.operands if f.name in ("tile", "value")), None)

    def used(operands: Sequence[Any]) -> list[tuple[int, str, Mask]]:
        found: list[tuple[int, str, Mask]] = [
            (position, "the index", None) for position in range(index.start, index.stop)
        ]
        if tile is not None:
            found.append(
                (tile, "the stored tile", ~tile_region(operands[view_at], operands[index]).outside())
            )
        return found

    return used


@_uses(ops_control.PrintTkoOp, ops_control.AssertOp, ops_view.MakeTensorViewOp)
def _all_operands(op: ops_control.AssertOp | ops_control.PrintTkoOp | ops_view.MakeTensorViewOp) -> Uses:
    words = {
        ops_control.PrintTkoOp: "the printed tile",
        ops_control.AssertOp: "the asserted condition",
        ops_view.MakeTensorViewOp: "the address, length or stride of a view",
    }[type(op)]
    return lambda operands: [(position, words, None) for position in range(len(operands))]


@_uses(ops_tile.ExtractOp, ops_tile.InsertOp)
def _slice_numbers(op: ops_tile.ExtractOp | ops_tile.InsertOp) -> Uses:
    indices = OperandPositions(op).group("indices")
    return lambda operands: [(at, "the slice number", None) for at in range(indices.start, indices.stop)]
