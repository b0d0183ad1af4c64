"""The number of elements of a tile that exist along a dimension, in 32 bits.

A tile begins at a multiple of its extent, and a dimension of an array has fewer than 2**31 elements. A start
of 2**31 or more is therefore clamped to 2**31, and the number of elements from the start on needs no 64 bits.
"""

from __future__ import annotations

from typing import NamedTuple

from tilewright.dialects.arith import ops_integer as arith
from tilewright.dialects.llvm.intrinsics.integer import SMaxOp, SMinOp, UMinOp
from tilewright.dialects.llvm.ops.arithmetic import MulOp, SubOp as DifferenceOp
from tilewright.ir.builtin_attributes import IntegerAttr
from tilewright.ir.builtin_types import i32
from tilewright.ir.operation import Operation
from tilewright.ir.value import Value
from tilewright.lowering.access_facts.positions import Formula, Position
from tilewright.lowering.inserting import PointInserter

BEHIND = 1 << 31
"""A number of elements that is larger than every dimension."""


class Remainder(NamedTuple):
    """How many elements of a tile exist along a dimension: ``min(max(size - number * step, 0), extent)``. The
    dimension has `size` elements, tile `number` begins at ``number * step``, and a tile has `extent`
    elements.
    """

    size: int | Value
    number: int | Value
    step: int
    extent: int


def remainder_of(limit: Position) -> Remainder | None:
    """Return the size, tile number, step and extent in a formula ``min(max(size - number * step, 0),
    extent)``, which `access_facts.views` builds. The tile number may be bounded above by ``umin`` in the
    formula; the bound is left out of the result. None for another formula, or if the size or the tile number
    is neither an int nor an i32 value.
    """
    positive, extent = _parts(limit, SMinOp)
    difference, zero = _parts(positive, SMaxOp)
    if zero != 0 or not isinstance(extent, int):
        return None
    size, start = _parts(difference, DifferenceOp)
    if start is None:
        size, start = difference, 0
    index, step = _parts(start, MulOp)
    if index is None or not isinstance(step, int):
        index, step = start, 1
    size, index = _short(size), _short(_parts(index, UMinOp)[0] or index)
    if size is None or index is None or not (0 < step <= BEHIND and 0 <= extent < BEHIND):
        return None
    return Remainder(size, index, step, extent)


def _parts(position: Position | None, operation: type[Operation]) -> tuple[Position | None, Position | None]:
    """Return the two operands of a formula of the given operation; ``(None, None)`` for any other position."""
    if isinstance(position, Formula) and position.operation is operation:
        return position.left, position.right
    return None, None


def _short(position: Position | None) -> int | Value | None:
    """Return a position if it is a known number from 0 to 2**31 - 1, or a value of the type i32; None for
    other positions.
    """
    if isinstance(position, int):
        return position if 0 <= position < BEHIND else None
    return position if isinstance(position, Value) and position.type is i32 else None


def existing(emit: PointInserter, rest: Remainder) -> Value:
    """Return, as an i32, the number of elements from the start of a tile to the end of the dimension which ``rest``
    describes. It is negative for a tile behind the end, and may be larger than the extent of the tile: an element of the
    tile exists if its signed index is smaller.
    """
    zero = _word(emit, 0)
    size = _word(emit, rest.size) if isinstance(rest.size, int) else emit(arith.MaxSIOp, rest.size, zero)
    return size if rest.number == 0 else emit(arith.SubIOp, size, _start(emit, rest))


def _start(emit: PointInserter, rest: Remainder) -> Value:
    """Return the number of elements before a tile as an unsigned i32, at most 2**31."""
    if isinstance(rest.number, int):
        return _word(emit, min(rest.number * rest.step, BEHIND))
    index = emit(arith.MinUIOp, rest.number, _word(emit, BEHIND // rest.step))
    return index if rest.step == 1 else emit(arith.MulIOp, index, _word(emit, rest.step))


def _word(emit: PointInserter, number: int) -> Value:
    """Return an unsigned number below 2**32 as an i32 constant."""
    return emit(arith.ConstantOp, IntegerAttr(i32, number - 2 * BEHIND if number >= BEHIND else number))
