"""Functions and calls, where a program stands in its grid, input and output, and hints."""

from __future__ import annotations

from collections.abc import Sequence

from tilewright.dialects.common.functions import Symbols, VerifiesSymbolUses, check_function
from tilewright.dialects.common.kinds import DICTIONARIES, STRINGS
from tilewright.dialects.common.traits import AutomaticAllocationScope, SymbolWithVisibility
from tilewright.dialects.nv_tileaa.attributes import KernelSpecAttr
from tilewright.dialects.nv_tileaa.constraints import (
    ELEMENT_LIKE,
    FIXED_INTEGER_LIKE,
    I1,
    I32,
    INDEX,
    MASK,
    PROGRAM_ID,
    TEXT,
    TOKEN,
    TileDialectOp,
)
from tilewright.dialects.nv_tileaa.types import MEM_TOKEN, ProgramIdType
from tilewright.ir.attribute import Attribute
from tilewright.ir.block import Region
from tilewright.ir.builtin_attributes import DictionaryAttr
from tilewright.ir.builtin_types import FunctionType, i32
from tilewright.ir.declaration.attribute_kind import (
    DictionaryKind,
    InstanceKind,
    IntegerKind,
    SymbolNameKind,
    SymbolRefKind,
    TypeKind,
)
from tilewright.ir.declaration.constraint import ANY_TYPE, OneOf
from tilewright.ir.declaration.fields import (
    attr_def,
    operand_def,
    optional_attr_def,
    optional_operand_def,
    optional_region_def,
    optional_result_def,
    region_def,
    result_def,
    variadic_operand_def,
    variadic_result_def,
)
from tilewright.ir.declaration.traits import (
    HasParent,
    IsolatedFromAbove,
    NoMemoryEffect,
    Pure,
    Terminator,
    VerifyError,
)
from tilewright.ir.interfaces.control_flow import CallableOpInterface, CallOpInterface
from tilewright.ir.operation import Operation
from tilewright.ir.value import Value

Dictionaries = tuple[DictionaryAttr, ...]
GRID_AXIS = IntegerKind(i32, minimum=0)
GRID_DIMENSIONS = 3
AXIS_DOC = "The dimension of the grid: 0, 1 or 2."
ARGUMENTS = "The arguments."
COMPILED_CHECKS = ("memcheck", "fpcheck", "initcheck", "promises")
"""The checks that are operations of the program. Of `memcheck` only tile indices are; back ends check addresses."""


class TileAACallInterface(CallOpInterface):
    """The interface of `nv_tileaa.call`."""

    def callee(self, op: Operation) -> str:
        assert isinstance(op, CallOp)
        return op.callee

    def arguments(self, op: Operation) -> Sequence[Value]:
        return op.operands


class TileAACallableInterface(CallableOpInterface):
    """The interface of `nv_tileaa.func`."""

    def body(self, op: Operation) -> Region | None:
        assert isinstance(op, FuncOp)
        return op.body if op.body.blocks else None

    def may_inline(self, op: Operation) -> bool:
        """Return whether a function may be inlined: a kernel is launched, not called."""
        return isinstance(op, FuncOp) and op.kernel_spec is None


class FuncOp(TileDialectOp, name="nv_tileaa.func"):
    """A function of tiles; one with a kernel specification is a kernel."""

    sym_name: str = attr_def(SymbolNameKind(), "The name.")
    function_type: FunctionType = attr_def(TypeKind(FunctionType), "Argument and result types.")
    kernel_spec: KernelSpecAttr | None = optional_attr_def(
        InstanceKind(KernelSpecAttr, "kernel specification"),
        "The resources of a kernel.",
        default=None,
    )
    sym_visibility: str | None = optional_attr_def(
        TEXT, "The visibility of the function's name.", default=None
    )
    arg_attrs: Dictionaries | None = optional_attr_def(
        DICTIONARIES, "Attributes of the arguments.", default=None
    )
    res_attrs: Dictionaries | None = optional_attr_def(
        DICTIONARIES, "Attributes of the results.", default=None
    )
    body: Region = region_def("The code.", single_block=False)
    traits = (AutomaticAllocationScope(), SymbolWithVisibility(), IsolatedFromAbove())
    concepts = (TileAACallableInterface,)

    def verify_(self) -> None:
        check_function(self)
        if self.kernel_spec is not None and self.function_type.results:
            raise VerifyError("expects a kernel to return nothing")


