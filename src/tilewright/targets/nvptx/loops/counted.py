"""Innermost loops that count: blocks with one way in, one way back, and an integer that grows by a step."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from tilewright.dialects.llvm.enums import IntegerPredicate
from tilewright.dialects.llvm.ops import aggregate as llvm_aggregate, symbol as llvm_symbol
from tilewright.dialects.llvm.ops.arithmetic import AddOp, ICmpOp
from tilewright.dialects.llvm.ops.control import BrOp, CondBrOp
from tilewright.ir.block import Block
from tilewright.ir.builtin_attributes import IntegerAttr
from tilewright.ir.value import Value


@dataclass(frozen=True)
class CountedBlockLoop:
    """An innermost loop of blocks.

    - ``header``: the block that both ``entry`` (the branch before the loop) and ``latch`` (the branch at the end of an iteration) go to.
    - ``blocks``: all blocks of the loop, in text order.
    - ``counter``: an argument of the header that grows by ``step`` in each iteration; ``step`` is a constant, or computed outside of the loop.
    """

    header: Block
    blocks: tuple[Block, ...]
    entry: BrOp
    latch: BrOp
    counter: Value
    step: Value

    def defines(self, value: Value) -> bool:
        """Return whether a value is computed in the loop."""
        return value.parent_block in self.blocks

    def start(self) -> Value:
        """Return the value of the counter in the first iteration."""
        return self.entry.destOperands[self.counter.index]

    def counts_upwards(self) -> bool:
        """Return whether it is known that the counter is at least 0 in every iteration, and that no sum of it
        and the step wraps around: it begins at a constant of at least 0, grows by 1, and a signed comparison
        in the header keeps it below a limit.
        """
        first, step = number(self.start()), number(self.step)
        test = self.header.ops[-1]
        if first is None or first < 0 or step != 1 or not isinstance(test, CondBrOp):
            return False
        limit = test.condition.owner
        return (
            isinstance(limit, ICmpOp)
            and limit.predicate is IntegerPredicate.SLT
            and limit.lhs is self.counter
            and test.trueDest in self.blocks
            and test.falseDest not in self.blocks
        )


def number(value: Value) -> int | None:
    """Return the value of an integer constant; None for any other value."""
    owner = value.owner
    if isinstance(owner, llvm_aggregate.ConstantOp) and isinstance(owner.value, IntegerAttr):
        return owner.value.value
    return None


def counted_loops(function: llvm_symbol.LLVMFuncOp) -> Iterator[CountedBlockLoop]:
    """Yield the innermost loops of `function` that have a counter and are entered and continued by one
    unconditional branch each, in text order of their headers; other loops are left out.
    """
    for region in function.regions:
        order = {block: at for at, block in enumerate(region.blocks)}
        found = [loop for header in order if (loop := _loop_at(header, order))]
        headers = {loop.header for loop in found}
        backwards = {
            block for block in order if any(order[one] >= order[block] for one in block.predecessors)
        }
        for loop in found:
            if not any(block in headers | backwards for block in loop.blocks if block is not loop.header):
                yield loop


def _loop_at(header: Block, order: dict[Block, int]) -> CountedBlockLoop | None:
    before = [block for block in header.predecessors if order[block] < order[header]]
    behind = [block for block in header.predecessors if order[block] >= order[header]]
    if len(before) != 1 or len(behind) != 1:
        return None
    entry, latch = before[0].ops[-1], behind[0].ops[-1]
    if not isinstance(entry, BrOp) or not isinstance(latch, BrOp):
        return None
    members = _members(header, behind[0])
    if before[0] in members or not _is_entered_at(header, members):
        return None
    blocks = tuple(block for block in order if block in members)
    return _counted(header, blocks, entry, latch)


def _members(header: Block, latch: Block) -> set[Block]:
    """Return the blocks of a loop: those that reach the latch without passing the header, and the header."""
    found, pending = {header}, [latch]
    while pending:
        block = pending.pop()
        if block not in found:
            found.add(block)
            pending += block.predecessors
    return found


def _is_entered_at(header: Block, members: set[Block]) -> bool:
    return all(before in members for block in members if block is not header for before in block.predecessors)


def _counted(header: Block, blocks: tuple[Block, ...], entry: BrOp, latch: BrOp) -> CountedBlockLoop | None:
    for argument, following in zip(header.arguments, latch.destOperands, strict=True):
        owner = following.owner
        if isinstance(owner, AddOp) and argument in owner.operands:
            step = owner.rhs if owner.lhs is argument else owner.lhs
            loop = CountedBlockLoop(header, blocks, entry, latch, argument, step)
            if not loop.defines(step) or number(step) is not None:
                return loop
    return None
