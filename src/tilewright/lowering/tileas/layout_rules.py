"""The layouts in which operations need their operands, as tables that all passes over layouts read.

An operation in no table takes all of its tiles in the default layout of their shape.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping

from tilewright.dialects.nv_tileaa.constraints import element_of, shape_of
from tilewright.dialects.nv_tileaa.ops import math as aa_math, memory as tileaa_memory, pointer
from tilewright.dialects.nv_tileaa.ops.program import CheckOp
from tilewright.dialects.nv_tileas.attributes import LinearLayoutAttr, ThreadArraysAttr
from tilewright.dialects.nv_tileas.ops_memory import LoadOp, StoreOp
from tilewright.dialects.nv_tileas.ops_tile import ConvertLayoutOp, DotOp, GenerateOp, ReduceOp, ViewOp
from tilewright.ir.attribute import Type
from tilewright.ir.builtin_types import RankedTensorType, bf16, f16
from tilewright.ir.declaration.traits import Elementwise
from tilewright.ir.operation import Operation
from tilewright.ir.value import Value
from tilewright.lowering.tileas.conversions.movements import moves_of_view, seen_from

LayoutOf = Callable[[Value], LinearLayoutAttr]
"""A function that returns the layout of a tile: the layout in its type, or the layout that a pass will
assign.
"""
RequiredLayouts = Callable[[Operation, LayoutOf], Mapping[int, LinearLayoutAttr]]
"""A function that returns the layouts in which an operation needs its operands, by the index of the operand.
An operand that is left out may have any layout.
"""

PAIR = 2
"""The number of 16-bit elements that a `multimem` instruction accesses at once."""
ADDEND = 2
"""The index of the addend among the operands of a product."""
ELEMENTWISE = (
    aa_math.MulhiUIOp,
    pointer.AddPtrOp,
    pointer.AssumeOp,
    pointer.BitcastOp,
    pointer.IntToPtrOp,
    pointer.PtrToIntOp,
)
"""Elementwise operations whose declarations do not have the trait."""


def is_elementwise(op: Operation) -> bool:
    """Return whether each element of the results depends only on the elements at the same index of the
    operands.
    """
    return op.has_trait(Elementwise) or isinstance(op, ELEMENTWISE)


def is_tile(value: Value) -> bool:
    """Return whether a value is a tile that is distributed over the registers of threads."""
    return isinstance(value.type, RankedTensorType) and not is_in_arrays(value.type)


def is_in_arrays(type: Type) -> bool:
    """Return whether a type is the type of a tile in arrays, in the memory of threads."""
    return isinstance(type, RankedTensorType) and isinstance(type.encoding, ThreadArraysAttr)


def tiles(op: Operation) -> Iterator[tuple[int, Value]]:
    """Yield ``(index, operand)`` for the operands of an operation that are tiles."""
    return ((at, value) for at, value in enumerate(op.operands) if is_tile(value))


def moves_pairs(op: Operation) -> bool:
    """Return whether an operation is a `multimem` access to 16-bit elements, which instructions access in
    pairs.
    """
    if not (isinstance(op, LoadOp | StoreOp | tileaa_memory.AtomicRmwOp) and op.multicast):
        return False
    value = op.result if isinstance(op, LoadOp) else op.value
    return is_tile(value) and element_of(value.type) in (f16, bf16)


def as_result(op: Operation, layout_of: LayoutOf) -> Mapping[int, LinearLayoutAttr]:
    """Return the layouts that an operation needs, by the index of the operand: for each operand that is a
    tile, the layout of the first result that is a tile; nothing if there is no such result.
    """
    wanted = next((layout_of(value) for value in op.results if is_tile(value)), None)
    return {} if wanted is None else {at: wanted for at, _ in tiles(op)}


def as_value(op: Operation, layout_of: LayoutOf) -> Mapping[int, LinearLayoutAttr]:
    """Return the layouts that a store needs, by the index of the operand: for each operand that is a tile,
    the layout of the stored value.
    """
    assert isinstance(op, StoreOp), "the rule of stores"
    return {at: layout_of(op.value) for at, _ in tiles(op)}


def as_first(op: Operation, layout_of: LayoutOf) -> Mapping[int, LinearLayoutAttr]:
    """Return the layouts that an operation needs, by the index of the operand: for each operand that is a
    tile, the layout of the first one.
    """
    wanted = {at: layout_of(value) for at, value in tiles(op)}
    return dict.fromkeys(wanted, wanted[min(wanted)]) if wanted else {}


def anywhere(op: Operation, layout_of: LayoutOf) -> Mapping[int, LinearLayoutAttr]:
    """Return an empty mapping: the operands of the operation may have any layout."""
    return {}


def as_seen(op: Operation, layout_of: LayoutOf) -> Mapping[int, LinearLayoutAttr]:
    """Return the layout that a view needs for its source, operand 0: the layout in which no element moves.
    The mapping is empty for a view of a part, whose source may have any layout, and for a view of memory.
    """
    assert isinstance(op, ViewOp), "the rule of views"
    found = source_of_view(op, layout_of(op.result)) if is_tile(op.result) else None
    return {} if found is None else {0: found}


def source_of_view(op: ViewOp, wanted: LinearLayoutAttr) -> LinearLayoutAttr | None:
    """Return the layout of the source in which the view has the layout `wanted` without moving elements. None
    for a view of memory, or of a part of a tile.
    """
    return seen_from(shape_of(op.source.type), moves_of_view(op), wanted) if is_tile(op.source) else None


def accumulates(op: Operation, layout_of: LayoutOf) -> Mapping[int, LinearLayoutAttr]:
    """Return the layout that a product needs for its addend, by the index of the operand: the layout of the
    result. The factors may have any layout: threads read them through shared memory.
    """
    assert isinstance(op, DotOp), "the rule of products"
    return {ADDEND: layout_of(op.result)}


REQUIRED_LAYOUTS: Mapping[type[Operation], RequiredLayouts] = {
    ConvertLayoutOp: anywhere,
    ViewOp: as_seen,
    DotOp: accumulates,
    GenerateOp: as_result,
    LoadOp: as_result,
    StoreOp: as_value,
    ReduceOp: as_first,
    CheckOp: as_first,
}
"""The layout rules of operations that are not elementwise."""


def required_layouts_of(op: Operation) -> RequiredLayouts | None:
    """Return the layout rule of an operation; None if it needs its operands in their default layouts."""
    return as_result if is_elementwise(op) else REQUIRED_LAYOUTS.get(op.__class__)
