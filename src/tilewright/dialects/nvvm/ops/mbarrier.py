"""Barriers in shared memory (`mbarrier`)."""

from __future__ import annotations

from tilewright.dialects.common.base import StandardOp
from tilewright.dialects.nvvm import constraints as nvvm_constraints, kinds as nvvm_kinds
from tilewright.dialects.nvvm.enums.barriers import MemScopeKind
from tilewright.dialects.nvvm.rules import barrier as barrier_rules
from tilewright.ir.declaration.attribute_kind import BoolKind
from tilewright.ir.declaration.fields import (
    attr_def,
    operand_def,
    optional_operand_def,
    optional_result_def,
    result_def,
)
from tilewright.ir.operation import Operation
from tilewright.ir.value import Value

SCOPE_DOC = "Among which threads memory is ordered."
COUNT_DOC = "How many arrivals."
TXCOUNT_DOC = "How many bytes."
ADDR_DOC = "The address."
RES_DOC = "The result."
RELAXED_DOC = "Whether memory is not ordered."


class MBarrierInitOp(StandardOp, name="nvvm.mbarrier.init"):
    """Initializes an mbarrier in shared memory; its phase ends after ``count`` arrivals."""

    addr: Value = operand_def(nvvm_constraints.GENERIC_OR_SHARED, ADDR_DOC)
    count: Value = operand_def(nvvm_constraints.INT32, COUNT_DOC)
    predicate: Value | None = optional_operand_def(
        nvvm_constraints.BOOL, "Whether the instruction is executed.", default=None
    )
    assembly_format = "$addr `,` $count (`,` `predicate` `=` $predicate^)? attr-dict `:` type(operands)"


class MBarrierInvalOp(StandardOp, name="nvvm.mbarrier.inval"):
    """Invalidates an mbarrier, so that its memory can be used otherwise."""

    addr: Value = operand_def(nvvm_constraints.GENERIC_OR_SHARED, ADDR_DOC)
    assembly_format = "$addr attr-dict `:` type(operands)"


class MBarrierArriveOp(StandardOp, name="nvvm.mbarrier.arrive"):
    """Arrives at an mbarrier `count` times (once by default); the result, if there is one, is the state of
    its phase. An mbarrier of another block gives no result.
    """

    addr: Value = operand_def(nvvm_constraints.GENERIC_SHARED_OR_CLUSTER, ADDR_DOC)
    count: Value | None = optional_operand_def(nvvm_constraints.INT32, COUNT_DOC, default=None)
    scope: MemScopeKind = attr_def(nvvm_kinds.MEM_SCOPE, SCOPE_DOC, default=MemScopeKind.CTA)
    relaxed: bool = attr_def(BoolKind(), RELAXED_DOC, default=False)
    res: Value | None = optional_result_def(nvvm_constraints.INT64, RES_DOC)
    assembly_format = "$addr (`,` $count^)? attr-dict `:` type($addr) (`->` type($res)^)?"

    def verify_(self) -> None:
        barrier_rules.check_mbarrier_arrival(self)


class MBarrierArriveNocompleteOp(StandardOp, name="nvvm.mbarrier.arrive.nocomplete"):
    """Arrives at an mbarrier `count` times and returns the state of its phase, which the arrivals must not
    complete.
    """

    addr: Value = operand_def(nvvm_constraints.GENERIC_OR_SHARED, ADDR_DOC)
    count: Value = operand_def(nvvm_constraints.INT32, COUNT_DOC)
    res: Value = result_def(nvvm_constraints.INT64, RES_DOC)
    assembly_format = "$addr `,` $count attr-dict `:` type(operands) `->` type($res)"


class MBarrierArriveExpectTxOp(StandardOp, name="nvvm.mbarrier.arrive.expect_tx"):
    """Adds `txcount` to the bytes that the phase of an mbarrier expects, then arrives once. The result, if
    there is one, is the state of the phase; an arrival with `predicate`, or at an mbarrier of another block,
    has no result.
    """

    addr: Value = operand_def(nvvm_constraints.GENERIC_SHARED_OR_CLUSTER, ADDR_DOC)
    txcount: Value = operand_def(nvvm_constraints.INT32, TXCOUNT_DOC)
    predicate: Value | None = optional_operand_def(
        nvvm_constraints.BOOL, "Whether the instruction is executed.", default=None
    )
    scope: MemScopeKind = attr_def(nvvm_kinds.MEM_SCOPE, SCOPE_DOC, default=MemScopeKind.CTA)
    relaxed: bool = attr_def(BoolKind(), RELAXED_DOC, default=False)
    res: Value | None = optional_result_def(nvvm_constraints.INT64, RES_DOC)
    assembly_format = (
        "$addr `,` $txcount (`,` `predicate` `=` $predicate^)? attr-dict `:` type(operands) (`->` "
        "type($res)^)?"
    )

    def verify_(self) -> None:
        barrier_rules.check_mbarrier_predicated_arrival(self)


