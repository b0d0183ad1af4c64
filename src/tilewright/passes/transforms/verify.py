"""The verifier as a pass."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from tilewright.ir.operation import Operation
from tilewright.ir.verifier import verify
from tilewright.passes.pass_ import Pass, PassState


@dataclass(frozen=True)
class Verify(Pass):
    """Verifies the operation and its contents, and reports every broken rule as an error, so that the
    pipeline fails. Changes nothing.
    """

    name: ClassVar[str] = "verify"
    required: ClassVar[bool] = True
    atomic: ClassVar[bool] = True

    def run(self, op: Operation, state: PassState) -> None:
        for error in verify(op, all_errors=True, dialects=state.context.dialects):
            state.emit(error)
        state.preserve_all()
