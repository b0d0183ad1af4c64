"""Rules of exceptions beyond the types of single operands."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tilewright.dialects.llvm import roles as llvm_roles, types as llvm_types
from tilewright.dialects.llvm.rules import common as common_rules, control as control_rules
from tilewright.ir.declaration.traits import VerifyError
from tilewright.ir.operation import Operation
from tilewright.ir.value import Value
from tilewright.ir.walker import innermost_ancestor

if TYPE_CHECKING:
    from tilewright.dialects.llvm.ops.exception import InvokeOp, LandingpadOp


def check_invoke(op: InvokeOp) -> None:
    """Raise `VerifyError` unless the unwind block of an invocation begins with a landing pad,
    ``var_callee_type`` fits, and each operand bundle has its operands and a tag.
    """
    arguments = op.callee_operands if op.callee is not None else op.callee_operands[1:]
    common_rules.check_bundle_sizes(op.op_bundle_sizes, op.op_bundle_operands)
    if op.var_callee_type is not None:
        control_rules.check_variable_type(op, op.var_callee_type, arguments)
    first = op.unwindDest.first
    if first is None:
        raise VerifyError("must have at least one operation in unwind destination", prefix=False)
    if not isinstance(first, llvm_roles.LandingPadRole):
        words = "first operation in unwind destination should be a llvm.landingpad operation"
        raise VerifyError(words, prefix=False)
    common_rules.check_bundles(op.op_bundle_sizes, op.op_bundle_operands, op.op_bundle_tags)


def _is_function(op: Operation) -> bool:
    return isinstance(op, llvm_roles.FunctionRole)


def check_landing(op: LandingpadOp) -> None:
    """Raise `VerifyError` unless a landing pad has a clause or the flag `cleanup`, and each clause is an
    array or a constant address. A function around it must have a personality function.
    """
    function: Any = innermost_ancestor(op, _is_function)
    if function is not None and function.personality is None:
        words = "llvm.landingpad needs to be in a function with a personality"
        raise VerifyError(words, prefix=False)
    if not op.cleanup and not op.clauses:
        words = "landingpad instruction expects at least one clause or cleanup attribute"
        raise VerifyError(words, prefix=False)
    for number, value in enumerate(op.clauses):
        if not isinstance(value.type, llvm_types.LLVMArrayType):
            _check_clause(number, value)


def _check_clause(number: int, value: Value) -> None:
    """Raise `VerifyError` unless the clause `value`, with the index `number`, is the result of
    `llvm.mlir.zero`, of `llvm.mlir.addressof`, or of a bitcast of the latter.
    """
    source = value.owner if isinstance(value.owner, Operation) else None
    if isinstance(source, llvm_roles.BitcastRole):
        origin = source.operands[0].owner
        if not isinstance(origin, llvm_roles.AddressOfRole):
            note = "global addresses expected as operand to bitcast used in clauses for landingpad"
            raise VerifyError("constant clauses expected", prefix=False, notes=((note, source.location),))
    elif not isinstance(source, llvm_roles.ZeroRole | llvm_roles.AddressOfRole):
        words = f"clause #{number} is not a known constant - null, addressof, bitcast"
        raise VerifyError(words, prefix=False)
