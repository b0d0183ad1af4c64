"""Loads, stores, addresses, stack memory, and copies of constant length."""

from __future__ import annotations

from tilewright.dialects.llvm import enums as llvm_enums, types as llvm_types
from tilewright.dialects.llvm.intrinsics import memory as intrinsics
from tilewright.dialects.llvm.ops import aggregate, memory
from tilewright.dialects.nvvm.ops.predicated import PredicatedLoadOp, PredicatedStoreOp
from tilewright.ir.attribute import Type
from tilewright.ir.builtin_attributes import IntegerAttr
from tilewright.ir.builtin_types import VectorType, i8
from tilewright.ir.operation import Operation
from tilewright.ir.value import Value
from tilewright.ptx.model import IntegerConstant, Name, Operand, PtxVariable
from tilewright.targets.nvptx.nvvm_to_ptx import accesses, legal
from tilewright.targets.nvptx.nvvm_to_ptx.emitter import PtxFunctionEmitter, Rule, space_of
from tilewright.targets.nvptx.nvvm_to_ptx.rows import casts, orders

SPACES = {
    legal.GENERIC: "",
    legal.GLOBAL: "global",
    legal.SHARED: "shared",
    legal.CONSTANT: "const",
    legal.LOCAL: "local",
    legal.CLUSTER: "shared::cluster",
}
"""The PTX state space of each address space in loads and stores."""


def space_word(emit: PtxFunctionEmitter, pointer: Value) -> str:
    """Return the state space of a pointer as a suffix; empty for generic addresses. Raises `DiagnosticError`
    for an address space without accesses, or that the chip lacks.
    """
    space = space_of(pointer)
    if space not in SPACES:
        raise emit.refused(
            f"memory of address space {space}", "the spaces 0, 1, 3, 4, 5 and 7 have loads and stores"
        )
    if space == legal.CLUSTER and not emit.chip.clusters:
        raise emit.lacking("it has no clusters")
    return SPACES[space]


def alignment_of(emit: PtxFunctionEmitter, stated: int | None, type: Type) -> int:
    """Return the alignment of an access in bytes: the stated alignment, or the alignment of the type if it is
    None or 0. Raises `DiagnosticError` if none is stated and the type has no memory layout.
    """
    try:
        return stated or legal.layout(type).alignment
    except legal.UnsupportedRegisterType as problem:
        raise emit.unheld(problem) from None


def _shape(emit: PtxFunctionEmitter, type: Type) -> tuple[tuple[legal.RegisterSlot, ...], tuple[int, ...]]:
    return emit.slots(type), emit.offsets(type)


def _limit(ordering: llvm_enums.AtomicOrdering) -> int:
    """Return the maximum size of a vector access in bytes; 0, which means scalar accesses, for an access with
    a memory order.
    """
    return accesses.WIDEST if ordering is llvm_enums.AtomicOrdering.NOT_ATOMIC else 0


def _load(emit: PtxFunctionEmitter, op: memory.LoadOp) -> None:
    head = orders.head_of_load(emit, op, space_word(emit, op.addr))
    base, start = emit.base(op.addr)
    alignment = alignment_of(emit, op.alignment, op.res.type)
    shape = _shape(emit, op.res.type)
    emit.bind(op.res, accesses.read(emit, head, base, start, shape, alignment, _limit(op.ordering)))


def _store(emit: PtxFunctionEmitter, op: memory.StoreOp) -> None:
    head = orders.head_of_store(emit, op, space_word(emit, op.addr))
    base, start = emit.base(op.addr)
    alignment = alignment_of(emit, op.alignment, op.value.type)
    shape, parts = _shape(emit, op.value.type), emit.parts(op.value)
    accesses.write(emit, head, base, start, shape, parts, alignment, _limit(op.ordering))


# --- addresses


def is_address_only(value: Value) -> bool:
    """Return whether a pointer is used only as the address of loads, stores and atomic updates, directly or
    after constant offsets.
    """
    return all(_accesses(user, value) for user in value.uses)


def _accesses(user: Operation, value: Value) -> bool:
    match user:
        case memory.LoadOp():
            return True
        case memory.StoreOp():
            return user.value is not value
        case PredicatedLoadOp():
            return value not in user.otherwise
        case PredicatedStoreOp():
            return value not in user.value
        case memory.AtomicRMWOp() | memory.AtomicCmpXchgOp():
            return all(other is not value for other in user.operands[1:])
        case memory.GEPOp():
            return not user.dynamicIndices and is_address_only(user.res)
        case _:
            return False


