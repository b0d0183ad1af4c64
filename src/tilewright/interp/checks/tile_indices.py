"""Checks of the indices of accesses to views that are outside the index space (``--check memcheck`` and
``--check promises``).
"""

from __future__ import annotations

from typing import Any

from tilewright.dialects.cuda_tile.assumptions import index_words, pads_on_purpose
from tilewright.dialects.cuda_tile.ops.memory import VIEW_ACCESSES
from tilewright.dialects.nv_tileaa.check_messages import with_values
from tilewright.interp.codes import BROKEN_PROMISE, OUT_OF_BOUNDS
from tilewright.interp.memory.access_messages import array_words
from tilewright.interp.memory.addressing import index_space
from tilewright.interp.numerics.integers import signed_view
from tilewright.interp.options import InterpretOptions
from tilewright.interp.rules.rule import Evaluate, OperandPositions
from tilewright.interp.values import unsigned_value
from tilewright.ir.operation import Operation

MEMCHECK_HINT = "see which tile block stands there, and how many there are for the tiles of the array"
PROMISES_HINT = "compilers rely on this; mend the program or drop the promise"


def indexed(op: Operation, evaluate: Evaluate, options: InterpretOptions) -> Evaluate:
    """Return an evaluation that also checks the indices of an access to a view, if the options select the
    check. `memcheck` skips loads with intended padding. Rows that are picked one by one are left to
    `promises`.
    """
    if not isinstance(op, VIEW_ACCESSES) or not (options.memcheck or options.promises):
        return evaluate
    by_memcheck = options.memcheck and not pads_on_purpose(op)
    if not (by_memcheck or options.promises):
        return evaluate
    code, hint = (OUT_OF_BOUNDS, MEMCHECK_HINT) if by_memcheck else (BROKEN_PROMISE, PROMISES_HINT)
    at = OperandPositions(op)
    view_at, index_at = at.one("view"), at.group("index")

    def evaluate_checked(block: Any, *operands: Any) -> Any:
        view = operands[view_at]
        for axis, (index, limit) in enumerate(zip(operands[index_at], index_space(view), strict=True)):
            if not index.ndim and unsigned_value(index) >= limit:
                array = array_words(view.tensor.base, block.launch.memory.allocations)
                words = with_values(index_words(view.type, axis), (int(signed_view(index)), limit, array))
                block.launch.report_once(op, block.failure(op, code, words, hint=hint, names_op=False))
        return evaluate(block, *operands)

    return evaluate_checked
