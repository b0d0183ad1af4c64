"""The cut points of a long function: into blocks of bounded length, and into pieces of consecutive blocks.

A piece is entered at its first block only, so it can become a function (`split.py`). Blocks are cut where few
values are live, and pieces end outside as many loops as possible.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from itertools import accumulate

from tilewright.dialects.llvm.ops import exception as llvm_exception, memory as llvm_memory
from tilewright.dialects.llvm.ops.control import BrOp, CallOp, CondBrOp, SwitchOp, UnreachableOp
from tilewright.dialects.llvm.ops.symbol import LLVMFuncOp
from tilewright.ir.block import Block
from tilewright.ir.operation import Operation
from tilewright.ir.value import Value
from tilewright.targets.llvm.instructions import CONSTANTS

SMALLEST = 8
"""The minimum size of a piece is the maximum size divided by this number: calls of smaller pieces cost more
than they save.
"""
GOES_ON = (BrOp, CondBrOp, SwitchOp, UnreachableOp)
"""The classes of terminators that blocks of a piece may have."""
STAYS = (llvm_memory.AllocaOp, llvm_exception.InvokeOp, llvm_exception.LandingpadOp)
"""Operations that mean something else in another function; their blocks belong to no piece."""


class LlvmInstructionCounts:
    """Counts of LLVM instructions. A function in `functions` that is always inlined counts at each call."""

    def __init__(self, functions: Sequence[LLVMFuncOp]) -> None:
        self._bodies = {op.sym_name: op for op in functions if op.always_inline and op.body.blocks}
        self._inlined: dict[str, int] = {}

    def of(self, op: Operation) -> int:
        """Return the number of instructions of an operation: 0 for a constant, the length of the function for
        the call of a function that is always inlined, otherwise 1.
        """
        if op.__class__ in CONSTANTS:
            return 0
        if isinstance(op, CallOp) and op.callee in self._bodies:
            return self._of_body(op.callee)
        return 1

    def _of_body(self, name: str) -> int:
        if name not in self._inlined:
            self._inlined[name] = 1  # recursive functions: LLVM does not inline them
            self._inlined[name] = self.of_function(self._bodies[name])
        return self._inlined[name]

    def of_block(self, block: Block) -> int:
        """Return the number of instructions of a block, as `of` counts them."""
        return sum(map(self.of, block))

    def of_function(self, function: LLVMFuncOp) -> int:
        """Return the number of instructions of a function, as `of` counts them: constants are not counted,
        and a call of a function that is always inlined counts with the length of that function.
        """
        return sum(map(self.of_block, function.body.blocks))


# --- blocks


def cut_blocks(function: LLVMFuncOp, maximum: int, lengths: LlvmInstructionCounts) -> dict[Block, Block]:
    """Cut each block with more than `maximum` instructions into parts, where few values are live. Returns the
    original block of each block, also of blocks that are not cut. A part may stay too long if it has no
    possible cut.
    """
    origins: dict[Block, Block] = {}
    for block in list(function.body.blocks):
        origins[block] = block
        if lengths.of_block(block) > maximum:
            for op in reversed(_cuts(block, maximum, lengths)):
                rest = block.split_before(op)
                origins[rest] = block
                block.append(BrOp(dest=rest)).lazy_location = op.lazy_location
    return origins


def _cuts(block: Block, maximum: int, lengths: LlvmInstructionCounts) -> list[Operation]:
    """Return the operations before which `block` is cut, in order, so that the parts have at most `maximum`
    instructions if possible. Operations that must stay in the function (`STAYS`), and a terminator that no
    piece may have, are in parts of their own.
    """
    ops = block.ops
    ends = list(accumulate(map(lengths.of, ops), initial=0))
    live = _live_before(ops, block)
    start = max((at + 1 for at, op in enumerate(ops) if isinstance(op, STAYS)), default=0)
    cuts = [ops[start]]
    while ends[-1] - ends[start] > maximum:
        low = max(start + 1, bisect_left(ends, ends[start] + maximum // 2))
        high = max(low, bisect_right(ends, ends[start] + maximum - 1) - 1)  # one instruction for the branch
        start = min(range(low, high + 1), key=lambda at: (live[at], -at))
        cuts.append(ops[start])
    return cuts if isinstance(ops[-1], GOES_ON) or cuts[-1] is ops[-1] else [*cuts, ops[-1]]


def _live_before(ops: Sequence[Operation], block: Block) -> list[int]:
    """Return for each operation of a block the number of values of the block that are live before it."""
    places = {op: at for at, op in enumerate(ops)}
    changes = [0] * (len(ops) + 2)
    for made, value in _values(ops, block):
        last = max((places.get(user, len(ops)) for user in value.uses), default=made)
        changes[made + 1] += 1
        changes[last + 1] -= 1
    return list(accumulate(changes))


def _values(ops: Sequence[Operation], block: Block) -> Iterator[tuple[int, Value]]:
    """Yield the values of a block, without constants, with the indices of the operations that define them; -1
    for block arguments.
    """
    yield from ((-1, value) for value in block.arguments)
    for at, op in enumerate(ops):
        if op.__class__ not in CONSTANTS:
            yield from ((at, value) for value in op.results)


# --- pieces


def find_pieces(function: LLVMFuncOp, maximum: int, lengths: LlvmInstructionCounts) -> list[list[Block]]:
    """Return pieces that may become functions, in order: lists of consecutive blocks with at most `maximum`
    instructions together, as `lengths` counts them, and at least `maximum` / `SMALLEST`. The entry block is
    in none.
    """
    return list(_Pieces(function.body.blocks, maximum, lengths).found())


class _Pieces:
    """Finds the pieces of a function that may become functions: lists of consecutive `blocks` that are
    entered at the first block only, with at most `maximum` instructions together, as `lengths` counts them.
    The entry block, and blocks that must stay in the function, are in no piece.
    """

    def __init__(self, blocks: Sequence[Block], maximum: int, lengths: LlvmInstructionCounts) -> None:
        self.blocks = blocks
        self.maximum = maximum
        self.lengths = [lengths.of_block(block) for block in blocks]
        self.moves = [_moves(block) for block in blocks]
        places = {block: at for at, block in enumerate(blocks)}
        before = [[places[other] for other in block.predecessors] for block in blocks]
        self.first = [min(found, default=at) for at, found in enumerate(before)]
        self.last = [max(found, default=at) for at, found in enumerate(before)]
        self.loops = _loops_around(self.last)

    def found(self) -> Iterator[list[Block]]:
        """Yield the pieces in order."""
        at = 1
        while at < len(self.blocks):
            end, following = self._end(at)
            if end is not None:
                yield list(self.blocks[at : end + 1])
            at = following

    def _end(self, start: int) -> tuple[int | None, int]:
        """Return the index of the last block of a piece that begins at block `start`, and the next possible
        start.

        The first result is `None` if no piece can begin there.
        """
        length, latest, best = 0, start, None
        stop = start
        for at in range(start, len(self.blocks)):
            length += self.lengths[at]
            if not self.moves[at] or length > self.maximum or (at > start and self.first[at] < start):
                break
            latest = max(latest, self.last[at]) if at > start else start
            stop = at + 1
            is_closed = latest <= at and length * SMALLEST >= self.maximum
            if is_closed and (best is None or self.loops[at + 1] <= self.loops[best + 1]):
                best = at
        if best is not None:
            return best, best + 1
        inner = (at for at in range(start + 1, stop) if self.last[at] >= stop)
        return None, next(inner, max(stop, start + 1))


def _moves(block: Block) -> bool:
    """Return whether a block may be moved to another function: it ends with a branch or an `unreachable`, and
    has no operation of `STAYS`.
    """
    return isinstance(block.last, GOES_ON) and not any(isinstance(op, STAYS) for op in block)


def _loops_around(last: Sequence[int]) -> list[int]:
    """Return the number of loops around the position before each block, and after the last block.

    ``last`` has, for each block, the index of the last block that branches to it: a loop if it is not before
    it.
    """
    changes = [0] * (len(last) + 1)
    for at, latest in enumerate(last):
        if latest >= at:
            changes[at] += 1
            changes[latest] -= 1
    return [0, *accumulate(changes)]
