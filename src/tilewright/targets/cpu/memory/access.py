"""Accesses to memory through views: the origin of a tile, its strides, and which of its elements exist."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import cast

from tilewright.dialects.llvm.enums import IntegerPredicate
from tilewright.dialects.llvm.ops import aggregate as llvm_aggregate, arithmetic as llvm
from tilewright.dialects.llvm.ops.conversion import PtrToIntOp, TruncOp
from tilewright.dialects.nv_tileaa.attributes import PaddingValue
from tilewright.ir.attribute import Type
from tilewright.ir.builtin_types import FloatType, VectorType, i1, i32, i64
from tilewright.ir.value import Value
from tilewright.lowering.access_facts.views import MemoryObject, TileOfMemory
from tilewright.lowering.access_facts.whole_tiles import padding_attribute
from tilewright.lowering.llvm_types.element_forms import is_packed
from tilewright.targets.cpu.facts.access_operations import PointerAccess, tile_of
from tilewright.targets.cpu.machine.target import LINE
from tilewright.targets.cpu.memory import buffer, formulas as memory_formulas, packed, stride_two
from tilewright.targets.cpu.memory.buffer import Coordinates
from tilewright.targets.cpu.memory.point import NestPoint
from tilewright.targets.cpu.plan.model import PointersPlan, TilePlan
from tilewright.targets.elements.element_types import memory_type, register_type, shape_of, size_of
from tilewright.targets.elements.lanes import constant_value
from tilewright.targets.llvm.code import Index, LlvmBuilder

STREAMED_BYTES = 16
"""The minimum size in bytes of a vector that processors can write past their caches."""


@dataclass(frozen=True, slots=True)
class StridedMemory:
    """A strided memory object: address of the first element (`base`), extents (`sizes`) and strides in
    elements. Packed elements begin ``start`` elements of four bits after the address; for other elements it
    is 0.
    """

    base: Value
    sizes: tuple[Index, ...]
    strides: tuple[Index, ...]
    element: Type
    start: Index = 0

    @classmethod
    def of(cls, code: LlvmBuilder, plan: MemoryObject, formulas: memory_formulas.Formulas) -> StridedMemory:
        """Return the memory object of `plan` in code: its address, extents and strides, which `formulas`
        emits where they are not constant.
        """
        base, sizes = formulas.scalar(plan.base), formulas.all_of(plan.sizes)
        memory = cls(base, sizes, formulas.all_of(plan.strides), plan.element)
        if plan.offset == 0:
            return memory
        begin, start = memory.at(code, formulas(plan.offset))
        return replace(memory, base=begin, start=start)

    def at(self, code: LlvmBuilder, offset: Index) -> tuple[Value, Index]:
        """Return the position of the element that lies `offset` elements after the first: an address, and a
        number of elements after this address. The number is 0 unless elements are packed.
        """
        if is_packed(self.element):
            return self.base, code.add(self.start, offset)
        return code.address(self.base, offset, memory_type(self.element)), 0


@dataclass(frozen=True, slots=True)
class MemoryTile:
    """One tile of a memory object: the address of its first element, and its strides in elements.

    ``limits`` holds the number of existing elements along each dimension, of the extents `shape`. ``inside``
    is an i1 that is true if all elements of the tile exist; None if they are known to. Packed elements begin
    ``start`` elements after ``origin``. ``has_bytes`` says that each row of packed elements begins at a whole
    byte if ``begins_bytes`` holds (None: always). ``memory`` is the whole object, if it is known.
    """

    origin: Value
    strides: tuple[Index, ...]
    limits: tuple[Index, ...]
    shape: tuple[int, ...]
    element: Type
    inside: Value | None
    start: Index = 0
    has_bytes: bool = False
    begins_bytes: Value | None = None
    memory: StridedMemory | None = None

    @property
    def conditions(self) -> list[Value]:
        """Return the conditions, as i1 values, under which the version of a nest without masks may run;
        empty: always.
        """
        return [condition for condition in (self.inside, self.begins_bytes) if condition is not None]


def written(code: LlvmBuilder, plan: TilePlan, formulas: memory_formulas.Formulas) -> MemoryTile:
    """Emit the origin, the strides and the limits of the tile that an access through a view loads or stores,
    and return the tile.
    """
    tile = plan.tile
    memory = StridedMemory.of(code, tile.memory, formulas)
    formulas.all_of(tile.starts)
    strides = formulas.all_of(tile.strides)
    origin, start = memory.at(code, formulas(tile.offset))
    limits = _limits(code, tile, formulas)
    tests = [code.compare("sge", limits[at], tile.shape[at]) for at in tile.edges]
    inside = code.both(tests) if tests else None
    begins = are_even(code, formulas.all_of(plan.even)) if plan.even else None
    return MemoryTile(
        origin, strides, limits, tile.shape, memory.element, inside, start, plan.has_bytes, begins, memory
    )


def written_whole(code: LlvmBuilder, plan: PointersPlan, formulas: memory_formulas.Formulas) -> MemoryTile:
    """Emit the tile of an access through pointers whose plan has ``whole``, and return it. Its ``inside`` is
    the condition that all of the tile exists and no offset wraps around; None if that is known.
    """
    whole, element = plan.whole, plan.element
    assert whole is not None, "the access moves a tile"
    shape = shape_of(tile_of(cast("PointerAccess", plan.op)))
    tests = formulas.fit(whole.conditions)
    base, offset = formulas.scalar(whole.base), formulas(whole.offset)
    origin = code.address(base, offset, memory_type(element))
    strides = formulas.all_of(whole.strides)
    return MemoryTile(origin, strides, shape, shape, element, code.both(tests) if tests else None)


def _limits(code: LlvmBuilder, tile: TileOfMemory, formulas: memory_formulas.Formulas) -> tuple[Index, ...]:
    """Return the number of existing elements along each dimension. If a dimension of extent 1 is out of
    bounds, the dimension of the rows has none, so that dimensions of extent 1 need no test of their own.
    """
    limits = list(formulas.all_of(tile.limits))
    if tile.row is not None and tile.required:
        tests = [code.compare("sge", limits[at], 1) for at in tile.required]
        row, zero = code.value(limits[tile.row]), code.integer(0)
        limits[tile.row] = code(llvm.SelectOp, code.both(tests), row, zero, type=i64)
        for at in tile.required:
            limits[at] = 1
    return tuple(limits)


def are_even(code: LlvmBuilder, numbers: Sequence[Index]) -> Value:
    """Emit the test whether all of `numbers`, at least one, are even; return its i1."""
    bits, *rest = map(code.value, numbers)
    for number in rest:
        bits = code(llvm.OrOp, bits, number)
    return code.compare("eq", code(llvm.AndOp, bits, code.integer(1)), 0)


# --- lanes


@dataclass(frozen=True, slots=True)
class LaneAddresses:
    """The memory addresses of some lanes: the address of the first lane, the distance from lane to lane in
    elements, and the mask of existing lanes (None: all exist; an i1 holds for all lanes).

    A distance of 0 means that all lanes share one element; None means that ``address`` is a vector of
    addresses. Packed elements are ``start`` elements after the address (a vector if the distance is None).
    ``whole_bytes`` says that the lanes fill whole bytes.
    """

    address: Value
    distance: Index | None
    mask: Value | None
    start: Index = 0
    whole_bytes: bool = False


def place(point: NestPoint, access: MemoryTile, coordinates: Coordinates) -> LaneAddresses:
    """Return the addresses of the elements of a tile at `coordinates`. There is no mask at a point without
    masks, where all elements exist.
    """
    found = _unmasked(point, access, coordinates)
    return replace(found, mask=_mask(point, access, coordinates)) if point.masked else found


def position(point: NestPoint, access: MemoryTile, coordinates: Coordinates) -> LaneAddresses:
    """Return the addresses and the mask of the elements of a tile at `coordinates`, with the mask even at a
    point without masks.
    """
    mask = _mask(point, access, coordinates)
    if access.inside is not None:
        mask = access.inside if mask is None else point.code(llvm.AndOp, mask, access.inside)
    if is_packed(access.element):
        return replace(_unmasked(point, access, coordinates), mask=mask)
    offset, distance = _offset(point.code, access, coordinates), _distance(access, coordinates)
    return LaneAddresses(
        point.code.address(access.origin, offset, memory_type(access.element)), distance, mask
    )


def _unmasked(point: NestPoint, access: MemoryTile, coordinates: Coordinates) -> LaneAddresses:
    code, bases = point.code, [at.base for at in coordinates]
    distance = _distance(access, coordinates)
    if not is_packed(access.element):
        address = code.element(access.origin, bases, access.strides, memory_type(access.element))
        return LaneAddresses(address, distance, None)
    columns = [at.base for at in coordinates if at.lanes]
    is_row = distance == 1 and point.lanes % 2 == 0 and packed.is_even(code, columns[0])
    start = code.add(access.start, _offset(code, access, coordinates))
    return LaneAddresses(
        access.origin, distance, None, start, is_row and access.has_bytes and not point.masked
    )


def _offset(code: LlvmBuilder, access: MemoryTile, coordinates: Coordinates) -> Index:
    """Return the distance from the first element of the tile to the first lane, in elements."""
    offset: Index = 0
    for at, stride in zip(coordinates, access.strides, strict=True):
        offset = code.add(offset, code.multiply(at.base, stride))
    return offset


def _distance(access: MemoryTile, coordinates: Coordinates) -> Index:
    """Return the distance from lane to lane, in elements; 0 if the lanes share one element."""
    apart = [stride for at, stride in zip(coordinates, access.strides, strict=True) if at.lanes]
    return apart[-1] if apart else 0


def _mask(point: NestPoint, access: MemoryTile, coordinates: Coordinates) -> Value | None:
    """Return the mask of existing elements: a bit for each lane, or one bit for all lanes; None if all exist."""
    code = point.code
    single: list[Value] = []
    lanes: Value | None = None
    for at, limit, extent in zip(coordinates, access.limits, access.shape, strict=True):
        if limit == extent:
            continue
        if at.lanes:
            lanes = _below(point, code.subtract(limit, at.base))
        else:
            single.append(code.compare("slt", at.base, limit))
    if lanes is None:
        return code.both(single) if single else None
    if not single:
        return lanes
    return code(llvm.AndOp, code.broadcast(code.both(single), point.lanes), lanes)


def _below(point: NestPoint, count: Index) -> Value:
    """Return the mask of the first ``count`` lanes (which may exceed the number of lanes, or be negative)."""
    code = point.code
    narrow = code(TruncOp, code.value(count), type=i32)
    steps = code.steps(point.lanes, i32)
    return code(llvm.ICmpOp, IntegerPredicate.SLT, steps, code.broadcast(narrow, point.lanes))


def padding(code: LlvmBuilder, value: PaddingValue | None, element: Type) -> Value:
    """Return the value of elements that do not exist: the padding `value` in a float format, zero if it is
    None. Elements of other types are zero in any case.
    """
    if not isinstance(element, FloatType):
        return code(llvm_aggregate.ZeroOp, type=register_type(element))
    return constant_value(code, padding_attribute(value, element), element)


def load(point: NestPoint, access: MemoryTile, coordinates: Coordinates, other: Value | None) -> Value:
    """Load the lanes of a tile at `coordinates`; a scalar if all lanes share one element. Lanes that do not
    exist become ``other`` (None: zero).
    """
    return load_at(point, place(point, access, coordinates), access.element, other)


def load_at(point: NestPoint, at: LaneAddresses, element: Type, other: Value | None) -> Value:
    """Load lanes from the addresses `at`; a scalar if all lanes share one element. Lanes that do not exist
    become ``other`` (None: zero).
    """
    code = point.code
    if is_packed(element):
        return _load_halves(point, at, element, other)
    at = _alone(point, at)
    if at.distance == 0 and not _is_vector(at.mask):
        return _load_one(point, at, element, other)
    if at.mask is None and at.distance == 1:
        return buffer.load_lanes(code, at.address, element, point.lanes)
    if at.mask is None and stride_two.serves(element, point.lanes, at.distance):
        return stride_two.load(code, at.address, element, point.lanes)
    mask = _lane_mask(point, at.mask)
    filler = other if other is not None else padding(code, None, element)
    if at.distance == 1:
        default = buffer.to_memory(code, buffer.spread(code, filler, point.lanes), element)
        held = buffer.masked_load(code, at.address, mask, default, element)
        return buffer.from_memory(code, held, element)
    return buffer.gather(code, _addresses(point, at, element), element, point.lanes, mask, filler)


def _alone(point: NestPoint, at: LaneAddresses) -> LaneAddresses:
    """Return `at` with scalars instead of vectors if the point has one lane, else `at` unchanged."""
    if point.lanes > 1:
        return at
    mask = buffer.extract(point.code, at.mask, 0) if at.mask is not None else None
    return replace(at, address=buffer.extract(point.code, at.address, 0), distance=0, mask=mask)


def _load_halves(point: NestPoint, at: LaneAddresses, element: Type, other: Value | None) -> Value:
    """Load lanes of packed elements from the addresses `at`; a scalar if all lanes share one element. Lanes
    that do not exist become ``other`` (None: zero).
    """
    code = point.code
    if at.whole_bytes:
        return packed.load_bytes(code, _first_byte(code, at), element, point.lanes)
    lanes = point.lanes if at.distance != 0 or _is_vector(at.mask) else 1
    places = halves_of(point, at, lanes)
    filler = other if other is not None else padding(code, None, element)
    if lanes > 1:
        return packed.load_each(code, places, element, lanes, _lane_mask(point, at.mask), filler)
    if at.mask is None:
        return packed.load_one(code, places, element)
    found = packed.load_one(code, packed.where(code, places, at.mask), element)
    return code(llvm.SelectOp, at.mask, found, filler, type=filler.type)


def halves_of(point: NestPoint, at: LaneAddresses, lanes: int) -> packed.PackedLanes:
    """Return the bytes and bit positions of packed elements: of the first `lanes` lanes at the addresses
    `at`.
    """
    code, offsets = point.code, point.code.value(at.start)
    if lanes > 1 and at.distance is not None:
        steps = code(llvm.MulOp, code.steps(lanes), code.broadcast(code.value(at.distance), lanes))
        offsets = code(llvm.AddOp, code.broadcast(offsets, lanes), steps)
    return packed.halves(code, at.address, offsets)


def _first_byte(code: LlvmBuilder, at: LaneAddresses) -> Value:
    return code.address(at.address, code(llvm.AShrOp, code.value(at.start), code.integer(1)))


def _addresses(point: NestPoint, at: LaneAddresses, element: Type) -> Value:
    """Return the address of each lane."""
    if at.distance is None:
        return at.address
    return buffer.addresses(point.code, at.address, element, point.lanes, at.distance)


def _load_one(point: NestPoint, at: LaneAddresses, element: Type, other: Value | None) -> Value:
    """Load the one element that all lanes share, as a scalar; ``other`` (default: zero) if it does not exist."""
    code = point.code
    if at.mask is None:
        return buffer.load_lanes(code, at.address, element, 1)
    filler = other if other is not None else padding(code, None, element)
    default = code.broadcast(buffer.to_memory(code, filler, element), 1)
    mask = code.broadcast(at.mask, 1)
    held = buffer.masked_load(code, at.address, mask, default, element)
    return buffer.from_memory(code, buffer.extract(code, held, 0), element)


def _lane_mask(point: NestPoint, mask: Value | None) -> Value:
    code = point.code
    if mask is None:
        return code.integer(-1, VectorType((point.lanes,), i1))
    return buffer.spread(code, mask, point.lanes)


def row_distance(access: MemoryTile) -> Index:
    """Return the stride of a tile's last dimension longer than 1, in elements; 0 for tiles of one element."""
    longer = [stride for stride, extent in zip(access.strides, access.shape, strict=True) if extent > 1]
    return longer[-1] if longer else 0


