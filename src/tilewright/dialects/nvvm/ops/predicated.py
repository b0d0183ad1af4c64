"""Loads and stores of the threads for which a predicate holds (`@%p ld`, `@%p st`), which MLIR has no operations for."""

from __future__ import annotations

from tilewright.dialects.common.base import StandardOp
from tilewright.dialects.llvm.constraints import LOADABLE, POINTER
from tilewright.dialects.nvvm.constraints import BOOL
from tilewright.dialects.nvvm.rules.predicated import check_alignment
from tilewright.ir.declaration.attribute_kind import IntegerKind
from tilewright.ir.declaration.constraint import TypeVariable
from tilewright.ir.declaration.fields import attr_def, operand_def, result_def
from tilewright.ir.operation import Operation
from tilewright.ir.value import Value

T = TypeVariable("T", LOADABLE)
ADDRESS = "The address."
PREDICATE = "Whether memory is accessed."
ALIGNMENT = "What the address is a multiple of, in bytes: a power of two."


class PredicatedLoadOp(StandardOp, name="nvvm.predicated.load"):
    """Reads a value from memory where a predicate holds; elsewhere nothing is read, and the result is another value."""

    addr: Value = operand_def(POINTER, ADDRESS)
    predicate: Value = operand_def(BOOL, PREDICATE)
    otherwise: Value = operand_def(T, "The result where the predicate does not hold.")
    alignment: int = attr_def(IntegerKind(), ALIGNMENT)
    res: Value = result_def(T, "The value.")

    def verify_(self) -> None:
        check_alignment(self.alignment)


class PredicatedStoreOp(StandardOp, name="nvvm.predicated.store"):
    """Writes a value to memory where a predicate holds; elsewhere nothing is written."""

    value: Value = operand_def(LOADABLE, "The value.")
    addr: Value = operand_def(POINTER, ADDRESS)
    predicate: Value = operand_def(BOOL, PREDICATE)
    alignment: int = attr_def(IntegerKind(), ALIGNMENT)

    def verify_(self) -> None:
        check_alignment(self.alignment)


OPERATIONS: tuple[type[Operation], ...] = (PredicatedLoadOp, PredicatedStoreOp)
"""The operations of this module."""