class MBarrierArriveDropOp(StandardOp, name="nvvm.mbarrier.arrive_drop"):
    """Arrives at an mbarrier `count` times (once by default), which expects `count` arrivals less in later
    phases. The result, if there is one, is the state of its phase.
    """

    addr: Value = operand_def(nvvm_constraints.GENERIC_SHARED_OR_CLUSTER, ADDR_DOC)
    count: Value | None = optional_operand_def(nvvm_constraints.INT32, COUNT_DOC, default=None)
    scope: MemScopeKind = attr_def(nvvm_kinds.MEM_SCOPE, SCOPE_DOC, default=MemScopeKind.CTA)
    relaxed: bool = attr_def(BoolKind(), RELAXED_DOC, default=False)
    res: Value | None = optional_result_def(nvvm_constraints.INT64, RES_DOC)
    assembly_format = "$addr (`,` $count^)? attr-dict `:` type($addr) (`->` type($res)^)?"

    def verify_(self) -> None:
        barrier_rules.check_mbarrier_arrival(self)


class MBarrierArriveDropNocompleteOp(StandardOp, name="nvvm.mbarrier.arrive_drop.nocomplete"):
    """Arrives at an mbarrier `count` times, which expects `count` arrivals less in later phases; the arrivals
    must not complete the phase, whose state is the result.
    """

    addr: Value = operand_def(nvvm_constraints.GENERIC_OR_SHARED, ADDR_DOC)
    count: Value = operand_def(nvvm_constraints.INT32, COUNT_DOC)
    res: Value = result_def(nvvm_constraints.INT64, RES_DOC)
    assembly_format = "$addr `,` $count attr-dict `:` type(operands) `->` type($res)"


class MBarrierArriveDropExpectTxOp(StandardOp, name="nvvm.mbarrier.arrive_drop.expect_tx"):
    """Adds `txcount` to the bytes that the phase of an mbarrier expects, then arrives; later phases expect
    one arrival less. The result, if there is one, is the state of the phase.
    """

    addr: Value = operand_def(nvvm_constraints.GENERIC_SHARED_OR_CLUSTER, ADDR_DOC)
    txcount: Value = operand_def(nvvm_constraints.INT32, TXCOUNT_DOC)
    scope: MemScopeKind = attr_def(nvvm_kinds.MEM_SCOPE, SCOPE_DOC, default=MemScopeKind.CTA)
    relaxed: bool = attr_def(BoolKind(), RELAXED_DOC, default=False)
    res: Value | None = optional_result_def(nvvm_constraints.INT64, RES_DOC)
    assembly_format = "$addr `,` $txcount attr-dict `:` type(operands) (`->` type($res)^)?"

    def verify_(self) -> None:
        barrier_rules.check_mbarrier_arrival(self)


class MBarrierExpectTxOp(StandardOp, name="nvvm.mbarrier.expect_tx"):
    """Increases the number of bytes that an mbarrier expects by `txcount`, without an arrival. `scope` is the
    block or the cluster; the operation has no memory order and no result.
    """

    addr: Value = operand_def(nvvm_constraints.SHARED_OR_CLUSTER, ADDR_DOC)
    txcount: Value = operand_def(nvvm_constraints.INT32, TXCOUNT_DOC)
    scope: MemScopeKind = attr_def(nvvm_kinds.MEM_SCOPE, SCOPE_DOC, default=MemScopeKind.CTA)
    assembly_format = "$addr `,` $txcount attr-dict `:` type(operands)"

    def verify_(self) -> None:
        barrier_rules.check_mbarrier_scope(self.scope)


