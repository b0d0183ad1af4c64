"""Atomic accesses to single elements, as data: the operations of updates, their instructions, orders and
scopes.

An update is an instruction if the table of the target has one for its kind and type. Otherwise the new
element is computed and exchanged in a loop until no other thread has changed the memory in between. Elements
are exchanged as their bits, with their size in memory.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from tilewright.dialects.arith import ops_float as arith_float, ops_integer as integers
from tilewright.dialects.llvm.enums import AtomicBinaryOperation, AtomicOrdering
from tilewright.dialects.llvm.ops.aggregate import ExtractValueOp
from tilewright.dialects.llvm.ops.conversion import BitcastOp
from tilewright.dialects.llvm.ops.memory import AtomicCmpXchgOp, AtomicRMWOp, FenceOp
from tilewright.dialects.nv_tileaa.attributes import MemScope, MemSemantic, RmwMode
from tilewright.dialects.nv_tileas.ops_arith import BY_SOURCE
from tilewright.ir import block as ir_block, builtin_attributes
from tilewright.ir.attribute import Attribute, Type
from tilewright.ir.builtin_types import FloatType, IntegerType, f32, i1
from tilewright.ir.operation import Operation
from tilewright.ir.value import Value
from tilewright.targets.elements import lanes as elements_lanes, rules as elements_rules
from tilewright.targets.elements.convert import from_memory, to_memory
from tilewright.targets.elements.element_types import memory_type, register_type, size_of
from tilewright.targets.elements.run_time_library import NativeInstructions
from tilewright.targets.llvm.code import LlvmBuilder

# --- orders


ACQUIRES = frozenset({MemSemantic.ACQUIRE, MemSemantic.ACQ_REL})
"""Memory semantics after which later accesses of the thread must not be made earlier."""
RELEASES = frozenset({MemSemantic.RELEASE, MemSemantic.ACQ_REL})
"""Memory semantics before which earlier accesses of the thread must be made."""
UPDATE_ORDERINGS: Mapping[MemSemantic, AtomicOrdering] = {
    MemSemantic.WEAK: AtomicOrdering.MONOTONIC,
    MemSemantic.RELAXED: AtomicOrdering.MONOTONIC,
    MemSemantic.ACQUIRE: AtomicOrdering.ACQUIRE,
    MemSemantic.RELEASE: AtomicOrdering.RELEASE,
    MemSemantic.ACQ_REL: AtomicOrdering.ACQ_REL,
}
"""The LLVM ordering of an atomic update, by its memory semantics."""
FAILING: Mapping[AtomicOrdering, AtomicOrdering] = {
    AtomicOrdering.ACQ_REL: AtomicOrdering.ACQUIRE,
    AtomicOrdering.RELEASE: AtomicOrdering.MONOTONIC,
}
"""The LLVM ordering of a failed comparison, where it differs from the ordering of a successful one."""


@dataclass(frozen=True, slots=True)
class AtomicAccessOrder:
    """The ordering of an access and its scope: LLVM's name of the scope, or `None` for all threads."""

    ordering: AtomicOrdering
    scope: str | None = None


def order_of_update(
    semantic: MemSemantic, scope: MemScope | None, native: NativeInstructions
) -> AtomicAccessOrder:
    """Return the ordering and scope of an atomic update of one element, for a memory semantics and scope of
    Tile IR.
    """
    return AtomicAccessOrder(UPDATE_ORDERINGS[semantic], scope_of(scope, native))


def order_of_element(
    semantic: MemSemantic, scope: MemScope | None, native: NativeInstructions
) -> AtomicAccessOrder:
    """Return the ordering and scope of the load or store of one element.

    A weak access is not atomic; others are monotonic, and a fence before or after all elements orders the
    access.
    """
    if semantic is MemSemantic.WEAK:
        return AtomicAccessOrder(AtomicOrdering.NOT_ATOMIC)
    return AtomicAccessOrder(AtomicOrdering.MONOTONIC, scope_of(scope, native))


def scope_of(scope: MemScope | None, native: NativeInstructions) -> str | None:
    """Return LLVM's name of `scope` on a target; None for all threads: without a scope, and for a scope that
    the target has no name for.
    """
    return native.scopes.get(scope) if scope is not None else None


