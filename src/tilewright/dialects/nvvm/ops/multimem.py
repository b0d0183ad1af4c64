"""Accesses to the copies of several devices through one address (`multimem`), which MLIR has no operations for."""

from __future__ import annotations

from tilewright.dialects.common.base import StandardOp
from tilewright.dialects.llvm.enums import AtomicBinaryOperation, AtomicOrdering
from tilewright.dialects.llvm.kinds import ATOMIC_OPERATION, ORDERING
from tilewright.dialects.nvvm import constraints as nvvm_constraints
from tilewright.dialects.nvvm.rules import multimem as multimem_rules
from tilewright.ir.builtin_types import bf16, f16, f32, f64
from tilewright.ir.declaration import attribute_kind, constraint as declaration_constraint
from tilewright.ir.declaration.fields import attr_def, operand_def, optional_attr_def, result_def
from tilewright.ir.operation import Operation
from tilewright.ir.value import Value

COPIED = (
    nvvm_constraints.INT32_OR_INT64
    | nvvm_constraints.FLOAT32
    | declaration_constraint.OneOf((f64,), "64-bit float")
    | nvvm_constraints.vector(f32, "32-bit float", 2, 4)
    | nvvm_constraints.vector(f16, "16-bit float", 2, 4, 8)
    | nvvm_constraints.vector(bf16, "bfloat16 type", 2, 4, 8)
)
PLACE = "The address, the same in the copy of each device; a multiple of the size of the value."
ORDER = "How the access is ordered."
SCOPE = "The scope of the ordering; absent: the whole system."


class MultimemOp(StandardOp):
    """The base of accesses to the copies of several devices: their memory order, and its scope, the whole
    system by default.
    """

    ordering: AtomicOrdering = attr_def(ORDERING, ORDER, default=AtomicOrdering.NOT_ATOMIC, kw_only=True)
    syncscope: str | None = optional_attr_def(attribute_kind.StringKind(), SCOPE, default=None)
    traits = (nvvm_constraints.RequiresSM(90),)


class MultimemLdReduceOp(MultimemOp, name="nvvm.multimem.ld_reduce"):
    """Reads the value at `addr` in all copies, and returns their combination by `bin_op`; sums of f16 and
    bf16 are accumulated in f32.
    """

    bin_op: AtomicBinaryOperation = attr_def(ATOMIC_OPERATION, "How copies are combined.")
    addr: Value = operand_def(nvvm_constraints.GENERIC_OR_GLOBAL, PLACE)
    res: Value = result_def(COPIED, "The combined value.")

    def verify_(self) -> None:
        multimem_rules.check_copied_load(self)


class MultimemStOp(MultimemOp, name="nvvm.multimem.st"):
    """Writes a value to all copies."""

    value: Value = operand_def(COPIED, "The value.")
    addr: Value = operand_def(nvvm_constraints.GENERIC_OR_GLOBAL, PLACE)

    def verify_(self) -> None:
        multimem_rules.check_copied_store(self)


class MultimemRedOp(MultimemOp, name="nvvm.multimem.red"):
    """Combines the value at `addr` in each copy with `value` by `bin_op`, atomically."""

    bin_op: AtomicBinaryOperation = attr_def(ATOMIC_OPERATION, "What is computed.")
    addr: Value = operand_def(nvvm_constraints.GENERIC_OR_GLOBAL, PLACE)
    value: Value = operand_def(COPIED, "The value.")

    def verify_(self) -> None:
        multimem_rules.check_copied_update(self)


OPERATIONS: tuple[type[Operation], ...] = (MultimemLdReduceOp, MultimemStOp, MultimemRedOp)
"""The operations of this module."""
