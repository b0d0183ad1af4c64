"""`nv-tileas-lower-packed-accesses`: accesses to elements of four bits become accesses to bytes.

Two such elements share a byte, the first one in its low bits, so an element has no address of its own. A load
reads the byte of every element and extracts its half. A store whose rows are whole bytes packs pairs of
elements and writes bytes. Any other store replaces half of each byte by a compare-and-swap that keeps the
other half.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from math import prod
from typing import ClassVar

from tilewright.dialects.arith import attributes as arith_attributes, ops_integer as arith
from tilewright.dialects.arith.ops_conversion import BitcastOp, ExtUIOp, TruncIOp
from tilewright.dialects.nv_tileaa.attributes import MemScope, MemSemantic
from tilewright.dialects.nv_tileaa.constraints import element_of, shape_of
from tilewright.dialects.nv_tileaa.ops import memory as tileaa_memory, pointer as tileaa_pointer
from tilewright.dialects.nv_tileaa.ops.structure import SplatOp
from tilewright.dialects.nv_tileaa.types import MEM_TOKEN, PtrType
from tilewright.dialects.nv_tileas import ops_memory as tileas_memory, ops_tile as tileas_tile
from tilewright.dialects.scf.ops_loop import ConditionOp, WhileOp, YieldOp as LoopYieldOp
from tilewright.ir.attribute import Type
from tilewright.ir.block import Block, Region
from tilewright.ir.builder import InsertionPoint
from tilewright.ir.builtin_attributes import FloatAttr, IntegerAttr
from tilewright.ir.builtin_types import IntegerType, RankedTensorType, i1, i8, i64
from tilewright.ir.operation import Operation
from tilewright.ir.value import Value
from tilewright.lowering.access_facts.positions import Position, PositionFacts
from tilewright.lowering.access_facts.whole_tiles import padding_attribute
from tilewright.lowering.llvm_types.element_forms import PACKED_BITS, is_packed
from tilewright.lowering.tileas import view_accesses
from tilewright.optimizer.analysis import query, rules_tileas
from tilewright.passes.pass_ import Pass, PassState

Load = tileas_memory.TiledLoadOp | tileas_memory.GatherLoadOp
Store = tileas_memory.TiledStoreOp | tileas_memory.ScatterStoreOp
LOW = (1 << PACKED_BITS) - 1
"""A mask of the low four bits, which hold the first element of a byte."""
HALF = IntegerType(PACKED_BITS)


@dataclass(frozen=True, slots=True)
class PackedBytes:
    """The bytes that hold packed elements: their addresses, a mask of the elements that exist (None: all do),
    and the shift of each element within its byte, in bits.
    """

    pointers: Value
    mask: Value | None
    shifts: Value


def bytes_of(writer: view_accesses.PositionWriter, elements: view_accesses.AccessElements) -> PackedBytes:
    """Return the address of the byte of every element of an access, the element's shift in it, and the mask
    of the elements that exist.
    """
    base = elements.base
    assert isinstance(base.type, PtrType), "memory objects are made of typed pointers"
    first = writer(tileaa_pointer.BitcastOp, base, type=PtrType(i8, base.type.address_space))
    begin = writer.outside(elements.begin)

    def named(inside: view_accesses.PositionWriter, distance: Value) -> Sequence[Value]:
        number = inside(arith.AddIOp, distance, inside.position(begin))
        byte = inside(arith.ShRSIOp, number, _constant(inside, i64, 1))
        return [inside(tileaa_pointer.AddPtrOp, first, byte), _shift(inside, number)]

    (pointers, shifts), mask = view_accesses.places(writer, elements, named)
    return PackedBytes(pointers, mask, shifts)


def _shift(inside: view_accesses.PositionWriter, number: Value) -> Value:
    """Return the shift in bits, 0 or 4, of the element with index `number` within its byte."""
    odd = inside(arith.AndIOp, inside(TruncIOp, number, type=i8), _constant(inside, i8, 1))
    return inside(arith.MulIOp, odd, _constant(inside, i8, PACKED_BITS))


def _constant(writer: view_accesses.PositionWriter, type: IntegerType, number: int) -> Value:
    return writer(arith.ConstantOp, IntegerAttr(type, number))


# --- loads


def load(
    writer: view_accesses.PositionWriter, op: Load, elements: view_accesses.AccessElements
) -> Sequence[Value]:
    """Emit the load of the byte of every element and the selection of its half. Return the values that
    replace the results of `op`.
    """
    type, at = op.result.type, bytes_of(writer, elements)
    assert isinstance(type, RankedTensorType), "accesses move tiles"
    element, held = type.element_type, RankedTensorType(type.shape, i8)
    other = None
    if at.mask is not None:
        other = writer(SplatOp, value=_padding(op, element), type=held)
    made = writer.insert(
        tileas_memory.LoadOp,
        at.pointers,
        mask=at.mask,
        other=other,
        token=op.token,
        mem_semantic=view_accesses.semantic_of(op),
        result_types=[held, *op.result_types[1:]],
        attributes=view_accesses.carried(op),
    )
    read, *done = made.results

    def half(
        inside: view_accesses.PositionWriter, _: Sequence[Value], given: Sequence[Value]
    ) -> Sequence[Value]:
        bits = inside(TruncIOp, inside(arith.ShRUIOp, *given), type=HALF)
        return [bits if element is HALF else inside(BitcastOp, bits, type=element)]

    return [*view_accesses.generated(writer, type.shape, [read, at.shifts], half), *done]


def _padding(op: Load, element: Type) -> IntegerAttr:
    """Return a byte with the padding value of missing elements in both halves."""
    padding = padding_attribute(op.padding_value, element)
    assert isinstance(padding, FloatAttr | IntegerAttr), "padding is a number"
    bits = (padding.bits if isinstance(padding, FloatAttr) else padding.value) & LOW
    byte = bits << PACKED_BITS | bits
    return IntegerAttr(i8, byte - (1 << i8.width) if byte >> (i8.width - 1) else byte)


# --- stores


def store(
    writer: view_accesses.PositionWriter,
    op: Store,
    elements: view_accesses.AccessElements,
    positions: PositionFacts,
) -> Sequence[Value]:
    """Emit a store of 4-bit elements, as whole bytes if possible, otherwise by compare-and-swap of the bytes.
    Return the values that replace the results of `op`.
    """
    row = _row_of_bytes(positions, elements)
    return _store_halves(writer, op, elements) if row is None else _store_bytes(writer, op, elements, row)


def _row_of_bytes(positions: PositionFacts, elements: view_accesses.AccessElements) -> int | None:
    """Return the last dimension with more than one element, if along it each pair of elements is known to be
    a whole byte, and both elements exist or neither. None otherwise.
    """
    row = max((at for at, extent in enumerate(elements.shape) if extent > 1), default=None)
    if row is None or elements.strides[row] != 1 or (elements.rows is not None and row == 0):
        return None
    even: list[Position] = [elements.begin, elements.limits.get(row, 0)]
    even += [stride for at, stride in enumerate(elements.strides) if at != row and _moves(elements, at)]
    return row if all(map(positions.is_even, even)) else None


def _moves(elements: view_accesses.AccessElements, dimension: int) -> bool:
    """Return whether elements of the access differ in their index along a dimension."""
    return elements.shape[dimension] > 1 or (dimension == 0 and elements.rows is not None)


def _store_bytes(
    writer: view_accesses.PositionWriter, op: Store, elements: view_accesses.AccessElements, row: int
) -> Sequence[Value]:
    at = bytes_of(writer, _pairs(writer, elements, row))
    made = writer.insert(
        tileas_memory.StoreOp,
        at.pointers,
        _joined(writer, op.value, elements.shape, row),
        mask=at.mask,
        token=op.token,
        mem_semantic=view_accesses.semantic_of(op),
        result_types=op.result_types,
        attributes=view_accesses.carried(op),
    )
    return made.results


def _pairs(
    writer: view_accesses.PositionWriter, elements: view_accesses.AccessElements, row: int
) -> view_accesses.AccessElements:
    """Return the access with one element for each pair of elements along dimension `row`: the first one of
    the pair.
    """
    strides = tuple(2 if at == row else stride for at, stride in enumerate(elements.strides))
    limits = dict(elements.limits)
    if row in limits:
        limits[row] = writer(arith.ShRSIOp, writer.position(limits[row]), _constant(writer, i64, 1))
    return replace(elements, shape=_halved(elements.shape, row), strides=strides, limits=limits)


def _halved(shape: tuple[int, ...], row: int) -> tuple[int, ...]:
    return (*shape[:row], shape[row] // 2, *shape[row + 1 :])


def _joined(writer: view_accesses.PositionWriter, value: Value, shape: tuple[int, ...], row: int) -> Value:
    """Return a tile of bytes: each byte packs two neighbouring elements along dimension `row`."""

    def placed(
        inside: view_accesses.PositionWriter, at: Sequence[Value], given: Sequence[Value]
    ) -> Sequence[Value]:
        return [inside(arith.ShLIOp, _bits(inside, given[0]), _shift(inside, at[row]))]

    (halves,) = view_accesses.generated(writer, shape, [value], placed)
    pairs = (*shape[:row], shape[row] // 2, 2, *shape[row + 1 :])
    side = writer(tileas_tile.ViewOp, halves, type=RankedTensorType(pairs, i8))
    body = Block([i8, i8])
    inside = view_accesses.PositionWriter(InsertionPoint(body), writer.location)
    inside.insert(tileas_tile.YieldOp, (inside(arith.OrIOp, *body.arguments),))
    type = RankedTensorType(_halved(shape, row), i8)
    return writer(tileas_tile.ReduceOp, [side], row + 1, body=Region([body]), type=type)


def _bits(writer: view_accesses.PositionWriter, element: Value) -> Value:
    """Return a 4-bit element zero-extended to a byte."""
    bits = element if element.type is HALF else writer(BitcastOp, element, type=HALF)
    return writer(ExtUIOp, bits, type=i8)


def _store_halves(
    writer: view_accesses.PositionWriter, op: Store, elements: view_accesses.AccessElements
) -> Sequence[Value]:
    """Emit a loop that replaces half of each byte by compare-and-swap, until all have succeeded.

    If two elements share a byte, or an address, they succeed in different iterations, so both halves are
    written.
    """
    at = bytes_of(writer, elements)
    kept, added = _changes(writer, op.value, at)
    shape = elements.shape
    bits = RankedTensorType(shape, i1)
    left = at.mask or writer(SplatOp, value=IntegerAttr(i1, -1), type=bits)
    semantic, scope = view_accesses.semantic_of(op), op.mem_scope or MemScope.GPU
    seen, token = writer.insert(
        tileas_memory.LoadOp,
        at.pointers,
        mask=left,
        other=writer(SplatOp, value=IntegerAttr(i8, 0), type=kept.type),
        token=op.token,
        mem_semantic=MemSemantic.RELAXED,
        mem_scope=scope,
        result_types=[kept.type, MEM_TOKEN],
    ).results

    def round(
        inside: view_accesses.PositionWriter, seen: Value, left: Value, token: Value
    ) -> Sequence[Value]:
        (new,) = view_accesses.generated(inside, shape, [seen, kept, added], _changed)
        exchange = inside.insert(
            tileaa_memory.AtomicCasOp,
            at.pointers,
            seen,
            new,
            mask=left,
            token=token,
            mem_semantic=MemSemantic.RELAXED if semantic is MemSemantic.WEAK else semantic,
            mem_scope=scope,
            result_types=[kept.type, MEM_TOKEN],
        )
        found, done = exchange.results
        (others,) = view_accesses.generated(inside, shape, [left, found, seen], _left)
        return found, others, done

    *_, done = _until_none(writer, (seen, left, token), 1, round)
    return [done] if op.done is not None else []


def _changes(writer: view_accesses.PositionWriter, value: Value, at: PackedBytes) -> Sequence[Value]:
    """Return two tiles of bytes with, for each element of ``value``, a mask of the bits of its byte that are
    kept, and its bits shifted to their position.
    """

    def parts(
        inside: view_accesses.PositionWriter, _: Sequence[Value], given: Sequence[Value]
    ) -> Sequence[Value]:
        element, shift = given
        own = inside(arith.ShLIOp, _constant(inside, i8, LOW), shift)
        kept = inside(arith.XOrIOp, own, _constant(inside, i8, -1))
        return [kept, inside(arith.ShLIOp, _bits(inside, element), shift)]

    return view_accesses.generated(writer, shape_of(value.type), [value, at.shifts], parts)


def _changed(
    inside: view_accesses.PositionWriter, _: Sequence[Value], given: Sequence[Value]
) -> Sequence[Value]:
    """Return the byte ``seen & kept | added``, in which one half is replaced; `given` are these three."""
    seen, kept, added = given
    return [inside(arith.OrIOp, inside(arith.AndIOp, seen, kept), added)]


def _left(
    inside: view_accesses.PositionWriter, _: Sequence[Value], given: Sequence[Value]
) -> Sequence[Value]:
    """Return an i1, in a list: whether an element has still to be stored, because its byte was changed before
    the compare-and-swap. ``given`` has whether it was still to be stored before, the byte that the exchange
    found, and the byte that it expected.
    """
    left, found, seen = given
    return [inside(arith.AndIOp, left, inside(arith.CmpIOp, arith_attributes.CmpIPredicate.NE, found, seen))]


def _until_none(
    writer: view_accesses.PositionWriter,
    first: Sequence[Value],
    at: int,
    round: Callable[..., Sequence[Value]],
) -> Sequence[Value]:
    """Emit a loop that applies `round` to the values, beginning with `first`, until all elements of the value
    with index ``at``, a tile of i1, are false. `round` is called with a builder and the values, and returns
    the next values. Return the last values.
    """
    types = [value.type for value in first]
    before, after = Block(types), Block(types)
    made = writer.insert(
        WhileOp, tuple(first), before=Region([before]), after=Region([after]), result_types=types
    )
    inside = view_accesses.PositionWriter(InsertionPoint(before), writer.location)
    found = round(inside, *before.arguments)
    inside.insert(ConditionOp, _any(inside, found[at]), tuple(found))
    view_accesses.PositionWriter(InsertionPoint(after), writer.location).insert(
        LoopYieldOp, tuple(after.arguments)
    )
    return made.results


def _any(writer: view_accesses.PositionWriter, bits: Value) -> Value:
    """Return an i1 that is true if any element of the tile `bits` is true."""
    count = prod(shape_of(bits.type))
    row = writer(tileas_tile.ViewOp, bits, type=RankedTensorType((count,), i1))
    body = Block([i1, i1])
    inside = view_accesses.PositionWriter(InsertionPoint(body), writer.location)
    inside.insert(tileas_tile.YieldOp, (inside(arith.OrIOp, *body.arguments),))
    return writer(tileas_tile.ReduceOp, [row], 0, body=Region([body]), type=i1)


# --- the pass


def lower_packed_accesses(root: Operation) -> int:
    """Rewrite the loads and stores of 4-bit elements of tiles and rows of memory objects; return their
    number. Atomic updates are left alone.
    """
    found = [op for op in root.walk() if isinstance(op, Load | Store) and is_packed(_moved(op))]
    positions = PositionFacts(query.FactsOnDemand(rules_tileas.rule_of))
    for op in found:
        _lower(op, positions)
    return len(found)


def _moved(op: Load | Store) -> Type:
    return element_of(op.result.type if isinstance(op, Load) else op.value.type)


def _lower(op: Load | Store, positions: PositionFacts) -> None:
    writer, elements = view_accesses.PositionWriter.before(op), view_accesses.elements_of(positions, op)
    made = load(writer, op, elements) if isinstance(op, Load) else store(writer, op, elements, positions)
    for old, new in zip(op.results, made, strict=True):
        old.replace_all_uses_with(new)
    op.erase()


@dataclass(frozen=True)
class LowerPackedAccesses(Pass):
    """Converts loads and stores of 4-bit elements to loads and stores of the bytes that they share.

    A store whose rows are whole bytes packs pairs of elements. Any other store updates bytes by
    compare-and-swap in a loop, until all have succeeded.
    """

    name: ClassVar[str] = "nv-tileas-lower-packed-accesses"
    dependent_dialects: ClassVar[tuple[str, ...]] = ("arith", "scf")

    def run(self, op: Operation, state: PassState) -> None:
        state.report("num-lowered", lower_packed_accesses(op))
