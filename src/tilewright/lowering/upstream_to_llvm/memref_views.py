"""Lowering of views, casts and copies of memrefs: only descriptors change, and no element moves (except in a
copy).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any

from tilewright.dialects.arith.ops_integer import ConstantOp as ArithConstantOp
from tilewright.dialects.common.constraints import checked_type
from tilewright.dialects.llvm import types as llvm_types
from tilewright.dialects.llvm.intrinsics.integer import SMinOp
from tilewright.dialects.llvm.intrinsics.memory import AssumeOp, MemcpyOp, StackRestoreOp, StackSaveOp
from tilewright.dialects.llvm.ops import arithmetic as llvm, conversion as llvm_conversion
from tilewright.dialects.memref import ops_buffer, ops_view
from tilewright.ir.arithmetic import affine, strided_layout
from tilewright.ir.attribute import Type
from tilewright.ir.builtin_attributes import ArrayAttr, IntegerAttr, StringAttr, boolean
from tilewright.ir.builtin_types import DYNAMIC, MemRefType, i1, i8, i64
from tilewright.ir.operation import Operation
from tilewright.ir.value import OpResult, Value
from tilewright.lowering.emitter import LlvmEmitter
from tilewright.lowering.llvm_types.converter import layout_of
from tilewright.lowering.llvm_types.memref_descriptor import SIZES, MemRefDescriptor, resized, unranked_pair
from tilewright.lowering.upstream_to_llvm.memref_access import buffer_pointer
from tilewright.lowering.upstream_to_llvm.patterns import LoweringSite, Rule, declare_function
from tilewright.rewrite.pattern import NoMatch

Number = Value | int
"""A size, stride or offset: an int if it is static, else a value."""


def _mixed(known: Sequence[int], unknown: Sequence[Value]) -> list[Number]:
    rest = iter(unknown)
    return [next(rest) if number == DYNAMIC else number for number in known]


def _value(emit: LlvmEmitter, number: Number) -> Value:
    return emit.index(number) if isinstance(number, int) else number


def times(emit: LlvmEmitter, left: Number, right: Number) -> Number:
    """Return the product of two numbers: an int if both are ints or one is the int 0, else a value. A product
    with the int 1 is the other number, without an operation.
    """
    if isinstance(left, int) and isinstance(right, int):
        return left * right
    for one, other in ((left, right), (right, left)):
        if isinstance(one, int) and one in (0, 1):
            return other if one else 0
    return emit.multiply(_value(emit, left), _value(emit, right))


def plus(emit: LlvmEmitter, left: Number, right: Number) -> Number:
    """Return the sum of two numbers: an int if both are ints, else a value. To add the int 0 emits no
    operation.
    """
    if isinstance(left, int) and isinstance(right, int):
        return left + right
    for one, other in ((left, right), (right, left)):
        if isinstance(one, int) and one == 0:
            return other
    return emit.add(_value(emit, left), _value(emit, right))


class MemRefSource:
    """A memref operand, with methods that return its sizes, strides and offset: ints if its type has them,
    else values from its descriptor.
    """

    def __init__(self, emit: LlvmEmitter, value: Value, type: MemRefType) -> None:
        self.descriptor = MemRefDescriptor(emit, value)
        self.type = type
        self.known_strides, self.known_offset = layout_of(type)

    def size(self, at: int) -> Number:
        """Return the extent of dimension `at`: an int if the type has it, else from the descriptor."""
        known = self.type.shape[at]
        return self.descriptor.size(at) if known == DYNAMIC else known

    def stride(self, at: int) -> Number:
        """Return the stride of dimension `at` in elements: an int if the type has it, else from the
        descriptor.
        """
        known = self.known_strides[at]
        return self.descriptor.stride(at) if known == DYNAMIC else known

    def offset(self) -> Number:
        """Return the offset in elements: an int if the type has it, else from the descriptor."""
        return self.descriptor.offset() if self.known_offset == DYNAMIC else self.known_offset


def _view(
    site: LoweringSite[Any],
    source: MemRefDescriptor,
    offset: Number,
    sizes: Sequence[Number],
    strides: Sequence[Number],
) -> Value:
    """Return a descriptor, of the result type of the operation at `site`, for the buffer of `source`, with
    the given offset, sizes and strides.
    """
    view = MemRefDescriptor.empty(site.emit, site.result_type())
    allocated, aligned = source.allocated(), source.aligned()
    view.set_allocated(allocated)
    view.set_aligned(aligned)
    view.set_offset(offset)
    for at, (size, stride) in enumerate(zip(sizes, strides, strict=True)):
        view.set_size(at, size)
        view.set_stride(at, stride)
    return view.value


# --- slices


def _subview(site: LoweringSite[ops_view.SubViewOp]) -> Value:
    """Lower a subview: add the offsets times the strides of the source to its offset, multiply the strides by
    the steps, and omit the dimensions of the source that the result type lacks (`kept_dimensions`).
    """
    op, emit = site.op, site.emit
    source = MemRefSource(emit, site.adaptor.source, checked_type(op.source))
    offsets = _mixed(op.static_offsets, site.adaptor.offsets)
    sizes = _mixed(op.static_sizes, site.adaptor.sizes)
    steps = _mixed(op.static_strides, site.adaptor.strides)
    strides = [source.stride(at) for at in range(len(sizes))]
    offset = source.offset()
    for start, stride in zip(offsets, strides, strict=True):
        offset = plus(emit, offset, times(emit, start, stride))
    kept = kept_dimensions(op)
    stepped = [times(emit, strides[at], steps[at]) for at in kept]
    return _view(site, source.descriptor, offset, [sizes[at] for at in kept], stepped)


def kept_dimensions(op: ops_view.SubViewOp) -> list[int]:
    """Return the dimensions of the source that remain in the result of a subview. Each dimension of the
    result is matched, in order, with the next source dimension of the same size and stride.
    """
    result: MemRefType = checked_type(op.result)
    strides = layout_of(result)[0]
    source_strides = layout_of(checked_type(op.source))[0]
    wanted = list(zip(result.shape, strides, strict=True))
    kept: list[int] = []
    for at, (extent, step) in enumerate(zip(op.static_sizes, op.static_strides, strict=True)):
        known = DYNAMIC not in (source_strides[at], step)
        stride = source_strides[at] * step if known else DYNAMIC
        if len(kept) < len(wanted) and wanted[len(kept)] == (extent, stride):
            kept.append(at)
    return kept


def _reinterpret(site: LoweringSite[ops_view.ReinterpretCastOp]) -> Value | NoMatch:
    op, adaptor = site.op, site.adaptor
    if not isinstance(op.source.type, MemRefType):
        return NoMatch("an unranked source has no descriptor of its own; cast it to a ranked memref first")
    offset, *_ = _mixed(op.static_offsets, adaptor.offsets)
    sizes = _mixed(op.static_sizes, adaptor.sizes)
    strides = _mixed(op.static_strides, adaptor.strides)
    return _view(site, MemRefDescriptor(site.emit, adaptor.source), offset, sizes, strides)


def _expand(site: LoweringSite[ops_view.ExpandShapeOp]) -> Value:
    """Lower `expand_shape`: the dimensions that a source dimension is split into have strides that are the
    products of the sizes after them.
    """
    op, emit = site.op, site.emit
    source = MemRefSource(emit, site.adaptor.src, checked_type(op.src))
    shape: tuple[int, ...] = checked_type(op.result).shape
    sizes: list[Number] = [0] * len(shape)
    strides: list[Number] = [0] * len(shape)
    groups: Sequence[Sequence[int]] = op.reassociation
    for at, group in enumerate(groups):
        strides[group[-1]] = source.stride(at)
        for place in reversed(group):
            sizes[place] = _expanded_size(emit, source, at, group, place, shape)
            if place != group[0]:
                strides[place - 1] = times(emit, strides[place], sizes[place])
    return _view(site, source.descriptor, source.offset(), sizes, strides)


def _expanded_size(
    emit: LlvmEmitter, source: MemRefSource, at: int, group: Sequence[int], place: int, shape: Sequence[int]
) -> Number:
    """Return the size of dimension `place`, one of the dimensions `group` that source dimension `at` is split
    into: a static size, or the source's size divided by the static sizes.
    """
    if shape[place] != DYNAMIC:
        return shape[place]
    known = 1
    for other in group:
        known *= shape[other] if shape[other] != DYNAMIC else 1
    size = source.size(at)
    return size if known == 1 else emit(llvm.SDivOp, _value(emit, size), emit.index(known))


def _collapse(site: LoweringSite[ops_view.CollapseShapeOp]) -> Value:
    """Lower `collapse_shape`: the size of a joined dimension is the product of the sizes, and its stride the
    smallest stride of the dimensions whose size is not 1 (`_least_stride`).
    """
    op, emit = site.op, site.emit
    source = MemRefSource(emit, site.adaptor.src, checked_type(op.src))
    sizes: list[Number] = []
    strides: list[Number] = []
    for group in op.reassociation:
        size: Number = 1
        for at in group:
            size = times(emit, size, source.size(at))
        sizes.append(size)
        strides.append(_least_stride(emit, source, group))
    return _view(site, source.descriptor, source.offset(), sizes, strides)


def _least_stride(emit: LlvmEmitter, source: MemRefSource, group: Sequence[int]) -> Number:
    """Return the smallest stride of the dimensions `group` whose size is not known to be one; of the last
    dimension if all have size one, and 1 if there are no dimensions. If strides are dynamic, it is the stride
    of the last of these dimensions or, if its size is dynamic and so may be one, the minimum at run time.
    """
    shape = source.type.shape
    candidates = [at for at in group if shape[at] != 1] or [group[-1]] if group else []
    if not candidates:
        return 1
    known = [source.known_strides[at] for at in candidates]
    if DYNAMIC not in known:
        return min(known)
    if shape[candidates[-1]] != DYNAMIC:
        return source.stride(candidates[-1])
    least = _value(emit, source.stride(candidates[0]))
    for at in candidates[1:]:
        least = emit(SMinOp, least, _value(emit, source.stride(at)))
    return least


def _transpose(site: LoweringSite[ops_view.TransposeOp]) -> Value:
    op = site.op
    source = MemRefDescriptor(site.emit, site.adaptor.in_)
    view = MemRefDescriptor.empty(site.emit, site.result_type())
    view.set_allocated(source.allocated())
    view.set_aligned(source.aligned())
    view.set_offset(source.offset())
    for at, dimension in enumerate(op.permutation.map.results):
        assert isinstance(dimension, affine.AffineDimension), "the map is a permutation"
        view.set_size(at, source.size(dimension.position))
        view.set_stride(at, source.stride(dimension.position))
    return view.value


def _bytes_as(site: LoweringSite[ops_view.ViewOp]) -> Value:
    """Lower ``memref.view``: a buffer of bytes becomes a buffer of other elements, from a byte offset on."""
    op, emit, adaptor = site.op, site.emit, site.adaptor
    type: MemRefType = checked_type(op.result)
    view = MemRefDescriptor.empty(emit, site.result_type())
    source = MemRefDescriptor(emit, adaptor.source)
    view.set_allocated(source.allocated())
    view.set_aligned(emit.address(source.aligned(), [adaptor.byte_shift], i8))
    view.set_offset(0)
    sizes = _mixed(type.shape, adaptor.sizes)
    known = strided_layout.row_major_strides(type.shape)
    stride: Number = 1
    for at in reversed(range(len(sizes))):
        view.set_size(at, sizes[at])
        stride = stride if known[at] == DYNAMIC else known[at]
        view.set_stride(at, stride)
        if at and known[at - 1] == DYNAMIC:
            stride = times(emit, stride, sizes[at])
    return view.value


# --- casts


def _cast(site: LoweringSite[ops_view.CastOp]) -> Value | NoMatch:
    source, target = site.op.source.type, site.op.dest.type
    value, form = site.adaptor.source, site.result_type()
    match isinstance(source, MemRefType), isinstance(target, MemRefType):
        case True, False:
            assert isinstance(source, MemRefType)
            return _unranked(site.emit, value, form, lambda: site.emit.index(len(source.shape)))
        case False, True:
            return site.emit.load(site.emit.extract(value, 1), form)
        case _:
            return value if value.type is form else NoMatch("the descriptors of the two types differ")


def _unranked(emit: LlvmEmitter, value: Value, form: Type, rank: Callable[[], Value]) -> Value:
    """Return an unranked memref of the LLVM type `form`: a struct of the rank, which the function `rank`
    emits, and the address of a stack slot in which the descriptor `value` is stored.
    """
    slot = emit.stack_slot(value.type)
    emit.store(value, slot)
    return unranked_pair(emit, form, rank(), slot)


def _space_cast(site: LoweringSite[ops_view.MemorySpaceCastOp]) -> Value | NoMatch:
    """Lower a cast of the memory space: cast both pointers of the descriptor. An unranked memref does not
    match.
    """
    emit, value = site.emit, site.adaptor.source
    if not isinstance(site.op.source.type, MemRefType):
        return NoMatch("the space of an unranked memref is cast after it is cast to a ranked one")
    source = MemRefDescriptor(emit, value)
    view = MemRefDescriptor.empty(emit, site.result_type())
    view.set_allocated(emit(llvm_conversion.AddrSpaceCastOp, source.allocated(), type=view.pointer_type))
    view.set_aligned(emit(llvm_conversion.AddrSpaceCastOp, source.aligned(), type=view.pointer_type))
    view.set_offset(source.offset())
    for at in range(source.rank):
        view.set_size(at, source.size(at))
        view.set_stride(at, source.stride(at))
    return view.value


def _assume_alignment(site: LoweringSite[ops_buffer.AssumeAlignmentOp]) -> Value:
    emit, memref, type = site.emit, site.adaptor.memref, checked_type(site.op.memref)
    element = site.converter.convert_type(type.element_type)
    pointer = buffer_pointer(emit, MemRefDescriptor(emit, memref), type, element)
    holds = emit.constant(boolean(True), i1)
    emit.insert(
        AssumeOp,
        holds,
        op_bundle_sizes=(2,),
        op_bundle_operands=(pointer, emit.index(site.op.alignment)),
        op_bundle_tags=ArrayAttr((StringAttr("align"),)),
    )
    return memref


# --- questions


def _metadata(site: LoweringSite[ops_buffer.ExtractStridedMetadataOp]) -> list[Value]:
    """Lower ``extract_strided_metadata``: return the buffer as a descriptor of rank 0, the offset, the sizes
    and the strides. All numbers are read from the descriptor.
    """
    emit = site.emit
    source = MemRefDescriptor(emit, site.adaptor.source)
    allocated, aligned = source.allocated(), source.aligned()
    base = MemRefDescriptor.empty(emit, site.result_type())
    base.set_allocated(allocated)
    base.set_aligned(aligned)
    base.set_offset(0)
    rank = len(checked_type(site.op.source).shape)
    numbers = [source.offset(), *map(source.size, range(rank)), *map(source.stride, range(rank))]
    return [base.value, *numbers]


def constant_index(value: Value) -> int | None:
    """Return the integer of the `arith.constant` that defines `value`; None if another operation, or none,
    defines it.
    """
    if not isinstance(value, OpResult) or not isinstance(value.owner, ArithConstantOp):
        return None
    number = value.owner.value
    return number.value if isinstance(number, IntegerAttr) else None


def _dimension(site: LoweringSite[ops_buffer.DimOp]) -> Value:
    type = site.op.source.type
    if not isinstance(type, MemRefType):
        return _dimension_of_unranked(site)
    emit, which = site.emit, constant_index(site.op.index)
    descriptor = MemRefDescriptor(emit, site.adaptor.source)
    if which is None:
        one, sizes = (
            emit.index(1),
            emit.extract(site.adaptor.source, SIZES),
        )  # a rank of 0 has no sizes to ask
        slot = emit.stack_slot(sizes.type, one)
        emit.store(sizes, slot)
        size = emit.load(emit.address(slot, [0, site.adaptor.index], sizes.type), i64)
        return _as_index(emit, size)
    if not 0 <= which < len(type.shape):
        return emit.poison(emit.index_type)  # undefined in the program, too
    return descriptor.size(which) if type.shape[which] == DYNAMIC else emit.index(type.shape[which])


def _as_index(emit: LlvmEmitter, size: Value) -> Value:
    return resized(emit, size, emit.index_type)


def _dimension_of_unranked(site: LoweringSite[Any]) -> Value:
    """Return a dynamic size of an unranked memref: load it from the ranked descriptor in memory, in which the
    sizes follow the offset.
    """
    emit, memref = site.emit, site.adaptor.source
    pair: Any = memref.type
    pointer = llvm_types.LLVMPointerType(site.converter.memory_space(site.op.source.type) or 0)
    head = llvm_types.LLVMStructType((pointer, pointer, i64))
    offset = emit.address(emit.extract(memref, 1), [0, 2], head)
    assert pair.body is not None, "an unranked memref is a struct"
    place = emit.add(emit.index(1), site.adaptor.index)
    return _as_index(emit, emit.load(emit.address(offset, [place], i64), i64))


def _rank(site: LoweringSite[ops_buffer.RankOp]) -> Value:
    type = site.op.memref.type
    if isinstance(type, MemRefType):
        return site.emit.index(len(type.shape))
    return _as_index(site.emit, site.emit.extract(site.adaptor.memref, 0))


def _aligned_pointer(site: LoweringSite[ops_buffer.ExtractAlignedPointerAsIndexOp]) -> Value:
    """Return the aligned pointer as a number; an unranked memref stores it after the allocated pointer."""
    emit, source = site.emit, site.adaptor.source
    if isinstance(site.op.source.type, MemRefType):
        pointer = MemRefDescriptor(emit, source).aligned()
    else:
        space = llvm_types.LLVMPointerType(site.converter.memory_space(site.op.source.type) or 0)
        pointer = emit.load(emit.address(emit.extract(source, 1), [1], space), space)
    return emit(llvm_conversion.PtrToIntOp, pointer, type=emit.index_type)


# --- copies


def is_contiguous(type: Any) -> bool:
    """Return whether the elements of a memref are known to be contiguous in memory. It is True for the
    default layout, and for another layout if the shape is static, not empty, and has row-major strides. It is
    False for an unranked memref.
    """
    if not isinstance(type, MemRefType):
        return False
    if type.layout is None:
        return True
    return (
        DYNAMIC not in type.shape
        and 0 not in type.shape
        and layout_of(type)[0] == strided_layout.row_major_strides(type.shape)
    )


def _copy(site: LoweringSite[ops_buffer.CopyOp]) -> Sequence[Value]:
    op = site.op
    if is_contiguous(op.source.type) and is_contiguous(op.target.type):
        _copy_bytes(site)
    else:
        _copy_by_runtime(site)
    return ()


def _copy_bytes(site: LoweringSite[Any]) -> None:
    emit, type = site.emit, site.op.source.type
    element = site.converter.convert_type(type.element_type)
    assert element is not None, "the memref was converted"
    source = MemRefDescriptor(emit, site.adaptor.source)
    target = MemRefDescriptor(emit, site.adaptor.target)
    count = emit.index(1)
    for at in range(len(type.shape)):
        count = emit.multiply(count, source.size(at))
    size = emit.multiply(count, emit.size_of(element))
    read = buffer_pointer(emit, source, type, element)
    write = buffer_pointer(emit, target, site.op.target.type, element)
    emit.insert(MemcpyOp, write, read, size, isVolatile=False)


def _copy_by_runtime(site: LoweringSite[Any]) -> None:
    """Call ``memrefCopy(element bytes, source, target)``. Both arguments are addresses of unranked memrefs on
    the stack, whose space is freed after the call.
    """
    emit, op = site.emit, site.op
    height = emit(StackSaveOp, type=llvm_types.POINTER)
    unranked = list(_as_unranked(site))
    one = emit.index(1)
    slots: list[Value] = []
    for value in unranked:
        slot = emit.stack_slot(value.type, one)
        emit.store(value, slot)
        slots.append(slot)
    element = site.converter.convert_type(op.source.type.element_type)
    assert element is not None, "the memref was converted"
    size = emit.size_of(element)
    type = llvm_types.LLVMFunctionType(
        llvm_types.VOID, (emit.index_type, llvm_types.POINTER, llvm_types.POINTER)
    )
    emit.call(declare_function(site.rewriter, op, "memrefCopy", type), [size, *slots])
    emit.insert(StackRestoreOp, height)


def _as_unranked(site: LoweringSite[Any]) -> Iterator[Value]:
    for value, type in (
        (site.adaptor.source, site.op.source.type),
        (site.adaptor.target, site.op.target.type),
    ):
        if isinstance(type, MemRefType):
            rank = site.emit.integer(len(type.shape), i64)
            yield _unranked(
                site.emit, value, llvm_types.LLVMStructType((i64, llvm_types.POINTER)), lambda rank=rank: rank
            )
        else:
            yield value


VIEW_RULES: dict[type[Operation], Rule] = {
    ops_buffer.AssumeAlignmentOp: _assume_alignment,
    ops_view.CastOp: _cast,
    ops_view.CollapseShapeOp: _collapse,
    ops_buffer.CopyOp: _copy,
    ops_buffer.DimOp: _dimension,
    ops_view.ExpandShapeOp: _expand,
    ops_buffer.ExtractAlignedPointerAsIndexOp: _aligned_pointer,
    ops_buffer.ExtractStridedMetadataOp: _metadata,
    ops_view.MemorySpaceCastOp: _space_cast,
    ops_buffer.RankOp: _rank,
    ops_view.ReinterpretCastOp: _reinterpret,
    ops_view.SubViewOp: _subview,
    ops_view.TransposeOp: _transpose,
    ops_view.ViewOp: _bytes_as,
}
"""The function that lowers each view, cast, query and copy of memrefs."""
