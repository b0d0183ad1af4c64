"""Loads and stores with a predicate for each thread (`@%p ld`, `@%p st`). MLIR has no operations for them."""

from __future__ import annotations

from collections.abc import Sequence

from tilewright.dialects.common.base import StandardOp
from tilewright.dialects.llvm.constraints import LOADABLE, POINTER
from tilewright.dialects.nvvm.constraints import BOOL
from tilewright.ir.attribute import Type
from tilewright.ir.declaration import attribute_kind, fields
from tilewright.ir.declaration.traits import VerifyError
from tilewright.ir.operation import Operation
from tilewright.ir.value import Value


def check_alignment(alignment: int) -> None:
    """Raise `VerifyError` unless an alignment is a power of two."""
    if alignment < 1 or alignment & alignment - 1:
        raise VerifyError(f"expects an alignment that is a power of two, but got {alignment}")


def check_neighbours(types: Sequence[Type]) -> None:
    """Raise `VerifyError` unless `types`, the types of adjacent values, has an item and all items are the
    same type.
    """
    if not types or any(type is not types[0] for type in types):
        raise VerifyError("expects one or more values of one type")


ADDRESS = "The address of the first value."
PREDICATE = "Whether memory is accessed."
ALIGNMENT = "The alignment of the address in bytes: a power of two."


class PredicatedLoadOp(StandardOp, name="nvvm.predicated.load"):
    """Reads adjacent values of one type if a predicate holds. Otherwise nothing is read, and the results are
    the operands `otherwise`.
    """

    addr: Value = fields.operand_def(POINTER, ADDRESS)
    predicate: Value = fields.operand_def(BOOL, PREDICATE)
    otherwise: tuple[Value, ...] = fields.variadic_operand_def(
        LOADABLE, "The results where the predicate does not hold."
    )
    alignment: int = fields.attr_def(attribute_kind.IntegerKind(), ALIGNMENT)
    res: tuple[Value, ...] = fields.variadic_result_def(
        LOADABLE, "The values, in the order of their addresses."
    )

    def verify_(self) -> None:
        check_alignment(self.alignment)
        check_neighbours([value.type for value in (*self.otherwise, *self.res)])
        if len(self.otherwise) != len(self.res):
            raise VerifyError(f"has {len(self.res)} results, but {len(self.otherwise)} values otherwise")


class PredicatedStoreOp(StandardOp, name="nvvm.predicated.store"):
    """Writes adjacent values of one type if a predicate holds; otherwise nothing is written."""

    value: tuple[Value, ...] = fields.variadic_operand_def(
        LOADABLE, "The values, in the order of their addresses."
    )
    addr: Value = fields.operand_def(POINTER, ADDRESS)
    predicate: Value = fields.operand_def(BOOL, PREDICATE)
    alignment: int = fields.attr_def(attribute_kind.IntegerKind(), ALIGNMENT)

    def verify_(self) -> None:
        check_alignment(self.alignment)
        check_neighbours([value.type for value in self.value])


OPERATIONS: tuple[type[Operation], ...] = (PredicatedLoadOp, PredicatedStoreOp)
"""The operations of this module."""
