"""Flow of facts through regions: counters of loops, carried values, results of branches."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any

from tilewright.dialects.cuda_tile.ops import control as ops, tile as tile_ops
from tilewright.ir.operation import Operation
from tilewright.ir.value import Value
from tilewright.optimizer.analysis import intervals, pointer_origins
from tilewright.optimizer.analysis.facts import ValueFacts, points, unknown, width_of

if TYPE_CHECKING:
    from tilewright.optimizer.analysis.dataflow import Dataflow

Flow = Callable[["Dataflow", Any], None]


def enclosing_loop(op: Operation) -> Operation | None:
    """Return the nearest operation around `op` that is no `if`: the loop that a `continue` or `break` refers
    to. None if there is no such operation.
    """
    return next((outer for outer in op.ancestors() if not isinstance(outer, ops.IfOp)), None)


def parameter_facts(argument: Value) -> ValueFacts:
    """Return the facts about a kernel parameter: the facts of its type, and for a pointer or a view the
    parameter as its memory.
    """
    facts = unknown(argument.type)
    if not points(argument.type):
        return facts
    return facts.changed(
        place=pointer_origins.start_of(
            pointer_origins.MemoryRoot(pointer_origins.RootKind.ARGUMENT, argument.index)
        )
    )


def _enter_kernel(flow: Dataflow, op: ops.EntryOp) -> None:
    block = op.body.block
    for argument in block.arguments:
        flow.join(argument, parameter_facts(argument))
    flow.reach(block)


def counter_facts(lower: ValueFacts, upper: ValueFacts, step: ValueFacts, op: ops.ForOp) -> ValueFacts:
    """Return the facts about the counter of `op`, a `for`, inside its body, from the facts about its bounds
    and its step: the counter is not below the lower bound, and below the upper bound. Its bounds are unknown
    if the body never runs, or if an unsigned counter may exceed the signed range.
    """
    counter = op.body.block.arguments[0]
    facts = unknown(counter.type).changed(divisor=min(lower.divisor, step.divisor))
    width = width_of(op.lower_bound.type)
    assert width is not None
    assert lower.bounds is not None
    assert upper.bounds is not None
    low, high = lower.bounds, upper.bounds
    if op.unsigned_cmp:
        low, high = intervals.as_unsigned(low, width), intervals.as_unsigned(high, width)
    if low.low >= high.high:
        return facts  # the body never runs
    bounds = intervals.Interval(low.low, high.high - 1)
    return facts.changed(bounds=bounds) if bounds.high < 1 << (width - 1) else facts


def _count(flow: Dataflow, op: ops.ForOp) -> None:
    block = op.body.block
    lower, upper, step = [flow.values[operand] for operand in op.operands[:3]]
    flow.join(block.arguments[0], counter_facts(lower, upper, step, op))
    for initial, carried, result in zip(op.init_values, block.arguments[1:], op.result_values, strict=True):
        flow.join(carried, flow.values[initial])
        flow.join(result, flow.values[initial])
    flow.reach(block)


def _repeat(flow: Dataflow, op: ops.LoopOp) -> None:
    block = op.body.block
    for initial, carried in zip(op.init_values, block.arguments, strict=True):
        flow.join(carried, flow.values[initial])
    flow.reach(block)


def _branch(flow: Dataflow, op: ops.IfOp) -> None:
    chosen = flow.values[op.condition].constant
    for region, runs in ((op.then_region, chosen != 0), (op.else_region, chosen in (0, None))):
        if runs and region.blocks:
            flow.reach(region.block)


def _fold(flow: Dataflow, op: Operation) -> None:
    """Join the arguments and results of a reduction or scan with the facts of their types only: the order in
    which elements are combined is not specified.
    """
    block = op.regions[0].block
    for value in (*block.arguments, *op.results):
        flow.join(value, unknown(value.type))
    flow.reach(block)


def _yield(flow: Dataflow, op: ops.YieldOp) -> None:
    around = op.parent_op
    if isinstance(around, ops.IfOp):
        _pass(flow, op, around.results)


def _pass(flow: Dataflow, op: Operation, targets: Any) -> None:
    for value, target in zip(op.operands, targets, strict=True):
        flow.join(target, flow.values[value])


def _continue(flow: Dataflow, op: ops.ContinueOp) -> None:
    loop = enclosing_loop(op)
    if isinstance(loop, ops.ForOp):
        _pass(flow, op, loop.body.block.arguments[1:])
        _pass(flow, op, loop.result_values)
    elif isinstance(loop, ops.LoopOp):
        _pass(flow, op, loop.body.block.arguments)


def _break(flow: Dataflow, op: ops.BreakOp) -> None:
    loop = enclosing_loop(op)
    if isinstance(loop, ops.LoopOp):
        _pass(flow, op, loop.result_values)


def _end(flow: Dataflow, op: Operation) -> None:
    """Do nothing, since the operation passes no values on."""


FLOWS: dict[type[Operation], Flow] = {
    ops.EntryOp: _enter_kernel,
    ops.ForOp: _count,
    ops.LoopOp: _repeat,
    ops.IfOp: _branch,
    tile_ops.ReduceOp: _fold,
    tile_ops.ScanOp: _fold,
    ops.YieldOp: _yield,
    ops.ContinueOp: _continue,
    ops.BreakOp: _break,
    ops.ReturnOp: _end,
}
"""The transfer functions of control flow."""


def sources(value: Value) -> Iterator[tuple[str, Value]]:
    """Yield (role, value) for each value that a block argument, or a result of control flow, may get. The
    role is in words, such as "at first" and "then". A kernel parameter has no sources.
    """
    owner: Any = value.owner
    if isinstance(owner, Operation):
        yield from _result_sources(owner, value.index)
        return
    around = owner.parent_op
    if isinstance(around, ops.ForOp) and value.index == 0:
        yield from zip(("from", "below", "in steps of"), around.operands[:3], strict=True)
    elif isinstance(around, ops.ForOp | ops.LoopOp):
        position = value.index - isinstance(around, ops.ForOp)
        yield "at first", around.init_values[position]
        yield from _passed(around, ops.ContinueOp, position, "then")


def _result_sources(op: Operation, position: int) -> Iterator[tuple[str, Value]]:
    if isinstance(op, ops.IfOp):
        for word, region in (("if true", op.then_region), ("if false", op.else_region)):
            last = region.block.terminator if region.blocks else None
            if isinstance(last, ops.YieldOp):
                yield word, last.operands[position]
    elif isinstance(op, ops.ForOp):
        yield "without an iteration", op.init_values[position]
        yield from _passed(op, ops.ContinueOp, position, "after the last iteration")
    elif isinstance(op, ops.LoopOp):
        yield from _passed(op, ops.BreakOp, position, "at the end")


def _passed(
    loop: Operation, leaving: type[Operation], position: int, word: str
) -> Iterator[tuple[str, Value]]:
    for op in loop.walk():
        if isinstance(op, leaving) and enclosing_loop(op) is loop:
            yield word, op.operands[position]
