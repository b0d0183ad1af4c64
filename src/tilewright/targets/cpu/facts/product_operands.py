"""The operands of products that need no memory: a product packs its factors, and computes their elements
then.
"""

from __future__ import annotations

from tilewright.dialects.arith.ops_integer import ConstantOp
from tilewright.dialects.nv_tileaa.ops.structure import ConstantTensorOp, SplatOp
from tilewright.dialects.nv_tileas import attributes as tileas_attributes, ops_tile as tileas_tile
from tilewright.ir.operation import Operation
from tilewright.ir.value import OpResult, Value
from tilewright.targets.elements.element_types import shape_of


def is_packed(value: Value, user: Operation) -> bool:
    """Return whether the product `user` computes the elements of `value` itself: `value` is a factor of
    `user`, has no other use, and is defined by an operation in the block of `user`.
    """
    if type(user) is not tileas_tile.DotOp or not value.has_one_use or not isinstance(value, OpResult):
        return False
    return (user.a is value or user.b is value) and value.owner.parent is user.parent


def transposed_source(value: Value) -> Value | None:
    """Return the source of a transposed factor, if the product packs the source instead; else None."""
    return (
        value.owner.operands[0] if isinstance(value, OpResult) and is_packed_transpose(value.owner) else None
    )


def is_packed_transpose(op: Operation) -> bool:
    """Return whether an operation transposes a factor of a product that has no other use and no scale, so
    that the product packs it from the source.
    """
    if type(op) is not tileas_tile.ViewOp or not _swaps_strides(op):
        return False
    users = list(op.result.uses)
    if len(users) != 1 or not is_packed(op.result, users[0]):
        return False
    return _scale_of(users[0], op.result) is None


def _scale_of(user: Operation, value: Value) -> Value | None:
    assert isinstance(user, tileas_tile.DotOp), "the user packs the value"
    return user.sfa if user.a is value else user.sfb


def _swaps_strides(op: tileas_tile.ViewOp) -> bool:
    """Return whether a view with a layout swaps the last two dimensions of its source."""
    source, result = shape_of(op.source.type), shape_of(op.result.type)
    layout = op.layout
    if layout is None or len(source) < 2 or result != (*source[:-2], source[-1], source[-2]):
        return False
    strides = list(tileas_attributes.row_major(source))
    strides[-2], strides[-1] = strides[-1], strides[-2]
    pairs = zip(tileas_attributes.view_strides(layout), strides, result, strict=True)
    return all(extent == 1 or mine == other for mine, other, extent in pairs)


def is_added(value: Value, user: Operation) -> bool:
    """Return whether `value` is the accumulator of the product `user`, and a constant or a splat, which needs
    no memory.
    """
    is_constant = isinstance(value, OpResult) and value.owner.__class__ in _CONSTANTS
    return is_constant and type(user) is tileas_tile.DotOp and user.c is value


_CONSTANTS = frozenset({ConstantOp, ConstantTensorOp, SplatOp})
