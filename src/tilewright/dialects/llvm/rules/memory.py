"""Rules of loads, stores, atomics and addresses beyond the types of single operands."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from tilewright.dialects.common.constraints import element_type_or_self
from tilewright.dialects.llvm import types as llvm_types
from tilewright.dialects.llvm.enums import AtomicBinaryOperation, AtomicOrdering, PointerWrapFlags
from tilewright.ir.attribute import Type
from tilewright.ir.builtin_types import IntegerType, VectorType
from tilewright.ir.declaration.traits import VerifyError

if TYPE_CHECKING:
    from tilewright.dialects.llvm.ops import memory as llvm_memory

ATOMIC_WIDTHS = (8, 16, 32, 64)
"""The widths of integers on which an atomic read-modify-write computes."""
ACQUIRING = (AtomicOrdering.ACQUIRE, AtomicOrdering.ACQ_REL)
RELEASING = (AtomicOrdering.RELEASE, AtomicOrdering.ACQ_REL)
FLOAT_ATOMICS = (
    AtomicBinaryOperation.FADD,
    AtomicBinaryOperation.FSUB,
    AtomicBinaryOperation.FMAX,
    AtomicBinaryOperation.FMIN,
    AtomicBinaryOperation.FMAXIMUM,
    AtomicBinaryOperation.FMINIMUM,
)


def check_atomic_access(
    op: llvm_memory.LoadOp | llvm_memory.StoreOp, forbidden: Sequence[AtomicOrdering]
) -> None:
    """Raise `VerifyError` unless an atomic load or store has an ordering that is not in `forbidden`, an
    alignment, and a value that is a float, a pointer or an integer of a power of two of at least 8 bits. An
    access that is not atomic must have no synchronization scope.
    """
    ordering = op.ordering
    if ordering is AtomicOrdering.NOT_ATOMIC:
        if op.syncscope is not None:
            raise VerifyError("expected syncscope to be null for non-atomic access")
        return
    value = op.results[0].type if op.results else op.operands[0].type
    if not _is_atomic_type(value):
        raise VerifyError(f"unsupported type '{value}' for atomic access")
    if ordering in forbidden:
        raise VerifyError(f"unsupported ordering '{ordering.spelling}'")
    if op.alignment is None:
        raise VerifyError("expected alignment for atomic access")


def _is_atomic_type(type: Type) -> bool:
    if isinstance(type, IntegerType):
        return type.width >= 8 and type.width & (type.width - 1) == 0
    return llvm_types.is_float(type) or isinstance(type, llvm_types.LLVMPointerType)


def check_read_modify_write(op: llvm_memory.AtomicRMWOp) -> None:
    """Raise `VerifyError` unless the ordering of ``atomicrmw`` is at least `monotonic`, and the value suits
    the operation: a float or a vector of floats for float operations; a float, a pointer or an integer of a
    power of two of at least 8 bits for `xchg`; an integer of 8, 16, 32 or 64 bits for others.
    """
    value, operation = op.val.type, op.bin_op
    if operation in FLOAT_ATOMICS:
        if not llvm_types.is_float(element_type_or_self(value)):
            vector = (
                " or LLVM IR fixed vector of floating point type" if isinstance(value, VectorType) else ""
            )
            raise VerifyError(f"expected LLVM IR floating point type{vector}")
    elif operation is AtomicBinaryOperation.XCHG:
        if not _is_atomic_type(value):
            raise VerifyError("unexpected LLVM IR type for 'xchg' bin_op")
    elif not isinstance(value, IntegerType) or value.width not in ATOMIC_WIDTHS:
        raise VerifyError("expected LLVM IR integer type")
    if op.ordering.value < AtomicOrdering.MONOTONIC.value:
        raise VerifyError("expected at least 'monotonic' ordering")


def check_compare_exchange(op: llvm_memory.AtomicCmpXchgOp) -> None:
    """Raise `VerifyError` unless the value of ``cmpxchg`` is a pointer or an integer of a power of two of at
    least 8 bits, both orderings are at least `monotonic`, and the ordering of a failure is neither `release`
    nor `acq_rel`.
    """
    if not _is_atomic_type(op.val.type):
        raise VerifyError("unexpected LLVM IR type")
    success, failure = op.success_ordering, op.failure_ordering
    if min(success.value, failure.value) < AtomicOrdering.MONOTONIC.value:
        raise VerifyError("ordering must be at least 'monotonic'")
    if failure in RELEASING:
        raise VerifyError("failure ordering cannot be 'release' or 'acq_rel'")


def check_fence(op: llvm_memory.FenceOp) -> None:
    """Raise `VerifyError` unless ``fence`` has an ordering stronger than `monotonic`."""
    if op.ordering.value <= AtomicOrdering.MONOTONIC.value:
        raise VerifyError("can be given only acquire, release, acq_rel, and seq_cst orderings")


def check_address(op: llvm_memory.GEPOp) -> None:
    """Raise `VerifyError` unless ``getelementptr`` has one operand for each dynamic position, and its
    positions lead to an element or member of the element type. The flag `inbounds_flag` alone is refused.
    """
    dynamic = sum(position == llvm_types.DYNAMIC_POSITION for position in op.rawConstantIndices)
    if dynamic != len(op.dynamicIndices):
        raise VerifyError("expected as many dynamic indices as specified in 'rawConstantIndices'")
    if op.noWrapFlags is PointerWrapFlags.INBOUNDS_FLAG:
        raise VerifyError("'inbounds_flag' cannot be used directly.")
    _check_path(op.elem_type, op.rawConstantIndices)


def _check_path(type: Type, positions: Sequence[int]) -> None:
    """Raise `VerifyError` unless the positions after the first one lead to a member of `type`. Positions in
    structs must be constant and exist; positions in arrays and vectors are not checked.
    """
    for number, position in enumerate(positions[1:], 1):
        if isinstance(type, llvm_types.LLVMStructType):
            if position == llvm_types.DYNAMIC_POSITION:
                raise VerifyError(f"expected index {number} indexing a struct to be constant")
            body = type.body or ()
            if not 0 <= position < len(body):
                raise VerifyError(f"index {number} indexing a struct is out of bounds")
            type = body[position]
        elif isinstance(type, VectorType | llvm_types.LLVMArrayType):
            type = type.element_type
        else:
            raise VerifyError(f"type '{type}' cannot be indexed (index #{number})")
