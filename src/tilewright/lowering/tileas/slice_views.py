"""Slices of views of tiles: broadcast, permuted, in another shape.

Extents and strides are powers of two, so each bit of the number of an element of the view is a bit of a
number in the source, or of none. The bits of an element's number within its slice determine the extents of
the source part that the slice needs; the bits of the slice's number determine where that part begins.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import groupby
from math import prod

from tilewright.dialects.nv_tileaa.constraints import bits_in_memory, element_of, shape_of
from tilewright.dialects.nv_tileaa.ops.structure import SplatOp
from tilewright.dialects.nv_tileas.attributes import view_layout, view_strides
from tilewright.dialects.nv_tileas.ops_tile import ViewOp
from tilewright.ir.builtin_types import RankedTensorType
from tilewright.ir.value import Value
from tilewright.layouts.linear import log2
from tilewright.lowering.tileas.encodings import tile_type
from tilewright.lowering.tileas.slices import SlicerInterface, SliceState

WORD = 64
"""The width in bits of an element whose type has none, such as a pointer."""
MOST_EXCHANGED = 1 << 15
"""The maximum size in bytes of a tile that threads of every GPU can exchange through shared memory."""


def is_linear(op: ViewOp) -> bool:
    """Return whether each bit of an element's number in the view is a distinct bit of its number in the
    source, or is broadcast. A view without a layout keeps all numbers.
    """
    moves = [move for move in _moves(op) if move] if op.layout is not None else []
    return len(set(moves)) == len(moves) and all(move & (move - 1) == 0 for move in moves)


def _moves(op: ViewOp) -> list[int]:
    """Return, for each bit of an element's number in the view, the lowest first, by how much it changes the
    number in the source; 0 if it is broadcast.
    """
    assert op.layout is not None, "the view has strides"
    pairs = zip(shape_of(op.result.type), view_strides(op.layout), strict=True)
    return [stride << bit for extent, stride in list(pairs)[::-1] for bit in range(log2(extent))]


def viewed(slicer: SlicerInterface, op: ViewOp, place: SliceState) -> Value:
    """Return the current slice of a view with a layout: a view of the part of the source that the slice
    needs; a splat if the source is a scalar.
    """
    emit, type = place.emit, place.sliced_type(op.result)
    if not isinstance(op.source.type, RankedTensorType):
        return emit(SplatOp, source=op.source, type=type)
    inside = log2(place.elements)
    moves = _moves(op)
    inner = sorted(log2(move) for move in moves[:inside] if move)
    outer = {log2(move): bit for bit, move in enumerate(moves[inside:]) if move}
    runs = list(_runs(log2(prod(shape_of(op.source.type))), inner))
    source = exchangeable(slicer, op.source)
    element = element_of(type)
    whole = tuple(1 << len(run) for _, run in runs) or (1,)
    part = emit(ViewOp, source=source, type=RankedTensorType(whole, element, tile_type(source).encoding))
    if len(inner) < log2(prod(whole)):
        sizes = [1 << len(run) if is_inner else 1 for is_inner, run in runs]
        offsets = [emit.number(0) if is_inner else _offset(place, run, outer) for is_inner, run in runs]
        part = emit.extract(part, offsets, sizes)
    assert op.layout is not None, "the view has strides"
    steps = [
        1 << inner.index(log2(stride)) if stride and extent > 1 else 0
        for extent, stride in zip(type.shape, view_strides(op.layout), strict=True)
    ]
    return emit(ViewOp, source=part, layout=view_layout(type.shape, steps), type=type)


def _runs(bits: int, inner: Sequence[int]) -> Iterator[tuple[bool, list[int]]]:
    """Yield the groups of adjacent bits of a source number, the highest first, that are all in `inner`, or
    all not; each with the flag whether they are.
    """
    held = set(inner)
    return (
        (is_inner, list(run)) for is_inner, run in groupby(range(bits - 1, -1, -1), lambda bit: bit in held)
    )


def _offset(place: SliceState, run: Sequence[int], outer: Mapping[int, int]) -> Value:
    """Return the offset of the source part along the dimension made of the bits in `run`. It is assembled
    from bits of the slice's number: `outer` maps a bit of the source number to a bit of the slice number.
    """
    emit, found = place.emit, place.emit.number(0)
    known = [(bit - run[-1], outer[bit]) for bit in run[::-1] if bit in outer]
    for _, group in groupby(known, lambda pair: pair[0] - pair[1]):
        (low, first), *others = group
        field = emit.bits(place.number, first, 1 + len(others))
        found = emit.sum(found, emit.times(field, 1 << low))
    return found


def exchangeable(slicer: SlicerInterface, value: Value) -> Value:
    """Return a tile from which parts can be extracted: in an array if it is too large for registers or for
    shared memory, else unchanged.
    """
    size = prod(shape_of(value.type)) * (bits_in_memory(value.type) or WORD) // 8
    return slicer.array(value) if slicer.is_large(value) or size > MOST_EXCHANGED else value
