"""How calls and functions answer questions of passes, and what may be inlined."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from tilewright.ir.block import Region
from tilewright.ir.control_flow import CallableOpInterface, CallOpInterface, InlinerInterface
from tilewright.ir.operation import Operation
from tilewright.ir.value import Value


class Call(CallOpInterface):
    """`func.call`."""

    def callee(self, op: Any) -> str:
        return op.callee

    def arguments(self, op: Operation) -> Sequence[Value]:
        return op.operands

    def may_inline(self, op: Any) -> bool:
        return not op.no_inline


class Function(CallableOpInterface):
    """`func.func`."""

    def body(self, op: Any) -> Region | None:
        return op.body if op.body.blocks else None

    def may_inline(self, op: Any) -> bool:
        return not op.no_inline


class FuncInliner(InlinerInterface):
    """Everything of the dialect may be inlined; `func.return` hands its operands to the caller."""

    def returned(self, op: Operation) -> Sequence[Value] | None:
        return op.operands if op.name == "func.return" else None