class ReturnOp(TileDialectOp, name="nv_tileaa.return"):
    """Ends a function with its results."""

    operands_: tuple[Value, ...] = variadic_operand_def(ANY_TYPE, "The results of the function.", default=())
    traits = (Pure(), HasParent("nv_tileaa.func"), Terminator())

    def verify_(self) -> None:
        function = self.parent_op
        if isinstance(function, FuncOp) and self.operand_types != function.function_type.results:
            wanted = ", ".join(map(str, function.function_type.results))
            raise VerifyError(f"expects to return ({wanted})")


class CallOp(TileDialectOp, name="nv_tileaa.call"):
    """Calls a function by name."""

    callee: str = attr_def(SymbolRefKind(), "The name of the function.")
    operands_: tuple[Value, ...] = variadic_operand_def(ANY_TYPE, ARGUMENTS, default=())
    results_: tuple[Value, ...] = variadic_result_def(ANY_TYPE, "The results of the function.")
    traits = (VerifiesSymbolUses(),)
    concepts = (TileAACallInterface,)

    def verify_symbol_uses(self, symbols: Symbols) -> None:
        """Raise `VerifyError` unless the callee is a function that takes these operands and returns these
        results.
        """
        callee = symbols.get(self.callee)
        if not isinstance(callee, FuncOp):
            raise VerifyError(f"'{self.callee}' does not reference a valid function")
        if FunctionType(self.operand_types, self.result_types) is not callee.function_type:
            raise VerifyError(f"expects operands and results of '{callee.function_type}'")


class LaunchFuncOp(TileDialectOp, name="nv_tileaa.launch_func"):
    """Starts a grid of instances of a kernel."""

    kernel: str = attr_def(SymbolRefKind(), "The name of the kernel.")
    grid_x: Value = operand_def(INDEX, "Instances along the first dimension.")
    grid_y: Value = operand_def(INDEX, "Instances along the second dimension.")
    grid_z: Value = operand_def(INDEX, "Instances along the third dimension.")
    arguments: tuple[Value, ...] = variadic_operand_def(ANY_TYPE, ARGUMENTS, default=())
    traits = (VerifiesSymbolUses(),)

    def verify_symbol_uses(self, symbols: Symbols) -> None:
        """Raise `VerifyError` unless the kernel is a function that takes these arguments."""
        kernel = symbols.get(self.kernel)
        if not isinstance(kernel, FuncOp) or kernel.kernel_spec is None:
            raise VerifyError(f"'{self.kernel}' does not reference a valid kernel")
        if tuple(value.type for value in self.arguments) != kernel.function_type.inputs:
            raise VerifyError(f"expects arguments of '{kernel.function_type}'")


class GridQueryOp(TileDialectOp):
    """A number about one dimension of the grid."""

    axis: int = attr_def(GRID_AXIS, AXIS_DOC)
    result: Value = result_def(I32, "The number.")
    traits = (Pure(),)
    verifies_locally = True

    def verify_(self) -> None:
        if self.axis >= GRID_DIMENSIONS:
            raise VerifyError(f"expects a dimension from 0 to 2, but got {self.axis}")


class GetProgramIdOp(GridQueryOp, name="nv_tileaa.get_program_id"):
    """The index of the running instance along a dimension of the grid."""


class GetNumProgramsOp(GridQueryOp, name="nv_tileaa.get_num_programs"):
    """The number of instances along a dimension of the grid."""


class CancelNextProgramIdOp(TileDialectOp, name="nv_tileaa.cancel_next_program_id"):
    """Takes over an instance that has not begun yet, if there is one."""

    result: Value = result_def(OneOf((ProgramIdType(),), "program id"), "The instance.")


class IsValidProgramIdOp(TileDialectOp, name="nv_tileaa.is_valid_program_id"):
    """Whether there was an instance to take over."""

    program_id: Value = operand_def(PROGRAM_ID, "The instance.")
    result: Value = result_def(I1, "Whether it is one.")
    traits = (Pure(),)