def fence(code: LlvmBuilder, ordering: AtomicOrdering, scope: str | None) -> None:
    """Emit a fence of the ordering `ordering` that orders the accesses before and after it for the threads of
    `scope`, LLVM's name of a scope (None: all threads).
    """
    code.effect(FenceOp, ordering, syncscope=scope)


# --- what updates compute


@dataclass(frozen=True, slots=True)
class AtomicUpdate:
    """How an atomic update computes the new element.

    ``instruction`` is LLVM's operation of `atomicrmw`. ``combines`` is the operation on (old element,
    operand); None: the operand replaces the old element.
    """

    instruction: AtomicBinaryOperation
    combines: type[Operation] | None


INTEGER_UPDATES: Mapping[RmwMode, AtomicUpdate] = {
    RmwMode.ADD: AtomicUpdate(AtomicBinaryOperation.ADD, integers.AddIOp),
    RmwMode.AND: AtomicUpdate(AtomicBinaryOperation.AND, integers.AndIOp),
    RmwMode.OR: AtomicUpdate(AtomicBinaryOperation.OR, integers.OrIOp),
    RmwMode.XOR: AtomicUpdate(AtomicBinaryOperation.XOR, integers.XOrIOp),
    RmwMode.XCHG: AtomicUpdate(AtomicBinaryOperation.XCHG, None),
    RmwMode.MIN: AtomicUpdate(AtomicBinaryOperation.MIN, integers.MinSIOp),
    RmwMode.MAX: AtomicUpdate(AtomicBinaryOperation.MAX, integers.MaxSIOp),
    RmwMode.UMIN: AtomicUpdate(AtomicBinaryOperation.UMIN, integers.MinUIOp),
    RmwMode.UMAX: AtomicUpdate(AtomicBinaryOperation.UMAX, integers.MaxUIOp),
}
FLOAT_UPDATES: Mapping[RmwMode, AtomicUpdate] = {
    RmwMode.ADD: AtomicUpdate(AtomicBinaryOperation.FADD, arith_float.AddFOp),
    RmwMode.ADDF: AtomicUpdate(AtomicBinaryOperation.FADD, arith_float.AddFOp),
    RmwMode.MIN: AtomicUpdate(AtomicBinaryOperation.FMIN, arith_float.MinNumFOp),
    RmwMode.MAX: AtomicUpdate(AtomicBinaryOperation.FMAX, arith_float.MaxNumFOp),
}
FLUSHED: Mapping[str, Attribute] = {"flush_to_zero": builtin_attributes.UNIT}
"""The attributes of additions: atomic additions of f32 flush subnormal numbers, as on GPUs."""


def computes_floats(mode: RmwMode, element: Type) -> bool:
    """Return whether an update computes with floats: elements are floats, and the mode is not an exchange,
    which only moves bits.
    """
    return isinstance(element, FloatType) and mode is not RmwMode.XCHG


def update_of(mode: RmwMode, element: Type) -> AtomicUpdate:
    """Return how an update of the mode `mode` is computed for elements of a type. Raises `KeyError` for a
    mode that the type does not have.
    """
    return (FLOAT_UPDATES if computes_floats(mode, element) else INTEGER_UPDATES)[mode]


def is_native(mode: RmwMode, element: Type, native: NativeInstructions) -> bool:
    """Return whether the target has one instruction for the atomic update `mode` of elements of a type."""
    held = element if computes_floats(mode, element) else bits_type(element)
    return held in native.updates.get(mode, ())


def sample_of(update: AtomicUpdate, element: Type) -> Operation:
    """Return the operation that combines elements of a type in an update; its operands, the old element and
    the given element, are placeholders. Additions of f32 flush subnormal numbers. The update must not be an
    exchange.
    """
    assert update.combines is not None, "an exchange has no operation"
    operands = ir_block.Block([element, element]).arguments
    if update.combines is arith_float.AddFOp and element is f32:
        return Operation.from_parts(BY_SOURCE[arith_float.AddFOp].op_kind, operands, [element], FLUSHED)
    return Operation.from_parts(update.combines.op_kind, operands, [element], {})


# --- elements as bits


def bits_type(element: Type) -> IntegerType:
    """Return the integer type of an element in memory, for atomic operations."""
    return IntegerType(8 * size_of(element))


