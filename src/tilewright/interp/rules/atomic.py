"""Atomic operations.  Tile blocks run one at a time, so every operation is atomic; lanes take turns in order."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np

from tilewright.dialects.cuda_tile.enums import AtomicRMWMode, MultimemReductionKind
from tilewright.dialects.cuda_tile.ops import memory as ops
from tilewright.interp.memory.addressing import tile_region
from tilewright.interp.numerics import arithmetic, integers
from tilewright.interp.numerics.element import ElementFormat, NumpyArray, to_bits
from tilewright.interp.rules.memory_rules import order_of, pointer_access, view_access
from tilewright.interp.rules.rule import Evaluate, OperandPositions, RuleTable, pick
from tilewright.interp.tile_block import TileBlock
from tilewright.interp.values import TOKEN, pointee_format, tile_format

RULES = RuleTable()

Combine = Callable[[NumpyArray, NumpyArray], NumpyArray]


def _add_floats(old: NumpyArray, argument: NumpyArray) -> NumpyArray:
    """Return the sum of an atomic float addition, rounded to nearest even; f32 flushes subnormal inputs and
    results to zero, as the hardware does in global memory.
    """
    return arithmetic.addf(old, argument, "nearest_even", old.dtype == np.float32)


def _exchange(old: NumpyArray, argument: NumpyArray) -> NumpyArray:
    return argument


_SIGNED_MAXIMUM, _SIGNED_MINIMUM = partial(integers.maxi, signed=True), partial(integers.mini, signed=True)
_UNSIGNED_MAXIMUM, _UNSIGNED_MINIMUM = (
    partial(integers.maxi, signed=False),
    partial(integers.mini, signed=False),
)

_MODES: dict[AtomicRMWMode, Combine] = {
    AtomicRMWMode.AND: integers.andi,
    AtomicRMWMode.OR: integers.ori,
    AtomicRMWMode.XOR: integers.xori,
    AtomicRMWMode.ADD: integers.addi,
    AtomicRMWMode.ADDF: _add_floats,
    AtomicRMWMode.MAX: _SIGNED_MAXIMUM,
    AtomicRMWMode.MIN: _SIGNED_MINIMUM,
    AtomicRMWMode.UMAX: _UNSIGNED_MAXIMUM,
    AtomicRMWMode.UMIN: _UNSIGNED_MINIMUM,
    AtomicRMWMode.XCHG: _exchange,
}

_INTEGER_REDUCTIONS: dict[MultimemReductionKind, Combine] = {
    MultimemReductionKind.ADD: integers.addi,
    MultimemReductionKind.MIN: _SIGNED_MINIMUM,
    MultimemReductionKind.MAX: _SIGNED_MAXIMUM,
    MultimemReductionKind.AND: integers.andi,
    MultimemReductionKind.OR: integers.ori,
    MultimemReductionKind.XOR: integers.xori,
    MultimemReductionKind.UMIN: _UNSIGNED_MINIMUM,
    MultimemReductionKind.UMAX: _UNSIGNED_MAXIMUM,
}
_FLOAT_REDUCTIONS: dict[MultimemReductionKind, Combine] = {MultimemReductionKind.ADD: _add_floats}


@RULES.evaluates(ops.AtomicRMWTkoOp)
def read_modify_write(op: ops.AtomicRMWTkoOp) -> Evaluate:
    """Return the evaluation of an atomic update: the old values and a token. Masked-off lanes give zero and
    update nothing.
    """
    at = OperandPositions(op)
    pointers_at, arg_at, mask_at = at.one("pointers"), at.one("arg"), at.optional("mask")
    format, order, combine = pointee_format(op.pointers.type), order_of(op), _MODES[op.mode]

    def evaluate(block: TileBlock, *operands: NumpyArray) -> Any:
        argument, mask = operands[arg_at], pick(operands, mask_at)
        access = pointer_access(block, op, operands[pointers_at], mask, order, format)
        if mask is None:
            return block.memory.update(access, combine, argument), TOKEN
        old = np.zeros_like(argument)
        old[mask] = block.memory.update(access, combine, argument[mask])
        return old, TOKEN

    return evaluate


def _swap(format: ElementFormat) -> Callable[[NumpyArray, NumpyArray, NumpyArray], NumpyArray]:
    """Return the function that computes the new value of a compare-and-swap.

    Bits are compared, so equal NaNs match, and zeros of different signs do not.
    """

    def combine(old: NumpyArray, expected: NumpyArray, desired: NumpyArray) -> NumpyArray:
        return np.where(to_bits(old, format) == to_bits(expected, format), desired, old)

    return combine


@RULES.evaluates(ops.AtomicCASTkoOp)
def compare_and_swap(op: ops.AtomicCASTkoOp) -> Evaluate:
    """Return the evaluation of a compare-and-swap of bits: the old values and a token. Masked-off lanes give
    the expected value and write nothing.
    """
    at = OperandPositions(op)
    pointers_at, expected_at, desired_at = at.one("pointers"), at.one("cmp"), at.one("val")
    mask_at = at.optional("mask")
    format, order = pointee_format(op.pointers.type), order_of(op)
    combine = _swap(format)

    def evaluate(block: TileBlock, *operands: NumpyArray) -> Any:
        expected, desired, mask = operands[expected_at], operands[desired_at], pick(operands, mask_at)
        access = pointer_access(block, op, operands[pointers_at], mask, order, format)
        if mask is None:
            return block.memory.update(access, combine, expected, desired), TOKEN
        old = expected.copy()
        old[mask] = block.memory.update(access, combine, expected[mask], desired[mask])
        return old, TOKEN

    return evaluate


def _view_reduction(
    op: ops.AtomicRedViewTkoOp | ops.MultimemReduceViewTkoOp, tile_field: str, combine: Combine
) -> Evaluate:
    """Return the evaluation that combines the operand `tile_field` with the elements of a view that are
    inside the tensor by `combine`, which takes the old element and the operand's.
    """
    at = OperandPositions(op)
    view_at, index, tile_at = at.one("view"), at.group("index"), at.one(tile_field)
    order = order_of(op)

    def evaluate(block: TileBlock, *operands: Any) -> Any:
        view = operands[view_at]
        region = tile_region(view, operands[index])
        access = view_access(block, op, view, region, order)
        block.memory.update(access, combine, region.take(operands[tile_at]))
        return TOKEN

    return evaluate


@RULES.evaluates(ops.AtomicRedViewTkoOp)
def reduce_into_view(op: ops.AtomicRedViewTkoOp) -> Evaluate:
    """Return the evaluation of a reduction into a view; elements outside the tensor are skipped."""
    return _view_reduction(op, "value", _MODES[op.mode])


@RULES.evaluates(ops.MultimemReduceViewTkoOp)
def reduce_into_copies(op: ops.MultimemReduceViewTkoOp) -> Evaluate:
    """Return the evaluation of a reduction into a multicast view, which is an ordinary one: one device holds
    the only copy. Elements outside the tensor are skipped.
    """
    is_float = tile_format(op.tile.type).kind == "float"
    reductions = _FLOAT_REDUCTIONS if is_float else _INTEGER_REDUCTIONS
    return _view_reduction(op, "tile", reductions[op.reduction])