def with_stride_two(access: MemoryTile) -> MemoryTile:
    """Return the tile with the stride of its rows replaced by 2."""
    distance = row_distance(access)
    return replace(
        access, strides=tuple(stride_two.STRIDE if at is distance else at for at in access.strides)
    )


def begins_lines(code: LlvmBuilder, access: MemoryTile) -> Value:
    """Emit the test whether each row of a tile begins at a cache line; return its i1."""
    bits = code(PtrToIntOp, access.origin, type=i64)
    size = size_of(access.element)
    for stride in access.strides[:-1]:
        bits = code(llvm.OrOp, bits, code.value(code.multiply(stride, size)))
    return code.compare("eq", code(llvm.AndOp, bits, code.integer(LINE - 1)), 0)


def store(
    point: NestPoint, access: MemoryTile, coordinates: Coordinates, value: Value, *, streamed: bool = False
) -> None:
    """Store the existing lanes of `value` at `coordinates` of a tile. With ``streamed``, contiguous lanes of
    at least `STREAMED_BYTES` bytes bypass the caches and are not masked: the caller has tested that all
    elements exist and that rows begin at cache lines.
    """
    size = size_of(access.element) * point.lanes
    is_past_caches = streamed and access.strides[-1] == 1 and coordinates[-1].lanes and size >= STREAMED_BYTES
    if is_past_caches and not is_packed(access.element):
        code, at = point.code, _unmasked(point, access, coordinates)
        lanes = buffer.to_memory(code, buffer.spread(code, value, point.lanes), access.element)
        code.store(lanes, at.address, min(size, LINE), nontemporal=True)
        return
    store_at(point, place(point, access, coordinates), access.element, value)


