"""Tiles of integers as arrays of z3 terms: what operations of Tile IR compute, element by element and for all inputs.

Pointers are 64-bit numbers, floats their bits.  Only operations that rules are made of are known.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from tests.support.symbolic import Term, z3
from tilewright.dialects.cuda_tile.enums import IntegerOverflow, Signedness
from tilewright.dialects.cuda_tile.ops import conversion as ops_conversion, tile as ops_tile
from tilewright.dialects.cuda_tile.types import PointerType, TileType, tile_of
from tilewright.ir.operation import Operation

Elements = Any
"""An object array of `Term`, shaped like the tile."""
POINTER_BITS = 64


def bits_of(tile: TileType) -> int:
    """The width of an element."""
    element: Any = tile.element_type
    return POINTER_BITS if isinstance(element, PointerType) else int(element.width)


def unknown(tile: TileType, name: str) -> Elements:
    """A tile of any elements, none of them poison."""
    found = np.empty(tile.shape, dtype=object)
    for place in np.ndindex(*tile.shape):
        found[place] = Term(z3.BitVec(f"{name}{list(place)}", bits_of(tile)), z3.BoolVal(False))
    return found


def _each(op: Operation, source: Elements, compute: Callable[[Any], tuple[Any, Any]]) -> Elements:
    """A result whose elements are computed from those of the operand: bits, and when they are poison."""
    found = np.empty(source.shape, dtype=object)
    for place in np.ndindex(*source.shape):
        bits, poison = compute(source[place].bits)
        found[place] = Term(bits, z3.Or(source[place].poison, poison))
    return found


NEVER = z3.BoolVal(False)


def _extended(op: Any, source: Elements) -> Elements:
    more = bits_of(tile_of(op.to)) - bits_of(tile_of(op.from_))
    extend = z3.SignExt if op.signedness is Signedness.SIGNED else z3.ZeroExt
    return _each(op, source, lambda bits: (extend(more, bits), NEVER))


def _truncated(op: Any, source: Elements) -> Elements:
    width = bits_of(tile_of(op.to))
    more = bits_of(tile_of(op.from_)) - width

    def cut(bits: Any) -> tuple[Any, Any]:
        kept = z3.Extract(width - 1, 0, bits)
        broken: list[Any] = [NEVER]
        if op.overflow in (IntegerOverflow.NO_SIGNED_WRAP, IntegerOverflow.NO_WRAP):
            broken.append(z3.SignExt(more, kept) != bits)
        if op.overflow in (IntegerOverflow.NO_UNSIGNED_WRAP, IntegerOverflow.NO_WRAP):
            broken.append(z3.ZeroExt(more, kept) != bits)
        return kept, z3.Or(broken)

    return _each(op, source, cut)


def _same(op: Any, source: Elements) -> Elements:
    return source


EVALUATED: dict[type[Operation], Callable[[Any, Elements], Elements]] = {
    ops_conversion.ExtIOp: _extended,
    ops_conversion.TruncIOp: _truncated,
    ops_conversion.BitcastOp: _same,
    ops_conversion.PtrToPtrOp: _same,
    ops_conversion.PtrToIntOp: _same,
    ops_conversion.IntToPtrOp: _same,
    ops_tile.BroadcastOp: lambda op, source: np.broadcast_to(source, tile_of(op.result).shape),
    ops_tile.ReshapeOp: lambda op, source: source.reshape(tile_of(op.result).shape),
    ops_tile.PermuteOp: lambda op, source: source.transpose(op.permutation),
}
"""What operations with one operand compute."""


def differs(before: Elements, after: Elements) -> Any:
    """Whether a tile may not take the place of another: an element is another one, or poison where it was not."""
    assert before.shape == after.shape
    pairs = zip(before.flat, after.flat, strict=True)
    return z3.Or([z3.And(z3.Not(a.poison), z3.Or(b.poison, a.bits != b.bits)) for a, b in pairs])
