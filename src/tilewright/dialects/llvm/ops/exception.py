"""Calls that may throw, and where exceptions land."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from tilewright.dialects.common.base import StandardOp
from tilewright.dialects.common.control_flow import check_branch
from tilewright.dialects.common.kinds import DICTIONARIES
from tilewright.dialects.llvm.constraints import LLVM_TYPE
from tilewright.dialects.llvm.enums import CallingConvention
from tilewright.dialects.llvm.kinds import CALLING_CONVENTION, FUNCTION_TYPE
from tilewright.dialects.llvm.roles import LandingPadRole
from tilewright.dialects.llvm.rules.control import check_weights
from tilewright.dialects.llvm.rules.exception import check_invoke, check_landing
from tilewright.dialects.llvm.syntax.exception import parse_invoke, parse_landing, print_invoke, print_landing
from tilewright.dialects.llvm.types import LLVMFunctionType
from tilewright.ir.attribute import Attribute
from tilewright.ir.block import Block
from tilewright.ir.builtin_attributes import DictionaryAttr
from tilewright.ir.declaration.attribute_kind import ArrayKind, DenseArrayKind, SymbolRefKind
from tilewright.ir.declaration.fields import (
    attr_def,
    flag_def,
    optional_attr_def,
    optional_result_def,
    result_def,
    successor_def,
    variadic_operand_def,
)
from tilewright.ir.declaration.traits import Terminator
from tilewright.ir.operation import Operation
from tilewright.ir.value import Value

if TYPE_CHECKING:
    from tilewright.ir.text.parser import Parser
    from tilewright.ir.text.printer import Printer


class InvokeOp(StandardOp, name="llvm.invoke"):
    """Calls a function, by name or through a pointer.

    Continues in the first block, or in the second if the function throws.
    """

    op_bundle_sizes: tuple[int, ...] = attr_def(DenseArrayKind(), "How many operands each bundle has.")
    callee_operands: tuple[Value, ...] = variadic_operand_def(
        LLVM_TYPE, "The pointer, if there is no name, and the arguments.", default=()
    )
    normalDestOperands: tuple[Value, ...] = variadic_operand_def(
        LLVM_TYPE, "The arguments of the block for a normal return.", default=()
    )
    unwindDestOperands: tuple[Value, ...] = variadic_operand_def(
        LLVM_TYPE, "The arguments of the block for an exception.", default=()
    )
    op_bundle_operands: tuple[Value, ...] = variadic_operand_def(
        LLVM_TYPE, "The operands of all bundles.", default=()
    )
    var_callee_type: LLVMFunctionType | None = optional_attr_def(
        FUNCTION_TYPE, "The type of a callee that takes variable arguments.", default=None
    )
    callee: str | None = optional_attr_def(
        SymbolRefKind(), "The name of the function; absent for a call through a pointer.", default=None
    )
    arg_attrs: tuple[DictionaryAttr, ...] | None = optional_attr_def(
        DICTIONARIES, "Attributes of the arguments, one dictionary each.", default=None
    )
    res_attrs: tuple[DictionaryAttr, ...] | None = optional_attr_def(
        DICTIONARIES, "Attributes of the results, one dictionary each.", default=None
    )
    branch_weights: tuple[int, ...] | None = optional_attr_def(
        DenseArrayKind(), "How often each way is taken, relatively.", default=None
    )
    CConv: CallingConvention = attr_def(
        CALLING_CONVENTION, "The calling convention.", default=CallingConvention.CCC
    )
    op_bundle_tags: tuple[Attribute, ...] | None = optional_attr_def(
        ArrayKind(), "The tag of each bundle.", default=None
    )
    normalDest: Block = successor_def("The block that runs after a normal return.")
    unwindDest: Block = successor_def("The block that runs after an exception.")
    result: Value | None = optional_result_def(LLVM_TYPE, "What is returned.")
    traits = (Terminator(),)

    def verify_(self) -> None:
        check_branch(self, [self.normalDestOperands, self.unwindDestOperands])
        check_weights(self.branch_weights, self.successors)
        check_invoke(self)

    def print_custom(self, printer: Printer) -> None:
        print_invoke(self, printer)

    @classmethod
    def parse_custom(cls, parser: Parser) -> Operation:
        return parse_invoke(cls.op_kind, parser)

    def result_name_hints(self) -> Sequence[str | None]:
        """Return no names: the result has a number."""
        return ()


class LandingpadOp(LandingPadRole, name="llvm.landingpad"):
    """Receives an exception; its clauses are caught (an address) or let through (an array of addresses)."""

    cleanup: bool = flag_def("Whether it is entered even where no clause fits.", default=False)
    clauses: tuple[Value, ...] = variadic_operand_def(LLVM_TYPE, "The clauses.", default=())
    res: Value = result_def(LLVM_TYPE, "The exception.")

    def verify_(self) -> None:
        check_landing(self)

    def print_custom(self, printer: Printer) -> None:
        print_landing(self, printer)

    @classmethod
    def parse_custom(cls, parser: Parser) -> Operation:
        return parse_landing(cls.op_kind, parser)


OPERATIONS: tuple[type[Operation], ...] = (InvokeOp, LandingpadOp)
"""The operations of this module."""
