"""`nv-tileas-lower-view-accesses`: accesses to tiles of views become accesses through pointers.

A tiled access says where its tile is by the coordinates of the tile in a view.  Afterwards every element has an
address of its own, computed from its place in the tile, and a bit that says whether the element exists; both are made by one
`nv_tileas.generate`.  A target whose threads own single elements needs no other form of access.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import ClassVar

from tilewright.dialects.arith.attributes import CmpIPredicate
from tilewright.dialects.arith.ops_conversion import ExtSIOp, IndexCastOp, TruncIOp
from tilewright.dialects.arith.ops_integer import (
    AddIOp,
    AndIOp,
    CmpIOp,
    ConstantOp,
    MaxSIOp,
    MinSIOp,
    MinUIOp,
    MulIOp,
    SubIOp,
)
from tilewright.dialects.llvm.intrinsics import integer as intrinsics
from tilewright.dialects.llvm.ops import arithmetic as llvm
from tilewright.dialects.nv_tileaa.attributes import RmwMode
from tilewright.dialects.nv_tileaa.constraints import element_of
from tilewright.dialects.nv_tileaa.ops.memory import AtomicRmwOp
from tilewright.dialects.nv_tileaa.ops.pointer import AddPtrOp
from tilewright.dialects.nv_tileaa.ops.structure import SplatOp
from tilewright.dialects.nv_tileas.ops_memory import (
    LoadOp,
    StoreOp,
    TiledAtomicRmwOp,
    TiledLoadOp,
    TiledStoreOp,
)
from tilewright.dialects.nv_tileas.ops_tile import GenerateOp, YieldOp
from tilewright.ir.attribute import Attribute, Type
from tilewright.ir.block import Block, Region
from tilewright.ir.builder import InsertionPoint
from tilewright.ir.builtin_attributes import IntegerAttr
from tilewright.ir.builtin_types import FloatType, IndexType, IntegerType, RankedTensorType, i1, i64, index
from tilewright.ir.operation import Operation
from tilewright.ir.value import Value
from tilewright.lowering.access_facts.padding import padding_attribute
from tilewright.lowering.access_facts.positions import Formula, Position, Positions
from tilewright.lowering.access_facts.views import TileOfMemory, tile_of_memory
from tilewright.lowering.inserting import PointInserter
from tilewright.lowering.llvm_types.element_forms import is_packed
from tilewright.optimizer.analysis.on_demand import FactsOnDemand
from tilewright.optimizer.analysis.rules_tileas import rule_of
from tilewright.passes.pass_ import Pass, PassState

Lowered = TiledLoadOp | TiledStoreOp | TiledAtomicRmwOp

ARITHMETIC: Mapping[type[Operation], type[Operation]] = {
    llvm.AddOp: AddIOp,
    llvm.SubOp: SubIOp,
    llvm.MulOp: MulIOp,
    intrinsics.SMinOp: MinSIOp,
    intrinsics.SMaxOp: MaxSIOp,
    intrinsics.UMinOp: MinUIOp,
}
"""Which operation of `arith` computes what a formula names by an operation of `llvm`."""
CARRIED = ("mem_scope", "checks", "cache_modifier", "eviction_policy", "latency")
"""The attributes that an access keeps."""


class Writer(PointInserter):
    """Writes positions out as 64-bit integers of `arith`."""

    __slots__ = ()

    def position(self, position: Position) -> Value:
        """A position as an integer of 64 bits."""
        if isinstance(position, int):
            return self(ConstantOp, IntegerAttr(i64, position))
        if isinstance(position, Formula):
            return self(ARITHMETIC[position.operation], *map(self.position, (position.left, position.right)))
        return self._extended(position)

    def outside(self, position: Position) -> int | Value:
        """A position for use inside of a region: numbers are written down there."""
        return position if isinstance(position, int) else self.position(position)

    def _extended(self, value: Value) -> Value:
        if isinstance(value.type, IndexType):
            return self(IndexCastOp, value, type=i64)
        assert isinstance(value.type, IntegerType), "positions are integers"
        if value.type.width == i64.width:
            return value
        return self(ExtSIOp if value.type.width < i64.width else TruncIOp, value, type=i64)


def lower_view_accesses(root: Operation) -> int:
    """Rewrite all tiled accesses below an operation; answers how many there were.

    Those of elements that share bytes stay: no pointer names one of these.
    """
    found = [op for op in root.walk() if isinstance(op, Lowered) and not is_packed(_element(op))]
    positions = Positions(FactsOnDemand(rule_of))
    for op in found:
        _lower(op, positions)
    return len(found)


def _element(op: Lowered) -> Type:
    return element_of(op.result.type if isinstance(op, TiledLoadOp) else op.value.type)


def _lower(op: Lowered, positions: Positions) -> None:
    tile = tile_of_memory(positions, op)
    writer = Writer.before(op)
    begin = positions.add(tile.memory.offset, tile.offset)
    pointers, mask = _places(writer, tile, writer(AddPtrOp, tile.memory.base, writer.position(begin)))
    made = REWRITES[op.__class__](writer, op, pointers, mask)
    for old, new in zip(op.results, made.results, strict=True):
        old.replace_all_uses_with(new)
    op.erase()


def _places(writer: Writer, tile: TileOfMemory, origin: Value) -> tuple[Value, Value | None]:
    """The address of each element, and whether it exists; None if all do."""
    strides = [writer.outside(stride) for stride in tile.strides]
    edges = [at for at, limit in enumerate(tile.limits) if limit != tile.shape[at]]
    limits = {at: writer.outside(tile.limits[at]) for at in edges}
    body = Block([index] * len(tile.shape))
    inside = Writer(InsertionPoint(body), writer.location)
    places = [inside(IndexCastOp, place, type=i64) for place in body.arguments]
    results = [inside(AddPtrOp, origin, _offset(inside, places, strides))]
    types: list[Type] = [RankedTensorType(tile.shape, origin.type)]
    if edges:
        results.append(_exists(inside, places, limits))
        types.append(RankedTensorType(tile.shape, i1))
    inside.insert(YieldOp, tuple(results))
    made = writer.insert(GenerateOp, (), body=Region([body]), result_types=types)
    return made.results[0], made.results[1] if edges else None


def _offset(inside: Writer, places: Sequence[Value], strides: Sequence[int | Value]) -> Value:
    """How many elements an element lies behind the first one of its tile."""
    total = inside.position(0)
    for place, stride in zip(places, strides, strict=True):
        total = inside(AddIOp, total, inside(MulIOp, place, inside.position(stride)))
    return total


def _exists(inside: Writer, places: Sequence[Value], limits: Mapping[int, int | Value]) -> Value:
    """Whether a place lies below all limits."""
    tests = [
        inside(CmpIOp, CmpIPredicate.SLT, places[at], inside.position(limit)) for at, limit in limits.items()
    ]
    found = tests[0]
    for test in tests[1:]:
        found = inside(AndIOp, found, test)
    return found


def _load(writer: Writer, op: TiledLoadOp, pointers: Value, mask: Value | None) -> Operation:
    type = op.result.type
    assert isinstance(type, RankedTensorType)
    other = None
    if mask is not None:
        other = writer(SplatOp, value=padding_attribute(op.padding_value, type.element_type), type=type)
    return writer.insert(
        LoadOp,
        pointers,
        mask=mask,
        other=other,
        token=op.token,
        mem_semantic=op.fence or op.mem_semantic,
        result_types=op.result_types,
        attributes=_carried(op),
    )


def _store(writer: Writer, op: TiledStoreOp, pointers: Value, mask: Value | None) -> Operation:
    return writer.insert(
        StoreOp,
        pointers,
        op.value,
        mask=mask,
        token=op.token,
        mem_semantic=op.fence or op.mem_semantic,
        result_types=op.result_types,
        attributes=_carried(op),
    )


def _update(writer: Writer, op: TiledAtomicRmwOp, pointers: Value, mask: Value | None) -> Operation:
    """Sums of floats have a mode of their own where elements are named one by one."""
    adds_floats = op.rmw_mode is RmwMode.ADD and isinstance(_element(op), FloatType)
    return writer.insert(
        AtomicRmwOp,
        pointers,
        op.value,
        (),
        mask,
        op.token,
        RmwMode.ADDF if adds_floats else op.rmw_mode,
        mem_semantic=op.mem_semantic,
        result_types=op.result_types,
        attributes=_carried(op),
    )


REWRITES: Mapping[type[Operation], Callable[..., Operation]] = {
    TiledLoadOp: _load,
    TiledStoreOp: _store,
    TiledAtomicRmwOp: _update,
}


def _carried(op: Operation) -> dict[str, Attribute]:
    return {name: op.held_attributes[name] for name in CARRIED if name in op.held_attributes}


@dataclass(frozen=True)
class LowerViewAccesses(Pass):
    """Turns loads, stores and updates of tiles of views into those through tiles of pointers.

    The address of each element, and whether the element exists, are computed by one `nv_tileas.generate` in front of the
    access.  A fence beside an access becomes the order of the access itself.
    """

    name: ClassVar[str] = "nv-tileas-lower-view-accesses"
    dependent_dialects: ClassVar[tuple[str, ...]] = ("arith",)

    def run(self, op: Operation, state: PassState) -> None:
        state.report("num-lowered", lower_view_accesses(op))
