"""The control flow of calls and functions."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, cast

from tilewright.ir.block import Region
from tilewright.ir.interfaces.control_flow import CallableOpInterface, CallOpInterface
from tilewright.ir.operation import Operation
from tilewright.ir.value import Value

if TYPE_CHECKING:
    from tilewright.dialects.func.ops import CallOp, FuncOp


class FuncCallInterface(CallOpInterface):
    """The interface of `func.call`."""

    def callee(self, op: Operation) -> str:
        return cast("CallOp", op).callee

    def arguments(self, op: Operation) -> Sequence[Value]:
        return op.operands

    def may_inline(self, op: Operation) -> bool:
        return not cast("CallOp", op).no_inline


class FuncCallableInterface(CallableOpInterface):
    """The interface of `func.func`."""

    def body(self, op: Operation) -> Region | None:
        return op.regions[0] if op.regions[0].blocks else None

    def may_inline(self, op: Operation) -> bool:
        return not cast("FuncOp", op).no_inline
