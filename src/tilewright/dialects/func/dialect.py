"""The declaration of the ``func`` dialect: its operations, types and attributes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from tilewright.dialects.common.constant_folding import defined_by
from tilewright.dialects.func import ops
from tilewright.ir.attribute import Attribute, Type
from tilewright.ir.builtin_attributes import SymbolRefAttr
from tilewright.ir.builtin_types import FunctionType
from tilewright.ir.dialect import Dialect
from tilewright.ir.interfaces.control_flow import InlinerInterface
from tilewright.ir.operation import Operation
from tilewright.ir.value import Value
from tilewright.rewrite.pattern import NoMatch, RewritePattern, pattern
from tilewright.rewrite.rewriter import Rewriter

AnyPattern = RewritePattern[Any]


@pattern(ops.CallIndirectOp, name="SimplifyIndirectCallWithKnownCallee", defined_by=({0: ops.ConstantOp},))
def call_by_name(op: ops.CallIndirectOp, rewriter: Rewriter) -> NoMatch | None:
    """Replace an indirect call of the result of a `func.constant` with a direct call that has the same
    operands, argument attributes and result attributes.
    """
    function = defined_by(op.callee, ops.ConstantOp)
    if function is None:
        return rewriter.no_match("the function is not known")
    call = ops.CallOp(
        function.value,
        op.callee_operands,
        arg_attrs=op.arg_attrs,
        res_attrs=op.res_attrs,
        no_inline=False,
        result_types=op.result_types,
        location=op.location,
    )
    rewriter.replace(op, rewriter.insert(call))
    return None


def patterns() -> Sequence[AnyPattern]:
    """Return all patterns of the dialect."""
    return [call_by_name]


class FuncInliner(InlinerInterface):
    """Allows every operation of the dialect to be inlined; the operands of `func.return` become the results
    of the call.
    """

    def returned(self, op: Operation) -> Sequence[Value] | None:
        return op.operands if isinstance(op, ops.ReturnOp) else None


HAND_WRITTEN_SYNTAX = ("func.func",)
"""Operations whose custom syntax is not written in the declaration."""


def materialize_constant(value: Attribute, type: Type, location: Any) -> Operation | None:
    """Return a ``func.constant`` for a flat symbol reference of a function type; None for other attributes
    and types.
    """
    if not isinstance(value, SymbolRefAttr) or value.nested or not isinstance(type, FunctionType):
        return None
    attributes: dict[str, Attribute] = {"value": value}
    return Operation.from_parts(ops.ConstantOp.op_kind, (), [type], attributes, location=location)


FUNC = Dialect(
    "func",
    doc="Functions and calls.",
    operations=ops.OPERATIONS,
    interfaces=(FuncInliner(),),
    materialize_constant=materialize_constant,
    canonicalization_patterns=patterns,
)