def steps(op: memory.GEPOp) -> tuple[int, list[tuple[Value, int]]]:
    """Return the constant offset in bytes, and the dynamic indices with their strides in bytes.

    Raises `UnsupportedRegisterType` for types without a memory layout.
    """
    type: Type = op.elem_type
    known, dynamic = 0, list[tuple[Value, int]]()
    positions = iter(op.dynamicIndices)
    for number, at in enumerate(op.rawConstantIndices):
        if number and isinstance(type, llvm_types.LLVMStructType):
            known += legal.member_offsets(type)[at]
            type = (type.body or ())[at]
            continue
        if number:
            assert isinstance(type, llvm_types.LLVMArrayType | VectorType), "verified"
            type = type.element_type
        size = legal.layout(type).size
        if at == llvm_types.DYNAMIC_POSITION:
            dynamic.append((next(positions), size))
        else:
            known += at * size
    return known, dynamic


def _address(emit: PtxFunctionEmitter, op: memory.GEPOp) -> None:
    try:
        known, dynamic = steps(op)
    except legal.UnsupportedRegisterType as problem:
        raise emit.unheld(problem) from None
    if isinstance(op.res.type, VectorType) or isinstance(op.base.type, VectorType):
        raise emit.refused("a vector of addresses", "compute each address by itself")
    if not dynamic:
        _known_step(emit, op, known)
        return
    bits = legal.pointer_bits(_pointer(op.base))
    total: Operand = emit.part(op.base)
    for position, size in dynamic:
        total = _stepped(emit, total, position, size, bits)
    assert isinstance(total, Name)
    if known and is_address_only(op.res):
        emit.bind_address(op.res, total, known)
        emit.bind(op.res, [total])
        return
    emit.bind(op.res, [emit.compute(f"add.s{bits}", total, IntegerConstant(known)) if known else total])


def _known_step(emit: PtxFunctionEmitter, op: memory.GEPOp, known: int) -> None:
    if is_address_only(op.res):
        base, start = emit.base(op.base)
        emit.bind_address(op.res, base, start + known)
        emit.bind(op.res, [base])
    elif known:
        bits = legal.pointer_bits(_pointer(op.base))
        emit.bind(op.res, [emit.compute(f"add.s{bits}", emit.part(op.base), IntegerConstant(known))])
    else:
        emit.alias(op.res, op.base)


def _pointer(value: Value) -> llvm_types.LLVMPointerType:
    assert isinstance(value.type, llvm_types.LLVMPointerType)
    return value.type


def _stepped(emit: PtxFunctionEmitter, base: Operand, position: Value, size: int, bits: int) -> Operand:
    """Return ``base + position * size`` for an address of `bits` bits, a signed index of any width, and a
    size in bytes.
    """
    width, part = emit.width(position.type), emit.part(position)
    if isinstance(part, IntegerConstant):
        distance = IntegerConstant(_signed(part.value, width) * size & (1 << 64) - 1)
        return emit.compute(f"add.s{bits}", base, distance)
    if bits == 64 and width <= 32 and size > 1:
        return emit.compute("mad.wide.s32", emit.signed(part, width, 32), IntegerConstant(size), base)
    held = emit.resized(part, width, bits) if width > bits else emit.signed(part, width, bits)
    if size == 1:
        return emit.compute(f"add.s{bits}", base, held)
    return emit.compute(f"mad.lo.s{bits}", held, IntegerConstant(size), base)


def _signed(value: int, width: int) -> int:
    low = value & ((1 << width) - 1)
    return low - (1 << width) if low >> (width - 1) else low


def _symbol(emit: PtxFunctionEmitter, op: aggregate.AddressOfOp) -> None:
    """Bind a result to the address of a variable or function. If only accesses use the address, they name the
    symbol directly, unless the address is generic.
    """
    name, space = Name(emit.symbols.name(op.global_name)), space_of(op.res)
    if space != legal.GENERIC and is_address_only(op.res):
        emit.bind_address(op.res, name, 0)
        emit.bind(op.res, [name])
        return
    pool = (
        legal.LONGS if space == legal.GENERIC or legal.pointer_bits(_pointer(op.res)) == 64 else legal.WORDS
    )
    address = emit.register(pool)
    emit.emit(f"mov.{pool.type}", address, name)
    is_function = emit.symbols.callee(op.global_name) is not None
    emit.bind(
        op.res,
        [address if space != legal.GENERIC or is_function else casts.to_generic(emit, address, legal.GLOBAL)],
    )


