"""Removes early exits: afterwards branches yield, `for` ends in one `continue`, loops are `scf.while`,
kernels return once.

Works on values of Tile IR, before anything is converted. If one branch of an `if` exits, the operations after
the `if` move into the other branch; if control may continue after both, a flag guards these operations. An
exit yields its values (`ExitValues`); unused ones become `ub.poison`.

A loop whose only exit is a `break` at the top of an iteration becomes a `while` with this condition. Every
other loop runs a whole iteration, and then decides whether it was the last one.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from tilewright.dialects.cuda_tile.ops import control, integer as integer_ops, tile as tile_ops
from tilewright.dialects.cuda_tile.types import TileType
from tilewright.dialects.scf import ops_loop as scf
from tilewright.dialects.ub.dialect import PoisonOp
from tilewright.ir.attribute import Type
from tilewright.ir.block import Block, Region
from tilewright.ir.builtin_attributes import DenseElementsAttr
from tilewright.ir.builtin_types import i1
from tilewright.ir.operation import Operation
from tilewright.ir.value import Value
from tilewright.lowering.cuda_tile_to_tileaa.carried import build_after_region

BOOLEAN = TileType((), i1)
LEAVING = (control.ContinueOp, control.BreakOp, control.ReturnOp)


def boolean(block: Block, value: bool) -> Value:
    """Append a `constant` of Tile IR, a tile of rank 0 with the i1 `value`, to `block`, and return its
    result.
    """
    return _append(block, tile_ops.ConstantOp(DenseElementsAttr(BOOLEAN, bytes([value])))).results[0]


def _append(block: Block, op: Operation) -> Operation:
    return block.append(op)


def _end(block: Block, values: Sequence[Value]) -> None:
    """Append the `yield` of `values` that ends a branch."""
    _append(block, control.YieldOp(tuple(values)))


def _poison(block: Block, types: Sequence[Type]) -> list[Value]:
    return [_append(block, PoisonOp(result_types=[type])).results[0] for type in types]


class ExitValues:
    """Describes the values that a region yields once its exits are removed: their ``types``, and by `values`,
    which subclasses define for each kind of region, the values that each former exit yields.
    """

    def __init__(self, types: Sequence[Type]) -> None:
        self.types = tuple(types)

    def values(self, exit: Operation | None, block: Block) -> list[Value]:
        """Return the values to yield where the terminator `exit` was; new constants are inserted at the end
        of `block`. `exit` is None after an inner loop from which the kernel returned.
        """
        raise NotImplementedError


class KernelExitValues(ExitValues):
    """The end of a kernel, which yields nothing."""

    def values(self, exit: Operation | None, block: Block) -> list[Value]:
        return []


class ForExitValues(ExitValues):
    """The end of an iteration of `for`, which yields the carried values."""

    def values(self, exit: Operation | None, block: Block) -> list[Value]:
        assert isinstance(exit, control.ContinueOp), "nothing else leaves a counted loop"
        return list(exit.operands)


class LoopExitValues(ExitValues):
    """The end of an iteration of `loop`. Yields, in this order: whether the loop continues, the results of
    the loop, the values carried to the next iteration, and, if the loop contains a `return`, whether the
    kernel returns.
    """

    def __init__(self, loop: control.LoopOp, returns: bool) -> None:
        self.results = tuple(loop.result_types)
        self.carried = tuple(value.type for value in loop.init_values)
        self.returns = returns
        flags = (BOOLEAN,) if returns else ()
        super().__init__((BOOLEAN, *self.results, *self.carried, *flags))

    def values(self, exit: Operation | None, block: Block) -> list[Value]:
        goes_on = isinstance(exit, control.ContinueOp)
        breaks = isinstance(exit, control.BreakOp)
        results = list(exit.operands) if exit and breaks else _poison(block, self.results)
        carried = list(exit.operands) if exit and goes_on else _poison(block, self.carried)
        flags = [boolean(block, not (goes_on or breaks))] if self.returns else []
        return [boolean(block, goes_on), *results, *carried, *flags]


class BranchExitValues(ExitValues):
    """The end of a branch from which control may exit. Yields, in this order: whether it exited, the values
    of ``outer`` for the exit, and the values that the branch yields otherwise. Values that do not apply are
    poison.
    """

    def __init__(self, outer: ExitValues, yielded: Sequence[Type]) -> None:
        super().__init__((BOOLEAN, *outer.types, *yielded))
        self.outer = outer
        self.yielded = tuple(yielded)

    def values(self, exit: Operation | None, block: Block) -> list[Value]:
        if isinstance(exit, control.YieldOp):
            return [boolean(block, False), *_poison(block, self.outer.types), *exit.operands]
        left = self.outer.values(exit, block)
        return [boolean(block, True), *left, *_poison(block, self.yielded)]


class ExitRemoval:
    """Removes the early exits of the kernel ``entry`` (`run`): each `break`, `continue` and `return` inside
    of a branch or loop becomes values that its region yields, and a branch skips the operations after it.
    Each `loop` becomes an `scf.while`.
    """

    def __init__(self, entry: Any) -> None:
        self.entry = entry
        self.ended: dict[Operation, Value] = {}
        """For each converted loop that a `return` may leave, the i1 value that is true if the kernel
        returned.
        """

    def run(self) -> None:
        """Remove the early exits of all loops, inner loops first, then the exits of the kernel."""
        for loop in _loops(self.entry):
            if isinstance(loop, control.LoopOp):
                self._convert_loop(loop)
            else:
                self._flatten_region(loop.body.block, ForExitValues(loop.result_types), control.ContinueOp)
        self._flatten_region(self.entry.body.block, KernelExitValues(()), control.ReturnOp)

    def _flatten_region(self, block: Block, tail: ExitValues, ending: Any) -> None:
        if any(self._leaves(op) for op in block):
            values = self._flatten(block, tail)
            _append(block, ending(values))

    # --- what leaves

    def _leaves(self, op: Operation) -> bool:
        """Return whether `op`, a branch or a loop, contains an exit that leaves the block around `op`."""
        if isinstance(op, control.IfOp):
            return any(_leaves_block(block) or self._any_leaves(block) for block in _blocks(op))
        return op in self.ended

    def _any_leaves(self, block: Block) -> bool:
        return any(self._leaves(op) for op in block)

    # --- one block

    def _flatten(self, block: Block, tail: ExitValues) -> list[Value]:
        """Remove the exits inside a block, and its terminator. Return the values, described by `tail`, that
        the caller has to yield at the end of the block. New operations are appended to the block.
        """
        first = next((op for op in block if self._leaves(op)), None)
        if first is None:
            exit = block.last
            assert exit is not None, "blocks have terminators"
            exit.detach()
            values = tail.values(exit, block)
            exit.drop_all_references()
            return values
        rest = _cut_after(first)
        if isinstance(first, control.IfOp):
            return self._flatten_branch(block, first, rest, tail)
        flag = self.ended.pop(first)
        return self._behind_flag(block, flag, rest, tail, tail.values(None, block))

    def _flatten_branch(self, block: Block, branch: Any, rest: Block, tail: ExitValues) -> list[Value]:
        going_on = [inner for inner in _both_blocks(branch) if not _leaves_block(inner)]
        if len(going_on) == 2:
            return self._flatten_both(block, branch, rest, tail)
        for inner in going_on:
            exit = inner.last
            assert exit is not None, "branches end in yield"
            for result, value in zip(branch.results, exit.operands, strict=True):
                result.replace_all_uses_with(value)
            exit.erase()
            _move_all(rest, inner)
        if not going_on:
            _drop(rest)
        return self._replace_branch(branch, tail)

    def _flatten_both(self, block: Block, branch: Any, rest: Block, tail: ExitValues) -> list[Value]:
        """Replace an `if` that exits may leave, while either region can also reach its end. The operations
        `rest` after it run only if no exit was taken. Return the values for `tail`.
        """
        inner = BranchExitValues(tail, branch.result_types)
        found = self._replace_branch(branch, inner, keep=branch.results)
        left, values = found[0], found[1 : 1 + len(tail.types)]
        return self._behind_flag(block, left, rest, tail, values)

    def _replace_branch(self, branch: Any, tail: ExitValues, keep: Sequence[Value] = ()) -> list[Value]:
        """Replace the `if` `branch` with one that yields the values described by `tail`; its last results
        replace ``keep``. Return all results of the new `if`.
        """
        regions = [Region([inner.parent.remove(inner)]) for inner in _both_blocks(branch) if inner.parent]
        for region in regions:
            _end(region.block, self._flatten(region.block, tail))
        made = control.IfOp(
            branch.condition,
            then_region=regions[0],
            else_region=regions[1],
            result_types=tail.types,
            location=branch.location,
        )
        branch.parent.insert_before(branch, made)
        found: list[Value] = list(made.results)
        for old, new in zip(keep, found[len(found) - len(keep) :], strict=True):
            old.replace_all_uses_with(new)
        branch.erase()
        return found

    def _behind_flag(
        self, block: Block, flag: Value, rest: Block, tail: ExitValues, values: Sequence[Value]
    ) -> list[Value]:
        """Append an `if` that yields `values` if `flag` is true (an exit was taken), and otherwise runs the
        operations of `rest`. Return its results, which are the values for `tail`.
        """
        left = Block()
        _end(left, values)
        _end(rest, self._flatten(rest, tail))
        made = control.IfOp(
            flag, then_region=Region([left]), else_region=Region([rest]), result_types=tail.types
        )
        return list(_append(block, made).results)

    # --- loops

    def _convert_loop(self, loop: control.LoopOp) -> None:
        branch = self._only_exit(loop)
        if branch is not None:
            _convert_plain_while(loop, branch)
            return
        returns = _may_return(loop, self.ended)
        tail = LoopExitValues(loop, returns)
        body: Block = loop.body.block
        goes_on, *values = self._flatten(body, tail)
        _append(body, scf.ConditionOp(goes_on, tuple(values)))
        after = Block([value.type for value in values])
        count = len(tail.results)
        _append(after, scf.YieldOp(tuple(after.arguments[count : count + len(tail.carried)])))
        made = _replace_loop(loop, [value.type for value in values], after)
        if returns:
            self.ended[made] = made.results[-1]

    def _only_exit(self, loop: control.LoopOp) -> control.IfOp | None:
        """Return the `if` of a loop's body whose regions contain nothing but one `break` (and a `yield`), if
        the loop has no other exit and its body ends in `continue`; else None.
        """
        body: Block = loop.body.block
        found = [op for op in body if self._leaves(op)]
        only = found[0] if len(found) == 1 else None
        if not isinstance(only, control.IfOp) or not isinstance(body.last, control.ContinueOp):
            return None
        blocks = list(_blocks(only))
        ends = [block.last.__class__ for block in blocks if block.first is block.last]
        plain = ends in ([control.BreakOp], _BREAK_OR_NOT, _BREAK_OR_NOT[::-1])
        return only if plain and len(ends) == len(blocks) else None


_BREAK_OR_NOT: list[type[Operation]] = [control.BreakOp, control.YieldOp]


def _replace_loop(loop: control.LoopOp, types: Sequence[Type], after: Block) -> Operation:
    """Replace a loop with an `scf.while` of the result types `types`, and return it. Its first region is the
    body of the loop, its second region the block `after`.
    """
    body = loop.body.block
    loop.body.remove(body)
    made = scf.WhileOp(
        tuple(loop.init_values),
        before=Region([body]),
        after=Region([after]),
        result_types=types,
        location=loop.location,
    )
    assert loop.parent is not None, "the loop stands in a kernel"
    loop.parent.insert_before(loop, made)
    for old, new in zip(loop.results, made.results, strict=False):
        old.replace_all_uses_with(new)
    loop.erase()
    return made


def _convert_plain_while(loop: control.LoopOp, branch: control.IfOp) -> None:
    """Convert a loop whose only exit is the `if` `branch` to an `scf.while`: the operations before the `if`
    are its first region, the operations after it its second region.
    """
    body: Block = loop.body.block
    rest = _cut_after(branch)
    (exit,) = [block.last for block in _blocks(branch) if isinstance(block.last, control.BreakOp)]
    last = rest.last
    assert last is not None, "it continues"
    results, carried = list(exit.operands), list(last.operands)
    last.erase()
    goes_on = branch.condition
    if exit.parent is branch.then_region.block:
        goes_on = _append_before(branch, integer_ops.XOrIOp(goes_on, _constant_before(branch, True)))
    branch.erase()
    passed, after = build_after_region(body, rest, results, carried)
    _append(body, scf.ConditionOp(goes_on, tuple(passed)))
    _replace_loop(loop, [value.type for value in passed], after)


def _append_before(anchor: Operation, op: Operation) -> Value:
    assert anchor.parent is not None, "the operation stands in a block"
    return anchor.parent.insert_before(anchor, op).results[0]


def _constant_before(anchor: Operation, value: bool) -> Value:
    return _append_before(anchor, tile_ops.ConstantOp(DenseElementsAttr(BOOLEAN, bytes([value]))))


def _may_return(loop: Operation, ended: dict[Operation, Value]) -> bool:
    return any(isinstance(op, control.ReturnOp) or op in ended for op in loop.walk())


def _loops(entry: Operation) -> list[Any]:
    """Return the loops of a kernel, inner loops first."""
    return [op for op in entry.walk() if isinstance(op, control.ForOp | control.LoopOp)][::-1]


def _blocks(op: Operation) -> Iterator[Block]:
    for region in op.regions:
        yield from region.blocks


def _leaves_block(block: Block) -> bool:
    return isinstance(block.last, LEAVING)


def _both_blocks(branch: Any) -> list[Block]:
    """Return the blocks of the then and the else region of an `if`; a missing else region is created."""
    if not branch.else_region.blocks:
        empty = branch.else_region.append(Block())
        _append(empty, control.YieldOp(()))
    return [branch.then_region.block, branch.else_region.block]


def _cut_after(op: Operation) -> Block:
    """Move the operations after `op` into a new block, which is in no region; return it."""
    rest = Block()
    following = op.next
    while following is not None:
        next_one = following.next
        rest.append(following.detach())
        following = next_one
    return rest


def _move_all(source: Block, target: Block) -> None:
    for op in list(source):
        target.append(op.detach())


def _drop(block: Block) -> None:
    """Drop the operands of operations that are unreachable, so that they can be freed."""
    for op in list(block):
        op.drop_all_references()


def remove_early_exits(entry: Operation) -> None:
    """Replace `break`, `continue` and `return` in the middle of the regions of a kernel with flags and
    branches, in place. Afterwards branches end in `yield`, a `for` in one `continue`, a `loop` is an
    `scf.while`, and the kernel returns once.
    """
    ExitRemoval(entry).run()


def has_exits(entry: Operation) -> bool:
    """Return whether a kernel has early exits to remove: a `loop`, or an exit from a branch."""
    return any(
        isinstance(op, control.LoopOp) or (isinstance(op, LEAVING) and isinstance(op.parent_op, control.IfOp))
        for op in entry.walk()
    )
