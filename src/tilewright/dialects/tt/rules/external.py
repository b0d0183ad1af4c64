"""Rules of inline assembly."""

from __future__ import annotations

from tilewright.dialects.tt.types import element_count
from tilewright.ir.builtin_types import RankedTensorType
from tilewright.ir.declaration.traits import VerifyError
from tilewright.ir.operation import Operation


def check_packed_elements(op: Operation, packed: int) -> None:
    """Raise `VerifyError` unless the elements of the first operand fill whole runs."""
    first = op.operands[0].type if op.operands else None
    count = element_count(first) if isinstance(first, RankedTensorType) else 0
    if packed <= 0 or count % packed:
        raise VerifyError(
            f"number of input elements {count} must be a multiple of the op's packed_element attribute, {packed}",
            prefix=False,
        )
