"""The inlining rules of functions."""

from __future__ import annotations

from collections.abc import Sequence

from tilewright.dialects.func.ops import ReturnOp
from tilewright.ir.interfaces.control_flow import InlinerInterface
from tilewright.ir.operation import Operation
from tilewright.ir.value import Value


class FuncInliner(InlinerInterface):
    """Allows every operation of the dialect to be inlined; the operands of `func.return` become the results
    of the call.
    """

    def returned(self, op: Operation) -> Sequence[Value] | None:
        return op.operands if isinstance(op, ReturnOp) else None
