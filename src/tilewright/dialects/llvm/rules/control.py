"""Rules of returns, branches and calls beyond the types of single operands."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, cast

from tilewright.dialects.common import control_flow as common_control_flow, functions
from tilewright.dialects.llvm import enums as llvm_enums, roles as llvm_roles
from tilewright.dialects.llvm.rules.common import check_sizes
from tilewright.dialects.llvm.types import LLVMFunctionType, LLVMPointerType, LLVMVoidType
from tilewright.ir.attribute import Type
from tilewright.ir.block import Block
from tilewright.ir.declaration.traits import VerifyError
from tilewright.ir.operation import Operation
from tilewright.ir.value import Value

if TYPE_CHECKING:
    from tilewright.dialects.llvm.ops import control as llvm_control, symbol as llvm_symbol


def check_return(op: llvm_control.ReturnOp) -> None:
    """Raise `VerifyError` unless ``return`` has an operand of the result type of the function, or none in a
    function that returns void. In other operations nothing is checked.
    """
    function = op.parent_op
    signature = getattr(function, "function_type", None)
    if not isinstance(signature, LLVMFunctionType):
        return
    assert function is not None, "it has a signature"
    note = (("when returning from function", function.location),)
    if isinstance(signature.result, LLVMVoidType):
        if op.arg is not None:
            raise VerifyError("expected no operands", notes=note)
    elif op.arg is None:
        raise VerifyError("expected 1 operand", notes=note)
    elif op.arg.type is not signature.result:
        raise VerifyError("mismatching result types", notes=note)


def check_weights(weights: Sequence[int] | None, successors: Sequence[Block]) -> None:
    """Raise `VerifyError` unless a branch has a weight for each successor, or no weights."""
    if weights is not None and len(weights) != len(successors):
        raise VerifyError(
            f"expects number of branch weights to match number of successors: {len(weights)} vs {len(successors)}",
            prefix=False,
        )


def check_switch(op: llvm_control.SwitchOp) -> None:
    """Raise `VerifyError` unless a switch has one block for each case, case values of the type of the
    condition, block operands that fit the blocks, and, if any, a weight for each block, the default block
    included.
    """
    sizes = op.case_operand_segments
    check_sizes(sizes, "case_operand_segments", op.caseOperands, "caseOperands")
    values: Any = op.case_values
    cases = 0 if values is None else values.count
    if cases != len(op.caseDestinations):
        raise VerifyError("expects number of case values to match number of case destinations")
    if values is not None and values.element_type is not op.value.type:
        raise VerifyError("expects case value type to match condition value type", prefix=False)
    groups = op.case_operands()[:cases]
    common_control_flow.check_branch(op, [op.defaultOperands, *groups, *[()] * (cases - len(groups))])
    check_weights(op.branch_weights, op.successors)


# --- calls


def check_intrinsic(op: llvm_control.CallIntrinsicOp) -> None:
    """Raise `VerifyError` unless the name of the called intrinsic begins with ``llvm.``."""
    if not op.intrin.startswith("llvm."):
        raise VerifyError("intrinsic name must start with 'llvm.'")


def check_assembly(op: llvm_control.InlineAsmOp) -> None:
    """Raise `VerifyError` if inline assembly is marked as a ``musttail`` call."""
    if op.tail_call_kind is llvm_enums.TailCallKind.MUSTTAIL:
        raise VerifyError("tail call kind 'musttail' is not supported by this operation")


def check_call(op: llvm_control.CallOp, symbols: functions.Symbols) -> None:
    """Raise `VerifyError` unless a call names a function or ifunc whose type fits the arguments and the
    result. A variadic function needs ``var_callee_type``, which must fit, too. For a call through a pointer,
    only the operand and ``var_callee_type`` are checked.
    """
    arguments = op.callee_operands if op.callee is not None else op.callee_operands[1:]
    if op.var_callee_type is not None:
        check_variable_type(op, op.var_callee_type, arguments)
    if op.callee is None:
        _check_pointer(op)
        return
    signature = _signature(op.callee, symbols)
    if signature.variadic and op.var_callee_type is None:
        raise VerifyError("missing var_callee_type attribute for vararg call")
    _check_arguments(arguments, signature)
    _check_result(op, signature)


def _check_pointer(op: Operation) -> None:
    if not op.operands:
        raise VerifyError("must have either a `callee` attribute or at least an operand")
    if not isinstance(op.operands[0].type, LLVMPointerType):
        raise VerifyError(f"indirect call expects a pointer as callee: '{op.operands[0].type}'")


def _signature(callee: str, symbols: functions.Symbols) -> LLVMFunctionType:
    """Return the type of the function or ifunc that a call names. Raises `VerifyError` if there is none."""
    function: Any = symbols.get(callee)
    if function is None:
        raise VerifyError(f"'{callee}' does not reference a symbol in the current scope")
    type: Type | None = None
    if isinstance(function, llvm_roles.FunctionRole):
        type = cast("llvm_symbol.LLVMFuncOp", function).function_type
    if isinstance(function, llvm_roles.IFuncRole):
        type = cast("llvm_symbol.IFuncOp", function).i_func_type
    if type is None:
        raise VerifyError(f"'{callee}' does not reference a valid LLVM function or IFunc")
    if not isinstance(type, LLVMFunctionType):
        raise VerifyError(f"callee does not have a functional type: '{type}'")
    return type


def check_variable_type(op: Operation, type: LLVMFunctionType, arguments: Sequence[Value]) -> None:
    """Raise `VerifyError` unless ``var_callee_type`` is variadic, its parameters have the types of the first
    arguments of a call, and its result has the type of the call's result.
    """
    if not type.variadic:
        raise VerifyError("expected var_callee_type to be a variadic function type")
    if len(type.arguments) > len(arguments):
        raise VerifyError(f"expected var_callee_type to have at most {len(arguments)} parameters")
    for wanted, argument in zip(type.arguments, arguments, strict=False):
        if wanted is not argument.type:
            raise VerifyError(f"var_callee_type parameter type mismatch: '{wanted}' != '{argument.type}'")
    if not op.results:
        if not isinstance(type.result, LLVMVoidType):
            raise VerifyError("expected var_callee_type to return void")
    elif op.results[0].type is not type.result:
        words = "var_callee_type return type mismatch"
        raise VerifyError(f"{words}: '{type.result}' != '{op.results[0].type}'")


def _check_arguments(arguments: Sequence[Value], signature: LLVMFunctionType) -> None:
    wanted, given = len(signature.arguments), len(arguments)
    if not signature.variadic and given != wanted:
        raise VerifyError(f"incorrect number of operands ({given}) for callee (expecting: {wanted})")
    if given < wanted:
        raise VerifyError(
            f"incorrect number of operands ({given}) for varargs callee (expecting at least: {wanted})"
        )
    for number, (argument, type) in enumerate(zip(arguments, signature.arguments, strict=False)):
        if argument.type is not type:
            raise VerifyError(f"operand type mismatch for operand {number}: '{argument.type}' != '{type}'")


def _check_result(op: Operation, signature: LLVMFunctionType) -> None:
    void = isinstance(signature.result, LLVMVoidType)
    if not op.results and not void:
        raise VerifyError("expected function call to produce a value")
    if op.results and void:
        raise VerifyError("calling function with void result must not produce values")
    if op.results and op.results[0].type is not signature.result:
        raise VerifyError(f"result type mismatch: '{op.results[0].type}' != '{signature.result}'")
