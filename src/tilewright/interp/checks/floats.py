"""The operations in which NaN and infinity originate (``--check fpcheck``).

An operation is at fault where an element of its result is a NaN or an infinity while the operand elements that it was
computed from are finite. For elementwise operations these are the elements at the same index, for a reduction or a
scan the elements of the row, for a product a row of one factor and a column of the other.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from tilewright.dialects.cuda_tile.operation_phrases import reads_unsigned
from tilewright.dialects.cuda_tile.ops import conversion as ops_conversion, tile as ops_tile
from tilewright.dialects.nv_tileaa.check_messages import operand_words
from tilewright.interp import codes as interp_codes, values
from tilewright.interp.numerics.element import BoolArray, ElementFormat, decode
from tilewright.interp.numerics.integers import signed_view, unsigned_view
from tilewright.interp.rules.rule import Evaluate
from tilewright.ir.builtin_types import FloatType
from tilewright.ir.declaration.traits import Elementwise
from tilewright.ir.operation import Operation


def operands_at(op: Operation, operands: Sequence[Any], mask: Any) -> str:
    """Return a phrase for messages: the index of the first true element of `mask`, a mask of the result, and
    for an elementwise operation the operands there, such as `` at element [3], from 1.0 and 0.0``. A mask of
    rank 0 names no element. The operands are left out for other operations, and if the mask has rank 0 but an
    operand does not.
    """
    where = values.first_element(mask)
    if not op.has_trait(Elementwise) or (not np.ndim(mask) and any(np.ndim(one) for one in operands)):
        return where
    index = tuple(np.argwhere(mask)[0]) if np.ndim(mask) else ()
    pairs = zip(op.operands, operands, strict=True)
    return where + operand_words([_numbers(op, value.type, given)[index] for value, given in pairs])


def _numbers(op: Operation, type: Any, given: Any) -> Any:
    """Return the elements of an operand as numbers: decoded floats, or integers as the operation reads them."""
    if isinstance(type.element_type, FloatType):
        return np.asarray(decode(given, values.tile_format(type)))
    return np.asarray((unsigned_view if reads_unsigned(op) else signed_view)(given))


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
    """Return the mask of the elements of a product that depend on the elements `mask` of an operand.

    An element of A or its scales affects a row of the result, an element of B or its scales a column, and an
    element of the accumulator (operand 2) itself.
    """
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
    """Return whether an operation has a float result that it computes: it is element-wise, other than
    `bitcast`, or in `SPREADS`.
    """
    is_computed = op.has_trait(Elementwise) and not isinstance(op, ops_conversion.BitcastOp)
    return (is_computed or type(op) in SPREADS) and any(
        values.float_format(value.type) for value in op.results
    )


def watched(op: Operation, evaluate: Evaluate) -> Evaluate:
    """Return an evaluation that calls `evaluate`, and raises `DiagnosticError` if an element of the result is
    a NaN or an infinity although the elements of the operands that it depends on are finite. It raises
    nothing if the program ignores the code there.
    """
    given = [
        (at, format) for at, value in enumerate(op.operands) if (format := values.float_format(value.type))
    ]
    made = [values.float_format(value.type) for value in op.results]
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
                block.refuse(op, interp_codes.NON_FINITE, message, hint=HINT)
        return result

    return evaluate_watched


def _non_finite(value: Any, format: ElementFormat | None) -> BoolArray:
    return np.zeros((), np.bool_) if format is None else ~np.isfinite(decode(value, format))
