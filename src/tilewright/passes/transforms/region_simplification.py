"""Simplifying the blocks of regions: dead blocks, dead values and block arguments, equal blocks."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator

from tilewright.ir.block import Block, Region
from tilewright.ir.declaration.traits import symbol_name
from tilewright.ir.dominance import GraphRegion, reverse_post_order
from tilewright.ir.interfaces.control_flow import BranchOpInterface
from tilewright.ir.interfaces.effects import has_no_memory_effect
from tilewright.ir.interfaces.interface import concept
from tilewright.ir.operation import Operation
from tilewright.ir.value import BlockArgument, Value


def simplify_regions(regions: Iterable[Region], *, merge_blocks: bool = False) -> bool:
    """Erase the blocks that cannot be reached, dead operations and unused block arguments of regions and of
    the regions inside them; return whether anything changed.

    ``merge_blocks`` also merges equal blocks, and drops arguments that every branch passes the same value
    for.
    """
    roots = list(regions)
    changed = _erase_unreachable(roots)
    changed = _erase_dead_values(roots) or changed
    if merge_blocks:
        for region in _nested(roots):
            changed = _merge_equal(region) or changed
            changed = _drop_redundant_arguments(region) or changed
    return changed


def _nested(roots: Iterable[Region]) -> Iterator[Region]:
    """Yield the given regions and all regions inside them, outer ones first."""
    pending = list(roots)
    while pending:
        region = pending.pop()
        yield region
        pending.extend(inner for block in region.blocks for op in block for inner in op.regions)


# --- unreachable blocks


def _erase_unreachable(roots: Iterable[Region]) -> bool:
    changed = False
    for region in _nested(roots):
        if len(region.blocks) > 1:
            changed = _erase_all(region, set(reverse_post_order(region))) or changed
    return changed


def _erase_all(region: Region, kept: set[Block]) -> bool:
    dead = [block for block in region.blocks if block not in kept]
    for block in dead:
        for op in block:
            op.drop_all_references()
    for block in dead:
        block.erase()
    return bool(dead)


# --- dead values


class _ValueLiveness:
    """The operations and values that an operation with effects, a symbol, or a terminator needs.

    A value that only feeds itself around a loop is not among them.
    """

    def __init__(self) -> None:
        self.operations: set[Operation] = set()
        self.values: set[Value] = set()
        self.pending: list[Operation] = []

    def run(self, roots: Iterable[Region]) -> None:
        """Mark terminators, symbols and operations with effects in the regions `roots`, and follow their
        operands.
        """
        for region in _nested(roots):
            for block in region.blocks:
                for op in block:
                    if op.kind.is_terminator or not _is_removable(op):
                        self.mark(op)
        while self.pending:
            self._follow(self.pending.pop())

    def mark(self, op: Operation) -> None:
        """Mark an operation and all operations around it as live; `run` visits the values that they need."""
        current: Operation | None = op
        while current is not None and current not in self.operations:
            self.operations.add(current)
            self.pending.append(current)
            current = current.parent_op

    def _follow(self, op: Operation) -> None:
        forwarded: set[int] = set()
        branch = concept(op, BranchOpInterface)
        if branch is not None:
            for index in range(len(op.successors)):
                forwarded.update(branch.successor_operands(op, index))
        for position, operand in enumerate(op.operands):
            if position not in forwarded:
                self.need(operand)

    def need(self, value: Value) -> None:
        """Mark a value as live, and the operation that defines it, or the values that branches pass for a
        block argument.
        """
        if value in self.values:
            return
        self.values.add(value)
        if not isinstance(value, BlockArgument):
            self.mark(value.owner)
            return
        for user in value.owner.predecessor_uses:
            for operand in _passed(user, value):
                self.need(operand)


def _is_removable(op: Operation) -> bool:
    return symbol_name(op) is None and has_no_memory_effect(op)


def _passed(user: Operation, argument: BlockArgument) -> Iterator[Value]:
    """Yield the values that a branch passes for an argument, one for each edge to its block; nothing if
    `user` has no `BranchOpInterface`.
    """
    branch = concept(user, BranchOpInterface)
    if branch is None:
        return
    for index, successor in enumerate(user.successors):
        if successor is argument.owner:
            yield user.operands[branch.successor_operands(user, index)[argument.index]]


def _may_be_dead(roots: Iterable[Region]) -> bool:
    """Return whether some operation may be dead; without any, the analysis of liveness is not needed.

    An operation with uses is dead only if its users are: so there is an operation without uses, or a cycle of
    uses through block arguments or in a graph region.
    """
    for region in _nested(roots):
        if any(block.arguments for block in region.blocks[1:]):
            return True
        owner = region.parent
        has_order = owner is None or GraphRegion not in owner.kind.trait_classes
        for block in region.blocks:
            for op in block:
                unused = not (op.has_uses or op.kind.is_terminator) and _is_removable(op)
                if unused or (op.operands and not has_order):
                    return True
    return False


def _erase_dead_values(roots: list[Region]) -> bool:
    if not _may_be_dead(roots):
        return False
    liveness = _ValueLiveness()
    liveness.run(roots)
    changed = False
    dead: list[Operation] = []
    for region in _nested(roots):
        for block in region.blocks:
            dead.extend(op for op in block if op not in liveness.operations)
        for block in region.blocks[1:]:
            changed = _erase_arguments(block, liveness.values) or changed
    gone = set(dead)
    for op in dead:
        op.drop_all_references()
    for op in dead:
        if op.parent_op not in gone:  # the others go with the operation around them
            op.detach()
    return changed or bool(dead)


def _erase_arguments(block: Block, live: set[Value]) -> bool:
    """Drop the arguments of a block that are not in ``live``, and the values that branches pass for them;
    return whether any was dropped. All stay if the block is the successor of an operation without
    `BranchOpInterface`.
    """
    kept = [argument.index for argument in block.arguments if argument in live]
    if len(kept) == len(block.arguments) or not _all_branch(block):
        return False
    _keep_arguments(block, kept)
    return True


def _all_branch(block: Block) -> bool:
    return all(concept(user, BranchOpInterface) is not None for user in block.predecessor_uses)


def _keep_arguments(block: Block, kept: list[int]) -> None:
    for user in list(block.predecessor_uses):
        branch = concept(user, BranchOpInterface)
        assert branch is not None
        for index, successor in enumerate(user.successors):
            if successor is block:
                branch.keep_successor_operands(user, index, kept)
    for argument in reversed(list(block.arguments)):
        if argument.index not in kept:
            for user in list(argument.uses):  # dead operations that are about to go
                user.drop_all_references()
            block.erase_argument(argument.index)


# --- equal blocks


def _merge_equal(region: Region) -> bool:
    """Redirect branches to the first of several equal blocks (`_block_key`), and erase the others; return
    whether any block was erased. The entry block stays.
    """
    known: dict[Hashable, Block] = {}
    kept: set[Block] = set(region.blocks)
    for block in region.blocks[1:]:
        key = _block_key(block)
        first = known.setdefault(key, block) if key is not None else block
        if first is not block:
            for user in list(block.predecessor_uses):
                user.set_successors([first if target is block else target for target in user.successors])
            kept.discard(block)
    return _erase_all(region, kept)


def _block_key(block: Block) -> Hashable | None:
    """Return a key of a block's contents, equal for blocks that do the same; None if another block uses its
    values, or if an operation has regions.
    """
    numbers: dict[Value, int] = {argument: argument.index for argument in block.arguments}
    lines: list[Hashable] = [tuple(argument.type for argument in block.arguments)]
    for op in block:
        if op.regions:
            return None
        operands = tuple([numbers.get(operand, operand) for operand in op.operands])
        lines.append(
            (op.kind, operands, frozenset(op.held_attributes.items()), op.result_types, op.successors)
        )
        numbers.update({result: len(numbers) + at for at, result in enumerate(op.results)})
    local = all(user.parent is block for value in numbers for user in value.uses)
    return tuple(lines) if local else None


def _drop_redundant_arguments(region: Region) -> bool:
    """Drop an argument if every branch passes the same value, and replace its uses with this value; return
    whether any was dropped. Arguments of the entry block stay.
    """
    changed = False
    for block in region.blocks[1:]:
        if not _all_branch(block):
            continue
        same: dict[int, Value] = {}
        for argument in block.arguments:
            passed = {v for user in block.predecessor_uses for v in _passed(user, argument)} - {argument}
            if len(passed) == 1:
                same[argument.index] = passed.pop()
        for index, value in same.items():
            block.arguments[index].replace_all_uses_with(value)
        if same:
            _keep_arguments(block, [i for i in range(len(block.arguments)) if i not in same])
            changed = True
    return changed