class MBarrierCompleteTxOp(StandardOp, name="nvvm.mbarrier.complete_tx"):
    """Decreases the number of bytes that the phase of an mbarrier expects by `txcount`, without an arrival,
    as the arrival of these bytes would. `scope` is the block or the cluster.
    """

    addr: Value = operand_def(nvvm_constraints.SHARED_OR_CLUSTER, ADDR_DOC)
    txcount: Value = operand_def(nvvm_constraints.INT32, TXCOUNT_DOC)
    scope: MemScopeKind = attr_def(nvvm_kinds.MEM_SCOPE, SCOPE_DOC, default=MemScopeKind.CTA)
    assembly_format = "$addr `,` $txcount attr-dict `:` type(operands)"

    def verify_(self) -> None:
        barrier_rules.check_mbarrier_scope(self.scope)


class MBarrierTestWaitOp(StandardOp, name="nvvm.mbarrier.test.wait"):
    """Returns at once whether a phase of an mbarrier is complete. `stateOrPhase` is the state of the phase,
    an i64, or its parity, an i32.
    """

    addr: Value = operand_def(nvvm_constraints.GENERIC_OR_SHARED, ADDR_DOC)
    stateOrPhase: Value = operand_def(
        nvvm_constraints.INT64_OR_INT32, "The state of the phase, or its parity."
    )
    scope: MemScopeKind = attr_def(nvvm_kinds.MEM_SCOPE, SCOPE_DOC, default=MemScopeKind.CTA)
    relaxed: bool = attr_def(BoolKind(), RELAXED_DOC, default=False)
    res: Value = result_def(nvvm_constraints.BOOL, RES_DOC)
    assembly_format = "$addr `,` $stateOrPhase attr-dict `:` type(operands) `->` type($res)"

    def verify_(self) -> None:
        barrier_rules.check_mbarrier_scope(self.scope)


class MBarrierTryWaitOp(StandardOp, name="nvvm.mbarrier.try_wait"):
    """Returns whether a phase of an mbarrier is complete; may wait first, for `ticks` nanoseconds or a limit
    of the system. `stateOrPhase` is the state of the phase, an i64, or its parity, an i32.
    """

    addr: Value = operand_def(nvvm_constraints.GENERIC_OR_SHARED, ADDR_DOC)
    stateOrPhase: Value = operand_def(
        nvvm_constraints.INT64_OR_INT32, "The state of the phase, or its parity."
    )
    ticks: Value | None = optional_operand_def(
        nvvm_constraints.INT32, "How long to wait, in nanoseconds.", default=None
    )
    scope: MemScopeKind = attr_def(nvvm_kinds.MEM_SCOPE, SCOPE_DOC, default=MemScopeKind.CTA)
    relaxed: bool = attr_def(BoolKind(), RELAXED_DOC, default=False)
    res: Value = result_def(nvvm_constraints.BOOL, RES_DOC)
    assembly_format = "$addr `,` $stateOrPhase (`,` $ticks^)? attr-dict `:` type(operands) `->` type($res)"

    def verify_(self) -> None:
        barrier_rules.check_mbarrier_scope(self.scope)


class MBarrierTryWaitParityOp(StandardOp, name="nvvm.mbarrier.try_wait.parity"):
    """Waits until the phase of an mbarrier with the parity `phase` is complete: repeats `try_wait`, which
    waits for at most `ticks` nanoseconds, in a loop.
    """

    addr: Value = operand_def(nvvm_constraints.GENERIC_OR_SHARED, ADDR_DOC)
    phase: Value = operand_def(nvvm_constraints.INT32, "The parity of the phase.")
    ticks: Value = operand_def(nvvm_constraints.INT32, "How long to wait, in nanoseconds.")
    assembly_format = "$addr `,` $phase `,` $ticks attr-dict `:` type(operands)"


OPERATIONS: tuple[type[Operation], ...] = (
    MBarrierInitOp,
    MBarrierInvalOp,
    MBarrierArriveOp,
    MBarrierArriveNocompleteOp,
    MBarrierArriveExpectTxOp,
    MBarrierArriveDropOp,
    MBarrierArriveDropNocompleteOp,
    MBarrierArriveDropExpectTxOp,
    MBarrierExpectTxOp,
    MBarrierCompleteTxOp,
    MBarrierTestWaitOp,
    MBarrierTryWaitOp,
    MBarrierTryWaitParityOp,
)
"""The operations of this module."""
