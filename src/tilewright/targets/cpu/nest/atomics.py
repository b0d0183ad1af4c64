"""Accesses with an order: atomic updates, and loads and stores that other threads observe in order.

They are emitted element by element, in order. The table of updates, and of the orders of accesses, is shared
by all targets (`elements.atomics`). Scopes need no care: all tile blocks share one memory, and LLVM's atomic
operations hold for the whole system. A load of a tile with `acquire` loads element by element and then
fences; a store of a tile with `release` fences first.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, get_args

from tilewright.dialects.llvm.enums import AtomicOrdering
from tilewright.dialects.llvm.ops.aggregate import ZeroOp
from tilewright.dialects.nv_tileaa.attributes import MemSemantic
from tilewright.dialects.nv_tileaa.ops.memory import AtomicCasOp
from tilewright.dialects.nv_tileas.ops_memory import LoadOp
from tilewright.ir.attribute import Type
from tilewright.ir.operation import Operation
from tilewright.ir.value import Value
from tilewright.lowering.access_facts.views import RowAccess, ViewAccess
from tilewright.lowering.llvm_types.element_forms import is_packed
from tilewright.targets.cpu.facts import access_operations
from tilewright.targets.cpu.memory import access, buffer, gather, packed, point as memory_point
from tilewright.targets.cpu.memory.buffer import Coordinates, TileBuffer
from tilewright.targets.cpu.nest.block_code import BlockCode
from tilewright.targets.cpu.nest.each import each
from tilewright.targets.elements import atomics as rules, element_types
from tilewright.targets.elements.lanes import known_index
from tilewright.targets.llvm.code import LlvmBuilder

# --- elements in memory


@dataclass(frozen=True, slots=True)
class AtomicElement:
    """One element in memory: its address, its type, and its mask (None: the element is active).

    Of a byte that two packed elements share, ``shift`` is the number of the element's lowest bit.
    """

    address: Value
    element: Type
    mask: Value | None
    shift: Value | None = None


def spot(
    emit: BlockCode,
    point: memory_point.NestPoint,
    op: access_operations.AnyAccess,
    element: Type,
    at: Coordinates,
) -> AtomicElement:
    """Emit the address of the element that the access `op` reads or writes at the coordinates `at`, and its
    mask; return them with the type `element`. `point` is the position in the loop nest that makes the access.
    """
    if isinstance(op, RowAccess):
        return _spot_at(point, gather.place(point, op, emit.rows[op], at), element)
    if isinstance(op, ViewAccess):
        return _spot_at(point, access.place(point, emit.accesses[op], at), element)
    mask = point.lanes_at(op.mask, at) if op.mask is not None else None
    if op.indices:
        memory = emit.memory_object(op)
        return AtomicElement(_indexed(emit, memory, op.indices), element, mask)
    return AtomicElement(point.lanes_at(op.base, at), element, mask)


def _spot_at(point: memory_point.NestPoint, place: access.LaneAddresses, element: Type) -> AtomicElement:
    if not is_packed(element):
        return AtomicElement(place.address, element, place.mask)
    half = access.halves_of(point, place, 1)
    return AtomicElement(half.addresses, element, place.mask, half.shifts)


def _indexed(emit: BlockCode, memory: access.StridedMemory, indices: Sequence[Value]) -> Value:
    code, offset = emit.code, 0
    for index, stride in zip(indices, memory.strides, strict=True):
        offset = code.add(offset, code.multiply(known_index(code, emit.scalars[index]), stride))
    return code.address(memory.base, offset, element_types.memory_type(memory.element))


def _where(emit: BlockCode, mask: Value | None, make: Callable[[], Value], other: Value) -> Value:
    """Emit a branch on the scalar `mask`: return the result of ``make`` if it is true, else ``other``.

    Without a mask, return the result of ``make``.
    """
    if mask is None:
        return make()
    return emit.code.either(mask, lambda: [make()], lambda: [other], [other.type])[0]


def _for_each(
    emit: BlockCode, op: Operation, value: Value, one: Callable[[memory_point.NestPoint, Coordinates], Value]
) -> None:
    """Emit loops over the elements of the tile `value`, in order. `one` emits the code for the element at
    some coordinates and returns its result, which is stored as an element of the result of `op`; without uses
    of the result nothing is stored. If `value` is a scalar, there is no loop, and the result is recorded as a
    scalar.
    """
    if not element_types.is_tile(value.type):
        point = emit.point(1, masked=True)
        emit.scalars[op.results[0]] = one(point, ())
        return
    target: TileBuffer | None = emit.buffer_for(op.results[0]) if op.results[0].has_uses else None

    def body(point: memory_point.NestPoint, at: Coordinates) -> None:
        made = one(point, at)
        if target is not None:
            target.store(emit.code, at, made, 1)

    each(emit, element_types.shape_of(value.type), body)
    if target is not None:
        emit.buffers[op.results[0]] = target


# --- updates


def _update(emit: BlockCode, op: access_operations.Combination) -> None:
    """Emit the atomic update `op` element by element, and record the old elements as its result. Elements
    that are masked off are not updated; their result is zero.
    """
    emit.prepare(op)
    element = element_types.element_of(op.value.type)
    order = rules.order_of_update(access_operations.semantic_of(op), op.mem_scope, emit.native)

    def one(point: memory_point.NestPoint, at: Coordinates) -> Value:
        value = point.lanes_at(op.value, at)
        where = spot(emit, point, op, element, at)
        zero = emit.code(ZeroOp, type=element_types.register_type(element))
        place = rules.AtomicLocation(where.address, element, order)
        change = partial(rules.combined, emit.code, op.rmw_mode, place, value, emit.native)
        return _where(emit, where.mask, change, zero)

    _for_each(emit, op, op.value, one)


def _compare_and_swap(emit: BlockCode, op: AtomicCasOp) -> None:
    """Emit the compare-and-swap `op` element by element; it compares bits. The old elements are its result.
    Elements that are masked off are not changed; their result is the expected value.
    """
    emit.prepare(op)
    element = element_types.element_of(op.compare.type)
    order = rules.order_of_update(access_operations.semantic_of(op), op.mem_scope, emit.native)

    def one(point: memory_point.NestPoint, at: Coordinates) -> Value:
        code = emit.code
        expected, new = (point.lanes_at(value, at) for value in (op.compare, op.replacement))
        where = spot(emit, point, op, element, at)
        bits = [rules.to_bits(code, value, element) for value in (expected, new)]
        swap = partial(rules.swapped, code, rules.AtomicLocation(where.address, element, order), *bits)
        return _where(emit, where.mask, swap, expected)

    _for_each(emit, op, op.compare, one)


# --- loads and stores with an order


def load(emit: BlockCode, op: access_operations.Load) -> None:
    """Emit a load outside of nests, of a scalar or with an order, element by element; a fence follows if it
    acquires. The result is recorded as a scalar, or stored in the buffer of the tile. Elements that are
    masked off or do not exist get the padding value or ``other`` of the operation.
    """
    emit.prepare(op)
    element, code = element_types.element_of(op.result.type), emit.code
    order = rules.order_of_element(access_operations.semantic_of(op), op.mem_scope, emit.native)

    def one(point: memory_point.NestPoint, at: Coordinates) -> Value:
        where = spot(emit, point, op, element, at)
        other = _other(point, op, element, at)
        return _where(emit, where.mask, lambda: _load_one(code, where, order), other)

    _for_each(emit, op, op.result, one)
    if access_operations.semantic_of(op) is MemSemantic.ACQUIRE:
        rules.fence(code, AtomicOrdering.ACQUIRE, order.scope)


def _other(
    point: memory_point.NestPoint, op: access_operations.Load, element: Type, at: Coordinates
) -> Value:
    """Return the replacement for an element that is masked off or does not exist."""
    if not isinstance(op, LoadOp):
        return access.padding(point.code, op.padding_value, element)
    return access.padding(point.code, None, element) if op.other is None else point.lanes_at(op.other, at)


def _load_one(code: LlvmBuilder, where: AtomicElement, order: rules.AtomicAccessOrder) -> Value:
    size = element_types.size_of(where.element)
    if order.ordering is AtomicOrdering.NOT_ATOMIC:
        return buffer.load_lanes(code, where.address, where.element, 1)
    kind = rules.type_at_once(where.element)
    held = code.load(where.address, kind, size, ordering=order.ordering, syncscope=order.scope)
    if where.shift is not None:
        return buffer.from_memory(code, packed.low_bits(code, held, where.shift), where.element)
    return (
        held
        if kind is element_types.register_type(where.element)
        else rules.from_bits(code, held, where.element)
    )


def store(emit: BlockCode, op: access_operations.Store) -> None:
    """Emit a store outside of nests, of a scalar or with an order, element by element; a fence precedes it if
    it releases. Elements that are masked off or do not exist are left out.
    """
    emit.prepare(op)
    element, code = element_types.element_of(op.value.type), emit.code
    order = rules.order_of_element(access_operations.semantic_of(op), op.mem_scope, emit.native)
    if access_operations.semantic_of(op) is MemSemantic.RELEASE:
        rules.fence(code, AtomicOrdering.RELEASE, order.scope)

    def body(point: memory_point.NestPoint, at: Coordinates) -> None:
        value = point.lanes_at(op.value, at)
        where = spot(emit, point, op, element, at)
        if where.mask is None:
            _store_one(code, where, value, order)
            return

        def yes() -> Sequence[Value]:
            _store_one(code, where, value, order)
            return ()

        code.either(where.mask, yes, lambda: ())

    each(emit, element_types.shape_of(op.value.type), body)


def _store_one(code: LlvmBuilder, where: AtomicElement, value: Value, order: rules.AtomicAccessOrder) -> None:
    size = element_types.size_of(where.element)
    if order.ordering is AtomicOrdering.NOT_ATOMIC:
        buffer.store_lanes(code, value, where.address, where.element, 1)
        return
    if where.shift is not None:
        bits = rules.to_bits(code, value, where.element)
        packed.exchange_one(code, packed.PackedLanes(where.address, where.shift), bits, order)
        return
    is_register_type = rules.type_at_once(where.element) is element_types.register_type(where.element)
    held = value if is_register_type else rules.to_bits(code, value, where.element)
    code.store(held, where.address, size, ordering=order.ordering, syncscope=order.scope)


RULES: dict[type[Operation], Any] = {
    **dict.fromkeys(access_operations.LOADS, load),
    **dict.fromkeys(access_operations.STORES, store),
    **dict.fromkeys(get_args(access_operations.Combination), _update),
    AtomicCasOp: _compare_and_swap,
}
"""The rules of these accesses; loads and stores use them if they are scalar or ordered."""
