"""Gathered and scattered rows of memory objects.

Elements outside of the memory object do not exist: rows beyond its first extent, and the parts of rows beyond
its other extents. Along a row, elements are handled like the elements of any tile. Lanes of different rows
have separate addresses.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

from tilewright.dialects.llvm.enums import IntegerPredicate
from tilewright.dialects.llvm.ops import arithmetic as llvm, memory as llvm_memory
from tilewright.dialects.llvm.ops.conversion import SExtOp
from tilewright.dialects.nv_tileas.ops_memory import ScatterStoreOp
from tilewright.ir.builtin_types import VectorType, i64
from tilewright.ir.value import Value
from tilewright.lowering.access_facts.views import RowAccess, RowsOfMemory
from tilewright.lowering.llvm_types.element_forms import is_packed
from tilewright.targets.cpu.memory import access, buffer, formulas as memory_formulas
from tilewright.targets.cpu.memory.access import LaneAddresses, MemoryTile, StridedMemory
from tilewright.targets.cpu.memory.buffer import Coordinates
from tilewright.targets.cpu.memory.point import NestPoint
from tilewright.targets.elements.element_types import is_tile, memory_type, shape_of
from tilewright.targets.llvm.code import DYNAMIC, POINTER, Index, LlvmBuilder


class GatheredRows:
    """Rows of a memory object in code: the object, the first element of rows along its other dimensions
    (`starts`), and the shape of the tile, whose first dimension counts rows.
    """

    def __init__(self, code: LlvmBuilder, plan: RowsOfMemory, formulas: memory_formulas.Formulas) -> None:
        self.memory = StridedMemory.of(code, plan.memory, formulas)
        self.starts = formulas.all_of(plan.starts)
        self.shape = plan.shape
        self._plan = plan
        self._formulas = formulas

    def limits(self) -> list[Index]:
        """Return the number of existing elements of a row along each dimension, emitted at the current
        insertion point.
        """
        return list(self._formulas.copy().all_of(self._plan.limits))


def place(point: NestPoint, op: RowAccess, rows: GatheredRows, coordinates: Coordinates) -> LaneAddresses:
    """Return the addresses and the mask of the lanes that the access `op` gathers or scatters at
    `coordinates`. The mask selects the elements that exist and that the mask of `op`, if it has one, selects.
    """
    first, *rest = coordinates
    at = point.lanes_at(op.rows, (first,) if is_tile(op.rows.type) else ())
    if isinstance(at.type, VectorType):
        return _apart(point, op, rows, at, coordinates)
    row = point.once((op, first), first.level, lambda: row_access(point.code, rows, at))
    return _masked(point, op, access.position(point, row, tuple(rest)), coordinates)


def row_access(code: LlvmBuilder, rows: GatheredRows, at: Value) -> MemoryTile:
    """Return the elements of row number `at` of the memory object as a tile; empty if the object has no such
    row.
    """
    memory = rows.memory
    number = code.index(at)
    exists = code.compare_integers("ult", number, code.value(memory.sizes[0]))
    offset: Index = code.multiply(number, memory.strides[0])
    for start, stride in zip(rows.starts, memory.strides[1:], strict=True):
        offset = code.add(offset, code.multiply(start, stride))
    limits = rows.limits()
    if limits:
        limits[0] = code(llvm.SelectOp, exists, code.value(limits[0]), code.integer(0), type=i64)
    origin, begin = memory.at(code, offset)
    inside = exists if not limits else None
    return MemoryTile(
        origin, memory.strides[1:], tuple(limits), rows.shape[1:], memory.element, inside, begin
    )


def _apart(
    point: NestPoint, op: RowAccess, rows: GatheredRows, at: Value, coordinates: Coordinates
) -> LaneAddresses:
    """Return the addresses and the mask of lanes that lie in different rows, all at the same column.

    ``at`` is the vector of row numbers.
    """
    code, memory = point.code, rows.memory
    kind = VectorType((point.lanes,), i64)
    narrow: Any = at.type
    numbers = at if narrow.element_type is i64 else code(SExtOp, at, type=kind)
    extent = code.broadcast(code.value(memory.sizes[0]), point.lanes)
    mask = code(llvm.ICmpOp, IntegerPredicate.ULT, numbers, extent)
    offset: Index = 0
    tests: list[Value] = []
    for start, here, stride, size in zip(
        rows.starts, coordinates[1:], memory.strides[1:], memory.sizes[1:], strict=True
    ):
        column = code.add(start, here.base)
        offset = code.add(offset, code.multiply(column, stride))
        tests.append(code.compare_integers("ult", code.value(column), code.value(size)))
    if tests:
        mask = code(llvm.AndOp, mask, code.broadcast(code.both(tests), point.lanes))
    base, start = memory.at(code, offset)
    stride = code.broadcast(code.value(memory.strides[0]), point.lanes)
    steps = code(llvm.MulOp, numbers, stride)
    if is_packed(memory.element):
        starts = code(llvm.AddOp, code.broadcast(code.value(start), point.lanes), steps)
        return _masked(point, op, LaneAddresses(base, None, mask, starts), coordinates)
    pointers = VectorType((point.lanes,), POINTER)
    places = code(llvm_memory.GEPOp, base, (DYNAMIC,), memory_type(memory.element), (steps,), type=pointers)
    return _masked(point, op, LaneAddresses(places, None, mask), coordinates)


def _masked(point: NestPoint, op: RowAccess, place: LaneAddresses, coordinates: Coordinates) -> LaneAddresses:
    """Return `place`, the addresses of the lanes at `coordinates`, with its mask restricted to the lanes that
    the mask of the operation selects; unchanged if the operation has no mask.
    """
    if op.mask is None:
        return place
    rank = len(shape_of(op.mask.type))
    mask = point.lanes_at(op.mask, coordinates[:rank])
    if place.mask is None:
        return replace(place, mask=mask)
    if mask.type is not place.mask.type:
        mask, other = (buffer.spread(point.code, value, point.lanes) for value in (mask, place.mask))
        return replace(place, mask=point.code(llvm.AndOp, mask, other))
    return replace(place, mask=point.code(llvm.AndOp, mask, place.mask))


@dataclass(frozen=True)
class ScatterEffect:
    """The root of a nest that scatters rows to a memory object."""

    op: ScatterStoreOp
    rows: GatheredRows

    def evaluate(self, point: NestPoint, coordinates: Coordinates) -> None:
        """Emit the lanes of the value, and the numbers of their rows, at `coordinates`, before `at` stores
        them.
        """
        point.lanes_at(self.op.value, coordinates)
        if is_tile(self.op.rows.type):
            point.lanes_at(self.op.rows, coordinates[:1])

    def at(self, point: NestPoint, coordinates: Coordinates) -> None:
        """Store the lanes of the value at `coordinates` to their rows."""
        value = point.lanes_at(self.op.value, coordinates)
        here = place(point, self.op, self.rows, coordinates)
        access.store_at(point, here, self.rows.memory.element, value)
