"""Control of the thread, and inline PTX."""

from __future__ import annotations

from tilewright.dialects.common.base import StandardOp
from tilewright.dialects.nvvm import constraints as nvvm_constraints, kinds as nvvm_kinds
from tilewright.dialects.nvvm.enums.barriers import SetMaxRegisterAction
from tilewright.dialects.nvvm.rules.barrier import require
from tilewright.ir.builtin_types import i16, i32
from tilewright.ir.declaration import fields
from tilewright.ir.declaration.attribute_kind import IntegerKind, StringKind
from tilewright.ir.declaration.constraint import ANY_TYPE
from tilewright.ir.operation import Operation
from tilewright.ir.value import Value


def check_monitor_event(op: PMEventOp) -> None:
    """Raise `VerifyError` unless ``pmevent`` has either a mask or a number from 0 to 15, not both."""
    mask, number = op.maskedEventId, op.eventId
    require(mask is not None or number is not None, "either `id` or `mask` must be set")
    require(mask is None or number is None, "`id` and `mask` cannot be set at the same time")
    require(number is None or 0 <= number <= 15, "`id` must be between 0 and 15")


def check_register_count(op: SetMaxRegisterOp) -> None:
    """Raise `VerifyError` unless a register count is a multiple of 8 from 24 to 256."""
    require(op.regCount % 8 == 0, "new register size must be multiple of 8")
    require(24 <= op.regCount <= 256, "new register size must be in between 24 to 256")


class BreakpointOp(StandardOp, name="nvvm.breakpoint"):
    """Stops in the debugger."""

    assembly_format = "attr-dict"


class ExitOp(StandardOp, name="nvvm.exit"):
    """Ends the executing thread."""

    assembly_format = "attr-dict"


class NanosleepOp(StandardOp, name="nvvm.nanosleep"):
    """Sleeps for about the given number of nanoseconds."""

    duration: Value = fields.operand_def(nvvm_constraints.INT32, "How many nanoseconds.")
    assembly_format = "attr-dict $duration"


class PMEventOp(StandardOp, name="nvvm.pmevent"):
    """Triggers one event of the performance monitor, `eventId`, or the events in the mask `maskedEventId`.
    Exactly one of the two is given.
    """

    maskedEventId: int | None = fields.optional_attr_def(
        IntegerKind(i16), "The events, one bit each.", default=None
    )
    eventId: int | None = fields.optional_attr_def(IntegerKind(i32), "The event.", default=None)
    assembly_format = "attr-dict (`id` `=` $eventId^)? (`mask` `=` $maskedEventId^)?"

    def verify_(self) -> None:
        check_monitor_event(self)


class SetMaxRegisterOp(StandardOp, name="nvvm.setmaxregister"):
    """Changes the number of registers of each thread of the warp to `regCount`: releases registers, or
    requests more, as `action` says.
    """

    regCount: int = fields.attr_def(IntegerKind(i32), "How many registers, a multiple of 8.")
    action: SetMaxRegisterAction = fields.attr_def(
        nvvm_kinds.SET_MAX_REGISTER_ACTION, "Whether registers are given back or asked for."
    )
    assembly_format = "$action $regCount attr-dict"

    def verify_(self) -> None:
        check_register_count(self)


class InlinePtxOp(StandardOp, name="nvvm.inline_ptx"):
    """Executes the given PTX text, into which the operands and results are substituted."""

    ptxCode: str = fields.attr_def(StringKind(), "The PTX, with ``{$r0}`` and so on for operands.")
    readOnlyArgs: tuple[Value, ...] = fields.variadic_operand_def(
        ANY_TYPE, "The operands that are read.", default=()
    )
    readWriteArgs: tuple[Value, ...] = fields.variadic_operand_def(
        ANY_TYPE, "The operands that are read and written.", default=()
    )
    predicate: Value | None = fields.optional_operand_def(
        nvvm_constraints.BOOL, "Whether the instruction is executed.", default=None
    )
    writeOnlyArgs: tuple[Value, ...] = fields.variadic_result_def(ANY_TYPE, "The results.")
    assembly_format = (
        "$ptxCode ( `ro` `(` $readOnlyArgs^ `:` type($readOnlyArgs) `)` )? ( `rw` `(` "
        "$readWriteArgs^ `:` type($readWriteArgs) `)` )? (`,` `predicate` `=` $predicate^)? "
        "attr-dict ( `->` type($writeOnlyArgs)^ )?"
    )


OPERATIONS: tuple[type[Operation], ...] = (
    BreakpointOp,
    ExitOp,
    NanosleepOp,
    PMEventOp,
    SetMaxRegisterOp,
    InlinePtxOp,
)
"""The operations of this module."""
