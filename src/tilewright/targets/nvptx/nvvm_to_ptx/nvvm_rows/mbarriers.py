"""Barriers in shared memory."""

from __future__ import annotations

from tilewright.dialects.nvvm.enums.barriers import MemScopeKind
from tilewright.dialects.nvvm.ops import mbarrier
from tilewright.ir.operation import Operation
from tilewright.ir.value import Value
from tilewright.ptx.model import InstructionGuard, Name, Operand
from tilewright.targets.nvptx.nvvm_to_ptx.emitter import PtxFunctionEmitter, Rule, space_of
from tilewright.targets.nvptx.nvvm_to_ptx.legal import CLUSTER, GENERIC, LONGS, SHARED
from tilewright.targets.nvptx.nvvm_to_ptx.rows.orders import spelt
from tilewright.targets.nvptx.nvvm_to_ptx.writer import SINK

SPACES = {GENERIC: "", SHARED: "shared", CLUSTER: "shared::cluster"}


def guard_of(emit: PtxFunctionEmitter, condition: Value | None) -> InstructionGuard | None:
    """Return the guard that executes an instruction if `condition` is true; None, for always, without a
    condition.
    """
    if condition is None:
        return None
    return InstructionGuard(emit.word(condition))


def _order(scope: MemScopeKind, word: str, *, relaxed: bool = False) -> str:
    """Return the suffixes of order and scope, such as ``release.cluster``. The order is `word`, or
    ``relaxed`` if `relaxed` is set. For the default, `word` at the scope of the block, return an empty text,
    which old versions of PTX accept.
    """
    if scope is MemScopeKind.CTA and not relaxed:
        return ""
    return f"{'relaxed' if relaxed else word}.{scope.spelling}"


def _init(emit: PtxFunctionEmitter, op: mbarrier.MBarrierInitOp) -> None:
    spelling = spelt("mbarrier.init", SPACES[space_of(op.addr)], "b64")
    emit.emit(spelling, emit.address(op.addr), emit.part(op.count), guard=guard_of(emit, op.predicate))


def _invalidate(emit: PtxFunctionEmitter, op: mbarrier.MBarrierInvalOp) -> None:
    emit.emit(spelt("mbarrier.inval", SPACES[space_of(op.addr)], "b64"), emit.address(op.addr))


def _state(emit: PtxFunctionEmitter, result: Value | None) -> Name:
    """Return the destination for the state that an arrival at an mbarrier returns: a register bound to
    `result`, or the sink ``_`` without a result, as for an mbarrier of another block.
    """
    if result is None:
        return SINK
    state = emit.register(LONGS)
    emit.bind(result, [state])
    return state


def _arrival(name: str) -> Rule:
    def rule(emit: PtxFunctionEmitter, op: mbarrier.MBarrierArriveOp | mbarrier.MBarrierArriveDropOp) -> None:
        count = (emit.part(op.count),) if op.count is not None else ()
        order = _order(op.scope, "release", relaxed=op.relaxed)
        spelling = spelt(name, order, SPACES[space_of(op.addr)], "b64")
        emit.emit(spelling, _state(emit, op.res), emit.address(op.addr), *count)

    return rule


def _incomplete(name: str) -> Rule:
    def rule(
        emit: PtxFunctionEmitter,
        op: mbarrier.MBarrierArriveNocompleteOp | mbarrier.MBarrierArriveDropNocompleteOp,
    ) -> None:
        spelling = spelt(name, "noComplete", SPACES[space_of(op.addr)], "b64")
        emit.bind(op.res, [emit.compute(spelling, emit.address(op.addr), emit.part(op.count))])

    return rule


