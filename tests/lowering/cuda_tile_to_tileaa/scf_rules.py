"""Rules with which the interpreter runs what the removal of early exits makes: `scf.while`, and poison."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from tilewright.dialects.cuda_tile.types import TokenType
from tilewright.dialects.scf import ops_loop as scf
from tilewright.dialects.ub.dialect import PoisonOp
from tilewright.interp.program import Program
from tilewright.interp.rules.rule import Evaluate, RuleTable, Steer, constantly
from tilewright.interp.tile_block import LoopFrame, TileBlock
from tilewright.interp.values import TOKEN, tile_format

RULES = RuleTable()


class WhileFrame(LoopFrame):
    """A round of `scf.while`; ``after`` is its second region."""

    __slots__ = ("after", "before")

    def __init__(self, before: Any, after: Any, results: Sequence[int]) -> None:
        super().__init__(before, results)
        self.before = before
        self.after = after


@RULES.steers(scf.WhileOp)
def loop(op: Any, program: Program) -> Steer:
    before, after = program.code(op.before), program.code(op.after)
    results = program.slots(op.results)

    def steer(block: TileBlock, slots: Sequence[int]) -> None:
        block.assign(slots, before.arguments)
        block.push(WhileFrame(before, after, results))

    return steer


@RULES.steers(scf.ConditionOp)
def condition(op: Any, program: Program) -> Steer:
    def steer(block: TileBlock, slots: Sequence[int]) -> None:
        frame: Any = block.frames[-1]
        if not block.registers[slots[0]]:
            block.pop()
            block.assign(slots[1:], frame.results)
            return
        block.assign(slots[1:], frame.after.arguments)
        frame.code, frame.position = frame.after, 0

    return steer


@RULES.steers(scf.YieldOp)
def next_iteration(op: Any, program: Program) -> Steer:
    def steer(block: TileBlock, slots: Sequence[int]) -> None:
        frame: Any = block.frames[-1]
        frame.code = frame.before
        frame.next_iteration(block, slots)

    return steer


@RULES.evaluates(PoisonOp)
def poison(op: Any) -> Evaluate:
    """Something else than zero, so that it is seen where it should not be read."""
    type = op.result.type
    if isinstance(type, TokenType):
        return constantly(TOKEN)
    format = tile_format(type)
    bytes_ = np.full(format.array_dtype.itemsize, 0x5A, np.uint8)
    element = np.ones((), np.bool_) if format.bits == 1 else bytes_.view(format.array_dtype)[0]
    return constantly(np.full(type.shape, element, format.array_dtype))
