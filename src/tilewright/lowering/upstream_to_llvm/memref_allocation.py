"""Lowers allocations of memrefs on the heap and on the stack, and globals."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import prod
from typing import Any, cast

from tilewright.dialects.cf.ops import BranchOp
from tilewright.dialects.common.constraints import checked_type
from tilewright.dialects.llvm import enums as llvm_enums, types as llvm_types
from tilewright.dialects.llvm.intrinsics.memory import StackRestoreOp, StackSaveOp
from tilewright.dialects.llvm.ops import aggregate as llvm_aggregate, control as llvm_control
from tilewright.dialects.llvm.ops.arithmetic import SubOp, URemOp
from tilewright.dialects.llvm.ops.conversion import AddrSpaceCastOp, IntToPtrOp, PtrToIntOp
from tilewright.dialects.llvm.ops.symbol import GlobalOp
from tilewright.dialects.memref import ops_buffer
from tilewright.ir import block as ir_block, builder, builtin_attributes, builtin_types
from tilewright.ir.attribute import Attribute, Type
from tilewright.ir.operation import Operation
from tilewright.ir.value import Value
from tilewright.lowering.emitter import LlvmEmitter
from tilewright.lowering.llvm_types.memref_descriptor import MemRefDescriptor
from tilewright.lowering.upstream_to_llvm.patterns import LoweringSite, Rule, declare_function
from tilewright.rewrite.pattern import NoMatch

SMALLEST_ALIGNMENT = 16
"""The smallest alignment passed to ``aligned_alloc``, in bytes."""
NO_ALLOCATION = 0xDEADBEEF
"""The allocated pointer of a global, an invalid address: to free a global by mistake fails at once."""


@dataclass(frozen=True)
class AllocationOptions:
    """The allocation functions to call: ``aligned_alloc`` if ``aligned``, else ``malloc``; by the names in
    `FUNCTIONS` that a runtime provides if ``generic``, else by their own.
    """

    aligned: bool = False
    generic: bool = False


FUNCTIONS: dict[bool, dict[str, str]] = {
    False: {"malloc": "malloc", "aligned_alloc": "aligned_alloc", "free": "free"},
    True: {
        "malloc": "_mlir_memref_to_llvm_alloc",
        "aligned_alloc": "_mlir_memref_to_llvm_aligned_alloc",
        "free": "_mlir_memref_to_llvm_free",
    },
}
"""The names of the allocation functions; the key is whether the generic names are used."""


# --- sizes


@dataclass(frozen=True, slots=True)
class BufferExtents:
    """Sizes and row-major strides of a buffer, and its number of elements, as values."""

    sizes: list[Value]
    strides: list[Value]
    count: Value


def extents(emit: LlvmEmitter, type: builtin_types.MemRefType, dynamic: Sequence[Value]) -> BufferExtents:
    """Return the sizes, row-major strides and number of elements of a buffer of type `type`, as values; its
    layout is ignored. `dynamic` are the values of the unknown sizes, in order.
    """
    rest = iter(dynamic)
    sizes = [next(rest) if extent == builtin_types.DYNAMIC else emit.index(extent) for extent in type.shape]
    running = emit.index(1)
    known, is_one = 1, True
    strides: list[Value] = []
    for size, extent in zip(reversed(sizes), reversed(type.shape), strict=True):
        strides.append(running)
        known = builtin_types.DYNAMIC if builtin_types.DYNAMIC in (known, extent) else known * extent
        running = size if is_one else _grown(emit, running, size, known)
        is_one = known == 1
    return BufferExtents(sizes, strides[::-1], running)


def _grown(emit: LlvmEmitter, running: Value, size: Value, known: int) -> Value:
    """Return ``running * size``, the stride of the next outer dimension; it is the constant `known` unless
    that is `DYNAMIC`.
    """
    return emit.multiply(running, size) if known == builtin_types.DYNAMIC else emit.index(known)


def build_descriptor(
    emit: LlvmEmitter, form: Type, allocated: Value, aligned: Value, shape: BufferExtents
) -> Value:
    """Return the descriptor of type `form` of a new buffer with the sizes and strides of `shape`; its offset
    is 0.
    """
    descriptor = MemRefDescriptor.empty(emit, form)
    descriptor.set_allocated(allocated)
    descriptor.set_aligned(aligned)
    descriptor.set_offset(0)
    for at, size in enumerate(shape.sizes):
        descriptor.set_size(at, size)
    for at, stride in enumerate(shape.strides):
        descriptor.set_stride(at, stride)
    return descriptor.value


def rounded_up(emit: LlvmEmitter, value: Value, multiple: Value) -> Value:
    """Return ``value`` rounded up to a multiple of ``multiple``."""
    bumped = emit.add(value, emit(SubOp, multiple, emit.index(1)))
    return emit(SubOp, bumped, emit(URemOp, bumped, multiple))


def byte_width(type: Type) -> int | None:
    """Return the size of an element in bytes; 8 for `index`. Return None if it depends on the target: for
    scalable vectors, and for types other than numbers and vectors of numbers.
    """
    match type:
        case builtin_types.IntegerType() | builtin_types.FloatType():
            return (type.width + 7) // 8
        case builtin_types.VectorType():
            inner = byte_width(type.element_type)
            return None if inner is None or type.scalable else inner * prod(type.shape)
        case _:
            return 8 if type is builtin_types.index else None


# --- heap


def _allocate(options: AllocationOptions) -> Rule:
    def lower(site: LoweringSite[Any]) -> Value | NoMatch:
        type: builtin_types.MemRefType = checked_type(site.op.memref)
        if type.layout is not None:
            return NoMatch("only buffers of the default layout can be allocated")
        shape = extents(site.emit, type, site.adaptor.dynamicSizes)
        element = site.converter.convert_type(type.element_type)
        assert element is not None, "the memref was converted"
        size = site.emit.size_of(element, shape.count)
        get = _allocate_aligned if options.aligned else _allocate_and_align
        found = get(site, type, size, options)
        return (
            found
            if isinstance(found, NoMatch)
            else build_descriptor(site.emit, site.result_type(), *found, shape)
        )

    return lower


def _allocate_and_align(
    site: LoweringSite[Any], type: builtin_types.MemRefType, size: Value, options: AllocationOptions
) -> tuple[Value, Value]:
    """Emit ``malloc`` of `size` bytes, and of room for the alignment if one is wanted. Return the allocated
    pointer and the aligned pointer, which are the same value if no alignment is wanted.
    """
    emit, alignment = site.emit, _wanted_alignment(site, type)
    if alignment is not None:
        size = emit.add(size, alignment)
    allocated = _in_space(site, _call(site, options, "malloc", [size]))
    if alignment is None:
        return allocated, allocated
    address = emit(PtrToIntOp, allocated, type=emit.index_type)
    return allocated, emit(IntToPtrOp, rounded_up(emit, address, alignment), type=allocated.type)


def _wanted_alignment(site: LoweringSite[Any], type: builtin_types.MemRefType) -> Value | None:
    """Return the alignment of an allocation in bytes, as a value: the operation's attribute, or the size of
    an element that is neither a number nor an index; None otherwise.
    """
    if site.op.alignment is not None:
        return site.emit.index(site.op.alignment)
    if (
        isinstance(type.element_type, builtin_types.IntegerType | builtin_types.FloatType)
        or type.element_type is builtin_types.index
    ):
        return None
    element = site.converter.convert_type(type.element_type)
    assert element is not None, "the memref was converted"
    return site.emit.size_of(element)


def _allocate_aligned(
    site: LoweringSite[Any], type: builtin_types.MemRefType, size: Value, options: AllocationOptions
) -> tuple[Value, Value] | NoMatch:
    """Emit ``aligned_alloc`` of `size` bytes rounded up to a multiple of the alignment; return the pointer
    twice, as the allocated and as the aligned pointer. Return `NoMatch` if the size of an element is not
    known.
    """
    width = byte_width(type.element_type)
    if width is None:
        return NoMatch("the size of {} is not known, so neither is its alignment", (type.element_type,))
    alignment = site.op.alignment or max(SMALLEST_ALIGNMENT, 1 << (width - 1).bit_length())
    boundary = site.emit.index(alignment)
    divisor = width * prod(extent for extent in type.shape if extent != builtin_types.DYNAMIC)
    if divisor % alignment:
        size = rounded_up(site.emit, size, boundary)
    pointer = _in_space(site, _call(site, options, "aligned_alloc", [boundary, size]))
    return pointer, pointer


def _call(
    site: LoweringSite[Any], options: AllocationOptions, name: str, arguments: Sequence[Value]
) -> Value:
    type = llvm_types.LLVMFunctionType(llvm_types.POINTER, tuple(value.type for value in arguments))
    callee = declare_function(site.rewriter, site.op, FUNCTIONS[options.generic][name], type)
    return site.emit.call(callee, arguments, [llvm_types.POINTER]).results[0]


def _in_space(site: LoweringSite[Any], pointer: Value) -> Value:
    """Return an allocated pointer, cast to the memory space of the memref."""
    form: Any = site.result_type()
    wanted: llvm_types.LLVMPointerType = form.body[0]
    return pointer if wanted is pointer.type else site.emit(AddrSpaceCastOp, pointer, type=wanted)


def _free(options: AllocationOptions) -> Rule:
    def lower(site: LoweringSite[Any]) -> Sequence[Value]:
        emit, memref = site.emit, site.adaptor.memref
        form: Any = memref.type
        is_ranked = isinstance(form.body[0], llvm_types.LLVMPointerType)
        pointer = (
            emit.extract(memref, 0) if is_ranked else emit.load(emit.extract(memref, 1), llvm_types.POINTER)
        )
        if pointer.type is not llvm_types.POINTER:
            pointer = emit(AddrSpaceCastOp, pointer, type=llvm_types.POINTER)
        name = FUNCTIONS[options.generic]["free"]
        declare_function(
            site.rewriter, site.op, name, llvm_types.LLVMFunctionType(llvm_types.VOID, (llvm_types.POINTER,))
        )
        emit.call(name, [pointer])
        return ()

    return lower


# --- stack


def _stack(site: LoweringSite[ops_buffer.AllocaOp]) -> Value | NoMatch:
    type = cast(builtin_types.MemRefType, site.op.memref.type)
    if type.layout is not None:
        return NoMatch("only buffers of the default layout can be allocated")
    shape = extents(site.emit, type, site.adaptor.dynamicSizes)
    element, space = site.converter.convert_type(type.element_type), site.converter.memory_space(type)
    assert element is not None, "the memref was converted"
    pointer = site.emit.stack_slot(element, shape.count, space or 0, site.op.alignment)
    return build_descriptor(site.emit, site.result_type(), pointer, pointer, shape)


def _scope(site: LoweringSite[ops_buffer.AllocaScopeOp]) -> Sequence[Value]:
    """Lower an allocation scope: save the stack pointer, branch into the region, and restore it at the end.

    Return the results of the region.
    """
    op, emit, rewriter = site.op, site.emit, site.rewriter
    before = site.block
    after = rewriter.split_block(op)
    region: Any = after.parent
    with rewriter.at(rewriter.point):
        joining = rewriter.create_block(region, op.result_types, op.location, region.blocks.index(after))
        emit.insert(BranchOp, destOperands=(), dest=after)
    entry, last = op.bodyRegion.blocks[0], op.bodyRegion.blocks[-1]
    rewriter.take_region(op.bodyRegion, region, region.blocks.index(joining))
    with rewriter.at(builder.InsertionPoint(before)):
        height = emit(StackSaveOp, type=llvm_types.POINTER)
        emit.insert(BranchOp, destOperands=(), dest=entry)
    leaving = last.last
    assert leaving is not None, "the region ends in a terminator"
    with rewriter.at(builder.InsertionPoint(last)):
        emit.insert(StackRestoreOp, height)
        emit.insert(BranchOp, destOperands=leaving.operands, dest=joining)
    rewriter.erase(leaving)
    return joining.arguments


# --- globals


def storage_type(site: LoweringSite[Any], type: builtin_types.MemRefType) -> Type | None:
    """Return the LLVM type of a global's storage: nested arrays of the elements. Return None if the element
    type cannot be converted.
    """
    form = site.converter.convert_type(type.element_type)
    for extent in reversed(type.shape):
        form = llvm_types.LLVMArrayType(form, extent) if form is not None else None
    return form


def _global(site: LoweringSite[ops_buffer.GlobalOp]) -> Sequence[Value] | NoMatch:
    op, type = site.op, site.op.type
    form, space = storage_type(site, type), site.converter.memory_space(type)
    if form is None or space is None:
        return NoMatch("type {} cannot be converted", (type,))
    value = op.initial_value
    made = site.emit.insert(
        GlobalOp,
        global_type=form,
        sym_name=op.sym_name,
        linkage=llvm_enums.Linkage.PRIVATE if op.sym_visibility == "private" else llvm_enums.Linkage.EXTERNAL,
        constant=op.constant,
        value=_initial(value) if isinstance(value, builtin_attributes.DenseElementsAttr) else None,
        alignment=op.alignment,
        addr_space=space,
    )
    if value is not None and not isinstance(value, builtin_attributes.DenseElementsAttr):
        _leave_undefined(site, made, form)
    return ()


def _initial(value: builtin_attributes.DenseElementsAttr) -> Attribute:
    """Return the initial value of a global: its elements, or a single number for a buffer of rank 0."""
    if value.shape:
        return value.replace(type=builtin_types.RankedTensorType(value.shape, value.element_type))
    element, (pattern,) = value.element_type, value.patterns()
    return (
        builtin_attributes.FloatAttr(element, pattern)
        if isinstance(element, builtin_types.FloatType)
        else builtin_attributes.IntegerAttr(element, pattern)
    )


def _leave_undefined(site: LoweringSite[Any], made: GlobalOp, form: Type) -> None:
    """Initialise a global without elements to undefined values."""
    block = ir_block.Block()
    made.regions[0].append(block)
    with site.rewriter.at(builder.InsertionPoint(block)):
        site.emit.insert(llvm_control.ReturnOp, site.emit(llvm_aggregate.UndefOp, type=form))


def _get_global(site: LoweringSite[ops_buffer.GetGlobalOp]) -> Value:
    """Return the descriptor of a global. Its allocated pointer is `NO_ALLOCATION`, as its memory must not be
    freed.
    """
    emit, type = site.emit, checked_type(site.op.result)
    shape = extents(emit, type, ())
    form, storage = site.result_type(), storage_type(site, type)
    assert storage is not None, "the memref was converted"
    pointer = llvm_types.LLVMPointerType(site.converter.memory_space(type) or 0)
    address = emit(llvm_aggregate.AddressOfOp, site.op.name_, type=pointer)
    first = emit.address(address, [0] * (1 + len(type.shape)), storage)
    nowhere = emit(IntToPtrOp, emit.index(NO_ALLOCATION), type=pointer)
    return build_descriptor(emit, form, nowhere, first, shape)


def allocation_rules(options: AllocationOptions) -> dict[type[Operation], Rule]:
    """Return the rules for allocations on the heap and the stack, for deallocations and globals, by the class
    of the operation. ``options`` choose the functions that the code calls.
    """
    return {
        ops_buffer.AllocOp: _allocate(options),
        ops_buffer.AllocaOp: _stack,
        ops_buffer.AllocaScopeOp: _scope,
        ops_buffer.DeallocOp: _free(options),
        ops_buffer.GlobalOp: _global,
        ops_buffer.GetGlobalOp: _get_global,
    }
