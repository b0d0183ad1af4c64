"""The rules of accesses to the copies of several devices: orders, and what values may be combined how."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

from tilewright.dialects.llvm.enums import AtomicBinaryOperation, AtomicOrdering
from tilewright.ir.attribute import Type
from tilewright.ir.builtin_types import IntegerType, VectorType, f32
from tilewright.ir.declaration.traits import VerifyError

if TYPE_CHECKING:
    from tilewright.dialects.nvvm.ops.multimem import MultimemLdReduceOp, MultimemRedOp, MultimemStOp

Kind = AtomicBinaryOperation
INTEGERS = frozenset({Kind.ADD, Kind.AND, Kind.OR, Kind.XOR, Kind.MAX, Kind.MIN, Kind.UMAX, Kind.UMIN})
ORDERS = frozenset({AtomicOrdering.MONOTONIC, AtomicOrdering.RELEASE})
"""The memory orderings that updates of copies may have."""
LOADS = frozenset({AtomicOrdering.NOT_ATOMIC, AtomicOrdering.MONOTONIC, AtomicOrdering.ACQUIRE})
STORES = frozenset({AtomicOrdering.NOT_ATOMIC, *ORDERS})


class Ordered(Protocol):
    """An access with a memory order and a scope."""

    ordering: AtomicOrdering
    syncscope: str | None


def _check_order(op: Ordered, allowed: frozenset[AtomicOrdering]) -> None:
    if op.ordering not in allowed:
        known = ", ".join(sorted(f"'{one.spelling}'" for one in allowed))
        raise VerifyError(f"expects one of the orders {known}, but got '{op.ordering.spelling}'")
    if op.syncscope is not None and op.ordering is AtomicOrdering.NOT_ATOMIC:
        raise VerifyError("an access without an order has no scope")


def _check_kind(kind: AtomicBinaryOperation, type: Type, *, reads: bool) -> None:
    """Raise `VerifyError` unless `kind` can combine values of `type`: integer operations for integers,
    addition for floats, and also minimum and maximum for f16 and bf16 if the operation `reads` all copies.
    """
    known = {Kind.FADD}
    if isinstance(type, IntegerType):
        known = INTEGERS
    elif reads and isinstance(type, VectorType) and type.element_type is not f32:
        known = {Kind.FADD, Kind.FMAX, Kind.FMIN}
    if kind not in known:
        raise VerifyError(f"values of type '{type}' are not combined by '{kind.spelling}'")


def check_copied_load(op: MultimemLdReduceOp) -> None:
    """Raise `VerifyError` unless a load that combines all copies has a memory order for loads (not atomic,
    monotonic or acquire), no scope if it is not atomic, and an operation that can combine values of the
    result type.
    """
    _check_order(op, LOADS)
    _check_kind(op.bin_op, op.res.type, reads=True)


def check_copied_store(op: MultimemStOp) -> None:
    """Raise `VerifyError` unless a store to all copies has a memory order for stores (not atomic, monotonic
    or release), and no scope if it is not atomic.
    """
    _check_order(op, STORES)


def check_copied_update(op: MultimemRedOp) -> None:
    """Raise `VerifyError` unless the memory order is monotonic or release, and the operation can update
    values of this type.
    """
    _check_order(op, ORDERS)
    _check_kind(op.bin_op, op.value.type, reads=False)
