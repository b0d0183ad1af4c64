"""Rules of masks, and of printing."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from tilewright.dialects.common.constraints import checked_type
from tilewright.dialects.vector.rules_shape import extents, require
from tilewright.ir.operation import Operation

if TYPE_CHECKING:
    from tilewright.dialects.vector.ops_mask import ConstantMaskOp, PrintOp


def prints_one_thing(op: Operation) -> bool:
    """Return whether a string is printed without a value."""
    printed = cast("PrintOp", op)
    return printed.stringLiteral is None or printed.source is None


def check_create_mask(op: Operation) -> None:
    """Raise `VerifyError` unless a mask has one bound per dimension."""
    count = max(len(checked_type(op.results[0]).shape), 1)
    require(len(op.operands) == count, "must specify an operand for each result vector dimension")


def check_constant_mask(op: ConstantMaskOp) -> None:
    """Raise `VerifyError` unless a mask has one valid bound per dimension, and either none or all bounds are
    zero.
    """
    sizes, vector = op.mask_dim_sizes, checked_type(op.results[0])
    if not vector.shape:
        require(len(sizes) == 1, "array attr must have length 1 for 0-D vectors")
        require(sizes[0] in (0, 1), "mask dim size must be either 0 or 1 for 0-D vectors")
        return
    words = "must specify array attr of size equal vector result rank"
    require(len(sizes) == len(vector.shape), words)
    for size, (extent, scales) in zip(sizes, extents(vector), strict=True):
        words = "array attr of size out of bounds of vector result dimension size"
        require(0 <= size <= extent, words)
        words = "only supports 'none set' or 'all set' scalable dimensions"
        require(not scales or size in (0, extent), words)
    words = "expected all mask dim sizes to be zeros, as a result of conjunction with zero mask dim"
    require(0 not in sizes or not any(sizes), words)
