"""Calls that may throw, and the landing pads that receive exceptions."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from tilewright.dialects.common import base, control_flow as common_control_flow, kinds
from tilewright.dialects.llvm import enums as llvm_enums, roles as llvm_roles, types as llvm_types
from tilewright.dialects.llvm.constraints import LLVM_TYPE
from tilewright.dialects.llvm.kinds import CALLING_CONVENTION, FUNCTION_TYPE
from tilewright.dialects.llvm.rules import control as control_rules, exception as exception_rules
from tilewright.dialects.llvm.syntax import exception as exception_syntax
from tilewright.ir import block as ir_block, builtin_attributes
from tilewright.ir.attribute import Attribute
from tilewright.ir.declaration import fields, traits as ir_traits
from tilewright.ir.declaration.attribute_kind import ArrayKind, DenseArrayKind, SymbolRefKind
from tilewright.ir.operation import Operation
from tilewright.ir.value import Value

if TYPE_CHECKING:
    from tilewright.ir.text import parser as text_parser, printer as text_printer


class InvokeOp(base.StandardOp, name="llvm.invoke"):
    """Calls a function, by name or through a pointer.

    Continues in the first block, or in the second if the function throws.
    """

    op_bundle_sizes: tuple[int, ...] = fields.attr_def(DenseArrayKind(), "How many operands each bundle has.")
    callee_operands: tuple[Value, ...] = fields.variadic_operand_def(
        LLVM_TYPE, "The pointer, if there is no name, and the arguments.", default=()
    )
    normalDestOperands: tuple[Value, ...] = fields.variadic_operand_def(
        LLVM_TYPE, "The arguments of the block for a normal return.", default=()
    )
    unwindDestOperands: tuple[Value, ...] = fields.variadic_operand_def(
        LLVM_TYPE, "The arguments of the block for an exception.", default=()
    )
    op_bundle_operands: tuple[Value, ...] = fields.variadic_operand_def(
        LLVM_TYPE, "The operands of all bundles.", default=()
    )
    var_callee_type: llvm_types.LLVMFunctionType | None = fields.optional_attr_def(
        FUNCTION_TYPE, "The type of a callee that takes variable arguments.", default=None
    )
    callee: str | None = fields.optional_attr_def(
        SymbolRefKind(), "The name of the function; absent for a call through a pointer.", default=None
    )
    arg_attrs: tuple[builtin_attributes.DictionaryAttr, ...] | None = fields.optional_attr_def(
        kinds.DICTIONARIES, "Attributes of the arguments, one dictionary each.", default=None
    )
    res_attrs: tuple[builtin_attributes.DictionaryAttr, ...] | None = fields.optional_attr_def(
        kinds.DICTIONARIES, "Attributes of the results, one dictionary each.", default=None
    )
    branch_weights: tuple[int, ...] | None = fields.optional_attr_def(
        DenseArrayKind(), "How often each way is taken, relatively.", default=None
    )
    CConv: llvm_enums.CallingConvention = fields.attr_def(
        CALLING_CONVENTION, "The calling convention.", default=llvm_enums.CallingConvention.CCC
    )
    op_bundle_tags: tuple[Attribute, ...] | None = fields.optional_attr_def(
        ArrayKind(), "The tag of each bundle.", default=None
    )
    normalDest: ir_block.Block = fields.successor_def("The block that runs after a normal return.")
    unwindDest: ir_block.Block = fields.successor_def("The block that runs after an exception.")
    result: Value | None = fields.optional_result_def(LLVM_TYPE, "What is returned.")
    traits = (ir_traits.Terminator(),)

    def verify_(self) -> None:
        common_control_flow.check_branch(self, [self.normalDestOperands, self.unwindDestOperands])
        control_rules.check_weights(self.branch_weights, self.successors)
        exception_rules.check_invoke(self)

    def print_custom(self, printer: text_printer.Printer) -> None:
        exception_syntax.print_invoke(self, printer)

    @classmethod
    def parse_custom(cls, parser: text_parser.Parser) -> Operation:
        return exception_syntax.parse_invoke(cls.op_kind, parser)

    def result_name_hints(self) -> Sequence[str | None]:
        """Return no names: the result has a number."""
        return ()


class LandingpadOp(llvm_roles.LandingPadRole, name="llvm.landingpad"):
    """Receives an exception. A clause is an address, a type to catch, or an array of addresses, the only
    types that may pass (a filter).
    """

    cleanup: bool = fields.flag_def("Whether it is entered even where no clause fits.", default=False)
    clauses: tuple[Value, ...] = fields.variadic_operand_def(LLVM_TYPE, "The clauses.", default=())
    res: Value = fields.result_def(LLVM_TYPE, "The exception.")

    def verify_(self) -> None:
        exception_rules.check_landing(self)

    def print_custom(self, printer: text_printer.Printer) -> None:
        exception_syntax.print_landing(self, printer)

    @classmethod
    def parse_custom(cls, parser: text_parser.Parser) -> Operation:
        return exception_syntax.parse_landing(cls.op_kind, parser)


OPERATIONS: tuple[type[Operation], ...] = (InvokeOp, LandingpadOp)
"""The operations of this module."""
