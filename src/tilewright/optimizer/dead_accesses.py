"""`eliminate-dead-accesses`: unused loads and views are erased.

A weak load with an unused value is erased; users of its token take over the load's input token.
Stores, atomics and loads that synchronise stay.  An `assume` with an unused result is erased, too.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

from tilewright.dialects.cuda_tile.enums import MemoryOrderingSemantics
from tilewright.dialects.cuda_tile.ops import control as control_ops, memory as memory_ops
from tilewright.ir.builder import InsertionPoint
from tilewright.ir.interfaces.effects import is_trivially_dead
from tilewright.ir.operation import Operation
from tilewright.ir.value import Value
from tilewright.optimizer.tokens import input_token
from tilewright.passes.pass_ import Pass, PassState


def eliminate_dead_accesses(root: Operation) -> int:
    """Erase operations with unused results inside `root`, users before their operands; return their number.
    These are weak loads whose value is unused, assumptions, and operations without effects; operations with
    regions stay. Users of an erased load's token use the load's input token.
    """
    erased = 0
    for op in list(root.walk(reverse=True)):
        if op is root or op.regions:
            continue
        if _is_weak_load(op) and not op.results[0].has_uses:
            _pass_the_token_on(op)
            op.erase()
            erased += 1
        elif is_trivially_dead(op) or (isinstance(op, control_ops.AssumeOp) and not op.has_uses):
            op.erase()
            erased += 1
    return erased


def _is_weak_load(op: Operation) -> bool:
    """Return whether an operation is a load, from pointers or a view, with weak memory ordering."""
    return (
        isinstance(op, memory_ops.LoadPtrTkoOp | memory_ops.LoadViewTkoOp)
        and op.memory_ordering_semantics is MemoryOrderingSemantics.WEAK
    )


def _pass_the_token_on(load: Operation) -> None:
    """Replace the uses of a load's token with the token that the load waits for, or with a new token if it
    waits for none.
    """
    token: Value = load.results[1]
    if token.has_uses:
        token.replace_all_uses_with(input_token(load) or _fresh_token(load))


def _fresh_token(load: Operation) -> Value:
    made: Any = memory_ops.MakeTokenOp(location=load.location, result_types=[load.results[1].type])
    return InsertionPoint.before(load).insert(made).result


@dataclass(frozen=True)
class EliminateDeadAccesses(Pass):
    """Erases weak loads, views, assumptions and operations without effects whose results are unused.

    Users of an erased load's token take over the load's input token.
    """

    name: ClassVar[str] = "eliminate-dead-accesses"

    def run(self, op: Operation, state: PassState) -> None:
        state.report("num-erased", eliminate_dead_accesses(op))
