"""The inlining rules of Triton's functions."""

from __future__ import annotations

from collections.abc import Sequence

from tilewright.dialects.tt.ops.function import ReturnOp
from tilewright.ir.interfaces.control_flow import InlinerInterface
from tilewright.ir.operation import Operation
from tilewright.ir.value import Value


class TritonInliner(InlinerInterface):
    """Allows every operation of the dialect to be inlined; the operands of `tt.return` become the results of
    the call.
    """

    def returned(self, op: Operation) -> Sequence[Value] | None:
        return op.operands if isinstance(op, ReturnOp) else None
