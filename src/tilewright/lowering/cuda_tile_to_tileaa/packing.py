"""Conversion of `pack` and `unpack`: tiles of elements as tiles of bytes, and back.

The dialect has no operation for it, so each byte is computed by a shift: the shift amounts are along a
further dimension. Elements narrower than a byte are combined in the same way.
"""

from __future__ import annotations

from collections.abc import Sequence

from tilewright.dialects.arith import ops_integer as arith
from tilewright.dialects.cuda_tile.ops import conversion as casts
from tilewright.dialects.nv_tileaa.constraints import bits_in_memory, bits_of, element_of, shape_of
from tilewright.dialects.nv_tileaa.ops import pointer as tileaa_pointer, shape as aa
from tilewright.ir.attribute import Type
from tilewright.ir.block import Block, Region
from tilewright.ir.builtin_types import IntegerType, RankedTensorType, i8
from tilewright.ir.value import Value
from tilewright.lowering.cuda_tile_to_tileaa.pattern import TileAAEmitter, TilePattern
from tilewright.lowering.cuda_tile_to_tileaa.shapes import numbers, repeated, scaled, viewed
from tilewright.lowering.pattern import LoweringResult
from tilewright.rewrite.conversion.pattern import Adaptor


def like(type: Type, element: Type) -> RankedTensorType:
    """Return a tile type with the shape of `type` and the elements `element`."""
    return RankedTensorType(shape_of(type), element)


def as_bits(emit: TileAAEmitter, value: Value) -> Value:
    """Return a tile bitcast to integers as wide as its elements; a tf32 element takes 32 bits. A tile of
    integers is returned unchanged.
    """
    if isinstance(element_of(value.type), IntegerType):
        return value
    return emit(tileaa_pointer.BitcastOp, value, type=like(value.type, bits_form(value.type)))


def from_bits(emit: TileAAEmitter, value: Value, type: Type) -> Value:
    """Return a tile of integers bitcast to `type`, unchanged if `type` has integers: the inverse of
    `as_bits`.
    """
    if isinstance(element_of(type), IntegerType):
        return value
    return emit(tileaa_pointer.BitcastOp, value, type=type)


def bits_form(type: Type) -> IntegerType:
    """Return the integer type of the elements that `as_bits` returns for a tile of type `type`."""
    return IntegerType(bits_in_memory(type))


def split(emit: TileAAEmitter, value: Value, count: int, part: IntegerType) -> Value:
    """Return a tile of rank 1 with ``count`` times as many elements: each integer is cut into ``count``
    integers of type `part`, the lowest bits first.
    """
    (extent,), whole = shape_of(value.type), element_of(value.type)
    side = RankedTensorType((extent, count), whole)
    spread = repeated(emit, viewed(emit, value, RankedTensorType((extent, 1), whole)), side)
    shifted = emit(arith.ShRUIOp, spread, _places(emit, count, part.width, side))
    parts = emit.resized(shifted, part, signed=False)
    return viewed(emit, parts, RankedTensorType((extent * count,), part))


def joined(emit: TileAAEmitter, value: Value, count: int, whole: IntegerType) -> Value:
    """Return every ``count`` integers of a tile of rank 1 combined into an integer of type `whole`, the
    lowest first: the inverse of `split`.
    """
    (extent,), part = shape_of(value.type), element_of(value.type)
    side = RankedTensorType((extent // count, count), part)
    wide = emit.resized(viewed(emit, value, side), whole, signed=False)
    shifted = emit(arith.ShLIOp, wide, _places(emit, count, bits_of(part), wide.type))
    return _combined(emit, shifted, RankedTensorType((extent // count,), whole))


def _places(emit: TileAAEmitter, count: int, width: int, type: Type) -> Value:
    """Return the shift amounts of the parts: 0, `width`, 2 * `width`, ..., as a tile of type `type`."""
    element = element_of(type)
    line = scaled(emit, numbers(emit, RankedTensorType((count,), element)), width)
    return repeated(emit, viewed(emit, line, RankedTensorType((1, count), element)), type)


def _combined(emit: TileAAEmitter, value: Value, type: RankedTensorType) -> Value:
    """Return the bitwise or of the elements along dimension 1, as a tile of type `type`."""
    left, right = (block := Block([type.element_type, type.element_type])).arguments
    combined = arith.OrIOp(left, right)
    combined.lazy_location = emit.location
    block.append(combined)
    block.append(aa.YieldOp((combined.result,)))
    return emit(aa.ReduceOp, [value], 1, body=Region([block]), type=type)


class PackPattern(TilePattern[casts.PackOp]):
    """Converts `pack`, from a tile of elements to a tile of bytes: elements wider than a byte are cut into
    bytes (`split`), other elements are combined into bytes (`joined`).
    """

    def lower(
        self, op: casts.PackOp, at: Adaptor, types: Sequence[Type], emit: TileAAEmitter
    ) -> LoweringResult:
        bits = as_bits(emit, at.source)
        width = bits_of(bits.type)
        return split(emit, bits, width // 8, i8) if width > 8 else joined(emit, bits, 8 // width, i8)


class UnpackPattern(TilePattern[casts.UnpackOp]):
    """Converts `unpack`, from a tile of bytes to a tile of elements: bytes are combined into elements wider
    than a byte (`joined`), or cut into other elements (`split`).
    """

    def lower(
        self, op: casts.UnpackOp, at: Adaptor, types: Sequence[Type], emit: TileAAEmitter
    ) -> LoweringResult:
        form = bits_form(types[0])
        if form.width > 8:
            bits = joined(emit, at.source, form.width // 8, form)
        else:
            bits = split(emit, at.source, 8 // form.width, form)
        return from_bits(emit, bits, types[0])
