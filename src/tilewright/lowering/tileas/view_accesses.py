"""`nv-tileas-lower-view-accesses`: accesses to tiles of views become accesses through pointers.

A tiled access names its tile by coordinates in a view; a gather or scatter names each row by its index in a
memory object. Afterwards every element has an address of its own and a mask bit that is true if the element
exists; one `nv_tileas.generate` computes both from the element's indices. A target whose threads own single
elements then only needs accesses through pointers.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial, reduce
from typing import ClassVar

from tilewright.dialects.arith import ops_integer as arith
from tilewright.dialects.arith.attributes import CmpIPredicate
from tilewright.dialects.arith.ops_conversion import ExtSIOp, ExtUIOp, IndexCastOp, TruncIOp
from tilewright.dialects.llvm.intrinsics import integer as intrinsics
from tilewright.dialects.llvm.ops import arithmetic as llvm
from tilewright.dialects.nv_tileaa.attributes import BoundedAttr, MemSemantic, RmwMode
from tilewright.dialects.nv_tileaa.constraints import element_of, is_tile, shape_of
from tilewright.dialects.nv_tileaa.ops.memory import AtomicRmwOp
from tilewright.dialects.nv_tileaa.ops.pointer import AddPtrOp, AssumeOp
from tilewright.dialects.nv_tileaa.ops.structure import SplatOp
from tilewright.dialects.nv_tileas import ops_arith as tileas_arith, ops_memory as tileas_memory
from tilewright.dialects.nv_tileas.attributes import row_major, view_layout
from tilewright.dialects.nv_tileas.ops_tile import GenerateOp, ViewOp, YieldOp
from tilewright.ir import block as ir_block, builder, builtin_attributes, builtin_types
from tilewright.ir.attribute import Attribute, Type
from tilewright.ir.operation import Operation
from tilewright.ir.value import Value
from tilewright.lowering.access_facts.positions import Formula, Position, PositionFacts
from tilewright.lowering.access_facts.views import RowAccess, ViewAccess, rows_of_memory, tile_of_memory
from tilewright.lowering.access_facts.whole_tiles import padding_attribute
from tilewright.lowering.inserting import PointInserter
from tilewright.lowering.llvm_types.element_forms import is_packed
from tilewright.lowering.tileas.tile_limits import existing, remainder_of
from tilewright.optimizer.analysis import query, rules_tileas
from tilewright.passes.pass_ import Pass, PassState

LoweredAccess = ViewAccess | RowAccess

ARITHMETIC: Mapping[type[Operation], type[Operation]] = {
    llvm.AddOp: arith.AddIOp,
    llvm.SubOp: arith.SubIOp,
    llvm.MulOp: arith.MulIOp,
    intrinsics.SMinOp: arith.MinSIOp,
    intrinsics.SMaxOp: arith.MaxSIOp,
    intrinsics.UMinOp: arith.MinUIOp,
}
"""The operation of `arith` for each operation of `llvm` in a formula."""
CARRIED = (
    *("mem_scope", "checks", "cache_modifier", "eviction_policy", "latency"),
    *("multicast", "reduction"),
)
"""The names of the attributes that an access keeps when it is lowered."""


class PositionWriter(PointInserter):
    """A builder that emits positions, which may be formulas, as i64 arithmetic of `arith`."""

    __slots__ = ()

    def position(self, position: Position) -> Value:
        """Emit the computation of a position and return it as an i64. A narrower scalar of the program is
        sign-extended, or zero-extended if an assumption says that it is not negative.
        """
        if isinstance(position, int):
            return self(arith.ConstantOp, builtin_attributes.IntegerAttr(builtin_types.i64, position))
        if isinstance(position, Formula):
            return self(ARITHMETIC[position.operation], *map(self.position, (position.left, position.right)))
        return self._extended(position)

    def outside(self, position: Position) -> int | Value:
        """Return a position that a region inserted later can use: an int stays an int, everything else is
        computed here.
        """
        return position if isinstance(position, int) else self.position(position)

    def _extended(self, value: Value) -> Value:
        if isinstance(value.type, builtin_types.IndexType):
            return self(IndexCastOp, value, type=builtin_types.i64)
        assert isinstance(value.type, builtin_types.IntegerType), "positions are integers"
        if value.type.width == builtin_types.i64.width:
            return value
        if value.type.width > builtin_types.i64.width:
            return self(TruncIOp, value, type=builtin_types.i64)
        return self(ExtUIOp if is_promised_positive(value) else ExtSIOp, value, type=builtin_types.i64)


def is_promised_positive(value: Value) -> bool:
    """Return whether an `assume` states that `value` is at least 0, as cuTile does for strides. A product
    with its extension then takes one instruction: the upper half is zero.
    """
    while isinstance(value.owner, AssumeOp):
        bounds = (one.lower for one in value.owner.predicates if isinstance(one, BoundedAttr))
        if any(lower is not None and lower >= 0 for lower in bounds):
            return True
        value = value.owner.source
    return False


ElementOperands = Callable[[PositionWriter, Value], Sequence[Value]]
"""A function that returns the operands that address an element. Its argument is the element's distance in
elements from the first element of the access.
"""


@dataclass(frozen=True)
class AccessElements:
    """The elements of an access: for each dimension their strides, and how many of them exist.

    - ``begin``: the offset of the first element from the base of the memory object.
    - ``limits``: the number of elements that exist, by dimension; only dimensions along which some may not exist.
    - ``rows``: the index of each row along the first dimension; None for consecutive rows.
    - ``mask``: further mask of the elements that exist, a tile over the first dimensions; None if there is none.
    """

    base: Value
    shape: tuple[int, ...]
    begin: Position
    strides: tuple[Position, ...]
    limits: Mapping[int, Position]
    rows: Value | None = None
    mask: Value | None = None

    def in_order(self, order: Sequence[int]) -> AccessElements:
        """Return the elements with permuted dimensions: dimension ``i`` of the result is dimension
        ``order[i]``. ``rows`` and ``mask`` are not permuted.
        """
        shape, strides = (tuple(held[at] for at in order) for held in (self.shape, self.strides))
        limits = {to: self.limits[at] for to, at in enumerate(order) if at in self.limits}
        return replace(self, shape=shape, strides=strides, limits=limits)


def elements_of(positions: PositionFacts, op: LoweredAccess) -> AccessElements:
    """Return the elements that an access loads, stores or updates."""
    return _rows(positions, op) if isinstance(op, RowAccess) else _tile(positions, op)


def _tile(positions: PositionFacts, op: ViewAccess) -> AccessElements:
    tile = tile_of_memory(positions, op)
    begin = positions.add(tile.memory.offset, tile.offset)
    limits = {at: limit for at, limit in enumerate(tile.limits) if limit != tile.shape[at]}
    return AccessElements(tile.memory.base, tile.shape, begin, tile.strides, limits)


def _rows(positions: PositionFacts, op: RowAccess) -> AccessElements:
    rows = rows_of_memory(positions, op)
    memory = rows.memory
    begin = memory.offset
    for start, stride in zip(rows.starts, memory.strides[1:], strict=True):
        begin = positions.add(begin, positions.multiply(start, stride))
    limits = {0: memory.sizes[0]}
    for at, limit in enumerate(rows.limits, 1):
        if limit != rows.shape[at]:
            limits[at] = limit
    return AccessElements(memory.base, rows.shape, begin, memory.strides, limits, op.rows, op.mask)


def lower_view_accesses(root: Operation) -> int:
    """Rewrite all accesses to tiles and rows of memory objects inside an operation; return their number.

    Accesses to elements that share bytes are not rewritten: no pointer addresses such an element.
    """
    found = [op for op in root.walk() if isinstance(op, LoweredAccess) and not is_packed(_element(op))]
    positions = PositionFacts(query.FactsOnDemand(rules_tileas.rule_of))
    for op in found:
        _lower(op, positions)
    return len(found)


def _element(op: LoweredAccess) -> Type:
    return element_of(
        op.result.type
        if isinstance(op, tileas_memory.TiledLoadOp | tileas_memory.GatherLoadOp)
        else op.value.type
    )


def _lower(op: LoweredAccess, positions: PositionFacts) -> None:
    writer, elements = PositionWriter.before(op), elements_of(positions, op)
    order = (
        order_in_memory(elements)
        if isinstance(op, tileas_memory.TiledLoadOp)
        else tuple(range(len(elements.shape)))
    )
    elements = elements.in_order(order)
    origin = writer(AddPtrOp, elements.base, writer.position(elements.begin))
    (pointers,), mask = places(
        writer, elements, lambda inside, distance: [inside(AddPtrOp, origin, distance)]
    )
    made = REWRITES[op.__class__](writer, op, pointers, mask)
    for old, new in zip(op.results, made.results, strict=True):
        is_turned = is_tile(new.type) and list(order) != sorted(order)
        old.replace_all_uses_with(_turned_back(writer, new, order) if is_turned else new)
    op.erase()


def order_in_memory(elements: AccessElements) -> tuple[int, ...]:
    """Return the dimensions of a tile in the order in which its elements lie in memory, as far as that is known.

    The dimension whose elements are adjacent comes last; the others keep their order. All keep it if no dimension, or more
    than one, is known to have adjacent elements.
    """
    dimensions = tuple(range(len(elements.shape)))
    wide = [at for at in dimensions if elements.shape[at] > 1]
    adjacent = [at for at in wide if isinstance(elements.strides[at], int) and elements.strides[at] == 1]
    if len(adjacent) != 1 or adjacent == wide[-1:]:
        return dimensions
    return (*(at for at in dimensions if at != adjacent[0]), adjacent[0])


def _turned_back(writer: PositionWriter, tile: Value, order: Sequence[int]) -> Value:
    """Return a tile with its dimensions in the original order, from a tile with its dimensions in the order
    `order`: the inverse transpose.
    """
    held = shape_of(tile.type)
    steps = dict(zip(order, row_major(held), strict=True))
    extents = dict(zip(order, held, strict=True))
    shape = tuple(extents[at] for at in range(len(order)))
    layout = view_layout(shape, [steps[at] for at in range(len(order))])
    return writer(
        ViewOp, source=tile, layout=layout, type=builtin_types.RankedTensorType(shape, element_of(tile.type))
    )


def _spread(writer: PositionWriter, value: Value, shape: tuple[int, ...]) -> Value:
    """Return a tile of the first dimensions, ``value``, broadcast to ``shape`` along the other dimensions. A
    scalar, or a tile that has the shape, is not changed.
    """
    given = shape_of(value.type)
    if not is_tile(value.type) or given == shape:
        return value
    layout = view_layout(shape, (*row_major(given), *(0 for _ in shape[len(given) :])))
    return writer(
        ViewOp,
        source=value,
        layout=layout,
        type=builtin_types.RankedTensorType(shape, element_of(value.type)),
    )


def places(
    writer: PositionWriter, elements: AccessElements, named: ElementOperands
) -> tuple[Sequence[Value], Value | None]:
    """Return the tiles that ``named`` computes of each element, such as its pointer, and the mask of the
    existing elements; the mask is None if all exist.
    """
    shape = elements.shape
    strides = [writer.outside(stride) for stride in elements.strides]
    limits = {at: _limit(writer, elements, at) for at in elements.limits}
    rows = None if elements.rows is None else _spread(writer, elements.rows, shape)

    def computed(inside: PositionWriter, at: list[Value], given: Sequence[Value]) -> list[Value]:
        if rows is not None:
            at[0] = inside.position(given[0] if given else rows)
        return [*named(inside, _offset(inside, at, strides)), *_exists(inside, at, limits)]

    made = generated(writer, shape, (rows,) if rows is not None and is_tile(rows.type) else (), computed)
    if not limits:
        return made, None
    *found, mask = made
    if elements.mask is not None:
        mask = writer(tileas_arith.BY_SOURCE[arith.AndIOp], mask, _spread(writer, elements.mask, shape))
    return found, mask


def _limit(writer: PositionWriter, elements: AccessElements, at: int) -> int | Value:
    """Return the limit of the indices of elements that exist along dimension `at` (`_is_below`): an int if it is known,
    else an i32. Rows may be anywhere, so for them it is the number of rows of the tensor, as an int or an i64.
    """
    rest = remainder_of(elements.limits[at])
    if rest is not None:
        return existing(writer, rest)
    limit = writer.outside(elements.limits[at])
    if isinstance(limit, int) or (at == 0 and elements.rows is not None):
        return limit
    return writer(TruncIOp, limit, type=builtin_types.i32)


def generated(
    writer: PositionWriter,
    shape: tuple[int, ...],
    tiles: Sequence[Value],
    computed: Callable[[PositionWriter, list[Value], Sequence[Value]], Sequence[Value]],
) -> Sequence[Value]:
    """Emit a `generate` of shape `shape` and return its results. ``computed`` emits the body: from the
    indices of an element, and the elements of `tiles` at these indices, it returns an element of each result.
    """
    body = ir_block.Block([builtin_types.index] * len(shape) + [element_of(tile.type) for tile in tiles])
    inside = PositionWriter(builder.InsertionPoint(body), writer.location)
    at = [inside(IndexCastOp, place, type=builtin_types.i64) for place in body.arguments[: len(shape)]]
    results = tuple(computed(inside, at, body.arguments[len(shape) :]))
    inside.insert(YieldOp, results)
    types = [builtin_types.RankedTensorType(shape, result.type) for result in results]
    return writer.insert(GenerateOp, tuple(tiles), body=ir_block.Region([body]), result_types=types).results


def _offset(inside: PositionWriter, places: Sequence[Value], strides: Sequence[int | Value]) -> Value:
    """Return, as an i64, the distance of an element from the first element of its tile, in elements: the sum
    of its indices `places` times `strides`.
    """
    total = inside.position(0)
    for place, stride in zip(places, strides, strict=True):
        total = inside(arith.AddIOp, total, inside(arith.MulIOp, place, inside.position(stride)))
    return total


def _exists(
    inside: PositionWriter, places: Sequence[Value], limits: Mapping[int, int | Value]
) -> list[Value]:
    """Return an i1 that is true if all indices are below their limits, as a list of one value; an empty list
    if there are no limits. A negative index, which rows may have, is not below.
    """
    tests = [_is_below(inside, places[at], limit) for at, limit in limits.items()]
    return [reduce(partial(inside, arith.AndIOp), tests)] if tests else []


def _is_below(inside: PositionWriter, place: Value, limit: int | Value) -> Value:
    """Emit a comparison of an i64 index with a limit, and return an i1: whether the index is below the limit. An i32 limit
    may be negative, and the index in a tile is not, so the comparison is signed; with an int or an i64 it is unsigned.
    """
    if isinstance(limit, Value) and limit.type is builtin_types.i32:
        return inside(arith.CmpIOp, CmpIPredicate.SLT, inside(TruncIOp, place, type=builtin_types.i32), limit)
    return inside(arith.CmpIOp, CmpIPredicate.ULT, place, inside.position(limit))


def _load(
    writer: PositionWriter,
    op: tileas_memory.TiledLoadOp | tileas_memory.GatherLoadOp,
    pointers: Value,
    mask: Value | None,
) -> Operation:
    type = builtin_types.RankedTensorType(shape_of(pointers.type), element_of(op.result.type))
    other = None
    if mask is not None:
        other = writer(SplatOp, value=padding_attribute(op.padding_value, type.element_type), type=type)
    return writer.insert(
        tileas_memory.LoadOp,
        pointers,
        mask=mask,
        other=other,
        token=op.token,
        mem_semantic=semantic_of(op),
        result_types=[type, *op.result_types[1:]],
        attributes=carried(op),
    )


def _store(
    writer: PositionWriter,
    op: tileas_memory.TiledStoreOp | tileas_memory.ScatterStoreOp,
    pointers: Value,
    mask: Value | None,
) -> Operation:
    return writer.insert(
        tileas_memory.StoreOp,
        pointers,
        op.value,
        mask=mask,
        token=op.token,
        mem_semantic=semantic_of(op),
        result_types=op.result_types,
        attributes=carried(op),
    )


def _update(
    writer: PositionWriter, op: tileas_memory.TiledAtomicRmwOp, pointers: Value, mask: Value | None
) -> Operation:
    """Emit an atomic update of the elements at `pointers`; a sum of floats has its own mode."""
    adds_floats = op.rmw_mode is RmwMode.ADD and isinstance(_element(op), builtin_types.FloatType)
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
        attributes=carried(op),
    )


REWRITES: Mapping[type[Operation], Callable[..., Operation]] = {
    tileas_memory.TiledLoadOp: _load,
    tileas_memory.TiledStoreOp: _store,
    tileas_memory.TiledAtomicRmwOp: _update,
    tileas_memory.GatherLoadOp: _load,
    tileas_memory.ScatterStoreOp: _store,
}


def semantic_of(op: tileas_memory.TiledLoadOp | tileas_memory.TiledStoreOp | RowAccess) -> MemSemantic:
    """Return the memory ordering of an access: of a tiled access the ordering of its fence, if it has one,
    else its own.
    """
    return op.mem_semantic if isinstance(op, RowAccess) else op.fence or op.mem_semantic


def carried(op: Operation) -> dict[str, Attribute]:
    """Return the attributes of an access, such as cache hints, that its replacement keeps."""
    return {name: op.held_attributes[name] for name in CARRIED if name in op.held_attributes}


@dataclass(frozen=True)
class LowerViewAccesses(Pass):
    """Converts accesses to tiles of views, and to rows of memory, to accesses through tiles of pointers.
    Accesses to 4-bit elements stay, since they have no addresses.

    One `nv_tileas.generate` before the access computes the address of each element and whether the element
    exists. A fence next to an access becomes the ordering of the access itself.
    """

    name: ClassVar[str] = "nv-tileas-lower-view-accesses"
    dependent_dialects: ClassVar[tuple[str, ...]] = ("arith",)

    def run(self, op: Operation, state: PassState) -> None:
        state.report("num-lowered", lower_view_accesses(op))
