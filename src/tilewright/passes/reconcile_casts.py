"""The pass that removes bridges between type systems once both sides are converted."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from tilewright.ir.operation import Operation
from tilewright.passes.pass_ import Pass, PassState
from tilewright.rewrite.conversion.bridges import reconcile_casts


@dataclass(frozen=True)
class ReconcileUnrealizedCasts(Pass):
    """Removes bridges between types that lead back to where they came from; those that remain stay as they are."""

    name: ClassVar[str] = "reconcile-unrealized-casts"
    atomic: ClassVar[bool] = True

    def run(self, op: Operation, state: PassState) -> None:
        reconcile_casts(op)
