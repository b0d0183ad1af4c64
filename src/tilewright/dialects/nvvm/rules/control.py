"""Rules of the control of threads."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tilewright.dialects.nvvm.rules.barrier import require

if TYPE_CHECKING:
    from tilewright.dialects.nvvm.ops.control import PMEventOp, SetMaxRegisterOp


def check_monitor_event(op: PMEventOp) -> None:
    """Raise `VerifyError` unless ``pmevent`` has either a mask or a number below 16."""
    mask, number = op.maskedEventId, op.eventId
    require(mask is not None or number is not None, "either `id` or `mask` must be set")
    require(mask is None or number is None, "`id` and `mask` cannot be set at the same time")
    require(number is None or 0 <= number <= 15, "`id` must be between 0 and 15")


def check_register_count(op: SetMaxRegisterOp) -> None:
    """Raise `VerifyError` unless a register count is a multiple of 8 from 24 to 256."""
    require(op.regCount % 8 == 0, "new register size must be multiple of 8")
    require(24 <= op.regCount <= 256, "new register size must be in between 24 to 256")