def _expecting(name: str) -> Rule:
    """Return the rule of an arrival that also expects a number of bytes; `name` is the instruction, such as
    ``mbarrier.arrive``.
    """

    def rule(
        emit: PtxFunctionEmitter,
        op: mbarrier.MBarrierArriveExpectTxOp | mbarrier.MBarrierArriveDropExpectTxOp,
    ) -> None:
        order = _order(op.scope, "release", relaxed=op.relaxed)
        spelling = spelt(name, "expect_tx", order, SPACES[space_of(op.addr)], "b64")
        condition = op.predicate if isinstance(op, mbarrier.MBarrierArriveExpectTxOp) else None
        state, guard = _state(emit, op.res), guard_of(emit, condition)
        emit.emit(spelling, state, emit.address(op.addr), emit.part(op.txcount), guard=guard)

    return rule


BYTES = {SHARED: "shared::cta", CLUSTER: "shared::cluster"}


def _bytes(name: str) -> Rule:
    def rule(
        emit: PtxFunctionEmitter, op: mbarrier.MBarrierExpectTxOp | mbarrier.MBarrierCompleteTxOp
    ) -> None:
        words = f"relaxed.{op.scope.spelling}.{BYTES[space_of(op.addr)]}"
        emit.emit(f"{name}.{words}.b64", emit.address(op.addr), emit.part(op.txcount))

    return rule


def _waiting(name: str) -> Rule:
    """Return the rule of the test `name` whether a phase is complete, by its state (an operand of 64 bits) or
    its parity (32 bits).
    """

    def rule(emit: PtxFunctionEmitter, op: mbarrier.MBarrierTestWaitOp | mbarrier.MBarrierTryWaitOp) -> None:
        parity = "parity" if emit.width(op.stateOrPhase.type) == 32 else ""
        order = _order(op.scope, "acquire", relaxed=op.relaxed)
        spelling = spelt(name, parity, order, SPACES[space_of(op.addr)], "b64")
        sources: list[Operand] = [emit.address(op.addr), emit.part(op.stateOrPhase)]
        if isinstance(op, mbarrier.MBarrierTryWaitOp) and op.ticks is not None:
            sources.append(emit.part(op.ticks))
        emit.bind(op.res, [emit.compute(spelling, *sources)])

    return rule


def _wait(emit: PtxFunctionEmitter, op: mbarrier.MBarrierTryWaitParityOp) -> None:
    """Emit a loop that waits until the phase with the parity `op.phase` is complete; a test suspends the
    thread for at most `op.ticks` nanoseconds.
    """
    spelling = spelt("mbarrier.try_wait.parity", SPACES[space_of(op.addr)], "b64")
    again = emit.label()
    emit.mark(again)
    done = emit.compute(spelling, emit.address(op.addr), emit.part(op.phase), emit.part(op.ticks))
    emit.emit("bra", Name(again), guard=InstructionGuard(done, True))


ROWS: dict[type[Operation], Rule] = {
    mbarrier.MBarrierInitOp: _init,
    mbarrier.MBarrierInvalOp: _invalidate,
    mbarrier.MBarrierArriveOp: _arrival("mbarrier.arrive"),
    mbarrier.MBarrierArriveDropOp: _arrival("mbarrier.arrive_drop"),
    mbarrier.MBarrierArriveNocompleteOp: _incomplete("mbarrier.arrive"),
    mbarrier.MBarrierArriveDropNocompleteOp: _incomplete("mbarrier.arrive_drop"),
    mbarrier.MBarrierArriveExpectTxOp: _expecting("mbarrier.arrive"),
    mbarrier.MBarrierArriveDropExpectTxOp: _expecting("mbarrier.arrive_drop"),
    mbarrier.MBarrierExpectTxOp: _bytes("mbarrier.expect_tx"),
    mbarrier.MBarrierCompleteTxOp: _bytes("mbarrier.complete_tx"),
    mbarrier.MBarrierTestWaitOp: _waiting("mbarrier.test_wait"),
    mbarrier.MBarrierTryWaitOp: _waiting("mbarrier.try_wait"),
    mbarrier.MBarrierTryWaitParityOp: _wait,
}
