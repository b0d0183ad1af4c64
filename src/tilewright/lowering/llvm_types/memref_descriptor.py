"""The descriptor of a memref: ``{allocated pointer, aligned pointer, offset, sizes[R], strides[R]}``.

Fields have 64 bits; where ``index`` is narrower or wider, numbers change their width on the way in and out.
"""

from __future__ import annotations

from collections.abc import Sequence

from tilewright.dialects.llvm.ops.conversion import SExtOp, TruncOp
from tilewright.dialects.llvm.types import LLVMArrayType, LLVMPointerType, LLVMStructType
from tilewright.ir.attribute import Type
from tilewright.ir.builtin_types import IntegerType, i64
from tilewright.ir.value import Value
from tilewright.lowering.emitter import LlvmEmitter

ALLOCATED, ALIGNED, OFFSET, SIZES, STRIDES = range(5)
"""The positions of the fields in the struct of a descriptor."""


def descriptor_fields(space: int, rank: int) -> tuple[Type, ...]:
    """Return the types of the fields of a memref descriptor: the two pointers into the address space `space`,
    the offset, and the arrays of `rank` sizes and strides, which a memref of rank 0 does not have.
    """
    pointer = LLVMPointerType(space)
    numbers = (LLVMArrayType(i64, rank),) * 2 if rank else ()
    return (pointer, pointer, i64, *numbers)


def resized(emit: LlvmEmitter, value: Value, type: Type) -> Value:
    """Return an integer sign-extended or truncated to `type`."""
    given = value.type
    assert isinstance(given, IntegerType)
    assert isinstance(type, IntegerType)
    if given is type:
        return value
    return emit(SExtOp if given.width < type.width else TruncOp, value, type=type)


class MemRefDescriptor:
    """Reads and builds a descriptor of a memref; ``value`` is the struct after the last field that was set.
    Methods emit the operations that read or set a field, and convert its number to or from LLVM's index type.
    """

    __slots__ = ("emit", "value")

    def __init__(self, emit: LlvmEmitter, value: Value) -> None:
        self.emit = emit
        self.value = value

    @classmethod
    def empty(cls, emit: LlvmEmitter, form: Type) -> MemRefDescriptor:
        """Return a descriptor of type `form` whose fields are poison until they are set."""
        return cls(emit, emit.poison(form))

    # --- reading

    @property
    def form(self) -> LLVMStructType:
        """Return the type of the descriptor."""
        form = self.value.type
        assert isinstance(form, LLVMStructType)
        return form

    @property
    def pointer_type(self) -> LLVMPointerType:
        """Return the type of the two pointers."""
        pointer = (self.form.body or ())[ALLOCATED]
        assert isinstance(pointer, LLVMPointerType)
        return pointer

    @property
    def rank(self) -> int:
        """Return the rank of the memref: the number of sizes in the descriptor."""
        body = self.form.body or ()
        sizes = body[SIZES] if len(body) > SIZES else None
        return sizes.count if isinstance(sizes, LLVMArrayType) else 0

    def allocated(self) -> Value:
        """Extract the pointer that was allocated, and return it."""
        return self.emit.extract(self.value, ALLOCATED)

    def aligned(self) -> Value:
        """Extract the aligned pointer, to which the offset is added, and return it."""
        return self.emit.extract(self.value, ALIGNED)

    def offset(self) -> Value:
        """Extract the offset in elements from the aligned pointer to the first element, and return it."""
        return self._number(OFFSET)

    def size(self, at: int) -> Value:
        """Extract the extent of dimension `at`, and return it."""
        return self._number(SIZES, at)

    def stride(self, at: int) -> Value:
        """Extract the stride of dimension `at` in elements, and return it."""
        return self._number(STRIDES, at)

    def _number(self, *position: int) -> Value:
        return resized(self.emit, self.emit.extract(self.value, *position), self.emit.index_type)

    # --- building

    def set_allocated(self, pointer: Value) -> None:
        """Set the pointer that was allocated."""
        self.value = self.emit.insert_into(self.value, pointer, ALLOCATED)

    def set_aligned(self, pointer: Value) -> None:
        """Set the aligned pointer, to which the offset is added."""
        self.value = self.emit.insert_into(self.value, pointer, ALIGNED)

    def set_offset(self, value: Value | int) -> None:
        """Set the offset to `value`, in elements."""
        self._set_number(value, OFFSET)

    def set_size(self, at: int, value: Value | int) -> None:
        """Set the extent of dimension `at` to `value`."""
        self._set_number(value, SIZES, at)

    def set_stride(self, at: int, value: Value | int) -> None:
        """Set the stride of dimension `at` to `value`, in elements."""
        self._set_number(value, STRIDES, at)

    def _set_number(self, value: Value | int, *position: int) -> None:
        number = self.emit.index(value, i64) if isinstance(value, int) else resized(self.emit, value, i64)
        self.value = self.emit.insert_into(self.value, number, *position)


def pack_fields(emit: LlvmEmitter, form: LLVMStructType, values: Sequence[Value]) -> Value:
    """Return a struct of type `form`, a descriptor or any other struct of fields and arrays, packed from
    ``values``: its fields in order, where an array counts as its elements.
    """
    packed, rest = emit.poison(form), iter(values)
    for position, field in enumerate(form.body or ()):
        if isinstance(field, LLVMArrayType):
            for at in range(field.count):
                packed = emit.insert_into(packed, next(rest), position, at)
        else:
            packed = emit.insert_into(packed, next(rest), position)
    return packed


def bare_descriptor(
    emit: LlvmEmitter,
    form: LLVMStructType,
    pointer: Value,
    shape: Sequence[int],
    strides: Sequence[int],
    offset: int,
) -> Value:
    """Return the descriptor of type `form` of a memref whose ``shape``, ``strides`` and ``offset`` are known,
    in elements. ``pointer`` is both the allocated and the aligned pointer.
    """
    descriptor = MemRefDescriptor.empty(emit, form)
    descriptor.set_allocated(pointer)
    descriptor.set_aligned(pointer)
    descriptor.set_offset(offset)
    for at, (extent, stride) in enumerate(zip(shape, strides, strict=True)):
        descriptor.set_size(at, extent)
        descriptor.set_stride(at, stride)
    return descriptor.value


def unranked_pair(emit: LlvmEmitter, form: Type, rank: Value, pointer: Value) -> Value:
    """Return the descriptor of an unranked memref: a struct of type `form` of the rank, as an i64, and
    ``pointer``, the address of a ranked descriptor.
    """
    return emit.pack(form, [resized(emit, rank, i64), pointer])
