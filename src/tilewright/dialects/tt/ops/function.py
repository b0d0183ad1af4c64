"""Operations for functions and calls."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, cast

from tilewright.dialects.common import function_syntax, functions, kinds, traits as common_traits
from tilewright.dialects.tt.traits import TENSOR_SIZE, TritonOp
from tilewright.ir import block as ir_block, builtin_attributes
from tilewright.ir.builtin_types import FunctionType
from tilewright.ir.declaration import fields
from tilewright.ir.declaration.attribute_kind import StringKind, SymbolNameKind, SymbolRefKind, TypeKind
from tilewright.ir.declaration.constraint import ANY_TYPE
from tilewright.ir.declaration.traits import HasParent, IsolatedFromAbove, Pure, VerifyError
from tilewright.ir.interfaces.control_flow import CallableOpInterface, CallOpInterface
from tilewright.ir.operation import Operation
from tilewright.ir.value import Value

if TYPE_CHECKING:
    from tilewright.ir.text import hooks, parser as text_parser, printer as text_printer

NO_INLINE = "noinline"
"""The attribute of a function whose calls must not be inlined."""


class TritonCallInterface(CallOpInterface):
    """The call interface of `tt.call`: the callee is the name in its attribute, and all operands are
    arguments.
    """

    def callee(self, op: Operation) -> str:
        return cast("CallOp", op).callee

    def arguments(self, op: Operation) -> Sequence[Value]:
        return op.operands


class TritonCallableInterface(CallableOpInterface):
    """The interface of `tt.func` as a function that can be called: its body is None for a declaration, and
    calls may be inlined unless the attribute ``noinline`` is true.
    """

    def body(self, op: Operation) -> ir_block.Region | None:
        return op.regions[0] if op.regions[0].blocks else None

    def may_inline(self, op: Operation) -> bool:
        stays: Any = op.held_attributes.get(NO_INLINE)
        return stays is None or not stays.value


Dictionaries = tuple[builtin_attributes.DictionaryAttr, ...]
ARGUMENTS_DOC = "Attributes of the arguments, one dictionary each."
RESULTS_DOC = "Attributes of the results, one dictionary each."


class FuncOp(TritonOp, name="tt.func"):
    """A kernel, or a function that kernels call: its body is a region of blocks, which a declaration lacks."""

    sym_name: str = fields.attr_def(SymbolNameKind(), "The name of the function.")
    function_type: FunctionType = fields.attr_def(TypeKind(FunctionType), "Argument and result types.")
    sym_visibility: str | None = fields.optional_attr_def(
        StringKind(), "The visibility of the function: kernels are public."
    )
    arg_attrs: Dictionaries | None = fields.optional_attr_def(kinds.DICTIONARIES, ARGUMENTS_DOC)
    res_attrs: Dictionaries | None = fields.optional_attr_def(kinds.DICTIONARIES, RESULTS_DOC)
    body: ir_block.Region = fields.region_def("The code.", single_block=False)
    traits = (
        common_traits.AutomaticAllocationScope(),
        common_traits.SymbolWithVisibility(),
        IsolatedFromAbove(),
        HasParent("builtin.module"),
        TENSOR_SIZE,
    )
    concepts = (TritonCallableInterface,)

    def verify_(self) -> None:
        functions.check_function(self)

    def print_custom(self, printer: text_printer.Printer) -> None:
        function_syntax.print_function(self, printer)

    @classmethod
    def parse_custom(cls, parser: text_parser.Parser) -> hooks.CustomParse:
        return function_syntax.parse_function(cls, parser)


class CallOp(TritonOp, name="tt.call"):
    """Calls a function of the module by name."""

    callee: str = fields.attr_def(SymbolRefKind(), "The name of the function.")
    operands_: tuple[Value, ...] = fields.variadic_operand_def(ANY_TYPE, "The arguments.")
    arg_attrs: Dictionaries | None = fields.optional_attr_def(kinds.DICTIONARIES, ARGUMENTS_DOC)
    res_attrs: Dictionaries | None = fields.optional_attr_def(kinds.DICTIONARIES, RESULTS_DOC)
    results_: tuple[Value, ...] = fields.variadic_result_def(ANY_TYPE, "The results of the function.")
    assembly_format = "$callee `(` $operands `)` attr-dict `:` functional-type($operands, results)"
    traits = (functions.VerifiesSymbolUses(), TENSOR_SIZE)
    concepts = (TritonCallInterface,)

    def verify_symbol_uses(self, symbols: functions.Symbols) -> None:
        """Raise `VerifyError` unless the callee is a function that takes these operands and returns these
        results.
        """
        callee = symbols.get(self.callee)
        if not isinstance(callee, FuncOp):
            raise VerifyError(f"'{self.callee}' does not reference a valid function")
        functions.check_call(self, callee.function_type)


class ReturnOp(TritonOp, name="tt.return"):
    """Returns from a function; the operands are the results."""

    srcs: tuple[Value, ...] = fields.variadic_operand_def(ANY_TYPE, "The results of the function.")
    assembly_format = "attr-dict ($srcs^ `:` type($srcs))?"
    traits = (Pure(), HasParent("tt.func"), common_traits.ReturnLike(), TENSOR_SIZE)

    def verify_(self) -> None:
        function = self.parent_op
        if isinstance(function, FuncOp):
            functions.check_returned(self, function)


OPERATIONS = (FuncOp, CallOp, ReturnOp)
