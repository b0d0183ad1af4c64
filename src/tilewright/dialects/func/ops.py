"""Operations of the ``func`` dialect."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, ClassVar, cast

from tilewright.dialects.common import base, constraints, functions, kinds, traits as common_traits
from tilewright.dialects.common.function_syntax import parse_function, print_function
from tilewright.ir.attribute import Attribute, Type
from tilewright.ir.block import Region
from tilewright.ir.builtin_attributes import DictionaryAttr
from tilewright.ir.builtin_types import FunctionType
from tilewright.ir.declaration import fields, traits as ir_traits
from tilewright.ir.declaration.attribute_kind import StringKind, SymbolNameKind, SymbolRefKind, TypeKind
from tilewright.ir.declaration.constraint import ANY_TYPE
from tilewright.ir.interfaces.control_flow import CallableOpInterface, CallOpInterface
from tilewright.ir.operation import Operation
from tilewright.ir.value import Value

if TYPE_CHECKING:
    from tilewright.ir.text import hooks, parser as text_parser, printer as text_printer


class FuncCallInterface(CallOpInterface):
    """The call interface of `func.call`: the callee by name, the arguments, and whether the call may be
    inlined.
    """

    def callee(self, op: Operation) -> str:
        return cast("CallOp", op).callee

    def arguments(self, op: Operation) -> Sequence[Value]:
        return op.operands

    def may_inline(self, op: Operation) -> bool:
        return not cast("CallOp", op).no_inline


class FuncCallableInterface(CallableOpInterface):
    """The callable interface of `func.func`: its body, None for a declaration, and whether it may be inlined."""

    def body(self, op: Operation) -> Region | None:
        return op.regions[0] if op.regions[0].blocks else None

    def may_inline(self, op: Operation) -> bool:
        return not cast("FuncOp", op).no_inline


ARGUMENT_ATTRIBUTES = "Attributes of the arguments, one dictionary each."
RESULT_ATTRIBUTES = "Attributes of the results, one dictionary each."
NO_INLINE = "Keep the call; do not put the body in its place."
Dictionaries = tuple[DictionaryAttr, ...]


def callee_types(op: Operation) -> FunctionType | None:
    """Return the type of the first operand of an indirect call; None if it is not a `FunctionType`."""
    callee = op.operands[0].type
    return callee if isinstance(callee, FunctionType) else None


def _inputs_match(op: Operation) -> bool:
    callee = callee_types(op)
    return callee is not None and callee.inputs == op.operand_types[1:]


def _results_match(op: Operation) -> bool:
    callee = callee_types(op)
    return callee is not None and callee.results == op.result_types


class CallIndirectOp(base.StandardOp, name="func.call_indirect"):
    """Calls the function that is the first operand, `callee`, with the arguments `callee_operands`; the
    results are the results of the function.
    """

    callee: Value = fields.operand_def(constraints.FUNCTION, "The function.")
    callee_operands: tuple[Value, ...] = fields.variadic_operand_def(ANY_TYPE, "The arguments.")
    arg_attrs: Dictionaries | None = fields.optional_attr_def(kinds.DICTIONARIES, ARGUMENT_ATTRIBUTES)
    res_attrs: Dictionaries | None = fields.optional_attr_def(kinds.DICTIONARIES, RESULT_ATTRIBUTES)
    results_: tuple[Value, ...] = fields.variadic_result_def(ANY_TYPE, "The results of the function.")
    assembly_format = "$callee `(` $callee_operands `)` attr-dict `:` type($callee)"
    traits = (
        common_traits.PredicateTrait("callee input types match argument types", _inputs_match),
        common_traits.PredicateTrait("callee result types match result types", _results_match),
    )

    @classmethod
    def infer_result_types(
        cls, operands: Sequence[Value], attributes: Mapping[str, Attribute], regions: Sequence[Region]
    ) -> Sequence[Type]:
        callee = operands[0].type
        return callee.results if isinstance(callee, FunctionType) else ()

    @classmethod
    def infer_operand_types(cls, parsing: Any, known: Mapping[str, Sequence[Type]]) -> dict[str, list[Type]]:
        callee = known["callee"][0]
        return {"callee": [callee], "callee_operands": list(getattr(callee, "inputs", ()))}


class CallOp(base.StandardOp, name="func.call"):
    """Calls the function with the name `callee`, which is in the same symbol table. With `no_inline` the call
    is not inlined.
    """

    callee: str = fields.attr_def(SymbolRefKind(), "The name of the function.")
    operands_: tuple[Value, ...] = fields.variadic_operand_def(ANY_TYPE, "The arguments.")
    arg_attrs: Dictionaries | None = fields.optional_attr_def(kinds.DICTIONARIES, ARGUMENT_ATTRIBUTES)
    res_attrs: Dictionaries | None = fields.optional_attr_def(kinds.DICTIONARIES, RESULT_ATTRIBUTES)
    no_inline: bool = fields.flag_def(NO_INLINE)
    results_: tuple[Value, ...] = fields.variadic_result_def(ANY_TYPE, "The results of the function.")
    assembly_format = "$callee `(` $operands `)` attr-dict `:` functional-type($operands, results)"
    traits = (functions.VerifiesSymbolUses(),)
    concepts = (FuncCallInterface,)

    def verify_symbol_uses(self, symbols: functions.Symbols) -> None:
        """Raise `VerifyError` unless the callee is a function that takes these operands and returns these
        results.
        """
        callee = symbols.get(self.callee)
        if not isinstance(callee, FuncOp):
            raise ir_traits.VerifyError(f"'{self.callee}' does not reference a valid function")
        functions.check_call(self, callee.function_type)


class ConstantOp(base.StandardOp, name="func.constant"):
    """Returns a function as a value, for `func.call_indirect`."""

    value: str = fields.attr_def(SymbolRefKind(), "The name of the function.")
    result: Value = fields.result_def(ANY_TYPE, "The function.")
    assembly_format = "attr-dict $value `:` type(results)"
    traits = (ir_traits.ConstantLike(), ir_traits.Pure(), functions.VerifiesSymbolUses())

    def verify_symbol_uses(self, symbols: functions.Symbols) -> None:
        """Raise `VerifyError` unless the symbol is a function of this type."""
        function = symbols.get(self.value)
        if not isinstance(function, FuncOp):
            raise ir_traits.VerifyError(f"reference to undefined function '{self.value}'")
        if function.function_type is not self.result.type:
            raise ir_traits.VerifyError("reference to function with mismatched type")

    def result_name_hints(self) -> Sequence[str | None]:
        """Return ``f``, the name of constants."""
        return ("f",)


class FuncOp(base.StandardOp, name="func.func"):
    """A function: its body is a region of blocks. A function that is defined elsewhere has an empty region,
    and must be private or nested.
    """

    sym_name: str = fields.attr_def(SymbolNameKind(), "The name of the function.")
    function_type: FunctionType = fields.attr_def(TypeKind(FunctionType), "Argument and result types.")
    sym_visibility: str | None = fields.optional_attr_def(
        StringKind(), "The visibility of the function's name."
    )
    arg_attrs: Dictionaries | None = fields.optional_attr_def(kinds.DICTIONARIES, ARGUMENT_ATTRIBUTES)
    res_attrs: Dictionaries | None = fields.optional_attr_def(kinds.DICTIONARIES, RESULT_ATTRIBUTES)
    no_inline: bool = fields.flag_def("Calls of the function stay calls.")
    body: Region = fields.region_def("The code.", single_block=False)
    default_dialect: ClassVar[str] = "func"
    traits = (
        common_traits.AutomaticAllocationScope(),
        common_traits.SymbolWithVisibility(),
        ir_traits.IsolatedFromAbove(),
    )
    concepts = (FuncCallableInterface,)

    def verify_(self) -> None:
        if not self.body.blocks and self.sym_visibility in (None, "public"):
            raise ir_traits.VerifyError(
                "symbol declaration cannot have public visibility",
                hint="declare it private: `func.func private @name(...)`",
            )
        functions.check_function(self)

    def print_custom(self, printer: text_printer.Printer) -> None:
        print_function(self, printer)

    @classmethod
    def parse_custom(cls, parser: text_parser.Parser) -> hooks.CustomParse:
        return parse_function(cls, parser)


class ReturnOp(base.StandardOp, name="func.return"):
    """Returns from a function; the operands are the results."""

    operands_: tuple[Value, ...] = fields.variadic_operand_def(ANY_TYPE, "The results of the function.")
    assembly_format = "attr-dict ($operands^ `:` type($operands))?"
    traits = (ir_traits.Pure(), ir_traits.HasParent("func.func"), common_traits.ReturnLike())

    def verify_(self) -> None:
        function = self.parent_op
        if isinstance(function, FuncOp):
            functions.check_returned(self, function)


OPERATIONS = (CallIndirectOp, CallOp, ConstantOp, FuncOp, ReturnOp)
