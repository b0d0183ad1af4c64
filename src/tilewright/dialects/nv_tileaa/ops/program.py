"""Functions and calls, queries of the grid, assertions, printing, and hints."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from tilewright.dialects.common.functions import Symbols, VerifiesSymbolUses, check_function
from tilewright.dialects.common.kinds import DICTIONARIES, STRINGS
from tilewright.dialects.common.traits import AutomaticAllocationScope, SymbolWithVisibility
from tilewright.dialects.nv_tileaa import constraints as tileaa_constraints
from tilewright.dialects.nv_tileaa.attributes import KernelSpecAttr, Signedness
from tilewright.dialects.nv_tileaa.types import MEM_TOKEN, ProgramIdType
from tilewright.ir import block as ir_block, builtin_attributes, builtin_types
from tilewright.ir.attribute import Attribute, Type
from tilewright.ir.declaration import attribute_kind, fields, traits as ir_traits
from tilewright.ir.declaration.constraint import ANY_TYPE, OneOf
from tilewright.ir.interfaces.control_flow import CallableOpInterface, CallOpInterface
from tilewright.ir.operation import Operation
from tilewright.ir.value import Value

Dictionaries = tuple[builtin_attributes.DictionaryAttr, ...]
GRID_AXIS = attribute_kind.IntegerKind(builtin_types.i32, minimum=0)
GRID_DIMENSIONS = 3
AXIS_DOC = "The dimension of the grid: 0, 1 or 2."
ARGUMENTS = "The arguments."
COMPILED_CHECKS = ("memcheck", "fpcheck", "initcheck", "promises")
"""The run-time checks that are inserted as operations. Of `memcheck` only the checks of tile indices are;
back ends check addresses.
"""
MAXIMUM_VALUES = 3
"""The maximum number of values in the message of a check."""


class TileAACallInterface(CallOpInterface):
    """The call interface of `nv_tileaa.call`: the callee by name, and the arguments."""

    def callee(self, op: Operation) -> str:
        assert isinstance(op, CallOp)
        return op.callee

    def arguments(self, op: Operation) -> Sequence[Value]:
        return op.operands


class TileAACallableInterface(CallableOpInterface):
    """The callable interface of `nv_tileaa.func`: its body, None for a declaration, and whether it may be
    inlined.
    """

    def body(self, op: Operation) -> ir_block.Region | None:
        assert isinstance(op, FuncOp)
        return op.body if op.body.blocks else None

    def may_inline(self, op: Operation) -> bool:
        """Return whether `op` is a function without a kernel specification: a kernel is launched, not called."""
        return isinstance(op, FuncOp) and op.kernel_spec is None


class FuncOp(tileaa_constraints.TileDialectOp, name="nv_tileaa.func"):
    """A function; with a kernel specification it is a kernel, which returns nothing. It may lack a body."""

    sym_name: str = fields.attr_def(attribute_kind.SymbolNameKind(), "The name.")
    function_type: builtin_types.FunctionType = fields.attr_def(
        attribute_kind.TypeKind(builtin_types.FunctionType), "Argument and result types."
    )
    kernel_spec: KernelSpecAttr | None = fields.optional_attr_def(
        attribute_kind.InstanceKind(KernelSpecAttr, "kernel specification"),
        "The resources of a kernel.",
        default=None,
    )
    sym_visibility: str | None = fields.optional_attr_def(
        tileaa_constraints.TEXT, "The visibility of the function's name.", default=None
    )
    arg_attrs: Dictionaries | None = fields.optional_attr_def(
        DICTIONARIES, "Attributes of the arguments.", default=None
    )
    res_attrs: Dictionaries | None = fields.optional_attr_def(
        DICTIONARIES, "Attributes of the results.", default=None
    )
    body: ir_block.Region = fields.region_def("The code.", single_block=False)
    traits = (AutomaticAllocationScope(), SymbolWithVisibility(), ir_traits.IsolatedFromAbove())
    concepts = (TileAACallableInterface,)

    def verify_(self) -> None:
        check_function(self)
        if self.kernel_spec is not None and self.function_type.results:
            raise ir_traits.VerifyError("expects a kernel to return nothing")


class ReturnOp(tileaa_constraints.TileDialectOp, name="nv_tileaa.return"):
    """Returns from a function; the operands are the results."""

    operands_: tuple[Value, ...] = fields.variadic_operand_def(
        ANY_TYPE, "The results of the function.", default=()
    )
    traits = (ir_traits.Pure(), ir_traits.HasParent("nv_tileaa.func"), ir_traits.Terminator())

    def verify_(self) -> None:
        function = self.parent_op
        if isinstance(function, FuncOp) and self.operand_types != function.function_type.results:
            wanted = ", ".join(map(str, function.function_type.results))
            raise ir_traits.VerifyError(f"expects to return ({wanted})")


class CallOp(tileaa_constraints.TileDialectOp, name="nv_tileaa.call"):
    """Calls the function with the name `callee`; operands and results must have the types that the function
    states.
    """

    callee: str = fields.attr_def(attribute_kind.SymbolRefKind(), "The name of the function.")
    operands_: tuple[Value, ...] = fields.variadic_operand_def(ANY_TYPE, ARGUMENTS, default=())
    results_: tuple[Value, ...] = fields.variadic_result_def(ANY_TYPE, "The results of the function.")
    traits = (VerifiesSymbolUses(),)
    concepts = (TileAACallInterface,)

    def verify_symbol_uses(self, symbols: Symbols) -> None:
        """Raise `VerifyError` unless the callee is a function that takes these operands and returns these
        results.
        """
        callee = symbols.get(self.callee)
        if not isinstance(callee, FuncOp):
            raise ir_traits.VerifyError(f"'{self.callee}' does not reference a valid function")
        if builtin_types.FunctionType(self.operand_types, self.result_types) is not callee.function_type:
            raise ir_traits.VerifyError(f"expects operands and results of '{callee.function_type}'")


class LaunchFuncOp(tileaa_constraints.TileDialectOp, name="nv_tileaa.launch_func"):
    """Launches a grid of the kernel named `kernel`: `grid_x` x `grid_y` x `grid_z` tile blocks, each with the
    same `arguments`.
    """

    kernel: str = fields.attr_def(attribute_kind.SymbolRefKind(), "The name of the kernel.")
    grid_x: Value = fields.operand_def(tileaa_constraints.INDEX, "Instances along the first dimension.")
    grid_y: Value = fields.operand_def(tileaa_constraints.INDEX, "Instances along the second dimension.")
    grid_z: Value = fields.operand_def(tileaa_constraints.INDEX, "Instances along the third dimension.")
    arguments: tuple[Value, ...] = fields.variadic_operand_def(ANY_TYPE, ARGUMENTS, default=())
    traits = (VerifiesSymbolUses(),)

    def verify_symbol_uses(self, symbols: Symbols) -> None:
        """Raise `VerifyError` unless the symbol is a function with a kernel specification that takes these
        arguments.
        """
        kernel = symbols.get(self.kernel)
        if not isinstance(kernel, FuncOp) or kernel.kernel_spec is None:
            raise ir_traits.VerifyError(f"'{self.kernel}' does not reference a valid kernel")
        if tuple(value.type for value in self.arguments) != kernel.function_type.inputs:
            raise ir_traits.VerifyError(f"expects arguments of '{kernel.function_type}'")


class GridQueryOp(tileaa_constraints.TileDialectOp):
    """The base of queries of one dimension of the grid."""

    axis: int = fields.attr_def(GRID_AXIS, AXIS_DOC)
    result: Value = fields.result_def(tileaa_constraints.I32, "The number.")
    traits = (ir_traits.Pure(),)
    verifies_locally = True

    def verify_(self) -> None:
        if self.axis >= GRID_DIMENSIONS:
            raise ir_traits.VerifyError(f"expects a dimension from 0 to 2, but got {self.axis}")


class GetProgramIdOp(GridQueryOp, name="nv_tileaa.get_program_id"):
    """Returns the index of the tile block along a dimension of the grid."""


class GetNumProgramsOp(GridQueryOp, name="nv_tileaa.get_num_programs"):
    """Returns the number of tile blocks along a dimension of the grid."""


class CancelNextProgramIdOp(tileaa_constraints.TileDialectOp, name="nv_tileaa.cancel_next_program_id"):
    """Cancels a tile block that has not begun yet, so that this tile block can do its work. The result
    identifies the canceled tile block; it is not valid if there was none to cancel (`is_valid_program_id`).
    """

    result: Value = fields.result_def(OneOf((ProgramIdType(),), "program id"), "The instance.")


class IsValidProgramIdOp(tileaa_constraints.TileDialectOp, name="nv_tileaa.is_valid_program_id"):
    """Returns whether `cancel_next_program_id` found a tile block to cancel."""

    program_id: Value = fields.operand_def(tileaa_constraints.PROGRAM_ID, "The instance.")
    result: Value = fields.result_def(tileaa_constraints.I1, "Whether it is one.")
    traits = (ir_traits.Pure(),)


class AssertOp(tileaa_constraints.TileDialectOp, name="nv_tileaa.assert"):
    """Reports an error if the condition is false for an element; the program may continue."""

    condition: Value = fields.operand_def(tileaa_constraints.MASK, "The condition for each element.")
    message: str = fields.attr_def(tileaa_constraints.TEXT, "What is said.")


class CheckOp(tileaa_constraints.TileDialectOp, name="nv_tileaa.check"):
    """Reports a mistake of the program if a condition does not hold, and ends the launch.

    The pass `insert-checks` inserts it. Checks of one kind on the same elements may be executed in any order,
    and before or after accesses that they do not guard.
    """

    condition: Value = fields.operand_def(tileaa_constraints.MASK, "The condition for each element.")
    check: str = fields.attr_def(
        tileaa_constraints.TEXT, "The check: `memcheck`, `fpcheck`, `initcheck` or `promises`."
    )
    message: str = fields.attr_def(
        tileaa_constraints.TEXT, "The message if the condition does not hold; {0} is the first value."
    )
    values: tuple[Value, ...] = fields.variadic_operand_def(
        tileaa_constraints.NUMBER_LIKE,
        "Numbers for the message, at most three: scalars, or tiles with the shape of the condition. A message "
        "without places for them ends with the numbers of the element that is reported.",
        default=(),
    )
    signedness: Signedness = fields.attr_def(
        tileaa_constraints.SIGNEDNESS, "How integers of the message are read.", default=Signedness.SIGNED
    )
    verifies_locally = True

    def verify_(self) -> None:
        if self.check not in COMPILED_CHECKS:
            raise ir_traits.VerifyError(
                f"expects one of {', '.join(COMPILED_CHECKS)}, but got '{self.check}'"
            )
        if len(self.values) > MAXIMUM_VALUES:
            raise ir_traits.VerifyError(f"expects at most {MAXIMUM_VALUES} values")
        shape = tileaa_constraints.shape_of(self.condition.type)
        if any(tileaa_constraints.shape_of(value.type) not in ((), shape) for value in self.values):
            raise ir_traits.VerifyError("expects values that are scalars or have the shape of the condition")


class WithOperandsOp(tileaa_constraints.TileDialectOp, name="nv_tileaa.with_operands"):
    """Returns the condition of a check, with the operands of the checked operation for its message.

    `insert-checks` puts it before an assertion of Tile IR, which has no other operand than the condition. The
    conversion to `nv_tileaa` makes the operands the values of an `nv_tileaa.check`.
    """

    condition: Value = fields.operand_def(ANY_TYPE, "The condition for each element, a tile of i1.")
    values: tuple[Value, ...] = fields.variadic_operand_def(
        ANY_TYPE, "The operands of the checked operation: tiles of numbers.", default=()
    )
    signedness: Signedness = fields.attr_def(
        tileaa_constraints.SIGNEDNESS, "How integers among the operands are read.", default=Signedness.SIGNED
    )
    result: Value = fields.result_def(ANY_TYPE, "The condition.")
    traits = (ir_traits.Pure(),)
    verifies_locally = True

    @classmethod
    def infer_result_types(
        cls,
        operands: Sequence[Value],
        attributes: Mapping[str, Attribute],
        regions: Sequence[ir_block.Region],
    ) -> Sequence[Type]:
        return [operands[0].type]

    def verify_(self) -> None:
        if self.result.type is not self.condition.type:
            raise ir_traits.VerifyError("expects the result to have the type of the condition")


class PrintOp(tileaa_constraints.TileDialectOp, name="nv_tileaa.print"):
    """Prints the text `format`, in which the `arguments`, scalars or tiles, replace the conversion specifiers
    in order. With a token, the print is ordered after the accesses of the token; the result is the token of
    the print.
    """

    format: str = fields.attr_def(tileaa_constraints.TEXT, "The text, with a place for each value.")
    arguments: tuple[Value, ...] = fields.variadic_operand_def(
        tileaa_constraints.ELEMENT_LIKE, "The values.", default=()
    )
    token: Value | None = fields.optional_operand_def(
        tileaa_constraints.TOKEN, "The memory token to wait for.", default=None
    )
    done: Value | None = fields.optional_result_def(OneOf((MEM_TOKEN,), "memory token"), "It is printed.")


class MessageOp(tileaa_constraints.TileDialectOp, name="nv_tileaa.message"):
    """Emits a remark among the compiler's diagnostics."""

    text: str = fields.attr_def(tileaa_constraints.TEXT, "The remark.")


