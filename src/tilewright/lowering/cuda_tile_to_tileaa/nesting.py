"""Refuses kernels whose regions are nested too deeply for recursive passes.

When exits are removed (`early_exits`), the operations after a branch with an exit move into that branch. So
each such branch counts as one level for the rest of its block.
"""

from __future__ import annotations

from collections.abc import Iterator

from tilewright.dialects.cuda_tile.ops import control
from tilewright.ir.diagnostic import failure
from tilewright.ir.operation import Operation
from tilewright.ir.support.option_spelling import option
from tilewright.lowering import codes

DEEPEST = 100
"""The maximum depth of nesting: each level takes a few frames of Python's stack, which has a thousand."""


def refuse_deep_nesting(entry: Operation) -> None:
    """Raise `DiagnosticError` at the first operation with a region that is more than `DEEPEST` levels deep in
    the kernel `entry`. A branch or loop with an exit counts as one more level for the operations after it in
    its block.
    """
    exits = set(_leaving(entry))
    levels: dict[Operation, int] = {entry: 0}
    passed: dict[Operation, int] = {}
    for op in entry.walk():
        if op is entry or not op.regions:
            continue
        parent = op.parent_op
        assert parent is not None, "it stands in the kernel"
        levels[op] = level = levels[parent] + passed.get(parent, 0) + 1
        if op in exits:
            passed[parent] = passed.get(parent, 0) + 1
        if level > DEEPEST:
            raise failure(
                codes.NESTED_TOO_DEEP,
                f"loops and branches are nested more than {DEEPEST} deep",
                op.location,
                hint=f"write fewer loops over more elements, or run the kernel on the interpreter: {option('target', 'interp')}",
            )


def _leaving(entry: Operation) -> Iterator[Operation]:
    """Yield each branch and loop that contains a terminator which leaves it, such as a `return` inside of a
    `for`.
    """
    seen: set[Operation] = set()
    for op in entry.walk():
        through = _LEFT_BY.get(op.__class__, ())
        around = op.parent_op
        while around is not None and around.__class__ in through and around not in seen:
            seen.add(around)
            yield around
            around = around.parent_op


_LEFT_BY: dict[type[Operation], tuple[type[Operation], ...]] = {
    control.ContinueOp: (control.IfOp,),
    control.BreakOp: (control.IfOp,),
    control.ReturnOp: (control.IfOp, control.ForOp, control.LoopOp),
}
"""For each terminator, the operations that it leaves if it is inside of them: a `break` leaves the branches
up to its loop.
"""