def _stack(emit: PtxFunctionEmitter, op: memory.AllocaOp) -> None:
    """Allocate local memory for the lifetime of the function. Raises `DiagnosticError` for a dynamic size,
    and for an allocation outside of the first block.
    """
    count = emit.part(op.arraySize)
    if not isinstance(count, IntegerConstant) or op.parent is not emit.function.body.blocks[0]:
        raise emit.refused(
            "memory on the stack of unknown size", "allocate a known number of elements in the first block"
        )
    try:
        size, alignment = legal.layout(op.elem_type).size * count.value, legal.layout(op.elem_type).alignment
    except legal.UnsupportedRegisterType as problem:
        raise emit.unheld(problem) from None
    emit.depots += 1
    name = Name(f"__local_depot_{emit.depots}")
    emit.variables.append(
        PtxVariable("local", "b8", name.text, (max(size, 1),), max(op.alignment or alignment, 1))
    )
    if space_of(op.res) == legal.LOCAL and is_address_only(op.res):
        emit.bind_address(op.res, name, 0)
        emit.bind(op.res, [name])
        return
    address = emit.register(legal.LONGS)
    emit.emit("mov.b64", address, name)
    emit.bind(
        op.res, [address if space_of(op.res) == legal.LOCAL else casts.to_generic(emit, address, legal.LOCAL)]
    )


# --- copies


LARGEST_COPY = 1024
"""The maximum size of a copy or fill in bytes; it is unrolled completely."""


def _length(emit: PtxFunctionEmitter, length: int | None) -> int:
    if length is None or length > LARGEST_COPY:
        hint = f"write a loop; copies of a constant number of at most {LARGEST_COPY} bytes are unrolled"
        raise emit.refused("a copy of many bytes, or of a dynamic number of bytes", hint)
    return length


def _known_length(emit: PtxFunctionEmitter, length: Value | IntegerAttr) -> int:
    if isinstance(length, IntegerAttr):
        return _length(emit, length.value)
    part = emit.part(length)
    return _length(emit, part.value if isinstance(part, IntegerConstant) else None)


def _stated_alignment(op: intrinsics.MemoryIntrinsicOp, number: int) -> int:
    """Return the alignment in the attributes of argument `number`, in bytes; 1 if they have none."""
    attributes = op.arg_attrs[number] if op.arg_attrs else None
    stated = attributes.get("llvm.align") if attributes is not None else None
    return stated.value if isinstance(stated, IntegerAttr) else 1


def _bytes(length: int) -> tuple[tuple[legal.RegisterSlot, ...], tuple[int, ...]]:
    return (legal.RegisterSlot(_SHORT, i8, 8),) * length, tuple(range(length))


_SHORT = accesses.BY_BITS[16]


def _copy(
    emit: PtxFunctionEmitter, op: intrinsics.MemcpyOp | intrinsics.MemcpyInlineOp | intrinsics.MemmoveOp
) -> None:
    """Emit a copy; all loads precede all stores, so source and destination may overlap."""
    alignment = min(_stated_alignment(op, 0), _stated_alignment(op, 1), 16)
    length = _known_length(emit, op.len)
    volatile = ".volatile" if op.isVolatile else ""
    size = min(alignment, 4)
    whole, rest = divmod(length, size)
    pool = accesses.BY_BITS[max(8 * size, 16)]
    slots = (legal.RegisterSlot(pool, i8, 8 * size),) * whole + (legal.RegisterSlot(_SHORT, i8, 8),) * rest
    offsets = (*range(0, whole * size, size), *range(whole * size, length))
    shape = slots, offsets
    source, target = emit.base(op.src), emit.base(op.dst)
    head = _head("ld", volatile, space_word(emit, op.src))
    parts = accesses.read(emit, head, *source, shape, alignment)
    head = _head("st", volatile, space_word(emit, op.dst))
    accesses.write(emit, head, *target, shape, parts, alignment)


def _head(name: str, volatile: str, space: str) -> str:
    return f"{name}{volatile}{'.' if space else ''}{space}"


def _fill(emit: PtxFunctionEmitter, op: intrinsics.MemsetOp | intrinsics.MemsetInlineOp) -> None:
    length = _known_length(emit, op.len)
    base, start = emit.base(op.dst)
    head = _head("st", ".volatile" if op.isVolatile else "", space_word(emit, op.dst))
    value = emit.part(op.val)
    accesses.write(
        emit, head, base, start, _bytes(length), [value] * length, min(_stated_alignment(op, 0), 16)
    )


ROWS: dict[type[Operation], Rule] = {
    memory.LoadOp: _load,
    memory.StoreOp: _store,
    memory.GEPOp: _address,
    memory.AllocaOp: _stack,
    aggregate.AddressOfOp: _symbol,
    intrinsics.MemcpyOp: _copy,
    intrinsics.MemcpyInlineOp: _copy,
    intrinsics.MemmoveOp: _copy,
    intrinsics.MemsetOp: _fill,
    intrinsics.MemsetInlineOp: _fill,
}
