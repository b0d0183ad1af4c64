"""Which operands of products need no memory: a product packs its factors, and computes their elements then."""

from __future__ import annotations

from typing import Any

from tilewright.dialects.arith.ops_integer import ConstantOp
from tilewright.dialects.nv_tileaa import ops_math as aa_math
from tilewright.dialects.nv_tileaa import ops_shape as aa_shape
from tilewright.dialects.nv_tileaa import ops_structure as aa_structure
from tilewright.dialects.nv_tileas import ops_tile as as_tile
from tilewright.ir.operation import Operation
from tilewright.ir.value import OpResult, Value
from tilewright.targets.elements.types import shape_of

DOTS = frozenset({aa_math.DotOp, as_tile.DotOp})


def is_dot(op: Operation) -> bool:
    """Whether an operation multiplies matrices."""
    return op.__class__ in DOTS


def is_packed(value: Value, user: Any) -> bool:
    """Whether a product computes the elements of an operand itself: those of a factor with no other use."""
    if not is_dot(user) or not value.has_one_use or not isinstance(value, OpResult):
        return False
    return (user.a is value or user.b is value) and value.owner.parent is user.parent


def turned_source(value: Value) -> Value | None:
    """The tile that a factor is the transpose of, if the product takes that instead."""
    return (
        value.owner.operands[0] if isinstance(value, OpResult) and is_packed_transpose(value.owner) else None
    )


def is_packed_transpose(op: Operation) -> bool:
    """Whether an operation transposes a factor: the product packs it from the source."""
    if op.__class__ not in _SWAPS or len(op.results) != 1 or not _SWAPS[op.__class__](op):
        return False
    users = list(op.results[0].uses)
    if len(users) != 1 or not is_packed(op.results[0], users[0]):
        return False
    return _scale_of(users[0], op.results[0]) is None


def _scale_of(user: Any, value: Value) -> Value | None:
    return user.sfa if user.a is value else user.sfb


def _swaps_dimensions(op: aa_shape.PermuteOp) -> bool:
    rank = len(op.permutation)
    return rank >= 2 and tuple(op.permutation) == (*range(rank - 2), rank - 1, rank - 2)


def _swaps_strides(op: as_tile.ViewOp) -> bool:
    """Whether a view with a layout shows the last two dimensions of its source in the other order."""
    source, result = shape_of(op.source.type), shape_of(op.result.type)
    layout = getattr(op, "layout", None)
    if layout is None or len(source) < 2 or result != (*source[:-2], source[-1], source[-2]):
        return False
    strides: list[int] = []
    stride = 1
    for extent in reversed(source):
        strides.insert(0, stride)
        stride *= extent
    strides[-2], strides[-1] = strides[-1], strides[-2]
    pairs = zip(layout.stride, strides, result, strict=True)
    return all(extent == 1 or mine == other for mine, other, extent in pairs)


_SWAPS: dict[type[Any], Any] = {aa_shape.PermuteOp: _swaps_dimensions, as_tile.ViewOp: _swaps_strides}


def is_added(value: Value, user: Any) -> bool:
    """Whether a product makes what it adds to as it needs it: a tile of one number."""
    is_constant = isinstance(value, OpResult) and value.owner.__class__ in _CONSTANTS
    return is_constant and is_dot(user) and user.c is value


_CONSTANTS = frozenset({ConstantOp, aa_structure.ConstantTensorOp, aa_structure.SplatOp})
