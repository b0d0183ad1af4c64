"""Rules of accesses to buffers beyond the types of single operands."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tilewright.dialects.arith.attributes import AtomicRMWKind
from tilewright.dialects.common.constraints import checked_type, is_float, is_signless_integer
from tilewright.ir.declaration.traits import VerifyError

if TYPE_CHECKING:
    from tilewright.dialects.memref import ops_access as memref_access


FLOAT_KINDS = (
    AtomicRMWKind.ADDF,
    AtomicRMWKind.MAXIMUMF,
    AtomicRMWKind.MINIMUMF,
    AtomicRMWKind.MULF,
    AtomicRMWKind.MAXNUMF,
    AtomicRMWKind.MINNUMF,
)


INTEGER_KINDS = (
    AtomicRMWKind.ADDI,
    AtomicRMWKind.MAXS,
    AtomicRMWKind.MAXU,
    AtomicRMWKind.MINS,
    AtomicRMWKind.MINU,
    AtomicRMWKind.MULI,
    AtomicRMWKind.ORI,
    AtomicRMWKind.XORI,
    AtomicRMWKind.ANDI,
)


def check_load(op: memref_access.LoadOp) -> None:
    """Raise `VerifyError` unless a load has one subscript per dimension."""
    rank = len(checked_type(op.memref).shape)
    if len(op.indices) != rank:
        raise VerifyError(f"incorrect number of indices for load, expected {rank} but got {len(op.indices)}")


def check_store(op: memref_access.StoreOp) -> None:
    """Raise `VerifyError` unless a store has one subscript per dimension."""
    if len(op.indices) != len(checked_type(op.memref).shape):
        raise VerifyError("store index operand count not equal to memref rank")


def check_subscripts(op: memref_access.AtomicRMWOp) -> None:
    """Raise `VerifyError` unless an atomic access has one subscript per dimension."""
    if len(op.indices) != len(checked_type(op.memref).shape):
        raise VerifyError("expects the number of subscripts to be equal to memref rank")


def check_atomic(op: memref_access.AtomicRMWOp) -> None:
    """Raise `VerifyError` unless there is one subscript per dimension, and a value of float or integer type
    as the kind of operation needs.
    """
    check_subscripts(op)
    kind, value = op.kind_, op.value.type
    if kind in FLOAT_KINDS and not is_float(value):
        raise VerifyError(f"with kind '{kind.name.lower()}' expects a floating-point type")
    if kind in INTEGER_KINDS and not is_signless_integer(value):
        raise VerifyError(f"with kind '{kind.name.lower()}' expects an integer type")


def check_prefetch(op: memref_access.PrefetchOp) -> None:
    """Raise `VerifyError` unless a prefetch has one subscript per dimension."""
    if len(op.indices) != len(checked_type(op.memref).shape):
        raise VerifyError("too few indices")


def check_generic_atomic(op: memref_access.GenericAtomicRMWOp) -> None:
    """Raise `VerifyError` unless there is one subscript per dimension, and the body of ``generic_atomic_rmw``
    has one argument, of the result type.
    """
    if len(op.indices) != len(checked_type(op.memref).shape):
        raise VerifyError(f"expected {len(checked_type(op.memref).shape)} indices, got {len(op.indices)}")
    body = op.atomic_body
    if not body.blocks or len(body.blocks[0].arguments) != 1:
        raise VerifyError("expected single number of entry block arguments")
    if body.blocks[0].arguments[0].type is not op.result.type:
        raise VerifyError("expected block argument of the same type result type")


def check_atomic_yield(op: memref_access.AtomicYieldOp) -> None:
    """Raise `VerifyError` if the enclosing operation has a result and the yielded value is of another type
    than the first result.
    """
    parent = op.parent_op
    if parent is not None and parent.results and parent.results[0].type is not op.result.type:
        raise VerifyError(
            f"types mismatch between yield op: '{op.result.type}' and its parent: '{parent.results[0].type}'"
        )


def check_dma_wait(op: memref_access.DmaWaitOp) -> None:
    """Raise `VerifyError` unless ``dma_wait`` has one subscript per dimension of the tag buffer."""
    rank = len(checked_type(op.tagMemRef).shape)
    if len(op.tagIndices) != rank:
        raise VerifyError(
            "expected tagIndices to have the same number of elements as the tagMemRef rank, "
            f"expected {rank}, but got {len(op.tagIndices)}"
        )
