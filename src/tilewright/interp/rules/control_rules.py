"""Control flow: moving between the frames of a tile block."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from tilewright.dialects.cuda_tile.ops import control as ops
from tilewright.interp.codes import ILLEGAL_STEP
from tilewright.interp.numerics.element import ElementFormat
from tilewright.interp.rules.rule import RuleTable, Steer
from tilewright.interp.tile_block import BlockFrame, LoopFrame, TileBlock
from tilewright.interp.values import integer_scalar, signed_value, tile_format, unsigned_value

if TYPE_CHECKING:
    from tilewright.interp.program import InterpretedBlock, Program

RULES = RuleTable()


@RULES.steers(ops.IfOp)
def branch(op: ops.IfOp, program: Program) -> Steer:
    """Return the step that enters a branch of an `if`; an `else` region without a block is skipped. The step
    raises `DiagnosticError` for an undefined condition, under `initcheck`.
    """
    taken = program.code(op.then_region)
    other = program.code(op.else_region) if op.else_region.blocks else None
    results = program.slots(op.results)

    def steer(block: TileBlock, slots: Sequence[int]) -> None:
        block.require_defined(op, slots[0], "the condition")
        code = taken if block.registers[slots[0]] else other
        if code is not None:
            block.push(BlockFrame(code, results))

    return steer


class CountedFrame(LoopFrame):
    """The iterations of a `for`, with the current one, whose body is ``code`` and whose results are in the
    registers ``results``. ``bounds`` are the lower bound, the upper bound (exclusive) and the step; the
    counter has the ``format``. The counter is a Python integer, so it cannot wrap around.
    """

    __slots__ = ("_counter", "_format", "_step", "_upper")

    def __init__(
        self,
        code: InterpretedBlock,
        results: Sequence[int],
        bounds: tuple[int, int, int],
        format: ElementFormat,
    ) -> None:
        super().__init__(code, results)
        self._counter, self._upper, self._step = bounds
        self._format = format

    @property
    def finished(self) -> bool:
        """Return whether the counter has reached the upper bound."""
        return self._counter >= self._upper

    def set_counter(self, block: TileBlock) -> None:
        """Store the counter of the loop in the register of the first argument of its body, in the tile block
        `block`.
        """
        block.registers[self.code.arguments[0]] = integer_scalar(self._counter, self._format)

    def next_iteration(self, block: TileBlock, carried: Sequence[int]) -> None:
        self._counter += self._step
        if self.finished:
            block.pop()
            block.assign(carried, self.results)
            return
        block.end_scope(self)
        block.assign(carried, self.code.arguments[1:])
        self.set_counter(block)
        self.position = 0
        self.iterations += 1
        block.count_iteration(self.iterations)


@RULES.steers(ops.ForOp)
def count(op: ops.ForOp, program: Program) -> Steer:
    """Return the step that enters the first iteration of a `for`, or passes the initial values on if there is
    no iteration. The step raises `DiagnosticError` if the step of the loop is not positive, and, under
    `initcheck`, for undefined bounds.
    """
    body = program.code(op.body)
    results = program.slots(op.results)
    read = unsigned_value if op.unsigned_cmp else signed_value
    format = tile_format(op.lower_bound.type)

    def steer(block: TileBlock, slots: Sequence[int]) -> None:
        for slot, name in zip(slots, ("lower bound", "upper bound", "step"), strict=False):
            block.require_defined(op, slot, f"the {name}")
        lower, upper, step = [read(block.registers[slot]) for slot in slots[:3]]
        if step <= 0:
            hint = "count upwards and compute the descending index in the body"
            raise block.failure(op, ILLEGAL_STEP, f"the step is {step}; it must be positive", hint=hint)
        frame = CountedFrame(body, results, (lower, upper, step), format)
        if frame.finished:
            block.assign(slots[3:], results)
            return
        block.assign(slots[3:], body.arguments[1:])
        frame.set_counter(block)
        block.push(frame)

    return steer


@RULES.steers(ops.LoopOp)
def repeat(op: ops.LoopOp, program: Program) -> Steer:
    """Return the step that enters the first iteration of a `loop`."""
    body = program.code(op.body)
    results = program.slots(op.results)

    def steer(block: TileBlock, slots: Sequence[int]) -> None:
        block.assign(slots, body.arguments)
        block.push(LoopFrame(body, results))

    return steer


@RULES.steers(ops.YieldOp)
def leave_branch(op: ops.YieldOp, program: Program) -> Steer:
    """Return the step that leaves a branch: the operands of the `yield` become the results of the `if`."""

    def steer(block: TileBlock, slots: Sequence[int]) -> None:
        frame = block.pop()
        block.assign(slots, frame.results)

    return steer


@RULES.steers(ops.ContinueOp)
def next_iteration(op: ops.ContinueOp, program: Program) -> Steer:
    """Return the step that ends the iteration of the innermost loop: the next one begins with the operands of
    the `continue`, or they become the results of a `for` that has no more iterations.
    """

    def steer(block: TileBlock, slots: Sequence[int]) -> None:
        block.unwind_to_loop().next_iteration(block, slots)

    return steer


@RULES.steers(ops.BreakOp)
def leave_loop(op: ops.BreakOp, program: Program) -> Steer:
    """Return the step that leaves the innermost loop: the operands of the `break` become its results."""

    def steer(block: TileBlock, slots: Sequence[int]) -> None:
        frame = block.unwind_to_loop()
        block.pop()
        block.assign(slots, frame.results)

    return steer


@RULES.steers(ops.ReturnOp)
def end(op: ops.ReturnOp, program: Program) -> Steer:
    """Return the step that ends the tile block."""

    def steer(block: TileBlock, slots: Any) -> None:
        while block.frames:
            block.pop()

    return steer
