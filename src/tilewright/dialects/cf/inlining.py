"""The inlining rules of ``cf``, and the branches that replace returns."""

from __future__ import annotations

from collections.abc import Sequence

from tilewright.dialects.cf.ops import BranchOp
from tilewright.ir.block import Block
from tilewright.ir.interfaces.control_flow import InlinerInterface
from tilewright.ir.operation import Operation
from tilewright.ir.value import Value


class BranchInliner(InlinerInterface):
    """Allows every operation to be inlined."""

    def branch_to(self, target: Block, values: Sequence[Value]) -> Operation | None:
        return BranchOp(tuple(values), dest=target)
