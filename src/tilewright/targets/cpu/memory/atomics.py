"""Accesses that other threads may see happen: atomic updates, and loads and stores with an order.

They are made element by element, in order.  Scopes need no care: all tile blocks share one memory, and LLVM's atomic
operations hold for the whole system.  A tile that is loaded with `acquire` is loaded element by element and then
fenced; one that is stored with `release` is fenced first.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, get_args

from tilewright.dialects.arith.ops_float import AddFOp, MaxNumFOp, MinNumFOp
from tilewright.dialects.llvm.enums import AtomicBinaryOperation, AtomicOrdering
from tilewright.dialects.llvm.ops_aggregate import ExtractValueOp, ZeroOp
from tilewright.dialects.llvm.ops_conversion import BitcastOp
from tilewright.dialects.llvm.ops_memory import AtomicCmpXchgOp, AtomicRMWOp, FenceOp
from tilewright.dialects.nv_tileaa.attributes import MemSemantic, RmwMode
from tilewright.dialects.nv_tileaa.ops_memory import AtomicCasOp
from tilewright.dialects.nv_tileas.ops_arith import BY_SOURCE
from tilewright.dialects.nv_tileas.ops_memory import LoadOp
from tilewright.ir.attribute import Attribute, Type
from tilewright.ir.block import Block
from tilewright.ir.builtin_attributes import UNIT
from tilewright.ir.builtin_types import FloatType, IntegerType, f32, i1
from tilewright.ir.operation import Operation
from tilewright.ir.value import Value
from tilewright.targets.cpu.kernel.block_code import BlockCode
from tilewright.targets.cpu.memory import access, buffer, gather, packed
from tilewright.targets.cpu.memory.buffer import Buffer, Coordinates
from tilewright.targets.cpu.memory.operations import (
    LOADS,
    STORES,
    AnyAccess,
    Combination,
    Load,
    RowAccess,
    Store,
    ViewAccess,
    semantic_of,
)
from tilewright.targets.cpu.nest import elementwise
from tilewright.targets.cpu.nest.each import each
from tilewright.targets.cpu.nest.point import Point
from tilewright.targets.cpu.nest.shape import known_index
from tilewright.targets.elements.types import (
    element_of,
    is_packed,
    is_tile,
    memory_type,
    register_type,
    shape_of,
    size_of,
)
from tilewright.targets.llvm.code import Code

ORDERINGS = {
    MemSemantic.WEAK: AtomicOrdering.MONOTONIC,
    MemSemantic.RELAXED: AtomicOrdering.MONOTONIC,
    MemSemantic.ACQUIRE: AtomicOrdering.ACQUIRE,
    MemSemantic.RELEASE: AtomicOrdering.RELEASE,
    MemSemantic.ACQ_REL: AtomicOrdering.ACQ_REL,
}
FAILING = {
    AtomicOrdering.ACQ_REL: AtomicOrdering.ACQUIRE,
    AtomicOrdering.RELEASE: AtomicOrdering.MONOTONIC,
}
"""How a comparison is ordered that finds something else, if not as one that finds what it looks for."""
INTEGER_MODES = {
    RmwMode.ADD: AtomicBinaryOperation.ADD,
    RmwMode.AND: AtomicBinaryOperation.AND,
    RmwMode.OR: AtomicBinaryOperation.OR,
    RmwMode.XOR: AtomicBinaryOperation.XOR,
    RmwMode.XCHG: AtomicBinaryOperation.XCHG,
    RmwMode.MIN: AtomicBinaryOperation.MIN,
    RmwMode.MAX: AtomicBinaryOperation.MAX,
    RmwMode.UMIN: AtomicBinaryOperation.UMIN,
    RmwMode.UMAX: AtomicBinaryOperation.UMAX,
}
FLOAT_MODES: dict[RmwMode, type[AddFOp | MinNumFOp | MaxNumFOp]] = {
    RmwMode.ADD: AddFOp,
    RmwMode.ADDF: AddFOp,
    RmwMode.MIN: MinNumFOp,
    RmwMode.MAX: MaxNumFOp,
}
"""The operation on elements that an update of floats makes."""
FLUSHED: dict[str, Attribute] = {"flush_to_zero": UNIT}
"""Atomic additions of f32 flush subnormal numbers, as GPUs do."""


# --- elements in memory


@dataclass(frozen=True, slots=True)
class Spot:
    """One element in memory: its address, type, and whether it takes part (None: it does).

    Of a byte that two elements share, those bits are meant that lie ``shift`` bits up.
    """

    address: Value
    element: Type
    mask: Value | None
    shift: Value | None = None


def spot(emit: BlockCode, point: Point, op: AnyAccess, element: Type, at: Coordinates) -> Spot:
    """The element that an access means at coordinates."""
    if isinstance(op, RowAccess):
        return _spot_at(point, gather.place(point, op, emit.rows[op], at), element)
    if isinstance(op, ViewAccess):
        return _spot_at(point, access.place(point, emit.accesses[op], at), element)
    mask = point.lanes_at(op.mask, at) if op.mask is not None else None
    if op.indices:
        memory = access.memory_object(emit.code, op.base, emit.scalars.__getitem__)
        return Spot(_indexed(emit, memory, op.indices), element, mask)
    return Spot(point.lanes_at(op.base, at), element, mask)


def _spot_at(point: Point, place: access.Place, element: Type) -> Spot:
    if not is_packed(element):
        return Spot(place.address, element, place.mask)
    half = access.halves_of(point, place, 1)
    return Spot(half.addresses, element, place.mask, half.shifts)


def _indexed(emit: BlockCode, memory: access.Memory, indices: Sequence[Value]) -> Value:
    code, offset = emit.code, 0
    for index, stride in zip(indices, memory.strides, strict=True):
        offset = code.add(offset, code.multiply(known_index(code, emit.scalars[index]), stride))
    return code.address(memory.base, offset, memory_type(memory.element))


def bits_type(element: Type) -> IntegerType:
    """The integer that an element is in memory, for atomic operations."""
    return IntegerType(8 * size_of(element))


def to_bits(code: Code, value: Value, element: Type) -> Value:
    """An element as bits."""
    held = buffer.to_memory(code, value, element)
    return code(BitcastOp, held, type=bits_type(element)) if isinstance(held.type, FloatType) else held


def from_bits(code: Code, bits: Value, element: Type) -> Value:
    """Bits as an element."""
    held = memory_type(element)
    value = code(BitcastOp, bits, type=held) if isinstance(held, FloatType) else bits
    return buffer.from_memory(code, value, element)


def _where(emit: BlockCode, mask: Value | None, make: Callable[[], Value], other: Value) -> Value:
    """What ``make`` makes where the mask is true."""
    if mask is None:
        return make()
    return emit.code.either(mask, lambda: [make()], lambda: [other], [other.type])[0]


def _for_each(
    emit: BlockCode, op: Operation, value: Value, one: Callable[[Point, Coordinates], Value]
) -> None:
    """Compute the elements of the result, each with its effect; unused results are dropped."""
    if not is_tile(value.type):
        point = emit.point(1, masked=True)
        emit.scalars[op.results[0]] = one(point, ())
        return
    target: Buffer | None = emit.buffer_for(op.results[0]) if op.results[0].has_uses else None

    def body(point: Point, at: Coordinates) -> None:
        made = one(point, at)
        if target is not None:
            target.store(emit.code, at, made, 1)

    each(emit, shape_of(value.type), body)
    if target is not None:
        emit.buffers[op.results[0]] = target


# --- updates


def _update(emit: BlockCode, op: Combination) -> None:
    """Masked-off elements answer zero."""
    emit.prepare(op)
    element = element_of(op.value.type)
    ordering = ORDERINGS[semantic_of(op)]

    def one(point: Point, at: Coordinates) -> Value:
        value = point.lanes_at(op.value, at)
        where = spot(emit, point, op, element, at)
        zero = emit.code(ZeroOp, type=register_type(element))
        change = _float_update if _computes_floats(op, element) else _integer_update
        return _where(emit, where.mask, lambda: change(emit.code, op, where, value, ordering), zero)

    _for_each(emit, op, op.value, one)


def _computes_floats(op: Combination, element: Type) -> bool:
    return isinstance(element, FloatType) and op.rmw_mode is not RmwMode.XCHG


def _integer_update(
    code: Code, op: Combination, where: Spot, value: Value, ordering: AtomicOrdering
) -> Value:
    mode, bits = INTEGER_MODES[op.rmw_mode], to_bits(code, value, where.element)
    size = size_of(where.element)
    old = code(AtomicRMWOp, mode, where.address, bits, ordering, alignment=size)
    return from_bits(code, old, where.element)


def _float_update(code: Code, op: Combination, where: Spot, value: Value, ordering: AtomicOrdering) -> Value:
    """Compute and exchange until no other thread came in between."""
    combine = _combiner(op, where.element)
    kind = bits_type(where.element)
    size = size_of(where.element)
    first = code.load(where.address, kind, size, ordering=AtomicOrdering.MONOTONIC)
    again, done = code.new_block([kind]), code.new_block()
    code.jump(again, [first])
    code.enter(again)
    (seen,) = again.arguments
    new = combine(code, from_bits(code, seen, where.element), value)
    old, is_done = _exchange(code, where, seen, to_bits(code, new, where.element), ordering)
    code.fork(is_done, done, again, [], [old])
    code.enter(done)
    return from_bits(code, old, where.element)


def _combiner(op: Combination, element: Type) -> Callable[[Code, Value, Value], Value]:
    """The rule of an operation on elements."""
    left, right = Block([element, element]).arguments
    made = FLOAT_MODES[op.rmw_mode]
    flushes = made is AddFOp and element is f32
    kind, ways = (BY_SOURCE[made].op_kind, FLUSHED) if flushes else (made.op_kind, {})
    sample = Operation.from_parts(kind, [left, right], [element], ways)
    return lambda code, old, value: elementwise.apply(code, sample, [old, value], 1)


def _exchange(
    code: Code, where: Spot, expected: Value, new: Value, ordering: AtomicOrdering
) -> tuple[Value, Value]:
    """What was there, and whether it was what was expected and is exchanged."""
    failing = FAILING.get(ordering, ordering)
    size = size_of(where.element)
    pair = code(AtomicCmpXchgOp, where.address, expected, new, ordering, failing, alignment=size)
    old = code(ExtractValueOp, pair, (0,), type=bits_type(where.element))
    return old, code(ExtractValueOp, pair, (1,), type=i1)


def _compare_and_swap(emit: BlockCode, op: AtomicCasOp) -> None:
    """Bits are compared; masked-off elements answer what was expected."""
    emit.prepare(op)
    element = element_of(op.compare.type)
    ordering = ORDERINGS[semantic_of(op)]

    def one(point: Point, at: Coordinates) -> Value:
        code = emit.code
        expected, new = (point.lanes_at(value, at) for value in (op.compare, op.replacement))
        where = spot(emit, point, op, element, at)
        bits = [to_bits(code, value, element) for value in (expected, new)]
        swap = partial(_exchange, code, where, *bits, ordering)
        return _where(emit, where.mask, lambda: from_bits(code, swap()[0], element), expected)

    _for_each(emit, op, op.compare, one)


# --- loads and stores with an order


def load(emit: BlockCode, op: Load) -> None:
    """A load of scalars, or one with an order."""
    emit.prepare(op)
    element, code = element_of(op.result.type), emit.code
    ordering = _element_ordering(op)

    def one(point: Point, at: Coordinates) -> Value:
        where = spot(emit, point, op, element, at)
        other = _other(point, op, element, at)
        return _where(emit, where.mask, lambda: _load_one(code, where, ordering), other)

    _for_each(emit, op, op.result, one)
    if semantic_of(op) is MemSemantic.ACQUIRE:
        code.effect(FenceOp, AtomicOrdering.ACQUIRE)


def _other(point: Point, op: Load, element: Type, at: Coordinates) -> Value:
    """What stands for an element that is masked off or does not exist."""
    if not isinstance(op, LoadOp):
        return access.padding(point.code, op.padding_value, element)
    return access.padding(point.code, None, element) if op.other is None else point.lanes_at(op.other, at)


def _load_one(code: Code, where: Spot, ordering: AtomicOrdering) -> Value:
    size = size_of(where.element)
    if ordering is AtomicOrdering.NOT_ATOMIC:
        return buffer.load_lanes(code, where.address, where.element, 1)
    kind = _atomic_type(where.element)
    held = code.load(where.address, kind, size, ordering=ordering)
    if where.shift is not None:
        return buffer.from_memory(code, packed.low_bits(code, held, where.shift), where.element)
    return held if kind is register_type(where.element) else from_bits(code, held, where.element)


def store(emit: BlockCode, op: Store) -> None:
    """A store of scalars, or one with an order."""
    emit.prepare(op)
    element, code = element_of(op.value.type), emit.code
    ordering = _element_ordering(op)
    if semantic_of(op) is MemSemantic.RELEASE:
        code.effect(FenceOp, AtomicOrdering.RELEASE)

    def body(point: Point, at: Coordinates) -> None:
        value = point.lanes_at(op.value, at)
        where = spot(emit, point, op, element, at)
        if where.mask is None:
            _store_one(code, where, value, ordering)
            return

        def yes() -> Sequence[Value]:
            _store_one(code, where, value, ordering)
            return ()

        code.either(where.mask, yes, lambda: ())

    each(emit, shape_of(op.value.type), body)


def _store_one(code: Code, where: Spot, value: Value, ordering: AtomicOrdering) -> None:
    size = size_of(where.element)
    if ordering is AtomicOrdering.NOT_ATOMIC:
        buffer.store_lanes(code, value, where.address, where.element, 1)
        return
    if where.shift is not None:
        bits = to_bits(code, value, where.element)
        packed.exchange_one(code, packed.Halves(where.address, where.shift), bits, ordering)
        return
    is_whole = _atomic_type(where.element) is register_type(where.element)
    held = value if is_whole else to_bits(code, value, where.element)
    code.store(held, where.address, size, ordering=ordering)


def _atomic_type(element: Type) -> Type:
    """What an element is read and written as at once: pointers as they are, numbers as bits."""
    held = register_type(element)
    return bits_type(element) if isinstance(held, FloatType) or held is i1 else held


def _element_ordering(op: Operation) -> AtomicOrdering:
    weak = semantic_of(op) is MemSemantic.WEAK
    return AtomicOrdering.NOT_ATOMIC if weak else AtomicOrdering.MONOTONIC


RULES: dict[type[Operation], Any] = {
    **dict.fromkeys(LOADS, load),
    **dict.fromkeys(STORES, store),
    **dict.fromkeys(get_args(Combination), _update),
    AtomicCasOp: _compare_and_swap,
}
"""Loads and stores come here if they are of scalars or have an order."""