def _has_lanes(value: Value, mask: Value | None) -> bool:
    """Return whether `value` or `mask` is a vector: lanes may have different values, or some lanes may not
    exist.
    """
    return _is_vector(value) or _is_vector(mask)


def _is_vector(value: Value | None) -> bool:
    return value is not None and isinstance(value.type, VectorType)


def store_at(point: NestPoint, at: LaneAddresses, element: Type, value: Value) -> None:
    """Store the existing lanes of `value` at the addresses `at`; a scalar is stored to all of them. If
    addresses are equal, the last lane wins.
    """
    code = point.code
    if is_packed(element):
        _store_halves(point, at, element, value)
        return
    at = _alone(point, at)
    if at.distance == 0 and point.lanes > 1 and _has_lanes(value, at.mask):
        places = buffer.addresses(code, at.address, element, point.lanes, 0)  # the last lane wins
        buffer.scatter(code, value, places, element, point.lanes, _lane_mask(point, at.mask))
        return
    lanes = point.lanes if at.distance != 0 else 1
    if at.mask is None and at.distance in (0, 1):
        buffer.store_lanes(code, value, at.address, element, lanes)
        return
    if at.mask is None and stride_two.serves(element, lanes, at.distance):
        stride_two.store(code, value, at.address, element, lanes)
        return
    mask = _lane_mask(point, at.mask) if lanes > 1 else code.broadcast(at.mask or code.true(), 1)
    if at.distance in (0, 1):
        held = buffer.to_memory(code, buffer.spread(code, value, lanes), element)
        vector = held if isinstance(held.type, VectorType) else code.broadcast(held, 1)
        buffer.masked_store(code, vector, at.address, mask, element)
        return
    buffer.scatter(code, value, _addresses(point, at, element), element, lanes, mask)


def _store_halves(point: NestPoint, at: LaneAddresses, element: Type, value: Value) -> None:
    """Store the existing lanes of `value`, packed elements, at the addresses `at`. The other half of a byte
    is preserved.
    """
    code = point.code
    if at.whole_bytes:
        packed.store_bytes(code, value, _first_byte(code, at), element, point.lanes)
        return
    lanes = point.lanes if at.distance != 0 or _has_lanes(value, at.mask) else 1
    mask = _lane_mask(point, at.mask) if lanes > 1 and at.mask is not None else at.mask
    packed.store_each(code, halves_of(point, at, lanes), element, value, lanes, mask)
