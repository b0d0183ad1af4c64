"""Atomic updates and exchanges; every instruction states its order and scope.

Updates without an instruction become a compare-and-swap loop; a byte is exchanged with the 16 bits around it.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from tilewright.dialects.llvm.enums import AtomicBinaryOperation, AtomicOrdering, IntegerPredicate
from tilewright.dialects.llvm.ops import memory
from tilewright.dialects.llvm.types import LLVMPointerType
from tilewright.ir import builtin_types
from tilewright.ir.operation import Operation
from tilewright.ir.value import Value
from tilewright.ptx.model import Address, InstructionGuard, IntegerConstant, Name, Operand
from tilewright.targets.nvptx.nvvm_to_ptx import legal
from tilewright.targets.nvptx.nvvm_to_ptx.emitter import PtxFunctionEmitter, Rule, space_of
from tilewright.targets.nvptx.nvvm_to_ptx.rows.comparisons import chosen, compared
from tilewright.targets.nvptx.nvvm_to_ptx.rows.floats import narrowed, strict_extremum, widened
from tilewright.targets.nvptx.nvvm_to_ptx.rows.memory_rows import space_word
from tilewright.targets.nvptx.nvvm_to_ptx.rows.orders import UPDATES, before, scope_word, single_width

Kind = AtomicBinaryOperation
UNSHARED_SPACES = (legal.LOCAL, legal.CONSTANT)
"""Address spaces that threads do not share."""

NATIVE: dict[Kind, dict[int, str]] = {
    Kind.XCHG: {32: "exch.b32", 64: "exch.b64"},
    Kind.ADD: {32: "add.u32", 64: "add.u64"},
    Kind.AND: {32: "and.b32", 64: "and.b64"},
    Kind.OR: {32: "or.b32", 64: "or.b64"},
    Kind.XOR: {32: "xor.b32", 64: "xor.b64"},
    Kind.MAX: {32: "max.s32", 64: "max.s64"},
    Kind.MIN: {32: "min.s32", 64: "min.s64"},
    Kind.UMAX: {32: "max.u32", 64: "max.u64"},
    Kind.UMIN: {32: "min.u32", 64: "min.u64"},
    Kind.UINC_WRAP: {32: "inc.u32"},
    Kind.UDEC_WRAP: {32: "dec.u32"},
}
"""The instructions that update integers and bits, by width."""
NATIVE_SUMS = {
    builtin_types.f32: "add.f32",
    builtin_types.f64: "add.f64",
    builtin_types.f16: "add.noftz.f16",
    builtin_types.bf16: "add.noftz.bf16",
}
"""The instructions that add floats."""
NATIVE_PAIRS = {builtin_types.f16: "add.noftz.f16x2", builtin_types.bf16: "add.noftz.bf16x2"}


@dataclass(frozen=True, slots=True)
class AtomicMemory:
    """The memory of an update, ``base`` plus ``offset`` bytes, and the suffixes of the instruction before its
    operation: ``order``, ``scope``, and ``space``, which is empty for generic addresses.
    """

    base: Name
    offset: int
    space: str
    order: str
    scope: str

    @property
    def address(self) -> Address:
        """Return the memory operand."""
        return Address(self.base, self.offset)

    def spelling(self, update: str, order: str | None = None) -> str:
        """Return the name of an `atom` instruction on this memory: `update` is the operation with its type,
        and `order` replaces the memory's own order.
        """
        words = ("atom", order or self.order, self.scope, self.space, update)
        return ".".join(word for word in words if word)


def _site(
    emit: PtxFunctionEmitter, pointer: Value, ordering: AtomicOrdering, scope: str | None
) -> AtomicMemory:
    """Return the memory operand of an atomic access with its order and scope, after the fence that the order
    needs before it. Raises `DiagnosticError` for memory that threads do not share.
    """
    if space_of(pointer) in UNSHARED_SPACES:
        raise emit.refused(
            "an atomic update of memory of one thread, or constant memory", "update global memory"
        )
    word = scope_word(emit, scope)
    before(emit, ordering, word)
    base, offset = emit.base(pointer)
    return AtomicMemory(base, offset, space_word(emit, pointer), UPDATES[ordering], word)


# --- read, compute, write


def _update(emit: PtxFunctionEmitter, op: memory.AtomicRMWOp) -> None:
    site = _site(emit, op.ptr, op.ordering, op.syncscope)
    width = single_width(emit, op.val.type)
    native = _native(emit, op, site, width)
    value = emit.part(op.val)
    if op.bin_op is Kind.SUB and width in (32, 64):
        value, native = emit.compute(f"neg.s{width}", value), site.spelling(NATIVE[Kind.ADD][width])
    if native:
        emit.bind(op.res, [emit.compute(native, site.address, value)])
        return
    compute = _computation(emit, op)
    emit.bind(op.res, [_compare_and_swap_loop(emit, site, width, lambda old: compute(old, value))])


def _native(emit: PtxFunctionEmitter, op: memory.AtomicRMWOp, site: AtomicMemory, width: int) -> str:
    """Return the full name of the `atom` instruction for the update `op` of `width` bits on the memory
    `site`, such as ``atom.relaxed.gpu.global.add.u32``; an empty text if PTX or this chip has none.
    """
    element = legal.element_of(op.val.type)
    if op.bin_op is Kind.FADD and isinstance(element, builtin_types.FloatType):
        is_pair = isinstance(op.val.type, builtin_types.VectorType)
        table = NATIVE_PAIRS if is_pair else NATIVE_SUMS
        found = site.spelling(table[element]) if element in table else ""
        return found if found and (is_pair or emit.has(found)) else ""
    found = NATIVE.get(op.bin_op, {}).get(width, "")
    return site.spelling(found) if found else ""


Computation = Callable[[Operand, Operand], Operand]
INTEGERS: dict[Kind, tuple[str, bool]] = {
    Kind.ADD: ("add.s{bits}", False),
    Kind.SUB: ("sub.s{bits}", False),
    Kind.AND: ("and.b{bits}", False),
    Kind.OR: ("or.b{bits}", False),
    Kind.XOR: ("xor.b{bits}", False),
    Kind.MAX: ("max.s{bits}", True),
    Kind.MIN: ("min.s{bits}", True),
    Kind.UMAX: ("max.u{bits}", False),
    Kind.UMIN: ("min.u{bits}", False),
}
"""The instruction that computes the new integer where no `atom` instruction does, by the kind of update; and
whether its operands are signed.
"""
FLOATS: dict[Kind, str] = {
    Kind.FADD: "add.rn",
    Kind.FSUB: "sub.rn",
    Kind.FMAX: "max",
    Kind.FMIN: "min",
}
EXTREMA = {Kind.FMAXIMUM: "max", Kind.FMINIMUM: "min"}
"""Updates to the maximum or minimum, with the result NaN if an operand is NaN."""


def _computation(emit: PtxFunctionEmitter, op: memory.AtomicRMWOp) -> Computation:
    """Return the function that emits the new value from the old value and the operand. Raises
    `DiagnosticError` for vectors.
    """
    kind, element = op.bin_op, op.val.type
    if isinstance(element, builtin_types.FloatType) and kind in FLOATS:
        return _float_computation(emit, FLOATS[kind], element)
    if isinstance(element, builtin_types.VectorType):
        raise emit.refused(f"the update '{kind.spelling}' of {element}", "write a loop with `llvm.cmpxchg`")
    if isinstance(element, builtin_types.FloatType) and kind in EXTREMA:
        return lambda old, value: strict_extremum(emit, EXTREMA[kind], element, old, value)
    width = emit.width(element)
    bits = legal.register_bits(width)
    if kind is Kind.XCHG:
        return lambda old, value: value
    if kind is Kind.NAND:
        return lambda old, value: emit.masked(
            emit.compute(f"not.b{bits}", emit.compute(f"and.b{bits}", old, value)), width
        )
    if kind in BOUNDED:
        return lambda old, value: BOUNDED[kind](emit, width, old, value)
    return _integer_computation(emit, *INTEGERS[kind], width)


def _difference(emit: PtxFunctionEmitter, width: int, a: Operand, b: Operand) -> Operand:
    return emit.masked(emit.compute(f"sub.s{legal.register_bits(width)}", a, b), width)


def _wrapping_increment(emit: PtxFunctionEmitter, width: int, old: Operand, most: Operand) -> Operand:
    """Return the new value of an unsigned integer of `width` bits: ``old + 1``, or 0 if ``old`` is greater
    than or equal to ``most``.
    """
    bits = legal.register_bits(width)
    more = emit.compute(f"add.s{bits}", old, IntegerConstant(1))
    return chosen(
        emit, bits, compared(emit, IntegerPredicate.UGE, width, old, most), IntegerConstant(0), more
    )


def _down_and_round(emit: PtxFunctionEmitter, width: int, old: Operand, most: Operand) -> Operand:
    """Return ``old - 1``, or ``most`` if ``old`` is 0 or above ``most``, for unsigned integers (0 - 1 wraps
    around to a number above every ``most``).
    """
    less = _difference(emit, width, old, IntegerConstant(1))
    return emit.compute(f"min.u{legal.register_bits(width)}", less, most)


def _less_if_possible(emit: PtxFunctionEmitter, width: int, old: Operand, value: Operand) -> Operand:
    less = _difference(emit, width, old, value)
    is_possible = compared(emit, IntegerPredicate.UGE, width, old, value)
    return chosen(emit, legal.register_bits(width), is_possible, less, old)


def _less_down_to_zero(emit: PtxFunctionEmitter, width: int, old: Operand, value: Operand) -> Operand:
    taken = emit.compute(f"min.u{legal.register_bits(width)}", old, value)
    return _difference(emit, width, old, taken)


BOUNDED: dict[Kind, Callable[[PtxFunctionEmitter, int, Operand, Operand], Operand]] = {
    Kind.UINC_WRAP: _wrapping_increment,
    Kind.UDEC_WRAP: _down_and_round,
    Kind.USUB_COND: _less_if_possible,
    Kind.USUB_SAT: _less_down_to_zero,
}
"""The function that computes the new value of each update with a bound (`uinc_wrap`, `udec_wrap`)."""


def _integer_computation(emit: PtxFunctionEmitter, spelling: str, signed: bool, width: int) -> Computation:
    bits = legal.register_bits(width)

    def compute(old: Operand, value: Operand) -> Operand:
        pair = [emit.signed(one, width, bits) if signed else one for one in (old, value)]
        return emit.masked(emit.compute(spelling.format(bits=bits), *pair), width)

    return compute


def _float_computation(emit: PtxFunctionEmitter, name: str, element: builtin_types.FloatType) -> Computation:
    spelling = f"{name}.{'f64' if element is builtin_types.f64 else 'f32'}"

    def compute(old: Operand, value: Operand) -> Operand:
        result = emit.compute(spelling, widened(emit, element, old), widened(emit, element, value))
        return narrowed(emit, element, result)

    return compute


def _compare_and_swap_loop(
    emit: PtxFunctionEmitter, site: AtomicMemory, width: int, change: Callable[[Operand], Operand]
) -> Operand:
    """Emit a loop that replaces the `width` bits in memory at `site` by compare and swap, until no other
    thread comes between. ``change`` emits the computation of the new value from the old value. Return the old
    value.
    """
    bits = legal.register_bits(width)
    seen, again = emit.register(legal.BY_BITS[bits]), emit.label()
    _first_look(emit, site, width, seen)
    emit.mark(again)
    old, done = _exchange(emit, site, width, seen, change(seen))
    emit.emit(f"mov.b{bits}", seen, old)
    emit.emit("bra", Name(again), guard=InstructionGuard(done, True))
    return old


def _first_look(emit: PtxFunctionEmitter, site: AtomicMemory, width: int, seen: Name) -> None:
    words = ("ld", "relaxed", site.scope, site.space, f"b{width}")
    emit.emit(".".join(word for word in words if word), seen, site.address)


def _exchange(
    emit: PtxFunctionEmitter, site: AtomicMemory, width: int, expected: Operand, new: Operand
) -> tuple[Operand, Name]:
    """Emit the exchange of the value of `width` bits at `site` for `new`, made only if it equals `expected`.
    Return the old value, and the predicate that is true if it was equal.
    """
    if width == 8:
        return _exchange_byte(emit, site, expected, new)
    old = emit.compute(site.spelling(f"cas.b{width}"), site.address, expected, new)
    return old, emit.compute(f"setp.eq.b{width}", old, expected)


def _exchange_byte(
    emit: PtxFunctionEmitter, site: AtomicMemory, expected: Operand, new: Operand
) -> tuple[Operand, Name]:
    """Emit the exchange of the byte at `site` by a compare-and-swap of the 16 bits around it, retried while
    only the other byte changes. Return the old byte, and the predicate that is true if it was equal to
    `expected`.
    """
    bits = (
        legal.pointer_bits(LLVMPointerType(3))
        if site.base.text.startswith("%r") and not site.base.text.startswith("%rd")
        else 64
    )
    place = (
        emit.compute(f"add.s{bits}", site.base, IntegerConstant(site.offset)) if site.offset else site.base
    )
    around = emit.compute(f"and.b{bits}", place, IntegerConstant((1 << bits) - 2))
    low = emit.compute(f"and.b{bits}", place, IntegerConstant(1))
    low = emit.compute("cvt.u32.u64", low) if bits == 64 else low
    distance = emit.compute("shl.b32", low, IntegerConstant(3))
    mask = emit.compute("shl.b16", IntegerConstant(255), distance)
    wanted, put = (emit.compute("shl.b16", one, distance) for one in (expected, new))
    rest = emit.compute("not.b16", mask)
    other, old = emit.register(legal.BY_BITS[16]), emit.register(legal.BY_BITS[16])
    inner = AtomicMemory(around, 0, site.space, site.order, site.scope)
    _first_look(emit, inner, 16, other)
    again, done = emit.label(), emit.label()
    emit.mark(again)
    kept = emit.compute("and.b16", other, rest)
    full = emit.compute("or.b16", kept, wanted)
    emit.emit(inner.spelling("cas.b16"), old, inner.address, full, emit.compute("or.b16", kept, put))
    is_done = emit.compute("setp.eq.b16", old, full)
    emit.emit("bra", Name(done), guard=InstructionGuard(is_done))
    is_other = emit.compute("setp.ne.b16", emit.compute("and.b16", old, mask), wanted)
    emit.emit("mov.b16", other, old)
    emit.emit("bra", Name(again), guard=InstructionGuard(is_other, True))
    emit.mark(done)
    byte = emit.compute("and.b16", emit.compute("shr.u16", old, distance), IntegerConstant(255))
    return byte, emit.compute("setp.eq.b16", byte, expected)


# --- compare and exchange


STRENGTH = (
    AtomicOrdering.MONOTONIC,
    AtomicOrdering.ACQUIRE,
    AtomicOrdering.RELEASE,
    AtomicOrdering.ACQ_REL,
    AtomicOrdering.SEQ_CST,
)


def stronger(first: AtomicOrdering, second: AtomicOrdering) -> AtomicOrdering:
    """Return the weakest memory ordering that implies `first` and `second`: acquire and release make
    `ACQ_REL`.
    """
    if {first, second} == {AtomicOrdering.ACQUIRE, AtomicOrdering.RELEASE}:
        return AtomicOrdering.ACQ_REL
    return max(first, second, key=STRENGTH.index)


def _compare_exchange(emit: PtxFunctionEmitter, op: memory.AtomicCmpXchgOp) -> None:
    ordering = stronger(op.success_ordering, op.failure_ordering)
    site = _site(emit, op.ptr, ordering, op.syncscope)
    width = single_width(emit, op.val.type)
    expected, new = emit.part(op.cmp), emit.part(op.val)
    old, done = _exchange(emit, site, width, expected, new)
    emit.bind(op.res, (old, done))


ROWS: dict[type[Operation], Rule] = {
    memory.AtomicRMWOp: _update,
    memory.AtomicCmpXchgOp: _compare_exchange,
}
