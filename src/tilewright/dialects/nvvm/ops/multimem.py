"""Accesses to the copies of several devices through one address (`multimem`), which MLIR has no operations for."""

from __future__ import annotations

from tilewright.dialects.common.base import StandardOp
from tilewright.dialects.llvm.enums import AtomicBinaryOperation, AtomicOrdering
from tilewright.dialects.llvm.kinds import ATOMIC_OPERATION, ORDERING
from tilewright.dialects.nvvm.constraints import (
    FLOAT32,
    GENERIC_OR_GLOBAL,
    INT32_OR_INT64,
    RequiresSM,
    vector,
)
from tilewright.dialects.nvvm.rules.multimem import check_copied_load, check_copied_store, check_copied_update
from tilewright.ir.builtin_types import bf16, f16, f32, f64
from tilewright.ir.declaration.attribute_kind import StringKind
from tilewright.ir.declaration.constraint import OneOf
from tilewright.ir.declaration.fields import attr_def, operand_def, optional_attr_def, result_def
from tilewright.ir.operation import Operation
from tilewright.ir.value import Value

COPIED = (
    INT32_OR_INT64
    | FLOAT32
    | OneOf((f64,), "64-bit float")
    | vector(f32, "32-bit float", 2, 4)
    | vector(f16, "16-bit float", 2, 4, 8)
    | vector(bf16, "bfloat16 type", 2, 4, 8)
)
PLACE = "The address, the same in the copy of each device; a multiple of the size of the value."
ORDER = "How the access is ordered."
SCOPE = "The scope of the ordering; absent: the whole system."


class MultimemOp(StandardOp):
    """An access to the copies of several devices."""

    ordering: AtomicOrdering = attr_def(ORDERING, ORDER, default=AtomicOrdering.NOT_ATOMIC, kw_only=True)
    syncscope: str | None = optional_attr_def(StringKind(), SCOPE, default=None)
    traits = (RequiresSM(90),)


class MultimemLdReduceOp(MultimemOp, name="nvvm.multimem.ld_reduce"):
    """Reads all copies, and combines them; sums of halves are added up as f32."""

    bin_op: AtomicBinaryOperation = attr_def(ATOMIC_OPERATION, "How copies are combined.")
    addr: Value = operand_def(GENERIC_OR_GLOBAL, PLACE)
    res: Value = result_def(COPIED, "The combined value.")

    def verify_(self) -> None:
        check_copied_load(self)


class MultimemStOp(MultimemOp, name="nvvm.multimem.st"):
    """Writes a value to all copies."""

    value: Value = operand_def(COPIED, "The value.")
    addr: Value = operand_def(GENERIC_OR_GLOBAL, PLACE)

    def verify_(self) -> None:
        check_copied_store(self)


class MultimemRedOp(MultimemOp, name="nvvm.multimem.red"):
    """Combines each copy with a value, each at once."""

    bin_op: AtomicBinaryOperation = attr_def(ATOMIC_OPERATION, "What is computed.")
    addr: Value = operand_def(GENERIC_OR_GLOBAL, PLACE)
    value: Value = operand_def(COPIED, "The value.")

    def verify_(self) -> None:
        check_copied_update(self)


OPERATIONS: tuple[type[Operation], ...] = (MultimemLdReduceOp, MultimemStOp, MultimemRedOp)
"""The operations of this module."""
