"""`nv-tileas-lower-packed-accesses`: accesses to elements of four bits become accesses to bytes.

Two such elements share a byte, the first one in its low bits, and no pointer names one of them.  A load reads the byte of
every element, and takes the half that is its own.  A store whose rows are made of whole bytes joins the pairs and writes
bytes.  Any other store changes one half of each byte, by updates that leave the other half to whom it belongs.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import ClassVar

from tilewright.dialects.arith.attributes import CmpIPredicate
from tilewright.dialects.arith.ops_conversion import BitcastOp, ExtUIOp, IndexCastOp, TruncIOp
from tilewright.dialects.arith.ops_integer import (
    AddIOp,
    AndIOp,
    CmpIOp,
    ConstantOp,
    MulIOp,
    OrIOp,
    ShLIOp,
    ShRSIOp,
    ShRUIOp,
    XOrIOp,
)
from tilewright.dialects.nv_tileaa.attributes import MemScope, MemSemantic, RmwMode
from tilewright.dialects.nv_tileaa.ops.memory import AtomicRmwOp
from tilewright.dialects.nv_tileaa.ops.pointer import AddPtrOp
from tilewright.dialects.nv_tileaa.ops.pointer import BitcastOp as PointerCastOp
from tilewright.dialects.nv_tileaa.ops.structure import SplatOp
from tilewright.dialects.nv_tileaa.types import MEM_TOKEN, PtrType
from tilewright.dialects.nv_tileas.ops_memory import LoadOp, StoreOp, TiledLoadOp, TiledStoreOp
from tilewright.dialects.nv_tileas.ops_tile import GenerateOp, ReduceOp, ViewOp, YieldOp
from tilewright.ir.attribute import Attribute, Type
from tilewright.ir.block import Block, Region
from tilewright.ir.builder import InsertionPoint
from tilewright.ir.builtin_attributes import FloatAttr, IntegerAttr
from tilewright.ir.builtin_types import IntegerType, RankedTensorType, i8, i64, index
from tilewright.ir.operation import Operation
from tilewright.ir.value import Value
from tilewright.lowering.access_facts.padding import padding_attribute
from tilewright.lowering.access_facts.positions import Positions
from tilewright.lowering.access_facts.views import (
    TileOfMemory,
    odd_rows,
    tile_of_memory,
    tiled_dimensions,
    view_of,
)
from tilewright.lowering.llvm_types.element_forms import PACKED_BITS, is_packed
from tilewright.lowering.tileas.view_accesses import CARRIED, Writer
from tilewright.optimizer.analysis.on_demand import FactsOnDemand
from tilewright.optimizer.analysis.rules_tileas import rule_of
from tilewright.passes.pass_ import Pass, PassState

LOW = (1 << PACKED_BITS) - 1
"""The bits of the first element of a byte."""
HALF = IntegerType(PACKED_BITS)
Elements = Callable[[Writer, Sequence[Value], Sequence[Value]], Sequence[Value]]
"""What a tile holds at a place: from indices of 64 bits, and from the elements of other tiles that stand there."""


def generated(
    writer: Writer, shape: Sequence[int], tiles: Sequence[Value], elements: Elements
) -> Sequence[Value]:
    """Tiles of a shape whose elements are computed one by one."""
    rank = len(shape)
    body = Block([*[index] * rank, *(_element(tile) for tile in tiles)])
    inside = Writer(InsertionPoint(body), writer.location)
    places = [inside(IndexCastOp, place, type=i64) for place in body.arguments[:rank]]
    found = elements(inside, places, body.arguments[rank:])
    InsertionPoint(body).insert(YieldOp(tuple(found), location=writer.location))
    types = [RankedTensorType(tuple(shape), value.type) for value in found]
    made = GenerateOp(tuple(tiles), body=Region([body]), result_types=types, location=writer.location)
    return writer.point.insert(made).results


def _element(tile: Value) -> Type:
    assert isinstance(tile.type, RankedTensorType), "accesses move tiles"
    return tile.type.element_type


def _constant(writer: Writer, type: IntegerType, number: int) -> Value:
    return writer(ConstantOp, IntegerAttr(type, number))


@dataclass(frozen=True, slots=True)
class Bytes:
    """The bytes in which elements are: their addresses, whether the elements exist (None: all do), and how far up in the
    byte the element is."""

    pointers: Value
    mask: Value | None
    shifts: Value


def bytes_of(
    writer: Writer, positions: Positions, tile: TileOfMemory, pairs_along: int | None = None
) -> Bytes:
    """The byte of every element of a tile, or of every pair of elements along a dimension."""
    base = tile.memory.base
    assert isinstance(base.type, PtrType), "views are made of typed pointers"
    first = writer(PointerCastOp, base, type=PtrType(i8, base.type.address_space))
    begin = writer.outside(positions.add(tile.memory.offset, tile.offset))
    strides = [writer.outside(stride) for stride in tile.strides]
    limits = [(at, writer.outside(limit)) for at, limit in enumerate(tile.limits) if limit != tile.shape[at]]

    def elements(inside: Writer, found: Sequence[Value], _: Sequence[Value]) -> Sequence[Value]:
        two = _constant(inside, i64, 2)
        places = [
            inside(MulIOp, place, two) if at == pairs_along else place for at, place in enumerate(found)
        ]
        number = inside.position(begin)
        for place, stride in zip(places, strides, strict=True):
            number = inside(AddIOp, number, inside(MulIOp, place, inside.position(stride)))
        byte = inside(ShRSIOp, number, _constant(inside, i64, 1))
        odd = inside(AndIOp, inside(TruncIOp, number, type=i8), _constant(inside, i8, 1))
        shift = inside(MulIOp, odd, _constant(inside, i8, PACKED_BITS))
        exists: Value | None = None
        for at, limit in limits:
            test = inside(CmpIOp, CmpIPredicate.SLT, places[at], inside.position(limit))
            exists = test if exists is None else inside(AndIOp, exists, test)
        return [inside(AddPtrOp, first, byte), shift, *([] if exists is None else [exists])]

    shape = tile.shape if pairs_along is None else _halved(tile.shape, pairs_along)
    pointers, shifts, *mask = generated(writer, shape, [], elements)
    return Bytes(pointers, mask[0] if mask else None, shifts)


# --- loads


def load(writer: Writer, op: TiledLoadOp, positions: Positions) -> Sequence[Value]:
    """Read the byte of every element, and take its half; the results of the access."""
    type = op.result.type
    assert isinstance(type, RankedTensorType), "accesses move tiles"
    at = bytes_of(writer, positions, tile_of_memory(positions, op))
    held = RankedTensorType(type.shape, i8)
    missing = None
    if at.mask is not None:
        padding = padding_attribute(op.padding_value, type.element_type)
        assert isinstance(padding, FloatAttr | IntegerAttr), "padding is a number"
        bits = (padding.bits if isinstance(padding, FloatAttr) else padding.value) & LOW
        missing = writer(SplatOp, value=IntegerAttr(i8, _signed(bits << PACKED_BITS | bits)), type=held)
    made = LoadOp(
        at.pointers,
        mask=at.mask,
        other=missing,
        token=op.token,
        mem_semantic=op.fence or op.mem_semantic,
        result_types=[held, *op.result_types[1:]],
        attributes=_carried(op),
        location=writer.location,
    )
    read, *done = writer.point.insert(made).results

    def half(inside: Writer, _: Sequence[Value], given: Sequence[Value]) -> Sequence[Value]:
        bits = inside(TruncIOp, inside(ShRUIOp, *given), type=HALF)
        return [bits if type.element_type is HALF else inside(BitcastOp, bits, type=type.element_type)]

    return [*generated(writer, type.shape, [read, at.shifts], half), *done]


def _signed(byte: int) -> int:
    return byte - (1 << i8.width) if byte >> (i8.width - 1) else byte


def _carried(op: Operation) -> dict[str, Attribute]:
    return {name: op.held_attributes[name] for name in CARRIED if name in op.held_attributes}


# --- stores


def store(writer: Writer, op: TiledStoreOp, positions: Positions) -> Sequence[Value] | None:
    """Write all elements; the results of the access, or None for an ordered one that shares bytes with others."""
    tile = tile_of_memory(positions, op)
    row = _row_of_bytes(positions, op, tile)
    if row is not None:
        return _store_bytes(writer, op, positions, tile, row)
    is_weak = (op.fence or op.mem_semantic) is MemSemantic.WEAK
    return _store_halves(writer, op, positions, tile) if is_weak else None


def _row_of_bytes(positions: Positions, op: TiledStoreOp, tile: TileOfMemory) -> int | None:
    """The dimension of a tile along which pairs of elements are whole bytes that exist as a whole, or do not."""
    row = tile.row
    if row is None or tile.row_stride != 1 or odd_rows(positions, tile) != ():
        return None
    others = (at for at, extent in enumerate(tile.shape) if extent > 1 and at != row)
    if any(not positions.is_even(tile.strides[at]) for at in others):
        return None
    size = tile.memory.sizes[tiled_dimensions(view_of(op))[row]]
    is_whole = tile.limits[row] == tile.shape[row]
    return row if is_whole or all(map(positions.is_even, (size, tile.starts[row]))) else None


def _store_bytes(
    writer: Writer, op: TiledStoreOp, positions: Positions, tile: TileOfMemory, row: int
) -> Sequence[Value]:
    at = bytes_of(writer, positions, tile, pairs_along=row)
    made = StoreOp(
        at.pointers,
        _joined(writer, op.value, tile.shape, row),
        mask=at.mask,
        token=op.token,
        mem_semantic=op.fence or op.mem_semantic,
        result_types=op.result_types,
        attributes=_carried(op),
        location=writer.location,
    )
    return writer.point.insert(made).results


def _joined(writer: Writer, value: Value, shape: Sequence[int], row: int) -> Value:
    """The pairs of elements along a dimension as bytes."""

    def placed(inside: Writer, places: Sequence[Value], given: Sequence[Value]) -> Sequence[Value]:
        odd = inside(AndIOp, places[row], _constant(inside, i64, 1))
        shift = inside(MulIOp, inside(TruncIOp, odd, type=i8), _constant(inside, i8, PACKED_BITS))
        return [inside(ShLIOp, _bits(inside, given[0]), shift)]

    (halves,) = generated(writer, shape, [value], placed)
    pairs = (*shape[:row], shape[row] // 2, 2, *shape[row + 1 :])
    side = writer(ViewOp, halves, type=RankedTensorType(pairs, i8))
    body = Block([i8, i8])
    inside = Writer(InsertionPoint(body), writer.location)
    both = inside(OrIOp, *body.arguments)
    InsertionPoint(body).insert(YieldOp((both,), location=writer.location))
    type = RankedTensorType(_halved(shape, row), i8)
    return writer(ReduceOp, [side], row + 1, body=Region([body]), type=type)


def _halved(shape: Sequence[int], row: int) -> tuple[int, ...]:
    return (*shape[:row], shape[row] // 2, *shape[row + 1 :])


def _bits(writer: Writer, element: Value) -> Value:
    """An element as a byte."""
    bits = element if element.type is HALF else writer(BitcastOp, element, type=HALF)
    return writer(ExtUIOp, bits, type=i8)


def _store_halves(
    writer: Writer, op: TiledStoreOp, positions: Positions, tile: TileOfMemory
) -> Sequence[Value]:
    """Clear the half of each byte, and set it; what the other half is does not matter to either."""
    at = bytes_of(writer, positions, tile)

    def changes(inside: Writer, _: Sequence[Value], given: Sequence[Value]) -> Sequence[Value]:
        element, shift = given
        own = inside(ShLIOp, _constant(inside, i8, LOW), shift)
        kept = inside(XOrIOp, own, _constant(inside, i8, -1))
        return [kept, inside(ShLIOp, _bits(inside, element), shift)]

    kept, set_ = generated(writer, tile.shape, [op.value, at.shifts], changes)
    cleared = _updated(writer, at, RmwMode.AND, kept, op.token)
    done = _updated(writer, at, RmwMode.OR, set_, cleared)
    return [done] if op.done is not None else []


def _updated(writer: Writer, at: Bytes, mode: RmwMode, operand: Value, token: Value | None) -> Value:
    """Update every byte at once, also for other blocks; the token behind it."""
    made = AtomicRmwOp(
        at.pointers,
        operand,
        (),
        at.mask,
        token,
        mode,
        mem_semantic=MemSemantic.RELAXED,
        mem_scope=MemScope.GPU,
        result_types=[operand.type, MEM_TOKEN],
        location=writer.location,
    )
    return writer.point.insert(made).results[1]


# --- the pass


def lower_packed_accesses(root: Operation) -> int:
    """Rewrite the tiled loads and stores of elements of four bits; answers how many were rewritten."""
    found = [op for op in root.walk() if isinstance(op, TiledLoadOp | TiledStoreOp)]
    positions = Positions(FactsOnDemand(rule_of))
    return sum(_lower(op, positions) for op in found if is_packed(_moved(op)))


def _moved(op: TiledLoadOp | TiledStoreOp) -> Type:
    return _element(op.result if isinstance(op, TiledLoadOp) else op.value)


def _lower(op: TiledLoadOp | TiledStoreOp, positions: Positions) -> bool:
    writer = Writer(InsertionPoint.before(op), op.lazy_location)
    made = load(writer, op, positions) if isinstance(op, TiledLoadOp) else store(writer, op, positions)
    if made is None:
        return False
    for old, new in zip(op.results, made, strict=True):
        old.replace_all_uses_with(new)
    op.erase()
    return True


@dataclass(frozen=True)
class LowerPackedAccesses(Pass):
    """Turns loads and stores of elements of four bits into loads and stores of the bytes that they share.

    A store whose rows are whole bytes joins pairs of elements.  Any other store updates each byte twice, at once for all
    threads: it clears a half, and sets it.
    """

    name: ClassVar[str] = "nv-tileas-lower-packed-accesses"
    dependent_dialects: ClassVar[tuple[str, ...]] = ("arith",)

    def run(self, op: Operation, state: PassState) -> None:
        state.report("num-lowered", lower_packed_accesses(op))
