"""Rules of calls: operand bundles, callees, signatures."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Protocol, cast

from tilewright.dialects.common.symbols import Symbols
from tilewright.dialects.llvm.enums import TailCallKind
from tilewright.dialects.llvm.roles import (
    AddressOfRole,
    BitcastRole,
    FunctionRole,
    IFuncRole,
    LandingPadRole,
    ZeroRole,
)
from tilewright.dialects.llvm.types import LLVMArrayType, LLVMFunctionType, LLVMPointerType, LLVMVoidType
from tilewright.ir.attribute import Attribute, Type
from tilewright.ir.block import Block
from tilewright.ir.builtin_attributes import StringAttr
from tilewright.ir.operation import Operation
from tilewright.ir.traits import VerifyError
from tilewright.ir.value import Value
from tilewright.ir.walker import innermost_ancestor


class BundledCall(Protocol):
    """The fields of `AssumeOp`, `CallIntrinsicOp`, `CallOp` and `InvokeOp` that the functions here read."""

    op_bundle_operands: tuple[Value, ...]
    op_bundle_sizes: tuple[int, ...]
    op_bundle_tags: tuple[Attribute, ...] | None


class CallIntrinsic(Protocol):
    """The fields of `CallIntrinsicOp` that the functions here read."""

    intrin: str


class Landing(Protocol):
    """The fields of `LandingpadOp` that the functions here read."""

    clauses: tuple[Value, ...]
    cleanup: bool


class InlineAsm(Protocol):
    """The fields of `InlineAsmOp` that the functions here read."""

    tail_call_kind: TailCallKind


class Call(Protocol):
    """The fields of `CallOp` and `InvokeOp` that the functions here read."""

    callee: str | None
    callee_operands: tuple[Value, ...]
    var_callee_type: LLVMFunctionType | None


class Invoke(Call, BundledCall, Protocol):
    """The fields of `InvokeOp` that the functions here read."""

    unwindDest: Block


class TypedFunction(Protocol):
    """The fields of `LLVMFuncOp` that the functions here read."""

    function_type: Type


class TypedIFunc(Protocol):
    """The fields of `IFuncOp` that the functions here read."""

    i_func_type: Type


def check_sizes(sizes: Sequence[int], name: str, operands: Sequence[Value], field: str) -> None:
    """Raise unless the sizes in an attribute add up to the operands that they divide."""
    if any(size < 0 for size in sizes):
        raise VerifyError(f"'{name}' attribute cannot have negative elements")
    if sum(sizes) != len(operands):
        raise VerifyError(
            f"{field} count ({len(operands)}) does not match with the total size ({sum(sizes)}) "
            f"specified in attribute '{name}'"
        )


def check_bundle_sizes(op: BundledCall) -> None:
    """Raise unless the sizes of operand bundles add up to their operands."""
    check_sizes(op.op_bundle_sizes, "op_bundle_sizes", op.op_bundle_operands, "op_bundle_operands")


def check_bundles(op: BundledCall) -> None:
    """Raise unless each operand bundle has its operands and a tag."""
    check_bundle_sizes(op)
    sizes, tags = op.op_bundle_sizes, op.op_bundle_tags or ()
    if not all(isinstance(tag, StringAttr) for tag in tags):
        raise VerifyError("operand bundle tag must be a StringAttr", prefix=False)
    if len(sizes) != len(tags):
        words = f"expected {len(sizes)} operand bundle tags, but actually got {len(tags)}"
        raise VerifyError(words, prefix=False)


def check_intrinsic(op: CallIntrinsic) -> None:
    """Raise unless the name is one that an intrinsic can have."""
    if not op.intrin.startswith("llvm."):
        raise VerifyError("intrinsic name must start with 'llvm.'")


def check_invoke(op: Operation) -> None:
    """Raise unless an invocation has an exception land, and its bundles their operands and tags."""
    invoke = cast(Invoke, op)
    arguments = invoke.callee_operands if invoke.callee is not None else invoke.callee_operands[1:]
    check_bundle_sizes(invoke)
    if invoke.var_callee_type is not None:
        _check_variable_type(op, invoke.var_callee_type, arguments)
    first = invoke.unwindDest.first
    if first is None:
        raise VerifyError("must have at least one operation in unwind destination", prefix=False)
    if not isinstance(first, LandingPadRole):
        words = "first operation in unwind destination should be a llvm.landingpad operation"
        raise VerifyError(words, prefix=False)
    check_bundles(invoke)


def _is_function(op: Operation) -> bool:
    return isinstance(op, FunctionRole)


def check_landing(op: Operation) -> None:
    """Raise unless a landing stands in a function that handles exceptions, and its clauses are constants."""
    landing = cast(Landing, op)
    function: Any = innermost_ancestor(op, _is_function)
    if function is not None and function.personality is None:
        words = "llvm.landingpad needs to be in a function with a personality"
        raise VerifyError(words, prefix=False)
    if not landing.cleanup and not landing.clauses:
        words = "landingpad instruction expects at least one clause or cleanup attribute"
        raise VerifyError(words, prefix=False)
    for number, value in enumerate(landing.clauses):
        if not isinstance(value.type, LLVMArrayType):
            _check_clause(number, value)


def _check_clause(number: int, value: Value) -> None:
    """A caught type is an address that is known at compile time."""
    source = value.owner if isinstance(value.owner, Operation) else None
    if isinstance(source, BitcastRole):
        origin = source.operands[0].owner
        if not isinstance(origin, AddressOfRole):
            note = "global addresses expected as operand to bitcast used in clauses for landingpad"
            raise VerifyError("constant clauses expected", prefix=False, notes=((note, source.location),))
    elif not isinstance(source, ZeroRole | AddressOfRole):
        words = f"clause #{number} is not a known constant - null, addressof, bitcast"
        raise VerifyError(words, prefix=False)


def check_assembly(op: InlineAsm) -> None:
    """Raise if inline assembly must be a tail call."""
    if op.tail_call_kind is TailCallKind.MUSTTAIL:
        raise VerifyError("tail call kind 'musttail' is not supported by this operation")


def check_call(op: Operation, symbols: Symbols) -> None:
    """Raise unless the arguments of a call fit what it calls."""
    call = cast(Call, op)
    arguments = call.callee_operands if call.callee is not None else call.callee_operands[1:]
    if call.var_callee_type is not None:
        _check_variable_type(op, call.var_callee_type, arguments)
    if call.callee is None:
        _check_pointer(op)
        return
    signature = _signature(call.callee, symbols)
    if signature.variadic and call.var_callee_type is None:
        raise VerifyError("missing var_callee_type attribute for vararg call")
    _check_arguments(arguments, signature)
    _check_result(op, signature)


def _check_pointer(op: Operation) -> None:
    if not op.operands:
        raise VerifyError("must have either a `callee` attribute or at least an operand")
    if not isinstance(op.operands[0].type, LLVMPointerType):
        raise VerifyError(f"indirect call expects a pointer as callee: '{op.operands[0].type}'")


def _signature(callee: str, symbols: Symbols) -> LLVMFunctionType:
    """The type of the function that a call names."""
    function: Any = symbols.get(callee)
    if function is None:
        raise VerifyError(f"'{callee}' does not reference a symbol in the current scope")
    type: Type | None = None
    if isinstance(function, FunctionRole):
        type = cast(TypedFunction, function).function_type
    if isinstance(function, IFuncRole):
        type = cast(TypedIFunc, function).i_func_type
    if type is None:
        raise VerifyError(f"'{callee}' does not reference a valid LLVM function or IFunc")
    if not isinstance(type, LLVMFunctionType):
        raise VerifyError(f"callee does not have a functional type: '{type}'")
    return type


def _check_variable_type(op: Operation, type: LLVMFunctionType, arguments: Sequence[Value]) -> None:
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
