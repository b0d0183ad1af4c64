"""Accesses to memory through views: where a tile begins, how far its elements are apart, which of them exist."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from tilewright.dialects.llvm import ops_arithmetic as llvm
from tilewright.dialects.llvm.enums import IntegerPredicate
from tilewright.dialects.llvm.ops_aggregate import ZeroOp
from tilewright.dialects.llvm.ops_conversion import PtrToIntOp, TruncOp
from tilewright.dialects.nv_tileaa import ops_memory as aa_memory
from tilewright.dialects.nv_tileaa import ops_structure as aa_structure
from tilewright.dialects.nv_tileaa.attributes import PaddingValue
from tilewright.dialects.nv_tileaa.ops_pointer import AssumeOp
from tilewright.dialects.nv_tileas import ops_memory as as_memory
from tilewright.ir.attribute import Type
from tilewright.ir.builtin_attributes import FloatAttr, IntegerAttr
from tilewright.ir.builtin_types import DYNAMIC, FloatType, IntegerType, VectorType, i1, i32, i64
from tilewright.ir.diagnostic import failure
from tilewright.ir.value import Value
from tilewright.targets import codes
from tilewright.targets.cpu import buffer
from tilewright.targets.cpu.buffer import Coordinates
from tilewright.targets.cpu.code import Code, Index
from tilewright.targets.cpu.elements import element_of, is_tile, memory_type, register_type, size_of
from tilewright.targets.cpu.point import Point
from tilewright.targets.cpu.shape import constant_value, known_index

GROUPS = "nv_tileas.dim_groups"
"""On a view of a memory object: what `tiled_dimensions` reads."""
TILED_LOADS = (aa_memory.TiledLoadOp, as_memory.TiledLoadOp)
TILED_STORES = (aa_memory.TiledStoreOp, as_memory.TiledStoreOp)


LATENCY, HEAVY = "nv_tileaa.latency", 8
"""The hint how much traffic to memory an access makes, and from where on it is taken to be too much for caches."""
STREAMED_BYTES = 16
"""The shortest vector that processors write past their caches."""
PACKED = 4
"""Bits of elements of which two share a byte in memory of the program."""


@dataclass(frozen=True, slots=True)
class Memory:
    """A strided memory object: address of the first element, extents and strides in elements."""

    base: Value
    sizes: tuple[Index, ...]
    strides: tuple[Index, ...]
    element: Type


@dataclass(frozen=True, slots=True)
class Access:
    """One tile of a memory object.

    ``limits`` says for each dimension how many elements of the tile exist; ``inside`` holds if all do (None: known).
    """

    origin: Value
    strides: tuple[Index, ...]
    limits: tuple[Index, ...]
    shape: tuple[int, ...]
    element: Type
    inside: Value | None


def check_element(op: Any) -> None:
    """Raise `DiagnosticError` for accesses to elements that share a byte with others."""
    values = [value for value in (*op.results, *op.operands) if is_tile(value.type) or value in op.results]
    for value in values:
        element = element_of(value.type)
        if isinstance(element, IntegerType | FloatType) and element.width == PACKED:
            raise failure(
                codes.NO_CPU_FORM,
                f"'{op.kind.name}' moves elements of '{element}', two of which share a byte",
                op.location,
                hint="load and store bytes, and unpack and pack them",
            )


def memory_object(code: Code, source: Value, scalars: Callable[[Value], Value]) -> Memory:
    """What a `make_memref` describes."""
    made: Any = source.owner
    while isinstance(made, AssumeOp):
        made = made.source.owner
    assert isinstance(made, aa_structure.MakeMemrefOp), "legality was checked"
    type: Any = made.result.type
    sizes, strides = iter(made.sizes), iter(made.strides)
    base = scalars(made.base)
    if made.offset is not None:
        base = code.address(base, code.index(scalars(made.offset)), memory_type(type.element_type))
    return Memory(
        base,
        tuple(_given(code, extent, sizes, scalars) for extent in type.shape),
        tuple(_given(code, stride, strides, scalars) for stride in type.strides),
        type.element_type,
    )


def _given(code: Code, number: int, dynamic: Any, scalars: Callable[[Value], Value]) -> Index:
    return known_index(code, scalars(next(dynamic))) if number == DYNAMIC else number


def tiled_access(code: Code, op: Any, scalars: Callable[[Value], Value]) -> Access:
    """The tile that a tiled load or store moves."""
    view: Any = op.view.owner
    while isinstance(view, AssumeOp):
        view = view.source.owner
    memory = memory_object(code, view.source, scalars)
    tile: tuple[int, ...] = tuple(view.result.type.shape)
    dimensions = tiled_dimensions(view)
    starts = [
        code.multiply(known_index(code, scalars(at)), extent)
        for at, extent in zip(op.coords, tile, strict=True)
    ]
    strides = tuple(memory.strides[dimension] for dimension in dimensions)
    offset: Index = 0
    for start, stride in zip(starts, strides, strict=True):
        offset = code.add(offset, code.multiply(start, stride))
    origin = code.address(memory.base, offset, memory_type(memory.element))
    sizes = [memory.sizes[dimension] for dimension in dimensions]
    known = getattr(op, "in_bounds", None) or (False,) * len(tile)
    limits = tuple(
        extent if inside else limit(code, size, start, extent)
        for size, start, extent, inside in zip(sizes, starts, tile, known, strict=True)
    )
    return Access(origin, strides, limits, tile, memory.element, _inside(code, limits, tile))


def tiled_dimensions(view: Any) -> list[int]:
    """The dimension of the memory object that each dimension of a tile walks.

    `nv_tileaa` says it in an attribute of `block_tile`, `nv_tileas` in one that its view carries along.
    """
    groups: Any = getattr(view, "dim_groups", None)
    if groups is None:
        groups = [group.values for group in view.held_attributes[GROUPS]]
    return [group[0] for group in groups]


def limit(code: Code, size: Index, start: Index, extent: int) -> Index:
    """How many of ``extent`` elements from ``start`` on lie in ``size``; none before the first."""
    if isinstance(size, int) and isinstance(start, int):
        return max(0, min(size - start, extent)) if start >= 0 else 0
    left = code.least(code.most(code.subtract(size, start), 0), extent)
    if isinstance(start, int):
        return left if start >= 0 else 0
    exists = code.compare("sge", start, 0)
    return code(llvm.SelectOp, exists, code.value(left), code.integer(0), type=i64)


def _inside(code: Code, limits: Sequence[Index], tile: Sequence[int]) -> Value | None:
    tests = [
        code.compare("sge", limit, extent)
        for limit, extent in zip(limits, tile, strict=True)
        if limit != extent
    ]
    return code.both(tests) if tests else None


# --- lanes


@dataclass(frozen=True, slots=True)
class Place:
    """Some lanes in memory: where the first is, how far apart they are, and which exist.

    A distance of 0 means one element for all lanes; None, that ``address`` is a vector of addresses.
    """

    address: Value
    distance: Index | None
    mask: Value | None


def place(point: Point, access: Access, coordinates: Coordinates) -> Place:
    """Where the elements of a tile at coordinates are; a point without masks is inside of it."""
    address, distance = _address(point, access, coordinates)
    return Place(address, distance, _mask(point, access, coordinates) if point.masked else None)


def position(point: Point, access: Access, coordinates: Coordinates) -> tuple[Value, Index, Value | None]:
    """Where the elements of a tile at coordinates are, how far apart, and which exist whatever the point says."""
    mask = _mask(point, access, coordinates)
    if access.inside is not None:
        mask = access.inside if mask is None else point.code(llvm.AndOp, mask, access.inside)
    return (*_address(point, access, coordinates), mask)


def _address(point: Point, access: Access, coordinates: Coordinates) -> tuple[Value, Index]:
    code = point.code
    offset: Index = 0
    distance: Index = 0
    for at, stride in zip(coordinates, access.strides, strict=True):
        offset = code.add(offset, code.multiply(at.base, stride))
        distance = stride if at.lanes else distance
    return code.address(access.origin, offset, memory_type(access.element)), distance


def _mask(point: Point, access: Access, coordinates: Coordinates) -> Value | None:
    """Which lanes exist: a bit for each, or one for all; None if all do."""
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


def _below(point: Point, count: Index) -> Value:
    """The first ``count`` lanes (which may be more than there are, or negative)."""
    code = point.code
    narrow = code(TruncOp, code.value(count), type=i32)
    steps = code.steps(point.lanes, i32)
    return code(llvm.ICmpOp, IntegerPredicate.SLT, steps, code.broadcast(narrow, point.lanes))


def padding(code: Code, value: PaddingValue | None, element: Type) -> Value:
    """What stands for elements that do not exist."""
    if not isinstance(element, FloatType):
        return code(ZeroOp, type=register_type(element))
    bits = element.format.encode(PADDING[value]) if value is not None else 0
    return constant_value(code, FloatAttr(element, bits), element)


PADDING = {
    PaddingValue.ZERO: 0.0,
    PaddingValue.NEG_ZERO: -0.0,
    PaddingValue.NAN: float("nan"),
    PaddingValue.POS_INF: float("inf"),
    PaddingValue.NEG_INF: float("-inf"),
}


def load(point: Point, access: Access, coordinates: Coordinates, other: Value | None) -> Value:
    """Lanes from memory; ``other`` where they do not exist."""
    return load_at(point, place(point, access, coordinates), access.element, other)


def load_at(point: Point, at: Place, element: Type, other: Value | None) -> Value:
    """Lanes from a place; ``other`` where they do not exist."""
    code = point.code
    if at.distance == 0 and not _is_vector(at.mask):
        return _load_one(point, at, element, other)
    if at.mask is None and at.distance == 1:
        return buffer.load_lanes(code, at.address, element, point.lanes)
    mask = _lane_mask(point, at.mask)
    filler = other if other is not None else padding(code, None, element)
    if at.distance == 1:
        default = buffer.to_memory(code, buffer.spread(code, filler, point.lanes), element)
        held = buffer.masked_load(code, at.address, mask, default, element)
        return buffer.from_memory(code, held, element)
    return buffer.gather(code, _addresses(point, at, element), element, point.lanes, mask, filler)


def _addresses(point: Point, at: Place, element: Type) -> Value:
    """The address of each lane."""
    if at.distance is None:
        return at.address
    return buffer.addresses(point.code, at.address, element, point.lanes, at.distance)


def _load_one(point: Point, at: Place, element: Type, other: Value | None) -> Value:
    """One element for all lanes."""
    code = point.code
    if at.mask is None:
        return buffer.load_lanes(code, at.address, element, 1)
    filler = other if other is not None else padding(code, None, element)
    default = code.broadcast(buffer.to_memory(code, filler, element), 1)
    mask = code.broadcast(at.mask, 1)
    held = buffer.masked_load(code, at.address, mask, default, element)
    return buffer.from_memory(code, buffer.extract(code, held, 0), element)


def _lane_mask(point: Point, mask: Value | None) -> Value:
    code = point.code
    if mask is None:
        return code.integer(-1, VectorType((point.lanes,), i1))
    return buffer.spread(code, mask, point.lanes)


def is_streamed(op: Any) -> bool:
    """Whether a store says that what it writes is too much for caches: by the hint ``latency``, from 1 to 10."""
    hint = op.held_attributes.get(LATENCY) if op.__class__ in TILED_STORES else None
    return isinstance(hint, IntegerAttr) and hint.value >= HEAVY


def begins_lines(code: Code, access: Access) -> Value:
    """Whether each row of a tile begins with a cache line."""
    bits = code(PtrToIntOp, access.origin, type=i64)
    size = size_of(access.element)
    for stride in access.strides[:-1]:
        bits = code(llvm.OrOp, bits, code.value(code.multiply(stride, size)))
    return code.compare("eq", code(llvm.AndOp, bits, code.integer(buffer.LINE - 1)), 0)


def store(
    point: Point, access: Access, coordinates: Coordinates, value: Value, *, streamed: bool = False
) -> None:
    """Lanes to memory, those that exist; past the caches if ``streamed``, which whole parts of lines only can be."""
    size = size_of(access.element) * point.lanes
    if streamed and access.strides[-1] == 1 and coordinates[-1].lanes and size >= STREAMED_BYTES:
        code, (address, _) = point.code, _address(point, access, coordinates)
        lanes = buffer.to_memory(code, buffer.spread(code, value, point.lanes), access.element)
        code.store(lanes, address, min(size, buffer.LINE), nontemporal=True)
        return
    store_at(point, place(point, access, coordinates), access.element, value)


def _has_lanes(value: Value, mask: Value | None) -> bool:
    """Whether lanes differ, or some of them do not exist."""
    return _is_vector(value) or _is_vector(mask)


def _is_vector(value: Value | None) -> bool:
    return value is not None and isinstance(value.type, VectorType)


def store_at(point: Point, at: Place, element: Type, value: Value) -> None:
    """Lanes to a place, those that exist."""
    code = point.code
    if at.distance == 0 and point.lanes > 1 and _has_lanes(value, at.mask):
        places = buffer.addresses(code, at.address, element, point.lanes, 0)  # of several the last stays
        buffer.scatter(code, value, places, element, point.lanes, _lane_mask(point, at.mask))
        return
    lanes = point.lanes if at.distance != 0 else 1
    if at.mask is None and at.distance in (0, 1):
        buffer.store_lanes(code, value, at.address, element, lanes)
        return
    mask = _lane_mask(point, at.mask) if lanes > 1 else code.broadcast(at.mask or code.true(), 1)
    if at.distance in (0, 1):
        held = buffer.to_memory(code, buffer.spread(code, value, lanes), element)
        vector = held if isinstance(held.type, VectorType) else code.broadcast(held, 1)
        buffer.masked_store(code, vector, at.address, mask, element)
        return
    buffer.scatter(code, value, _addresses(point, at, element), element, lanes, mask)
