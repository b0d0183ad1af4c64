"""Operations for functions and calls."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tilewright.dialects.common.function_syntax import parse_function, print_function
from tilewright.dialects.common.functions import check_call, check_function, check_returned
from tilewright.dialects.common.kinds import DICTIONARIES
from tilewright.dialects.common.symbols import Symbols, VerifiesSymbolUses
from tilewright.dialects.common.traits import AutomaticAllocationScope, ReturnLike, SymbolWithVisibility
from tilewright.dialects.tt.base import TENSOR_SIZE, TritonOp
from tilewright.dialects.tt.control_flow import TritonCallableInterface, TritonCallInterface
from tilewright.ir.block import Region
from tilewright.ir.builtin_attributes import DictionaryAttr
from tilewright.ir.builtin_types import FunctionType
from tilewright.ir.declaration.attribute_kind import StringKind, SymbolNameKind, SymbolRefKind, TypeKind
from tilewright.ir.declaration.constraint import ANY_TYPE
from tilewright.ir.declaration.fields import (
    attr_def,
    optional_attr_def,
    region_def,
    variadic_operand_def,
    variadic_result_def,
)
from tilewright.ir.declaration.traits import HasParent, IsolatedFromAbove, Pure, VerifyError
from tilewright.ir.value import Value

if TYPE_CHECKING:
    from tilewright.ir.text.hooks import CustomParse
    from tilewright.ir.text.parser import Parser
    from tilewright.ir.text.printer import Printer

Dictionaries = tuple[DictionaryAttr, ...]
ARGUMENTS_DOC = "Attributes of the arguments, one dictionary each."
RESULTS_DOC = "Attributes of the results, one dictionary each."


class FuncOp(TritonOp, name="tt.func"):
    """A kernel, or a function that kernels call: its body is a region of blocks."""

    sym_name: str = attr_def(SymbolNameKind(), "The name of the function.")
    function_type: FunctionType = attr_def(TypeKind(FunctionType), "Argument and result types.")
    sym_visibility: str | None = optional_attr_def(
        StringKind(), "The visibility of the function: kernels are public."
    )
    arg_attrs: Dictionaries | None = optional_attr_def(DICTIONARIES, ARGUMENTS_DOC)
    res_attrs: Dictionaries | None = optional_attr_def(DICTIONARIES, RESULTS_DOC)
    body: Region = region_def("The code.", single_block=False)
    traits = (
        AutomaticAllocationScope(),
        SymbolWithVisibility(),
        IsolatedFromAbove(),
        HasParent("builtin.module"),
        TENSOR_SIZE,
    )
    concepts = (TritonCallableInterface,)

    def verify_(self) -> None:
        check_function(self)

    def print_custom(self, printer: Printer) -> None:
        print_function(self, printer)

    @classmethod
    def parse_custom(cls, parser: Parser) -> CustomParse:
        return parse_function(cls, parser)


class CallOp(TritonOp, name="tt.call"):
    """Calls a function of the module by name."""

    callee: str = attr_def(SymbolRefKind(), "The name of the function.")
    operands_: tuple[Value, ...] = variadic_operand_def(ANY_TYPE, "The arguments.")
    arg_attrs: Dictionaries | None = optional_attr_def(DICTIONARIES, ARGUMENTS_DOC)
    res_attrs: Dictionaries | None = optional_attr_def(DICTIONARIES, RESULTS_DOC)
    results_: tuple[Value, ...] = variadic_result_def(ANY_TYPE, "The results of the function.")
    assembly_format = "$callee `(` $operands `)` attr-dict `:` functional-type($operands, results)"
    traits = (VerifiesSymbolUses(), TENSOR_SIZE)
    concepts = (TritonCallInterface,)

    def verify_symbol_uses(self, symbols: Symbols) -> None:
        """Raise `VerifyError` unless the callee is a function that takes these operands and returns these
        results.
        """
        callee = symbols.get(self.callee)
        if not isinstance(callee, FuncOp):
            raise VerifyError(f"'{self.callee}' does not reference a valid function")
        check_call(self, callee.function_type)


class ReturnOp(TritonOp, name="tt.return"):
    """Ends a function with its results."""

    srcs: tuple[Value, ...] = variadic_operand_def(ANY_TYPE, "The results of the function.")
    assembly_format = "attr-dict ($srcs^ `:` type($srcs))?"
    traits = (Pure(), HasParent("tt.func"), ReturnLike(), TENSOR_SIZE)

    def verify_(self) -> None:
        function = self.parent_op
        if isinstance(function, FuncOp):
            check_returned(self, function)


OPERATIONS = (FuncOp, CallOp, ReturnOp)
