"""The assumptions of `assume` that are checked: an assumption about a value is broken only where the value makes a
difference.

An unused value makes none, and neither does the stride of a dimension of one element: frontends assume such strides to
be divisible, because only the index 0 is ever multiplied by them.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from tilewright.dialects.cuda_tile.ops import control as control_ops, conversion as conversion_ops
from tilewright.dialects.cuda_tile.ops.memory import LoadViewTkoOp, ViewAccess
from tilewright.dialects.cuda_tile.ops.view import MakeTensorViewOp
from tilewright.dialects.cuda_tile.types import PartitionViewType, StridedViewType, TileViewType
from tilewright.ir.builtin_types import DYNAMIC
from tilewright.ir.declaration.traits import Pure
from tilewright.ir.operation import Operation
from tilewright.ir.support.record import NamedTuple
from tilewright.ir.value import Value


def pads_on_purpose(access: ViewAccess) -> bool:
    """Return whether an access is a load from a view with explicit padding: then even a tile entirely past
    the end is legal, and is padding.
    """
    type: Any = access.view.type
    return isinstance(access, LoadViewTkoOp) and type.padding is not None


def index_words(view: TileViewType, axis: int) -> str:
    """Return the message for an index of a view that is out of range along dimension ``axis`` of its tiles.
    The placeholders are {0} for the index, {1} for the limit and {2} for the array.
    """
    size = view.tile_shape[axis]
    if isinstance(view, PartitionViewType):
        return f"tile index {{0}} of dimension {axis} lies outside {{2}}, which has {{1}} tiles of {size} elements"
    if isinstance(view, StridedViewType):
        step = f"{{1}} tiles that begin every {view.traversal_strides[axis]} elements"
        return f"tile index {{0}} of dimension {axis} lies outside {{2}}, which has {step}"
    return f"element index {{0}} of dimension {axis} lies outside {{2}}, which has {{1}} elements"


CARRIERS = (control_ops.AssumeOp, conversion_ops.ExtIOp)
"""Operations whose result is the number of their operand."""


class Stride(NamedTuple):
    """A dynamic stride of a tensor view: the value, and the extent of its dimension as a number or a value."""

    value: Value
    extent: int | Value

    @property
    def matters(self) -> bool:
        """Return whether the dimension may have more than one element, so that its stride has an effect."""
        return self.extent != 1


def strides_of(view: MakeTensorViewOp) -> Iterator[Stride]:
    """Yield the dynamic strides of a tensor view, in order."""
    type: Any = view.result.type
    extents, strides = iter(view.dynamic_shape), iter(view.dynamic_strides)
    for extent, stride in zip(type.shape, type.strides, strict=True):
        length = next(extents) if extent == DYNAMIC else int(extent)
        if stride == DYNAMIC:
            yield Stride(next(strides), length)


def is_checked_at_assume(assumption: control_ops.AssumeOp) -> bool:
    """Return whether an assumption is checked at its `assume`, because its value is used as more than a
    stride. Otherwise it is checked at the views whose strides use it, if there are any (`assumptions_of`).
    """
    pending: list[Value] = [assumption.result]
    while pending:
        value = pending.pop()
        for user in value.uses:
            if isinstance(user, CARRIERS):
                pending.append(user.results[0])
            elif not (_is_unused(user) or _takes_as_stride(user, value)):
                return True
    return False


def assumptions_of(stride: Value) -> Iterator[control_ops.AssumeOp]:
    """Yield the `assume` operations about a stride that are checked at the view, the last one first."""
    owner = stride.owner
    while isinstance(owner, CARRIERS):
        if isinstance(owner, control_ops.AssumeOp) and not is_checked_at_assume(owner):
            yield owner
        owner = owner.operands[0].owner


def _is_unused(user: Operation) -> bool:
    return user.has_trait(Pure) and not user.regions and not any(result.has_uses for result in user.results)


def _takes_as_stride(user: Operation, value: Value) -> bool:
    return isinstance(user, MakeTensorViewOp) and value not in (user.base, *user.dynamic_shape)