class AssertOp(TileDialectOp, name="nv_tileaa.assert"):
    """Reports an error if a condition does not hold; the program may go on."""

    condition: Value = operand_def(MASK, "The condition for each element.")
    message: str = attr_def(TEXT, "What is said.")


class CheckOp(TileDialectOp, name="nv_tileaa.check"):
    """Reports a mistake of the program if a condition does not hold, and ends the launch.

    Programs do not contain it: the pass `insert-checks` inserts it on request.  Checks of
    one kind on the same elements may be made in any order, and before or after accesses that they do not guard.
    """

    condition: Value = operand_def(MASK, "The condition for each element.")
    check: str = attr_def(TEXT, "The check: `memcheck`, `fpcheck`, `initcheck` or `promises`.")
    message: str = attr_def(TEXT, "The message if the condition does not hold; {0} is the first value.")
    values: tuple[Value, ...] = variadic_operand_def(
        FIXED_INTEGER_LIKE, "Integers of 64 bits for the message.", default=()
    )
    verifies_locally = True

    def verify_(self) -> None:
        if self.check not in COMPILED_CHECKS:
            raise VerifyError(f"expects one of {', '.join(COMPILED_CHECKS)}, but got '{self.check}'")


class PrintOp(TileDialectOp, name="nv_tileaa.print"):
    """Prints a text with values in it."""

    format: str = attr_def(TEXT, "The text, with a place for each value.")
    arguments: tuple[Value, ...] = variadic_operand_def(ELEMENT_LIKE, "The values.", default=())
    token: Value | None = optional_operand_def(TOKEN, "The text before the values.", default=None)
    done: Value | None = optional_result_def(OneOf((MEM_TOKEN,), "memory token"), "It is printed.")


class MessageOp(TileDialectOp, name="nv_tileaa.message"):
    """A remark of the program to whoever reads the diagnostics of the compiler."""

    text: str = attr_def(TEXT, "The remark.")


class PragmaOp(TileDialectOp, name="nv_tileaa.pragma"):
    """The values in a part of the program with directives; unused results may be dropped."""

    directives: tuple[str, ...] = attr_def(STRINGS, "The directives.")
    operands_: tuple[Value, ...] = variadic_operand_def(ANY_TYPE, "The values.", default=())
    results_: tuple[Value, ...] = variadic_result_def(ANY_TYPE, "The same values.")
    traits = (NoMemoryEffect(),)
    verifies_locally = True

    def verify_(self) -> None:
        if self.operand_types != self.result_types:
            raise VerifyError("expects results of the types of the operands")


class InjectIrOp(TileDialectOp, name="nv_tileaa.inject_ir"):
    """Operations of other dialects, as text, that replace this operation at the end."""

    text: str = attr_def(TEXT, "The operations.")
    operands_: tuple[Value, ...] = variadic_operand_def(ANY_TYPE, "The values that they use.", default=())
    results_: tuple[Value, ...] = variadic_result_def(ANY_TYPE, "Their results.")


class PluginOp(TileDialectOp, name="nv_tileaa.plugin"):
    """Code with its own requirements, such as registers, memory, barriers and layouts of operands and results."""

    sym_name: str | None = optional_attr_def(SymbolNameKind(), "The name.", default=None)
    resources: DictionaryAttr | None = optional_attr_def(
        DictionaryKind(), "The requirements of the code.", default=None
    )
    layouts: Attribute | None = optional_attr_def(
        DictionaryKind(), "Layouts of operands and results.", default=None
    )
    features: tuple[str, ...] | None = optional_attr_def(
        STRINGS, "The assumptions of the code.", default=None
    )
    operands_: tuple[Value, ...] = variadic_operand_def(ANY_TYPE, "What goes in.", default=())
    results_: tuple[Value, ...] = variadic_result_def(ANY_TYPE, "What comes out.")
    body: Region = optional_region_def("The code.", single_block=False, default=None)
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
    PrintOp,
    MessageOp,
    PragmaOp,
    InjectIrOp,
    PluginOp,
)
