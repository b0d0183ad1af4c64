"""The pass that removes bridges between type systems once both sides are converted."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from tilewright.ir.operation import Operation
from tilewright.passes.pass_ import Pass, PassState
from tilewright.rewrite.conversion.bridges import require_no_casts


@dataclass(frozen=True)
class ReconcileUnrealizedCasts(Pass):
    """Removes casts between types that undo each other, and fails if a cast remains.

    A cast (`builtin.unrealized_conversion_cast`) that remains has no meaning at run time, so the pass reports
    an error (TW0703) and does not change the module. MLIR's pass of this name leaves such casts in place; the
    error is reported when the module is translated to LLVM IR.
    """

    name: ClassVar[str] = "reconcile-unrealized-casts"

    def run(self, op: Operation, state: PassState) -> None:
        require_no_casts(op)
