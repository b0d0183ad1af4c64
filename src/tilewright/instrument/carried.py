"""Shadows that go through branches and the iterations of loops, beside the values that they belong to."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from tilewright.dialects.cuda_tile.ops import control
from tilewright.dialects.cuda_tile.types import tile_of
from tilewright.instrument import shadows as instrument_shadows, writer
from tilewright.ir import block as ir_block, builder, builtin_types
from tilewright.ir.operation import Operation
from tilewright.ir.value import Value

LOOPS = (control.ForOp, control.LoopOp)
CARRIERS = (*LOOPS, control.IfOp)
"""Operations whose results or block arguments may be one of several values: loops and branches."""
ENDS = (control.ContinueOp, control.BreakOp, control.YieldOp)


def ends_of(op: Operation, position: int | None = None) -> Sequence[Value]:
    """Return the values that operand number ``position`` of ``op``, a loop or the terminator of a branch or
    iteration, is passed to: block arguments and results. None stands for all operands of a terminator, and
    gives nothing for a loop. Empty for other operations and for the bounds of a loop.
    """
    if isinstance(op, LOOPS):
        return _begun(op, position)
    if not isinstance(op, ENDS):
        return ()
    places = _targets(op)
    if position is None:
        return [value for values in places for value in values]
    return [values[position] for values in places]


def _begun(loop: control.ForOp | control.LoopOp, position: int | None) -> Sequence[Value]:
    """Return the values that operand number `position` of a loop is passed to, if it is an initial value: the
    carried argument, and the result of a `for`. Return nothing for another operand and for None.
    """
    first = len(loop.operands) - len(loop.init_values)
    if position is None or position < first:
        return ()
    results = [loop.results[position - first]] if isinstance(loop, control.ForOp) else []
    return [_arguments(loop)[position - first], *results]


def _initial(op: Operation) -> Sequence[Value]:
    """Return the initial values of a loop; branches have none."""
    return op.init_values if isinstance(op, LOOPS) else ()


def _arguments(loop: control.ForOp | control.LoopOp) -> Sequence[Value]:
    """Return the block arguments of a loop's body that carry values, without the induction variable of a
    `for`.
    """
    arguments = loop.body.block.arguments
    return arguments[1:] if isinstance(loop, control.ForOp) else arguments


def _targets(end: Any) -> list[Sequence[Value]]:
    """Return the lists of values to which a terminator passes its operands; each list has one value for each
    operand.
    """
    target: Any = _ended_operation(end)
    if isinstance(end, control.ContinueOp):
        results = [target.results] if isinstance(target, control.ForOp) else []
        return [_arguments(target), *results]
    return [target.results]


def _ended_operation(end: Operation) -> Operation:
    """Return the `if` or loop whose branch or iteration the terminator ``end`` ends."""
    wanted = (control.IfOp,) if isinstance(end, control.YieldOp) else LOOPS
    return next(op for op in end.ancestors() if isinstance(op, wanted))


class CarriedShadows:
    """Makes loops and branches carry shadows, after the values that they carry and in the same order."""

    def __init__(self, shadows: instrument_shadows.Shadows) -> None:
        self._shadows = shadows
        self._arguments: dict[Operation, list[int]] = {}
        self._results: dict[Operation, list[int]] = {}

    def extend(self, op: Operation) -> None:
        """Replace `op`, a loop or a branch, with an operation that also carries the shadows of its doubtful
        values, and record the new results and arguments in the shadows. An operation without doubtful values
        is kept.
        """
        arguments = self._doubtful(_arguments(op)) if isinstance(op, LOOPS) else []
        results = self._doubtful(op.results)
        if not arguments and not results:
            return
        made = self._replaced(op, arguments, results)
        self._arguments[made], self._results[made] = arguments, results
        for at, shadow in zip(results, made.results[len(made.results) - len(results) :], strict=True):
            self._shadows.of[made.results[at]] = shadow
        for at in arguments:
            argument = _arguments(made)[at]
            self._shadows.of[argument] = made.regions[0].block.add_argument(_shadow_type(argument))

    def _doubtful(self, values: Sequence[Value]) -> list[int]:
        return [at for at, value in enumerate(values) if value in self._shadows.doubtful]

    def _replaced(self, op: Operation, arguments: list[int], results: list[int]) -> Any:
        write = writer.CheckInserter.before(op)
        more = [self._shadows.full(write, _initial(op)[at]) for at in arguments]
        types = [*op.result_types, *(_shadow_type(op.results[at]) for at in results)]
        regions = [ir_block.Region() for _ in op.regions]
        attributes = dict(op.held_attributes)
        made = Operation.from_parts(
            op.kind, (*op.operands, *more), types, attributes, regions, location=op.lazy_location
        )
        builder.InsertionPoint.before(op).insert(made)
        for source, target in zip(op.regions, made.regions, strict=True):
            target.take_blocks(source)
        for at, value in enumerate(op.results):
            value.replace_all_uses_with(made.results[at])
        self._shadows.doubtful.update(made.results[at] for at in results)
        op.erase()
        return made

    def hand_on(self, end: Any) -> None:
        """Append the shadows of its operands to `end`, the terminator of a branch or an iteration: one for
        each doubtful value that `extend` has made the `if` or loop carry; false tiles for operands without a
        shadow. Nothing is appended if there is no such value.
        """
        left = _ended_operation(end)
        kept = self._arguments if isinstance(end, control.ContinueOp) else self._results
        positions = kept.get(left, [])
        if positions:
            write = writer.CheckInserter.before(end)
            more = [self._shadows.full(write, end.operands[at]) for at in positions]
            end.set_operands([*end.operands, *more])


def _shadow_type(value: Value) -> Any:
    return tile_of(value).with_element_type(builtin_types.i1)