class PragmaOp(tileaa_constraints.TileDialectOp, name="nv_tileaa.pragma"):
    """Returns its operands, with directives for the compiler about them. Values that are not used may be
    dropped.
    """

    directives: tuple[str, ...] = fields.attr_def(STRINGS, "The directives.")
    operands_: tuple[Value, ...] = fields.variadic_operand_def(ANY_TYPE, "The values.", default=())
    results_: tuple[Value, ...] = fields.variadic_result_def(ANY_TYPE, "The same values.")
    traits = (ir_traits.NoMemoryEffect(),)
    verifies_locally = True

    def verify_(self) -> None:
        if self.operand_types != self.result_types:
            raise ir_traits.VerifyError("expects results of the types of the operands")


class InjectIrOp(tileaa_constraints.TileDialectOp, name="nv_tileaa.inject_ir"):
    """Stands for operations of other dialects, given as text, which replace it at the end of the compilation."""

    text: str = fields.attr_def(tileaa_constraints.TEXT, "The operations.")
    operands_: tuple[Value, ...] = fields.variadic_operand_def(
        ANY_TYPE, "The values that they use.", default=()
    )
    results_: tuple[Value, ...] = fields.variadic_result_def(ANY_TYPE, "Their results.")


class PluginOp(tileaa_constraints.TileDialectOp, name="nv_tileaa.plugin"):
    """Runs external code with requirements such as registers, memory, barriers, and layouts of operands and
    results.
    """

    sym_name: str | None = fields.optional_attr_def(
        attribute_kind.SymbolNameKind(), "The name.", default=None
    )
    resources: builtin_attributes.DictionaryAttr | None = fields.optional_attr_def(
        attribute_kind.DictionaryKind(), "The requirements of the code.", default=None
    )
    layouts: Attribute | None = fields.optional_attr_def(
        attribute_kind.DictionaryKind(), "Layouts of operands and results.", default=None
    )
    features: tuple[str, ...] | None = fields.optional_attr_def(
        STRINGS, "The assumptions of the code.", default=None
    )
    operands_: tuple[Value, ...] = fields.variadic_operand_def(ANY_TYPE, "What goes in.", default=())
    results_: tuple[Value, ...] = fields.variadic_result_def(ANY_TYPE, "What comes out.")
    body: ir_block.Region = fields.optional_region_def("The code.", single_block=False, default=None)
    traits = (SymbolWithVisibility(optional=True),)


OPERATIONS: tuple[type[Operation], ...] = (
    FuncOp,
    ReturnOp,
    CallOp,
    LaunchFuncOp,
    GetProgramIdOp,
    GetNumProgramsOp,
    CancelNextProgramIdOp,
    IsValidProgramIdOp,
    AssertOp,
    CheckOp,
    WithOperandsOp,
    PrintOp,
    MessageOp,
    PragmaOp,
    InjectIrOp,
    PluginOp,
)