def type_at_once(element: Type) -> Type:
    """Return the type in which an element is loaded and stored atomically: floats and i1 as the integer with
    their bits in memory, others in their register type.
    """
    held = register_type(element)
    return bits_type(element) if isinstance(held, FloatType) or held is i1 else held


def to_bits(code: LlvmBuilder, value: Value, element: Type) -> Value:
    """Return the bits of an element in memory, as an integer, for an element `value` in a register. Pointers
    are unchanged.
    """
    held = to_memory(code, value, element)
    return code(BitcastOp, held, type=bits_type(element)) if isinstance(held.type, FloatType) else held


def from_bits(code: LlvmBuilder, bits: Value, element: Type) -> Value:
    """Return, as a register value, the element whose bits in memory are the integer `bits`."""
    held = memory_type(element)
    value = code(BitcastOp, bits, type=held) if isinstance(held, FloatType) else bits
    return from_memory(code, value, element)


# --- code


@dataclass(frozen=True, slots=True)
class AtomicLocation:
    """The address of an element and the order of its accesses."""

    address: Value
    element: Type
    order: AtomicAccessOrder


def combined(
    code: LlvmBuilder, mode: RmwMode, at: AtomicLocation, value: Value, native: NativeInstructions
) -> Value:
    """Update the element at `at` atomically by `mode` with the operand `value`, and return the element before
    the update. It takes one instruction if `native` has one for the mode and type, otherwise a
    compare-and-swap loop.
    """
    update = update_of(mode, at.element)
    if is_native(mode, at.element, native):
        if computes_floats(mode, at.element):
            return updated(code, update, at.address, value, at.order)
        old = updated(code, update, at.address, to_bits(code, value, at.element), at.order)
        return from_bits(code, old, at.element)
    sample = sample_of(update, at.element) if update.combines is not None else None

    def change(seen: Value) -> Value:
        new = value
        if sample is not None:
            given, type = (from_bits(code, seen, at.element), value), register_type(at.element)
            new = elements_rules.RULES[sample.__class__](elements_lanes.Lanes(code, sample, given, type, 1))
        return to_bits(code, new, at.element)

    old = exchanged_at_last(code, at.address, bits_type(at.element), at.order, change)
    return from_bits(code, old, at.element)


def swapped(code: LlvmBuilder, at: AtomicLocation, expected: Value, new: Value) -> Value:
    """Replace an element with `new` if it is equal to `expected`; both are bits. Return the element before."""
    return from_bits(code, exchanged(code, at.address, expected, new, at.order)[0], at.element)


def updated(
    code: LlvmBuilder, update: AtomicUpdate, address: Value, value: Value, order: AtomicAccessOrder
) -> Value:
    """Update the memory at `address` by the instruction of `update`, with the operand `value`, and return the
    value before.
    """
    size = size_of(value.type)
    return code(
        AtomicRMWOp, update.instruction, address, value, order.ordering, syncscope=order.scope, alignment=size
    )


def exchanged(
    code: LlvmBuilder, address: Value, expected: Value, new: Value, order: AtomicAccessOrder
) -> tuple[Value, Value]:
    """Emit a compare-and-swap of the bits at `address`: they are exchanged for `new` if they are equal to
    `expected`. Return the bits before, and whether they were exchanged (i1). A failed comparison has the
    order of `order` that LLVM allows (`FAILING`).
    """
    failing = FAILING.get(order.ordering, order.ordering)
    size = size_of(new.type)
    pair = code(
        AtomicCmpXchgOp,
        address,
        expected,
        new,
        order.ordering,
        failing,
        syncscope=order.scope,
        alignment=size,
    )
    old = code(ExtractValueOp, pair, (0,), type=new.type)
    return old, code(ExtractValueOp, pair, (1,), type=i1)


def exchanged_at_last(
    code: LlvmBuilder,
    address: Value,
    kind: IntegerType,
    order: AtomicAccessOrder,
    change: Callable[[Value], Value],
) -> Value:
    """Replace the bits in memory, of the type `kind`, with `change(bits)`, in a loop that ends when no other
    thread has changed them in between. Return the old bits. ``change`` emits code.
    """
    size = size_of(kind)
    first = code.load(address, kind, size, ordering=AtomicOrdering.MONOTONIC, syncscope=order.scope)

    def round(seen: Value) -> tuple[Value, Value]:
        return exchanged(code, address, seen, change(seen), order)

    return code.until(first, round)
