"""The control flow of calls and functions."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, cast

from tilewright.ir.block import Region
from tilewright.ir.interfaces.control_flow import CallableOpInterface, CallOpInterface
from tilewright.ir.operation import Operation
from tilewright.ir.value import Value

if TYPE_CHECKING:
    from tilewright.dialects.tt.ops.function import CallOp

NO_INLINE = "noinline"
"""The attribute of functions that says whether calls of them stay calls."""


class TritonCallInterface(CallOpInterface):
    """The interface of `tt.call`."""

    def callee(self, op: Operation) -> str:
        return cast("CallOp", op).callee

    def arguments(self, op: Operation) -> Sequence[Value]:
        return op.operands


class TritonCallableInterface(CallableOpInterface):
    """The interface of `tt.func`."""

    def body(self, op: Operation) -> Region | None:
        return op.regions[0] if op.regions[0].blocks else None

    def may_inline(self, op: Operation) -> bool:
        stays: Any = op.held_attributes.get(NO_INLINE)
        return stays is None or not stays.value
