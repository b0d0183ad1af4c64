"""Divides products of tiles that are too large for registers into one product for each part of the result."""

from __future__ import annotations

from math import prod

from tilewright.dialects.nv_tileaa.constraints import element_of, shape_of
from tilewright.dialects.nv_tileas.ops_tile import AllocTensorOp, DotOp
from tilewright.ir.builtin_types import RankedTensorType
from tilewright.ir.value import Value
from tilewright.layouts.linear import log2
from tilewright.lowering.tileas import slice_views, slices

SIDES = ((True, False), (False, True), (True, True), (True, False), (False, True))
"""For the operands A, B, C, and the scales of A and of B: whether the first dimension is the rows of the
result, and whether the second is its columns.
"""
PARTS = 4
"""A part of a product has at most 1 / `PARTS` of the elements that a tile in registers may have."""


def extents_of_part(op: DotOp, limit: int) -> tuple[int, int] | None:
    """Return the rows and columns of a part of the result, so that each tile of its product has at most
    ``limit`` elements. None if that is impossible.

    The common dimension is not divided: sums are rounded to the type of the result once.
    """
    rows, columns = shape_of(op.result.type)[-2:]
    depth = shape_of(op.a.type)[-1]
    while max(rows * columns, max(rows, columns) * depth) > limit:
        if rows * columns == 1:
            return None
        rows, columns = (rows // 2, columns) if rows >= columns else (rows, columns // 2)
    return rows, columns


def multiplied(slicer: slices.SlicerInterface, op: DotOp) -> bool:
    """Replace a product of large tiles by a loop over products of parts, and return True. Return False, and
    change nothing, if the product cannot be divided, or has an ``accumulate`` flag.
    """
    extents = extents_of_part(op, slicer.limit // PARTS)
    if extents is None or op.accumulate is not None:
        return False
    emit, type = slices.SliceBuilder.before(op), op.result.type
    shape = shape_of(type)
    batches = prod(shape[:-2])
    high, wide = (whole // part for whole, part in zip(shape[-2:], extents, strict=True))
    tiles = {at: slice_views.exchangeable(slicer, value) for at, value in enumerate(op.operands)}
    plain = RankedTensorType(shape, element_of(type))
    whole = slicer.new_array(emit, type) if slicer.is_large(op.result) else emit(AllocTensorOp, type=plain)
    rows, columns = extents
    rest = (1,) * (len(shape) - 2)

    def round(
        inside: slices.SliceBuilder, number: Value, carried: slices.CarriedTiles
    ) -> slices.CarriedTiles:
        column = inside.times(inside.bits(number, 0, log2(wide)), columns)
        row = inside.times(inside.bits(number, log2(wide), log2(high)), rows)
        batch = [inside.bits(number, log2(wide * high), log2(batches))][: len(rest)]
        parts: list[Value] = []
        for at, value in tiles.items():
            size, extent = shape_of(value.type)[-2:]
            is_left, is_right = SIDES[at]
            begin = [row if is_left else inside.number(0), column if is_right else inside.number(0)]
            sizes = (*rest, rows if is_left else size, columns if is_right else extent)
            parts.append(inside.extract(value, [*batch, *begin], sizes))
        made = inside.point.insert(op.clone())
        for at, part in enumerate(parts):
            made.set_operand(at, part)
        made.results[0].type = RankedTensorType((*rest, rows, columns), element_of(type))
        return [inside.put(made.results[0], carried[0], [*batch, row, column])]

    op.result.replace_all_uses_with(emit.loop(batches * high * wide, [whole], round)[0])
    op.erase()
    return True
