"""The pass that removes bridges between type systems once both sides are converted."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from tilewright.ir.operation import Operation
from tilewright.passes.pass_ import Pass, PassState
from tilewright.rewrite.conversion.bridges import require_no_casts


@dataclass(frozen=True)
class ReconcileUnrealizedCasts(Pass):
    """Removes bridges between types that lead back to where they came from, and fails if one is left.

    A bridge (`builtin.unrealized_conversion_cast`) that is left has no meaning at run time, so that the pass refuses the
    module (TW0703) and leaves it as it was. MLIR's pass of this name leaves such bridges in place; the failure comes
    there when the module is translated to LLVM IR.
    """

    name: ClassVar[str] = "reconcile-unrealized-casts"

    def run(self, op: Operation, state: PassState) -> None:
        require_no_casts(op)
