"""The operations in which NaN and infinity originate (``--check fpcheck``).

An operation is at fault where an element of its result is a NaN or an infinity while the operand elements that it was
computed from are finite. For elementwise operations these are the elements at the same index, for a reduction or a
scan the elements of the row, for a product a row of one factor and a column of the other.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from tilewright.dialects.cuda_tile.ops import conversion as ops_conversion
from tilewright.dialects.cuda_tile.ops import tile as ops_tile
from tilewright.dialects.cuda_tile.types import TileType
from tilewright.interp.checks.operands import operands_at
from tilewright.interp.codes import NON_FINITE
from tilewright.interp.numerics.element import BoolArray, ElementFormat, decode
from tilewright.interp.rules.rule import Evaluate
from tilewright.interp.values import tile_format
from tilewright.ir.builtin_types import FloatType
from tilewright.ir.declaration.traits import Elementwise
from tilewright.ir.operation import Operation
from tilewright.ir.value import Value

HINT = "look for overflow, 0/0, or a logarithm or root of a negative number"

Spread = Callable[[Any, int, BoolArray], BoolArray]
"""A function of an operation, the number of an operand, and a mask of elements of the operand.

It returns a mask of the elements of the result that depend on them.
"""


def _same_place(op: Operation, operand: int, mask: BoolArray) -> BoolArray:
    return mask


def _reduced(op: ops_tile.ReduceOp, operand: int, mask: BoolArray) -> BoolArray:
    return np.asarray(mask.any(axis=op.dim))


def _row(op: ops_tile.ScanOp, operand: int, mask: BoolArray) -> BoolArray:
    return np.asarray(mask.any(axis=op.dim, keepdims=True))


def _multiplied(op: ops_tile.MmaFOp | ops_tile.MmaFScaledOp, operand: int, mask: BoolArray) -> BoolArray:
    """Reduce a mask of a factor or its scales to rows or columns; operand 2, the accumulator, keeps its mask."""
    if operand == 2:
        return mask
    return np.asarray(mask.any(axis=-1 if operand in (0, 3) else -2, keepdims=True))


SPREADS: dict[type[Operation], Spread] = {
    ops_tile.ReduceOp: _reduced,
    ops_tile.ScanOp: _row,
    ops_tile.MmaFOp: _multiplied,
    ops_tile.MmaFScaledOp: _multiplied,
}
"""Operations on whole tiles that compute floats; all others only move elements."""


def makes_floats(op: Operation) -> bool:
    """Return whether results of an operation are floats that it computes."""
    is_computed = op.has_trait(Elementwise) and not isinstance(op, ops_conversion.BitcastOp)
    return (is_computed or type(op) in SPREADS) and any(_float_format(value) for value in op.results)


def _float_format(value: Value) -> ElementFormat | None:
    tile_type: Any = value.type
    is_float = isinstance(tile_type, TileType) and isinstance(tile_type.element_type, FloatType)
    return tile_format(tile_type) if is_float else None


def watched(op: Operation, evaluate: Evaluate) -> Evaluate:
    """Return an evaluation that reports a finding where the result is a NaN or an infinity although the
    operands are finite.
    """
    given = [(at, format) for at, value in enumerate(op.operands) if (format := _float_format(value))]
    made = [_float_format(value) for value in op.results]
    spread = SPREADS.get(type(op), _same_place)

    def excused(operands: tuple[Any, ...]) -> BoolArray:
        found = np.zeros((), np.bool_)
        for at, format in given:
            found = found | spread(op, at, _non_finite(operands[at], format))
        return found

    def evaluate_watched(block: Any, *operands: Any) -> Any:
        result = evaluate(block, *operands)
        for value, format in zip(result if len(made) > 1 else (result,), made, strict=True):
            strange = _non_finite(value, format)
            at_fault = strange & ~excused(operands) if strange.any() else strange
            if at_fault.any():
                message = "finite operands gave a NaN or an infinity" + operands_at(op, operands, at_fault)
                block.refuse(op, NON_FINITE, message, hint=HINT)
        return result

    return evaluate_watched


def _non_finite(value: Any, format: ElementFormat | None) -> BoolArray:
    return np.zeros((), np.bool_) if format is None else ~np.isfinite(decode(value, format))
